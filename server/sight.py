"""What others may see of a board (design, point 4): the one place that decides it.

Both players have the same cards in the same order, so whoever sees the other board play a card sees what is coming.
Therefore each entry carries the deal position of the turn it belongs to, and is shown once the other board has
passed that position: from then on it can help nobody. The spectators get the entry; the rival gets the count and
the status that follow from it. How many cards a player has turned, and that the board is finished, is always live.
"""

from bisect import bisect_right
from collections.abc import Sequence


def shown(positions: Sequence[int], passed: int) -> int:
    """How many entries of a board others may see.

    `positions` are the deal positions of its entries, which never decrease, so what may be seen is a beginning of
    the log. `passed` is the last deal position that the other board has passed.
    """
    return bisect_right(positions, passed)

"""What others may see of a board (design, point 4): the one place that decides it.

Both players have the same cards in the same order, so whoever sees the other board play a card sees what is coming.
Therefore each entry carries the deal position of the turn it belongs to, and is shown once the other board has
passed that position: from then on it can help nobody. The spectators get the entry; the rival gets the count and
the status that follow from it. How many cards of the first shuffle a player has turned, and that the board is finished,
is always live.

Nothing else is. What is told of a board is made of what is `live` and of what is `Shown`, and of nothing beside them: so two
boards that agree in both are told alike, whatever else lies on them. Cards turned after a redeal are not live, as they
number what was on the piles, and so the count; they are told with the entries that turned them.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.board import Board, Status


def shown(positions: Sequence[int], passed: int) -> int:
    """How many entries of a board others may see.

    `positions` are the deal positions of its entries, which never decrease, so what may be seen is a beginning of
    the log. `passed` is the last deal position that the other board has passed.
    """
    return bisect_right(positions, passed)


class Live(NamedTuple):
    """What everybody may know of a board at once."""

    turned: int
    """How many cards of the first shuffle have been turned."""
    finished: bool


def live(board: Board) -> Live:
    """What everybody may know of a board at once."""
    return Live(board.turned - board.turned_again, board.finished)


@dataclass(frozen=True, slots=True)
class Shown:
    """How a board stood after the last entry that is shown, or before the first."""

    status: Status
    count: int
    turned_again: int
    """How many cards had been turned after a redeal."""


@dataclass(frozen=True, slots=True)
class Told:
    """What others are told of how a board comes along."""

    turned: int
    finished: bool
    status: Status
    count: int


def told(live: Live, shown: Shown) -> Told:
    """What others are told: made of what is live and what is shown, so that no more can follow from it."""
    return Told(live.turned + shown.turned_again, live.finished, shown.status, shown.count)

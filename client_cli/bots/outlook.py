"""How promising the open cards of a Forty Thieves board are, told at a glance.

The numbers were found by trying: whole deals of every game but Lucas were played with a plan for each turn that leads to
the position with the best outlook, nothing else.
"""

from functools import lru_cache

from client_cli.bots.open_cards import REMEMBERED, Position, Ways
from engine.cards import rank

PUT_UP = 4.0
"""What a card on a foundation is worth,"""
JOINED = 3.9
"""and a card that is built on another."""
WASTED = 1.0
"""The cost of a card on the waste."""
EMPTY = -2.4
"""The worth of an empty column: less than that of a card in it, so it is filled before a turn."""
WHOLE = -1.8
"""The worth of a column that is one built sequence, beside that of its cards. Like EMPTY it came out below nothing: a bot
that is keener on clear columns gives up too much for them."""
OVER = 0.12
"""The cost of a sequence that lies over a card, for each rank that ..."""
NEEDED_LAST = 17
"""... the card is below this one: low cards are needed first."""


class Outlook:
    """The outlook in one game."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._column_worth = lru_cache(REMEMBERED)(self._column)

    def worth(self, position: Position) -> float:
        """The greater, the more promising."""
        columns = sum(map(self._column_worth, position.columns))
        return PUT_UP * position.put_up - WASTED * len(position.waste) + columns

    def _column(self, cards: bytes) -> float:
        if not cards:
            return EMPTY
        worth, sequences = 0.0, 0
        while cards:
            size = self._ways.built(cards)
            worth += JOINED * (size - 1)
            worth -= OVER * sequences * sum(NEEDED_LAST - rank(card) for card in cards[-size:])
            cards = cards[:-size]
            sequences += 1
        return worth + WHOLE * (sequences == 1)

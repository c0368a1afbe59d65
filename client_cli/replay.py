"""A match that is over, step by step: its boards dealt again from its record, at any moment of it.

It does no input or output and knows no clock, so that whatever shows a match can use it.
"""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass

from client_cli.naming import card_at
from client_cli.player_names import called
from engine.board import ENDINGS, Board, Status
from engine.cards import card_text
from engine.errors import BadRecord, EngineError, UnknownGame
from engine.games import variant
from engine.moves import parse_move
from engine.record import Record
from engine.verify import dealt, is_dealt


@dataclass(frozen=True, slots=True)
class Step:
    """An entry of one of the boards. `at` is milliseconds of match time, `n` its number on its board.

    `card` is the card it turned or moved, the highest of several; `status` is how the board stands after it.
    """

    at: int
    seat: int
    n: int
    entry: str
    card: str | None
    before: int
    count: int
    status: Status


class Replay:
    """The boards of a record after the first `position` of its `steps`, which stand in the order of their times.

    Raises `BadRecord` for a record whose cards were never dealt, or whose boards do not follow its moves.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.names = seat_names(record)
        self.position = 0
        if not record.seats or not is_dealt(record):
            raise BadRecord("there is nothing to replay: the cards of this match were never dealt", "never-dealt")
        try:
            self._variant = variant(record.game)
        except UnknownGame as error:
            raise BadRecord(f"this record cannot be replayed: {error}", error.code, game=record.game) from None
        try:
            self._dealt = dealt(record, self._variant)
            self.boards = self._fresh()
            self.total = self.boards[0].total
            self.steps = tuple(self._step(*entry) for entry in _in_time(record))
        except (EngineError, ValueError) as error:
            raise BadRecord(f"this record cannot be replayed: {error}", "contradictory") from None
        self.go_to(0)

    def _fresh(self) -> list[Board]:
        return [self._variant.board(self._dealt) for _ in self.record.seats]

    def _step(self, at: int, seat: int, n: int, entry: str) -> Step:
        """Make an entry for the first time."""
        board, side = self.boards[seat], self.record.seats[seat]
        before, turned = board.count, board.retrace(entry)
        card = None if turned is None else card_text(turned)
        if card is None and entry not in ENDINGS:
            move = parse_move(entry)
            card = card_at(board, move.target, move.cards)
        # Whether a board is stuck can take long to find out, and the record says it.
        status = side.status if n == len(side.entries) else Status.PLAYING
        return Step(at, seat, n, entry, card, before, board.count, status)

    @property
    def last(self) -> Step | None:
        """The step made last; None at the beginning."""
        return self.steps[self.position - 1] if self.position else None

    @property
    def at_end(self) -> bool:
        """Whether all steps are made."""
        return self.position == len(self.steps)

    @property
    def pause(self) -> int | None:
        """For how many milliseconds of match time nothing happens now; None at the end."""
        if self.at_end:
            return None
        return max(0, self.steps[self.position].at - (self.last.at if self.last else 0))

    def go_to(self, position: int) -> None:
        """Have so many steps made; a number beyond the ends is the end."""
        position = min(max(position, 0), len(self.steps))
        if position < self.position or not self.position:
            self.boards, self.position = self._fresh(), 0
        for step in self.steps[self.position : position]:
            self.boards[step.seat].retrace(step.entry)
        self.position = position

    def forward(self) -> bool:
        """Make the next step; False if there is none."""
        if self.at_end:
            return False
        self.go_to(self.position + 1)
        return True

    def back(self) -> bool:
        """Take the last step back; False if there is none."""
        if not self.position:
            return False
        self.go_to(self.position - 1)
        return True


def seat_names(record: Record) -> list[str]:
    """What the players are called; bots are marked."""
    return [called(seat.name, seat.bot, seat.level) for seat in record.seats]


def _in_time(record: Record) -> Iterable[tuple[int, int, int, str]]:
    """The entries of all boards as (time, seat, number, entry): the earliest first, each board's in their order."""
    logs = (
        [(at, seat, number, entry) for number, (at, entry) in enumerate(player.entries, start=1)]
        for seat, player in enumerate(record.seats)
    )
    return heapq.merge(*logs)

"""The matches that players have behind them, a line for each."""

from collections import OrderedDict
from typing import NamedTuple

import msgspec
import structlog

from engine.board import Steps
from protocol.messages import PastMatch, Side
from protocol.players import tag_of
from server.course import Course
from server.effects import Refusal
from server.events import StoredMatch
from server.seat import AT_ONCE
from server.store.port import Store
from server.thinking import Thinking
from server.turns import Party

LONGEST_PAST = 1000
"""How many of their own matches players can look back on."""
MOST_REMEMBERED = 10_000
"""Lines that are kept in memory: what has ended does not change any more."""

log = structlog.get_logger()


class Line(NamedTuple):
    """A match that has ended, and whose it was. `you` in it is still to be said."""

    players: tuple[str, ...]
    told: PastMatch


class Archive:
    """Looks the ended matches of a store up."""

    def __init__(self, store: Store, thinking: Thinking) -> None:
        self.store = store
        self.thinking = thinking
        self._lines: OrderedDict[str, Line | None] = OrderedDict()

    async def past(self, player: str, most: int, before: str | None, party: Party) -> tuple[list[PastMatch], bool]:
        """A player's matches that ended before that one, the newest first, and whether there are more. Raises `Refusal`."""
        codes = await self.store.history(player, LONGEST_PAST)
        if before is not None:
            if before not in codes:
                raise Refusal("unknown-match", f"{before} is none of your past matches")
            codes = codes[codes.index(before) + 1 :]
        told: list[PastMatch] = []
        for code in codes:
            if len(told) == most:
                return told, True
            line = await self._line(code, party)
            if line is not None and player in line.players:
                told.append(msgspec.structs.replace(line.told, you=line.players.index(player)))
        return told, False

    async def _line(self, code: str, party: Party) -> Line | None:
        """The line of a match.

        None for one that cannot be read, such as one of a game that this version does not know, and for one that never
        had a second player, such as the one that a quick match makes in vain.
        """
        if code in self._lines:
            self._lines.move_to_end(code)
            return self._lines[code]
        stored = await self.store.read(code)
        if stored is None:  # it has been kept long enough meanwhile
            return None
        line: Line | None = None
        try:
            line = await self.thinking.done(line_of(stored), party)
            if len(line.players) < 2:
                line = None
        except Exception:
            log.exception("match cannot be told of", match=code)
        self._lines[code] = line
        while len(self._lines) > MOST_REMEMBERED:
            self._lines.popitem(last=False)
        return line


def line_of(stored: StoredMatch) -> Steps[Line]:
    """What is told of a match that has ended; in steps, as its logs may be long.

    Nobody needs to know here whether its boards were stuck, which can take long to find out.
    """
    course = Course.of(stored.terms, stored.events)
    seats = []
    for seat, entries in zip(course.seats, stored.boards, strict=False):
        if seat.board is not None:
            for number, (_, entry) in enumerate(entries, start=1):
                seat.board.retrace(entry)
                if number % AT_ONCE == 0:
                    yield
        count = 0 if seat.board is None else seat.board.count
        seats.append(Side(name=seat.name, tag=tag_of(seat.player), count=count, bot=seat.bot, level=seat.level))
    told = PastMatch(
        match=stored.terms.match,
        game=stored.terms.game,
        ended=0 if course.ended is None else stored.terms.wall(course.ended),
        you=0,
        seats=seats,
        result=course.result,
        aborted=course.aborted,
    )
    return Line(tuple(seat.player for seat in course.seats), told)

"""The ledger: carries commands out on the copy of a match that is here, the store first.

A command is tried on the copy, its entries are written, and only then is anybody told. If somebody else has written
first, the copy is taken from the store again and the command tried again. So nobody is told what is not in the store.
Whoever calls these methods holds the table's lock.
"""

import asyncio
from collections.abc import Callable, Sequence
from time import monotonic

import structlog

from server.effects import Append, Effect
from server.events import MATCH_LOG, Numbers, StoredMatch, board_log
from server.figures import Figures
from server.match import Match
from server.store.port import AppendEntry, Conflict, EndMatch, SetDue, Store, StoreError, TakeSeat, Write
from server.table import Table
from server.thinking import Thinking

PATIENCE = 5.0
ASK_AGAIN = 0.1

Command = Callable[[Match, int], list[Effect]]
"""What is done to a match, at a time."""

log = structlog.get_logger()


class NotKept(StoreError):
    """A write has failed. The match here is again what the store has, so whoever wants it may try once more."""


class Vanished(StoreError):
    """The store has lost a match altogether."""


def lacks(stored: StoredMatch, told: Numbers) -> bool:
    """Whether a store has lost entries that somebody was told of."""
    return any(last < number for last, number in zip(stored.numbers, told, strict=True))


class Ledger:
    """Writes what is done to matches. `now` is the matches' clock, `reach` notes that something is written of a time; `news`
    is called with a match's code when others have written to it, `ended` with a table whose match has just ended.
    """

    def __init__(
        self,
        store: Store,
        figures: Figures,
        thinking: Thinking,
        now: Callable[[], int],
        reach: Callable[[int], None],
        news: Callable[[str], None],
        ended: Callable[[Table], None],
    ) -> None:
        self.store = store
        self.figures = figures
        self.thinking = thinking
        self.now = now
        self._reach = reach
        self._news = news
        self._ended = ended
        self.doubtful = False
        """Whether the store has failed, so that time may have passed which belongs to nobody."""
        self.patience = PATIENCE
        """Seconds for which a store that has failed is asked again, before the client who waits is told."""

    async def carry_out(self, table: Table, command: Command, then: Callable[[], None] = lambda: None) -> None:
        """Give a match a command, write down what comes of it, do `then` and tell everyone, in this order.

        Raises `Refusal`, and then nothing has changed; `Conflict` when others were first, or `NotKept`, and then the match
        here is again what the store has; or another `StoreError`, and then it is not known what that is.
        """
        now = self.now()
        effects = command(table.match, now)
        writes = self._writes(table, effects, now)
        if writes:
            table.stale = True
            try:
                await self._write(table.code, writes)
            except StoreError as error:
                self.doubtful = self.doubtful or not isinstance(error, Conflict)
                if not await self.go_back(table, writes):
                    raise error if isinstance(error, Conflict) else NotKept(str(error)) from error
                self._news(table.code)  # it is there after all, and perhaps more
            table.stale = False
            self._reach(now)
            self._kept(table)
        then()
        table.deliver(effects)
        table.note_told()

    async def _write(self, code: str, writes: Sequence[Write]) -> None:
        began = monotonic()
        with self.thinking.writing:
            await self.store.write(code, writes)
        self.figures.wrote(monotonic() - began)

    def _writes(self, table: Table, effects: Sequence[Effect], now: int) -> list[Write]:
        """What is to be written: the match's entries, and what helps others to find it."""
        match = table.match
        entries = [AppendEntry(*effect) for effect in effects if type(effect) is Append]
        seats = [TakeSeat(seat.player, seat.name, now) for seat in match.seats[table.seats_kept :]]
        writes: list[Write] = [*table.unwritten, *seats, *entries]
        if match.ended is not None:
            if not table.ended:
                writes.append(EndMatch(match.ended, match.numbers[board_log(0) :]))
        elif match.due != table.due and (
            table.due is None
            or match.due < table.due
            or table.due <= now  # whoever comes by then comes too early, again and again
            or any(entry.log == MATCH_LOG for entry in entries)
        ):
            writes.append(SetDue(match.due))
        return writes

    def _kept(self, table: Table) -> None:
        """The store has the match as it is here."""
        match = table.match
        table.unwritten = []
        table.seats_kept = len(match.seats)
        table.due = match.due
        if table.over and not table.ended:
            table.ended = True
            self._ended(table)

    async def go_back(self, table: Table, writes: Sequence[Write]) -> bool:
        """Take the match from the store again; whether these writes are there.

        If they are, it stands as it did when they were made. If not, whatever else is there has been told to everyone.
        """
        stored = await self._read(table.code)
        terms = table.match.terms
        entries = [write for write in writes if isinstance(write, AppendEntry)]
        if stored is None and table.unwritten:
            table.match, kept = Match(terms), False
        elif stored is None or stored.terms != terms:
            raise Vanished(f"match {table.code} is not there any more")
        else:
            kept = bool(entries) and stored.has(entries)
            numbers = list(table.told)
            if kept:
                for entry in entries:
                    numbers[entry.log] = entry.n
            told = stored.until(tuple(numbers))
            table.match = await self.thinking.done(Match.served(told, begun=table.begun))
            table.unwritten = []
        table.match.spectators = len(table.watching)
        table.seats_kept = len(table.match.seats)
        table.due = None
        table.stale = False
        if stored is not None and not kept:
            if lacks(stored, table.told):
                log.error("the store has lost entries", match=table.code, told=table.told, stored=stored.numbers)
                table.deliver(table.match.whole(self.now()))
            await self.catch_up(table, stored)
        return kept

    async def _read(self, code: str) -> StoredMatch | None:
        """Read a match from a store that may be failing for a moment."""
        until = monotonic() + self.patience
        while True:
            try:
                return await self.store.read(code)
            except StoreError:
                self.doubtful = True
                if monotonic() >= until:
                    raise
            await asyncio.sleep(ASK_AGAIN)

    async def catch_up(self, table: Table, stored: StoredMatch) -> None:
        """Take what others have written, and tell it to those who are connected here."""
        if stored.numbers[MATCH_LOG] > table.match.numbers[MATCH_LOG]:
            table.due = None  # whoever wrote that has said as well when the match is due
        table.stale = True  # until everything that has been taken is told as well
        table.deliver(await self.thinking.done(table.match.catch_up(self.now(), stored)))
        table.stale = False
        table.note_told()
        table.seats_kept = len(table.match.seats)
        table.ended = table.ended or table.over

"""The hub: all matches served here. It gives the pure matches their times, and carries out what they want done.

A match's messages are sent in the order in which they arose, and none before the log entries that came before it are
in the store: what a client has been told is never lost.
"""

import asyncio
import contextlib
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import structlog

from protocol.messages import MatchList, ServerMessage
from server.course import ENDED, NEVER, State
from server.effects import SPECTATORS, Append, Effect, Refusal, Send
from server.events import Terms
from server.match import Match
from server.store.port import AppendEntry, CreateMatch, EndMatch, Store, StoreError, Write
from server.table import Table, send_to
from server.telling import listed, state_message

if TYPE_CHECKING:
    from server.session import Session

LONGEST_LIST = 100
BEAT_EVERY = 1.0
ENDED_SEATS_KEPT = 4
MOST_WATCHED = 16
"""Matches that one connection may watch at a time."""

log = structlog.get_logger()


class Hub:
    """All matches served here, by their codes."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.tables: dict[str, Table] = {}
        self._seats_of: defaultdict[str, set[str]] = defaultdict(set)
        self._lost: dict[str, tuple[Table, int]] = {}
        """Tables that the store failed to write, and since when their matches have not been served."""
        self._offset = time.time_ns() - time.monotonic_ns()
        self._beating: asyncio.Task[None] | None = None

    def now(self) -> int:
        """Wall-clock time in milliseconds, which never jumps while the server runs."""
        return (time.monotonic_ns() + self._offset) // 1_000_000

    # Start and end

    async def open(self) -> None:
        """Take up all matches that have not ended. The time in which no server served them is credited to them."""
        last_beat = await self.store.last_beat()
        for code in await self.store.open_matches():
            await self._take_up(code, last_beat)
        self._beating = asyncio.create_task(self._beat())

    async def close(self) -> None:
        """Stop serving: the matches stay in the store for the next start."""
        if self._beating is not None:
            self._beating.cancel()
        for table in self.tables.values():
            if table.timer is not None:
                table.timer.cancel()
        self.store.beat(self.now())

    async def _beat(self) -> None:
        while True:
            if self.tables:
                self.store.beat(self.now())
            for code in list(self._lost):
                with contextlib.suppress(StoreError):
                    await self._take_up(code, self.now())
            await asyncio.sleep(BEAT_EVERY)

    async def _take_up(self, code: str, last_served: int) -> None:
        """Serve a match again. One that cannot be read must not keep the others waiting."""
        try:
            await self._load(code, last_served)
        except StoreError:
            raise
        except Exception:
            log.exception("match cannot be taken up", match=code)

    # Tables

    def lay(self, terms: Terms) -> Table:
        """A table for a new match; it is kept as soon as somebody takes a seat."""
        table = self.tables[terms.match] = Table(Match(terms))
        table.unwritten.append(CreateMatch(terms))
        log.info("match created", match=terms.match, game=terms.game, listed=terms.listed)
        return table

    async def table(self, code: str) -> Table:
        """The table of a match, laid anew from the store if need be. Raises `Refusal`."""
        table = self.tables.get(code) or await self._load(code, self.now())
        if table is None:
            raise Refusal("unknown-match", f"there is no match {code}")
        return table

    async def _load(self, code: str, last_served: int) -> Table | None:
        stored = await self.store.load(code)
        if code in self._lost:
            lost, last_served = self._lost.pop(code)
            self._forget_seats(lost)
        if code in self.tables or stored is None:
            return self.tables.get(code)
        match = Match.restore(stored.terms, stored.events, stored.boards)
        table = self.tables[code] = Table(match)
        table.kept, table.unserved_since = True, last_served
        table.ended = match.state in ENDED
        if table.ended:
            asyncio.get_running_loop().call_soon(self.tidy, table)  # unless whoever asked for it has joined it by then
        else:
            self._note_seats(table)
            downtime = self.now() - max(last_served, match.touched)
            self.act(table, partial(match.recover, downtime=downtime))
            log.info("match taken up", match=code, state=str(match.state), downtime_ms=downtime)
        return table

    def tidy(self, table: Table) -> None:
        """Clear the table away if nobody needs it any more; the store has the match."""
        if table.deserted and self.tables.get(table.code) is table:
            del self.tables[table.code]

    def seats_of(self, player: str) -> list[str]:
        """The codes of the matches that a player can resume."""
        return sorted(self._seats_of.get(player, ()))

    def list_matches(self, re: int | None) -> MatchList:
        """The public matches being raced now, the newest first."""
        races = [table.match for table in self.tables.values() if table.match.state is State.PLAYING]
        public = [match for match in reversed(races) if match.terms.listed]
        return MatchList(re=re, matches=[listed(match, self.now()) for match in public[:LONGEST_LIST]])

    # Connections

    def seat(self, table: Table, number: int, session: "Session | None") -> None:
        """Let a connection hold a seat. One that held it before is closed, and its close changes nothing."""
        older = table.seated[number]
        table.seated[number] = session
        if session is not None:
            session.seats.pop(table.code, None)
            session.seats[table.code] = number
            self._release_old_seats(session)
        if not table.ended:
            self._seats_of[table.match.seats[number].player].add(table.code)
        if older is not None and older is not session:
            older.seats.pop(table.code, None)
            older.replace()
        table.in_order(partial(table.hearing.__setitem__, number, session))

    def _release_old_seats(self, session: "Session") -> None:
        """A connection keeps its seats in the last few matches that have ended, for a rematch; older ones it loses."""
        ended = [table for code in session.seats if (table := self.tables.get(code)) is not None and table.ended]
        for table in ended[:-ENDED_SEATS_KEPT]:
            number = session.seats.pop(table.code)
            table.seated[number] = table.hearing[number] = None
            self.tidy(table)

    def resume(self, table: Table, number: int, session: "Session", last: int, re: int | None) -> None:
        """A player takes the seat again, with the board's entries up to `last` at hand."""

        def resume(now: int) -> list[Effect]:
            self.seat(table, number, session)
            return table.match.resume(now, number, last, re)

        self.act(table, resume)

    def watch(self, table: Table, session: "Session", re: int | None) -> None:
        """Send a spectator how the match stands, and from then on whatever is shown of it. Raises `Refusal`."""
        if len(session.watching | {table.code}) > MOST_WATCHED:
            raise Refusal("too-many", f"you watch {MOST_WATCHED} matches already")
        session.watching.add(table.code)
        table.watching[session] = None
        table.match.spectators = len(table.watching)
        now = self.now()
        told: list[ServerMessage] = [state_message(table.match, now, SPECTATORS, re), *table.match.watched()]

        def begin() -> None:
            for message in told:
                send_to([session], message)
            if table.code in session.watching:
                table.spectators[session] = None

        table.in_order(begin)

    def unwatch(self, table: Table, session: "Session") -> None:
        """Send a spectator no more of the match."""
        session.watching.discard(table.code)
        table.watching.pop(session, None)
        table.spectators.pop(session, None)
        table.match.spectators = len(table.watching)
        self.tidy(table)

    def part(self, session: "Session") -> None:
        """A connection is closed: its seats wait for the player, its matches go on."""
        for code in list(session.watching):
            if code in self.tables:
                self.unwatch(self.tables[code], session)
        for code, number in list(session.seats.items()):
            table = self.tables.get(code)
            if table is not None and table.seated[number] is session:
                table.seated[number] = None
                self.act(table, partial(table.match.drop, seat=number))
                self.tidy(table)

    # Carrying out

    def act(self, table: Table, command: Callable[[int], list[Effect]]) -> None:
        """Give a match a command, and carry out what it wants done. Raises `Refusal`; then nothing has changed."""
        match, now = table.match, self.now()
        try:
            if match.due <= now:
                self._carry_out(table, match.tick(now))
            self._carry_out(table, command(now))
        finally:
            self._set_timer(table)

    def _carry_out(self, table: Table, effects: list[Effect]) -> None:
        writes: list[Write] = table.unwritten
        sends: list[Send] = []
        for effect in effects:
            if type(effect) is Append:
                writes.append(AppendEntry(table.code, *effect))
            elif type(effect) is Send:
                sends.append(effect)
        if table.match.ended is not None and not table.ended:
            self._end(table, writes)
        if writes:
            table.unwritten = []
            table.pending += 1
            table.later = [partial(table.deliver, sends)]
            self.store.submit(writes, partial(self._written, table, table.later))
        elif sends:
            table.in_order(partial(table.deliver, sends))

    def _end(self, table: Table, writes: list[Write]) -> None:
        match = table.match
        table.ended = True
        writes.append(EndMatch(table.code, match.ended or 0))
        self._forget_seats(table)
        result = match.result
        log.info(
            "match ended",
            match=table.code,
            names=[seat.name for seat in match.seats],
            counts=[seat.last.count for seat in match.seats] if match.deal else [],
            winner=result.winner if result else None,
            reason=str(result.reason) if result else match.aborted,
        )

    def _note_seats(self, table: Table) -> None:
        for seat in table.match.seats:
            self._seats_of[seat.player].add(table.code)

    def _forget_seats(self, table: Table) -> None:
        for seat in table.match.seats:
            self._seats_of[seat.player].discard(table.code)
            if not self._seats_of[seat.player]:
                del self._seats_of[seat.player]

    def _written(self, table: Table, actions: list[Callable[[], None]], error: StoreError | None) -> None:
        table.pending -= 1
        if error is not None and not table.failed:
            self._fail(table, error)
        if table.failed:
            return
        table.kept, table.unserved_since = True, None
        for action in actions:
            action()
        self.tidy(table)

    def _fail(self, table: Table, error: StoreError) -> None:
        """Nothing in memory is worth more than the store: forget the table, and let everyone resume from there.

        Whoever comes first takes the match up again, a player or the next beat: without players, too, it has to end.
        """
        log.error("match could not be written", match=table.code, error=str(error))
        table.failed = True
        if table.kept:
            since = self.now() if table.unserved_since is None else table.unserved_since
            self._lost[table.code] = (table, since)
            self._note_seats(table)
        else:
            self._forget_seats(table)
        if self.tables.get(table.code) is table:
            del self.tables[table.code]
        if table.timer is not None:
            table.timer.cancel()
        for session in table.sessions:
            session.fail(table.code)

    def _set_timer(self, table: Table) -> None:
        """Have the match ticked when it is due."""
        due = table.match.due
        if table.timer is not None and (due != table.timer_due or table.failed):
            table.timer.cancel()
            table.timer = None
        if table.timer is None and due != NEVER and not table.failed:
            table.timer_due = due
            delay = max(0, due - self.now()) / 1000
            table.timer = asyncio.get_running_loop().call_later(delay, self._ring, table)

    def _ring(self, table: Table) -> None:
        table.timer = None
        self.act(table, lambda _now: [])

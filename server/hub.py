"""The hub: the matches served here. It gives the pure matches their times, and carries out what they want done.

A match belongs to no server. What is here is a copy of what the store has, and the ledger keeps it so.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

import structlog

from server.clock import LONGEST_PAUSE, LOOK_EVERY, Clock
from server.course import NEVER, State
from server.effects import SPECTATORS, Effect, Refusal
from server.events import Terms
from server.figures import Figures
from server.house import House
from server.ledger import Command, Ledger, NotKept, Vanished, lacks
from server.limits import Doors
from server.match import Match
from server.ranking import Rater
from server.store.port import Conflict, CreateMatch, Seeker, Store, StoreError
from server.table import Table, is_about_others, send_to
from server.telling import state_message
from server.thinking import NOBODY, Thinking
from server.turns import Party

if TYPE_CHECKING:
    from server.session import Session

ENDED_SEATS_KEPT = 4
MOST_WATCHED = 16
"""Matches that one connection may watch at a time."""
FAILURES = 2
"""How often a write is tried on a store that fails at it."""
MOST_CONFLICTS = 50
"""How often others may be first, until it is rather the match that is wrong."""
TRY_AGAIN = 1.0
"""Seconds until what is due is tried again, when it could not be done."""
TOO_LATE = 0.1
"""Seconds by which a timer may be later than it should be, since the clock has gone ahead."""

log = structlog.get_logger()


def nothing(_match: Match, _now: int) -> list[Effect]:
    """The command that does nothing: what is due is done all the same."""
    return []


def _stay(match: Match, now: int, seat: int, connection: str) -> list[Effect]:
    """The player has been there all along; but whoever has taken the seat meanwhile keeps it."""
    return match.resume(now, seat, connection) if match.seats[seat].connection is None else []


class Hub:
    """All matches served here, by their codes."""

    def __init__(self, store: Store, house: House, doors: Doors, figures: Figures) -> None:
        self.store = store
        self.house = house
        self.doors = doors
        self.figures = figures
        self.node = secrets.token_hex(4)
        """The name of this server among those of its store. A server that starts again has another."""
        self.nodes = frozenset({self.node})
        """The servers that are alive."""
        self.tables: dict[str, Table] = {}
        self.connections: set[str] = set()
        """The names of the connections here."""
        self.draining = False
        """Whether this server is about to stop, and takes up nothing new."""
        self.rater = Rater(store)
        self.thinking = Thinking()
        self.clock = Clock()
        self.ledger = Ledger(store, figures, self.thinking, self.now, self.clock.reach, self._hear, self._ended)
        self.look_around: Callable[[], Awaitable[None]]
        """Finds out whether the store is there and what time it is; raises `StoreError`. It is the keeper's."""
        self._missed: set[str] = set()
        """Matches of which there was news while they were being loaded."""
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._numbers = count(1)

    def now(self) -> int:
        """What it is by the clock that matches go by, the same for all servers of the store."""
        return self.clock.now()

    def _look_at_clock(self) -> None:
        """Look at the clock all the time, so that it is noticed when the process stands still."""
        self.clock.now()
        self._look = self._loop.call_later(LOOK_EVERY, self._look_at_clock)

    @property
    def in_doubt(self) -> bool:
        """Whether the store has failed or kept silent, so that time may have passed which does not count."""
        return self.ledger.doubtful or self.clock.in_doubt

    async def open(self) -> None:
        """Open the store. Raises `UnusableStore`."""
        self._loop = asyncio.get_running_loop()
        await self.store.open(self._hear)
        self._look_at_clock()

    async def close(self) -> None:
        """Stop serving: the matches stay in the store."""
        self._look.cancel()
        for table in self.tables.values():
            if table.timer is not None:
                table.timer.cancel()
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.store.close()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that nobody waits for."""
        task = self._loop.create_task(_quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Connections

    def name_connection(self) -> str:
        """A name for a new connection that no other has had, on any server. It is alive until it parts."""
        name = f"{self.node}-{next(self._numbers)}"
        self.connections.add(name)
        return name

    def alive(self, connection: str) -> bool:
        """Whether there is such a connection, here or on another server that is alive."""
        node = connection.partition("-")[0]
        return connection in self.connections if node == self.node else node in self.nodes

    async def sit(self, table: Table, session: "Session", re: int | None, *, paired: bool = False) -> None:
        """Seat a player in a match, which the server has found for the player if they are `paired`. Raises `Refusal`."""
        number = 0

        def sit(match: Match, now: int) -> list[Effect]:
            nonlocal number
            session.check_there()
            number = len(match.seats)
            return match.sit(
                now, session.player, session.name, session.connection, bot=session.bot, paired=paired, re=re
            )

        await self.act(table, sit, lambda: self.take_seat(table, number, session))

    async def resume(self, table: Table, number: int, session: "Session", last: int | None, re: int | None) -> None:
        """A player takes the seat again, with the board's entries up to `last` at hand; None asks for none."""

        def resume(match: Match, now: int) -> list[Effect]:
            session.check_there()
            return match.resume(now, number, session.connection, last, re)

        await self._take_up(table, number, session, resume)

    async def sit_again(self, table: Table, number: int, session: "Session", re: int | None) -> None:
        """A player who may not know of the seat takes it up. Raises `Refusal`."""

        def knows(connection: str) -> bool:  # the store may have failed before this one was told
            return self.alive(connection) and (connection != session.connection or table.code in session.seats)

        def sit_again(match: Match, now: int) -> list[Effect]:
            session.check_there()
            return match.sit_again(now, number, session.connection, alive=knows, re=re)

        await self._take_up(table, number, session, sit_again)

    async def _take_up(self, table: Table, number: int, session: "Session", command: Command) -> None:
        await self.act(table, command, lambda: self.take_seat(table, number, session))
        table.to_offer = True
        await _quietly(self.offer(table))

    async def offer(self, table: Table) -> None:
        """Who is there again is on the queue again. Done anew at the next beat if it fails: the player has been answered."""
        waits = table.match.state is State.WAITING and table.match.terms.listed
        if waits and (seat := table.match.seats[0]).connection is not None:
            # Whatever this connection says of itself: the rival is told what the seat says.
            seeker = Seeker(seat.player, bot=seat.bot is not None, bots=table.match.terms.bots)
            await self.store.offer(table.match.terms.game, seeker, table.code)
        table.to_offer = False

    def take_seat(self, table: Table, number: int, session: "Session") -> None:
        """From now on this connection is sent what is said to the seat, unless it is closed already."""
        if session.connection not in self.connections:
            return
        older = table.seated[number]
        if older is not None and older is not session:
            older.seats.pop(table.code, None)
            older.replace()
        table.seated[number] = session
        session.seats.pop(table.code, None)
        session.seats[table.code] = number
        self._release_old_seats(session)

    def _release_old_seats(self, session: "Session") -> None:
        """A connection keeps its seats in the last few matches that have ended, for a rematch; older ones it loses."""
        ended = [table for code in session.seats if (table := self.tables.get(code)) is not None and table.over]
        for table in ended[:-ENDED_SEATS_KEPT]:
            table.seated[session.seats.pop(table.code)] = None
            if table.needless:
                self.clear(table)

    async def watch(self, table: Table, session: "Session", re: int | None) -> None:
        """Send a spectator how the match stands, and from then on whatever is shown of it. Raises `Refusal`."""
        if len(session.watching | {table.code}) > MOST_WATCHED:
            raise Refusal("too-many", f"you watch {MOST_WATCHED} matches already")

        def begin() -> None:
            seat = table.seat_of(session)
            told = table.match.watched()
            if seat is not None:
                told = [message for message in told if is_about_others(message, seat)]
            audience = SPECTATORS if seat is None else seat
            for message in (state_message(table.match, self.now(), audience, re), *told):
                send_to([session], message)
            session.watching.add(table.code)
            table.watching[session] = None
            table.match.spectators = len(table.watching)

        for seat in table.match.seats:
            await self.thinking.done(seat.keep_up(), session.party, session.check_there)
        await self.act(table, nothing, begin)

    def unwatch(self, table: Table, session: "Session") -> None:
        """Send a spectator no more of the match."""
        session.watching.discard(table.code)
        table.watching.pop(session, None)
        table.match.spectators = len(table.watching)

    async def part(self, session: "Session") -> None:
        """A connection is closed: its seats wait for the player, its matches go on."""
        self.connections.discard(session.connection)
        for code in list(session.watching):
            if code in self.tables:
                self.unwatch(self.tables[code], session)
        for code, number in list(session.seats.items()):
            table = self.tables.get(code)
            if table is not None and table.seated[number] is session:
                table.seated[number] = None
                await _quietly(self.leave_seat(table, number, session.connection))

    async def leave_seat(self, table: Table, number: int, connection: str) -> None:
        """The connection that held a seat is lost. Nobody is paired with a player who is away."""
        await self.act(table, partial(Match.part, seat=number, connection=connection))
        away = table.match.seats[number].connection is None
        if away and table.match.state is State.WAITING and table.match.terms.listed:
            await self.store.withdraw(table.match.terms.game, table.code)

    # Tables

    async def lay(self, terms: Terms) -> Table:
        """A table for a new match; it is kept as soon as somebody takes a seat."""
        await self.store.follow(terms.match)
        table = self.tables[terms.match] = Table(Match(terms))
        table.unwritten.append(CreateMatch(terms))
        log.info("match created", match=terms.match, game=terms.game, listed=terms.listed)
        return table

    async def table(self, code: str, party: Party = NOBODY) -> Table:
        """The table of a match, laid anew from the store if need be, for whoever asks. Raises `Refusal`."""
        table = self.tables.get(code)
        if table is None:
            if code not in self._loading:
                self._loading[code] = self._loop.create_task(self._load(code, party))
                self._loading[code].add_done_callback(lambda _: self._loading.pop(code))
            table = await asyncio.shield(self._loading[code])
        if table is None:
            raise Refusal("unknown-match", f"there is no match {code}")
        table.used_at = self._loop.time()
        return table

    async def _load(self, code: str, party: Party) -> Table | None:
        await self.store.follow(code)
        try:
            stored = await self.store.read(code)
        except StoreError:
            await _quietly(self.store.unfollow(code))
            raise
        if stored is None:
            await self.store.unfollow(code)
            return None
        table = Table(await self.thinking.done(Match.served(stored), party))
        if table.match.touched <= self.now() + LONGEST_PAUSE:  # a server that was killed may not have said so any more
            self.clock.reach(table.match.touched)
        table.ended, table.seats_kept, table.used_at = table.over, len(table.match.seats), self._loop.time()
        table = self.tables.setdefault(code, table)  # it may have been laid again meanwhile
        if code in self._missed:
            self._missed.discard(code)
            self._hear(code)
        return table

    async def recover(self, table: Table) -> None:
        """Look after a match that nobody may have looked after for a while."""
        await self.act(table, partial(Match.recover, alive=self.alive))

    def clear(self, table: Table) -> None:
        """Take a table away that nobody needs here; the store has the match."""
        if self.tables.get(table.code) is table:
            del self.tables[table.code]
            table.cleared = True
            self.doors.end(table.code)
            self.house.dismiss(table.code)
            if table.timer is not None:
                table.timer.cancel()
            self.spawn(self._unfollow(table.code))

    async def _unfollow(self, code: str) -> None:
        if code not in self.tables and code not in self._loading:
            await self.store.unfollow(code)

    # Acting

    async def act(self, table: Table, command: Command, then: Callable[[], None] = lambda: None) -> None:
        """Give a match a command, write down what comes of it, do `then` and tell everyone, in this order.

        Raises `Refusal`, and then nothing has changed; or `StoreError`, and then it is not known whether anything has.
        """
        await self._alone(table, partial(self._tick_and_do, table, command, then))

    async def _alone(self, table: Table, work: Callable[[], Awaitable[None]]) -> None:
        """Do something while nobody else changes the match. However it ends, the match is looked at when it is due."""
        table.users += 1
        failed = True
        try:
            async with table.lock:
                await self._lay_again(table)
                await work()
                failed = False
                self.look_after(table)
        except Refusal:
            failed = False
            raise
        except Vanished:
            self._drop(table)
            raise
        except StoreError:
            if table.unwritten and not table.sessions:  # nobody has heard of it
                self.clear(table)
            raise
        finally:
            table.users -= 1
            table.used_at = self._loop.time()
            self.set_timer(table, TRY_AGAIN if failed else 0)

    async def _lay_again(self, table: Table) -> None:
        """A table may have been cleared away since somebody has asked for it. There is one for each match."""
        if self.tables.setdefault(table.code, table) is not table:
            raise StoreError("the match was taken up anew meanwhile")
        if table.cleared:
            table.cleared, table.stale = False, not table.unwritten
            await self.store.follow(table.code)

    def _drop(self, table: Table) -> None:
        """The store has lost the match, and there is nothing to be said about it any more."""
        log.error("a match is lost", match=table.code)
        for session in table.sessions:
            session.seats.pop(table.code, None)
            session.watching.discard(table.code)
            session.fail()
        table.seated, table.watching = [None] * table.match.terms.seats, {}
        self.clear(table)

    async def _tick_and_do(self, table: Table, command: Command, then: Callable[[], None]) -> None:
        """What is due comes first; and before that, what time it is and what the store has. So it is at each new try."""
        failures = conflicts = 0
        while True:
            try:
                await self._make_sure(table)
                if table.match.due <= self.now() and not table.unwritten:
                    # Perhaps somebody has come back elsewhere, or all is done already.
                    await self._read_news(table)
                if table.match.due <= self.now():
                    await self.ledger.carry_out(table, Match.tick)
                await self.ledger.carry_out(table, command, then)
            except Conflict:
                conflicts += 1
                if conflicts == MOST_CONFLICTS:
                    raise
            except NotKept:
                failures += 1
                if failures == FAILURES:
                    table.stale = True  # it may be written yet
                    raise
            else:
                return

    async def _make_sure(self, table: Table) -> None:
        """The match here is what the store has, and it is known what time it is. Raises `StoreError`."""
        while table.stale or self.in_doubt:
            if self.in_doubt:
                await self.look_around()
            if table.stale:
                await self.ledger.go_back(table, [])

    # What other servers do

    def _hear(self, code: str) -> None:
        """Another server may have written to the match."""
        table = self.tables.get(code)
        if table is None and code in self._loading:
            self._missed.add(code)
        if table is not None and not table.listening:
            table.listening = True
            self.spawn(self._listen(table))

    async def _listen(self, table: Table) -> None:
        try:
            await self._alone(table, partial(self._catch_up, table))
        except StoreError:
            table.stale = self.ledger.doubtful = True
            raise
        finally:
            table.listening = False

    async def _catch_up(self, table: Table) -> None:
        await self._make_sure(table)
        await self._read_news(table)

    async def _read_news(self, table: Table) -> None:
        table.listening = False  # what is written from now on may be missed by this reading
        stored = await self.store.read(table.code, table.match.numbers)
        if stored is None or lacks(stored, table.told):
            await self.ledger.go_back(table, [])
        else:
            await self.ledger.catch_up(table, stored)

    # Looking after

    def look_after(self, table: Table) -> None:
        """Whatever has happened to the match, do what follows from it for the connections here."""
        match = table.match
        for number, session in enumerate(table.seated):
            if session is None or number >= len(match.seats):
                continue
            holder = match.seats[number].connection
            if table.over:
                pass  # who comes back then takes nothing from anybody
            elif holder is None:  # another server took this one for dead
                command = partial(_stay, seat=number, connection=session.connection)
                self.spawn(self.act(table, command))
            elif holder != session.connection:
                table.seated[number] = None
                session.seats.pop(table.code, None)
                session.replace()
        if match.next is not None:
            for number, session in enumerate(table.seated):
                if session is not None and number not in table.led_on:
                    self.spawn(self._lead_on(table, session, number, match.next))
                table.led_on.add(number)
        if any(table.seated) and not table.over and not self.draining:
            for seat in match.seats:
                if seat.level is not None and seat.away_since is not None:
                    self.house.send(table.code, seat.level)

    async def _lead_on(self, old: Table, session: "Session", number: int, successor: str) -> None:
        """Bring a player who is here to the seat in the rematch, unless another connection holds it."""
        try:
            table = await self.table(successor)
            holder = table.match.seats[number].connection
            if holder is None:
                await self.resume(table, number, session, last=0, re=None)
            elif holder == session.connection:  # nothing changes by it for the others
                await self.act(table, nothing, lambda: session.send(state_message(table.match, self.now(), number)))
        except StoreError:
            old.led_on.discard(number)
            raise

    def _ended(self, table: Table) -> None:
        match, result = table.match, table.match.result
        self.spawn(self.rater.rate(match))
        self.house.dismiss(table.code)
        self.doors.end(table.code)
        self.figures.match_ended(str(result.reason) if result else match.aborted or "")
        log.info(
            "match ended",
            match=table.code,
            names=[seat.name for seat in match.seats],
            counts=[seat.last.count for seat in match.seats] if match.deal else [],
            winner=result.winner if result else None,
            reason=str(result.reason) if result else match.aborted,
        )

    def set_timer(self, table: Table, at_least: float = 0) -> None:
        """Have the match looked at when it is due, in `at_least` so many seconds. What is set already and in time stays."""
        due = table.match.due
        here = self.tables.get(table.code) is table
        when = self._loop.time() + max(at_least, (due - self.now()) / 1000)
        if table.timer is not None and (due != table.timer_due or not here or table.rings_at > when + TOO_LATE):
            table.timer.cancel()
            table.timer = None
        if table.timer is None and due != NEVER and here:
            table.timer_due, table.rings_at = due, when
            table.timer = self._loop.call_at(when, self._ring, table)

    def _ring(self, table: Table) -> None:
        table.timer = None
        self.spawn(self.act(table, nothing))

    def overdue(self) -> list[int]:
        """For how many milliseconds matches here have been due, those that are. Time that may not count does not."""
        now = self.clock.vouched()
        return [now - table.match.due for table in self.tables.values() if table.match.due < now]


async def _quietly(work: Coroutine[Any, Any, None]) -> None:
    """Do something whose failure is nobody's business but the host's."""
    try:
        await work
    except StoreError as error:
        log.warning("the store fails", error=str(error))
    except Refusal as refusal:
        log.debug("refused", code=refusal.code, why=refusal.why)

"""The keeper: sees to it that every match is served by somebody, and comes to its end.

Once a second a server notes in the store that it is alive, and learns who else is, and what time it is by the clock of the
matches. After the store has failed or kept silent nothing is done before that is known. A match needs a server only when
somebody is connected to it or when it is due; the keeper takes up what is due and nobody has taken up.
"""

import asyncio
import contextlib
from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec
import structlog

from protocol.messages import ListedMatch, MatchList
from server.course import State
from server.effects import Refusal
from server.hub import Hub, nothing
from server.match import Match
from server.store.port import StoreError
from server.table import Table
from server.telling import listed

BEAT_EVERY = 1.0
OVERDUE = 1_500
"""Milliseconds for which a match may be due before somebody takes it up who does not serve it."""
UNUSED = 1.0
"""Seconds for which a table is kept that nobody needs."""
SWEEP_EVERY = 600_000
"""Milliseconds between two searches for matches that have been kept long enough."""
RATE_EVERY = 60_000
"""Milliseconds between two searches for matches that have ended and count nowhere, since their server died."""
LOOK_BACK = 24 * 3_600_000
"""How far back the first of them goes."""
LONGEST_LIST = 100

log = structlog.get_logger()

_line = msgspec.json.Encoder()
_lines = msgspec.json.Decoder(ListedMatch)


class Keeper:
    """Keeps the matches of a hub served. `keep` is for how many milliseconds an ended match is kept; None is for ever."""

    def __init__(self, hub: Hub, keep: int | None) -> None:
        self.hub = hub
        self.keep = keep
        self._beating: asyncio.Task[None] | None = None
        self._corrections = hub.clock.corrections
        """Up to which of the clock's corrections everyone has been told what time their matches have."""
        self._looking: asyncio.Task[None] | None = None
        """The present attempt to find out how things stand."""
        self._swept_at = 0
        self._orphans = True
        """Whether there may be matches whose players were connected to a server that is gone, and nobody knows."""
        self._searching = False
        self._rating_at = 0
        self._rated_at = 0
        """When the last search for matches to rate was begun, and when the last that was carried through."""
        self._unreadable: set[str] = set()
        """Matches that this server cannot serve, such as those of games that it does not know."""
        self._left: dict[str, int] = {}
        """Matches that are due and nobody serves, and when that was first seen."""
        self._elsewhere: list[ListedMatch] = []
        """The races that other servers serve."""
        hub.look_around = self.look_around

    async def open(self) -> None:
        """Find out how things stand, and keep an eye on them from now on."""
        await self.look_around()
        self._beating = asyncio.create_task(self._go_on())

    async def close(self) -> None:
        """Let the others know that this server is gone."""
        if self._beating is not None:
            self._beating.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._beating
        with contextlib.suppress(StoreError):
            await self.look_around()
            await self.hub.store.silence(self.hub.node)

    async def _go_on(self) -> None:
        failing = False
        while True:
            try:
                await self._beat()
                failing = False
            except StoreError as error:
                self.hub.ledger.doubtful = True
                if not failing:
                    log.warning("the store cannot be reached", error=str(error))
                failing = True
            except Exception:
                log.exception("a beat failed")
            await asyncio.sleep(BEAT_EVERY)

    async def look_around(self) -> None:
        """Find out whether the store is there, and what time it is. All who want to know at the same time ask once.

        Raises `StoreError`.
        """
        if self._looking is None:
            self._looking = asyncio.create_task(self._note_alive())
            self._looking.add_done_callback(self._looked)
        await asyncio.shield(self._looking)

    def _looked(self, attempt: asyncio.Task[None]) -> None:
        self._looking = None
        if not attempt.cancelled():
            attempt.exception()  # whoever waits for it gets it, if there still is anybody

    async def _beat(self) -> None:
        hub = self.hub
        await self.look_around()
        self._elsewhere = [_lines.decode(line) for line in await hub.store.races(hub.node)]
        corrected = hub.clock.corrections != self._corrections
        self._corrections = hub.clock.corrections
        for table in list(hub.tables.values()):
            self._tend(table)
            if corrected and table.sessions and not table.over:
                hub.spawn(hub.act(table, Match.tell))
        now = hub.now()
        due = [code for code in await hub.store.due(now - OVERDUE) if code not in hub.tables]
        self._left = {code: self._left.get(code, now) for code in due}
        if not self._searching:
            self._searching = True
            hub.spawn(self._search(due))

    async def _note_alive(self) -> None:
        """Say that this server is alive, and learn what time it is, and who else is there."""
        hub = self.hub
        races = [_line.encode(race).decode() for race in islice(self._races(), LONGEST_LIST)]
        pulse = await hub.store.beat(hub.node, hub.clock.vouched(), races)
        hub.clock.answer(pulse.now)
        hub.ledger.doubtful = False
        before, hub.nodes = hub.nodes, pulse.nodes | {hub.node}
        self._orphans |= bool(before - hub.nodes)

    def overdue(self) -> list[int]:
        """For how many milliseconds matches have been due, those that are and should have gone on."""
        now = self.hub.clock.vouched()
        here = [late for late in self.hub.overdue() if late > OVERDUE]
        left = [now - seen for code, seen in self._left.items() if code not in self.hub.tables]
        return here + [late + OVERDUE for late in left if late > OVERDUE]

    def _tend(self, table: Table) -> None:
        """Note who is gone, and clear away what is needed no more."""
        hub = self.hub
        held = [seat.connection for seat in table.match.seats if seat.connection is not None]
        if not table.over and not all(hub.alive(connection) for connection in held):
            hub.spawn(hub.recover(table))
        elif table.needless and asyncio.get_running_loop().time() - table.used_at > UNUSED:
            hub.clear(table)
        elif table.stale and not table.users:
            hub.spawn(hub.act(table, nothing))
        else:
            if not table.users:
                hub.look_after(table)
            if table.to_offer:
                hub.spawn(hub.offer(table))
            hub.set_timer(table)

    # What nobody serves

    async def _search(self, due: Sequence[str]) -> None:
        """Take up what is due, and what servers that are gone have left behind; then forget what is old. Takes long."""
        try:
            if self._orphans:
                self._orphans = False
                try:
                    await self._take_up(await self.hub.store.open_matches())
                except StoreError:
                    self._orphans = True
                    raise
            await self._take_up(due)
            if self.hub.now() - self._rating_at > RATE_EVERY:
                self._rating_at = self.hub.now()
                await self.hub.rater.rate_missed(max(self._rated_at - RATE_EVERY, self._rating_at - LOOK_BACK))
                self._rated_at = self._rating_at
            if self.keep is not None and self.hub.now() - self._swept_at > SWEEP_EVERY:
                self._swept_at = self.hub.now()
                await self.hub.store.sweep(self._swept_at - self.keep)
        finally:
            self._searching = False

    async def _take_up(self, codes: Sequence[str]) -> None:
        """Serve matches, as far as they need it. One that cannot be read must not keep the others waiting.

        Raises `StoreError` at the end if it is the store that could not be had for one of them, and at once if it is not there.
        """
        failure: StoreError | None = None
        for code in codes:
            if code in self._unreadable or code in self.hub.tables:
                continue
            try:
                table = await self.hub.table(code)
                await self.hub.recover(table)
                if not table.over:
                    log.info("match taken up", match=code, state=str(table.match.state))
            except Refusal:
                pass  # somebody else has been quicker
            except StoreError as error:
                failure = error
                await self.look_around()
            except Exception:
                log.exception("match cannot be taken up", match=code)
                self._unreadable.add(code)
        if failure is not None:
            raise failure

    # The list of races

    def _races(self) -> Iterator[ListedMatch]:
        """The public matches that are raced here, the newest first."""
        now = self.hub.now()
        for table in reversed(self.hub.tables.values()):
            match = table.match
            if match.state is State.PLAYING and match.terms.listed and any(table.seated):
                yield listed(match, now)

    def list_races(self, re: int | None) -> MatchList:
        """The public matches being raced now, on all servers of the store."""
        races = {race.match: race for race in islice(self._races(), LONGEST_LIST)}
        for race in self._elsewhere:
            here = races.get(race.match)
            watched = race.spectators + (here.spectators if here is not None else 0)
            races[race.match] = msgspec.structs.replace(here or race, spectators=watched)
        return MatchList(re=re, matches=list(races.values())[:LONGEST_LIST])

"""The keeper: sees to it that every match is served by somebody, and comes to its end.

Once a second a server notes in the store that it is alive, and learns who else is. A match needs a server only when
somebody is connected to it or when it is due; the keeper takes up what is due and nobody has taken up. If no server was
alive for a while, the time is credited to all matches.
"""

import asyncio
import contextlib
from collections.abc import Iterable
from functools import partial

import msgspec
import structlog

from protocol.messages import ListedMatch, MatchList
from server.course import State
from server.effects import Refusal
from server.hub import Hub
from server.match import Match
from server.store.port import Pulse, StoreError
from server.table import Table
from server.telling import listed

BEAT_EVERY = 1.0
OUTAGE = 4_000
"""Milliseconds without any server alive that are credited to the matches."""
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
        self._lock = asyncio.Lock()
        self._swept_at = 0
        self._rating_at = 0
        self._rated_at = 0
        """When the last search for matches to rate was begun, and when the last that was carried through."""
        self._unreadable: set[str] = set()
        """Matches that this server cannot serve, such as those of games that it does not know."""
        hub.look_around = self.look_around

    async def open(self) -> None:
        """Take up what has waited for a server."""
        await self._beat(first=True)
        self._beating = asyncio.create_task(self._go_on())

    async def close(self) -> None:
        """Let the others know that this server is gone."""
        if self._beating is not None:
            self._beating.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._beating
        with contextlib.suppress(StoreError):
            await self.hub.store.silence(self.hub.node)

    async def _go_on(self) -> None:
        failing = False
        while True:
            await asyncio.sleep(BEAT_EVERY)
            try:
                async with self._lock:
                    await self._beat()
                failing = False
            except StoreError as error:
                if not failing:
                    log.warning("the store cannot be reached", error=str(error))
                failing = True
            except Exception:
                log.exception("a beat failed")

    async def look_around(self) -> None:
        """After the store has failed: find out whether it is there, and credit the time in which it was not."""
        async with self._lock:
            if self.hub.ledger.doubtful:
                await self._beat()

    async def _beat(self, *, first: bool = False) -> None:
        hub, now = self.hub, self.hub.now()
        pulse = await self._note_alive()
        gone = hub.nodes - pulse.nodes - {hub.node}
        hub.nodes = pulse.nodes | {hub.node}
        nobody_was_there = abs(now - pulse.previous) > OUTAGE or (first and hub.nodes == {hub.node})
        if nobody_was_there:
            await self._credit(pulse.previous)
        elif gone:
            hub.spawn(self._find_orphans())
        for code in await hub.store.due(now - OVERDUE):
            if code not in hub.tables and code not in self._unreadable:
                await self._take_up(code)
        for table in list(hub.tables.values()):
            await self._tend(table)
        hub.ledger.doubtful = False
        if now - self._rating_at > RATE_EVERY:
            self._rating_at = now
            hub.spawn(self._rate_missed(now))
        if self.keep is not None and now - self._swept_at > SWEEP_EVERY:
            self._swept_at = now
            await hub.store.sweep(now - self.keep)

    async def _rate_missed(self, now: int) -> None:
        await self.hub.rater.rate_missed(max(self._rated_at - RATE_EVERY, now - LOOK_BACK))
        self._rated_at = now

    async def _note_alive(self) -> Pulse:
        races = [_line.encode(race).decode() for race in self._races()]
        return await self.hub.store.beat(self.hub.node, self.hub.now(), races)

    async def _tend(self, table: Table) -> None:
        """Note who is gone, and clear away what is needed no more."""
        hub = self.hub
        held = [seat.connection for seat in table.match.seats if seat.connection is not None]
        if not table.over and not all(hub.alive(connection) for connection in held):
            hub.spawn(hub.recover(table))
        elif table.needless and asyncio.get_running_loop().time() - table.used_at > UNUSED:
            hub.clear(table)

    async def _take_up(self, code: str, previous: int | None = None) -> None:
        """Serve a match that nobody serves. One that cannot be read must not keep the others waiting."""
        try:
            table = await self.hub.table(code)
            await self.hub.recover(table, partial(_downtime, previous))
            if not table.over:
                log.info("match taken up", match=code, state=str(table.match.state))
        except (StoreError, Refusal):
            raise
        except Exception:
            log.exception("match cannot be taken up", match=code)
            self._unreadable.add(code)

    async def _credit(self, previous: int) -> None:
        """No server was there since `previous`: the clocks of all matches stand still for as long."""
        codes = await self.hub.store.open_matches()
        if codes and previous:
            log.info("nobody served the matches for a while", matches=len(codes), ms=self.hub.now() - previous)
        now = asyncio.get_running_loop().time
        noted_at = now()
        for code in codes:
            with contextlib.suppress(Refusal):
                await self._take_up(code, previous)
            if now() - noted_at > BEAT_EVERY:  # many matches take long
                noted_at = now()
                await self._note_alive()

    async def _find_orphans(self) -> None:
        """A server is gone. The matches that only it served have to learn that their players are, too."""
        for code in await self.hub.store.open_matches():
            if code not in self.hub.tables and code not in self._unreadable:
                with contextlib.suppress(Refusal):
                    await self._take_up(code)

    # The list of races

    def _races(self) -> Iterable[ListedMatch]:
        """The public matches that are raced here, the newest first."""
        now = self.hub.now()
        for table in reversed(self.hub.tables.values()):
            match = table.match
            if match.state is State.PLAYING and match.terms.listed and any(table.seated):
                yield listed(match, now)

    async def races(self, re: int | None) -> MatchList:
        """The public matches being raced now, on all servers of the store."""
        races = {race.match: race for race in self._races()}
        for line in await self.hub.store.races(self.hub.node):
            race = _lines.decode(line)
            here = races.setdefault(race.match, race)
            if here is not race:
                here.spectators += race.spectators
        return MatchList(re=re, matches=list(races.values())[:LONGEST_LIST])


def _downtime(previous: int | None, match: Match, now: int) -> int:
    return 0 if previous is None else now - max(previous, match.touched)

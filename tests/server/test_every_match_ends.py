"""Every match goes on by itself, though the store fails just when it is due: whatever it waits for, and for however long.

The store refuses whatever is to be written, and nothing else is wrong: it is read, and tells of news. So nothing happens
that would have anybody look at the match again. Nobody who is connected says anything.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager

import pytest
import pytest_asyncio

import server.hub
import server.keeper
import server.match
from protocol import messages as wire
from server.app import RaceServer
from server.course import NEVER
from server.settings import Settings
from server.table import Table
from tests.server.driver import Client, Visitors, eventually, failing, let_pass, visitors
from tests.server.store.redis_process import RedisProcess

DUE_IN = 250
"""Milliseconds until what is waited for is due."""
WITHIN = 2.0
"""Seconds in which a match goes on after the store is back."""
BUSY = 3.0
"""Seconds more, where the machine has much else to do."""


class Place:
    """A server on a store that can be made to refuse what is to be written."""

    def __init__(self, running: RaceServer, people: Visitors, redis: RedisProcess | None) -> None:
        self.running = running
        self.people = people
        self._redis = redis

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Nothing is written within."""
        if self._redis is None:
            with failing(self.running.store):
                yield
        else:
            self._redis.run("CONFIG", "SET", "min-replicas-to-write", 1)
            try:
                yield
            finally:
                self._redis.run("CONFIG", "SET", "min-replicas-to-write", 0)

    @property
    def table(self) -> Table:
        """The one match."""
        (table,) = self.running.hub.tables.values()
        return table

    async def over_the_due_moment(self) -> None:
        """Return when the match should have gone on, and has been tried to."""
        assert self.table.match.due != NEVER
        await eventually(lambda: max(self.running.hub.overdue(), default=0) > DUE_IN)


@pytest_asyncio.fixture(params=["sqlite", "redis"])
async def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Place]:
    for limit in ("COUNTDOWN", "READY_LIMIT", "REVEAL_LIMIT", "WAITING_LIMIT"):
        monkeypatch.setattr(server.match, limit, DUE_IN)
    monkeypatch.setattr(server.keeper, "BEAT_EVERY", 0.05)
    monkeypatch.setattr(server.hub, "TRY_AGAIN", 0.05)
    redis: RedisProcess | None = request.getfixturevalue("redis") if request.param == "redis" else None
    store = "memory:" if redis is None else redis.address
    running = RaceServer(Settings(host="127.0.0.1", port=0, store=store, bots=0))
    async with visitors(f"ws://127.0.0.1:{await running.open()}") as people:
        yield Place(running, people, redis)
    await running.close()


async def nobody_comes(place: Place) -> tuple[Client, str]:
    ann = await place.people.guest()
    await ann.play()
    return ann, "aborted"


async def nobody_is_ready(place: Place) -> tuple[Client, str]:
    ann, _ = await place.people.pair()
    return ann, "aborted"


async def one_does_not_reveal(place: Place) -> tuple[Client, str]:
    ann, bob = await place.people.pair()
    await ann.ready()
    await bob.ready()
    await ann.reveal()
    return ann, "aborted"


async def the_countdown_ends(place: Place) -> tuple[Client, str]:
    ann, bob = await place.people.pair()
    for player in (ann, bob):
        await player.ready()
    for player in (ann, bob):
        await player.reveal()
    return ann, "playing"


async def the_clock_runs_out(place: Place) -> tuple[Client, str]:
    ann, _ = await place.people.race(clock=10_000)
    let_pass(place.running, 10_000 - DUE_IN)
    place.running.hub.set_timer(place.table)
    return ann, "over"


async def the_grace_period_ends(place: Place) -> tuple[Client, str]:
    ann, bob = await place.people.race(grace=1_000)
    await ann.move("stand")
    await bob.close()
    await ann.next(wire.MatchState, lambda news: news.seats[1].away is not None)
    return ann, "over"


MOMENTS = [nobody_comes, nobody_is_ready, one_does_not_reveal, the_countdown_ends, the_clock_runs_out]
Arrive = Callable[[Place], Awaitable[tuple[Client, str]]]


@pytest.mark.parametrize("arrive", [*MOMENTS, the_grace_period_ends], ids=lambda arrive: arrive.__name__)
async def test_a_match_goes_on_when_the_store_failed_at_the_due_moment(place: Place, arrive: Arrive) -> None:
    ann, state = await arrive(place)
    hub = place.running.hub
    with place.refusing():
        await eventually(lambda: hub.ledger.doubtful)
        await place.over_the_due_moment()
        assert not [news for news in ann.all(wire.MatchState) if news.state == state]
    async with asyncio.timeout(WITHIN + BUSY):
        assert (await ann.state(state)).state == state
    await eventually(lambda: not hub.overdue())


@pytest.mark.parametrize("arrive", [the_countdown_ends, the_clock_runs_out], ids=lambda arrive: arrive.__name__)
async def test_it_goes_on_when_the_store_fails_and_heals_and_fails_again(place: Place, arrive: Arrive) -> None:
    ann, state = await arrive(place)
    for _ in range(3):
        with place.refusing():
            await eventually(lambda: place.running.hub.ledger.doubtful)
            await asyncio.gather(*(place.running.keeper.look_around() for _ in range(3)), return_exceptions=True)
        await eventually(lambda: not place.running.hub.ledger.doubtful)
    assert (await ann.reached(state, ann.match)).state == state


async def test_with_what_a_host_has_it_goes_on_within_two_seconds(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.keeper, "BEAT_EVERY", 1.0)
    monkeypatch.setattr(server.hub, "TRY_AGAIN", 1.0)
    ann, state = await the_countdown_ends(place)
    with place.refusing():
        await place.over_the_due_moment()
    async with asyncio.timeout(WITHIN + BUSY):
        await ann.state(state)

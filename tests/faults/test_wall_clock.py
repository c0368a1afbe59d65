"""The wall clock is set while matches are under way: an hour back, forth, again and again, and over a restart.

It is that of the server's machine and of Redis's. All that a match has is time that has really passed.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from protocol import messages as wire
from tests.faults.nodes import Node, running
from tests.faults.racer import GAME
from tests.faults.waiting import comes_true
from tests.faults.wall_clock import HOUR, WallClock
from tests.server.driver import Client, Visitors, visitors
from tests.server.store.redis_process import RedisProcess

CLOCK, GRACE = 600_000, 120_000
KEEP = 0.5 / 24
"""Days: half an hour."""
PASSING = 3_000
"""Milliseconds after each step: the server notes more than once that it is alive, and looks for what is due."""
TOLERANCE = 4_000
"""Milliseconds that a busy machine may take for what else is done."""


@pytest.fixture
def wall(tmp_path: Path) -> WallClock:
    return WallClock(tmp_path)


@pytest.fixture(params=["sqlite", "redis"])
def store(request: pytest.FixtureRequest, tmp_path: Path, wall: WallClock) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:{tmp_path / 'matches.db'}"
    else:
        with RedisProcess(tmp_path / "redis") as wall.redis:
            yield wall.redis.address


@pytest_asyncio.fixture
async def node(tmp_path: Path, wall: WallClock, store: str) -> AsyncIterator[Node]:
    server = Node(tmp_path, "node", store, "--keep", str(KEEP), environment=wall.environment)
    async with running(server):
        yield server


class Scene:
    """A race, another whose one player is away, a match that waits, and one that has ended; and how long that has been."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self._loop = asyncio.get_running_loop()

    async def begin(self, people: Visitors) -> None:
        """All this comes about."""
        self.ann, bob = await people.race(GAME, clock=CLOCK, grace=GRACE)
        dora, self.eve = await people.race(GAME, clock=CLOCK, grace=GRACE)
        await dora.close()
        await self.eve.next(wire.MatchState, lambda news: news.seats[0].away is not None)
        cleo = await people.guest("Cleo")
        self.waiting = (await cleo.create(GAME)).match
        fay, gus = await people.race(GAME)
        await fay.move("resign")
        await gus.reached("over", gus.match)
        self.ended = gus.match
        self.bob = bob
        self.left, self.away = await self._times(cleo)
        self.began = self._loop.time()

    def is_true(self, now: int, then: int) -> None:
        """This has become less, by no more than the time that has really passed since then."""
        passed = (self._loop.time() - self.began) * 1000
        assert then - passed - TOLERANCE < now < then

    async def come_back(self, people: Visitors) -> None:
        """After a restart."""
        keys = (self.ann.key, self.bob.key, self.eve.key)
        ann, bob, eve = [await people.guest(key=key) for key in keys]
        for player, match in ((ann, self.ann.match), (bob, self.ann.match), (eve, self.eve.match)):
            await player.resume(match)
            await player.next(wire.BoardState, lambda board, player=player: board.seat == player.seat)  # type: ignore[misc]
        self.ann, self.bob, self.eve = ann, bob, eve

    async def holds(self) -> None:
        """Wait for some real time to pass, and see that it is all that anybody has lost."""
        async with visitors(self.node.url) as others:
            reader = await others.guest("Rosa")
            before, _ = await self._times(reader)

            async def passed() -> bool:
                return before - (await self._times(reader))[0] > PASSING

            await comes_true(passed, every=0.1)
            left, away = await self._times(reader)
            self.is_true(left, self.left)
            self.is_true(away, self.away)
            assert (await reader.watch(self.waiting)).state == "waiting"
            await reader.ask(wire.GetRecord(match=self.ended), wire.MatchRecord)
        moved = await self.ann.move("t" if self.ann.entries % 2 == 0 else "hp1")
        self.is_true(CLOCK - moved.at, self.left)

    async def _times(self, reader: Client) -> tuple[int, int]:
        """What is left of the race, and of the grace period of the player who is away."""
        state = await reader.watch(self.ann.match)
        assert state.left is not None, f"the race is over: {state}"
        theirs = await reader.watch(self.eve.match)
        away = theirs.seats[0].away
        assert away is not None, f"nobody is away: {theirs}"
        assert theirs.state == "playing", f"the player who is away has {GRACE} ms: {theirs}"
        return state.left, away


async def test_a_step_of_the_wall_clock_costs_nobody_anything(node: Node, wall: WallClock) -> None:
    async with visitors(node.url) as people:
        scene = Scene(node)
        await scene.begin(people)
        for ahead in (-HOUR, 0, HOUR, -HOUR):
            wall.set(ahead)
            await scene.holds()


async def test_a_step_over_a_restart_costs_nobody_anything(node: Node, wall: WallClock) -> None:
    async with visitors(node.url) as people, visitors(node.url) as again, visitors(node.url) as once_more:
        scene = Scene(node)
        await scene.begin(people)
        for ahead, others in ((-HOUR, again), (HOUR, once_more)):
            node.kill()
            wall.set(ahead)
            await node.start()
            await scene.come_back(others)
            await scene.holds()

"""A server stands still: its process is stopped, or its machine. That time is nobody's, and falls due for nobody."""

import asyncio
from pathlib import Path

import pytest

from protocol import messages as wire
from tests.faults.nodes import Node, running
from tests.faults.racer import GAME
from tests.server.driver import Client, Visitors, visitors
from tests.server.store.redis_process import RedisProcess

CLOCK, GRACE = 10_000, 5_000
LONG, SHORT = 11.0, 3.0
"""Seconds for which it stands still: longer than all that is left, and too short for the store to notice."""
SHORT_GRACE = 2_000


class Races:
    """At one server: a race in which both are there, and two whose one player is away, for long or for a moment."""

    def __init__(self, people: Visitors) -> None:
        self.people = people

    async def long(self) -> None:
        """Those for a long standstill."""
        self.ann, _ = await self.people.race(GAME, clock=CLOCK, grace=GRACE)
        self.dora, self.eve = await self.people.race(GAME, grace=GRACE)
        await self.leave(self.dora, self.eve)
        await self.ann.move("t")

    async def short(self) -> None:
        """That for a short one."""
        self.fay, self.gus = await self.people.race(GAME, grace=SHORT_GRACE)
        await self.leave(self.fay, self.gus)

    async def leave(self, leaver: Client, rival: Client) -> None:
        await leaver.close()
        await rival.next(wire.MatchState, lambda news: news.seats[leaver.seat].away is not None)

    async def come_back(self, leaver: Client) -> None:
        """Who was away is in time."""
        again = await self.people.guest(key=leaver.key)
        assert (await again.resume(leaver.match)).state == "playing"
        await again.next(wire.BoardState, lambda board: board.seat == leaver.seat)
        assert (await again.move("t")).at < CLOCK


@pytest.mark.parametrize("kind", ["sqlite", "redis"])
async def test_the_time_of_a_standstill_falls_due_for_nobody(tmp_path: Path, kind: str, redis: RedisProcess) -> None:
    store = redis.address if kind == "redis" else f"sqlite:{tmp_path / 'matches.db'}"
    node = Node(tmp_path, "node", store)
    async with running(node), visitors(node.url) as people:
        races = Races(people)
        await races.long()
        await stand_still(node, LONG)
        moved = await races.ann.move("hp1")
        assert moved.at < CLOCK / 2, "the time of an entry does not count it, either"
        state = await races.ann.state("playing")
        assert state.left is not None
        assert state.left > CLOCK / 2, "and the players are told what time they have"
        await races.come_back(races.dora)
        await races.short()
        await stand_still(node, SHORT)
        await races.come_back(races.fay)


async def stand_still(node: Node, seconds: float) -> None:
    node.freeze()
    await asyncio.sleep(seconds)
    node.thaw()

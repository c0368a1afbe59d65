"""A thousand abandoned matches: when their time is over, nothing is left of them."""

import asyncio
import sqlite3
from pathlib import Path

from protocol import messages as wire
from server.store.redis_scripts import OPEN, PREFIX
from tests.faults.checks import open_matches
from tests.faults.nodes import Node, running
from tests.faults.racer import GAME, start
from tests.faults.waiting import comes_true
from tests.server.driver import Client, Visitors, visitors
from tests.server.store.redis_process import RedisProcess

KEEP = 2.0
DAYS = str(KEEP / 86_400)
EACH = 8
"""Matches that one player may have open."""


async def abandoned(*urls: str) -> int:
    """Matches of every kind whose players go away: waiting, seated, raced, in the queue; how many."""
    count = 0
    servers = [Visitors(url) for url in urls]
    try:
        players = await asyncio.gather(*(here.guest() for _ in range(120) for here in [servers[_ % len(servers)]]))
        for _ in range(EACH):
            await asyncio.gather(*(player.create(GAME, grace=1000) for player in players))
            count += len(players)
        seated = await asyncio.gather(*(servers[-1].guest("Bob") for _ in players))
        await asyncio.gather(*(bob.join(ann.match) for ann, bob in zip(players, seated, strict=True)))
        races = list(zip(players, seated, strict=True))[:20]
        await asyncio.gather(*(start(*race) for race in races))
        await asyncio.gather(*(player.play_on(6) for race in races for player in race))
        quick = [await here.guest("Cleo") for here in servers for _ in range(40 // len(servers))]
        await asyncio.gather(*(player.play(GAME) for player in quick))
        await asyncio.gather(*(leave(player) for player in quick))
        return count + len({player.match for player in quick})
    finally:
        await asyncio.gather(*(here.close() for here in servers))


async def leave(player: Client) -> None:
    """Give the seat up, if the match has not been given up by the other."""
    await player.ask(wire.Leave(match=player.match), wire.MatchState)


def matches_of(keys: set[str]) -> set[str]:
    """Which of these keys are of matches: the players keep their ratings.

    When a server has no answer from Redis at the end of a match, a name may stay on the list of open ones until the match
    would have been due. It stands for nothing: no match is open, whoever asks.
    """
    return {key for key in keys if not key.startswith(f"{PREFIX}{{rating:")} - {OPEN}


async def test_no_key_is_left_in_redis(tmp_path: Path, redis: RedisProcess) -> None:
    one = Node(tmp_path, "one", redis.address, "--keep", DAYS)
    other = Node(tmp_path, "other", redis.address, "--keep", DAYS)
    async with running(one, other):
        before = redis.keys()
        assert await abandoned(one.url, other.url) >= 960
        # Thousands of keys are listed, and Redis does nothing else meanwhile: so they are not looked at all the time.
        await comes_true(lambda: matches_of(redis.keys()) <= matches_of(before), every=0.5)
        assert await open_matches(redis) == []
        for node in (one, other):
            await comes_true(lambda node=node: serves_none(node))  # type: ignore[misc]


async def serves_none(node: Node) -> bool:
    """Whether a server has no match in its memory."""
    _, text = await node.page("/metrics")
    return sum(float(line.split()[1]) for line in text.splitlines() if line.startswith("tommy_matches{")) == 0


async def test_no_row_is_left_in_the_file(tmp_path: Path) -> None:
    """What has been kept long enough is forgotten, though it may have ended before the server was last started."""
    file = tmp_path / "matches.db"
    node = Node(tmp_path, "node", f"sqlite:{file}", "--keep", DAYS)
    async with running(node):
        assert await abandoned(node.url) >= 960
        await comes_true(lambda: serves_none(node))
        await node.stop()
        assert rows(file, "SELECT count(*) FROM matches WHERE ended IS NULL") == 0
        await node.start()
        async with visitors(node.url) as people:
            ann, reader = await people.guest(), await people.guest("Rosa")
            last = (await ann.create(GAME)).match
            await leave(ann)
            await ann.close()
            # A match that is asked for is at hand for a moment.
            await comes_true(lambda: is_forgotten(reader, last), every=2.5)
    for table in ("matches", "entries", "seats", "players", "waiting"):
        assert rows(file, f"SELECT count(*) FROM {table}") == 0, table


async def is_forgotten(reader: Client, match: str) -> bool:
    """Whether a server knows nothing of a match any more, nor then of any that ended before."""
    answer = await reader.ask(wire.GetRecord(match=match), wire.ServerMessage)
    return isinstance(answer, wire.Refused) and answer.code == "unknown-match"


def rows(file: Path, query: str) -> int:
    database = sqlite3.connect(file)
    try:
        return int(database.execute(query).fetchone()[0])
    finally:
        database.close()

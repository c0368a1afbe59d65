"""A Redis Cluster of three servers, and a Redis that Sentinels name: the same store at another address."""

import asyncio
from pathlib import Path

import pytest

from server.events import MATCH_LOG
from server.store.port import AppendEntry, Conflict, EndMatch, Rated, Seeker, UnusableStore
from server.store.redis import RedisStore
from tests.server.store.conftest import no_news
from tests.server.store.matches import CODE, attempt, kept, make, play
from tests.server.store.redis_process import ClusterProcesses, RedisProcess, SentinelProcess
from tests.server.store.servers import Server

MANY = [f"match{each:03}" for each in range(60)]


async def test_a_cluster_keeps_matches(cluster: ClusterProcesses) -> None:
    one, two = await Server(cluster.address).open(), await Server(cluster.address).open()
    await asyncio.gather(*(play(one.store, match, ("ann", f"bot {match}"), due=7) for match in MANY))
    assert all(node.keys() for node in cluster.nodes)
    assert sorted(await two.store.open_matches()) == sorted(await two.store.due(7)) == MANY
    assert sorted(await two.store.seats("ann")) == MANY
    for match in MANY:
        assert (await kept(two.store, match)).numbers == (1, 3, 0)
        assert isinstance(await attempt(two.store, AppendEntry(1, 3, 5, "taken"), match=match), Conflict)

    outcomes = await asyncio.gather(
        *(
            attempt(server.store, AppendEntry(log, 1, 5, "t"), AppendEntry(1, 4, 5, "t"), match=match)
            for match in MANY
            for log, server in ((2, one), (MATCH_LOG, two))
        )
    )
    assert outcomes.count(None) == len(MANY)

    await asyncio.gather(*(one.store.write(match, [EndMatch(at)]) for at, match in enumerate(MANY)))
    assert [match async for match in two.store.ended_matches()] == MANY
    assert await two.store.history("ann", 3) == MANY[:-4:-1]
    assert await two.store.open_matches() == await two.store.seats("ann") == []
    await two.store.sweep(len(MANY))
    assert cluster.keys() == {"tommy:format"}
    for server in (one, two):
        await server.store.close()


async def test_a_cluster_brings_servers_together(cluster: ClusterProcesses) -> None:
    one, two = await Server(cluster.address).open(), await Server(cluster.address).open()
    await make(one.store, *MANY)
    await asyncio.gather(*(two.store.follow(match) for match in MANY))
    await asyncio.gather(*(one.store.write(match, [AppendEntry(1, 1, 5, "t")]) for match in MANY))
    missing = set(MANY)
    while missing:  # that the matches were made may be news, too: it comes by way of another node
        missing.discard(await two.news())

    assert await one.store.pair("golf", Seeker("ann"), "aaaaaaaa") is None
    assert await two.store.pair("golf", Seeker("ben"), "bbbbbbbb") == "aaaaaaaa"
    await two.store.withdraw("golf", "aaaaaaaa")
    assert await one.store.pair("golf", Seeker("ben"), None) is None

    await one.store.beat("one", 0, ["golf"])
    assert (await two.store.beat("two", 0, [])).nodes == {"one", "two"}
    assert await two.store.races("two") == ["golf"]
    assert await one.store.house_secret() == await two.store.house_secret()
    assert await one.store.ready()
    for server in (one, two):
        await server.store.close()


async def test_a_cluster_keeps_ratings(cluster: ClusterProcesses) -> None:
    one, two = await Server(cluster.address).open(), await Server(cluster.address).open()
    await asyncio.gather(*(play(one.store, match, ("ann", "ben"), ended=at) for at, match in enumerate(MANY, 1)))
    ratings = [Rated("ann", "Ann", 1600.5, 80, 0.06, 1, 7), Rated("ben", "Ben", 1400.5, 80, 0.06, 1, 7)]
    for family, match in (("sir-tommy", MANY[0]), ("forty-thieves", MANY[1])):
        outcomes = await asyncio.gather(
            *(server.store.rate(match, family, 7, [None, None], ratings) for server in (one, two))
        )
        assert sorted(outcomes) == [False, True]
        assert await two.store.top(family, 9) == await one.store.ratings(family, ["ann", "ben"]) == ratings
    assert await one.store.unrated(("sir-tommy", "forty-thieves"), 0) == MANY[2:]
    for server in (one, two):
        await server.store.close()


async def test_one_node_of_a_cluster_is_no_store(cluster: ClusterProcesses, redis: RedisProcess) -> None:
    for address, hint in (
        (cluster.nodes[0].address, r"redis\+cluster://"),
        (redis.address.replace("redis:", "redis+cluster:"), "luster"),
    ):
        with pytest.raises(UnusableStore, match=hint):
            await RedisStore(address).open(no_news)


async def test_a_sentinel_names_the_redis(redis: RedisProcess, tmp_path: Path) -> None:
    with SentinelProcess(tmp_path, redis) as sentinel:
        hosts = f"127.0.0.1:{sentinel.port}"
        one = await Server(f"redis+sentinel://{hosts}/tommy").open()
        two = await Server(redis.address).open()
        await make(one.store)
        await one.store.follow(CODE)
        await two.store.write(CODE, [AppendEntry(1, 1, 5, "t")])
        assert await one.news() == CODE
        assert (await kept(one.store)).numbers == (0, 1, 0)
        assert await one.store.ready()
        for server in (one, two):
            await server.store.close()

        for address, hint in (
            (f"redis+sentinel://{hosts}/tammy", "tammy"),
            (f"redis://{hosts}", r"redis\+sentinel://"),
        ):
            with pytest.raises(UnusableStore, match=hint):
                await RedisStore(address).open(no_news)

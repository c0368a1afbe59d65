"""Two servers behind a balancer, as `deploy/haproxy.cfg` sets one up: whole races, rolling restarts, health."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.faults.balancer import balanced, kinds
from tests.faults.checks import ended_well, one_end_each
from tests.faults.guests import Party, Watcher, everyone
from tests.faults.nodes import Node, running
from tests.faults.racer import pairs
from tests.faults.waiting import comes_true, slowness
from tests.server.driver import visitors
from tests.server.store.redis_process import RedisProcess

BACK_WITHIN = 3.0
"""Seconds in which everybody is back after a server has stopped, on a machine with nothing else to do."""


@pytest_asyncio.fixture
async def nodes(tmp_path: Path, redis: RedisProcess) -> AsyncIterator[tuple[Node, Node]]:
    """Two servers that share the Redis, exactly as a host runs them."""
    options = ("--trust", "127.0.0.1")
    one = Node(tmp_path, "one", redis.address, *options, module="server.main")
    other = Node(tmp_path, "other", redis.address, *options, module="server.main")
    async with running(one, other):
        yield one, other


@pytest_asyncio.fixture(params=kinds())
async def url(request: pytest.FixtureRequest, tmp_path: Path, nodes: tuple[Node, Node]) -> AsyncIterator[str]:
    """Where players reach both servers."""
    async with balanced(request.param, tmp_path, *nodes) as address:
        yield address


async def test_races_go_on_while_both_servers_are_replaced_one_after_the_other(
    nodes: tuple[Node, Node], url: str, redis: RedisProcess, people: Party
) -> None:
    racers = await pairs(people, 6, [url], [url], leash=5)
    watchers = [people.come(Watcher([url], racer.match)) for racer in racers[::2]]
    await everyone(watchers, lambda watcher: watcher.arrivals)
    busy = [await node.figure("tommy_connections") for node in nodes]
    assert min(busy) > 0, f"players are at both servers, not {busy}"
    leash = 5
    for node in nodes:
        leash += 20
        await asyncio.gather(*(racer.go_on(leash - 10) for racer in racers))
        await racers[0].has_made(leash - 18)
        async with asyncio.timeout(BACK_WITHIN * slowness()):
            node.terminate()
            await asyncio.gather(*(racer.go_on(leash) for racer in racers))
            await asyncio.gather(*(racer.has_made(leash) for racer in racers))
        await node.gone()
        await node.start()
    for racer in racers:
        await racer.go_on()
    await ended_well(url, racers, watchers)
    codes = {code for guest in people.guests for code in guest.closes}
    assert codes <= {1012, 1006}
    await one_end_each(redis, [racer.match for racer in racers])


async def test_the_health_of_a_server_that_drains_and_of_one_without_its_store(
    tmp_path: Path, redis: RedisProcess
) -> None:
    one = Node(tmp_path, "one", redis.address, "--drain", "60")
    other = Node(tmp_path, "other", redis.address)
    async with running(one, other):
        for node in (one, other):
            assert await node.page("/healthz") == (200, "ok\n")
            assert await node.page("/readyz") == (200, "ok\n")
            assert await node.figure("tommy_connections") == 0

        redis.kill()
        for node in (one, other):
            await becomes(node, 503, "the store cannot be reached")
            assert await node.status("/healthz") == 200
            assert await node.status("/metrics") == 200
        redis.start()
        for node in (one, other):
            await becomes(node, 200, "ok")

        one.terminate()
        await becomes(one, 503, "this server is about to stop")
        assert await one.status("/healthz") == 200
        assert await one.status("/metrics") == 200
        assert await other.status("/readyz") == 200
        one.terminate()  # twice: there is nobody to wait for
        await one.gone()
        assert await one.status("/healthz") == 0


async def becomes(node: Node, status: int, words: str) -> None:
    """Wait until a server says that of itself."""

    async def does() -> bool:
        found, text = await node.page("/readyz")
        return found == status and words in text

    await comes_true(does)


async def test_a_server_that_drains_gets_nobody_new_and_keeps_whom_it_has(
    tmp_path: Path, redis: RedisProcess, people: Party
) -> None:
    one = Node(tmp_path, "one", redis.address, "--drain", "60")
    other = Node(tmp_path, "other", redis.address)
    async with running(one, other), balanced(kinds()[0], tmp_path, one, other) as url:
        there = await pairs(people, 2, [one.url], [one.url], leash=5)
        one.terminate()
        await becomes(one, 503, "about to stop")
        await asyncio.gather(*(racer.go_on(15) for racer in there))
        before = await one.figure("tommy_connections")
        await comes_true(lambda: sends_elsewhere(url, one))  # as soon as the balancer has looked
        late = await pairs(people, 2, [url], [url])
        assert await one.figure("tommy_connections") == before
        for racer in there:
            await racer.go_on()
        await ended_well(other.url, [*there, *late])
        assert all(racer.closes == [] for racer in there)
        one.terminate()
        await one.gone()


async def sends_elsewhere(url: str, node: Node) -> bool:
    """Whether new guests are sent to other servers than that."""
    async with visitors(url) as people:
        before = await node.figure("tommy_connections")
        for _ in range(2):
            await people.guest("Zoe")
        return await node.figure("tommy_connections") == before

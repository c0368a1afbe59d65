"""A Redis that is restarted, or whose connections are cut, in a burst of moves: nobody notices more than a pause."""

import asyncio

import pytest

from tests.faults.checks import ended_well, one_end_each
from tests.faults.guests import Party, Watcher, everyone
from tests.faults.nodes import Node
from tests.faults.racer import pairs
from tests.faults.test_kill import MATCHES, burst
from tests.server.store.redis_process import RedisProcess


@pytest.mark.parametrize("kind", ["normal", "pubsub"])
async def test_connections_are_killed_in_a_burst(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party, kind: str
) -> None:
    one, other = nodes
    racers = await pairs(people, MATCHES, [one.url], [other.url], leash=0, ahead=3, pace=0.005)
    watchers = [people.come(Watcher([node.url], racer.match)) for racer in racers[::4] for node in nodes]
    for _ in range(6):
        await burst(racers, 60)
        redis.run("CLIENT", "KILL", "TYPE", kind, "SKIPME", "yes")
    await ended_well(other.url, racers, watchers)
    assert all(guest.arrivals == 1 for guest in people.guests), "players lose no connection for it"
    await one_end_each(redis, [racer.match for racer in racers])


async def test_redis_is_restarted_in_order_in_a_burst(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party
) -> None:
    one, other = nodes
    racers = await pairs(people, MATCHES, [one.url], [other.url], leash=0, ahead=3, pace=0.005)
    watchers = [people.come(Watcher([node.url], racer.match)) for racer in racers[::4] for node in nodes]
    for _ in range(3):
        await burst(racers, 120)
        await asyncio.to_thread(redis.stop)
        await asyncio.to_thread(redis.start)
    await ended_well(one.url, racers, watchers)
    assert all(guest.arrivals == 1 for guest in people.guests)
    await one_end_each(redis, [racer.match for racer in racers])


async def test_redis_hangs_in_a_burst(nodes: tuple[Node, Node], redis: RedisProcess, people: Party) -> None:
    """It answers nothing for longer than the servers wait for it."""
    one, other = nodes
    racers = await pairs(people, 4, [one.url], [other.url], leash=0, ahead=3, pace=0.005)
    await burst(racers, 100)
    redis.hang()
    await everyone(racers, lambda racer: "store-failed" in racer.refusals or racer.finished)
    redis.go_on()
    await ended_well(other.url, racers)
    await one_end_each(redis, [racer.match for racer in racers])

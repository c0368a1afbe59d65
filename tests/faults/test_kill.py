"""Servers and stores that die in a burst of moves: what was acknowledged is there, and every race goes on to its end."""

import math
import sqlite3
from pathlib import Path

import pytest

from server.events import MATCH_LOG, Finished, parse_event
from tests.faults.checks import ended_well, one_end_each
from tests.faults.guests import Party, Watcher, everyone
from tests.faults.nodes import Node, running
from tests.faults.racer import Racer, pairs
from tests.server.store.redis_process import RedisProcess

MATCHES = 8


async def burst(racers: list[Racer], entries: int, each: float = math.inf) -> None:
    """Everyone plays as fast as the server answers; wait until so many entries are there in the middle of it.

    Nobody makes more than `each`.
    """
    goal = sum(racer.entries for racer in racers) + entries
    for racer in racers:
        await racer.go_on(racer.entries + each)
    for racer in racers:
        await racer.until(lambda: sum(racer.entries for racer in racers) >= goal)


def went_through_it(racers: list[Racer]) -> None:
    """The fault came when moves were under way."""
    assert all(racer.arrivals >= 2 for racer in racers if not racer.over)
    assert sum(racer.resent for racer in racers), "moves were on their way"


@pytest.mark.parametrize("ahead", [1, 6])
async def test_a_server_is_killed_and_its_players_go_on_at_the_other(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party, ahead: int
) -> None:
    one, other = nodes
    racers = await pairs(people, MATCHES, [one.url, other.url], [other.url, one.url], leash=0, ahead=ahead)
    watchers = [people.come(Watcher([one.url, other.url], racer.match)) for racer in racers[::4]]
    await burst(racers, 200)
    one.kill()
    await ended_well(other.url, racers, watchers)
    went_through_it(racers[::2])
    await one_end_each(redis, [racer.match for racer in racers])


async def test_servers_are_killed_by_turns(nodes: tuple[Node, Node], redis: RedisProcess, people: Party) -> None:
    one, other = nodes
    racers = await pairs(people, MATCHES, [one.url, other.url], [other.url, one.url], leash=0, pace=0.01)
    for node in (one, other, one):
        await burst(racers, 160, each=20)  # on the other server the races go on while this one starts
        node.kill()
        await node.start()
    for racer in racers:
        await racer.go_on()
    await ended_well(one.url, racers)
    went_through_it(racers)
    await one_end_each(redis, [racer.match for racer in racers])


@pytest.mark.parametrize("ahead", [1, 6])
async def test_the_only_server_is_killed_with_many_races_in_its_file(tmp_path: Path, people: Party, ahead: int) -> None:
    file = tmp_path / "matches.db"
    node = Node(tmp_path, "node", f"sqlite:{file}")
    async with running(node):
        racers = await pairs(people, MATCHES, [node.url], [node.url], leash=0, ahead=ahead, pace=0.005)
        watchers = [people.come(Watcher([node.url], racer.match)) for racer in racers[::4]]
        for _ in range(2):
            await burst(racers, 250)
            node.kill()
            await node.start()
        await ended_well(node.url, racers, watchers)
        went_through_it(racers)
    one_end_in_file(file, {racer.match for racer in racers})


def one_end_in_file(file: Path, matches: set[str]) -> None:
    """Each match has ended once in the file of a server that has stopped."""
    database = sqlite3.connect(file)
    for match in matches:
        texts = database.execute("SELECT text FROM entries WHERE match = ? AND log = ?", (match, MATCH_LOG)).fetchall()
        assert sum(isinstance(parse_event(text), Finished) for (text,) in texts) == 1
    assert database.execute("SELECT count(*) FROM matches WHERE ended IS NULL").fetchone() == (0,)
    database.close()


async def test_redis_is_killed_and_started_again(nodes: tuple[Node, Node], redis: RedisProcess, people: Party) -> None:
    one, other = nodes
    racers = await pairs(people, MATCHES, [one.url], [other.url], leash=0, ahead=3, pace=0.005)
    watchers = [people.come(Watcher([one.url], racer.match)) for racer in racers[::4]]
    for _ in range(2):
        await burst(racers, 200)
        redis.kill()
        redis.start()
    await ended_well(other.url, racers, watchers)
    await one_end_each(redis, [racer.match for racer in racers])


async def test_redis_is_killed_and_stays_away_for_a_while(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party
) -> None:
    """For so long that the servers tell the players that their moves cannot be kept."""
    one, other = nodes
    racers = await pairs(people, 4, [one.url], [other.url], leash=0, ahead=3, pace=0.005)
    await burst(racers, 100)
    redis.kill()
    await everyone(racers, lambda racer: "store-failed" in racer.refusals or racer.finished)
    redis.start()
    await ended_well(other.url, racers)
    await one_end_each(redis, [racer.match for racer in racers])

"""Those who stand still: a server that wakes up after its players have gone on elsewhere, a client that reads nothing."""

import asyncio
import socket
from contextlib import suppress
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from protocol import messages as wire
from server.store.redis_scripts import ALIVE
from tests.faults.checks import ended_well, one_end_each
from tests.faults.guests import Party, Watcher, everyone
from tests.faults.nodes import Node, running
from tests.faults.racer import pairs, two
from tests.faults.test_kill import burst
from tests.faults.waiting import comes_true
from tests.server.driver import visitors
from tests.server.store.redis_process import RedisProcess

PINGS = 1.0


async def test_a_frozen_server_that_wakes_up_forks_nothing(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party
) -> None:
    """Its players go on at the other server, until that takes it for dead; then it has moves of theirs to read."""
    one, other = nodes
    racers = await pairs(
        people, 6, [one.url, other.url], [other.url, one.url], leash=0, ahead=3, pace=0.05, ping_timeout=PINGS
    )
    watchers = [people.come(Watcher([one.url, other.url], racer.match)) for racer in racers[::4]]
    for watcher in watchers:
        watcher.ping_timeout = PINGS
    await burst(racers, 60)
    one.freeze()
    await everyone(racers[::2], lambda racer: racer.arrivals == 2)
    for racer in racers:
        racer.leash = racer.entries + 10
    await asyncio.gather(*(racer.has_made(int(racer.leash)) for racer in racers))
    await taken_for_dead(redis)
    assert all(racer.connected for racer in racers)
    one.thaw()
    await one.up()
    for racer in racers:
        await racer.go_on()
    await ended_well(one.url, racers, watchers)
    assert all(racer.arrivals == 2 for racer in racers[::2])
    assert all(racer.arrivals == 1 for racer in racers[1::2])
    await one_end_each(redis, [racer.match for racer in racers])


async def taken_for_dead(redis: RedisProcess) -> None:
    """Wait until one server of two counts as alive."""
    await comes_true(lambda: redis.run("HLEN", ALIVE) == 1)


async def test_moves_that_a_frozen_server_has_yet_to_read_come_too_late(
    nodes: tuple[Node, Node], redis: RedisProcess
) -> None:
    one, other = nodes
    async with visitors(one.url) as here, visitors(other.url) as there:
        ann, bob = await two(here, there)
        await ann.move("t", "hp1")
        one.freeze()
        for number, move in enumerate(("t", "hp4", "t", "hp4", "stand"), ann.entries + 1):
            await ann.send(wire.Move(match=ann.match, n=number, move=move))
        again = await there.guest("Ann", key=ann.key)
        await again.resume(ann.match, last=0)
        await again.next(wire.BoardState)
        await again.move("t", "hp2")
        one.thaw()
        assert (await ann.closed()).code == 4000
        # Its connection was the older one already; all it may have done is to send again what was there.
        await again.move("t", "hp3")
        assert not [moved for moved in ann.all(wire.Moved) if moved.move == "hp4"]
        await bob.move("resign")
        await again.reached("over", again.match)
        record = (await again.ask(wire.GetRecord(match=ann.match), wire.MatchRecord)).record
        assert [text for _, text in record.seats[0].entries] == ["t", "hp1", "t", "hp2", "t", "hp3"]
        await one_end_each(redis, [ann.match])


def connection_with_little_room(port: int) -> socket.socket:
    """A connection whose client's side takes in little that is not read."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.connect(("127.0.0.1", port))
    made.setblocking(False)
    return made


async def test_a_reader_who_stops_is_dropped_and_slows_nobody(tmp_path: Path, people: Party) -> None:
    """A spectator asks for a record again and again, and never looks at one."""
    node = Node(tmp_path, "node", f"sqlite:{tmp_path / 'matches.db'}")
    async with running(node), visitors(node.url) as guests:
        finished = await pairs(people, 1, [node.url], [node.url])
        await ended_well(node.url, finished)
        racers = await pairs(people, 4, [node.url], [node.url], leash=0, pace=0.02)
        watcher = people.come(Watcher([node.url], racers[0].match))
        slow = await guests.guest("Slow", sock=connection_with_little_room(node.port))
        await slow.watch(racers[0].match)
        slow.socket.transport.pause_reading()
        for racer in racers:
            await racer.go_on()
        ask = slow.encoding.encode(wire.GetRecord(match=finished[0].match))

        async def dropped() -> bool:
            with suppress(ConnectionClosed):
                for _ in range(200):
                    await slow.socket.send(ask)
            return await node.figure("tommy_slow_readers_dropped_total") > 0

        await comes_true(dropped)
        assert not all(racer.over for racer in racers), "the others race on meanwhile"
        await ended_well(node.url, racers, [watcher])
        assert all(guest.arrivals == 1 for guest in people.guests)
        slow.socket.transport.resume_reading()
        assert (await slow.closed()).code == 1006
        assert await node.figure("tommy_slow_readers_dropped_total") == 1

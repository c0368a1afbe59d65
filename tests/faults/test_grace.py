"""Players who are gone, for almost too long, for too long, and for ever."""

import asyncio
import math
from pathlib import Path

from protocol import messages as wire
from tests.faults.checks import ended_well, one_end_each, open_matches
from tests.faults.guests import Party, everyone
from tests.faults.nodes import Node, running
from tests.faults.racer import pairs, two
from tests.faults.waiting import comes_true
from tests.server.driver import Client, visitors
from tests.server.store.redis_process import RedisProcess

GRACE = 1000


async def test_who_comes_back_at_the_edge_of_the_grace_period_is_in_time_or_not_and_never_both(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party
) -> None:
    """Each comes back a little later than the one before, from well before the edge to well after it."""
    one, other = nodes
    racers = await pairs(people, 24, [one.url, other.url], [other.url], grace=GRACE, leash=6)
    await asyncio.gather(*(racer.has_made(6) for racer in racers))
    leavers, rivals = racers[::2], racers[1::2]
    loop = asyncio.get_running_loop()
    for leaver in leavers:
        leaver.leash = math.inf
        leaver.fall_asleep()
    gone = loop.time()
    await everyone(rivals, lambda rival: rival.rival_away)
    for number, leaver in enumerate(leavers):
        loop.call_at(gone + GRACE / 1000 + (number - 6) * 0.04, leaver.awake.set)
    await everyone(leavers, lambda leaver: leaver.arrivals == 2 and leaver.entries > 6)
    for rival in rivals:
        await rival.go_on()
    records = {record.match: record for record in await ended_well(one.url, racers)}
    late = [leaver for leaver in leavers if abandoned(leaver.told, leaver.seat)]
    for leaver in leavers:
        texts = [text for _, text in records[leaver.match].seats[leaver.seat].entries]
        assert texts.count("abandon") == (leaver in late)
        assert len(texts) == 7 if leaver in late else len(texts) > 7
    assert leavers[0] not in late, "a quarter of a second before the edge is in time"
    assert leavers[-1] in late, "a quarter of a second after it is not"
    await one_end_each(redis, [racer.match for racer in racers])


def abandoned(told: dict[tuple[int, int], tuple[str, str | None, int]], seat: int) -> bool:
    return any(of == seat and move == "abandon" for (of, _), (move, _, _) in told.items())


async def test_who_comes_back_too_late_is_told_so(nodes: tuple[Node, Node]) -> None:
    one, other = nodes
    async with visitors(one.url) as here, visitors(other.url) as there:
        ann, bob = await two(here, there, grace=GRACE)
        await ann.play_on(6)
        ann.socket.transport.abort()
        await bob.next(wire.Progress, lambda progress: progress.finished)
        again = await there.guest("Ann", key=ann.key)
        await again.resume(ann.match, last=6)
        moved = await again.next(wire.Moved)
        assert (moved.n, moved.move, moved.status) == (7, "abandon", "abandoned")
        assert (await again.refused(move(again, 7))).code == "stale"
        assert (await again.refused(move(again, 8))).code == "board-finished"
        await bob.play_on()
        await again.reached("over", ann.match)
        assert (await again.refused(move(again, 8))).code == "match-over"


def move(player: Client, n: int) -> wire.Move:
    return wire.Move(match=player.match, n=n, move="t")


async def test_a_match_ends_on_its_clock_or_grace_with_both_players_gone_and_all_servers_replaced(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party
) -> None:
    one, other = nodes
    left, waiting = await asyncio.gather(
        pairs(people, 3, [one.url], [other.url], grace=GRACE, clock=600_000, leash=6),
        pairs(people, 3, [one.url], [other.url], grace=600_000, clock=10_000, leash=6),
    )
    racers = [*left, *waiting]
    await asyncio.gather(*(racer.has_made(6) for racer in racers))
    for racer in racers:
        racer.fall_asleep()
    await everyone(racers, lambda racer: not racer.connected)
    one.kill()
    await other.stop()
    await one.start()
    await other.start()
    # Nobody looks at the matches but the servers themselves.
    await nobody_is_left(redis)
    for racer in racers:
        racer.awake.set()
    records = {record.match: record for record in await ended_well(other.url, racers)}
    for racer in racers:
        texts = [text for _, text in records[racer.match].seats[racer.seat].entries]
        assert texts[6:] == ["abandon" if racer in left else "timeout"]
    await one_end_each(redis, [racer.match for racer in racers])


async def test_a_match_whose_server_was_killed_ends_after_the_grace_period_if_nobody_comes_back(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party
) -> None:
    """The other server has never had anything to do with the match."""
    one, other = nodes
    racers = await pairs(people, 3, [one.url], [one.url], grace=GRACE, leash=6)
    await asyncio.gather(*(racer.has_made(6) for racer in racers))
    for racer in racers:
        racer.awake.clear()
    one.kill()
    await nobody_is_left(redis)
    for racer in racers:
        racer.addresses = [other.url]
        racer.awake.set()
    for record in await ended_well(other.url, racers):
        assert [seat.entries[6:][0][1] for seat in record.seats] == ["abandon", "abandon"]
    await one_end_each(redis, [racer.match for racer in racers])


async def nobody_is_left(redis: RedisProcess) -> None:
    """Wait until no match is open."""

    async def nobody() -> bool:
        return await open_matches(redis) == []

    await comes_true(nobody)


async def test_a_match_in_a_file_ends_with_nobody_there(tmp_path: Path, people: Party) -> None:
    node = Node(tmp_path, "node", f"sqlite:{tmp_path / 'matches.db'}")
    async with running(node):
        racers = await pairs(people, 3, [node.url], [node.url], grace=GRACE, leash=6)
        await asyncio.gather(*(racer.has_made(6) for racer in racers))
        for racer in racers:
            racer.fall_asleep()
        node.kill()
        await node.start()
        await comes_true(lambda: node.said().count("match ended") == 3)
        for racer in racers:
            racer.awake.set()
        for record in await ended_well(node.url, racers):
            assert [seat.entries[6:][0][1] for seat in record.seats] == ["abandon", "abandon"]

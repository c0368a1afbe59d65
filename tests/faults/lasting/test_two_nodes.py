"""Two servers, one Redis: for everyone there it is as if there were one."""

import asyncio
import math
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.result import Reason
from protocol import messages as wire
from protocol.players import player_of, public_key
from server.store.redis_scripts import seats_key
from tests.faults.checks import ended_well, one_end_each
from tests.faults.guests import REPLACED, Party, Watcher, everyone
from tests.faults.nodes import Node, running
from tests.faults.proxy import proxy
from tests.faults.racer import GAME, Racer, pairs, start, two
from tests.faults.test_kill import burst
from tests.faults.waiting import comes_true
from tests.server.driver import PATIENCE, Client, eventually, visitors
from tests.server.store.redis_process import RedisProcess


async def test_whole_matches_with_the_players_on_different_servers_and_spectators_on_both(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party
) -> None:
    one, other = nodes
    racers = await pairs(people, 5, [one.url], [other.url], leash=6)
    watchers = [
        people.come(Watcher([node.url], match)) for match in {racer.match for racer in racers} for node in nodes
    ]
    for racer in racers:
        await racer.go_on()
    here = await ended_well(one.url, racers, watchers)
    there = await ended_well(other.url, racers, watchers)
    assert here == there
    assert all(guest.arrivals == 1 for guest in people.guests)
    await one_end_each(redis, [racer.match for racer in racers])


async def test_a_player_who_comes_back_to_the_other_server_goes_on_there(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party
) -> None:
    one, other = nodes
    # Everyone changes the server at every connection, and the two of a match are never at the same one.
    racers = await pairs(people, 4, [one.url, other.url], [other.url, one.url], pace=0.002)
    for entries in (10, 20, 30):
        await asyncio.gather(*(racer.has_made(entries) for racer in racers))
        for racer in racers:
            racer.drop()
    await ended_well(one.url, racers)
    assert all(racer.arrivals == 4 for racer in racers)
    await one_end_each(redis, [racer.match for racer in racers])


@pytest.mark.parametrize("loser", [0, 1])
async def test_a_match_that_ends_while_the_other_player_moves_has_one_record(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party, loser: int
) -> None:
    """What the other server still takes of the rival is before the end or after it, and the same for everyone."""
    one, other = nodes
    racers = await pairs(people, 12, [one.url], [other.url], leash=0, ahead=4)
    watchers = [people.come(Watcher([one.url], racer.match)) for racer in racers[::4]]
    await burst(racers, 300)
    for racer in racers[loser::2]:
        racer.gives_up = True
    here = await ended_well(one.url, racers, watchers)
    assert here == await ended_well(other.url, racers, watchers)
    assert Reason.RESIGNED in {record.result.reason for record in here}
    await one_end_each(redis, [racer.match for racer in racers])


async def test_a_rematch_of_players_on_different_servers(nodes: tuple[Node, Node]) -> None:
    async with visitors(nodes[0].url) as here, visitors(nodes[1].url) as there:
        ann, bob = await here.guest("Ann"), await there.guest("Bob")
        await ann.create(GAME)
        await bob.join(ann.match)
        for _ in range(3):
            await start(ann, bob)
            await asyncio.gather(ann.play_on(4), bob.play_on(4))
            await bob.move("resign")
            await asyncio.gather(ann.reached("over", ann.match), bob.reached("over", ann.match))
            old = ann.match
            await asyncio.gather(*(player.ask(wire.Rematch(match=old), wire.MatchState) for player in (ann, bob)))
            (new,) = {await successor(player, old) for player in (ann, bob)}
            for player, seat in ((ann, 0), (bob, 1)):
                state = await player.reached("seated", new)
                assert state.you == seat
                player.match, player.board, player.entries = new, None, 0


async def test_a_rematch_is_made_once_however_often_and_wherever_it_is_asked_for(
    nodes: tuple[Node, Node], redis: RedisProcess
) -> None:
    async with visitors(nodes[0].url) as here, visitors(nodes[1].url) as there:
        players = [(await here.guest("Ann"), await there.guest("Bob")) for _ in range(8)]
        for ann, bob in players:
            await ann.create(GAME)
            await bob.join(ann.match)
        await asyncio.gather(*(start(*both) for both in players))
        for ann, bob in players:
            await ann.move("resign")
            await bob.reached("over", bob.match)
        everyone = [player for both in players for player in both]
        for player in everyone * 3:  # without waiting for the answer
            await player.send(wire.Rematch(match=player.match))
        for ann, bob in players:
            assert await successor(ann, ann.match) == await successor(bob, bob.match)
        await asyncio.gather(*(player.up_to_date() for player in everyone))
        assert len(everyone) == 16
        assert [len(redis_seats(redis, player.key)) for player in everyone] == [1] * 16


async def successor(player: Client, match: str) -> str:
    """The rematch of this match, as soon as the player hears of it."""
    known = [state.next for state in player.all(wire.MatchState) if state.match == match and state.next]
    news = known[-1] if known else (await player.next(wire.MatchState, lambda news: bool(news.next))).next
    assert news is not None
    return news


def redis_seats(redis: RedisProcess, key: str) -> list[str]:
    """The open matches that a player has a seat in."""
    with redis.client() as client:
        seats: Any = client.zrange(seats_key(player_of(public_key(key))), 0, -1)
        return list(seats)


async def test_the_races_of_one_server_are_listed_by_the_other(nodes: tuple[Node, Node]) -> None:
    async with visitors(nodes[0].url) as here, visitors(nodes[1].url) as there:
        ann, bob, zoe = await here.guest("Ann"), await here.guest("Bob"), await there.guest("Zoe")
        await ann.play(GAME)
        await bob.play(GAME)
        assert ann.match == bob.match
        await start(ann, bob)

        async def listed() -> list[tuple[str, list[str]]]:
            races = (await zoe.ask(wire.Matches(), wire.MatchList)).matches
            return [(race.match, [side.name for side in race.seats]) for race in races]

        await comes_true(listed)  # a server tells the others once a second
        assert await listed() == [(ann.match, ["Ann", "Bob"])]
        await bob.move("resign")
        await comes_true(lambda: unless(listed()))


async def unless(found: Awaitable[object]) -> bool:
    return not await found


async def test_of_two_connections_of_a_player_the_newer_one_plays_wherever_it_is(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party
) -> None:
    one, other = nodes
    racers = await pairs(people, 6, [one.url], [other.url], pace=0.005)
    newer = []
    for number, racer in enumerate(racers[::2]):  # at the same server, and at the other
        await racer.has_made(6)
        newer.append(people.come(twin(racer, [one.url] if number % 2 else [other.url])))
    await everyone(racers[::2], lambda older: older.closes == [REPLACED])
    rivals = racers[1::2]
    await ended_well(one.url, [*newer, *rivals])
    for guest in (*newer, *rivals):
        assert guest.closes == []
    assert not any(older.over for older in racers[::2])
    await one_end_each(redis, [racer.match for racer in rivals])


def twin(racer: Racer, addresses: Sequence[str]) -> Racer:
    """The same player once more, at another device."""
    other = Racer(addresses, racer.errand, racer.name, pace=racer.pace)
    other.key, other.match = racer.key, racer.match
    return other


async def test_of_many_connections_that_take_a_seat_at_once_one_has_it(
    nodes: tuple[Node, Node], redis: RedisProcess
) -> None:
    one, other = nodes
    async with visitors(one.url) as here, visitors(other.url) as there:
        ann, bob = await two(here, there)
        await ann.play_on(4)
        many = [await where.guest("Ann", key=ann.key) for _ in range(4) for where in (here, there)]
        for each in many:
            await each.send(wire.Resume(match=ann.match))
            await each.send(wire.Move(match=ann.match, n=5, move="t"))
        losers = [asyncio.create_task(each.closed()) for each in (ann, *many)]
        await asyncio.wait(losers, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        await comes_true(lambda: sum(task.done() for task in losers) == len(losers) - 1)
        (holder,) = [each for each, task in zip((ann, *many), losers, strict=True) if not task.done()]
        assert {task.result().code for task in losers if task.done()} == {REPLACED}
        listening = losers[(ann, *many).index(holder)]
        listening.cancel()
        await asyncio.wait([listening])
        assert {moved.n for each in many for moved in each.all(wire.Moved)} == {5}
        again = wire.Move(match=ann.match, n=5, move="t")
        assert (await holder.ask(again, wire.Moved)).n == 5
        await bob.move("resign")
        await holder.next(wire.MatchState, lambda state: state.state == "over")
        record = (await holder.ask(wire.GetRecord(match=ann.match), wire.MatchRecord)).record
        assert [text for _, text in record.seats[0].entries[4:]] == ["t"]
        await one_end_each(redis, [ann.match])


async def test_a_late_close_of_the_older_connection_changes_nothing(nodes: tuple[Node, Node]) -> None:
    """The older one hangs in a network that lost it; it ends only when the player has gone on elsewhere."""
    one, other = nodes
    async with proxy(one.port) as cable, visitors(cable.url) as lost, visitors(other.url) as there:
        ann, bob = await two(lost, there, grace=1000)
        await ann.play_on(5)
        cable.swallow()
        again = await there.guest("Ann", key=ann.key)
        await again.resume(ann.match, last=0)
        await again.next(wire.BoardState)
        await again.play_on(5)
        cable.cut()
        await eventually(lambda: not cable.lines)
        cable.flow()
        heard = len(bob.heard)
        await again.play_on(5)
        async with visitors(one.url) as here:  # the server of the older connection has noticed its end by then
            late = await here.guest("Wanda")
            state = await late.watch(ann.match)
            assert all(seat.away is None for seat in state.seats)
        await again.play_on()
        await bob.play_on()
        over = await bob.reached("over", bob.match)
        assert over.result is not None
        states = [message for message in bob.heard[heard:] if isinstance(message, wire.MatchState)]
        assert all(seat.away is None for state in states for seat in state.seats)
        record = (await bob.ask(wire.GetRecord(match=bob.match), wire.MatchRecord)).record
        assert "abandon" not in [text for seat in record.seats for _, text in seat.entries]


async def test_a_house_bot_outlives_its_server_when_its_rival_comes_to_the_other(
    tmp_path: Path, redis: RedisProcess, people: Party
) -> None:
    one = Node(tmp_path, "one", redis.address, "--bots", "1")
    other = Node(tmp_path, "other", redis.address, "--bots", "1")
    async with running(one, other):
        create = wire.Create(game=GAME, level="easy", grace=20_000)
        ann = people.come(Racer([one.url, other.url], create, leash=4))
        await ann.playing()
        await ann.until(lambda: ann.rival is not None and ann.rival.turned >= 1)
        turned = ann.rival.turned if ann.rival else 0
        one.kill()
        await ann.until(lambda: ann.arrivals == 2 and ann.rival is not None and ann.rival.turned > turned)
        assert not ann.rival_away
        await ann.go_on(math.inf)
        await ann.until(lambda: ann.finished)
        async with visitors(other.url) as there:
            wanda = await there.guest("Wanda")
            state = await wanda.watch(ann.match)
            assert state.state in ("playing", "over")
            assert state.state == "over" or all(seat.away is None for seat in state.seats)

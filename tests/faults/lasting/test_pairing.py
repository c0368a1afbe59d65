"""Coming together on two servers: quick matches, and many who want one seat."""

import asyncio
from collections import Counter

from protocol import messages as wire
from server.store.redis_scripts import waiting_key
from tests.faults.checks import ended_well, one_end_each
from tests.faults.guests import Party
from tests.faults.nodes import Node
from tests.faults.racer import GAME, Racer
from tests.server.driver import visitors
from tests.server.store.redis_process import RedisProcess


async def test_two_quick_players_on_different_servers_race_each_other(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party
) -> None:
    one, other = nodes
    ann = people.come(Racer([one.url], wire.Play(game=GAME), "Ann"))
    await ann.has_taken(0)
    bob = people.come(Racer([other.url], wire.Play(game=GAME), "Bob"))
    await ended_well(other.url, [ann, bob])
    assert ann.match == bob.match
    await one_end_each(redis, [ann.match])


async def test_ten_quick_players_on_each_server_at_once_are_all_paired_and_nobody_twice(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party
) -> None:
    one, other = nodes
    async with visitors(one.url) as here, visitors(other.url) as there:
        everyone = [await where.guest(f"Guest {number}") for number in range(10) for where in (here, there)]
        await asyncio.gather(*(player.play(GAME) for player in everyone))
        await asyncio.gather(*(player.reached("seated", player.match) for player in everyone))
        assert set(Counter(player.match for player in everyone).values()) == {2}
        for player in everyone:
            again = await there.stranger(player.name, key=player.key)
            assert (await again.hello()).seats == [player.match]
        assert redis.run("EXISTS", waiting_key(GAME)) == 0


async def test_who_waits_for_a_rival_may_lose_the_connection_and_wait_on_at_the_other_server(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party
) -> None:
    one, other = nodes
    ann = people.come(Racer([one.url, other.url], wire.Play(game=GAME), "Ann"))
    await ann.has_taken(0)
    ann.drop()
    await ann.until(lambda: ann.arrivals == 2)
    ann.fall_asleep()
    await ann.until(lambda: not ann.connected)
    # Nobody is paired with somebody who is away.
    bob = people.come(Racer([other.url, one.url], wire.Play(game=GAME), "Bob"))
    await bob.has_taken(0)
    assert bob.match != ann.match
    ann.awake.set()
    await ann.until(lambda: ann.arrivals == 3)
    carl = people.come(Racer([one.url], wire.Play(game=GAME), "Carl"))
    await carl.has_taken(1)
    dora = people.come(Racer([other.url], wire.Play(game=GAME), "Dora"))
    everyone = [ann, bob, carl, dora]
    await ended_well(one.url, everyone)
    assert {carl.match, dora.match} == {ann.match, bob.match}
    await one_end_each(redis, [ann.match, bob.match])


async def test_of_fifty_who_join_at_once_over_both_servers_one_gets_the_seat(nodes: tuple[Node, Node]) -> None:
    one, other = nodes
    async with visitors(one.url) as here, visitors(other.url) as there:
        for _ in range(3):
            ann = await here.guest("Ann")
            await ann.create(GAME)
            crowd = [await where.guest(f"Guest {number}") for number in range(25) for where in (here, there)]
            join = [wire.Join(match=ann.match) for _ in crowd]
            answers = await asyncio.gather(
                *(guest.ask(wish, wire.ServerMessage) for guest, wish in zip(crowd, join, strict=True))
            )
            seated = [answer for answer in answers if isinstance(answer, wire.MatchState)]
            refused = [answer for answer in answers if isinstance(answer, wire.Refused)]
            assert (len(seated), len(refused)) == (1, 49)
            assert [state.you for state in seated] == [1]
            assert {refusal.code for refusal in refused} == {"match-full"}
            (winner,) = [guest for guest, answer in zip(crowd, answers, strict=True) if answer is seated[0]]
            news = await ann.state("seated", match=ann.match)
            assert [seat.name for seat in news.seats] == ["Ann", winner.name]
            holders = 0
            for guest in crowd:
                again = await there.stranger(guest.name, key=guest.key)
                holders += bool((await again.hello()).seats)
                await again.close()
            assert holders == 1


async def test_a_player_who_joins_twice_at_once_gets_one_seat(nodes: tuple[Node, Node]) -> None:
    """On two sockets of each server, at the same time: one is seated, the others are told that they are already."""
    one, other = nodes
    async with visitors(one.url) as here, visitors(other.url) as there:
        ann = await here.guest("Ann")
        await ann.create(GAME)
        bob = [await here.guest("Bob")]
        bob += [await where.guest("Bob", key=bob[0].key) for where in (here, there, there)]
        answers = await asyncio.gather(*(each.ask(wire.Join(match=ann.match), wire.ServerMessage) for each in bob))
        seated = [answer for answer in answers if isinstance(answer, wire.MatchState)]
        refused = [answer.code for answer in answers if isinstance(answer, wire.Refused)]
        assert ([state.you for state in seated], refused) == ([1], ["already-seated"] * 3)
        state = await ann.state("seated", match=ann.match)
        assert [seat.name for seat in state.seats] == ["Ann", "Bob"]

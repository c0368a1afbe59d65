"""A network that delays, swallows and cuts: between players and servers, and between a server and its Redis."""

import asyncio
import random
from pathlib import Path

import msgspec
import pytest

from engine.sir_tommy import SirTommyView
from engine.verify import verify
from protocol import messages as wire
from protocol.codec import MSGPACK
from tests.faults.checks import ended_well, one_end_each
from tests.faults.guests import Party, Watcher, everyone
from tests.faults.nodes import Node, running
from tests.faults.proxy import proxy
from tests.faults.racer import pairs, two
from tests.faults.test_kill import burst
from tests.faults.waiting import comes_true
from tests.server.driver import visitors
from tests.server.store.redis_process import RedisProcess


async def test_players_behind_a_network_that_delays_and_cuts(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party
) -> None:
    one, other = nodes
    async with proxy(one.port) as here, proxy(other.port) as there:
        here.delay = there.delay = 0.01
        racers = await pairs(people, 6, [here.url, there.url], [there.url, here.url], leash=0, ahead=4)
        watchers = [people.come(Watcher([here.url, there.url], racer.match)) for racer in racers[::4]]
        for cable in (here, there) * 3:
            await burst(racers, 100)
            cable.cut_after(random.randint(1, 400))  # in the middle of a message, as like as not
        await ended_well(one.url, racers, watchers)
        assert sum(racer.resent for racer in racers)
        await one_end_each(redis, [racer.match for racer in racers])


async def test_players_whose_network_swallows_everything_go_on_elsewhere(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party
) -> None:
    """What was sent arrives after all, long after the players have gone on at the other server."""
    one, other = nodes
    async with proxy(one.port) as cable:
        racers = await pairs(
            people, 6, [cable.url, other.url], [other.url], leash=0, ahead=3, pace=0.005, ping_timeout=0.6
        )
        await burst(racers, 60)
        cable.swallow()
        await everyone(racers[::2], lambda racer: racer.arrivals == 2 and racer.entries >= 30)
        cable.flow()
        await ended_well(one.url, racers)
        assert sum(racer.resent for racer in racers[::2])
        await one_end_each(redis, [racer.match for racer in racers])


@pytest.mark.parametrize("size", [1, 30, 62])
async def test_a_move_whose_answer_is_lost_is_sent_again_and_made_once(
    nodes: tuple[Node, Node], redis: RedisProcess, size: int
) -> None:
    """The connection is cut when a part of the move, or all of it, has gone; the last comes to the server."""
    one, other = nodes
    async with proxy(one.port) as cable, visitors(cable.url) as here, visitors(other.url) as there:
        ann, bob = await two(here, there)
        await ann.play_on(4)
        for _ in range(5):
            move = wire.Move(id=99, match=ann.match, n=ann.entries + 1, move="t" if ann.entries % 2 == 0 else "hp1")
            arrives = size >= len(MSGPACK.encode(move)) + 6  # the frame's header and its mask
            cable.cut_after(min(size, len(MSGPACK.encode(move)) + 6))
            await ann.send(move)
            await ann.closed()
            again = await there.guest("Ann", key=ann.key)
            await again.resume(ann.match, last=0)
            board = await again.next(wire.BoardState)
            assert board.n in ((ann.entries, ann.entries + 1) if arrives else (ann.entries,))
            answer = await again.ask(move, wire.Moved)
            assert (answer.n, answer.move) == (move.n, move.move)
            assert await again.ask(move, wire.Moved) == msgspec.structs.replace(answer, re=again._requests)
            refused = await again.refused(wire.Move(match=ann.match, n=move.n, move="stand"))
            assert (refused.code, refused.n) == ("stale", move.n)
            entries = ann.entries + 1
            ann = await here.guest("Ann", key=ann.key)
            await ann.resume(again.match, last=0)
            await ann.next(wire.BoardState)
            assert ann.entries == entries
            assert (await again.closed()).code == 4000
        await ann.play_on()
        await bob.play_on()
        over = await ann.reached("over", ann.match)
        assert over.digest == (await bob.reached("over", bob.match)).digest
        await one_end_each(redis, [ann.match])


async def test_answers_are_lost_while_moves_arrive(
    nodes: tuple[Node, Node], redis: RedisProcess, people: Party
) -> None:
    one, other = nodes
    async with proxy(one.port) as cable:
        racers = await pairs(people, 6, [cable.url, other.url], [other.url], leash=0, ahead=5, pace=0.005)
        await burst(racers, 60)
        for racer in racers:
            racer.leash = 0
        await everyone(racers, lambda racer: not racer.unanswered)
        cable.deaf = True
        passed = cable.passed
        await asyncio.gather(*(racer.go_on() for racer in racers))
        await comes_true(lambda: cable.passed > passed + 500)
        cable.refusing = True
        cable.cut()
        await ended_well(other.url, racers)
        assert sum(racer.resent for racer in racers[::2])
        await one_end_each(redis, [racer.match for racer in racers])


async def test_a_server_whose_redis_is_far_away_and_cut_off_at_times(
    tmp_path: Path, redis: RedisProcess, people: Party
) -> None:
    async with proxy(redis.port) as cable:
        one = Node(tmp_path, "one", f"redis://127.0.0.1:{cable.port}")
        other = Node(tmp_path, "other", redis.address)
        async with running(one, other):
            racers = await pairs(people, 6, [one.url], [other.url], leash=0, ahead=3, pace=0.005)
            cable.delay = 0.005
            await burst(racers, 100)
            cable.cut()
            await burst(racers, 100)
            cable.cut_after(random.randint(1, 2000))  # in the middle of a command
            await burst(racers, 60)
            cable.deaf = True  # the moves are written, and the server does not hear of it
            await racers[1].until(lambda: racers[1].finished or racers[1].entries >= 40)
            cable.cut()
            cable.deaf = False
            await ended_well(one.url, racers)
            await one_end_each(redis, [racer.match for racer in racers])


async def test_a_server_cut_off_from_redis_does_not_fork_what_its_players_go_on_with_elsewhere(
    tmp_path: Path, redis: RedisProcess, people: Party
) -> None:
    """Its Redis swallows everything for a while, and then all its late writes arrive."""
    async with proxy(redis.port) as cable:
        one = Node(tmp_path, "one", f"redis://127.0.0.1:{cable.port}")
        other = Node(tmp_path, "other", redis.address)
        async with running(one, other):
            racers = await pairs(people, 6, [one.url, other.url], [other.url], leash=0, ahead=3, pace=0.005)
            await burst(racers, 60)
            cable.swallow()
            await everyone(racers[::2], lambda racer: racer.unanswered)
            for racer in racers[::2]:
                racer.drop()  # and comes to the other server, while its moves wait here
            await everyone(racers, lambda racer: racer.entries >= 40)
            cable.flow()
            await ended_well(one.url, racers)
            await one_end_each(redis, [racer.match for racer in racers])


async def test_a_refused_move_leaves_both_sides_with_all_cards(nodes: tuple[Node, Node], people: Party) -> None:
    one, other = nodes
    async with visitors(one.url) as here, visitors(other.url) as there:
        ann, bob = await two(here, there)
        await ann.move("t")
        before = ann.entries
        for wrong, code in (
            ("t", "card-in-hand"),
            ("p1f1", "card-in-hand"),
            ("hp9", "no-such-place"),
            ("x", "bad-move"),
        ):
            refused = await ann.refused(wire.Move(match=ann.match, n=before + 1, move=wrong))
            assert (refused.code, refused.n) == (code, before)
        await ann.move("hp1")
        again = await there.guest("Ann", key=ann.key)
        await again.resume(ann.match, last=0)
        board = await again.next(wire.BoardState)
        assert ann.board is not None
        assert (board.n, board.view) == (ann.entries, ann.board.view())
        assert isinstance(board.view, SirTommyView)
        cards = [card for place in (*board.view.piles, *board.view.foundations) for card in place]
        assert (len(cards) + board.view.stock, board.view.hand) == (48, None)
        await again.play_on()
        await bob.play_on()
        await bob.reached("over", bob.match)
        record = (await bob.ask(wire.GetRecord(match=bob.match), wire.MatchRecord)).record
        assert [finding for finding in verify(record) if not finding.fits] == []
        assert [text for _, text in record.seats[0].entries[:2]] == ["t", "hp1"]

"""A Redis that has lost what it had acknowledged: it died with its disk, and an older copy was put back.

Nothing brings those moves back. But everyone is told at once what is there, nobody's board is forked, and the race goes
on from there to one result that its record bears out.
"""

import asyncio
import shutil
from pathlib import Path

from engine.verify import verify
from protocol import messages as wire
from tests.faults.checks import one_end_each
from tests.faults.nodes import Node
from tests.faults.racer import two
from tests.faults.waiting import comes_true
from tests.server.driver import Client, visitors
from tests.server.store.redis_process import RedisProcess

KEPT = ("t", "hp1", "t")
LOST = ("hp2", "t", "hp3")


async def test_everyone_is_told_what_is_left_and_goes_on_from_there(
    nodes: tuple[Node, Node], redis: RedisProcess, tmp_path: Path
) -> None:
    one, other = nodes
    async with visitors(one.url) as here, visitors(other.url) as there:
        ann, bob = await two(here, there)
        eve = await there.guest("Eve")
        await eve.watch(ann.match)
        await ann.move(*KEPT)
        await bob.move(*KEPT)
        copy = await copied(redis, tmp_path / "copy")
        await after_an_outage(ann, *LOST)
        await after_an_outage(bob, *LOST)
        await put_back(redis, copy)

        for player in (ann, bob):
            board = await player.next(wire.BoardState, lambda told, player=player: told.seat == player.seat)  # type: ignore[misc]
            assert (board.n, player.entries) == (len(KEPT), len(KEPT))
        assert (await eve.next(wire.BoardState, lambda told: told.seat == ann.seat)).n <= len(KEPT)
        refused = await ann.refused(wire.Move(match=ann.match, n=len(KEPT) + len(LOST) + 1, move="t"))
        assert (refused.code, refused.n) == ("gap", len(KEPT))
        assert "the store has lost entries" in one.said() + other.said()

        await after_an_outage(ann, "hp4", "t")
        await after_an_outage(bob, "hp1", "stand")
        await ann.move("stand")
        await ann.reached("over", ann.match)
        record = (await ann.ask(wire.GetRecord(match=ann.match), wire.MatchRecord)).record
        assert [finding for finding in verify(record) if not finding.fits] == []
        assert [[text for _, text in seat.entries] for seat in record.seats] == [
            [*KEPT, "hp4", "t", "stand"],
            [*KEPT, "hp1", "stand"],
        ]
        await one_end_each(redis, [ann.match])


async def test_who_plays_a_match_of_which_nothing_is_left_is_sent_away_and_may_play_another(
    nodes: tuple[Node, Node], redis: RedisProcess, tmp_path: Path
) -> None:
    one, other = nodes
    async with visitors(one.url) as here, visitors(other.url) as there:
        copy = await copied(redis, tmp_path / "copy")
        await comes_true(lambda: one.status("/readyz"))
        ann, bob = await two(here, there)
        await put_back(redis, copy)
        await ann.send(wire.Move(match=ann.match, n=1, move="t"))
        assert (await ann.closed()).code == 1011
        await bob.send(wire.Move(match=bob.match, n=1, move="t"))
        assert (await bob.closed()).code == 1011
        again, rival = await two(here, there)
        await again.move("resign")
        await rival.reached("over", rival.match)


async def copied(redis: RedisProcess, copy: Path) -> Path:
    """What it keeps, as it is now."""
    await asyncio.to_thread(redis.stop)
    shutil.copytree(redis.folder, copy)
    await asyncio.to_thread(redis.start)
    return copy


async def put_back(redis: RedisProcess, copy: Path) -> None:
    """It dies, and what is left of it is the copy."""
    await asyncio.to_thread(redis.kill)
    shutil.rmtree(redis.folder)
    shutil.copytree(copy, redis.folder)
    await asyncio.to_thread(redis.start)


async def after_an_outage(player: Client, *moves: str) -> None:
    """Make these moves, each again and again until the server can write it down."""
    for move in moves:
        number = player.entries + 1
        await comes_true(lambda move=move, number=number: is_made(player, number, move), every=0.1)  # type: ignore[misc]


async def is_made(player: Client, number: int, move: str) -> bool:
    answer = await player.ask(wire.Move(match=player.match, n=number, move=move), wire.ServerMessage)
    if isinstance(answer, wire.Refused):
        assert answer.code == "store-failed", answer
        return False
    return True

"""A server stops and another goes on with what the store has."""

import asyncio
from pathlib import Path

import pytest

from protocol import messages as wire
from server.app import RaceServer
from server.clock import wall_clock
from server.events import MATCH_LOG, Seated, Terms, event_text
from server.settings import Settings
from server.store.port import AppendEntry, CreateMatch
from server.store.sqlite import SqliteStore
from tests.server.driver import begin, nothing_left, serving, shift_wall_clock, visitors


async def test_after_a_restart_both_players_go_on_where_they_were(short_countdown: None, tmp_path: Path) -> None:
    async with serving(tmp_path / "matches.db") as (_, people):
        ann, bob = await people.race()
        await ann.play_on(9)
        await bob.play_on(4)
    async with serving(tmp_path / "matches.db") as (_, people):
        ann_again = await people.stranger("Ann", key=ann.key)
        assert (await ann_again.hello()).seats == [ann.match]
        assert (await ann_again.resume(ann.match)).state == "playing"
        board = await ann_again.next(wire.BoardState)
        assert (board.n, board.seat) == (ann.entries, 0)
        bob_again = await people.guest("Bob", key=bob.key)
        await bob_again.resume(bob.match)
        await bob_again.next(wire.BoardState)
        await bob_again.play_on()
        await ann_again.play_on()
        over = await bob_again.reached("over", bob.match)
        record = (await ann_again.ask(wire.GetRecord(match=ann.match), wire.MatchRecord)).record
        assert over.digest == record.digest


async def test_a_restart_is_no_loss_of_time(
    short_countdown: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(tmp_path / "matches.db") as (_, people):
        ann, _bob = await people.race(clock=20_000)
        await ann.move("t")
    shift_wall_clock(monkeypatch, 3_600_000)
    async with serving(tmp_path / "matches.db") as (_, people):
        again = await people.guest("Ann", key=ann.key)
        state = await again.resume(ann.match)
        assert state.state == "playing"
        assert state.left is not None
        assert 10_000 < state.left <= 20_000


async def test_a_wall_clock_set_back_is_no_gain_of_time(
    short_countdown: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(tmp_path / "matches.db") as (_, people):
        ann, _bob = await people.race(clock=20_000)
        first = await ann.move("t")
    shift_wall_clock(monkeypatch, -3_600_000)
    async with serving(tmp_path / "matches.db") as (_, people):
        again = await people.guest("Ann", key=ann.key)
        state = await again.resume(ann.match)
        assert state.left is not None
        assert 10_000 < state.left <= 20_000
        await again.next(wire.BoardState)
        assert first.at <= (await again.move("hp1")).at < 10_000


@pytest.mark.parametrize("far", ["waiting", "seated"])
async def test_a_match_that_has_not_started_waits_on_after_a_restart(
    short_countdown: None, tmp_path: Path, far: str
) -> None:
    async with serving(tmp_path / "matches.db") as (_, people):
        ann, bob = await people.guest("Ann"), await people.guest("Bob")
        await ann.play()
        if far == "seated":
            await bob.play()
            await ann.ready()
    async with serving(tmp_path / "matches.db") as (_, people):
        ann_again, bob_again = await people.guest("Ann", key=ann.key), await people.guest("Bob", key=bob.key)
        assert (await ann_again.resume(ann.match)).state == far
        if far == "seated":
            await bob_again.resume(ann.match)
        else:
            assert (await bob_again.play()).match == ann.match
        await begin(ann_again, bob_again)


async def test_a_match_that_cannot_be_read_keeps_the_server_from_nothing(tmp_path: Path) -> None:
    """It may be of a game that a newer server knew."""
    store = SqliteStore(str(tmp_path / "matches.db"))
    await store.open(lambda _: None)
    for code, game in (("aaaaaaaa", "whist"), ("bbbbbbbb", "sir-tommy")):
        terms = Terms(code, game, 900_000, 60_000, listed=True, secret="5e" * 32, created=wall_clock())
        seated = event_text(Seated(0, "aa" * 32, "Ann"))
        await store.write(code, [CreateMatch(terms), AppendEntry(MATCH_LOG, 1, terms.since, seated)])
    await store.close()
    async with serving(tmp_path / "matches.db") as (_, people):
        assert (await (await people.guest("Eve")).watch("bbbbbbbb")).state == "waiting"


async def test_a_match_that_is_far_ahead_of_its_time_sets_nobodys_clock(tmp_path: Path) -> None:
    """As a server of an older version may have left it that went by a wrong wall clock."""
    store = SqliteStore(str(tmp_path / "matches.db"))
    await store.open(lambda _: None)
    terms = Terms("aaaaaaaa", "sir-tommy", 900_000, 60_000, listed=True, secret="5e" * 32, created=wall_clock())
    seated = event_text(Seated(0, "aa" * 32, "Ann"))
    ahead = terms.since + 3_600_000
    await store.write("aaaaaaaa", [CreateMatch(terms), AppendEntry(MATCH_LOG, 1, ahead, seated)])
    await store.close()
    async with serving(tmp_path / "matches.db") as (running, people):
        await (await people.guest("Eve")).watch("aaaaaaaa")
        assert running.hub.now() < ahead - 3_000_000


async def test_a_finished_match_is_no_work_for_a_server_that_starts(short_countdown: None, tmp_path: Path) -> None:
    async with serving(tmp_path / "matches.db") as (_, people):
        ann, _bob = await people.race()
        await ann.move("resign")
    async with serving(tmp_path / "matches.db") as (running, people):
        assert nothing_left(running)
        assert await running.store.open_matches() == []
        eve = await people.guest("Eve")
        assert (await eve.watch(ann.match)).state == "over"
        assert (await eve.ask(wire.GetRecord(match=ann.match), wire.MatchRecord)).record.result.winner == 1


async def test_clients_are_sent_off_to_come_back(short_countdown: None, tmp_path: Path) -> None:
    running = RaceServer(Settings(host="127.0.0.1", port=0, store="memory:", bots=0))
    async with visitors(f"ws://127.0.0.1:{await running.open()}") as people:
        ann, bob = await people.race()
        closing = asyncio.create_task(running.close())
        for player in (ann, bob):
            assert (await player.closed()).code == 1012
        await closing

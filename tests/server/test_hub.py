"""Matches among connections and a store: order, durability, failures of the store, restarts, and what is left behind."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import server.hub
import server.keeper
from protocol import messages as wire
from server.app import RaceServer
from server.events import Seated, Terms, event_text
from server.hub import ENDED_SEATS_KEPT
from server.settings import Settings
from server.store.port import AppendEntry, Conflict, CreateMatch, SetDue, Store, StoredMatch, StoreError, Write
from server.store.sqlite import SqliteStore
from tests.server.driver import Visitors, begin, eventually, failing, held, visitors


@asynccontextmanager
async def serving(
    path: Path, change: Callable[[RaceServer], None] = lambda _: None
) -> AsyncIterator[tuple[RaceServer, Visitors]]:
    """A server on a store in a file, and those who come to it."""
    running = RaceServer(Settings(host="127.0.0.1", port=0, store=f"sqlite:{path}", bots=0))
    change(running)
    port = await running.open()
    async with visitors(f"ws://127.0.0.1:{port}") as people:
        yield running, people
    await running.close()


def shift_clock(store: Store, milliseconds: int) -> None:
    """From now on the wall clock shows another time."""
    clock = store.clock

    async def shifted() -> int:
        return await clock() + milliseconds

    store.clock = shifted  # type: ignore[method-assign]


# Nothing is told that is not written


async def test_a_move_is_told_to_nobody_before_it_is_written(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await people.race()
    eve = await people.guest("Eve")
    await eve.watch(ann.match)
    await eve.up_to_date()
    everyone = (ann, bob, eve)
    for client in everyone:
        await client.up_to_date()
    before = [len(client.heard) for client in everyone]
    with held(race_server.store):
        await ann.send(wire.Move(match=ann.match, n=1, move="t"))
        await ann.sent()
        await bob.up_to_date()
        await eve.up_to_date()
        assert [len(client.heard) for client in everyone] == [before[0], before[1] + 1, before[2] + 1]
    assert (await ann.next(wire.Moved)).n == 1
    assert (await bob.next(wire.Progress)).turned == 1
    assert (await eve.next(wire.Progress)).turned == 1


async def test_moves_sent_without_waiting_are_answered_in_order(people: Visitors, race_server: RaceServer) -> None:
    ann, _ = await people.race()
    moves = ["t", "hp1", "t", "hp2", "t", "hp3", "hp4", "t", "hp4"]
    with held(race_server.store):
        for number, move in enumerate(moves, start=1):
            await ann.send(wire.Move(id=number, match=ann.match, n=min(number, 7), move=move))
        await ann.sent()
    answers = [await ann.next(wire.ServerMessage, lambda heard: heard.re is not None) for _ in moves]
    assert [answer.re for answer in answers] == [*range(1, 10)]
    expected = [*6 * [wire.Moved], wire.Refused, wire.Moved, wire.Refused]
    assert [type(answer) for answer in answers] == expected


async def test_a_refusal_counts_no_entry_that_is_not_written(people: Visitors, race_server: RaceServer) -> None:
    ann, _ = await people.race()
    with held(race_server.store):
        await ann.send(wire.Move(match=ann.match, n=1, move="t"))
        await ann.send(wire.Move(match=ann.match, n=2, move="t"))
        await ann.sent()
        assert ann.all(wire.Refused) == []
    assert (await ann.next(wire.Refused)).n == 1
    assert [moved.n for moved in ann.all(wire.Moved)] == [1]


async def test_who_resumes_while_moves_are_being_written_gets_each_of_them_once(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, _ = await people.race()
    second = await people.guest("Ann", key=ann.key)
    second.match, second.seat = ann.match, ann.seat
    await ann.move("t", "hp1")
    with held(race_server.store):
        await ann.send(wire.Move(match=ann.match, n=3, move="t"))
        await ann.sent()
        await second.send(wire.Resume(match=ann.match, n=1))
        await second.sent()
        await second.send(wire.Move(match=ann.match, n=4, move="hp2"))
        await second.sent()
    await second.next(wire.Moved, lambda moved: moved.n == 4)
    assert [moved.n for moved in second.all(wire.Moved)] == [2, 3, 4]
    assert second.all(wire.MatchState)[0].you == 0


async def test_who_comes_to_watch_while_moves_are_being_written_sees_each_of_them_once(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, bob = await people.race()
    eve = await people.guest("Eve")
    await bob.move("stand")
    with held(race_server.store):
        await ann.send(wire.Move(match=ann.match, n=1, move="t"))
        await ann.sent()
        await eve.send(wire.Watch(match=ann.match))
        await eve.sent()
        await ann.send(wire.Move(match=ann.match, n=2, move="hp1"))
        await ann.sent()
        await eve.sent()
        assert {type(message) for message in eve.heard} == {wire.Welcome}
    await eve.next(wire.Moved, lambda moved: moved.n == 2)
    boards = [(board.seat, board.n) for board in eve.all(wire.BoardState)]
    assert boards == [(0, 1), (1, 1)]
    assert [moved.n for moved in eve.all(wire.Moved)] == [2]


async def test_who_watches_no_more_before_the_first_word_is_sent_no_more_than_that(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, bob = await people.race()
    eve = await people.guest("Eve")
    with held(race_server.store):
        await ann.send(wire.Move(match=ann.match, n=1, move="t"))
        await ann.sent()
        await eve.send(wire.Watch(match=ann.match))
        await eve.send(wire.Unwatch(match=ann.match))
        await eve.sent()
    await bob.next(wire.Progress)
    await bob.move("t")
    await eve.up_to_date()
    assert race_server.hub.tables[ann.match].sessions == race_server.hub.tables[ann.match].seated
    assert len(eve.all(wire.Progress)) <= 2


# Nothing is left behind


def nothing_left(running: RaceServer) -> bool:
    return not running.hub.tables and len(running.hub.connections) == len(running._server.connections)


async def test_the_table_of_a_match_is_cleared_away_when_everyone_has_left(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, bob = await people.race()
    eve = await people.guest("Eve")
    await eve.watch(ann.match)
    await ann.move("resign")
    for client in (ann, bob, eve):
        assert race_server.hub.tables
        await client.close()
    await eventually(lambda: nothing_left(race_server))


async def test_unwatching_clears_the_table_away_too(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await people.race()
    eve = await people.guest("Eve")
    await eve.watch(ann.match)
    await ann.move("resign")
    await ann.close()
    await bob.close()
    await eve.next(wire.MatchState, lambda news: news.seats[1].away is not None)
    await eve.send(wire.Unwatch(match=ann.match))
    await eve.up_to_date()
    await eventually(lambda: nothing_left(race_server))


async def test_a_match_that_was_given_up_is_cleared_away(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await people.pair()
    await ann.ask(wire.Leave(match=ann.match), wire.MatchState)
    assert (await bob.state("aborted")).aborted == "left"
    await ann.close()
    await bob.close()
    await eventually(lambda: nothing_left(race_server))


@pytest.mark.parametrize(
    "asked",
    [wire.Join, wire.Resume, wire.Leave, wire.Rematch, wire.GetRecord, wire.Watch],
    ids=lambda kind: kind.__name__,
)
async def test_asking_about_a_match_that_has_ended_leaves_no_table_behind(
    people: Visitors, race_server: RaceServer, asked: type[wire.Join]
) -> None:
    ann, bob = await people.race()
    await ann.move("resign")
    await ann.close()
    await bob.close()
    await eventually(lambda: nothing_left(race_server))
    eve = await people.guest("Eve")
    await eve.ask(asked(match=ann.match), wire.ServerMessage)
    await eve.send(wire.Unwatch(match=ann.match))
    await eve.up_to_date()
    await eventually(lambda: nothing_left(race_server))


async def test_one_connection_cannot_fill_the_server_with_matches_that_have_ended(
    people: Visitors, race_server: RaceServer
) -> None:
    ann = await people.guest()
    for _ in range(30):
        await ann.create()
        await ann.ask(wire.Leave(match=ann.match), wire.MatchState)
    assert len(race_server.hub.tables) <= ENDED_SEATS_KEPT + 1
    last = ann.match
    assert (await ann.resume(last)).state == "aborted"


async def test_the_last_matches_of_a_connection_can_still_be_played_again(people: Visitors) -> None:
    ann, bob = await people.race()
    await ann.move("resign")
    over = ann.match
    for _ in range(ENDED_SEATS_KEPT):
        await ann.create()
    ann.match = over
    for player in (ann, bob):
        await player.ask(wire.Rematch(match=over), wire.MatchState)
    assert (await ann.next(wire.MatchState, lambda news: news.next is not None)).match == over


# The clock


async def test_a_grace_period_ends_by_itself(people: Visitors) -> None:
    ann, bob = await people.race(grace=1_000)
    await ann.close()
    await bob.next(wire.Progress, lambda progress: progress.finished)
    await bob.move("stand")
    over = await bob.state("over")
    assert over.result is not None
    assert over.result.reason == "draw"


async def test_what_is_due_is_done_before_a_move_that_comes_late(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = await people.race(clock=10_000)
    now = race_server.hub.now
    for part in (race_server.hub, race_server.hub.ledger):
        monkeypatch.setattr(part, "now", lambda: now() + 10_000)
    refused = await ann.refused(wire.Move(match=ann.match, n=1, move="t"))
    assert (refused.code, refused.n) == ("match-over", 1)
    assert ann.all(wire.Moved)[-1].move == "timeout"


# The store fails


async def test_a_move_that_cannot_be_written_is_refused_and_has_not_happened(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, bob = await people.race()
    eve = await people.guest("Eve")
    await eve.watch(ann.match)
    await ann.move("t", "hp1")
    await bob.move("t")
    with failing(race_server.store):
        refused = await ann.refused(wire.Move(match=ann.match, n=3, move="t"))
        assert (refused.code, refused.n) == ("store-failed", 2)
    assert [moved.n for moved in ann.all(wire.Moved)] == [1, 2]
    assert (await ann.move("t")).n == 3
    assert (await bob.next(wire.Progress, lambda progress: progress.turned == 2)).seat == 0
    assert (await eve.next(wire.Progress, lambda progress: progress.turned == 2)).seat == 0


async def test_a_write_of_which_nobody_knows_whether_it_was_made_is_looked_up(
    people: Visitors, race_server: RaceServer
) -> None:
    """The answer of the store is lost: the move is there, and is answered as if nothing had been."""
    ann, bob = await people.race()
    store, write = race_server.store, race_server.store.write
    lost = 0

    async def lose_the_answer(match: str, writes: Sequence[Write]) -> None:
        nonlocal lost
        await write(match, writes)
        lost += 1
        raise StoreError("the connection is lost")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "write", lose_the_answer)
        await ann.move("t", "hp1", "t")
    assert lost == 3
    assert [moved.n for moved in ann.all(wire.Moved)] == [1, 2, 3]
    await bob.next(wire.Progress, lambda progress: progress.turned == 2)
    stored = await store.read(ann.match)
    assert stored is not None
    assert [text for _, text in stored.boards[0]] == ["t", "hp1", "t"]


async def test_a_store_that_fails_for_a_moment_is_asked_again(people: Visitors, race_server: RaceServer) -> None:
    ann, _ = await people.race()
    store, write, read = race_server.store, race_server.store.write, race_server.store.read
    failures = iter([True, False])

    async def fail_once(match: str, writes: Sequence[Write]) -> None:
        if next(failures):
            raise StoreError("the connection is lost")
        await write(match, writes)

    reads = iter([True, True, True, False])

    async def fail_thrice(match: str) -> StoredMatch | None:
        if next(reads):
            raise StoreError("the connection is refused")
        return await read(match)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "write", fail_once)
        patch.setattr(store, "read", fail_thrice)
        await ann.move("t")
    assert (await ann.move("hp1")).n == 2


async def test_one_match_fails_alone(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await people.race()
    store, write = race_server.store, race_server.store.write

    async def fail_this_match(match: str, writes: Sequence[Write]) -> None:
        if match == ann.match:
            raise StoreError("this one cannot be written")
        await write(match, writes)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "write", fail_this_match)
        others = await people.race()
        for player in (ann, bob):
            assert (await player.refused(wire.Move(match=ann.match, n=1, move="t"))).code == "store-failed"
        for player in others:
            await player.move("t")


async def test_when_another_has_written_the_entry_the_players_go_on_from_there(
    people: Visitors, race_server: RaceServer
) -> None:
    """A zombie, or another server on the same store: the log decides, and nobody's board is forked."""
    ann, bob = await people.race()
    await race_server.store.write(ann.match, [AppendEntry(0, 1, 5, "stand")])
    refused = await ann.refused(wire.Move(match=ann.match, n=1, move="t"))
    assert (refused.code, refused.n) == ("stale", 1)
    assert ann.all(wire.Moved)[-1].move == "stand"
    assert (await bob.next(wire.Progress)).finished


async def test_a_match_that_could_not_be_created_is_nowhere(people: Visitors, race_server: RaceServer) -> None:
    ann = await people.guest("Ann")
    with failing(race_server.store):
        assert (await ann.refused(wire.Create(game="sir-tommy"))).code == "store-failed"
    again = await people.stranger("Ann", key=ann.key)
    assert (await again.hello()).seats == []
    await eventually(lambda: not race_server.hub.tables)


async def test_when_the_end_cannot_be_written_the_match_has_not_ended(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, bob = await people.race()
    with failing(race_server.store):
        assert (await ann.refused(wire.Move(match=ann.match, n=1, move="resign"))).code == "store-failed"
    assert not [news for news in bob.all(wire.MatchState) if news.state == "over"]
    assert (await ann.move("resign")).n == 1
    assert (await bob.state("over")).result is not None


async def test_what_was_due_while_the_store_failed_is_done_when_it_can_be(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.hub, "TICK_AGAIN", 0.01)
    ann, bob = await people.race(grace=1_000)
    with failing(race_server.store):
        await ann.close()
        await eventually(lambda: race_server.hub.ledger.doubtful)
    await bob.next(wire.Progress, lambda progress: progress.finished)
    await bob.move("stand")
    assert (await bob.state("over")).result is not None


async def test_as_long_as_nothing_can_be_written_the_clock_stands_still(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.keeper, "BEAT_EVERY", 0.01)
    ann, _ = await people.race(clock=20_000)
    with failing(race_server.store):
        refused = await ann.refused(wire.Move(match=ann.match, n=1, move="t"))
        assert refused.code == "store-failed"
        shift_clock(race_server.store, 3_600_000)
    news = await ann.next(wire.MatchState, lambda news: news.left is not None and news.re is None)
    assert news.state == "playing"
    assert news.left is not None
    assert 10_000 < news.left < 20_100  # the countdown is credited, too
    assert (await ann.move("t")).n == 1


async def test_no_record_is_given_out_of_an_end_that_is_not_written(people: Visitors, race_server: RaceServer) -> None:
    """It has the server's secret, and all cards."""
    ann, bob = await people.race()
    with held(race_server.store) as store:
        await ann.send(wire.Move(match=ann.match, n=1, move="resign"))
        await ann.sent()
        await bob.send(wire.GetRecord(match=ann.match))
        await bob.sent()
        assert bob.all(wire.MatchRecord) == []
        await eventually(lambda: race_server.hub.tables[ann.match].users == 2)
        store.go.set()
        await bob.next(wire.MatchRecord)
    carl, dora = await people.race()
    with failing(race_server.store):
        assert (await carl.refused(wire.Move(match=carl.match, n=1, move="resign"))).code == "store-failed"
        assert (await dora.refused(wire.GetRecord(match=carl.match))).code in ("store-failed", "not-over")


async def test_that_the_race_has_begun_is_told_although_the_store_failed_at_it(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, bob = await people.pair()
    store, write = race_server.store, race_server.store.write
    failed = 0

    async def fail_at_the_start(match: str, writes: Sequence[Write]) -> None:
        nonlocal failed
        if [type(each) for each in writes] == [SetDue] and not failed:
            failed += 1
            raise StoreError("the connection is lost")
        await write(match, writes)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "write", fail_at_the_start)
        await begin(ann, bob)
    assert failed == 1


async def test_what_was_told_is_not_told_again_when_the_store_could_not_be_read(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, bob = await people.race()
    eve = await people.guest("Eve")
    await eve.watch(ann.match)
    await bob.move("stand")
    await ann.move("t", "hp1")

    async def fail(*_: object) -> None:
        raise StoreError("the connection is lost")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(race_server.store, "read", fail)
        race_server.hub._hear(ann.match)
        await eventually(lambda: race_server.hub.tables[ann.match].stale)
    await ann.move("t")
    await eve.next(wire.Moved, lambda moved: (moved.seat, moved.n) == (0, 3))
    assert [moved.n for moved in ann.all(wire.Moved)] == [1, 2, 3]
    assert [moved.n for moved in eve.all(wire.Moved) if moved.seat == 0] == [1, 2, 3]


async def test_a_match_that_the_store_has_lost_is_lost_here_too(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await people.race()

    async def lose(*_: object) -> None:
        return None

    async def conflict(*_: object) -> None:
        raise Conflict("there is no such match")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(race_server.store, "write", conflict)
        patch.setattr(race_server.store, "read", lose)
        await ann.send(wire.Move(match=ann.match, n=1, move="t"))
        for player in (ann, bob):
            assert (await player.closed()).code == 1011
    await eventually(lambda: nothing_left(race_server))


async def test_when_the_store_cannot_be_read_the_request_is_refused_and_the_connection_stays(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise StoreError("the file is broken")

    monkeypatch.setattr(race_server.store, "read", fail)
    ann = await people.guest()
    assert (await ann.refused(wire.Watch(match="abcdefgh"))).code == "store-failed"
    await ann.up_to_date()


# Restarts


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


async def test_a_restart_is_no_loss_of_time(short_countdown: None, tmp_path: Path) -> None:
    def an_hour_later(running: RaceServer) -> None:
        shift_clock(running.store, 3_600_000)

    async with serving(tmp_path / "matches.db") as (_, people):
        ann, _bob = await people.race(clock=20_000)
        await ann.move("t")
    async with serving(tmp_path / "matches.db", an_hour_later) as (_, people):
        again = await people.guest("Ann", key=ann.key)
        state = await again.resume(ann.match)
        assert state.state == "playing"
        assert state.left is not None
        assert 10_000 < state.left <= 20_000


async def test_a_wall_clock_set_back_is_no_gain_of_time(short_countdown: None, tmp_path: Path) -> None:
    def an_hour_earlier(running: RaceServer) -> None:
        shift_clock(running.store, -3_600_000)

    async with serving(tmp_path / "matches.db") as (_, people):
        ann, _bob = await people.race(clock=20_000)
        first = await ann.move("t")
    async with serving(tmp_path / "matches.db", an_hour_earlier) as (_, people):
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
        terms = Terms(code, game, 900_000, 60_000, listed=True, secret="5e" * 32, created=1_700_000_000_000)
        seated = event_text(Seated(0, "aa" * 32, "Ann"))
        await store.write(code, [CreateMatch(terms), AppendEntry(2, 1, 1_700_000_000_000, seated)])
    await store.close()
    async with serving(tmp_path / "matches.db") as (_, people):
        assert (await (await people.guest("Eve")).watch("bbbbbbbb")).state == "waiting"


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

"""Matches among connections and a store: order, durability, time, and what is left behind."""

import asyncio
from typing import Any

import pytest

from engine.board import Steps
from protocol import messages as wire
from server.app import RaceServer
from server.hub import ENDED_SEATS_KEPT, nothing
from server.store.port import StoreError
from tests.server.driver import Visitors, eventually, held, nothing_left

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
        assert {type(message) for message in eve.heard} == {wire.Greeting, wire.Welcome}
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


async def test_a_match_that_is_laid_again_while_it_is_loaded_has_one_table(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody has had the table in hand all the while, as when the store answers late."""
    hub, done = race_server.hub, race_server.hub.thinking.done
    reached, go_on = asyncio.Event(), asyncio.Event()

    async def late(work: Steps[Any], *asked: Any) -> Any:
        reached.set()
        await go_on.wait()
        return await done(work, *asked)

    ann = await people.guest("Ann")
    await ann.play()
    table = hub.tables[ann.match]
    hub.clear(table)
    with monkeypatch.context() as patched:
        patched.setattr(hub.thinking, "done", late)
        loading = asyncio.create_task(hub.table(ann.match))
        await reached.wait()
    await hub.act(table, nothing)
    go_on.set()
    assert await loading is table
    assert hub.tables[ann.match] is table


async def test_a_connection_that_is_closed_gets_no_seat(people: Visitors, race_server: RaceServer) -> None:
    """It was there when it asked, and the store has taken its time: nobody would ever free the seat."""
    ann, _ = await people.pair()
    table = race_server.hub.tables[ann.match]
    session = table.seated[ann.seat]
    assert session is not None
    await ann.close()
    await eventually(lambda: table.seated[ann.seat] is None)
    race_server.hub.take_seat(table, ann.seat, session)
    assert table.seated[ann.seat] is None


async def test_a_table_that_was_laid_anew_is_the_only_one_that_is_acted_on(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, bob = await people.race()
    await ann.move("t")
    hub = race_server.hub
    older = hub.tables[ann.match]
    hub.clear(older)
    newer = await hub.table(ann.match)
    assert newer is not older
    with pytest.raises(StoreError):
        await hub.act(older, nothing)
    assert hub.tables[ann.match] is newer
    for player in (ann, bob):
        await player.resume(ann.match)
    assert (await ann.move("hp1")).n == 2

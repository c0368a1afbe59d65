"""A match restored from its logs, and the time in which nobody served it."""

from collections.abc import Callable

import pytest

from engine.board import Status
from engine.result import Reason, Result, Standing, decide
from protocol.messages import BoardState
from server.course import State
from server.effects import SPECTATORS
from server.events import (
    MATCH_LOG,
    Aborted,
    Credited,
    Dealt,
    Finished,
    Terms,
    Went,
    board_log,
    event_text,
    parse_event,
)
from server.match import COUNTDOWN, READY_LIMIT, REVEAL_LIMIT, WAITING_LIMIT, Match
from tests.server.desk import (
    ANN,
    BOB,
    CLOCK,
    CODE,
    CREATED,
    GRACE,
    NAMES,
    NONCES,
    PLAYERS,
    Desk,
    committed,
    last_state,
    over,
    picture,
    solve,
    verified,
)

# Restored from the logs


def everything_that_can_happen(desk: Desk) -> list[Callable[[], None]]:
    """A whole match in steps, each of them a command."""

    def step(command: str, *args: object) -> Callable[[], None]:
        return lambda: desk.do(command, *args)

    return [
        step("sit", PLAYERS[ANN], "Ann", "a-1"),
        step("sit", PLAYERS[BOB], "Bob", "b-1"),
        *(step("ready", seat, committed(seat)) for seat in (BOB, ANN)),
        *(step("reveal", seat, NONCES[seat]) for seat in (ANN, BOB)),
        lambda: desk.wait(1_000),
        lambda: desk.wait(COUNTDOWN),
        *(lambda seat=seat: desk.play(seat, 1) for seat in (ANN, BOB, ANN, ANN, ANN, BOB, ANN) * 9),
        lambda: desk.wait(1_234),
        lambda: desk.move(ANN, "stand"),
        lambda: desk.play(BOB, 5),
        lambda: desk.wait(CLOCK),
        step("again", BOB),
        step("again", ANN),
        step("follow", "stuvwxyz"),
        step("leave", ANN),
    ]


@pytest.mark.parametrize("game", ["sir-tommy", "strategy", "calculation+redeal", "puss-in-the-corner"])
def test_a_match_restored_from_its_logs_equals_the_live_one_after_every_step(game: str) -> None:
    desk = Desk(game)
    for step in everything_that_can_happen(desk):
        step()
        restored = desk.restored_and_served()
        assert restored.state is desk.state()
        assert picture(restored, desk.now, connections=False) == picture(desk.match, desk.now, connections=False)


def test_logs_cut_off_after_any_submission_restore_a_match_with_just_these_entries_that_still_ends() -> None:
    desk = Desk("puss-in-the-corner+redeal").playing()
    while desk.state() is State.PLAYING:
        desk.play(ANN, 3)
        desk.play(BOB, 2)
        desk.wait(100)
    assert [type(event) for event in desk.events].count(Finished) == 1
    for length in desk.submitted:
        cut = Desk("puss-in-the-corner+redeal")
        for entry in desk.history[:length]:
            cut.logs[entry.log].append((entry.at, entry.text))
        cut.now = desk.now
        cut.restart()
        assert [[entry.text for entry in seat.entries] for seat in cut.match.seats] == [
            [text for _, text in log] for log in cut.logs[board_log(0) : board_log(len(cut.match.seats))]
        ]
        cut.wait(CLOCK + WAITING_LIMIT)
        assert cut.state() in (State.OVER, State.ABORTED)
        verified(cut)


def test_a_result_that_was_never_written_is_found_when_the_match_is_served_again(easy_cards: None) -> None:
    desk = Desk().playing()
    solve(desk, ANN)
    assert isinstance(desk.events[-1], Finished)
    desk.logs[MATCH_LOG].pop()
    desk.restart()
    assert desk.match.result == Result(ANN, Reason.SOLVED, [1, 2])
    assert desk.state() is State.OVER


def test_boards_solved_at_the_same_time_by_two_servers_are_a_draw(easy_cards: None) -> None:
    desk = Desk().playing()
    solve(desk, ANN, all_but=1)
    solve(desk, BOB, all_but=1)
    for log in desk.logs[board_log(0) :]:
        log.append((5_000, "hf4"))
    desk.oversleep(5_000)
    desk.restart()
    assert desk.match.result == Result(None, Reason.DRAW, [1, 1])
    assert desk.match.result == decide([Standing(Status.SOLVED, 52, 5_000)] * 2)
    verified(desk)


def test_the_race_goes_on_after_a_restart_without_showing_spectators_more_than_before() -> None:
    desk = Desk().playing()
    desk.move(ANN, "t", "hp1", "t", "hp2", "t", "hp3")
    desk.move(BOB, "t", "hp4")
    shown = desk.match.watched()
    desk.forget()
    desk.match = desk.restored()
    desk.match.recover(desk.now, alive=lambda _: False)
    desk.match.spectators = 1
    assert desk.match.watched() in ([], shown)
    desk.wait(0)
    boards = [message for message in desk.new(SPECTATORS) if isinstance(message, BoardState)]
    assert boards in ([], shown[:2])
    assert desk.match.watched() == shown


def test_players_can_go_on_after_a_restart() -> None:
    desk = Desk().playing()
    desk.play(ANN, 7)
    desk.play(BOB, 3)
    desk.restart()
    desk.resume(ANN, 7)
    desk.resume(BOB, 3)
    desk.play(ANN)
    desk.play(BOB)
    assert desk.state() is State.OVER
    verified(desk)


# A server dies, and another goes on


def test_a_race_goes_on_with_the_time_it_had() -> None:
    desk = Desk().playing()
    desk.wait(200_000)
    desk.move(ANN, "t")
    desk.restart()
    assert desk.state() is State.PLAYING
    desk.resume(ANN, 1)
    desk.resume(BOB, 0)
    assert last_state(desk.new(ANN)).left == CLOCK - 200_000
    desk.move(ANN, "hp1")
    assert desk.logs[board_log(ANN)] == [(200_000, "t"), (200_000, "hp1")]
    desk.wait(CLOCK - 200_000 - 1)
    assert desk.state() is State.PLAYING
    desk.wait(1)
    assert desk.state() is State.OVER
    verified(desk)


def test_both_players_have_a_grace_period_to_come_back() -> None:
    desk = Desk().playing()
    desk.wait(50_000)
    desk.restart()
    assert [seat.away_since for seat in desk.match.seats] == [desk.now, desk.now]
    desk.wait(GRACE)
    assert [seat.last.status for seat in desk.match.seats] == 2 * [Status.ABANDONED]
    verified(desk)


def test_the_countdown_goes_on() -> None:
    desk = Desk().counting_down()
    desk.wait(1_000)
    desk.restart()
    assert desk.state() is State.COUNTDOWN
    assert desk.match.due == desk.now + COUNTDOWN - 1_000


@pytest.mark.parametrize(("far", "limit"), [(Desk.seated, READY_LIMIT), (Desk.revealing, REVEAL_LIMIT)])
def test_what_the_match_waits_for_has_the_time_it_had(far: Callable[[Desk], Desk], limit: int) -> None:
    desk = far(Desk())
    desk.wait(limit - 5_000)
    desk.restart()
    for seat in (ANN, BOB):
        desk.resume(seat, 0)
    assert last_state(desk.new(ANN)).waits == 5_000
    desk.wait(4_999)
    assert desk.state() is not State.ABORTED
    desk.wait(1)
    assert desk.state() is State.ABORTED
    verified(desk)


def test_no_entry_is_older_than_the_one_before_though_the_clock_goes_on_from_the_last_beat() -> None:
    desk = Desk().playing()
    desk.wait(200_000)
    desk.move(ANN, "t")
    desk.wait(500)
    desk.restart(lost=900)
    desk.resume(ANN, 1)
    desk.move(ANN, "hp1")
    desk.wait(901)
    desk.move(ANN, "t")
    assert desk.logs[board_log(ANN)] == [(200_000, "t"), (200_000, "hp1"), (200_901, "t")]


def test_no_entry_is_from_before_the_race_though_the_clock_goes_on_from_before_its_start() -> None:
    desk = Desk().playing()
    desk.restart(lost=900)
    desk.resume(ANN, 0)
    desk.wait_for_due()
    desk.move(ANN, "t")
    assert desk.logs[board_log(ANN)] == [(0, "t")]


def test_a_match_of_an_older_version_has_its_downtime_credited() -> None:
    """It went by the wall clock, and its log says what nobody served."""
    desk = Desk().playing()
    desk.wait(50_000)
    left, starts = Went(ANN, desk.match.seats[ANN].connection or ""), desk.match.starts
    for event in (left, Credited(20_000)):
        desk.logs[MATCH_LOG].append((desk.now, event_text(event)))
    match = desk.restored()
    assert match.starts == starts + 20_000
    assert match.seats[ANN].away_since == desk.now + 20_000
    text = '{"event":"credited","downtime":20000,"outage":7}'
    assert parse_event(text) == Credited(20_000)


def test_a_match_that_has_ended_recovers_to_nothing() -> None:
    desk = over()
    before, logged = desk.picture(), len(desk.history)
    desk.restart()
    assert len(desk.history) == logged
    assert desk.match.record == desk.restored().record
    assert len(desk.picture()) == len(before)


# The log


def test_the_match_log_tells_the_match_in_order(easy_cards: None) -> None:
    desk = Desk().playing()
    desk.move(ANN, "stand")
    desk.move(BOB, "stand")
    desk.do("again", ANN)
    desk.do("again", BOB)
    desk.do("follow", "stuvwxyz")
    desk.do("leave", ANN)
    names = [type(event).__name__ for event in desk.events]
    assert names == [
        *("Seated", "Came", "Seated", "Came", "Committed", "Committed", "Revealed", "Revealed", "Dealt", "Finished"),
        *("Again", "Again", "Followed", "Left"),
    ]
    assert Dealt(desk.match.starts) in desk.events


def test_an_abort_is_written_with_its_reason() -> None:
    desk = Desk().seated()
    desk.wait(READY_LIMIT)
    assert desk.events[-1] == Aborted("not-ready")


def test_who_asks_gets_the_number_of_the_request_back_and_nobody_else_does() -> None:
    desk = Desk()
    desk.sit(PLAYERS[ANN], NAMES[ANN], re=1)
    desk.sit(PLAYERS[BOB], NAMES[BOB], re=2)
    desk.do("ready", ANN, committed(ANN), re=3)
    answers = [(audience, message.re) for audience, message in desk.said if message.re is not None]
    assert answers == [(ANN, 1), (BOB, 2), (ANN, 3)]


def test_a_match_of_an_unknown_game_cannot_be_made() -> None:
    with pytest.raises(Exception, match="there is no game"):
        Match(Terms(CODE, "whist", CLOCK, GRACE, listed=True, secret="5e" * 32, created=CREATED))

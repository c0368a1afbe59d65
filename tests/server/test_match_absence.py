"""Players who stay away from a race, for how long they may, and what they get when they resume."""

import pytest

from engine.board import Status
from engine.result import Reason, Result
from protocol.messages import BoardState, MatchState, Progress
from server.course import State
from server.effects import SPECTATORS
from tests.server.desk import ANN, BOB, CLOCK, GRACE, Desk, last_state, moves_seen, verified

# The grace period


def test_the_player_is_told_of_an_end_that_the_server_made() -> None:
    desk = Desk().playing()
    desk.move(BOB, "stand")
    desk.drop(ANN)
    desk.forget()
    desk.wait(GRACE)
    assert moves_seen(desk.new(ANN), ANN) == [(1, "abandon")]


def test_who_stays_away_longer_than_the_grace_period_has_abandoned_the_board() -> None:
    desk = Desk().playing()
    desk.drop(ANN)
    told = last_state(desk.new(BOB))
    assert told.seats[ANN].away == GRACE
    desk.wait(GRACE - 1)
    assert desk.board(ANN).status is Status.PLAYING
    desk.wait(1)
    assert desk.board(ANN).status is Status.ABANDONED
    assert desk.state() is State.PLAYING
    desk.move(BOB, "stand")
    assert desk.match.result == Result(None, Reason.DRAW, [1, 1])
    verified(desk)


def test_a_leaver_does_not_freeze_the_match_and_may_even_win(easy_cards: None) -> None:
    desk = Desk().playing()
    desk.move(ANN, "t", "hf1")
    desk.drop(ANN)
    desk.drop(BOB)
    desk.wait(GRACE)
    assert desk.match.result == Result(ANN, Reason.COUNT, [1, 2])
    verified(desk)


def test_who_comes_back_in_time_plays_on() -> None:
    desk = Desk().playing()
    desk.drop(ANN)
    desk.wait(GRACE - 1)
    desk.resume(ANN, 0)
    desk.wait(GRACE)
    desk.move(ANN, "t")
    assert last_state(desk.new(BOB)).seats[ANN].away is None


def test_each_absence_has_the_whole_grace_period() -> None:
    desk = Desk().playing()
    for _ in range(3):
        desk.drop(ANN)
        desk.wait(GRACE - 1)
        desk.resume(ANN, 0)
    assert desk.board(ANN).status is Status.PLAYING


def test_the_absence_of_a_player_with_a_finished_board_matters_no_more() -> None:
    desk = Desk().playing()
    desk.move(ANN, "stand")
    desk.drop(ANN)
    assert desk.match.due == desk.match.starts + CLOCK
    desk.wait(2 * GRACE)
    assert desk.board(ANN).status is Status.STOOD


# Resuming


def test_who_resumes_gets_the_entries_that_are_missing() -> None:
    desk = Desk().playing()
    desk.move(ANN, "t", "hp1", "t", "hp2")
    desk.drop(ANN)
    desk.forget()
    desk.resume(ANN, 2, re=21)
    state, *rest = desk.new(ANN)
    assert isinstance(state, MatchState)
    assert (state.re, state.you, state.state) == (21, ANN, "playing")
    assert moves_seen(rest, ANN) == [(3, "t"), (4, "hp2")]
    assert rest[-1] == desk.match.seats[BOB].progress()


def test_who_resumes_with_everything_at_hand_gets_no_entry_again() -> None:
    desk = Desk().playing()
    desk.move(ANN, "t", "hp1")
    desk.forget()
    desk.resume(ANN, 2)
    assert [type(message) for message in desk.new(ANN)] == [MatchState, Progress]


@pytest.mark.parametrize("number", [0, 3, 1_000_000])
def test_who_resumes_with_nothing_or_with_what_cannot_be_gets_the_whole_board(number: int) -> None:
    desk = Desk().playing()
    desk.move(ANN, "t", "hp1")
    desk.forget()
    desk.resume(ANN, number)
    assert [type(message) for message in desk.new(ANN)] == [MatchState, BoardState, Progress]


def test_who_resumes_before_the_start_gets_the_state_alone() -> None:
    desk = Desk().counting_down()
    desk.drop(ANN)
    desk.forget()
    desk.resume(ANN, 0)
    assert [type(message) for message in desk.new(ANN)] == [MatchState]


def test_who_resumes_after_the_end_gets_both_boards() -> None:
    desk = Desk().playing()
    desk.play(ANN, 3)
    desk.move(BOB, "resign")
    desk.drop(ANN)
    desk.forget()
    desk.resume(ANN, 0)
    boards = [message for message in desk.new(ANN) if isinstance(message, BoardState)]
    assert boards == [desk.match.seats[ANN].own_board(), desk.match.seats[BOB].own_board()]


def test_the_other_player_sees_who_is_away_and_who_is_back() -> None:
    desk = Desk().playing()
    desk.drop(ANN)
    desk.wait(1_000)
    desk.drop(BOB)
    assert [seat.away for seat in last_state(desk.new(SPECTATORS)).seats] == [GRACE - 1_000, GRACE]
    desk.resume(ANN, 0)
    assert [seat.away for seat in last_state(desk.new(ANN)).seats] == [None, GRACE]

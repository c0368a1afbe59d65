"""The countdown and the start of a race: when, with what on the table, and no move before."""

from collections.abc import Callable

import pytest

from engine.board import Status
from protocol.messages import BoardState, MatchState, Progress
from server.course import State
from server.effects import SPECTATORS
from server.events import board_log
from server.match import COUNTDOWN
from tests.server.desk import ANN, BOB, CLOCK, GRACE, NONCES, Desk, last_state


def test_both_nonces_start_the_countdown_and_are_shown() -> None:
    desk = Desk().counting_down()
    told = last_state(desk.new(BOB))
    assert (told.state, told.starts, told.left) == ("countdown", COUNTDOWN, None)
    assert [seat.nonce for seat in told.seats] == list(NONCES)
    assert told.secret is None


def test_no_card_and_no_board_is_seen_before_the_start() -> None:
    desk = Desk().counting_down()
    assert {type(message) for _, message in desk.said} == {MatchState}
    assert desk.match.watched() == []


def test_no_move_is_made_before_the_start() -> None:
    desk = Desk().counting_down()
    desk.wait(COUNTDOWN - 1)
    with desk.refuses("not-started", n=0):
        desk.do("move", ANN, 1, "t")


@pytest.mark.parametrize("far", [Desk.seated, Desk.revealing])
def test_no_move_is_made_before_there_are_cards(far: Callable[[Desk], Desk]) -> None:
    desk = far(Desk())
    with desk.refuses("not-started", n=0):
        desk.do("move", ANN, 1, "t")


def test_the_race_starts_when_the_countdown_is_over() -> None:
    desk = Desk().counting_down()
    desk.forget()
    desk.wait(COUNTDOWN)
    assert desk.state() is State.PLAYING
    for audience, boards in ((ANN, [ANN]), (BOB, [BOB]), (SPECTATORS, [ANN, BOB])):
        state, *rest = desk.new(audience)
        assert isinstance(state, MatchState)
        assert (state.state, state.left) == ("playing", CLOCK)
        shown = [message for message in rest if isinstance(message, BoardState)]
        assert [(board.seat, board.n, board.count, board.view.stock) for board in shown] == [
            (seat, 0, 0, 52) for seat in boards
        ]
        others = [message.seat for message in rest if isinstance(message, Progress)]
        assert others == [seat for seat in (ANN, BOB) if seat != audience]


def test_a_move_that_comes_with_the_end_of_the_countdown_is_made() -> None:
    desk = Desk().counting_down()
    desk.oversleep(COUNTDOWN)
    desk.do("move", ANN, 1, "t")
    assert desk.logs[board_log(ANN)] == [(0, "t")]


def test_the_clock_runs_from_the_end_of_the_countdown_however_late_the_server_is() -> None:
    desk = Desk().counting_down()
    desk.oversleep(COUNTDOWN + 250)
    desk.do("move", ANN, 1, "t")
    assert desk.logs[board_log(ANN)] == [(250, "t")]
    assert last_state(desk.new(ANN)).left == CLOCK - 250


def test_who_is_away_when_the_race_starts_has_the_rest_of_the_grace_period() -> None:
    desk = Desk().counting_down()
    desk.drop(BOB)
    desk.wait(GRACE - 1)
    assert desk.board(BOB).status is Status.PLAYING
    desk.wait(1)
    assert desk.board(BOB).status is Status.ABANDONED

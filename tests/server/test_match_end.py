"""The ends of a board and of a race, and what everyone is told then."""

import pytest

from engine.board import Status
from engine.result import Reason, Result
from protocol.messages import MatchState, Moved, Progress
from server.course import NEVER, State
from server.effects import SPECTATORS, Refusal
from server.events import Finished, board_log
from tests.server.desk import ANN, BOB, CLOCK, Desk, get_stuck, last_state, moves_seen, solve, verified

# The ends of a board, and of a race


def test_the_first_to_solve_wins_at_once(easy_cards: None) -> None:
    desk = Desk().playing()
    solve(desk, ANN)
    assert desk.state() is State.OVER
    assert desk.match.result == Result(ANN, Reason.SOLVED, [1, 2])
    assert desk.board(ANN).status is Status.SOLVED
    assert desk.board(BOB).status is Status.PLAYING
    verified(desk)


def test_the_second_to_solve_is_too_late_even_within_the_same_millisecond(easy_cards: None) -> None:
    desk = Desk().playing()
    solve(desk, ANN, all_but=1)
    solve(desk, BOB, all_but=1)
    desk.move(BOB, "hf4")
    with desk.refuses("match-over", n=103):
        desk.do("move", ANN, 104, "hf4")
    assert desk.match.result == Result(BOB, Reason.SOLVED, [2, 1])
    verified(desk)


def test_a_stuck_board_is_finished_and_the_other_player_goes_on(easy_cards: None) -> None:
    desk = Desk().playing()
    get_stuck(desk, ANN)
    assert desk.board(ANN).status is Status.STUCK
    assert desk.board(ANN).count == 4
    assert desk.state() is State.PLAYING
    with desk.refuses("board-finished", n=desk.count_of(ANN)):
        desk.do("move", ANN, desk.count_of(ANN) + 1, "p1f1")


def test_when_both_boards_are_finished_the_higher_count_wins(easy_cards: None) -> None:
    desk = Desk().playing()
    get_stuck(desk, ANN)
    desk.move(BOB, "stand")
    assert desk.match.result == Result(ANN, Reason.COUNT, [1, 2])
    assert [seat.last.status for seat in desk.match.seats] == [Status.STUCK, Status.STOOD]
    verified(desk)


def test_equal_counts_are_a_draw(easy_cards: None) -> None:
    desk = Desk().playing()
    for seat in (ANN, BOB):
        desk.move(seat, "t", "hf1", "stand")
    assert desk.match.result == Result(None, Reason.DRAW, [1, 1])
    assert [seat.last.count for seat in desk.match.seats] == [1, 1]
    verified(desk)


def test_who_stands_waits_for_the_other_player(easy_cards: None) -> None:
    desk = Desk().playing()
    desk.move(ANN, "t", "hf1", "stand")
    assert desk.state() is State.PLAYING
    with desk.refuses("board-finished", n=3):
        desk.do("move", ANN, 4, "t")
    with desk.refuses("board-finished", n=3):
        desk.do("move", ANN, 4, "resign")
    desk.move(BOB, "t", "hf1", "t", "hf2", "stand")
    assert desk.match.result == Result(BOB, Reason.COUNT, [2, 1])
    verified(desk)


def test_one_may_stand_with_a_card_in_hand_which_does_not_count(easy_cards: None) -> None:
    desk = Desk().playing()
    desk.move(ANN, "t", "stand")
    assert desk.board(ANN).count == 0
    assert desk.board(ANN).status is Status.STOOD


def test_who_resigns_loses_at_once_whatever_the_counts(easy_cards: None) -> None:
    desk = Desk().playing()
    solve(desk, ANN, all_but=2)
    desk.move(ANN, "resign")
    assert desk.match.result == Result(BOB, Reason.RESIGNED, [2, 1])
    assert desk.board(ANN).count == 51
    verified(desk)


def test_one_may_resign_before_the_first_turn() -> None:
    desk = Desk().playing()
    desk.move(BOB, "resign")
    assert desk.match.result == Result(ANN, Reason.RESIGNED, [1, 2])
    verified(desk)


def test_the_clock_ends_both_boards_and_the_counts_stand(easy_cards: None) -> None:
    desk = Desk().playing()
    desk.move(BOB, "t", "hf1")
    desk.wait(CLOCK - 1)
    assert desk.state() is State.PLAYING
    desk.wait(1)
    assert [seat.last.status for seat in desk.match.seats] == 2 * [Status.TIMED_OUT]
    assert desk.match.result == Result(BOB, Reason.COUNT, [2, 1])
    assert (desk.logs[board_log(ANN)][-1], desk.logs[board_log(BOB)][-1]) == ((CLOCK, "timeout"), (CLOCK, "timeout"))
    verified(desk)


def test_the_clock_leaves_a_finished_board_as_it_is() -> None:
    desk = Desk().playing()
    desk.move(ANN, "stand")
    desk.wait(CLOCK)
    assert [seat.last.status for seat in desk.match.seats] == [Status.STOOD, Status.TIMED_OUT]
    assert desk.match.result == Result(None, Reason.DRAW, [1, 1])
    verified(desk)


def test_a_move_that_comes_with_the_end_of_the_clock_is_too_late() -> None:
    desk = Desk().playing()
    desk.oversleep(CLOCK)
    with pytest.raises(Refusal) as caught:
        desk.do("move", ANN, 1, "t")
    assert (caught.value.code, caught.value.n) == ("match-over", 1)
    assert desk.logs[board_log(ANN)] == [(CLOCK, "timeout")]
    verified(desk)


def test_a_server_that_wakes_late_still_ends_the_race_by_the_clock() -> None:
    desk = Desk().playing()
    desk.drop(ANN)
    desk.oversleep(3 * CLOCK)
    desk.wait(0)
    assert [seat.last.status for seat in desk.match.seats] == 2 * [Status.TIMED_OUT]
    verified(desk)


# What everyone is told at the end


def test_at_the_end_everyone_is_told_everything(easy_cards: None) -> None:
    desk = Desk().playing()
    desk.match.spectators = 1
    desk.move(ANN, "t", "hf1", "t", "hf2", "t", "hp1")
    desk.move(BOB, "t")
    desk.forget()
    desk.move(BOB, "resign")
    told = desk.new(SPECTATORS)
    assert moves_seen(told, ANN) == [(1, "t"), (2, "hf1"), (3, "t"), (4, "hf2"), (5, "t"), (6, "hp1")]
    assert moves_seen(told, BOB) == [(2, "resign")]
    finals = [message for message in told if isinstance(message, Progress)]
    assert [(final.seat, final.turned, final.status, final.count) for final in finals] == [
        (ANN, 3, Status.PLAYING, 2),
        (BOB, 1, Status.RESIGNED, 0),
    ]
    state = last_state(told)
    assert (state.state, state.result, state.secret) == (
        "over",
        Result(ANN, Reason.RESIGNED, [1, 2]),
        desk.terms.secret,
    )
    assert state.digest == desk.match.record.digest


@pytest.mark.parametrize("seat", [ANN, BOB])
def test_at_the_end_each_player_is_shown_the_others_board(seat: int) -> None:
    desk = Desk().playing()
    desk.play(ANN, 7)
    desk.play(BOB, 4)
    desk.forget()
    desk.move(BOB, "resign")
    told = desk.new(seat)
    *_, board, state = told
    assert board == desk.match.seats[1 - seat].own_board()
    assert isinstance(state, MatchState)
    assert state.state == "over"


def test_the_secret_stays_secret_until_the_end() -> None:
    desk = Desk().playing()
    desk.play(ANN, 40)
    desk.play(BOB, 20)
    for _, message in desk.said:
        assert desk.terms.secret not in str(message)
        if isinstance(message, MatchState):
            assert (message.digest, message.result) == (None, None)


def test_no_entry_follows_the_end() -> None:
    desk = Desk().playing()
    desk.play(ANN, 3)
    desk.move(BOB, "resign")
    with desk.refuses("match-over", n=3):
        desk.do("move", ANN, 4, "t")
    with desk.refuses("match-over", n=1):
        desk.do("move", BOB, 2, "t")


def test_a_move_made_before_the_end_is_still_answered_when_resent_after_it() -> None:
    desk = Desk().playing()
    desk.do("move", ANN, 1, "t", re=1)
    (first,) = [message for message in desk.new(ANN) if isinstance(message, Moved)]
    desk.move(BOB, "resign")
    desk.forget()
    desk.do("move", ANN, 1, "t", re=1)
    assert desk.new(ANN) == [first]


def test_nothing_falls_due_after_the_end() -> None:
    desk = Desk().playing()
    desk.move(BOB, "resign")
    desk.drop(ANN)
    desk.drop(BOB)
    assert desk.match.due == NEVER
    desk.wait(10 * CLOCK)
    assert desk.match.result == Result(ANN, Reason.RESIGNED, [1, 2])
    assert [type(event) for event in desk.events].count(Finished) == 1

"""The race and what comes after it: every move, refusal, deadline and end."""

from collections.abc import Callable

import pytest

import server.match
from engine.board import Status
from engine.result import Reason, Result
from engine.sir_tommy import SirTommyView
from protocol.messages import BoardState, MatchState, Moved, Progress
from server.course import NEVER, State
from server.effects import SPECTATORS, Append, Refusal, Send
from server.events import Finished, Followed
from tests.server.desk import (
    ANN,
    BOB,
    CLOCK,
    CODE,
    GRACE,
    NONCES,
    PLAYERS,
    Desk,
    committed,
    get_stuck,
    last_state,
    moves_seen,
    over,
    solve,
    verified,
)

# Moves


def test_a_move_is_noted_before_it_is_answered() -> None:
    desk = Desk().playing()
    desk.oversleep(1_500)
    append, answer, *_ = desk.match.move(desk.now, ANN, 1, "t", re=11)
    assert append == Append(ANN, 1, 1_500, "t")
    assert isinstance(answer, Send)
    assert answer.to == (ANN,)
    moved = answer.message
    assert isinstance(moved, Moved)
    assert (moved.re, moved.seat, moved.n, moved.move, moved.at) == (11, ANN, 1, "t", 1_500)
    assert moved.card is not None
    assert (moved.status, moved.count) == ("playing", 0)


def test_both_boards_have_the_same_cards_in_the_same_order() -> None:
    desk = Desk().playing()
    for seat in (ANN, BOB):
        desk.play(seat, 20)
    cards = [[entry.card for entry in desk.match.seats[seat].entries if entry.card] for seat in (ANN, BOB)]
    shorter = min(map(len, cards))
    assert shorter > 5
    assert cards[ANN][:shorter] == cards[BOB][:shorter]


def test_nothing_a_player_does_touches_the_other_board() -> None:
    desk = Desk().playing()
    before = desk.match.seats[BOB].own_board()
    desk.play(ANN, 30)
    assert desk.match.seats[BOB].own_board() == before
    assert desk.logs[BOB] == []


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("hp1", "no-card-in-hand"),
        ("p1f1", "pile-empty"),
        ("p1p2", "not-in-this-game"),
        ("r", "not-in-this-game"),
        ("turn", "bad-move"),
        ("p0f1", "bad-move"),
        ("T", "bad-move"),
        ("t ", "bad-move"),
        ("timeout", "bad-move"),
        ("abandon", "bad-move"),
        ("solved", "bad-move"),
    ],
)
def test_a_move_the_rules_forbid_is_refused_with_the_rule(move: str, code: str) -> None:
    desk = Desk().playing()
    with desk.refuses(code, n=0):
        desk.do("move", ANN, 1, move)


@pytest.mark.parametrize(
    ("move", "code"),
    [("t", "card-in-hand"), ("p1f1", "card-in-hand"), ("hp5", "no-such-place"), ("hf9", "no-such-place")],
)
def test_with_a_card_in_hand_only_that_card_moves_and_only_to_a_place_there_is(move: str, code: str) -> None:
    desk = Desk().playing()
    desk.move(ANN, "t")
    with desk.refuses(code, n=1):
        desk.do("move", ANN, 2, move)


def test_a_resent_move_gets_the_answer_that_the_first_one_got() -> None:
    desk = Desk().playing()
    desk.do("move", ANN, 1, "t", re=1)
    first = desk.new(ANN)
    desk.play(ANN, 10)
    desk.wait(5_000)
    desk.forget()
    before, logged = desk.picture(), len(desk.history)
    desk.do("move", ANN, 1, "t", re=1)
    again = desk.new(ANN)
    assert again == [message for message in first if isinstance(message, Moved)]
    assert desk.new(BOB) == desk.new(SPECTATORS) == []
    assert (desk.picture(), len(desk.history)) == (before, logged)


def test_another_move_with_a_number_that_is_taken_is_stale() -> None:
    desk = Desk().playing()
    desk.move(ANN, "t", "hp1", "t")
    with desk.refuses("stale", n=3):
        desk.do("move", ANN, 2, "hp2")


@pytest.mark.parametrize("move", ["t", "hp1", "nonsense"])
def test_there_is_no_entry_0(move: str) -> None:
    desk = Desk().playing()
    desk.move(ANN, "t")
    with desk.refuses("stale", n=1):
        desk.do("move", ANN, 0, move)


@pytest.mark.parametrize("number", [3, 4, 1_000_000])
def test_a_number_beyond_the_next_leaves_a_gap(number: int) -> None:
    desk = Desk().playing()
    desk.move(ANN, "t")
    with desk.refuses("gap", n=1):
        desk.do("move", ANN, number, "hp1")


def test_a_board_that_has_had_all_the_moves_it_may_have_can_still_be_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.match, "LONGEST_LOG", 4)
    desk = Desk("strategy").playing()
    desk.move(ANN, "t", "hp1", "p1p2", "p2p1")
    for move in ("p1p2", "t", "timeout", "nonsense"):
        with desk.refuses("log-full", n=4):
            desk.do("move", ANN, 5, move)
    desk.move(ANN, "stand")
    desk.move(BOB, "stand")
    verified(desk)


# What others see meanwhile (test_sight.py has the whole of it)


def test_the_rival_learns_at_once_that_a_card_was_turned_and_no_more() -> None:
    desk = Desk().playing()
    desk.play(ANN, 9)
    (progress,) = [desk.new(BOB)[-1]]
    turned = desk.board(ANN).turned
    assert progress == Progress(match=CODE, seat=ANN, turned=turned, finished=False, status=Status.PLAYING, count=0)


def test_spectators_get_the_moves_as_the_slower_player_comes_to_them() -> None:
    desk = Desk().playing()
    desk.match.spectators = 1
    desk.move(ANN, "t", "hp1", "t", "hp2", "t")
    assert moves_seen(desk.new(SPECTATORS), ANN) == []
    desk.move(BOB, "t")
    assert moves_seen(desk.new(SPECTATORS), ANN) == []
    desk.move(BOB, "hp4", "t")
    told = desk.new(SPECTATORS)
    assert moves_seen(told, ANN) == [(1, "t"), (2, "hp1")]
    assert moves_seen(told, BOB) == [(2, "hp4"), (3, "t")]


# The ends of a board, and of a race


def test_the_first_to_solve_wins_at_once(easy_cards: None) -> None:
    desk = Desk().playing()
    solve(desk, ANN)
    assert desk.state() is State.OVER
    assert desk.match.result == Result(ANN, Reason.SOLVED)
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
    assert desk.match.result == Result(BOB, Reason.SOLVED)
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
    assert desk.match.result == Result(ANN, Reason.COUNT)
    assert [seat.last.status for seat in desk.match.seats] == [Status.STUCK, Status.STOOD]
    verified(desk)


def test_equal_counts_are_a_draw(easy_cards: None) -> None:
    desk = Desk().playing()
    for seat in (ANN, BOB):
        desk.move(seat, "t", "hf1", "stand")
    assert desk.match.result == Result(None, Reason.DRAW)
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
    assert desk.match.result == Result(BOB, Reason.COUNT)
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
    assert desk.match.result == Result(BOB, Reason.RESIGNED)
    assert desk.board(ANN).count == 51
    verified(desk)


def test_one_may_resign_before_the_first_turn() -> None:
    desk = Desk().playing()
    desk.move(BOB, "resign")
    assert desk.match.result == Result(ANN, Reason.RESIGNED)
    verified(desk)


def test_the_clock_ends_both_boards_and_the_counts_stand(easy_cards: None) -> None:
    desk = Desk().playing()
    desk.move(BOB, "t", "hf1")
    desk.wait(CLOCK - 1)
    assert desk.state() is State.PLAYING
    desk.wait(1)
    assert [seat.last.status for seat in desk.match.seats] == 2 * [Status.TIMED_OUT]
    assert desk.match.result == Result(BOB, Reason.COUNT)
    assert (desk.logs[ANN][-1], desk.logs[BOB][-1]) == ((CLOCK, "timeout"), (CLOCK, "timeout"))
    verified(desk)


def test_the_clock_leaves_a_finished_board_as_it_is() -> None:
    desk = Desk().playing()
    desk.move(ANN, "stand")
    desk.wait(CLOCK)
    assert [seat.last.status for seat in desk.match.seats] == [Status.STOOD, Status.TIMED_OUT]
    assert desk.match.result == Result(None, Reason.DRAW)
    verified(desk)


def test_a_move_that_comes_with_the_end_of_the_clock_is_too_late() -> None:
    desk = Desk().playing()
    desk.oversleep(CLOCK)
    with pytest.raises(Refusal) as caught:
        desk.do("move", ANN, 1, "t")
    assert (caught.value.code, caught.value.n) == ("match-over", 1)
    assert desk.logs[ANN] == [(CLOCK, "timeout")]
    verified(desk)


def test_a_server_that_wakes_late_still_ends_the_race_by_the_clock() -> None:
    desk = Desk().playing()
    desk.drop(ANN)
    desk.oversleep(3 * CLOCK)
    desk.wait(0)
    assert [seat.last.status for seat in desk.match.seats] == 2 * [Status.TIMED_OUT]
    verified(desk)


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
    assert desk.match.result == Result(None, Reason.DRAW)
    verified(desk)


def test_a_leaver_does_not_freeze_the_match_and_may_even_win(easy_cards: None) -> None:
    desk = Desk().playing()
    desk.move(ANN, "t", "hf1")
    desk.drop(ANN)
    desk.drop(BOB)
    desk.wait(GRACE)
    assert desk.match.result == Result(ANN, Reason.COUNT)
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
    assert (state.state, state.result, state.secret) == ("over", Result(ANN, Reason.RESIGNED), desk.terms.secret)
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
    assert desk.match.result == Result(ANN, Reason.RESIGNED)
    assert [type(event) for event in desk.events].count(Finished) == 1


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


# Spectators


@pytest.mark.parametrize("far", [Desk, Desk.seated, Desk.revealing, Desk.counting_down])
def test_before_the_start_there_is_nothing_to_watch_but_the_state(far: Callable[..., Desk]) -> None:
    desk = Desk() if far is Desk else far(Desk())
    assert desk.match.watched() == []


def test_who_comes_to_watch_is_shown_both_boards_as_far_as_they_may_be_seen() -> None:
    desk = Desk().playing()
    desk.move(ANN, "t", "hp1", "t", "hp2", "t", "hp3")
    desk.move(BOB, "t", "hp4", "t", "hp4")
    boards = [message for message in desk.match.watched() if isinstance(message, BoardState)]
    assert [(board.seat, board.n) for board in boards] == [(ANN, 2), (BOB, 4)]
    assert [board.view.stock for board in boards] == [51, 50]
    assert [list(map(len, board.view.piles)) for board in boards if isinstance(board.view, SirTommyView)] == [
        [1, 0, 0, 0],
        [0, 0, 0, 2],
    ]


def test_who_comes_to_watch_after_the_end_is_shown_all() -> None:
    desk = Desk().playing()
    desk.play(ANN, 9)
    desk.move(BOB, "resign")
    assert desk.match.watched()[:2] == [seat.own_board() for seat in desk.match.seats]


# A rematch


def test_a_wish_for_a_rematch_is_told_to_the_other() -> None:
    desk = over()
    desk.do("again", ANN, re=31)
    told = last_state(desk.new(ANN))
    assert (told.re, told.seats[ANN].rematch, told.seats[BOB].rematch) == (31, True, False)
    assert last_state(desk.new(BOB)).seats[ANN].rematch
    assert not desk.wants_rematch()


def test_when_both_wish_for_a_rematch_one_is_to_be_made_and_only_one() -> None:
    desk = over()
    desk.do("again", ANN)
    desk.do("again", BOB)
    assert desk.wants_rematch()
    desk.do("follow", "stuvwxyz")
    assert not desk.wants_rematch()
    assert last_state(desk.new(BOB)).next == "stuvwxyz"
    assert desk.events[-1] == Followed("stuvwxyz")


def test_wishing_twice_is_answered_and_noted_once() -> None:
    desk = over()
    desk.do("again", ANN)
    logged = len(desk.history)
    desk.do("again", ANN)
    assert len(desk.history) == logged
    assert not desk.wants_rematch()


def test_a_house_bot_always_wants_a_rematch() -> None:
    desk = Desk()
    desk.sit(PLAYERS[ANN], "Ann")
    desk.sit(PLAYERS[BOB], "House bot", bot="normal")
    for seat in (ANN, BOB):
        desk.do("ready", seat, committed(seat))
    for seat in (ANN, BOB):
        desk.do("reveal", seat, NONCES[seat])
    desk.wait_for_due()
    desk.move(ANN, "resign")
    assert not desk.wants_rematch()
    desk.do("again", ANN)
    assert desk.wants_rematch()
    assert [seat.bot for seat in last_state(desk.new(ANN)).seats] == [None, "normal"]
    assert [seat.bot for seat in desk.match.record.seats] == [False, True]


def test_there_is_no_rematch_of_a_race_that_is_on() -> None:
    desk = Desk().playing()
    with desk.refuses("not-over"):
        desk.do("again", ANN)


def test_there_is_no_rematch_of_a_match_that_was_given_up() -> None:
    desk = Desk().seated()
    desk.do("leave", BOB)
    with desk.refuses("not-over"):
        desk.do("again", ANN)


@pytest.mark.parametrize("asking", [ANN, BOB])
def test_there_is_no_rematch_once_somebody_has_left(asking: int) -> None:
    desk = over()
    desk.do("leave", BOB, re=41)
    told = last_state(desk.new(BOB))
    assert (told.re, told.seats[BOB].left) == (41, True)
    assert last_state(desk.new(ANN)).seats[BOB].left
    with desk.refuses("no-rematch"):
        desk.do("again", asking)


def test_leaving_twice_is_noted_once() -> None:
    desk = over()
    desk.do("leave", BOB)
    logged = len(desk.history)
    desk.do("leave", BOB)
    assert len(desk.history) == logged


def test_the_record_is_the_same_whatever_happens_after_the_end() -> None:
    desk = over()
    before = desk.match.record
    desk.do("again", ANN)
    desk.do("again", BOB)
    desk.do("follow", "stuvwxyz")
    desk.do("leave", BOB)
    assert desk.match.record == desk.restored().record == before

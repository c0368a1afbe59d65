"""Moves in a race: noted, answered, numbered and resent, and each refusal."""

import pytest

import server.match
from protocol.messages import Moved
from server.effects import SPECTATORS, Append, Send
from server.events import board_log
from tests.server.desk import ANN, BOB, Desk, verified


def test_a_move_is_noted_before_it_is_answered() -> None:
    desk = Desk().playing()
    desk.oversleep(1_500)
    append, answer, *_ = desk.match.move(desk.now, ANN, 1, "t", re=11)
    assert append == Append(board_log(ANN), 1, 1_500, "t")
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
    assert desk.logs[board_log(BOB)] == []


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

"""What spectators of a match are shown: before it, while it is raced, and after its end."""

from collections.abc import Callable

import pytest

from engine.sir_tommy import SirTommyView
from protocol.messages import BoardState
from server.effects import SPECTATORS
from tests.server.desk import ANN, BOB, Desk, moves_seen


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

"""What a board makes of what it is told: all cards on the foundations is solved, whatever somebody says."""

import pytest

from engine.board import Board, Status
from engine.deal import Deal
from engine.games import variant
from tests.engine.layouts import Layout, laid_out


def up_to_the_last(game: str) -> tuple[Board, str]:
    """A board with all cards but one on the foundations, and the move that brings the last one up."""
    if game == "limited":
        return laid_out(game, Layout.of("Ks" + " / -" * 11, foundations="13 13 13 13 13 13 13 12")), "c1f8"
    cards = variant(game).cards
    board = variant(game).board(Deal(tuple(cards), tuple(cards)))  # aces first, kings last
    entries = [entry for number in range(len(cards)) for entry in ("t", f"hf{number % 4 + 1}")]
    for entry in entries[:-1]:
        board.retrace(entry)
    return board, entries[-1]


@pytest.mark.parametrize("told", [Status.PLAYING, Status.STUCK])
@pytest.mark.parametrize("game", ["sir-tommy", "limited"])
def test_a_full_board_is_solved_whatever_is_told(game: str, told: Status) -> None:
    """Who checks a record tells a board that it is not stuck; that all cards are up it sees by itself."""
    board, last = up_to_the_last(game)
    board.settle(Status.PLAYING)
    assert (board.count, board.status) == (board.total - 1, Status.PLAYING)
    board.retrace(last)
    board.settle(told)
    assert (board.count, board.status) == (board.total, Status.SOLVED)
    assert board.finished
    assert board.legal_moves() == []


@pytest.mark.parametrize("game", ["sir-tommy", "limited"])
def test_a_board_that_is_not_full_is_what_it_is_told_to_be(game: str) -> None:
    board, _ = up_to_the_last(game)
    board.settle(Status.STUCK)
    assert (board.status, board.legal_moves()) == (Status.STUCK, [])

"""The board as it will be once the server has answered."""

from collections.abc import Iterator
from typing import NoReturn

import pytest

from client_cli.foresight import foreseen, unseen
from client_cli.race import Race
from client_cli.screen.picking import all_up
from engine.board import Board
from engine.forty_thieves import FortyThievesBoard
from engine.moves import TURN
from engine.sir_tommy import SirTommyBoard
from engine.stuck import StuckSearch
from tests.client_cli.table import NONCES, Table


def begun(game: str = "sir-tommy") -> tuple[Race, Table]:
    table = Table(game).started()
    race = Race(table.match(), lambda: NONCES[0], 0.0)
    race.receive(table.board(0), 0.0)
    return race, table


def test_without_anything_under_way_it_is_the_board() -> None:
    race, _ = begun()
    assert race.own is not None
    assert foreseen(race) is race.own.board
    assert foreseen(Race(Table().match(), lambda: NONCES[0], 0.0)) is None


def test_a_card_turned_is_there_face_down() -> None:
    race, table = begun()
    race.move("t")
    board = foreseen(race)
    assert isinstance(board, SirTommyBoard)
    assert (board.stock, board.view().hand) == (51, "??")
    assert unseen(board)
    race.receive(table.play(0, "t"), 0.0)
    told = foreseen(race)
    assert told is not None
    assert not unseen(told)


def test_moves_follow_one_another_and_leave_the_mirror_alone() -> None:
    race, table = begun()
    race.move("t")
    race.receive(table.play(0, "t"), 0.0)
    for entry in ("hp2", "t", "hp1"):
        race.move(entry)
    board, own = foreseen(race), race.own
    assert own is not None
    assert isinstance(board, SirTommyBoard)
    assert [len(pile) for pile in board.piles] == [1, 1, 0, 0]
    assert own.board.view().hand is not None


def test_a_refused_move_is_gone() -> None:
    race, table = begun()
    race.move("t")
    race.unanswered.clear()
    assert race.own is not None
    assert foreseen(race) is race.own.board
    assert table.boards[0].turned == 0


def test_what_cannot_follow_is_left_out() -> None:
    race, _ = begun()
    race.move("t")
    race.move("t")
    board = foreseen(race)
    assert isinstance(board, SirTommyBoard)
    assert board.stock == 51


def test_a_card_that_could_be_seen_before_is_not_face_down() -> None:
    race, _ = begun("lucas+peek")
    race.move("t")
    board = foreseen(race)
    assert board is not None
    assert not unseen(board)


def boards_at_the_end(monkeypatch: pytest.MonkeyPatch) -> Iterator[Board]:
    """Boards of a race whose stock is empty: as told, with moves under way, and with all put up that fits."""
    race, table = begun("limited")
    moved = [table.play(0, "t") for _ in range(68)]
    spectator = Race(table.match(), lambda: NONCES[0], 0.0)
    spectator.receive(table.board(0), 0.0)

    def search(*_: object) -> NoReturn:
        raise AssertionError("this client searches")

    monkeypatch.setattr(StuckSearch, "steps", search)
    monkeypatch.setattr(StuckSearch, "proves", search)
    for message in moved:
        race.receive(message, 0.0)
    assert race.own is not None
    yield race.own.board
    yield spectator.mirrors[0].board
    race.move(str(race.own.board.legal_moves()[0]))
    board = foreseen(race)
    assert board is not None
    yield board
    for _ in all_up(board):
        pass
    yield board


def test_whether_a_board_is_stuck_the_server_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for board in boards_at_the_end(monkeypatch):
        assert isinstance(board, FortyThievesBoard)
        assert not board.stock
        assert TURN not in board.legal_moves()
        assert not board.finished

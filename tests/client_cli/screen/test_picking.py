"""From keys to moves: every legal move of every game can be made with the keys that the window of moves names."""

import pytest

from client_cli.answers import Ambiguous, Illegal
from client_cli.naming import choices
from client_cli.screen.picking import Picking, all_up, keyed, numbered
from engine.board import Board
from engine.games import CATALOGUE, Variant, variant
from engine.moves import HAND, TURN, WASTE, Move, Place, column, foundation, parse_move, pile
from tests.client_cli.screen.desk import sensible
from tests.client_cli.table import Table

GAMES = [*CATALOGUE, "sir-tommy+redeal", "forty-thieves+groups", "lucas+peek+groups"]


def pressed(picking: Picking, board: Board, actions: list[str]) -> Move | None:
    """What a row of actions makes."""
    made: Move | None = None
    for action in actions:
        assert made is None
        name, _, number = action.partition("-")
        match name:
            case "turn":
                made = picking.turn(board)
            case "foundation":
                made = picking.up(board)
            case "waste":
                made = picking.place(board, WASTE)
            case _:
                made = picking.number(board, int(number))
    return made


@pytest.mark.parametrize("game", GAMES)
def test_every_move_has_its_keys(game: str) -> None:
    table, chosen = Table(game).started(), variant(game)
    board = table.boards[0]
    for number in range(90):
        for choice in choices(board):
            move = parse_move(choice.move)
            picking = Picking(chosen.rules)
            assert pressed(picking, board, keyed(move, board, chosen.rules)) == move
            assert picking.source is None
            assert picking.problem is None or isinstance(picking.problem, Ambiguous)
        entry = sensible(board, number)
        if entry is None:
            break
        board.enter(entry)


def dealt(game: str, **places: list[str]) -> tuple[Board, Variant]:
    """A board with these cards, its other places as they are at the start."""
    chosen = variant(game)
    view = Table(game).started().boards[0].view()
    for name, cards in places.items():
        setattr(view, name, cards)
    return chosen.board_from(view), chosen


def test_with_a_card_in_hand_a_number_places_it() -> None:
    board, chosen = dealt("sir-tommy", hand="8s")  # type: ignore[arg-type]
    picking = Picking(chosen.rules)
    assert picking.number(board, 3) == Move(HAND, pile(3))
    assert picking.number(board, 5) is None
    assert picking.up(board) is None
    assert isinstance(picking.problem, Illegal)


def test_where_piles_only_go_up_a_number_sends_up() -> None:
    board, chosen = dealt("sir-tommy", piles=[["As"], ["9d"], [], []])  # type: ignore[list-item]
    picking = Picking(chosen.rules)
    assert picking.number(board, 1) == Move(pile(1), foundation(1))
    assert picking.number(board, 2) is None
    assert isinstance(picking.problem, Illegal)


def test_where_piles_go_across_a_number_picks() -> None:
    board, chosen = dealt("strategy", piles=[["As"], ["9d"], [], []])  # type: ignore[list-item]
    picking = Picking(chosen.rules)
    assert picking.number(board, 2) is None
    assert picking.source == pile(2)
    assert picking.targets(board) == {pile(1), pile(3), pile(4)}
    assert picking.number(board, 3) == Move(pile(2), pile(3))
    assert picking.number(board, 1) is None
    assert picking.number(board, 1) == Move(pile(1), foundation(1))


def test_an_empty_pile_is_not_picked() -> None:
    board, chosen = dealt("strategy")
    picking = Picking(chosen.rules)
    assert picking.number(board, 2) is None
    assert picking.source is None
    assert isinstance(picking.problem, Illegal)


def test_several_foundations_are_asked_about() -> None:
    foundations = [["As"], ["2d", "4h"], ["3c"], ["4c", "8c", "Qd", "3h", "7s", "Js"]]
    board, chosen = dealt("calculation", hand="2h", foundations=foundations)  # type: ignore[arg-type]
    picking = Picking(chosen.rules)
    assert picking.up(board) is None
    assert isinstance(picking.problem, Ambiguous)
    assert picking.number(board, 4) == Move(HAND, foundation(4))
    picking.up(board)
    assert picking.number(board, 2) is None
    assert picking.asked == []
    assert picking.place(board, foundation(1)) == Move(HAND, foundation(1))


def test_several_sizes_are_asked_about() -> None:
    columns = [["9s", "8s", "7s"], [], *([["Kd"]] * 8)]
    board, chosen = dealt("josephine", columns=columns)  # type: ignore[arg-type]
    picking = Picking(chosen.rules)
    picking.number(board, 1)
    assert picking.number(board, 2) is None
    assert isinstance(picking.problem, Ambiguous)
    assert picking.number(board, 3) == Move(column(1), column(2), 3)


def test_the_waste_is_picked_and_goes_up() -> None:
    board, chosen = dealt("forty-thieves", waste=["Kd", "As"], columns=[["2s"], *([["Kd"]] * 9)])  # type: ignore[list-item]
    picking = Picking(chosen.rules)
    assert picking.up(board) == Move(WASTE, foundation(7))
    assert picking.place(board, WASTE) is None
    assert picking.number(board, 1) == Move(WASTE, column(1))
    picking.place(board, WASTE)
    assert picking.place(board, WASTE) == Move(WASTE, foundation(7))
    picking.place(board, WASTE)
    assert picking.place(board, foundation(3)) == Move(WASTE, foundation(7))


def test_up_with_nothing_picked_takes_the_only_card_that_fits() -> None:
    board, chosen = dealt("sir-tommy", piles=[["9s"], ["Ad"], [], []])  # type: ignore[list-item]
    assert Picking(chosen.rules).up(board) == Move(pile(2), foundation(1))
    board, chosen = dealt("sir-tommy", piles=[["As"], ["Ad"], [], []])  # type: ignore[list-item]
    picking = Picking(chosen.rules)
    assert picking.up(board) is None
    assert isinstance(picking.problem, Illegal)


def test_all_up_goes_on_until_nothing_fits() -> None:
    board, _ = dealt("sir-tommy", hand="3d", piles=[["Kd", "As"], ["2d"], ["9c", "4c"], []])  # type: ignore[arg-type, list-item]
    assert list(map(str, all_up(board))) == []
    board, _ = dealt("sir-tommy", piles=[["Kd", "As"], ["3s", "2d"], ["9c", "4c"], []])  # type: ignore[list-item]
    assert list(map(str, all_up(board))) == ["p1f1", "p2f1", "p2f1", "p3f1"]


def test_the_stock_turns_or_redeals() -> None:
    board, chosen = dealt("sir-tommy+redeal")
    picking = Picking(chosen.rules)
    assert picking.place(board, Place(TURN.source.area)) == TURN
    board, chosen = dealt("sir-tommy+redeal", stock=0, piles=[["9s"], [], [], []])  # type: ignore[arg-type, list-item]
    assert str(picking.turn(board)) == "r"
    assert numbered(board, 5) is None

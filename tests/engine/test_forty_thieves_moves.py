"""What goes where in the Forty Thieves family, card by card: foundations, columns, the waste and the stock."""

import pytest

from engine.moves import MOVES
from tests.engine.layouts import Layout, after, laid_out, legal
from tests.engine.positions import texts


def test_each_suit_has_two_foundations_of_its_own() -> None:
    board = laid_out("limited", Layout.of("Ac / Ad / Ah / As"))
    assert legal(board) >= {"c1f1", "c1f2", "c2f3", "c2f4", "c3f5", "c3f6", "c4f7", "c4f8"}
    assert len([move for move in legal(board) if "f" in move]) == 8


def test_foundations_are_built_up_in_suit_and_each_of_two_that_take_a_card_is_a_target() -> None:
    board = laid_out("limited", Layout.of("3h / 3d / 4h", waste="2h", foundations="0 0 2 0 2 2 0 0"))
    assert {move for move in legal(board) if "f" in move} == {"c1f5", "c1f6", "c2f3"}
    after(board, "c1f6")
    assert texts(board.foundations[5]) == "Ah 2h 3h"
    assert "c3f6" in legal(board)
    assert "c3f5" not in legal(board)


def test_a_complete_foundation_takes_nothing_more() -> None:
    board = laid_out("limited", Layout.of("Ah / Kh", waste="Ah", foundations="0 0 0 0 13 12 0 0"))
    assert {move for move in legal(board) if "f" in move} == {"c2f6"}
    assert [board.next_rank(number) for number in (1, 5, 6)] == [1, None, 13]


def test_columns_are_built_down_in_suit_by_the_last_card_of_a_column_or_the_top_of_the_waste() -> None:
    board = laid_out("limited", Layout.of("8h 2c / Kd 7h / 9c 8h / 8d / 8h" + 7 * " / 5s", waste="7h", stock="Kc"))
    assert {move for move in legal(board) if "c" in move} == {"c2c3", "c2c5", "wc3", "wc5"}


def test_maria_is_built_down_in_alternating_colours() -> None:
    board = laid_out("maria", Layout.of("7h / 7c / 8h / 8d / 8s / 8c / Kd / Kd / Kd", waste="7s", stock="Kc"))
    assert {move for move in legal(board) if "c" in move} == {"c1c5", "c1c6", "c2c3", "c2c4", "wc3", "wc4"}


@pytest.mark.parametrize("game", ["forty-thieves", "maria"])
def test_ranks_do_not_wrap_around(game: str) -> None:
    board = laid_out(game, Layout.of("Kh / Ah / Ks / As", waste="Kc"))
    full = [f"c{source}c{target}" for source in range(1, 5) for target in range(1, 5)]
    assert legal(board).isdisjoint(full)


def test_an_empty_column_takes_any_card_and_every_empty_column_is_a_target() -> None:
    board = laid_out("forty-thieves", Layout.of("3h / - / 9d 5s / -", waste="Kc", stock="Ks"))
    assert legal(board) >= {"c1c2", "c1c4", "c3c2", "c3c4", "wc2", "wc4"}
    assert texts(after(board, "wc4").columns[3]) == "Kc"


def test_the_stock_is_passed_through_once_and_what_lies_under_the_top_of_the_waste_comes_free() -> None:
    board = laid_out("forty-thieves", Layout.of("Ah / - / 10h", stock="9h 7h"))
    after(board, "t t")
    assert "t" not in legal(board)
    assert "wc3" not in legal(board)
    after(board, "wc2 wc3")
    assert [texts(cards) for cards in board.columns[:3]] == ["Ah", "7h", "10h 9h"]
    assert board.waste == []


def test_cards_stay_on_the_foundations() -> None:
    assert not [move for move in MOVES if move.startswith("f")]

"""How the games of the Forty Thieves family are dealt: columns, stock, and the aces that lie out at the start."""

from collections import Counter

import pytest

from engine.cards import rank
from engine.games import CATALOGUE, variant
from tests.engine.layouts import fresh, lying
from tests.engine.positions import dealt, texts

FIGURES = [
    # game, columns, rows, stock, count at the start
    ("forty-thieves", 10, 4, 64, 0),
    ("lucas", 13, 3, 57, 8),
    ("limited", 12, 3, 68, 0),
    ("maria", 9, 4, 68, 0),
    ("josephine", 10, 4, 64, 0),
]


@pytest.mark.parametrize(("game", "columns", "rows", "stock", "count"), FIGURES)
@pytest.mark.parametrize("options", ["", "+peek", "+groups", "+peek+groups"])
def test_each_game_is_dealt_in_its_figures(
    game: str, columns: int, rows: int, stock: int, count: int, options: str
) -> None:
    board = fresh(game + options, dealt(game, 1))
    assert [len(cards) for cards in board.columns] == [rows] * columns
    assert (board.stock, board.count, len(board.foundations), board.total) == (stock, count, 8, 104)
    assert board.waste == []
    assert lying(board) == Counter(variant(game).cards)
    assert set(lying(board).values()) == {2}


def test_the_figures_are_of_every_game_of_the_family() -> None:
    family = [name for name, game in CATALOGUE.items() if "groups" in game.options]
    assert [row[0] for row in FIGURES] == family


def test_columns_are_dealt_row_by_row_and_the_rest_is_the_stock_in_the_order_of_the_shuffle() -> None:
    cards = dealt("forty-thieves", 3)
    board = fresh("forty-thieves", cards)
    rows = [[column[row] for column in board.columns] for row in range(4)]
    assert [card for row in rows for card in row] == list(cards.first[:40])
    assert [board.enter("t") for _ in range(64)] == list(cards.first[40:])
    assert board.waste == list(cards.first[40:])


def test_lucas_takes_the_aces_out_wherever_they_are_and_deals_on_as_if_they_had_not_been_there() -> None:
    cards = dealt("lucas", 3)
    board = fresh("lucas", cards)
    assert [texts(foundation) for foundation in board.foundations] == ["Ac", "Ac", "Ad", "Ad", "Ah", "Ah", "As", "As"]
    others = [card for card in cards.first if rank(card) != 1]
    assert [board.columns[at % 13][at // 13] for at in range(39)] == others[:39]
    assert [board.enter("t") for _ in range(57)] == others[39:]

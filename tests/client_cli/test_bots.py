"""The house bot: how well it plays, and that it always comes to an end."""

import random

import pytest

from client_cli.bots import choose
from engine.board import Status
from engine.cards import DECK, parse_card
from engine.deal import Deal
from engine.games import CATALOGUE, variant
from engine.sir_tommy import SirTommyBoard, SirTommyView


def played(game: str, seed: int) -> SirTommyBoard:
    """A deal, played by the bot until it stands or the board is finished."""
    chosen, chance = variant(game), random.Random(seed)
    cards = chosen.cards
    board = chosen.board(Deal(tuple(chance.sample(cards, len(cards))), tuple(chance.sample(cards, len(cards)))))
    assert isinstance(board, SirTommyBoard)
    for _ in range(1000):
        if board.finished:
            return board
        move = choose(board)
        board.enter("stand" if move is None else str(move))
    raise AssertionError("the bot goes round in circles")


def test_one_deal_in_seven_comes_out() -> None:
    boards = [played("sir-tommy", seed) for seed in range(600)]
    assert sum(board.status is Status.SOLVED for board in boards) / 600 >= 0.14
    assert sum(board.count for board in boards) / 600 >= 38.5


@pytest.mark.parametrize("game", CATALOGUE)
@pytest.mark.parametrize("option", ["", "+redeal"])
def test_every_game_comes_to_an_end(game: str, option: str) -> None:
    assert all(played(game + option, seed).finished for seed in range(20))


def test_calculation_is_played_by_its_own_sequences() -> None:
    boards = [played("calculation", seed) for seed in range(300)]
    assert sum(board.status is Status.SOLVED for board in boards) / 300 >= 0.07


def test_strategy_is_always_solved() -> None:
    assert all(played("strategy", seed).status is Status.SOLVED for seed in range(30))


def test_the_redeal_is_kept_until_nothing_else_is_left() -> None:
    view = SirTommyView(stock=0, hand=None, piles=[["2c", "Ac"], [], [], []], foundations=[[], [], [], []], redeals=1)
    board = variant("sir-tommy+redeal").board_from(view)
    assert isinstance(board, SirTommyBoard)
    assert str(choose(board)) == "p1f1"
    board.piles[0] = [parse_card("Ac"), parse_card("2c")]
    assert str(choose(board)) == "r"


def test_of_two_cards_that_fit_the_one_in_the_way_goes() -> None:
    view = SirTommyView(
        stock=10,
        hand=None,
        piles=[["4c"], ["Ac", "4d"], [], []],
        foundations=[["As", "2s", "3s"], [], [], []],
        redeals=0,
    )
    board = variant("sir-tommy").board_from(view)
    assert isinstance(board, SirTommyBoard)
    assert str(choose(board)) == "p2f1"


def test_the_same_board_gives_the_same_move() -> None:
    board = variant("sir-tommy").board(Deal(DECK[::-1], DECK))
    assert isinstance(board, SirTommyBoard)
    board.enter("t")
    assert choose(board) == choose(board)
    assert board.count == 0

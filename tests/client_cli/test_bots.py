"""The house bot: how well it plays, and that it always comes to an end."""

import random
from itertools import combinations

import pytest

from client_cli.bots import choose
from engine.board import Board, Status
from engine.cards import DECK, UNKNOWN, parse_card
from engine.deal import Deal
from engine.forty_thieves import FortyThievesView
from engine.games import CATALOGUE, variant
from engine.sir_tommy import SirTommyBoard, SirTommyView
from protocol.messages import Level

GAMES = [
    "+".join((name, *options))
    for name, game in CATALOGUE.items()
    for size in range(len(game.options) + 1)
    for options in combinations(game.options, size)
]


def played(game: str, seed: int, level: Level = "normal") -> Board:
    """A deal, played by the bot until it stands or the board is finished; as a client, it has only what was shown."""
    chosen, chance = variant(game), random.Random(seed)
    cards = chosen.cards
    board = chosen.board(Deal(tuple(chance.sample(cards, len(cards))), tuple(chance.sample(cards, len(cards)))))
    seen = chosen.board_from(board.view())
    for _ in range(1000):
        if board.finished:
            return board
        move = choose(seen, chance if level != "normal" else None, level)
        entry = "stand" if move is None else str(move)
        card = board.enter(entry)
        seen.retrace(entry, UNKNOWN if card is None else card)
        seen.learn(board.peek)
    raise AssertionError("the bot goes round in circles")


def test_one_deal_in_seven_comes_out() -> None:
    boards = [played("sir-tommy", seed) for seed in range(600)]
    assert sum(board.status is Status.SOLVED for board in boards) / 600 >= 0.14
    assert sum(board.count for board in boards) / 600 >= 38.5


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", ["easy", "normal"])
def test_every_game_comes_to_an_end(game: str, level: Level) -> None:
    assert all(played(game, seed, level).finished for seed in range(10))


@pytest.mark.parametrize("game", ["sir-tommy", "calculation", "forty-thieves", "lucas", "maria"])
def test_easy_is_weaker(game: str) -> None:
    easy, normal = (sum(played(game, seed, level).count for seed in range(50)) for level in ("easy", "normal"))
    assert easy < 0.95 * normal


@pytest.mark.parametrize(
    ("game", "solved", "mean"), [("lucas", 0.15, 60), ("limited", 0.03, 42), ("forty-thieves", 0, 27)]
)
def test_forty_thieves_is_played_sensibly(game: str, solved: float, mean: float) -> None:
    boards = [played(game, seed) for seed in range(100)]
    assert sum(board.status is Status.SOLVED for board in boards) / 100 >= solved
    assert sum(board.count for board in boards) / 100 >= mean


def test_cards_are_built_before_the_next_is_turned_and_none_is_parted() -> None:
    view = FortyThievesView(10, ["9c"], [["Kd", "5h", "4h"], ["2s", "5h"], ["10c"], *([["Ks"]] * 7)], [[]] * 8)
    board = variant("forty-thieves").board_from(view)
    assert str(choose(board)) == "wc3"
    board.enter("wc3")
    assert str(choose(board)) == "t"


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
    board.enter("t")
    seen = variant("sir-tommy").board_from(board.view())
    assert choose(seen) == choose(seen)
    assert seen.view() == board.view()

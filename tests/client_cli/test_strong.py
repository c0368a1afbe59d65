"""The strong bot: its playouts keep the rules, its endgame is exact, and it plays better than the others."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from client_cli.bots import choose
from client_cli.bots.endgame import finish
from client_cli.bots.playouts import GREEDY, Games, Position, tables_of
from client_cli.bots.strong import strong
from engine.cards import rank
from engine.deal import Deal
from engine.games import variant
from engine.sir_tommy import SirTommyBoard
from protocol.messages import Level

FAMILY = ["sir-tommy", "numerica", "calculation", "puss-in-the-corner", "sir-tommy+redeal", "calculation+redeal"]


def shuffled(game: str, seed: int) -> Deal:
    chance, cards = random.Random(seed), variant(game).cards
    return Deal(tuple(chance.sample(cards, len(cards))), tuple(chance.sample(cards, len(cards))))


def endings(game: str, number: int) -> Iterator[SirTommyBoard]:
    """Boards whose last cards were put down anywhere, so that something is left to be played up."""
    chance, seed = random.Random(number), 0
    while number:
        seed += 1
        board = variant(game).board(shuffled(game, seed))
        assert isinstance(board, SirTommyBoard)
        while board.stock or board.hand is not None:
            moves = board.legal_moves()
            board.apply(moves[0] if board.stock > 12 else chance.choice(moves))
        if not board.finished:
            number -= 1
            yield board


def most(board: SirTommyBoard, budget: list[int]) -> int:
    """The best count that can be reached, by trying everything; `budget` is how much."""
    budget[0] -= 1
    best = board.count
    for move in board.legal_moves() if budget[0] > 0 else ():
        after = SirTommyBoard.from_view(board.rules, board.view())
        after.apply(move)
        best = max(best, most(after, budget))
    return best


@pytest.mark.parametrize("game", FAMILY)
def test_playouts_lose_no_card_and_never_pass_the_full_count(game: str) -> None:
    chosen = variant(game)
    board = chosen.board(shuffled(game, 5))
    assert isinstance(board, SirTommyBoard)
    tables = tables_of(board.rules)
    stock = [rank(card) for card in shuffled(game, 5).first if not any(card in cards for cards in board.foundations)]
    start = Position([[] for _ in board.piles], [len(cards) for cards in board.foundations])
    games = Games(tables, [start, start], np.array([stock], np.int8), GREEDY)
    games.play()
    assert (games.counts + games.held.sum(axis=(1, 2)) == len(tables.cards)).all()
    assert (games.counts >= board.count).all()


@pytest.mark.parametrize("game", ["sir-tommy", "calculation", "numerica"])
def test_the_endgame_brings_up_as_much_as_can_be_brought_up(game: str) -> None:
    compared = 0
    for board in endings(game, 25):
        budget = [2_000]
        best = most(board, budget)
        if budget[0] <= 0:
            continue
        while not board.finished:
            board.apply(finish(SirTommyBoard.from_view(board.rules, board.view())))
        assert board.count == best
        compared += 1
    assert compared >= 10


def test_strong_plays_better_than_normal() -> None:
    counts: dict[Level, int] = {"normal": 0, "strong": 0}
    for level in counts:
        for seed in range(6):
            chosen, chance = variant("calculation"), random.Random(seed)
            board = chosen.board(shuffled("calculation", seed))
            while not board.finished:
                board.enter(str(choose(chosen.board_from(board.view()), chance, level)))
            counts[level] += board.count
    assert counts["strong"] > counts["normal"] + 6 * 3


def test_the_same_chance_gives_the_same_move() -> None:
    board = variant("sir-tommy").board(shuffled("sir-tommy", 1))
    board.enter("t")
    seen = variant("sir-tommy").board_from(board.view())
    assert isinstance(seen, SirTommyBoard)
    assert strong(seen, random.Random(3)) == strong(seen, random.Random(3))

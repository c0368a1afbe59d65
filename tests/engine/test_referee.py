"""The engine against the naive referee: random boards of every game, compared after every move."""

from random import Random

import pytest

from engine.cards import card_text
from engine.sir_tommy import SirTommyBoard
from tests.engine.positions import SPELLINGS, dealt, sir_tommy_board, tidy
from tests.engine.referee import Referee

BOARDS = 201
"""For each of the ten games with and without redeal: more than two thousand in all."""
LONGEST = 220
"""Moves: enough for all cards to be turned and placed twice."""
LONGEST_STRATEGY = 150
"""Strategy would go on for ever, and has the most moves to compare."""


def a_move(board: SirTommyBoard, legal: list[str], habit: int, chance: Random) -> str:
    """By habit of the player: any legal move, upwards when possible, neatly, or everything on piles first."""
    if habit == 0 or chance.random() < 0.1:
        return chance.choice(legal)
    if habit == 1:
        return legal[0] if legal[0][-2:-1] == "f" else chance.choice(legal)
    if habit == 2:
        return str(tidy(board, chance))
    return chance.choice([move for move in legal if move in "tr" or move[0] == "h"] or legal)


def compare(board: SirTommyBoard, referee: Referee) -> list[str]:
    """Hold the two against each other; gives the legal moves they agree on."""
    legal = [str(move) for move in board.legal_moves()]
    assert set(legal) == referee.legal()
    assert len(legal) == len(set(legal))
    assert board.status == referee.status()
    assert board.count == referee.count()
    return legal


def compare_cards(board: SirTommyBoard, referee: Referee) -> None:
    view = board.view()
    assert view.stock == len(referee.stock)
    assert view.hand == referee.hand
    assert view.piles == referee.piles
    assert view.foundations == referee.foundations
    assert bool(view.redeals) == referee.redeal_left


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_engine_and_referee_agree_on_legal_moves_status_count_and_cards_after_every_move(spelling: str) -> None:
    name, _, option = spelling.partition("+")
    finished = 0
    for seed in range(BOARDS):
        chance = Random(seed)
        cards = dealt(spelling, seed)
        first, second = (list(map(card_text, order)) for order in cards)
        board = sir_tommy_board(spelling, cards)
        referee = Referee(name, first, second, redeal=bool(option))
        legal = compare(board, referee)
        for _ in range(LONGEST_STRATEGY if name == "strategy" else LONGEST):
            if not legal:
                break
            move = a_move(board, legal, seed % 4, chance)
            board.enter(move)
            referee.play(move)
            compare_cards(board, referee)
            legal = compare(board, referee)
        if not board.stock and board.hand is None and not board.redeals_left:
            assert referee.can_gain() == (board.status == "playing")
        finished += board.finished
    assert finished > BOARDS // 2 or name == "strategy"

"""Which places of the deal lie face down: those that are still to be turned, the next one last."""

from random import Random

import pytest

from engine.deal import Deal
from engine.games import CATALOGUE, variant
from engine.moves import REDEAL, TURN


@pytest.mark.parametrize("game", CATALOGUE)
def test_the_next_card_turned_comes_from_the_last_of_them(game: str) -> None:
    option = "+redeal" if "redeal" in CATALOGUE[game].options else ""
    chosen, chance = variant(game + option), Random(game)
    cards = chosen.cards
    board = chosen.board(Deal(tuple(chance.sample(cards, len(cards))), tuple(chance.sample(cards, len(cards)))))
    assert len(board.face_down) == chosen.game.stock
    assert board.face_down == sorted(board.face_down, reverse=True)
    for _ in range(400):
        if not (moves := board.legal_moves()):
            break
        down = board.face_down
        move = TURN if TURN in moves else REDEAL if REDEAL in moves else moves[-1]
        board.apply(move)
        if move == TURN:
            assert (*board.face_down, board.position) == tuple(down)
        elif move == REDEAL:
            assert min(board.face_down) > len(cards)
        else:
            assert board.face_down == down
    assert not board.face_down

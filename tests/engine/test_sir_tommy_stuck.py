"""When a board of the Sir Tommy family is stuck: just when no moves can raise its count."""

from random import Random

import pytest
from hypothesis import given

from engine.board import Status
from engine.sir_tommy import SirTommyBoard
from tests.engine.positions import (
    SPELLINGS,
    can_gain,
    choices,
    chosen,
    dealt,
    play_on,
    seeds,
    sir_tommy_board,
    spellings,
)


def at_the_end(spelling: str, seed: int) -> SirTommyBoard:
    """A board that has turned its last card, after play in which chance and neatness take turns."""
    board, chance = sir_tommy_board(spelling, dealt(spelling, seed)), Random(seed)
    while not board.finished and (board.stock or board.redeals_left or board.hand is not None):
        turn_or_redeal = [move for move in board.legal_moves() if str(move) in "tr"]
        if turn_or_redeal and chance.random() < 0.7:
            board.apply(turn_or_redeal[0])
        else:
            board.apply(chosen(chance.randrange(256), board.legal_moves()))
    return board


@pytest.mark.parametrize("spelling", [spelling for spelling in SPELLINGS if not spelling.startswith("strategy")])
def test_a_board_that_has_turned_its_last_card_is_stuck_exactly_when_no_moves_can_raise_its_count(
    spelling: str,
) -> None:
    seen = set()
    for seed in range(12):
        board = at_the_end(spelling, seed)
        while True:
            seen.add(board.status)
            assert (board.status is Status.PLAYING) == can_gain(board)
            if board.finished:
                break
            board.apply(board.legal_moves()[0])
    assert seen >= {Status.PLAYING, Status.STUCK}


@pytest.mark.parametrize("spelling", ["strategy", "strategy+redeal"])
def test_strategy_is_never_stuck_since_the_next_card_can_always_be_dug_out(spelling: str) -> None:
    for seed in range(12):
        board = at_the_end(spelling, seed)
        while not board.finished:
            before = board.count
            number, height = next(
                (number, height)
                for number, cards in enumerate(board.piles, start=1)
                for height, card in enumerate(cards)
                if board.fitting(card)
            )
            for _ in board.piles[number - 1][height + 1 :]:
                board.enter(f"p{number}p{number % 4 + 1}")
            top = board.piles[number - 1][-1]
            board.enter(f"p{number}f{board.fitting(top)[0]}")
            assert board.count == before + 1
        assert board.status is Status.SOLVED


@given(spellings, seeds, choices)
def test_a_board_with_a_card_in_hand_a_stock_or_a_redeal_left_is_never_stuck(
    spelling: str, seed: int, ways: bytes
) -> None:
    board = sir_tommy_board(spelling, dealt(spelling, seed))
    for _ in play_on(board, ways):
        if board.hand is not None or board.stock or board.redeals_left:
            assert board.status is not Status.STUCK

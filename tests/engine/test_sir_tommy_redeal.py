"""The house rule of one redeal, in the Sir Tommy family."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.sir_tommy import SirTommyBoard
from tests.engine.positions import (
    SPELLINGS,
    board_after,
    choices,
    dealt,
    everything_on_piles,
    fresh,
    played,
    seeds,
    sir_tommy_board,
    texts,
    turn,
)

REDEALS = [spelling for spelling in SPELLINGS if spelling.endswith("+redeal")]


def turned_to_the_end(board: SirTommyBoard) -> str:
    cards = []
    while board.stock:
        cards.append(turn(board))
        board.enter("hp1")
    return " ".join(cards)


@pytest.mark.parametrize("spelling", REDEALS)
def test_players_who_redeal_the_same_cards_get_them_in_the_same_order_whatever_their_piles(spelling: str) -> None:
    for seed in range(5):
        orders = []
        for way in range(5):
            chance = Random(way)
            board = everything_on_piles(
                sir_tommy_board(spelling, dealt(spelling, seed)),
                lambda turn, chance=chance: chance.randint(1, 4),  # type: ignore[misc]
            )
            board.enter("r")
            orders.append(turned_to_the_end(board))
        assert len(set(orders)) == 1


@given(st.sampled_from(REDEALS), seeds, choices)
def test_a_redeal_stacks_the_gathered_cards_by_their_place_in_the_second_shuffle(
    spelling: str, seed: int, ways: bytes
) -> None:
    board = board_after(spelling, seed, ways[:80])
    if board.hand is not None:
        board.enter("hp1")
    everything_on_piles(board)
    gathered = {card for cards in board.piles for card in cards}
    board.enter("r")
    assert board.view().piles == [[]] * 4
    assert turned_to_the_end(board) == texts([card for card in dealt(spelling, seed).second if card in gathered])


def test_there_is_one_redeal_and_it_leaves_the_foundations_alone() -> None:
    board = played(fresh("sir-tommy+redeal", "Ah"), "t hf2")
    everything_on_piles(board)
    assert board.view().redeals == 1
    board.enter("r")
    assert (board.view().redeals, board.stock, texts(board.foundations[1])) == (0, 51, "Ah")

"""The games of the Sir Tommy family, one by one: how each is dealt, and what goes where."""

from collections import Counter
from itertools import count as numbers_from
from random import Random

import pytest

from engine.board import Status
from engine.cards import parse_card, rank
from engine.games import variant
from tests.engine.positions import SIR_TOMMY, dealt, fresh, played, rules_of, sir_tommy_board, texts, tidy, turn

RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K"


ONES_TWOS_THREES_FOURS = [
    "A 2 3 4 5 6 7 8 9 10 J Q K",
    "2 4 6 8 10 Q A 3 5 7 9 J K",
    "3 6 9 Q 2 5 8 J A 4 7 10 K",
    "4 8 Q 3 7 J 2 6 10 A 5 9 K",
]


@pytest.mark.parametrize("name", ["sir-tommy", "strategy", "numerica"])
def test_all_but_the_stock_is_empty_at_the_start(name: str) -> None:
    board = fresh(name)
    view = board.view()
    assert (view.stock, view.hand, view.piles, view.foundations) == (52, None, [[]] * 4, [[]] * 4)
    assert (board.count, board.total) == (0, 52)


def test_the_stock_is_turned_in_the_order_of_the_shuffle_and_only_the_turned_card_is_seen() -> None:
    board = fresh("sir-tommy", "7h Ks 2d")
    assert board.enter("t") == parse_card("7h")
    assert board.view().hand == "7h"
    assert board.enter("hp2") is None
    assert turn(board) == "Ks"


def test_foundations_are_built_from_ace_to_king_whatever_the_suits() -> None:
    board = fresh("sir-tommy", "Ah 2c 3s")
    played(board, "t hf3 t hf3 t hf3")
    assert texts(board.foundations[2]) == "Ah 2c 3s"


def test_a_player_may_choose_a_pile_although_a_foundation_would_take_the_card() -> None:
    board = played(fresh("sir-tommy", "Ah"), "t")
    assert {"hf1", "hp1"} <= {str(move) for move in board.legal_moves()}


def test_in_strategy_any_piles_top_card_goes_to_any_other_pile_even_an_empty_one() -> None:
    board = played(fresh("strategy", "7h 9s"), "t hp1 t hp2 p1p2 p2p4")
    assert [texts(cards) for cards in board.piles] == ["", "9s", "", "7h"]


def test_in_numerica_an_ace_starts_the_leftmost_empty_foundation_and_a_card_goes_to_the_leftmost_it_fits() -> None:
    board = played(fresh("numerica", "Ah As 2c"), "t")
    assert [str(move) for move in board.legal_moves() if str(move).startswith("hf")] == ["hf1"]
    played(board, "hf1 t")
    assert [str(move) for move in board.legal_moves() if str(move).startswith("hf")] == ["hf2"]
    played(board, "hf2 t")
    assert [str(move) for move in board.legal_moves() if str(move).startswith("hf")] == ["hf1"]


def test_calculations_foundations_take_the_ranks_that_the_rules_list() -> None:
    ranks = RANKS.split()
    listed = [tuple(ranks.index(text) + 1 for text in line.split()) for line in ONES_TWOS_THREES_FOURS]
    assert list(rules_of("calculation").sequences) == listed


def test_calculation_lays_out_the_first_ace_two_three_and_four_of_the_shuffle_and_counts_them() -> None:
    board = fresh("calculation", "4s 9d Ah Ac 3d 4c 2h")
    assert [texts(cards) for cards in board.foundations] == ["Ah", "2h", "3d", "4s"]
    assert (board.count, board.stock) == (4, 48)
    assert turn(board) == "9d"
    board.enter("hp1")
    assert turn(board) == "Ac"


def test_calculations_ace_pile_takes_no_second_ace_after_its_king() -> None:
    board = fresh("calculation")
    while board.next_rank(1) is not None:
        board.foundations[0].append(4 * ((board.next_rank(1) or 0) - 1))
    assert len(board.foundations[0]) == 13
    assert 1 not in board.fitting(parse_card("Ad"))


def test_puss_in_the_corner_has_48_cards_and_no_king() -> None:
    board = fresh("puss-in-the-corner")
    assert board.total == 48
    assert max(map(rank, variant("puss-in-the-corner").cards)) == 12


def test_puss_in_the_corner_lays_the_aces_into_the_corners_as_they_come_and_counts_them() -> None:
    board = fresh("puss-in-the-corner", "As 5c Ah Ac Ad")
    assert [texts(cards) for cards in board.foundations] == ["As", "Ah", "Ac", "Ad"]
    assert (board.count, board.stock) == (4, 44)


def test_puss_in_the_corners_foundations_are_complete_at_the_queen() -> None:
    assert {sequence[-1] for sequence in rules_of("puss-in-the-corner").sequences} == {12}


@pytest.mark.parametrize("name", SIR_TOMMY)
def test_every_card_of_a_game_has_one_place_on_its_foundations(name: str) -> None:
    wanted = Counter(each for sequence in rules_of(name).sequences for each in sequence)
    assert wanted == Counter(map(rank, variant(name).cards))


@pytest.mark.parametrize("spelling", ["puss-in-the-corner", "puss-in-the-corner+redeal", "sir-tommy+redeal"])
def test_a_board_is_solved_when_every_card_is_on_the_foundations_and_not_before(spelling: str) -> None:
    for seed in numbers_from():
        board, chance = sir_tommy_board(spelling, dealt(spelling, seed)), Random(seed)
        while not board.finished:
            assert board.count < board.total
            board.apply(tidy(board, chance))
        if board.status is Status.SOLVED:
            assert board.count == board.total == len(variant(spelling).cards)
            return

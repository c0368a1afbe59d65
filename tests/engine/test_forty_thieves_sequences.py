"""Several cards moved at once in the Forty Thieves family: with groups, in Josephine, and not without."""

from copy import deepcopy
from random import Random

import pytest

from engine.cards import card_text, parse_card
from engine.forty_thieves import FortyThievesBoard
from engine.moves import column
from tests.engine.layouts import Layout, laid_out, legal, near_the_end, rules_of

RUN = "Kh Qh Jh 10h 9h 8h 7h 6h 5h 4h 3h 2h Ah"


def lengths(board: FortyThievesBoard, target: int) -> list[int]:
    """How many cards may go at once from column 1 to this one."""
    moves = [move for move in board.legal_moves() if (move.source, move.target) == (column(1), column(target))]
    return sorted(move.cards for move in moves)


def with_empty(game: str, first: str, second: str, empty: int) -> FortyThievesBoard:
    """Two columns, and so many empty ones; the others are in the way."""
    columns = rules_of(game).columns
    return laid_out(
        game, Layout.of(" / ".join([first, second, *["2s"] * (columns - 2 - empty), *["-"] * empty]), stock="Ks")
    )


@pytest.mark.parametrize("empty", range(5))
@pytest.mark.parametrize("game", ["forty-thieves", "lucas", "limited"])
def test_groups_move_up_to_two_to_the_number_of_empty_columns_and_half_as_many_to_an_empty_one(
    game: str, empty: int
) -> None:
    longest = 2**empty
    for size in range(1, 13):
        run = RUN.split()[13 - size :]
        board = with_empty(f"{game}+groups", " ".join(run), card_over(run[0]), empty)
        assert lengths(board, 2) == ([size] if size <= longest else [])
    board = with_empty(f"{game}+groups", RUN, "4c", empty)
    if empty:
        assert lengths(board, rules_of(game).columns) == list(range(1, min(13, longest // 2) + 1))


def card_over(card: str) -> str:
    """The card of the same suit and one rank higher."""
    return card_text(parse_card(card) + 4)


def test_groups_of_maria_alternate_in_colour() -> None:
    board = with_empty("maria+groups", "Kh Qs Jh Jd 10s 9h", "Jh", 1)
    assert lengths(board, 2) == [2]
    assert lengths(board, 9) == [1]
    assert legal(with_empty("maria+groups", "10s 9s", "Jh", 1)).isdisjoint({"c1c2", "c1c2x2"})


@pytest.mark.parametrize("empty", [0, 1, 2])
def test_any_properly_built_tail_moves_as_a_whole_in_josephine_however_few_columns_are_empty(empty: int) -> None:
    for options in ("", "+groups"):
        assert lengths(with_empty(f"josephine{options}", "2c 9h 8h 7h 6h", "8h", empty), 2) == [2]
        assert lengths(with_empty(f"josephine{options}", "2c 9h 8h 7h 6h", "9h", empty), 2) == [3]
        assert lengths(with_empty(f"josephine{options}", "2c 9h 8h 7h 6h", "10h", empty), 2) == [4]
    if empty:
        assert lengths(with_empty("josephine", RUN, "4c", empty), 10) == list(range(1, 14))


@pytest.mark.parametrize("game", ["forty-thieves", "lucas", "limited", "maria"])
def test_without_groups_cards_move_one_by_one(game: str) -> None:
    board = with_empty(game, RUN, "4c", 3)
    assert {move.cards for move in board.legal_moves()} == {1}


def move_one_by_one(board: FortyThievesBoard, source: int, target: int, cards: int, spare: list[int]) -> None:
    """Move some cards from column to column with single moves over the spare columns, which are empty again then."""
    if cards == 1:
        board.enter(f"c{source}c{target}")
        return
    aside, *spare = spare
    half = min(cards - 1, 2 ** len(spare))
    move_one_by_one(board, source, aside, half, spare)
    move_one_by_one(board, source, target, cards - half, spare)
    move_one_by_one(board, aside, target, half, spare)


@pytest.mark.parametrize("game", ["forty-thieves", "lucas", "limited", "maria"])
def test_whatever_moves_at_once_could_have_been_moved_card_by_card(game: str) -> None:
    tried = 0
    for seed in range(60):
        layout = near_the_end(game, Random(seed))
        at_once = laid_out(f"{game}+groups", layout)
        for move in at_once.legal_moves():
            if move.cards > 1:
                board, singly = deepcopy(at_once), laid_out(game, layout)
                empty = [number for number, cards in enumerate(singly.columns, start=1) if not cards]
                spare = [number for number in empty if number != move.target.number]
                board.apply(move)
                move_one_by_one(singly, move.source.number, move.target.number, move.cards, spare)
                assert singly.columns == board.columns
                tried += 1
    assert tried > 50

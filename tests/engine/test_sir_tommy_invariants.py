"""What holds on any board of the Sir Tommy family, however it is played."""

from collections import Counter
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board import ENDINGS
from engine.cards import Card
from engine.errors import EngineError, IllegalMove
from engine.games import variant
from engine.sir_tommy import SirTommyBoard
from tests.engine.positions import (
    NOTATION,
    all_of,
    board_after,
    choices,
    dealt,
    play_on,
    seeds,
    sir_tommy_board,
    spellings,
)


def lying(board: SirTommyBoard) -> Counter[Card]:
    """Every card that lies anywhere on the board, the stock's included."""
    places = [*board.piles, *board.foundations, [card for _, card in board._stock]]
    return Counter([card for cards in places for card in cards] + ([] if board.hand is None else [board.hand]))


def accepted(board: SirTommyBoard) -> set[str]:
    """The moves that a board takes, found by trying every one there is."""
    taken = set()
    for text in NOTATION:
        try:
            deepcopy(board).enter(text)
        except IllegalMove:
            continue
        taken.add(text)
    return taken


@given(spellings, seeds, choices)
def test_no_card_is_ever_lost_or_made(spelling: str, seed: int, ways: bytes) -> None:
    board = sir_tommy_board(spelling, dealt(spelling, seed))
    cards = Counter(variant(spelling).cards)
    assert lying(board) == cards
    for _ in play_on(board, ways):
        assert lying(board) == cards


@given(spellings, seeds, choices)
def test_the_count_is_the_number_of_cards_on_the_foundations_and_never_falls(
    spelling: str, seed: int, ways: bytes
) -> None:
    board = sir_tommy_board(spelling, dealt(spelling, seed))
    before = board.count
    for move in play_on(board, ways):
        assert board.count == sum(map(len, board.view().foundations))
        assert board.count == before + (str(move)[-2:-1] == "f")
        before = board.count


@settings(max_examples=60)
@given(spellings, seeds, choices)
def test_the_legal_moves_are_exactly_those_that_a_board_takes(spelling: str, seed: int, ways: bytes) -> None:
    board = board_after(spelling, seed, ways)
    legal = [str(move) for move in board.legal_moves()]
    assert len(set(legal)) == len(legal)
    assert set(legal) == accepted(board)


@given(spellings, seeds, choices, st.sampled_from([None, *ENDINGS]))
def test_an_illegal_move_changes_nothing(spelling: str, seed: int, ways: bytes, ending: str | None) -> None:
    board = board_after(spelling, seed, ways)
    if ending is not None and not board.finished:
        board.enter(ending)
    known = all_of(board)
    for text in {*NOTATION, "junk", ""} - {str(move) for move in board.legal_moves()}:
        with pytest.raises(EngineError):
            board.enter(text)
        assert all_of(board) == known


@given(spellings, seeds, choices, st.sampled_from(list(ENDINGS)))
def test_a_player_may_end_an_unfinished_board_at_any_time_and_the_count_stands(
    spelling: str, seed: int, ways: bytes, ending: str
) -> None:
    board = board_after(spelling, seed, ways)
    before = board.count
    if board.finished:
        with pytest.raises(IllegalMove, match="finished"):
            board.enter(ending)
    else:
        board.enter(ending)
        assert board.status is ENDINGS[ending]
    assert board.finished
    assert board.legal_moves() == []
    assert board.count == before

"""What holds on any board of the Forty Thieves family, however it is played."""

from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board import ENDINGS, EVERYTHING, Status
from engine.errors import EngineError, IllegalMove
from engine.forty_thieves import FortyThievesBoard
from engine.games import variant
from engine.moves import MOVES, Area
from tests.engine.habits import Play, play, played, plays
from tests.engine.layouts import (
    FORTY_THIEVES,
    Layout,
    Start,
    after,
    forty_thieves,
    laid_out,
    legal,
    lying,
    start,
    starts,
)
from tests.engine.positions import all_of


def cards_of(board: FortyThievesBoard) -> Any:
    """A copy of all places, quickly made."""
    return board.waste[:], [*map(tuple, board.columns)], [*map(tuple, board.foundations)], board._stock[:]


@given(forty_thieves, starts, plays)
def test_no_card_is_ever_lost_or_made(spelling: str, where: Start, way: Play) -> None:
    board = start(spelling, where)
    cards = Counter(variant(spelling).cards)
    assert lying(board) == cards
    habit, luck, moves = way
    for _ in play(board, habit, Random(luck), moves):
        assert lying(board) == cards


@given(forty_thieves, starts, plays)
def test_the_count_is_the_number_of_cards_on_the_foundations_and_never_falls(
    spelling: str, where: Start, way: Play
) -> None:
    board = start(spelling, where)
    before = board.count
    habit, luck, moves = way
    for move in play(board, habit, Random(luck), moves):
        assert board.count == sum(map(len, board.view().foundations))
        assert board.count == before + (move.target.area is Area.FOUNDATION)
        before = board.count


@settings(max_examples=50)
@given(forty_thieves, starts, plays)
def test_the_legal_moves_are_exactly_those_that_a_board_takes_and_all_others_change_nothing(
    spelling: str, where: Start, way: Play
) -> None:
    board = played(start(spelling, where), way)
    allowed = [str(move) for move in board.legal_moves()]
    assert len(set(allowed)) == len(allowed)
    known, cards = all_of(board), cards_of(board)
    for text in MOVES:
        if text in allowed:
            deepcopy(board).enter(text)
        else:
            with pytest.raises(IllegalMove):
                board.enter(text)
            assert cards_of(board) == cards
    assert all_of(board) == known


@given(
    forty_thieves, starts, plays, st.text() | st.text("twcfx0123456789", max_size=7), st.sampled_from([None, *ENDINGS])
)
def test_nothing_else_changes_a_board(spelling: str, where: Start, way: Play, text: str, ending: str | None) -> None:
    board = played(start(spelling, where), way)
    if ending is not None and not board.finished:
        board.enter(ending)
    known = all_of(board)
    if text not in legal(board):
        with pytest.raises(EngineError):
            board.enter(text)
        assert all_of(board) == known


@given(forty_thieves, starts, plays)
def test_a_board_is_solved_exactly_when_every_card_is_on_the_foundations(
    spelling: str, where: Start, way: Play
) -> None:
    board = played(start(spelling, where), way)
    assert (board.status is Status.SOLVED) == (board.count == 104)
    assert board.finished == (board.legal_moves() == [])


@pytest.mark.parametrize("spelling", FORTY_THIEVES)
def test_the_last_card_up_solves_the_board(spelling: str) -> None:
    board = laid_out(spelling, Layout.of("Kh", waste="Ks", foundations="13 13 13 13 12 13 13 12"))
    assert after(board, "c1f5").status is Status.PLAYING
    assert after(board, "wf8").status is Status.SOLVED
    assert board.passed == EVERYTHING


@given(forty_thieves, starts, plays)
def test_retracing_entries_gives_the_same_board_as_entering_them(spelling: str, where: Start, way: Play) -> None:
    board, again = start(spelling, where), start(spelling, where)
    habit, luck, moves = way
    for move in play(board, habit, Random(luck), moves):
        again.retrace(str(move))
    assert all_of(again) == all_of(board)

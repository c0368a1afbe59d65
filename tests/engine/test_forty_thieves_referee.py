"""The engine against the naive referee: boards of every game and option, compared after every move."""

from random import Random

import pytest

from engine.cards import card_text
from engine.forty_thieves import FortyThievesBoard
from tests.engine.habits import HABITS
from tests.engine.layouts import FORTY_THIEVES, fresh, laid_out, near_the_end, referee_at, referee_of
from tests.engine.positions import dealt
from tests.engine.referee_forty_thieves import FortyThievesReferee

FRESH_BOARDS = 6
LATE_BOARDS = 100
"""For each of the five games with each of the four sets of options: more than two thousand in all."""
LONGEST, LONGEST_LATE = 150, 18
"""Moves: enough for most boards to come to their end; some would go on for ever."""


def seeds_of(spelling: str, boards: int) -> range:
    """Other seeds for each game and set of options."""
    first = 1000 * FORTY_THIEVES.index(spelling)
    return range(first, first + boards)


def compare(board: FortyThievesBoard, referee: FortyThievesReferee) -> None:
    """Hold the two against each other."""
    view = board.view()
    assert view.stock == len(referee.stock)
    assert view.waste == referee.waste
    assert view.columns == referee.columns
    assert view.foundations == referee.foundations
    assert view.peek == (referee.stock[0] if "peek" in referee.options and referee.stock else None)
    assert board.count == referee.count()
    status = referee.status()
    assert board.status == status
    legal = [str(move) for move in board.legal_moves()]
    assert len(legal) == len(set(legal))
    assert set(legal) == (referee._moves() if status == "playing" else set())


def play_both(board: FortyThievesBoard, referee: FortyThievesReferee, seed: int, longest: int) -> None:
    """Play them on, the same moves on both."""
    chance = Random(seed)
    habit = HABITS[seed % len(HABITS)]
    compare(board, referee)
    for _ in range(longest):
        legal = board.legal_moves()
        if not legal:
            assert referee.legal() == set()
            return
        move = (habit if chance.random() < 0.9 else HABITS[1])(legal, chance)
        board.enter(str(move))
        referee._do(str(move))
        compare(board, referee)


@pytest.mark.parametrize("spelling", FORTY_THIEVES)
def test_engine_and_referee_agree_on_a_fresh_board_however_it_is_played(spelling: str) -> None:
    finished = 0
    for seed in seeds_of(spelling, FRESH_BOARDS):
        cards = dealt(spelling, seed)
        board = fresh(spelling, cards)
        referee = referee_at(spelling, [card_text(card) for card in cards.first])
        play_both(board, referee, seed, LONGEST)
        finished += board.finished
    assert finished


@pytest.mark.parametrize("spelling", FORTY_THIEVES)
def test_engine_and_referee_agree_on_boards_near_their_end(spelling: str) -> None:
    endings = set()
    for seed in seeds_of(spelling, LATE_BOARDS):
        layout = near_the_end(spelling, Random(seed))
        board, referee = laid_out(spelling, layout), referee_of(spelling, layout)
        play_both(board, referee, seed, LONGEST_LATE)
        endings.add(board.status)
    assert endings == {"playing", "solved", "stuck"}


def test_the_referee_refuses_a_move_that_is_not_legal_and_changes_nothing() -> None:
    referee = referee_at("forty-thieves", [card_text(card) for card in dealt("forty-thieves", 1).first])
    before = referee._lying(), list(referee.stock)
    for move in ("c1c1", "wc1", "wf1", "hp1", "c1c2x2", ""):
        with pytest.raises(ValueError, match="not a legal move"):
            referee.play(move)
    assert (referee._lying(), referee.stock) == before

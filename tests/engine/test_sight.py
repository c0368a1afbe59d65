"""What others may see of a board (design.md, point 4): what is live, and the entries that they have passed themselves."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import EVERYTHING, Status
from engine.games import variant
from engine.sight import Live, Shown, Told, live, shown, told
from tests.engine.habits import HABITS, play
from tests.engine.layouts import FORTY_THIEVES
from tests.engine.positions import SPELLINGS, dealt, everything_on_piles, fresh


@pytest.mark.parametrize(
    ("positions", "passed", "number"),
    [
        ([], 5, 0),
        ([0], -1, 0),
        ([0], 0, 1),
        ([1, 1, 2, 2, 3], -1, 0),
        ([1, 1, 2, 2, 3], 0, 0),
        ([1, 1, 2, 2, 3], 1, 2),
        ([1, 1, 2, 2, 3], 2, 4),
        ([1, 1, 2, 2, 3], 3, 5),
        ([1, 1, 5, 5, 9], 6, 4),
        ([1, 1, 52, 52, 52, 60], 52, 5),
        ([1, 1, 52, 60], EVERYTHING, 4),
    ],
)
def test_an_entry_is_shown_when_the_other_board_has_passed_its_position(
    positions: list[int], passed: int, number: int
) -> None:
    assert shown(positions, passed) == number


@given(st.lists(st.integers(0, 104)).map(sorted), st.integers(-1, 110))
def test_what_is_shown_is_just_what_is_passed(positions: list[int], passed: int) -> None:
    assert shown(positions, passed) == sum(position <= passed for position in positions)


@pytest.mark.parametrize("spelling", [*SPELLINGS, *FORTY_THIEVES])
def test_live_is_how_many_cards_of_the_first_shuffle_were_turned_and_whether_the_board_is_finished(
    spelling: str,
) -> None:
    chosen, chance = variant(spelling), Random(spelling)
    board = chosen.board(dealt(spelling, 1))
    assert live(board) == Live(0, finished=False)
    turned, redealt = 0, False
    for move in play(board, HABITS[3], chance, 150):
        redealt = redealt or str(move) == "r"
        turned += str(move) == "t" and not redealt
        assert live(board) == Live(turned, board.finished)
    assert turned == chosen.game.stock


def test_cards_turned_again_after_a_redeal_are_not_live() -> None:
    board = everything_on_piles(fresh("calculation+redeal"))
    assert live(board) == Live(48, finished=False)
    board.enter("r")
    for number in range(1, 48):
        board.enter("t")
        assert (board.turned, board.turned_again) == (48 + number, number)
        assert live(board) == Live(48, finished=False)
        board.enter("hp1")


def test_what_is_told_has_what_is_live_and_what_follows_from_the_entries_shown() -> None:
    assert told(Live(52, finished=True), Shown(Status.PLAYING, 17, 3)) == Told(55, True, Status.PLAYING, 17)
    assert told(Live(9, finished=False), Shown(Status.PLAYING, 2, 0)) == Told(9, False, Status.PLAYING, 2)

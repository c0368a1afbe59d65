"""What others may be shown of a board (design.md, point 4): the entries that they have passed themselves."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import EVERYTHING, Status
from engine.games import variant
from protocol.messages import Progress
from server.effects import SPECTATORS
from server.sight import shown
from tests.server.desk import ANN, BOB, CODE, Desk, moves_seen, spellings
from tests.server.reading import Reading
from tests.server.worlds import chosen_move, shuffled


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


@pytest.mark.parametrize("spelling", spellings())
def test_a_board_has_passed_what_the_design_says(spelling: str) -> None:
    """Against a second reading of the design's words."""
    chosen = variant(spelling)
    for seed in range(2):
        random = Random(f"{spelling} {seed}")
        dealt = shuffled(spelling, random)
        board, reading = chosen.board(dealt), Reading(spelling, dealt)
        for _ in range(260):
            assert (board.position, board.passed) == (reading.place, reading.passed)
            if board.finished:
                break
            entry = chosen_move(board, random)
            reading.take(entry, board.enter(entry))


def test_the_rival_is_sent_progress_and_never_a_move_or_a_board() -> None:
    desk = Desk().playing()
    desk.forget()
    for _ in range(30):
        desk.play(ANN, 2)
        desk.play(BOB, 1)
    for player in (ANN, BOB):
        of_the_other = [type(message) for message in desk.new(player) if getattr(message, "seat", player) != player]
        assert set(of_the_other) == {Progress}


def test_the_rival_learns_at_once_that_a_card_was_turned_and_no_more() -> None:
    desk = Desk().playing()
    desk.play(ANN, 9)
    (progress,) = [desk.new(BOB)[-1]]
    turned = desk.board(ANN).turned
    assert progress == Progress(match=CODE, seat=ANN, turned=turned, finished=False, status=Status.PLAYING, count=0)


def test_that_a_board_is_finished_is_known_at_once_and_how_it_finished_only_later() -> None:
    desk = Desk().playing()
    desk.play(ANN, 9)
    desk.move(ANN, "stand")
    progress = desk.new(BOB)[-1]
    assert isinstance(progress, Progress)
    assert (progress.finished, progress.status) == (True, Status.PLAYING)
    while desk.board(BOB).turned <= desk.board(ANN).turned:
        desk.play(BOB, 1)
    progress = [message for message in desk.new(BOB) if isinstance(message, Progress)][-1]
    assert (progress.finished, progress.status) == (True, Status.STOOD)


def test_once_one_player_has_no_card_to_come_the_other_is_seen_live() -> None:
    desk = Desk().playing()
    desk.match.spectators = 1
    desk.play(ANN, 9)
    assert moves_seen(desk.new(SPECTATORS), ANN) == []
    desk.move(BOB, "stand")
    assert [number for number, _ in moves_seen(desk.new(SPECTATORS), ANN)] == list(range(1, 10))
    desk.play(ANN, 1)
    assert [number for number, _ in moves_seen(desk.new(SPECTATORS), ANN)] == [10]

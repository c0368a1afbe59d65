"""Who wins.

Two boards are held against a table written from rules.md, section 1, and against the rule there was for two alone; more
boards against the words of the rule for any number.
"""

from collections.abc import Sequence
from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import Status
from engine.result import MOST_SEATS, NO_RACE, Reason, Result, Standing, decide

GOES_ON = None
FIRST_SOLVED, SECOND_SOLVED = Result(0, Reason.SOLVED, [1, 2]), Result(1, Reason.SOLVED, [2, 1])
FIRST_BY_RESIGNATION, SECOND_BY_RESIGNATION = Result(0, Reason.RESIGNED, [1, 2]), Result(1, Reason.RESIGNED, [2, 1])
FIRST_BY_COUNT, SECOND_BY_COUNT = Result(0, Reason.COUNT, [1, 2]), Result(1, Reason.COUNT, [2, 1])
DRAW = Result(None, Reason.DRAW, [1, 1])

TABLE = """
             playing  solved  stuck  stood  timed-out  abandoned  resigned
playing      -        2s      -      -      -          -          1r
solved       1s       1s|2s   1s     1s     1s         1s         1s|1r
stuck        -        2s      count  count  count      count      1r
stood        -        2s      count  count  count      count      1r
timed-out    -        2s      count  count  count      count      1r
abandoned    -        2s      count  count  count      count      1r
resigned     2r       2r|2s   2r     2r     2r         2r         2r|1r
"""
"""Rows are the first player's status, columns the second's. a|b: a when the first player's entry came earlier, else b."""

WORDS = {
    "-": GOES_ON,
    "1s": FIRST_SOLVED,
    "2s": SECOND_SOLVED,
    "1r": FIRST_BY_RESIGNATION,
    "2r": SECOND_BY_RESIGNATION,
}


def rows() -> list[tuple[Status, Status, str]]:
    head, *lines = (line.split() for line in TABLE.strip().splitlines())
    return [
        (Status(line[0]), Status(column), word) for line in lines for column, word in zip(head, line[1:], strict=True)
    ]


def test_the_table_has_every_pair_of_statuses() -> None:
    assert [row[:2] for row in rows()] == list(product(Status, Status))


@pytest.mark.parametrize(("first", "second", "word"), rows())
def test_two_boards_come_to_the_result_in_the_table(first: Status, second: Status, word: str) -> None:
    for counts, times in product([(30, 20), (20, 30), (30, 30)], [(1000, 2000), (2000, 1000)]):
        result = decide([Standing(first, counts[0], times[0]), Standing(second, counts[1], times[1])])
        if word == "count":
            by_count = {True: FIRST_BY_COUNT, False: SECOND_BY_COUNT}[counts[0] > counts[1]]
            assert result == (DRAW if counts[0] == counts[1] else by_count)
        else:
            earlier, _, later = word.partition("|")
            assert result == WORDS[later if later and times[0] > times[1] else earlier]


def test_both_solved_or_both_resigned_in_the_same_millisecond_is_a_draw() -> None:
    for status in (Status.SOLVED, Status.RESIGNED):
        assert decide([Standing(status, 52, 1000), Standing(status, 30, 1000)]) == DRAW


def test_one_solved_while_the_other_resigns_in_the_same_millisecond_is_solved() -> None:
    solved, resigned = Standing(Status.SOLVED, 52, 1000), Standing(Status.RESIGNED, 30, 1000)
    assert decide([solved, resigned]) == FIRST_SOLVED
    assert decide([resigned, solved]) == SECOND_SOLVED


# Two boards: what was decided when there were never more


def decided_for_two(first: Standing, second: Standing) -> tuple[int | None, Reason] | None:
    """The rule of version 1, word for word, with which every match until then was decided."""
    decisive = [
        (board.at, (seat, Reason.SOLVED) if board.status is Status.SOLVED else (1 - seat, Reason.RESIGNED))
        for seat, board in enumerate((first, second))
        if board.status in (Status.SOLVED, Status.RESIGNED)
    ]
    if decisive:
        earliest = min(at for at, _ in decisive)
        results = [result for at, result in decisive if at == earliest]
        if len({winner for winner, _ in results}) == 2:
            return None, Reason.DRAW
        return min(results, key=lambda result: result[1] is not Reason.SOLVED)
    if Status.PLAYING in (first.status, second.status):
        return None
    if first.count == second.count:
        return None, Reason.DRAW
    return (0 if first.count > second.count else 1), Reason.COUNT


def test_two_boards_are_decided_as_they_always_were() -> None:
    """Every pair of statuses, with counts and times in every order: also those that no match can come to.

    (None can come to a solved board with fewer cards up than the other; and no decision comes after another one, such as a
    solved board after the other was resigned, but where two servers have not heard of each other yet.)
    """
    standings = [Standing(*each) for each in product(Status, (20, 30, 52), (1000, 2000, 3000))]
    for first, second in product(standings, standings):
        result = decide([first, second])
        assert decided_for_two(first, second) == (None if result is None else (result.winner, result.reason))
        if result is not None:
            assert result.places == {0: [1, 2], 1: [2, 1], None: [1, 1]}[result.winner]


# Any number of boards

numbers = st.integers(0, 3)
boards = st.lists(st.builds(Standing, st.sampled_from(Status), numbers, numbers), min_size=1, max_size=MOST_SEATS)
ended = boards.filter(lambda standings: decide(standings) is not None)


def is_before(one: Standing, other: Standing) -> bool:
    """Whether one is placed before the other, in the words of the rule."""
    if Status.SOLVED in (one.status, other.status):
        return one.status is Status.SOLVED and (other.status is not Status.SOLVED or one.at < other.at)
    if Status.RESIGNED in (one.status, other.status):
        return other.status is Status.RESIGNED and (one.status is not Status.RESIGNED or one.at > other.at)
    return one.count > other.count


@given(boards)
def test_a_match_ends_when_no_board_is_open_or_one_is_and_all_others_have_solved_or_resigned(
    standings: list[Standing],
) -> None:
    others = [board.status for board in standings if board.status is not Status.PLAYING]
    decided = all(status in (Status.SOLVED, Status.RESIGNED) for status in others)
    match len(standings) - len(others):
        case 0:
            assert decide(standings) is not None
        case 1 if others and decided:
            assert decide(standings) is not None
        case _:
            assert decide(standings) is None


@given(ended)
def test_a_place_is_one_more_than_the_number_of_those_before_it(standings: list[Standing]) -> None:
    result = decide(standings)
    assert result is not None
    assert result.places == [1 + sum(is_before(other, board) for other in standings) for board in standings]


@given(ended)
def test_the_winner_is_the_only_one_at_the_first_place(standings: list[Standing]) -> None:
    result = decide(standings)
    assert result is not None
    first = [seat for seat, place in enumerate(result.places) if place == 1]
    assert result.winner == (first[0] if len(first) == 1 else None)
    assert (result.reason is Reason.DRAW) == (result.winner is None)


@given(ended.filter(lambda standings: len(standings) > 1))
def test_the_reason_is_what_the_winner_has_over_the_others(standings: list[Standing]) -> None:
    result = decide(standings)
    assert result is not None
    if result.winner is None:
        return
    winner = standings[result.winner]
    others = [board for seat, board in enumerate(standings) if seat != result.winner]
    all_resigned = all(board.status is Status.RESIGNED for board in others)
    assert (result.reason is Reason.SOLVED) == (
        winner.status is Status.SOLVED and not (all_resigned and all(board.at < winner.at for board in others))
    )
    assert (result.reason is Reason.COUNT) == (
        winner.status not in (Status.SOLVED, Status.RESIGNED) and not all_resigned
    )


@given(ended, st.randoms())
def test_the_result_does_not_depend_on_who_sits_where(standings: list[Standing], chance: Random) -> None:
    result = decide(standings)
    assert result is not None
    order = list(range(len(standings)))
    chance.shuffle(order)
    moved = decide([standings[seat] for seat in order])
    assert moved is not None
    assert moved.places == [result.places[seat] for seat in order]
    assert moved.reason is result.reason
    assert (None if moved.winner is None else order[moved.winner]) == result.winner


SOLVED_EARLY, SOLVED_LATE = Standing(Status.SOLVED, 52, 1000), Standing(Status.SOLVED, 52, 2000)
HIGH, LOW = Standing(Status.STUCK, 40, 1500), Standing(Status.STOOD, 20, 500)
OUT_EARLY, OUT_LATE = Standing(Status.RESIGNED, 45, 700), Standing(Status.RESIGNED, 10, 900)
OPEN = Standing(Status.PLAYING, 30, 1900)


@pytest.mark.parametrize(
    ("standings", "result"),
    [
        ([], GOES_ON),
        ([OPEN], GOES_ON),
        ([SOLVED_EARLY], Result(0, Reason.SOLVED, [1])),
        ([LOW], Result(0, Reason.COUNT, [1])),
        ([OUT_LATE], Result(0, Reason.RESIGNED, [1])),
        ([SOLVED_EARLY, OPEN, OPEN], GOES_ON),
        ([SOLVED_EARLY, OPEN, LOW], GOES_ON),
        ([OUT_EARLY, OPEN, LOW], GOES_ON),
        ([OPEN, SOLVED_EARLY, OUT_EARLY], Result(1, Reason.SOLVED, [2, 1, 3])),
        ([OUT_LATE, OUT_EARLY, OPEN], Result(2, Reason.RESIGNED, [2, 3, 1])),
        ([LOW, SOLVED_LATE, OUT_EARLY, HIGH, SOLVED_EARLY, OUT_LATE], Result(4, Reason.SOLVED, [4, 2, 6, 3, 1, 5])),
        ([LOW, HIGH, LOW, OUT_EARLY], Result(1, Reason.COUNT, [2, 1, 2, 4])),
        ([HIGH, LOW, HIGH], Result(None, Reason.DRAW, [1, 3, 1])),
        ([OUT_EARLY, HIGH, OUT_LATE], Result(1, Reason.RESIGNED, [3, 1, 2])),
    ],
)
def test_examples_with_more_or_fewer_boards_than_two(standings: Sequence[Standing], result: Result | None) -> None:
    assert decide(standings) == result


def test_all_orders_of_six_boards_come_to_the_same_places() -> None:
    standings = [SOLVED_EARLY, SOLVED_LATE, HIGH, LOW, OUT_LATE, OUT_EARLY]
    for order in permutations(range(6)):
        result = decide([standings[seat] for seat in order])
        assert result is not None
        assert result.places == [seat + 1 for seat in order]


def test_a_match_that_never_started_has_no_places() -> None:
    assert Result(None, Reason.ABORTED, []) == NO_RACE

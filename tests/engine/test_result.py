"""Who wins: every pair of statuses, counts and times, against a table written from rules.md, section 1."""

from itertools import product

import pytest

from engine.board import Status
from engine.result import Reason, Result, Standing, decide

GOES_ON = None
FIRST_SOLVED, SECOND_SOLVED = Result(0, Reason.SOLVED), Result(1, Reason.SOLVED)
FIRST_WINS_BY_RESIGNATION, SECOND_WINS_BY_RESIGNATION = Result(0, Reason.RESIGNED), Result(1, Reason.RESIGNED)
DRAW = Result(None, Reason.DRAW)

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
    "1r": FIRST_WINS_BY_RESIGNATION,
    "2r": SECOND_WINS_BY_RESIGNATION,
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
        result = decide(Standing(first, counts[0], times[0]), Standing(second, counts[1], times[1]))
        if word == "count":
            by_count = {True: Result(0, Reason.COUNT), False: Result(1, Reason.COUNT)}[counts[0] > counts[1]]
            assert result == (DRAW if counts[0] == counts[1] else by_count)
        else:
            earlier, _, later = word.partition("|")
            assert result == WORDS[later if later and times[0] > times[1] else earlier]


def test_both_solved_or_both_resigned_in_the_same_millisecond_is_a_draw() -> None:
    for status in (Status.SOLVED, Status.RESIGNED):
        assert decide(Standing(status, 52, 1000), Standing(status, 30, 1000)) == DRAW


def test_one_solved_while_the_other_resigns_in_the_same_millisecond_is_solved() -> None:
    solved, resigned = Standing(Status.SOLVED, 52, 1000), Standing(Status.RESIGNED, 30, 1000)
    assert decide(solved, resigned) == FIRST_SOLVED
    assert decide(resigned, solved) == SECOND_SOLVED


def test_the_result_is_the_same_from_the_other_side() -> None:
    statuses = list(product(Status, Status))
    for (first, second), counts, times in product(statuses, [(1, 2), (2, 2)], [(1, 2), (2, 1), (2, 2)]):
        here, there = Standing(first, counts[0], times[0]), Standing(second, counts[1], times[1])
        one, other = decide(here, there), decide(there, here)
        if one is None or other is None:
            assert one is other is None
        else:
            assert one.reason == other.reason
            assert other.winner == (None if one.winner is None else 1 - one.winner)

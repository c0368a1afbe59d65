"""A match that its players leave before the start: it is given up for both."""

from collections.abc import Callable

import pytest

from server.course import NEVER
from server.match import WAITING_LIMIT
from tests.server.desk import ANN, BOB, Desk, last_state, verified


@pytest.mark.parametrize("far", [Desk.seated, Desk.revealing, Desk.counting_down])
def test_whoever_leaves_before_the_start_ends_the_match_for_both(far: Callable[[Desk], Desk]) -> None:
    desk = far(Desk())
    desk.do("leave", BOB, re=9)
    told = last_state(desk.new(BOB))
    assert (told.state, told.aborted, told.re) == ("aborted", "left", 9)
    told = last_state(desk.new(ANN))
    assert (told.state, told.aborted, told.result) == ("aborted", "left", None)
    assert told.secret == desk.terms.secret
    assert told.digest == desk.match.record.digest
    verified(desk)


@pytest.mark.parametrize("far", [Desk.seated, Desk.revealing])
def test_whoever_stays_away_before_the_start_ends_the_match(far: Callable[[Desk], Desk]) -> None:
    desk = far(Desk(grace=5_000))
    desk.drop(ANN)
    assert desk.match.due == desk.now + 5_000
    desk.wait(5_000)
    assert desk.match.aborted == "left"
    verified(desk)


def test_leaving_a_match_that_was_given_up_changes_nothing() -> None:
    desk = Desk().seated()
    desk.do("leave", BOB)
    before = desk.picture()
    desk.do("leave", ANN)
    assert desk.picture() == before


def test_nobody_leaves_a_race_that_is_on() -> None:
    desk = Desk().playing()
    with desk.refuses("has-started"):
        desk.do("leave", ANN)


def test_nothing_falls_due_in_a_match_that_was_given_up() -> None:
    desk = Desk().seated()
    desk.do("leave", BOB)
    assert desk.match.due == NEVER
    before = desk.picture()
    desk.wait(10 * WAITING_LIMIT)
    assert desk.match.tick(desk.now) == []
    assert desk.picture() == before

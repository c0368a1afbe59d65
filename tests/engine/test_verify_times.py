"""The times of a record: in order, within the clock, and none after the match was decided."""

from typing import Any

import pytest

from tests.engine.matches import CLOCK, plain, race, record_with, until
from tests.engine.misfits import misfits_resealed


def at(changed: Any, seat: int, number: int, time: int) -> None:
    """Give an entry another time."""
    changed["seats"][seat]["entries"][number] = (time, changed["seats"][seat]["entries"][number][1])


def test_entries_of_a_board_that_are_not_in_the_order_of_their_times_are_named() -> None:
    changed = record_with()
    at(changed, 0, 3, changed["seats"][0]["entries"][4][0] + 1)
    assert misfits_resealed(changed) == {"order"}


def test_entries_of_a_board_may_share_a_millisecond() -> None:
    changed = record_with()
    at(changed, 0, 3, changed["seats"][0]["entries"][4][0])
    assert misfits_resealed(changed) == set()


def test_an_entry_before_the_start_is_named() -> None:
    changed = record_with()
    at(changed, 0, 0, -1)
    assert misfits_resealed(changed) == {"clock"}


def test_a_move_after_the_clock_ran_out_is_named() -> None:
    changed = record_with()
    last = max(seat["entries"][-1][0] for seat in changed["seats"])
    assert misfits_resealed(changed | {"clock": last}) == {"clock"}
    assert misfits_resealed(changed | {"clock": last + 1}) == set()


def test_a_timeout_before_the_clock_ran_out_is_named() -> None:
    changed = plain(race("strategy", 3, (until(4, "timeout"), until(4, "timeout"))))
    assert misfits_resealed(changed) == set()
    assert misfits_resealed(changed | {"clock": CLOCK + 1}) == {"clock"}


def resigned_at_the_end(resigning: int) -> Any:
    """A match of two boards begun, which this player then resigns."""
    players = (until(4, "resign"), until(9, "stand")) if resigning == 0 else (until(9, "stand"), until(4, "resign"))
    return plain(
        next(record for seed in range(99) if (record := race("sir-tommy", seed, players)).seats[1 - resigning].entries)
    )


@pytest.mark.parametrize("resigning", [0, 1])
def test_an_entry_later_than_the_one_that_decided_the_match_is_named(resigning: int) -> None:
    changed = resigned_at_the_end(resigning)
    decided = changed["seats"][resigning]["entries"][-1][0]
    at(changed, 1 - resigning, -1, decided + 1)
    assert misfits_resealed(changed) == {"order"}


@pytest.mark.parametrize("resigning", [0, 1])
def test_the_other_players_entry_in_the_millisecond_that_decided_the_match_may_stand(resigning: int) -> None:
    changed = resigned_at_the_end(resigning)
    decided = changed["seats"][resigning]["entries"][-1][0]
    at(changed, 1 - resigning, -1, decided)
    assert misfits_resealed(changed) == set()


def test_two_players_who_resign_in_the_same_millisecond_make_a_draw_that_fits() -> None:
    changed = resigned_at_the_end(0)
    decided = changed["seats"][0]["entries"][-1][0]
    changed["seats"][1]["entries"].append((decided, "resign"))
    changed["seats"][1]["status"] = "resigned"
    changed["result"] = {"winner": None, "reason": "draw", "places": [1, 1]}
    assert misfits_resealed(changed) == set()

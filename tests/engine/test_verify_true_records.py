"""The record of a true match fits in every part, however the match ended."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import Status
from engine.record import Record, read_record, write_record
from engine.result import Reason, Result
from engine.verify import verify
from tests.engine.matches import aborted, careful, race, until
from tests.engine.misfits import misfits
from tests.engine.positions import SPELLINGS, seeds, spellings

PLAYED_CHECKS = ["digest", "commitment", "nonce", "nonce", "deck", "board", "board", "result"]


def first_with(reason: Reason, spelling: str) -> Record:
    """The first match of careful players that ends like this."""
    records = (race(spelling, seed, (careful, careful)) for seed in range(1000))
    return next(record for record in records if record.result.reason is reason)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_the_record_of_a_true_match_fits_in_every_part(spelling: str) -> None:
    for seed in range(5):
        record = race(spelling, seed)
        assert [finding.check for finding in verify(record)] == PLAYED_CHECKS
        assert not misfits(record)
        assert not misfits(read_record(write_record(record)))


@pytest.mark.parametrize("word", ["stand", "resign", "timeout", "abandon"])
def test_a_true_match_fits_whatever_ended_a_board(word: str) -> None:
    record = race("numerica", 4, (until(12, word), until(20, "stand")))
    assert record.seats[0].entries[-1][1] == word
    assert not misfits(record)


def test_a_true_match_fits_when_it_was_solved() -> None:
    record = first_with(Reason.SOLVED, "puss-in-the-corner+redeal")
    assert Status.SOLVED in {seat.status for seat in record.seats}
    assert not misfits(record)


def test_a_true_match_fits_when_it_was_a_draw() -> None:
    record = race("sir-tommy", 0, (until(0, "stand"), until(0, "stand")))
    assert record.result == Result(None, Reason.DRAW, [1, 1])
    assert not misfits(record)


@given(spellings, seeds, st.integers(0, 2))
def test_a_match_given_up_before_the_start_fits_however_far_it_came(spelling: str, seed: int, step: int) -> None:
    assert not misfits(aborted(spelling, seed, seats=step))
    assert not misfits(aborted(spelling, seed, committed=step))
    assert not misfits(aborted(spelling, seed, committed=2, revealed=step))


def test_findings_say_what_was_stated_what_was_found_and_about_whom() -> None:
    record = race("sir-tommy", 2)
    by_check = {finding.check: finding.facts for finding in verify(record)}
    assert by_check["commitment"] == {"stated": record.commitment, "found": record.commitment}
    assert by_check["nonce"]["player"] == record.seats[1].name
    assert by_check["board"]["stated"] == (record.seats[1].status, record.seats[1].count)
    assert by_check["board"]["entries"] == len(record.seats[1].entries)
    assert by_check["result"]["names"] == [seat.name for seat in record.seats]

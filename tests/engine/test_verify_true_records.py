"""The record of a true match fits in every part, however the match ended."""

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import Status
from engine.record import Record, read_record, write_record
from engine.result import MOST_SEATS, Reason, Result
from engine.verify import verify
from tests.engine.matches import aborted, careful, hasty, plain, race, until
from tests.engine.misfits import misfits, misfits_resealed
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


@pytest.mark.parametrize("fixed_by", ["players", "server"])
@pytest.mark.parametrize("players", range(1, MOST_SEATS + 1))
def test_a_true_match_of_any_number_of_players_fits_whoever_fixed_the_cards(
    players: int, fixed_by: Literal["players", "server"]
) -> None:
    record = race(
        "calculation+redeal",
        players,
        ([hasty, until(15, "stand"), careful, until(20, "resign")] * 2)[:players],
        fixed_by,
    )
    checks = [finding.check for finding in verify(read_record(write_record(record)))]
    nonces = ["nonce"] * players if fixed_by == "players" else []
    assert checks == ["digest", "commitment", *nonces, "deck", *["board"] * players, "result"]
    assert not misfits(record)


@pytest.mark.parametrize("players", [1, 2, 3])
def test_cards_that_the_server_fixed_are_not_those_that_any_nonces_give(players: int) -> None:
    changed = plain(race("sir-tommy", 1, [until(5, "stand")] * players))
    for seat in changed["seats"]:
        seat["nonce"] = seat["nonce_commitment"] = None
    assert misfits_resealed(changed) == {"nonce"}
    assert "deck" in misfits_resealed(changed | {"fixed_by": "server"})


@pytest.mark.parametrize("dealt", [False, True])
def test_a_match_with_the_servers_cards_fits_that_was_given_up_before_or_after_they_were_dealt(dealt: bool) -> None:
    changed = plain(race("puss-in-the-corner", 1, [until(0, "stand")] * 2, "server"))
    for seat in changed["seats"]:
        seat |= {"entries": [], "status": "playing", "count": 4 if dealt else 0}
    changed["result"] = {"winner": None, "reason": "aborted", "places": []}
    if not dealt:
        changed |= {"deck": [], "second": []}
    assert misfits_resealed(changed) == set()
    changed["seats"][0]["count"] += 1
    assert misfits_resealed(changed) == {"board"}


def test_findings_say_what_was_stated_what_was_found_and_about_whom() -> None:
    record = race("sir-tommy", 2)
    by_check = {finding.check: finding.facts for finding in verify(record)}
    assert by_check["commitment"] == {"stated": record.commitment, "found": record.commitment}
    assert by_check["nonce"]["player"] == record.seats[1].name
    assert by_check["board"]["stated"] == (record.seats[1].status, record.seats[1].count)
    assert by_check["board"]["entries"] == len(record.seats[1].entries)
    assert by_check["result"]["names"] == [seat.name for seat in record.seats]

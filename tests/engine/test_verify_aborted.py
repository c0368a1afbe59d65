"""The record of a match that never started: what it may hold, and what is checked in it."""

from tests.engine.matches import aborted, plain
from tests.engine.misfits import misfits_resealed


def test_a_match_never_started_has_no_entries() -> None:
    changed = plain(aborted("sir-tommy", 1, committed=2, revealed=2))
    changed["seats"][0]["entries"].append((5, "t"))
    assert misfits_resealed(changed) == {"result"}


def test_a_match_never_started_has_no_winner() -> None:
    changed = plain(aborted("sir-tommy", 1))
    changed["result"]["winner"] = 0
    assert misfits_resealed(changed) == {"result"}


def test_a_match_never_dealt_has_no_cards() -> None:
    changed = plain(aborted("sir-tommy", 1, committed=2, revealed=1))
    changed["deck"] = ["Ah"]
    assert misfits_resealed(changed) == {"deck"}


def test_a_match_never_started_has_counts_from_the_starters_alone() -> None:
    record = aborted("puss-in-the-corner", 1, committed=2, revealed=2)
    assert [seat.count for seat in record.seats] == [4, 4]
    changed = plain(record)
    changed["seats"][1]["count"] = 5
    assert misfits_resealed(changed) == {"board"}


def test_a_revealed_nonce_is_checked_even_when_the_match_never_started() -> None:
    changed = plain(aborted("sir-tommy", 1, committed=2, revealed=1))
    changed["seats"][0]["nonce"] = "00" * 16
    assert misfits_resealed(changed) == {"nonce"}


def test_the_secret_is_checked_even_when_nobody_came() -> None:
    changed = plain(aborted("sir-tommy", 1, seats=0))
    assert misfits_resealed(changed | {"secret": "00" * 32}) == {"commitment"}

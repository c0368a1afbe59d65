"""What is named when something in a record does not fit."""

from typing import Any

import msgspec
import pytest

from engine.record import Record
from tests.engine.matches import record_with, resealed
from tests.engine.misfits import findings, misfits, misfits_resealed


def test_a_digest_that_does_not_fit_is_named() -> None:
    changed = record_with()
    changed["seats"][0]["name"] = "Anne"
    assert misfits(msgspec.convert(changed, Record)) == {"digest"}


def test_an_unknown_game_is_named() -> None:
    assert misfits_resealed(record_with() | {"game": "forty-winks"}) == {"game"}


@pytest.mark.parametrize(
    "changes",
    [
        {"secret": "00" * 32},
        {"secret": "00" * 31},
        {"secret": ""},
        {"commitment": "00" * 32},
        {"match": "aaaaaaaa"},
        {"game": "sir-tommy+redeal"},
        {"game": "strategy"},
    ],
)
def test_a_secret_that_was_not_committed_to_for_this_match_and_game_is_named(changes: dict[str, str]) -> None:
    assert "commitment" in misfits_resealed(record_with() | changes)


def test_a_nonce_of_the_other_seat_is_named() -> None:
    changed = record_with()
    changed["seats"][0]["nonce"] = changed["seats"][1]["nonce"]
    changed["seats"][0]["nonce_commitment"] = changed["seats"][1]["nonce_commitment"]
    assert misfits_resealed(changed) == {"nonce"}


def test_players_who_have_changed_seats_are_caught() -> None:
    changed = record_with()
    changed["seats"].reverse()
    assert misfits_resealed(changed) == {"nonce"}


@pytest.mark.parametrize("shuffle", ["deck", "second"])
def test_a_shuffle_that_is_not_the_deals_is_named(shuffle: str) -> None:
    changed = record_with()
    changed[shuffle].reverse()
    assert misfits_resealed(changed) == {"deck"}


def test_the_first_illegal_move_is_named_with_its_player_number_and_rule() -> None:
    changed = record_with()
    at, _ = changed["seats"][1]["entries"][1]
    changed["seats"][1]["entries"][1] = (at, "t")
    finding = findings(resealed(changed))[-1]
    assert (finding.check, finding.fits) == ("entry", False)
    assert finding.facts["player"] == "Jürgen"
    assert finding.facts["number"] == 2
    assert "in hand" in finding.facts["why"]


@pytest.mark.parametrize("field", ["status", "count"])
def test_a_board_that_came_to_something_else_is_named(field: str) -> None:
    changed = record_with()
    changed["seats"][0][field] = {"status": "abandoned", "count": 51}[field]
    assert misfits_resealed(changed) == {"board"}


@pytest.mark.parametrize(
    "result",
    [
        {"winner": 0},
        {"winner": 1},
        {"winner": None},
        {"winner": 7},
        {"reason": "draw"},
        {"reason": "solved"},
        {"places": [1, 1]},
        {"places": [2, 1]},
        {"places": [1, 2]},
        {"places": []},
        {"places": [1, 2, 3]},
    ],
)
def test_a_result_that_does_not_follow_from_the_boards_is_named(result: dict[str, Any]) -> None:
    changed = record_with()
    true = dict(changed["result"])
    changed["result"] |= result
    assert misfits_resealed(changed) == ({"result"} if changed["result"] != true else set())


def test_a_match_that_breaks_off_has_no_result() -> None:
    changed = record_with()
    changed["seats"][1]["entries"].pop()
    assert misfits_resealed(changed) == {"board", "result"}

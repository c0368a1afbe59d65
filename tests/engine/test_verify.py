"""A true record fits in every part; a record changed anywhere does not."""

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import ENDINGS, Status
from engine.errors import BadRecord
from engine.record import Record, read_record, sealed, write_record
from engine.result import Reason, Result
from engine.verify import Finding, verify
from tests.engine.matches import CLOCK, aborted, careful, hasty, plain, race, resealed, until
from tests.engine.positions import SPELLINGS, seeds, spellings

PLAYED_CHECKS = ["digest", "commitment", "nonce", "nonce", "deck", "board", "board", "result"]


def findings(text: str) -> list[Finding]:
    return verify(read_record(text))


def misfits(record: Record) -> set[str]:
    return {finding.check for finding in verify(record) if not finding.fits}


def misfits_resealed(changed: Any) -> set[str]:
    """What does not fit although the digest has been made to."""
    return misfits(read_record(resealed(changed)))


def is_caught(text: str) -> bool:
    """Whether reading or verifying says that something is wrong."""
    try:
        return any(not finding.fits for finding in findings(text))
    except BadRecord:
        return True


def first_with(reason: Reason, spelling: str) -> Record:
    """The first match of careful players that ends like this."""
    records = (race(spelling, seed, (careful, careful)) for seed in range(1000))
    return next(record for record in records if record.result.reason is reason)


# True records


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
    assert record.result == Result(None, Reason.DRAW)
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


# Any one change


def leaves_instead_of(value: Any) -> list[Any]:
    """Other values for a leaf, of its own kind and of other kinds."""
    if isinstance(value, bool):
        return [not value, None, 0]
    if isinstance(value, int):
        return [value + 1, -1, 10**12, None, str(value)]
    if isinstance(value, str):
        last = "1" if value.endswith("0") else "0"
        return [value + "x", value + "\n", value[:-1] + last, value.upper(), "", "strategy", "solved", None, 0]
    return [0, 1, "", "x"]


def with_one_change(value: Any) -> Iterator[tuple[str, Any]]:
    """The value with something dropped, doubled, swapped, added or replaced, once for each such change anywhere in it."""
    if isinstance(value, dict):
        yield ".more", value | {"more": 1}
        for key in value:
            yield f".{key} dropped", {name: value[name] for name in value if name != key}
            for where, changed in with_one_change(value[key]):
                yield f".{key}{where}", value | {key: changed}
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield f"[{at}] dropped", value[:at] + value[at + 1 :]
            yield f"[{at}] doubled", [*value[:at], item, *value[at:]]
            yield f"[{at}] swapped", [*value[:at], *value[at : at + 2][::-1], *value[at + 2 :]]
            for where, changed in with_one_change(item):
                yield f"[{at}]{where}", [*value[:at], changed, *value[at + 1 :]]
    else:
        for other in leaves_instead_of(value):
            yield f" {other!r}", other


def changes_to(record: Record) -> Iterator[tuple[str, Any]]:
    whole = json.loads(write_record(record))
    return ((where, changed) for where, changed in with_one_change(whole) if changed != whole)


SHORT_MATCHES = {
    "count": race("sir-tommy", 1, (until(5, "stand"), until(4, "stand"))),
    "resigned": race("calculation+redeal", 2, (until(6, "abandon"), until(4, "resign"))),
    "timeout": race("puss-in-the-corner", 3, (until(4, "timeout"), until(4, "timeout"))),
    "aborted": aborted("numerica", 4, committed=2, revealed=2),
}

HOLDS_NOTHING_TOGETHER = re.compile(
    r"""\.(created | clock | grace | digest)\b
    | \.seats\[.\]\.(name | bot)\b
    | \.entries\[\d+\]\[0\]\ \d+$  # another time: whether it is in order is tested below""",
    re.VERBOSE,
)
"""Changes that only the digest can show: nothing else in the record depends on these values."""


@pytest.mark.parametrize("record", SHORT_MATCHES.values(), ids=SHORT_MATCHES.keys())
def test_any_one_change_anywhere_in_a_record_is_caught(record: Record) -> None:
    missed = [where for where, changed in changes_to(record) if not is_caught(json.dumps(changed))]
    assert missed == []


def last_moves_dropped(record: Record) -> set[str]:
    """Where a board that the rules did not finish loses its last move: the board could as well have ended without it."""
    logs = [[entry for _, entry in seat.entries if entry not in ENDINGS] for seat in record.seats]
    return {f".seats[{number}].entries[{len(moves) - 1}] dropped" for number, moves in enumerate(logs)}


@pytest.mark.parametrize("record", SHORT_MATCHES.values(), ids=SHORT_MATCHES.keys())
def test_a_change_to_deal_boards_or_result_is_caught_even_when_the_digest_is_made_to_fit(record: Record) -> None:
    missed = []
    for where, changed in changes_to(record):
        if HOLDS_NOTHING_TOGETHER.search(where) or where in last_moves_dropped(record):
            continue
        try:
            text = resealed(changed)
        except BadRecord:
            continue
        if not is_caught(text):
            missed.append(where)
    assert missed == []


def test_any_entry_of_a_whole_match_dropped_doubled_or_swapped_is_caught_even_when_the_digest_fits() -> None:
    record = race("sir-tommy", 7)
    for seat in record.seats:
        entries = seat.entries
        for at in range(len(entries)):
            for other in (
                entries[:at] + entries[at + 1 :],
                [*entries[:at], entries[at], *entries[at:]],
                [*entries[:at], *entries[at : at + 2][::-1], *entries[at + 2 :]],
            ):
                seat.entries = other
                assert other == entries or misfits(sealed(record))
        seat.entries = entries


# What is named when something does not fit


def record_with(spelling: str = "sir-tommy", seed: int = 5) -> Any:
    return plain(race(spelling, seed, (hasty, until(20, "stand"))))


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
        {"secret": "junk"},
        {"secret": ""},
        {"commitment": "00" * 32},
        {"match": "aaaaaaaa"},
        {"game": "sir-tommy+redeal"},
        {"game": "strategy"},
    ],
)
def test_a_secret_that_was_not_committed_to_for_this_match_and_game_is_named(changes: dict[str, str]) -> None:
    assert "commitment" in misfits_resealed(record_with() | changes)


def test_hex_digits_in_capitals_or_with_white_space_are_not_the_secret_committed_to() -> None:
    changed = record_with()
    secret = changed["secret"]
    for other in (secret.upper(), secret + "\n", f"{secret[:2]} {secret[2:]}"):
        assert misfits_resealed(changed | {"secret": other}) == {"commitment"}


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
    "result", [{"winner": 0}, {"winner": 1}, {"winner": None}, {"winner": 7}, {"reason": "draw"}, {"reason": "solved"}]
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


# Times


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
    changed["result"] = {"winner": None, "reason": "draw"}
    assert misfits_resealed(changed) == set()


# Matches that never started


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

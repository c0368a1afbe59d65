import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.errors import BadRecord
from engine.record import LONGEST_RECORD, digest_of, read_record, sealed, write_record
from tests.engine.matches import aborted, hasty, plain, race, until
from tests.engine.positions import SPELLINGS, seeds, spellings

RECORD = race("sir-tommy", 1, (until(9, "stand"), until(7, "resign")))
TEXT = write_record(RECORD)

ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def canonical(value: Any) -> str:
    """The text that the digest is taken of, written by hand from docs/fairness.md."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{canonical(key)}:{canonical(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, str):
        return '"' + "".join(ESCAPES.get(c, f"\\u{ord(c):04x}" if c < " " else c) for c in value) + '"'
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)


def canonical_digest(record: Any) -> str:
    rest = {key: value for key, value in record.items() if key != "digest"}
    return hashlib.sha256(canonical(rest).encode()).hexdigest()


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_record_is_read_as_it_was_written(spelling: str) -> None:
    record = race(spelling, 3, (until(20, "stand"), hasty))
    assert read_record(write_record(record)) == record
    assert read_record(write_record(record).encode()) == record


@given(spellings, seeds, st.integers(0, 2))
def test_the_record_of_a_match_given_up_before_the_start_is_read_as_it_was_written(
    spelling: str, seed: int, step: int
) -> None:
    for record in (aborted(spelling, seed, seats=step), aborted(spelling, seed, committed=2, revealed=step)):
        assert read_record(write_record(record)) == record


def test_a_record_is_text_for_people_too_and_ends_with_a_line_feed() -> None:
    assert TEXT.splitlines()[:3] == ["{", ' "format": "tommy-race match",', ' "version": 1,']
    assert TEXT.endswith("}\n")
    assert "Jürgen" in TEXT


def test_the_longest_match_without_moves_between_piles_is_well_below_the_longest_record() -> None:
    redeal = max(
        (race("calculation+redeal", seed) for seed in range(5)), key=lambda record: len(record.seats[0].entries)
    )
    assert len(write_record(redeal)) < LONGEST_RECORD / 10


@given(st.text(max_size=40))
@example('"\\/\b\f\n\r\t\x00\x1f\x7f\u2028é\U0001f0a1')
def test_the_digest_is_the_hash_of_the_rest_in_its_canonical_form(name: str) -> None:
    changed = plain(RECORD)
    changed["seats"][0]["name"] = name
    assert digest_of(read_record(json.dumps(changed))) == canonical_digest(changed)


def test_the_digest_is_the_same_whatever_the_layout_of_the_file_and_the_order_of_its_fields() -> None:
    shuffled = json.dumps(dict(reversed(plain(RECORD).items())), indent=7)
    assert read_record(shuffled) == RECORD
    assert digest_of(read_record(shuffled)) == RECORD.digest


def test_sealing_fills_in_the_digest_and_changes_nothing_else() -> None:
    changed = plain(RECORD) | {"digest": ""}
    assert sealed(read_record(json.dumps(changed))) == RECORD


# What cannot be read

CODES = {
    "too-long": {"most"},
    "not-json": set(),
    "no-record": set(),
    "newer-record": {"version", "newest"},
    "unknown-version": {"version", "deal_version"},
    "damaged": {"place"},
}
"""Each with the facts that belong to it."""


def refusal(text: bytes | str) -> str:
    with pytest.raises(BadRecord) as caught:
        read_record(text)
    assert caught.value.code in CODES
    assert CODES[caught.value.code] == caught.value.facts.keys()
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["", "junk", "{", "[1, 2", '{"format": }', "\x00", b"\xff\xfe\x00", b"\x80", "\ud800", '{"format": "\\ud800"}'],
)
def test_what_is_not_json_is_no_record(text: bytes | str) -> None:
    assert "not JSON" in refusal(text)


@pytest.mark.parametrize("text", ["null", "[]", "7", '"tommy-race match"', "{}", '{"format": "chess"}'])
def test_json_that_is_something_else_is_no_record(text: str) -> None:
    assert '"format" is not "tommy-race match"' in refusal(text)


def test_a_record_cut_short_anywhere_is_refused() -> None:
    whole = TEXT.rstrip()
    for end in range(0, len(whole), 37):
        refusal(whole[:end])
    refusal(whole[:-1])


def test_something_after_the_record_is_refused() -> None:
    assert "not JSON" in refusal(TEXT + "{}")


@pytest.mark.parametrize("name", ["digest", "seats", "name", "count", "winner"])
def test_a_field_that_stands_twice_is_refused_wherever_it_stands(name: str) -> None:
    assert "stands twice" in refusal(TEXT.replace(f'"{name}":', f'"{name}": 1, "{name}":', 1))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "1.5", "1" * 5000, "true", '"1"', "null"])
def test_what_is_no_whole_number_is_refused_where_one_belongs(number: str) -> None:
    refusal(TEXT.replace('"clock": 900000', f'"clock": {number}'))


@pytest.mark.parametrize("path", ["version", "seats", "result", "deck", "secret", "deal_version"])
def test_a_missing_field_is_refused(path: str) -> None:
    refusal(json.dumps({key: value for key, value in plain(RECORD).items() if key != path}))


def test_an_unknown_field_is_refused_and_named() -> None:
    assert "unknown field `mood`" in refusal(json.dumps(plain(RECORD) | {"mood": "good"}))


def test_a_newer_version_is_refused_with_the_advice_to_upgrade() -> None:
    assert "upgrade" in refusal(json.dumps(plain(RECORD) | {"version": 2, "something new": True}))


@pytest.mark.parametrize("changes", [{"version": 0}, {"version": -1}, {"deal_version": "2"}, {"deal_version": ""}])
def test_a_version_that_never_was_is_refused(changes: dict[str, Any]) -> None:
    assert "version" in refusal(json.dumps(plain(RECORD) | changes))


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda plain: plain.pop("match"), "$.match"),
        (lambda plain: plain.update(mood="good"), "$.mood"),
        (lambda plain: plain.update(clock="long"), "$.clock"),
        (lambda plain: plain["seats"][1].pop("nonce"), "$.seats[1].nonce"),
        (lambda plain: plain["seats"].pop(), "$.seats"),
        (lambda plain: plain.update({"\x1b[31m` - at `x": 1}), "$"),
    ],
)
def test_where_a_record_is_damaged_is_told(change: Callable[[dict[str, Any]], object], place: str) -> None:
    changed = plain(RECORD)
    change(changed)
    with pytest.raises(BadRecord) as caught:
        read_record(json.dumps(changed))
    assert (caught.value.code, caught.value.facts) == ("damaged", {"place": place})


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_a_race_has_two_seats(seats: int) -> None:
    changed = plain(RECORD)
    changed["seats"] = (changed["seats"] * 2)[:seats]
    assert f"{seats} seats instead of 2" in refusal(json.dumps(changed))


def test_a_match_given_up_before_the_start_has_no_more_than_two_seats() -> None:
    changed = plain(aborted("sir-tommy", 1))
    changed["seats"] *= 2
    assert "4 seats instead of 2" in refusal(json.dumps(changed))


def test_an_enormous_file_is_refused_unread() -> None:
    assert "longer than" in refusal(" " * LONGEST_RECORD + TEXT)
    assert "longer than" in refusal(b"[" * (LONGEST_RECORD + 1))


@pytest.mark.parametrize("opening", ["[", '{"format":'])
def test_a_deeply_nested_file_is_refused(opening: str) -> None:
    refusal(opening * 50_000)
    refusal(opening * 5_000 + "1" + {"[": "]"}.get(opening, "}") * 5_000)


@given(st.binary() | st.text())
def test_any_other_file_is_refused_and_raises_nothing_else(text: bytes | str) -> None:
    refusal(text)


@given(st.data())
def test_a_record_with_bytes_changed_at_random_is_read_or_refused_and_raises_nothing_else(data: st.DataObject) -> None:
    raw = bytearray(TEXT.encode())
    for at, byte in data.draw(st.lists(st.tuples(st.integers(0, len(raw) - 1), st.integers(0, 255)), max_size=4)):
        raw[at] = byte
    try:
        record = read_record(bytes(raw))
    except BadRecord:
        return
    assert read_record(write_record(record)) == record

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.errors import BadRecord
from engine.record import LONGEST_RECORD, Record, digest_of, read_record, sealed, write_record
from engine.result import MOST_SEATS
from tests.engine.matches import aborted, hasty, of_version_1, plain, race, until
from tests.engine.positions import SPELLINGS, seeds, spellings

RECORD = race("sir-tommy", 1, (until(9, "stand"), until(7, "resign")))
TEXT = write_record(RECORD)
OLD = of_version_1(RECORD)
RECORD_SEAT = plain(RECORD)["seats"][0]

ESCAPES = {'"': '\\"', "\\": "\\\\"}


def canonical(value: Any) -> str:
    """The text that the digest is taken of, written by hand from docs/fairness.md."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{canonical(key)}:{canonical(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, str):
        return '"' + "".join(ESCAPES.get(c, c) for c in value) + '"'
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
    assert TEXT.splitlines()[:3] == ["{", ' "format": "tommy-race match",', ' "version": 2,']
    assert TEXT.endswith("}\n")
    assert "Jürgen" in TEXT


@given(st.text(st.sampled_from('Az 09"\\/·é\u4e00\U0001f0a1\u0301'), min_size=1, max_size=24))
@example('"\\/é\U0001f0a1')
def test_the_digest_is_the_hash_of_the_rest_in_its_canonical_form(name: str) -> None:
    for record in (RECORD, OLD):
        changed = plain(record)
        changed["seats"][0]["name"] = name
        assert digest_of(read_record(json.dumps(changed))) == canonical_digest(changed)


def test_the_digest_is_the_same_whatever_the_layout_of_the_file_and_the_order_of_its_fields() -> None:
    shuffled = json.dumps(dict(reversed(plain(RECORD).items())), indent=7)
    assert read_record(shuffled) == RECORD
    assert digest_of(read_record(shuffled)) == RECORD.digest


def test_sealing_fills_in_the_digest_and_changes_nothing_else() -> None:
    changed = plain(RECORD) | {"digest": ""}
    assert sealed(read_record(json.dumps(changed))) == RECORD


# Version 1


def test_what_version_1_did_not_say_stands_as_it_was_for_every_match_then() -> None:
    old = read_record(write_record(OLD))
    assert old == OLD
    assert old.fixed_by == "players"
    assert [(seat.bot, seat.level) for seat in old.seats] == [(None, None), ("tommy", None)]
    assert (old.result.winner, old.result.places) == (RECORD.result.winner, RECORD.result.places)


def test_a_record_of_version_1_is_written_in_its_own_form_with_its_own_digest() -> None:
    old = json.loads(write_record(OLD))
    assert old["version"] == 1
    assert old.keys() == plain(RECORD).keys() - {"fixed_by"}
    assert all(seat.keys() == RECORD_SEAT.keys() - {"level"} for seat in old["seats"])
    assert [seat["bot"] for seat in old["seats"]] == [False, True]
    assert old["result"].keys() == {"winner", "reason"}
    assert OLD.digest == canonical_digest(old) != RECORD.digest


@pytest.mark.parametrize(
    "change",
    [
        lambda plain: plain.update(fixed_by="players"),
        lambda plain: plain["seats"][0].update(level=None),
        lambda plain: plain["seats"][0].update(bot="tommy"),
        lambda plain: plain["seats"][0].update(bot=None),
        lambda plain: plain["result"].update(places=[1, 2]),
    ],
)
def test_a_record_of_version_1_has_nothing_of_version_2(change: Callable[[dict[str, Any]], object]) -> None:
    changed = plain(OLD)
    change(changed)
    assert "damaged" in refusal(json.dumps(changed))


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
    assert "at $.mood" in refusal(json.dumps(plain(RECORD) | {"mood": "good"}))


def test_a_newer_version_is_refused_with_the_advice_to_upgrade() -> None:
    assert "upgrade" in refusal(json.dumps(plain(RECORD) | {"version": 3, "something new": True}))


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
        (lambda plain: plain["seats"].clear(), "$.seats"),
        (lambda plain: plain.pop("fixed_by"), "$.fixed_by"),
        (lambda plain: plain.update(fixed_by="chance"), "$.fixed_by"),
        (lambda plain: plain["result"].pop("places"), "$.result.places"),
        (lambda plain: plain["result"].update(places=[1, 9]), "$.result.places[1]"),
        (lambda plain: plain["seats"][0].update(bot=True), "$.seats[0].bot"),
        (lambda plain: plain["seats"][0].update(bot=None, level="easy"), "$.seats[0].level"),
        (lambda plain: plain["seats"][1].update(level="godlike"), "$.seats[1].level"),
        (lambda plain: plain.update(fixed_by="server"), "$.seats[0].nonce_commitment"),
        (lambda plain: plain.update({"\x1b[31m` - at `x": 1}), "$"),
    ],
)
def test_where_a_record_is_damaged_is_told(change: Callable[[dict[str, Any]], object], place: str) -> None:
    changed = plain(RECORD)
    change(changed)
    with pytest.raises(BadRecord) as caught:
        read_record(json.dumps(changed))
    assert (caught.value.code, caught.value.facts) == ("damaged", {"place": place})


def with_seats(record: Record, seats: int) -> str:
    """The record as text, as if so many had played."""
    changed = plain(record)
    changed["seats"] = (changed["seats"] * MOST_SEATS * 2)[:seats]
    return json.dumps(changed)


@pytest.mark.parametrize("seats", [0, MOST_SEATS + 1])
def test_a_race_has_one_to_eight_seats(seats: int) -> None:
    assert "at $.seats" in refusal(with_seats(RECORD, seats))
    for number in range(1, MOST_SEATS + 1):
        assert len(read_record(with_seats(RECORD, number)).seats) == number


@pytest.mark.parametrize("seats", [0, 1, 3, 8])
def test_a_race_of_version_1_has_two(seats: int) -> None:
    old = of_version_1(race("sir-tommy", 1, [until(3, "stand")] * 2))
    changed = json.loads(write_record(old))
    changed["seats"] = (changed["seats"] * 4)[:seats]
    assert "at $.seats" in refusal(json.dumps(changed))


def test_a_match_given_up_before_the_start_has_no_more_seats_than_a_race() -> None:
    record = aborted("sir-tommy", 1)
    assert "at $.seats" in refusal(with_seats(record, MOST_SEATS + 1))
    for number in range(MOST_SEATS + 1):
        assert len(read_record(with_seats(record, number)).seats) == number


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

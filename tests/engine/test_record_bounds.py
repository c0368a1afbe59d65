"""What may stand in a record that somebody sends: nothing that plays tricks on a terminal, and nothing without an end."""

import json
import re
import sys
import unicodedata
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bounds import LARGEST, UNSEEN, Name
from engine.errors import BadRecord
from engine.record import LONGEST_RECORD, Record, read_record, write_record
from tests.engine.matches import hasty, of_version_1, plain, race, until

RECORDS = [race("sir-tommy", 1, (until(9, "stand"), until(7, "resign"))), of_version_1(race("numerica", 2))]

TRICKS = [
    "\n",
    "\r",
    "\t",
    "\x00",
    "\x1b[31m",
    "\x7f",
    "\x9b",
    "\x85",
    "\u2028",
    "\u2029",
    "\u202e",
    "\u2066",
    "\u200b",
]
"""A new line, a colour, what turns the writing round, what cannot be seen."""


def texts_in(value: Any, place: str = "$") -> Iterator[tuple[str, list[str | int], str]]:
    """Every text in plain data but one: its place as it is told, the way to it, and the text."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        inside = f"{place}.{key}" if isinstance(key, str) else f"{place}[{key}]"
        if isinstance(part, str):
            yield inside, [key], part
        for where, way, text in texts_in(part, inside):
            yield where, [key, *way], text


def put(record: Record, way: list[str | int], value: Any) -> str:
    """The record with another value there."""
    whole = plain(record)
    inner = whole
    for key in way[:-1]:
        inner = inner[key]
    inner[way[-1]] = value
    return json.dumps(whole)


def damage(text: str) -> str:
    """Where a text is damaged as a record."""
    with pytest.raises(BadRecord) as caught:
        read_record(text)
    assert caught.value.code == "damaged"
    assert caught.value.facts == {"place": str(caught.value).removeprefix("this match record is damaged at ")}
    return str(caught.value.facts["place"])


def ways(record: Record) -> dict[str, tuple[str, list[str | int], str]]:
    """A text of every kind in the record, by its place without numbers."""
    found = {re.sub(r"\d+", "", place): (place, way, text) for place, way, text in texts_in(plain(record))}
    del found["$.format"]
    return found


WAYS = [(record, *way) for record in RECORDS for way in ways(record).values()]


@pytest.mark.parametrize(("record", "place", "way", "text"), WAYS, ids=lambda value: str(value)[:20])
def test_no_text_in_a_record_can_play_a_trick_on_a_terminal(
    record: Record, place: str, way: list[str | int], text: str
) -> None:
    for trick in TRICKS:
        for tricked in (text + trick, trick + text, text[:1] + trick + text[1:]):
            assert damage(put(record, way, tricked)) == place


@pytest.mark.parametrize(("record", "place", "way", "text"), WAYS, ids=lambda value: str(value)[:20])
def test_no_text_in_a_record_is_longer_than_a_line(record: Record, place: str, way: list[str | int], text: str) -> None:
    assert damage(put(record, way, (text or "a") * 100)) == place


def numbers_in(record: Record) -> list[tuple[str, list[str | int]]]:
    """A number of every kind in the record."""
    ways: list[tuple[str, list[str | int]]] = [
        ("$.clock", ["clock"]),
        ("$.grace", ["grace"]),
        ("$.seats[0].count", ["seats", 0, "count"]),
        ("$.seats[1].entries[0][0]", ["seats", 1, "entries", 0, 0]),
        ("$.result.winner", ["result", "winner"]),
    ]
    return ways if record.version == 1 else [*ways, ("$.result.places[0]", ["result", "places", 0])]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: f"version {record.version}")
def test_no_number_in_a_record_is_larger_than_javascripts(record: Record) -> None:
    for place, way in numbers_in(record):
        for number in (LARGEST + 1, -LARGEST - 1, 10**30, -(10**30)):
            assert damage(put(record, way, number)) == place


def test_a_version_larger_than_any_program_has_is_no_newer_one() -> None:
    for number in (LARGEST + 1, 10**30, -(10**30)):
        assert damage(put(RECORDS[0], ["version"], number)) == "$.version"


@pytest.mark.parametrize(
    "created",
    [
        "",
        "2025",
        "2025-03-01",
        "2025-03-01T12:00:00+00:00",
        "2025-03-01 12:00:00.000+00:00",
        "2025-03-01T12:00:00.000+01:00",
        "2025-03-01T12:00:00.000Z",
        "2025-13-01T12:00:00.000+00:00",
        "2025-02-30T12:00:00.000+00:00",
        "2025-03-01T24:00:01.000+00:00",
        "0000-03-01T12:00:00.000+00:00",
        "٢٠٢٥-03-01T12:00:00.000+00:00",
    ],
)
def test_a_record_was_created_at_a_time_written_as_servers_write_it(created: str) -> None:
    for record in RECORDS:
        assert damage(put(record, ["created"], created)) == "$.created"


@pytest.mark.parametrize("secret", ["junk", "00" * 33, "AB" * 32, "ab " * 21, "ab" * 31 + "a\n"])
def test_what_is_not_hex_digits_is_no_secret(secret: str) -> None:
    for record in RECORDS:
        assert damage(put(record, ["secret"], secret)) == "$.secret"
        assert damage(put(record, ["commitment"], secret)) == "$.commitment"
        assert damage(put(record, ["seats", 1, "nonce"], secret)) == "$.seats[1].nonce"
        assert damage(put(record, ["seats", 0, "nonce_commitment"], secret)) == "$.seats[0].nonce_commitment"


def test_a_name_is_refused_just_for_a_character_that_cannot_be_printed() -> None:
    """What this Python's Unicode has no character for may be a letter in the Unicode of the server's."""
    unseen = re.compile(f"[{UNSEEN}]")
    for number in range(sys.maxunicode + 1):
        character = chr(number)
        if unicodedata.category(character) != "Cn":
            assert (unseen.search(character) is None) == character.isprintable()


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp", "Zs"]), min_size=1, max_size=24))
def test_a_name_of_what_can_be_printed_is_read(name: str) -> None:
    for record in RECORDS:
        assert read_record(put(record, ["seats", 0, "name"], name)).seats[0].name == name


@pytest.mark.parametrize("name", ["", "x" * 25])
def test_a_name_has_1_to_24_characters(name: str) -> None:
    for record in RECORDS:
        assert damage(put(record, ["seats", 0, "name"], name)) == "$.seats[0].name"
    assert damage(put(RECORDS[0], ["seats", 1, "bot"], name)) == "$.seats[1].bot"
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(name, Name)


def test_the_longest_match_of_eight_is_below_the_longest_record() -> None:
    """Each player with as many entries as a server takes, each as long as an entry can be, at a time far from the start."""
    record = race("sir-tommy", 1, [until(1, "stand")] * 8)
    for seat in record.seats:
        seat.entries = [(7_200_000, "c12c13x13")] * 5_001
    assert len(write_record(record).encode()) < LONGEST_RECORD
    assert read_record(write_record(record)) == record


def test_the_longest_match_without_moves_between_piles_is_well_below_the_longest_record() -> None:
    record = race("calculation+redeal", 1, [hasty] * 8)
    assert len(write_record(record)) < LONGEST_RECORD / 10

"""A record changed anywhere does not fit, even when its digest has been made to."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from engine.board import ENDINGS
from engine.errors import BadRecord
from engine.record import Record, sealed, write_record
from tests.engine.matches import aborted, of_version_1, race, resealed, until
from tests.engine.misfits import findings, misfits


def is_caught(text: str) -> bool:
    """Whether reading or verifying says that something is wrong."""
    try:
        return any(not finding.fits for finding in findings(text))
    except BadRecord:
        return True


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
    "one of three resigned": race("strategy", 5, (until(3, "resign"), until(4, "stand"), until(2, "stand"))),
    "alone with the server's cards": race("sir-tommy", 6, (until(4, "stand"),), "server"),
    "version 1": of_version_1(race("numerica", 7, (until(5, "stand"), until(4, "stand")))),
}

HOLDS_NOTHING_TOGETHER = re.compile(
    r"""\.(created | clock | grace | digest)\b
    | \.seats\[.\]\.(name | bot | level)\b
    | \.entries\[\d+\]\[0\]\ \d+$  # another time: test_verify_times.py has whether it is in order""",
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

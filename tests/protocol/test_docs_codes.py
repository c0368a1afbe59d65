"""docs/protocol.md has every code of a refusal with its meaning, and names it where it can come."""

import re

import pytest

from protocol.codes import CODES, HANDSHAKE, MOVES, REQUESTS, STRIKES
from tests.protocol.page import rows_of, under


@pytest.mark.parametrize(
    ("heading", "codes"),
    [
        ("Codes of strikes", STRIKES),
        ("Codes of the handshake", HANDSHAKE),
        ("Codes of requests", REQUESTS),
        ("Codes of moves", MOVES),
    ],
)
def test_every_code_stands_in_its_table_with_its_meaning(heading: str, codes: dict[str, str]) -> None:
    assert [(row[0].strip("`"), row[1]) for row in rows_of(under("Refusals")[heading])] == list(codes.items())


def test_the_six_codes_of_strikes_are_the_first() -> None:
    assert next(iter(under("Refusals"))) == "Codes of strikes"
    assert len(STRIKES) == 6


def test_every_code_of_a_request_is_named_where_it_can_come_and_none_that_is_none() -> None:
    named = set()
    for body in under("What a client sends").values():
        for refused in re.findall(r"Refused:(.*?)(?:\n\n|\Z)", body, flags=re.DOTALL):
            named |= set(re.findall("`([a-z-]+)`", refused))
    everywhere = {"store-failed", "hello-first"}
    not_a_message = {"version"}
    assert named <= CODES.keys()
    assert named | everywhere | not_a_message == REQUESTS.keys() | HANDSHAKE.keys()

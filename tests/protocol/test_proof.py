"""The short proof of a record, as the page says it is made."""

import hashlib
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from protocol.messages import MATCH_LETTERS
from protocol.proof import ROUNDS, proof_of

PAGE = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")
SECTION = PAGE.split("\n## The proof\n")[1].split("\n## ")[0]
DIGESTS = st.binary(min_size=32, max_size=32).map(bytes.hex)


def in_table(row: str) -> str:
    found = re.search(rf"^\| {row} \| `(.*)` \|$", SECTION, re.MULTILINE)
    assert found is not None
    return found[1]


def test_the_vector_of_the_page() -> None:
    digest = in_table("digest")
    stretched = hashlib.pbkdf2_hmac("sha256", bytes.fromhex(digest), b"tommy-race proof", 16_384, 16)
    assert stretched.hex() == in_table("16 bytes")
    number, letters = int.from_bytes(stretched, "big"), ""
    for _ in range(12):
        letters += "abcdefghjkmnpqrstuvwxyz23456789"[number % 31]
        number //= 31
    assert f"{letters[:4]} {letters[4:8]} {letters[8:]}" == in_table("proof") == proof_of(digest)


def test_the_page_names_what_it_takes() -> None:
    assert f"`{MATCH_LETTERS}`" in SECTION
    assert f"{ROUNDS:,}" in SECTION


@given(DIGESTS)
def test_it_is_three_groups_of_four_that_can_be_read_out(digest: str) -> None:
    assert re.fullmatch(f"([{MATCH_LETTERS}]{{4}} ){{2}}[{MATCH_LETTERS}]{{4}}", proof_of(digest))


@given(DIGESTS, DIGESTS)
def test_another_record_has_another_proof(one: str, other: str) -> None:
    assert (proof_of(one) == proof_of(other)) == (one == other)


def test_it_takes_a_moment_so_that_nobody_searches_for_two_with_the_same() -> None:
    """31 ** 12 proofs are 2 ** 59.4; a search for two alike is half the bits, times the rounds."""
    assert 59 / 2 + (ROUNDS - 1).bit_length() > 43

"""The test vectors and the lists in docs/fairness.md, held against the engine."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.cards import card_text, parse_card
from engine.deal import DEAL_VERSION, NONCE_BYTES, SECRET_BYTES, Deal, commitment, deal, nonce_commitment
from engine.games import variant
from engine.record import LONGEST_RECORD, Record, SeatRecord, digest_of, read_record
from engine.result import Reason, Result
from engine.verify import Finding, verify
from tests.engine.positions import everything_on_piles, sir_tommy_board

DOCUMENT = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    """The fenced blocks of this kind."""
    return re.findall(rf"^```{kind}\n(.*?)\n```$", DOCUMENT, re.DOTALL | re.MULTILINE)


*VECTORS, RECORD = map(json.loads, blocks("json"))


def section(title: str) -> str:
    return DOCUMENT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def first_column(text: str) -> set[str]:
    """The code words in the first column of the tables in a text."""
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return {word for cell in cells for word in re.findall("`(.*?)`", cell)}


def texts(cards: Any) -> str:
    return " ".join(map(card_text, cards))


def dealt(vector: Any) -> Deal:
    nonces = [*map(bytes.fromhex, vector["nonces"])]
    return deal(variant(vector["game"]).cards, bytes.fromhex(vector["secret"]), nonces, vector["match"])


vectors = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['game']}-{len(vector['nonces'])}")


def test_the_document_has_vectors_of_a_whole_deck_of_one_without_kings_and_without_nonces_for_the_present_version() -> (
    None
):
    sorts = [(vector["game"], len(vector["nonces"])) for vector in VECTORS]
    assert sorts == [("sir-tommy", 2), ("puss-in-the-corner", 2), ("sir-tommy", 0)]
    assert f"deal version {DEAL_VERSION}." in DOCUMENT


@vectors
def test_the_commitments_are_the_engines_and_the_hashes_of_the_inputs_shown(vector: Any) -> None:
    secret, nonces = bytes.fromhex(vector["secret"]), [*map(bytes.fromhex, vector["nonces"])]
    assert len(secret) == SECRET_BYTES
    assert all(len(nonce) == NONCE_BYTES for nonce in nonces)
    assert vector["commitment"] == commitment(secret, vector["match"], vector["game"])
    assert vector["nonce_commitments"] == [
        nonce_commitment(nonce, vector["match"], seat) for seat, nonce in enumerate(nonces)
    ]
    inputs = [vector["commitment_input"], *vector["nonce_commitment_inputs"]]
    hashes = [hashlib.sha256(bytes.fromhex(text)).hexdigest() for text in inputs]
    assert hashes == [vector["commitment"], *vector["nonce_commitments"]]


@vectors
def test_the_shuffles_are_the_engines(vector: Any) -> None:
    cards = dealt(vector)
    assert texts(cards.first) == vector["first"]
    assert texts(cards.second) == vector["second"]


@vectors
def test_the_streams_come_from_the_key_shown_and_begin_as_shown(vector: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    keys: list[tuple[bytes, str]] = []

    def remember(cards: tuple[int, ...], key: bytes, label: str) -> tuple[int, ...]:
        keys.append((key, label))
        return cards

    monkeypatch.setattr("engine.deal.shuffle", remember)
    dealt(vector)
    assert [(key.hex(), label) for key, label in keys] == [(vector["key"], "first"), (vector["key"], "second")]
    for key, label in keys:
        seed = b"".join(len(part).to_bytes(4) + part for part in (key, label.encode()))
        assert hashlib.shake_256(seed).hexdigest(16) == vector[f"stream_{label}"]


@vectors
def test_the_starters_and_the_first_cards_turned_are_the_boards(vector: Any) -> None:
    board = sir_tommy_board(vector["game"], dealt(vector))
    assert [texts(cards) for cards in board.foundations] == vector["starters"]
    everything_on_piles(board, lambda _turn: 1)
    assert texts(board.piles[0][:8]) == vector["turned"]


@vectors
def test_the_redeal_is_the_boards(vector: Any) -> None:
    board = everything_on_piles(sir_tommy_board(vector["game"] + "+redeal", dealt(vector)))
    board.piles = [[], list(map(parse_card, vector["gathered"].split())), [], []]
    board.enter("r")
    everything_on_piles(board, lambda _turn: 1)
    assert texts(board.piles[0]) == vector["redealt"]


def test_the_record_shown_fits_and_its_digest_is_the_hash_of_the_text_shown() -> None:
    record = read_record(json.dumps(RECORD))
    (canonical,) = blocks("text")
    assert all(finding.fits for finding in verify(record))
    assert hashlib.sha256(canonical.encode()).hexdigest() == digest_of(record) == RECORD["digest"]
    assert json.loads(canonical) == {name: value for name, value in RECORD.items() if name != "digest"}


def test_every_field_of_a_record_is_described() -> None:
    fields = section("The record")
    assert first_column(fields) == {field.name for field in msgspec.structs.fields(Record)}
    assert all(
        f"`{field.name}`" in fields for struct in (SeatRecord, Result) for field in msgspec.structs.fields(struct)
    )
    assert all(f"`{reason}`" in fields for reason in Reason)
    assert f"no longer than\n{LONGEST_RECORD:,} bytes" in fields


def test_every_check_of_verify_is_described_in_its_order() -> None:
    listed = re.search(r"`check` is one of: ([\w\s,]+)\.", Finding.__doc__ or "")
    assert listed is not None
    described = section("What `tommy verify` checks")
    names = re.findall(r"^\| `(\w+)` \|", described, re.MULTILINE)
    assert names == listed[1].replace(",", " ").split()

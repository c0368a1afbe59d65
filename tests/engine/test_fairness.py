"""The test vectors and the lists in docs/fairness.md, held against the engine."""

import hashlib
import hmac
import json
import re
from itertools import cycle
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.board import Board
from engine.cards import card_text
from engine.deal import DEAL_VERSION, NONCE_BYTES, SECRET_BYTES, Deal, commitment, deal, nonce_commitment
from engine.games import variant
from engine.record import LONGEST_RECORD, Record, SeatRecord, digest_of, read_record
from engine.result import Reason, Result
from engine.sir_tommy import SirTommyBoard
from engine.verify import Finding, verify

DOCUMENT = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return DOCUMENT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def blocks(kind: str) -> list[str]:
    """The fenced blocks of this kind among the test vectors."""
    return re.findall(rf"^```{kind}\n(.*?)\n```$", section("Test vectors"), re.DOTALL | re.MULTILINE)


WHOLE, WITHOUT_KINGS, TWO_DECKS, WITHOUT_ACES, REDEAL, PLAYERS, RECORD = map(json.loads, blocks("json"))
DEALS = [WHOLE, WITHOUT_KINGS, TWO_DECKS, WITHOUT_ACES]
SECRET, MATCH = bytes.fromhex(WHOLE["secret"]), WHOLE["match"]
NONCES = [*map(bytes.fromhex, WHOLE["nonces"])]


def first_column(text: str) -> set[str]:
    """The code words in the first column of the tables in a text."""
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return {word for cell in cells for word in re.findall("`(.*?)`", cell)}


def texts(cards: Any) -> str:
    return " ".join(map(card_text, cards))


def dealt(game: str, nonces: list[bytes] = NONCES) -> Deal:
    return deal(variant(game).cards, SECRET, nonces, MATCH)


def turned(board: Board, cards: int) -> tuple[str, str]:
    """So many cards from a board's stock, each played away at once, and their places."""
    found, places = [], []
    for _ in range(cards):
        card = board.enter("t")
        assert card is not None
        found.append(card_text(card))
        places.append(str(board.position))
        if isinstance(board, SirTommyBoard):
            board.enter("hp1")
    return " ".join(found), " ".join(places)


def test_the_document_has_vectors_of_every_way_to_deal_for_the_present_version() -> None:
    assert [vector["game"] for vector in DEALS] == ["sir-tommy", "puss-in-the-corner", "forty-thieves", "lucas"]
    assert f"deal version {DEAL_VERSION}." in DOCUMENT


def test_the_commitments_are_the_engines_and_the_hashes_of_the_inputs_shown() -> None:
    assert len(SECRET) == SECRET_BYTES
    assert {len(nonce) for nonce in NONCES} == {NONCE_BYTES}
    assert WHOLE["nonce_commitments"] == [nonce_commitment(nonce, MATCH, seat) for seat, nonce in enumerate(NONCES)]
    inputs = [WHOLE["commitment_input"], *WHOLE["nonce_commitment_inputs"]]
    hashes = [hashlib.sha256(bytes.fromhex(text)).hexdigest() for text in inputs]
    assert hashes == [WHOLE["commitment"], *WHOLE["nonce_commitments"]]


@pytest.mark.parametrize("vector", [*DEALS, REDEAL], ids=lambda vector: vector["game"])
def test_the_commitment_of_each_game_is_the_engines(vector: Any) -> None:
    assert vector["commitment"] == commitment(SECRET, MATCH, vector["game"])


@pytest.mark.parametrize("vector", DEALS, ids=lambda vector: vector["game"])
def test_the_shuffles_are_the_engines(vector: Any) -> None:
    cards = dealt(vector["game"])
    assert texts(cards.first) == vector.get("first", TWO_DECKS["first"])
    assert texts(cards.second) == vector.get("second", texts(cards.second))


@pytest.mark.parametrize("game", [vector["game"] for vector in DEALS])
def test_the_streams_come_from_the_key_shown_and_begin_as_shown(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    keys: list[tuple[bytes, str]] = []

    def remember(cards: tuple[int, ...], key: bytes, label: str) -> tuple[int, ...]:
        keys.append((key, label))
        return cards

    monkeypatch.setattr("engine.deal.shuffle", remember)
    dealt(game)
    assert [(key.hex(), label) for key, label in keys] == [(WHOLE["key"], "first"), (WHOLE["key"], "second")]
    for key, label in keys:
        seed = b"".join(len(part).to_bytes(4) + part for part in (key, label.encode()))
        assert hashlib.shake_256(seed).hexdigest(16) == WHOLE[f"stream_{label}"]


@pytest.mark.parametrize("vector", DEALS, ids=lambda vector: vector["game"])
def test_the_table_and_the_first_cards_turned_are_the_boards(vector: Any) -> None:
    board = variant(vector["game"]).board(dealt(vector["game"]))
    view = board.view()
    assert list(map(" ".join, view.foundations)) == vector.get("starters", vector.get("foundations"))
    assert list(map(" ".join, getattr(view, "columns", []))) == vector.get("columns", [])
    assert turned(board, 8) == (vector["turned"], vector.get("places", "1 2 3 4 5 6 7 8"))


def test_the_redeal_is_the_boards() -> None:
    board = variant(REDEAL["game"]).board(dealt(REDEAL["game"]))
    assert isinstance(board, SirTommyBoard)
    piles = cycle(range(1, 5))
    while board.stock:
        card = board.enter("t")
        assert card is not None
        fits = board.fitting(card)
        board.enter(f"hf{fits[0]}" if fits else f"hp{next(piles)}")
    view = board.view()
    assert list(map(" ".join, view.piles)) == REDEAL["piles"]
    assert list(map(" ".join, view.foundations)) == REDEAL["foundations"]
    board.enter("r")
    assert turned(board, board.stock) == (REDEAL["redealt"], REDEAL["places"])


def test_a_match_with_any_number_of_players_is_dealt_as_shown() -> None:
    assert [len(vector["nonces"]) for vector in PLAYERS] == [0, 1, 3, 4]
    for vector in PLAYERS:
        nonces = [*map(bytes.fromhex, vector["nonces"])]
        cards = dealt("sir-tommy", nonces)
        assert texts(cards.first[:13]) == vector["first"]
        assert texts(cards.second[:13]) == vector["second"]
        parts = [b"tommy-race deal", *nonces, MATCH.encode()]
        message = b"".join(len(part).to_bytes(4) + part for part in parts)
        assert vector["key"] == hmac.digest(SECRET, message, "sha256").hex()


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

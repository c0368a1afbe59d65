"""The match record: everything that anyone needs to deal again, replay and recompute, as one JSON file."""

import hashlib
import json
import re
from typing import Any, Literal

import msgspec

from engine.board import Status
from engine.deal import DEAL_VERSION
from engine.errors import BadRecord
from engine.result import Reason, Result

RECORD_VERSION = 1
LONGEST_RECORD = 1 << 20
"""Bytes; the server limits the entries of a board, which keeps the longest match well below."""


class SeatRecord(msgspec.Struct, forbid_unknown_fields=True):
    """One player's part. Hashes and nonces are hex digits; nonces are None where a match ended before them."""

    name: str
    bot: bool
    nonce_commitment: str | None
    nonce: str | None
    entries: list[tuple[int, str]]
    """The board's log: milliseconds of match time, and a move or an ending."""
    status: Status
    count: int


class Record(msgspec.Struct, forbid_unknown_fields=True):
    """A whole match. `deck` and `second` are the two shuffles as texts, empty for a match that never dealt."""

    format: Literal["tommy-race match"]
    version: int
    match: str
    game: str
    created: str
    clock: int
    """The match clock, in milliseconds."""
    grace: int
    """How long a player may be gone, in milliseconds."""
    deal_version: str
    commitment: str
    secret: str
    deck: list[str]
    second: list[str]
    seats: list[SeatRecord]
    result: Result
    digest: str = ""
    """SHA-256 over the rest: the record as JSON with sorted keys, no white space and no digest."""


def digest_of(record: Record) -> str:
    """The digest that belongs into the record, whatever stands there now."""
    plain: dict[str, Any] = msgspec.to_builtins(record)
    del plain["digest"]
    return hashlib.sha256(_canonical(plain).encode()).hexdigest()


def _canonical(plain: Any) -> str:
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def sealed(record: Record) -> Record:
    """The same record with its digest filled in."""
    return msgspec.structs.replace(record, digest=digest_of(record))


def write_record(record: Record) -> str:
    """The record as the text of a file."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1).decode() + "\n"


def read_record(text: bytes | str) -> Record:
    """Read what `write_record` wrote. Raises `BadRecord`, with a code and the place, for anything else."""
    if len(text) > LONGEST_RECORD:
        sentence = f"this is no match record: it is longer than {LONGEST_RECORD} bytes"
        raise BadRecord(sentence, "too-long", most=LONGEST_RECORD)
    try:
        plain = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
        _canonical(plain).encode()
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"this is no match record: it is not JSON ({error})", "not-json") from None
    if not isinstance(plain, dict) or plain.get("format") != "tommy-race match":
        raise BadRecord('this is no match record: "format" is not "tommy-race match"', "no-record")
    version = plain.get("version")
    if isinstance(version, int) and version > RECORD_VERSION:
        sentence = f"this record has version {version}; this program reads up to {RECORD_VERSION}: upgrade it"
        raise BadRecord(sentence, "newer-record", version=version, newest=RECORD_VERSION)
    try:
        record = msgspec.convert(plain, Record)
    except msgspec.ValidationError as error:
        raise BadRecord(f"this match record is damaged: {error}", "damaged", place=_place(str(error))) from None
    fewest = 0 if record.result.reason is Reason.ABORTED else 2
    if not fewest <= len(record.seats) <= 2:
        sentence = f"this match record is damaged: {len(record.seats)} seats instead of 2 - at `$.seats`"
        raise BadRecord(sentence, "damaged", place="$.seats")
    if record.version != RECORD_VERSION or record.deal_version != DEAL_VERSION:
        deal_version = record.deal_version[:20]
        sentence = f"this record's version {version} or deal version {deal_version!r} is unknown"
        raise BadRecord(sentence, "unknown-version", version=record.version, deal_version=deal_version)
    return record


def _place(sentence: str) -> str:
    """Where in a record something is wrong, in the notation of msgspec, from its sentence about it."""
    field = re.search(r"field `(\w{1,40})`", sentence)
    inside = re.search(r" - at `(\$[^`]*)`$", sentence)
    return (inside[1] if inside else "$") + (f".{field[1]}" if field else "")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return plain


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")

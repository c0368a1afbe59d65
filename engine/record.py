"""The match record: everything that anyone needs to deal again, replay and recompute, as one JSON file."""

import hashlib
import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from engine.board import Status
from engine.bounds import (
    LARGEST,
    CardName,
    Created,
    EntryText,
    GameName,
    Hash,
    MatchCode,
    Moment,
    Name,
    Nonce,
    VersionName,
    Whole,
)
from engine.deal import DEAL_VERSION
from engine.errors import BadRecord
from engine.record_v1 import SEATS, RecordV1, ResultV1, SeatRecordV1
from engine.result import MOST_SEATS, PLACES_OF_TWO, Reason, Result

Form = TypeVar("Form", bound=msgspec.Struct)

RECORD_VERSION = 2
LONGEST_RECORD = 1 << 21
"""Bytes; the server limits the entries of a board, which keeps the longest match of eight below."""
HOUSE_PROGRAM = "tommy"
"""The program that house bots are."""

Level = Literal["easy", "normal", "strong"]
"""How well a house bot plays."""


class SeatRecord(msgspec.Struct, forbid_unknown_fields=True):
    """One player's part. Hashes and nonces are hex digits; they are None where a match ended before them."""

    name: Name
    bot: Name | None
    """The program that played; None for a person."""
    level: Level | None
    """That of a house bot; of version 1 it is not known."""
    nonce_commitment: Hash | None
    nonce: Nonce | None
    entries: list[tuple[Moment, EntryText]]
    """The board's log: milliseconds of match time, and a move or an ending."""
    status: Status
    count: Whole


class Record(msgspec.Struct, forbid_unknown_fields=True):
    """A whole match. `deck` and `second` are the two shuffles as texts, empty for a match that never dealt.

    One of version 1 is a `Record`, too: what it does not say stands as it was for every match then, and it is written, and
    its digest taken, in its own form (`engine.record_v1`).
    """

    format: Literal["tommy-race match"]
    version: Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
    match: MatchCode
    game: GameName
    created: Created
    clock: Whole
    """The match clock, in milliseconds."""
    grace: Whole
    """How long a player may be gone, in milliseconds."""
    deal_version: VersionName
    fixed_by: Literal["players", "server"]
    """Who fixed the cards: the server together with every player, by their nonces, or the server's secret alone."""
    commitment: Hash
    secret: Hash
    deck: list[CardName]
    second: list[CardName]
    seats: Annotated[list[SeatRecord], Meta(max_length=MOST_SEATS)]
    result: Result
    digest: Hash = ""
    """SHA-256 over the rest: the record as JSON with sorted keys, no white space and no digest."""


def digest_of(record: Record) -> str:
    """The digest that belongs into the record, whatever stands there now."""
    plain: dict[str, Any] = msgspec.to_builtins(_as_written(record))
    del plain["digest"]
    return hashlib.sha256(_canonical(plain).encode()).hexdigest()


def _canonical(plain: Any) -> str:
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def sealed(record: Record) -> Record:
    """The same record with its digest filled in."""
    return msgspec.structs.replace(record, digest=digest_of(record))


def write_record(record: Record) -> str:
    """The record as the text of a file."""
    return msgspec.json.format(msgspec.json.encode(_as_written(record)), indent=1).decode() + "\n"


def read_record(text: bytes | str) -> Record:
    """Read what `write_record` wrote, now or earlier. Raises `BadRecord`, with a code and the place, for anything else."""
    plain = _plain(text)
    version = plain.get("version")
    if type(version) is int and RECORD_VERSION < version <= LARGEST:
        sentence = f"this record has version {version}; this program reads up to {RECORD_VERSION}: upgrade it"
        raise BadRecord(sentence, "newer-record", version=version, newest=RECORD_VERSION)
    try:
        if type(version) is int and version == 1:
            record = _of_version_1(msgspec.convert(plain, RecordV1))
        else:
            record = msgspec.convert(plain, Record)
    except msgspec.ValidationError as error:
        raise _damaged(_place(str(error))) from None
    for place in _contradictions(record):
        raise _damaged(place)
    if record.version not in (1, RECORD_VERSION) or record.deal_version != DEAL_VERSION:
        sentence = f"this record's version {record.version} or deal version {record.deal_version!r} is unknown"
        raise BadRecord(sentence, "unknown-version", version=record.version, deal_version=record.deal_version)
    return record


def _plain(text: bytes | str) -> dict[str, Any]:
    """A record as plain data, which may be anything inside. Raises `BadRecord`."""
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
    return plain


def _damaged(place: str) -> BadRecord:
    return BadRecord(f"this match record is damaged at {place}", "damaged", place=place)


def _place(sentence: str) -> str:
    """Where in a record something is wrong, in the notation of msgspec, from its sentence about it."""
    field = re.search(r"field `(\w{1,40})`", sentence)
    inside = re.search(r" - at `(\$[^`]*)`$", sentence)
    return (inside[1] if inside else "$") + (f".{field[1]}" if field else "")


def _contradictions(record: Record) -> Iterator[str]:
    """Where something stands that is in its bounds, and that no match can have."""
    few, most = (SEATS, SEATS) if record.version == 1 else (1, MOST_SEATS)
    if not (0 if record.result.reason is Reason.ABORTED else few) <= len(record.seats) <= most:
        yield "$.seats"
    try:
        datetime.fromisoformat(record.created)
    except ValueError:
        yield "$.created"
    for number, seat in enumerate(record.seats):
        if seat.level is not None and seat.bot is None:
            yield f"$.seats[{number}].level"
        if record.fixed_by == "server" and seat.nonce_commitment is not None:
            yield f"$.seats[{number}].nonce_commitment"
        if record.fixed_by == "server" and seat.nonce is not None:
            yield f"$.seats[{number}].nonce"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return plain


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


# Records of version 1


def _of_version_1(old: RecordV1) -> Record:
    seats = [_as(SeatRecord, seat, bot=HOUSE_PROGRAM if seat.bot else None, level=None) for seat in old.seats]
    winner, reason = old.result.winner, old.result.reason
    places = [] if reason is Reason.ABORTED else PLACES_OF_TWO.get(winner, [])
    return _as(Record, old, fixed_by="players", seats=seats, result=Result(winner, reason, places))


def _as_written(record: Record) -> Record | RecordV1:
    """The record in the form of its version."""
    if record.version != 1:
        return record
    seats = [_as(SeatRecordV1, seat, bot=seat.bot is not None) for seat in record.seats]
    return _as(RecordV1, record, seats=seats, result=_as(ResultV1, record.result))


def _as(kind: type[Form], struct: msgspec.Struct, **others: object) -> Form:
    """A struct of another kind with what this one has, but for the `others`."""
    same = {name: getattr(struct, name) for name in kind.__struct_fields__ if name not in others}
    return kind(**same, **others)

"""The form of match records until version 1. They are still read, and their digest is taken of this form."""

from typing import Literal

import msgspec

from engine.board import Status
from engine.bounds import (
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
from engine.result import Reason, Seat

SEATS = 2
"""Every match had two, and a match that was aborted may have had fewer taken."""


class SeatRecordV1(msgspec.Struct, forbid_unknown_fields=True):
    """One player's part; `bot` says only whether a house bot played, not which."""

    name: Name
    bot: bool
    nonce_commitment: Hash | None
    nonce: Nonce | None
    entries: list[tuple[Moment, EntryText]]
    status: Status
    count: Whole


class ResultV1(msgspec.Struct, forbid_unknown_fields=True):
    """The winner's seat and the reason."""

    winner: Seat | None
    reason: Reason


class RecordV1(msgspec.Struct, forbid_unknown_fields=True):
    """A whole match. Its cards were always fixed by the server and both players."""

    format: Literal["tommy-race match"]
    version: Literal[1]
    match: MatchCode
    game: GameName
    created: Created
    clock: Whole
    grace: Whole
    deal_version: VersionName
    commitment: Hash
    secret: Hash
    deck: list[CardName]
    second: list[CardName]
    seats: list[SeatRecordV1]
    result: ResultV1
    digest: Hash = ""

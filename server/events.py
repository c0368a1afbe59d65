"""What can happen to a match besides its boards' entries: the events of its own log, in the order they occur.

A match is nothing but its terms and its logs, this one and one for each board; replaying them gives it back.
"""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from engine.result import Result
from protocol.messages import Level


class Terms(msgspec.Struct, frozen=True):
    """What is settled when a match is created. Times are milliseconds.

    `created` is wall-clock time, for people to read. `opened` is the same moment by the clock that matches go by, which all
    other times are of; matches that were made before there was one lack it, and went by the wall clock.
    `secret` is the server's part of the deal, as hex digits: it leaves the server only when the match is over.
    """

    match: str
    game: str
    clock: int
    grace: int
    listed: bool
    secret: str
    created: int
    opened: int | None = None
    seats: int = 2
    """How many play; not more than `MOST_SEATS`."""
    bots: bool = False
    """Whether a bot may be the rival that the server finds."""

    @property
    def logs(self) -> int:
        """How many logs the match has."""
        return self.seats + 1

    @property
    def since(self) -> int:
        """When the match was made, by the matches' clock."""
        return self.created if self.opened is None else self.opened

    def wall(self, at: int) -> int:
        """The wall-clock time, as near as can be told, of a moment of the match."""
        return self.created + at - self.since


class Event(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """One event of the match log."""


class Seated(Event, frozen=True):
    """A player took a seat, and is away until a connection holds it.

    `player` is the hash of the player's key, `bot` the program that plays where no person does, `level` that of a house bot.
    `paired` says that the server has brought this player and those who were there together.
    """

    seat: int
    player: str
    name: str
    bot: str | None = None
    level: Level | None = None
    paired: bool = False


class Came(Event, frozen=True):
    """A connection holds the seat now; one that held it before does so no more. The name of its server is part of its own."""

    seat: int
    connection: str


class Went(Event, frozen=True):
    """The connection is lost. If it still held the seat, the player is away."""

    seat: int
    connection: str


class Committed(Event, frozen=True):
    """A player is ready, and bound to a nonce."""

    seat: int
    commitment: str


class Revealed(Event, frozen=True):
    """A player has shown the nonce."""

    seat: int
    nonce: str


class Dealt(Event, frozen=True):
    """Both nonces are there, so the cards are. The race starts when the countdown is over."""

    starts: int


class Credited(Event, frozen=True):
    """No server served the match for a while, and all its clocks were set back by as much.

    Nobody writes this any more, since the clock that matches go by stands still then. Older matches have it in their logs.
    """

    downtime: int


class Finished(Event, frozen=True):
    """The race is over."""

    result: Result


class Aborted(Event, frozen=True):
    """The match was given up before it started."""

    why: str


class Again(Event, frozen=True):
    """A player asks for a rematch."""

    seat: int


class Left(Event, frozen=True):
    """A player left after the match, and will not play a rematch."""

    seat: int


class Followed(Event, frozen=True):
    """A rematch has been made."""

    match: str


Entries = list[tuple[int, str]]
"""Entries of a log, as (time, text)."""
MATCH_LOG = 0
"""The number of a match's own log."""
MOST_SEATS = 8
Numbers = tuple[int, ...]
"""The number of the last entry of each log of a match, in the order of the logs; 0 for an empty one."""


def board_log(seat: int) -> int:
    """The number of the log of a seat's board."""
    return seat + 1


class StoredMatch(NamedTuple):
    """A match as a store has it: its terms and its logs, the match's own first, then those of the boards.

    The logs may be cut at their beginnings; `numbers` says where their ends are.
    """

    terms: Terms
    logs: tuple[Entries, ...]
    numbers: Numbers

    @property
    def events(self) -> Entries:
        """The match's own log."""
        return self.logs[MATCH_LOG]

    @property
    def boards(self) -> tuple[Entries, ...]:
        """The logs of the boards, seat 0 first."""
        return self.logs[board_log(0) :]

    def after(self, known: Numbers) -> "StoredMatch":
        """The same without the entries up to these numbers."""
        logs = [
            log[max(0, len(log) - max(0, last - number)) :]
            for log, last, number in zip(self.logs, self.numbers, known, strict=True)
        ]
        return self._replace(logs=tuple(logs))

    def has(self, entries: Iterable[tuple[int, int, int, str]]) -> bool:
        """Whether these entries, as (log, number, time, text), are in the logs, which are whole."""
        logs = self.logs
        return all(n <= len(logs[log]) and logs[log][n - 1] == (at, text) for log, n, at, text in entries)

    def until(self, numbers: Numbers) -> "StoredMatch":
        """The same without the entries after these numbers."""
        ends = tuple(min(last, number) for last, number in zip(self.numbers, numbers, strict=True))
        logs = [
            log[: max(0, len(log) - (last - end))] for log, last, end in zip(self.logs, self.numbers, ends, strict=True)
        ]
        return self._replace(logs=tuple(logs), numbers=ends)


AnyEvent = Seated | Came | Went | Committed | Revealed | Dealt | Credited | Finished | Aborted | Again | Left | Followed

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyEvent)
_terms_decoder = msgspec.json.Decoder(Terms)


def event_text(event: Event | Terms) -> str:
    """An event, or the terms, as the text that a store keeps."""
    return _encoder.encode(event).decode()


def parse_event(text: str) -> AnyEvent:
    """The event that `event_text` wrote."""
    return _decoder.decode(text)


def parse_terms(text: str) -> Terms:
    """The terms that `event_text` wrote."""
    return _terms_decoder.decode(text)

"""What can happen to a match besides its boards' entries: the events of its own log, in the order they occur.

A match is nothing but its terms and three logs, this one and one for each board; replaying them gives it back.
"""

import msgspec

from engine.result import Result
from protocol.messages import Level


class Terms(msgspec.Struct, frozen=True):
    """What is settled when a match is created. Times are milliseconds; `created` is wall-clock time.

    `secret` is the server's part of the deal, as hex digits: it leaves the server only when the match is over.
    """

    match: str
    game: str
    clock: int
    grace: int
    listed: bool
    secret: str
    created: int


class Event(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """One event of the match log."""


class Seated(Event, frozen=True):
    """A player took a seat. `player` is the hash of the player's key, `bot` the level of a house bot."""

    seat: int
    player: str
    name: str
    bot: Level | None = None


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
    """Wall-clock time."""


class Credited(Event, frozen=True):
    """No server served the match for a while; all its clocks are set back by as much."""

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


AnyEvent = Seated | Committed | Revealed | Dealt | Credited | Finished | Aborted | Again | Left | Followed

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

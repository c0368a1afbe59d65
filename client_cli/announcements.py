"""Everything this client can tell its user, each kind as plain data: an event's name and its facts.

`wording` makes sentences of them, `--json` prints them as they are. Times are milliseconds; cards, moves and games are
spelled as on the wire. Players are named as they are called on the screen (`player_names`).
"""

import re

import msgspec

from engine.games import View


def _dashed(name: str) -> str:
    """RivalCount -> rival-count."""
    return re.sub(r"(?<=.)(?=[A-Z])", "-", name).lower()


class Announcement(msgspec.Struct, frozen=True, tag_field="event", tag=_dashed):
    """One thing to tell."""


# The connection


class Connected(Announcement, frozen=True):
    server: str
    name: str


class Unencrypted(Announcement, frozen=True):
    """What is said on this connection can be read on the way, since it goes to another machine in the clear."""

    server: str


class ConnectionLost(Announcement, frozen=True):
    """The client tries to come back for `patience`."""

    patience: int


class ConnectionBack(Announcement, frozen=True):
    pass


# A match on its way


class Waiting(Announcement, frozen=True):
    """A match with one player in it. `you` is missing for a spectator."""

    match: str
    game: str
    clock: int
    grace: int
    names: list[str]
    you: int | None
    bot_comes: bool = False


class Seated(Announcement, frozen=True):
    """Both seats are taken. `bots` are the programs that play, seat by seat; None is a person."""

    match: str
    game: str
    clock: int
    grace: int
    names: list[str]
    bots: list[str | None]
    you: int | None


class Resumed(Announcement, frozen=True):
    """Back in a match, or come to it when it had begun. `bots` as in `Seated`."""

    match: str
    game: str
    state: str
    names: list[str]
    bots: list[str | None]
    you: int | None
    left: int | None


class AskReady(Announcement, frozen=True):
    waits: int | None


class IsReady(Announcement, frozen=True):
    name: str
    you: bool


class Countdown(Announcement, frozen=True):
    starts: int


class Started(Announcement, frozen=True):
    left: int
    you: int | None


class Clock(Announcement, frozen=True):
    left: int


class Away(Announcement, frozen=True):
    """A player's connection is lost; the board is given up when `left` has run out."""

    name: str
    left: int


class Returned(Announcement, frozen=True):
    name: str


class Aborted(Announcement, frozen=True):
    match: str
    why: str


class Over(Announcement, frozen=True):
    """The result. `winner` is a seat, or None for a draw."""

    match: str
    winner: int | None
    reason: str
    names: list[str]
    counts: list[int]
    total: int
    you: int | None
    digest: str | None


class DealDoubted(Announcement, frozen=True):
    """Something of the deal does not fit, as this moment shows: `doubts` names it. With `hidden` the own nonce stays so."""

    match: str
    doubts: list[str]
    hidden: bool


class DealChecked(Announcement, frozen=True):
    """What came of checking the deal against all that this client was shown.

    `cards` of it were shown and are as they were dealt, `unseen` ones never were; `doubts` names what does not fit, `limits`
    what this client could not tell.
    """

    match: str
    cards: int
    unseen: int
    doubts: list[str]
    limits: list[str]


class DealUnchecked(Announcement, frozen=True):
    """The client goes before it could check the deal."""

    match: str


class Proof(Announcement, frozen=True):
    """The short proof of the record, for the players to compare."""

    match: str
    proof: str


class ReceiptTrouble(Announcement, frozen=True):
    """The receipt of a match cannot be written; the race goes on. `why` is what the system says."""

    file: str
    why: str


class ReceiptLost(Announcement, frozen=True):
    """The receipt of an earlier run cannot be read, since `line` is damaged; it was put aside as `file`."""

    file: str
    line: int


class Afterwards(Announcement, frozen=True):
    """What can be done now. `again`: whether a rematch can be asked for."""

    match: str
    again: bool


class WantsRematch(Announcement, frozen=True):
    """A player asks for a rematch; `answer` says that it is for the user to agree."""

    name: str
    you: bool
    answer: bool


class HasLeft(Announcement, frozen=True):
    """A player has left after the match."""

    name: str


class Rematch(Announcement, frozen=True):
    match: str


# One's own board


class Position(Announcement, frozen=True):
    """A board as it stands. `name` is missing for one's own."""

    name: str | None
    view: View
    count: int
    total: int


class Made(Announcement, frozen=True):
    """One's own entry `n` has been made, and this is the board now."""

    n: int
    move: str
    card: str | None
    view: View
    count: int
    total: int
    status: str


class Finished(Announcement, frozen=True):
    """A board is finished. `status` and `count` are missing as long as they may not be shown."""

    name: str
    you: bool
    status: str | None
    count: int | None
    total: int


class RivalCount(Announcement, frozen=True):
    name: str
    count: int
    total: int
    turned: int


# What a spectator sees


class Played(Announcement, frozen=True):
    """A player's move, together with the turn before it where it placed the card in hand.

    `turned` says that the card comes from the stock, `before` is the count before the move.
    """

    name: str
    n: int
    move: str
    card: str | None
    turned: bool
    before: int
    count: int


# The house bot


class BotFinished(Announcement, frozen=True):
    """The one line a bot prints."""

    name: str
    match: str
    counts: list[int]
    names: list[str]
    winner: int | None

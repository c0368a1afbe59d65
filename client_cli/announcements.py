"""Everything this client can tell its user, each kind as plain data: an event's name and its facts.

`wording` makes sentences of them, `--json` prints them as they are. Times are milliseconds; cards, moves and games are
spelled as on the wire.
"""

import re
from enum import IntEnum
from typing import Any

import msgspec

from engine.sir_tommy import SirTommyView


class Exit(IntEnum):
    """What the command's exit code says."""

    FINE = 0
    ERROR = 1
    USAGE = 2
    NO_CONNECTION = 3
    REFUSED = 4
    INTERRUPTED = 130


def _dashed(name: str) -> str:
    """RivalCount -> rival-count."""
    return re.sub(r"(?<=.)(?=[A-Z])", "-", name).lower()


class Announcement(msgspec.Struct, frozen=True, tag_field="event", tag=_dashed):
    """One thing to tell."""


class ClientError(Exception):
    """Why the client cannot go on: what to tell the user, and the exit code."""

    def __init__(self, problem: Announcement, exit_code: Exit = Exit.ERROR) -> None:
        super().__init__(problem)
        self.problem = problem
        self.exit_code = exit_code


# The connection


class Connected(Announcement, frozen=True):
    server: str
    name: str


class ConnectionLost(Announcement, frozen=True):
    """The client tries to come back for `patience`."""

    patience: int


class ConnectionBack(Announcement, frozen=True):
    pass


class Unreachable(Announcement, frozen=True):
    server: str
    why: str


class GaveUp(Announcement, frozen=True):
    server: str
    patience: int


class WrongVersion(Announcement, frozen=True):
    """The server speaks another version of the protocol, or is no tommy-server at all."""

    server: str
    why: str


class NotAccepted(Announcement, frozen=True):
    """The server does not want to talk to this player."""

    server: str
    code: str
    why: str


class Replaced(Announcement, frozen=True):
    """The same player has taken the seat with another client."""


class Garbled(Announcement, frozen=True):
    """The server has said something that is no message."""

    why: str


class Refusal(Announcement, frozen=True):
    """The server has refused a request; nothing has changed."""

    code: str
    why: str
    match: str | None = None


# A match on its way


class Waiting(Announcement, frozen=True):
    """A match with one player in it. `you` is missing for a spectator."""

    match: str
    game: str
    clock: int
    grace: int
    names: list[str]
    you: int | None


class Seated(Announcement, frozen=True):
    """Both seats are taken."""

    match: str
    game: str
    clock: int
    grace: int
    names: list[str]
    you: int | None


class Resumed(Announcement, frozen=True):
    """Back in a match, or come to it when it had begun."""

    match: str
    game: str
    state: str
    names: list[str]
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


class DealChecked(Announcement, frozen=True):
    """What the client could check of the deal on its own. `cards` were compared with the published deal;
    `doubts` names what does not fit."""

    cards: int
    doubts: list[str]


class Afterwards(Announcement, frozen=True):
    """What can be done now. `again`: whether a rematch can be asked for."""

    match: str
    again: bool


class WantsRematch(Announcement, frozen=True):
    name: str
    you: bool


class HasLeft(Announcement, frozen=True):
    """A player has left after the match."""

    name: str


class Rematch(Announcement, frozen=True):
    match: str


# One's own board


class Position(Announcement, frozen=True):
    """A board as it stands. `name` is missing for one's own."""

    name: str | None
    view: SirTommyView
    count: int
    total: int


class Made(Announcement, frozen=True):
    """One's own entry `n` has been made, and this is the board now."""

    n: int
    move: str
    card: str | None
    view: SirTommyView
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


class Listed(Announcement, frozen=True):
    """A line in the list of matches, with its number in this list."""

    number: int
    match: str
    game: str
    names: list[str]
    counts: list[int]
    left: int
    spectators: int


class NoMatches(Announcement, frozen=True):
    pass


class Choose(Announcement, frozen=True):
    """Which of the listed matches is to be watched?"""

    highest: int


# Answers to what was typed


class MoveChoice(msgspec.Struct, frozen=True):
    """A legal move: what to type for it, the card it moves, and the card it would lie on."""

    word: str
    move: str
    card: str | None
    onto: str | None


class LegalMoves(Announcement, frozen=True):
    choices: list[MoveChoice]


class BoardShown(Announcement, frozen=True):
    """The whole board, every card of it."""

    name: str | None
    view: SirTommyView
    count: int
    total: int


class RivalNow(Announcement, frozen=True):
    name: str
    turned: int
    count: int
    total: int
    finished: bool
    status: str
    away: int | None


class TimeNow(Announcement, frozen=True):
    left: int | None
    state: str


class WordHelp(msgspec.Struct, frozen=True):
    """What can be typed, and what it does."""

    form: str
    meaning: str


class Help(Announcement, frozen=True):
    words: list[WordHelp]


class Confirm(Announcement, frozen=True):
    """Only a `yes` carries this out."""

    word: str
    count: int


class NotConfirmed(Announcement, frozen=True):
    pass


class Unparsable(Announcement, frozen=True):
    """The word is none that this client knows."""

    word: str


class Illegal(Announcement, frozen=True):
    """The word is a move, but the rules do not allow it now; `code` names the rule."""

    word: str
    code: str
    card: str | None = None
    hand: str | None = None
    source: str | None = None
    target: str | None = None


class Ambiguous(Announcement, frozen=True):
    """The word could mean one of several moves that differ."""

    word: str
    card: str
    choices: list[MoveChoice]


class NotNow(Announcement, frozen=True):
    """The word has its time, but not this one. `state` is the match's."""

    word: str
    state: str


class InputEnded(Announcement, frozen=True):
    """Nothing more can be typed. `stands`: so the player stands; otherwise the seat is given up."""

    stands: bool


class SeatKept(Announcement, frozen=True):
    """The player goes while the race is on."""

    match: str
    grace: int


# Files


class Written(Announcement, frozen=True):
    match: str
    file: str


class FileTrouble(Announcement, frozen=True):
    file: str
    why: str


class BadKey(Announcement, frozen=True):
    file: str


class BadRecord(Announcement, frozen=True):
    """The file is no record that this program can read."""

    file: str
    why: str


class RecordChecked(Announcement, frozen=True):
    """Which record is being checked."""

    match: str
    game: str
    created: str
    names: list[str]


class Checked(Announcement, frozen=True):
    """One thing that was checked of a record: `check` and `facts` are a finding's."""

    check: str
    fits: bool
    facts: dict[str, Any]


class Verdict(Announcement, frozen=True):
    """The whole of it: how many things were checked, and how many do not fit."""

    checked: int
    unfit: int


class Text(Announcement, frozen=True):
    """A longer text, its paragraphs already worded."""

    title: str
    paragraphs: list[str]


# The house bot


class BotFinished(Announcement, frozen=True):
    """The one line a bot prints."""

    name: str
    match: str
    counts: list[int]
    names: list[str]
    winner: int | None


class Bug(Announcement, frozen=True):
    """Something in this program itself went wrong."""

    what: str


KINDS: tuple[type[Announcement], ...] = tuple(Announcement.__subclasses__())
"""Every kind there is."""

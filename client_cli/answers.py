"""Announcements that answer a request: something typed in a race, or a command that needs no race."""

from typing import Any

import msgspec

from client_cli.announcements import Announcement
from client_cli.troubles import Exit
from engine.games import View

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
    view: View
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
    onto: str | None = None
    cards: int = 1


class Incomplete(Announcement, frozen=True):
    """The word says where a card comes from, and not where it goes."""

    word: str


class Ambiguous(Announcement, frozen=True):
    """The word could mean one of several moves that differ."""

    word: str
    card: str
    choices: list[MoveChoice]


class NotNow(Announcement, frozen=True):
    """The word has its time, but not this one. `state` is the match's."""

    word: str
    state: str


class NotTaken(Announcement, frozen=True):
    """The words, or a key, would have the server do something, but the connection is lost. They are not kept for later."""

    words: str


class InputEnded(Announcement, frozen=True):
    """Nothing more can be typed. `stands`: so the player stands; otherwise the seat is given up."""

    stands: bool


class SeatKept(Announcement, frozen=True):
    """The player goes while the race is on."""

    match: str
    grace: int


# Answers to commands


class Listed(Announcement, frozen=True):
    """A line in the list of matches, with its number in this list."""

    number: int
    match: str
    game: str
    names: list[str]
    counts: list[int]
    bots: list[str | None]
    left: int
    spectators: int


class NoMatches(Announcement, frozen=True):
    pass


class Choose(Announcement, frozen=True):
    """Which of the listed matches is to be watched is asked for."""

    highest: int


class Written(Announcement, frozen=True):
    match: str
    file: str


class RecordChecked(Announcement, frozen=True):
    """Which record is being checked."""

    match: str
    game: str
    created: str
    names: list[str]


class Checking(Announcement, frozen=True):
    """What is being checked just now, told where it takes long: the board of a player, which one of how many."""

    player: str
    number: int
    boards: int


class Checked(Announcement, frozen=True):
    """One thing that was checked of a record: `check`, `fits` and `facts` are a finding's."""

    check: str
    fits: bool | None
    facts: dict[str, Any]


class ReceiptChecked(Announcement, frozen=True):
    """Which receipt the record is held against: whose it is, or a spectator's, and where the match was raced."""

    file: str
    server: str
    name: str | None


class OtherReceipt(Announcement, frozen=True):
    """A receipt that is of another match with the same code, on another server."""

    file: str
    server: str


class NoReceipt(Announcement, frozen=True):
    """There is no receipt of the match on this machine."""

    match: str


class Verdict(Announcement, frozen=True):
    """The whole of it: how many things were checked, how many do not fit, and of how many this version cannot tell.

    The last three are about the receipts: how often the record was held against one, how often it did not fit, and of how
    much they cannot tell.
    """

    checked: int
    unfit: int
    unknown: int = 0
    compared: int = 0
    misfits: int = 0
    untold: int = 0

    @property
    def exit_code(self) -> Exit:
        """What the command's exit code is to say of it."""
        if self.unfit or self.misfits:
            return Exit.ERROR
        return Exit.UNKNOWN_GAME if self.unknown else Exit.FINE


class Text(Announcement, frozen=True):
    """A longer text, its paragraphs already worded."""

    title: str
    paragraphs: list[str]

"""What can go wrong: the announcements that end a command, its exit code, and the error that carries both."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path

from client_cli.announcements import Announcement


class Exit(IntEnum):
    """What the command's exit code says."""

    FINE = 0
    ERROR = 1
    USAGE = 2
    NO_CONNECTION = 3
    REFUSED = 4
    UNKNOWN_GAME = 5
    """Of a record: nothing speaks against it, but this version does not know its game."""
    INTERRUPTED = 130


class ClientError(Exception):
    """Why the client cannot go on: what to tell the user, and the exit code."""

    def __init__(self, problem: Announcement, exit_code: Exit = Exit.ERROR) -> None:
        super().__init__(problem)
        self.problem = problem
        self.exit_code = exit_code


class Unreachable(Announcement, frozen=True):
    server: str
    why: str


class SentOn(Announcement, frozen=True):
    """The server sends this client on to another address, where it does not go.

    `why` is host for one on another host, unencrypted for one without the encryption that was asked for.
    """

    server: str
    to: str
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
    """The server has refused a request; nothing has changed. `games` are those it offers, where that was the reason."""

    code: str
    why: str
    match: str | None = None
    games: tuple[str, ...] = ()


class NotOffered(Announcement, frozen=True):
    """The server does not offer what was to be asked for: `offer` is one of the protocol's."""

    offer: str


class StrangeGame(Announcement, frozen=True):
    """The match is of a game that this version does not know."""

    match: str
    game: str


class FileTrouble(Announcement, frozen=True):
    file: str
    why: str


class SystemTrouble(Announcement, frozen=True):
    """The system does not do what it was asked for, and names no file that it is about."""

    why: str


class BadKey(Announcement, frozen=True):
    """What is in a key file is no key, and `why`."""

    file: str
    why: str


class FileThere(Announcement, frozen=True):
    """There is a file already where one was to be written; it was left as it is."""

    file: str


class BadRecord(Announcement, frozen=True):
    """The file is no record that this program can read: `code` and `facts` are those of the engine's error."""

    file: str
    code: str
    facts: dict[str, str | int]


class DamagedReceipt(Announcement, frozen=True):
    """A receipt cannot be read from that line on."""

    file: str
    line: int


class BadSettings(Announcement, frozen=True):
    """Something in the settings file is not as it has to be."""

    file: str
    line: int
    why: str


class Bug(Announcement, frozen=True):
    """Something in this program itself went wrong."""

    what: str


@contextmanager
def file_troubles(file: Path) -> Iterator[None]:
    """What the system says of a file, for the user."""
    try:
        yield
    except OSError as error:
        raise ClientError(FileTrouble(str(file), error.strerror or str(error))) from None

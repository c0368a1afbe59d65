"""What this client keeps of a match, so that nobody can make it another one afterwards.

A receipt is a journal of small notes: who is bound to what, in the order in which it was seen; the own nonce; what was sent,
and every move and every board as the server showed it; how the match ended. One note is one line, so that a receipt can
be written down as it grows. It does no input or output: `receipts` keeps the files, `comparing` holds a record against it.
"""

from collections.abc import Iterator
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from engine.result import Result
from protocol.messages import BoardState, Hash, Level, Moved, Nonce
from protocol.players import host_of

VERSION = 1
LONGEST = 2 << 20
"""Bytes that are kept of one match: twice what the longest match there can be takes. A server could go on for ever."""
RESERVE = 64 << 10
"""Beyond that, for the few notes that matter most."""
OPEN = ("waiting", "seated")
"""The states of a match in which somebody may not be bound yet."""
BEFORE = (*OPEN, "revealing")
"""The states of a match in which no nonce need have been revealed yet."""


class Note(msgspec.Struct, tag_field="type", tag=str.lower, omit_defaults=True, frozen=True):
    """One thing to keep. Moves and boards are kept as the messages that they came in."""


class Opened(Note, frozen=True):
    """A client has come to the match: from now on it keeps what it is shown. `at` is wall-clock time."""

    version: int
    match: str
    game: str
    server: str
    at: int
    you: int | None = None


class Agreed(Note, frozen=True):
    """How long the match clock and the grace period are, in milliseconds."""

    clock: int
    grace: int


class Sits(Note, frozen=True):
    """Who has taken a seat: the name, and what plays where no person does."""

    seat: int
    name: str
    bot: str | None = None
    level: Level | None = None


class Committed(Note, frozen=True):
    """Somebody is bound, as is first seen in this state of the match: a seat, or the server."""

    commitment: Hash
    state: str
    seat: int | None = None


class Drawn(Note, frozen=True):
    """The own nonce."""

    nonce: Nonce


class Revealed(Note, frozen=True):
    """The own nonce is on its way to the server: everybody is bound."""


class Sent(Note, frozen=True):
    """An entry that is on its way to the server."""

    n: int
    move: str


class Ended(Note, frozen=True):
    """How the match ended, as the server says."""

    state: Literal["over", "aborted"]
    result: Result | None = None
    digest: str | None = None


class Replaced(Note, frozen=True):
    """Another client with the same key has taken the seat."""


class Doubted(Note, frozen=True):
    """Something did not fit when it came."""

    doubt: str


class Cut(Note, frozen=True):
    """There was more than can be kept."""


AnyNote = (
    Opened | Agreed | Sits | Committed | Drawn | Revealed | Sent | Ended | Replaced | Doubted | Cut | BoardState | Moved
)
MATTER_MOST = (Opened, Agreed, Sits, Committed, Drawn, Revealed, Ended, Replaced, Doubted, Cut)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyNote)


class BadReceipt(Exception):
    """A receipt that cannot be read: `line` is where, from 1. `why` is for programmers; users are told where."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


class Receipt:
    """The notes of one match, and what they come to. `fresh` gives out those that have yet to be written down."""

    def __init__(self) -> None:
        self.opened: Opened | None = None
        """How it began."""
        self.agreed: Agreed | None = None
        self.players: dict[int, Sits] = {}
        """Who was first seen in each seat."""
        self.commitments: dict[int | None, Committed] = {}
        """What each seat is bound to, and under None the server: the first that was seen."""
        self.nonce: bytes | None = None
        self.revealed = False
        self.sent: set[tuple[int, str]] = set()
        self.boards: dict[tuple[int, int], list[BoardState]] = {}
        """What was shown of a seat's board after an entry."""
        self.moved: dict[tuple[int, int], list[Moved]] = {}
        """What was told of a seat's entry."""
        self.ended: Ended | None = None
        self.doubts: list[str] = []
        self.replaced = False
        self.cut = False
        self._lines: dict[bytes, None] = {}
        self._size = 0
        self._fresh: list[bytes] = []

    @property
    def bound(self) -> bool:
        """Whether everybody was seen bound: from then on nobody may come to sit in the match."""
        closed = any(seat is not None and note.state not in OPEN for seat, note in self.commitments.items())
        return self.revealed or (closed and self.players.keys() <= self.commitments.keys())

    @property
    def address(self) -> str:
        """Where the match was raced."""
        return "" if self.opened is None else address_of(self.opened.server)

    def note(self, note: AnyNote) -> None:
        """Keep something. What has been kept before is not kept twice; at some time there is too much."""
        line = _encoder.encode(note) + b"\n"
        if line in self._lines:
            return
        if self._size + len(line) > LONGEST + RESERVE * isinstance(note, MATTER_MOST):
            cut, self.cut = self.cut, True
            if not cut:
                self.note(Cut())
            return
        self._take(note, line)
        self._fresh.append(line)

    def fresh(self) -> list[bytes]:
        """The lines to write down; each is given out once."""
        fresh, self._fresh = self._fresh, []
        return fresh

    def take_in(self, other: "Receipt") -> None:
        """Keep all that another receipt of the same match has."""
        for line in other._lines:
            self.note(_decoder.decode(line))

    def last(self, seat: int) -> int | None:
        """The number of the last entry known of a seat's board; None if nothing is known of it."""
        return max((n for owner, n in (*self.boards, *self.moved) if owner == seat), default=None)

    def first(self, seat: int) -> int:
        """The entry of the own board, on this seat, after which every other one has to come from here.

        That is the first that anything is known of; who has revealed a nonce was there before there was any.
        """
        known = (n for owner, n in (*self.boards, *self.moved) if owner == seat)
        return 0 if self.revealed else min(known, default=0)

    def entries(self, seat: int) -> Iterator[BoardState | Moved]:
        """A seat's board as it was before its first entry, and every entry since that is known without a gap."""
        for board in self.boards.get((seat, 0), ())[:1]:
            yield board
            n = 1
            while (seat, n) in self.moved:
                yield self.moved[seat, n][0]
                n += 1

    def _take(self, note: AnyNote, line: bytes) -> None:
        self._lines[line] = None
        self._size += len(line)
        match note:
            case Opened():
                self.opened = self.opened or note
            case Agreed():
                self.agreed = self.agreed or note
            case Sits():
                self.players.setdefault(note.seat, note)
            case Committed():
                self.commitments.setdefault(note.seat, note)
            case Drawn():
                self.nonce = self.nonce or bytes.fromhex(note.nonce)
            case Revealed():
                self.revealed = True
            case Sent():
                self.sent.add((note.n, note.move))
            case BoardState():
                self.boards.setdefault((note.seat, note.n), []).append(note)
            case Moved():
                self.moved.setdefault((note.seat, note.n), []).append(note)
            case Ended():
                self.ended = self.ended or note
            case Doubted():
                self.doubts.append(note.doubt)
            case Replaced():
                self.replaced = True
            case Cut():
                self.cut = True


def address_of(server: str) -> str:
    """A server's host and port, however its URL is written."""
    try:
        parts = urlsplit(server)
        return f"{host_of(parts.hostname or '')}:{parts.port or ''}"
    except ValueError:
        return server


def read_receipt(text: bytes) -> tuple[Receipt, int]:
    """The receipt in a file, and how many bytes of it that is: a last line without an end was never written whole.

    Raises `BadReceipt`.
    """
    receipt = Receipt()
    whole = text.rfind(b"\n") + 1
    if whole > LONGEST + RESERVE:
        raise BadReceipt(1, "too-long")
    for number, line in enumerate(text[:whole].split(b"\n")[:-1], start=1):
        if line + b"\n" in receipt._lines:
            continue  # another client has written it as well
        try:
            note = _decoder.decode(line)
            if isinstance(note, Opened) and note.version > VERSION:
                raise BadReceipt(number, f"version-{note.version}")
            if number == 1 and not isinstance(note, Opened):
                raise BadReceipt(number, "not-opened")
            receipt._take(note, line + b"\n")
        except ValueError as error:  # msgspec's own are of this kind
            raise BadReceipt(number, str(error)) from None
    return receipt, whole

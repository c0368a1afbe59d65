"""What every board can do, whatever its game.

A board belongs to one player. It is changed only by entries, which are numbered from 1 and never taken back: moves,
and at most one ending that is not a move (standing, resigning, running out of time, leaving).
"""

from abc import ABC, abstractmethod
from collections.abc import Generator
from enum import StrEnum
from typing import Any, TypeVar

from engine.cards import UNKNOWN, Card
from engine.errors import IllegalMove
from engine.moves import MOVES, WAYS, Move, Place, Way, parse_move

Outcome = TypeVar("Outcome")
Steps = Generator[None, None, Outcome]
"""Work that comes to a result in steps of a fraction of a millisecond, for the sake of those who wait meanwhile."""

EVERYTHING = 1 << 30
"""Later than any deal position: what a board has passed once it has no decision left to make."""

_WAYS_OF_MOVES = {move: WAYS[text] for text, move in MOVES.items()}


class Status(StrEnum):
    """How a board stands (rules.md, section 1); all but `playing` are finished."""

    PLAYING = "playing"
    SOLVED = "solved"
    STUCK = "stuck"
    STOOD = "stood"
    TIMED_OUT = "timed-out"
    ABANDONED = "abandoned"
    RESIGNED = "resigned"


ENDINGS = {
    "stand": Status.STOOD,
    "resign": Status.RESIGNED,
    "timeout": Status.TIMED_OUT,
    "abandon": Status.ABANDONED,
}
"""The entries that are not moves. The first two are the player's words, the others are the server's."""


class Board(ABC):
    """One player's cards in one deal.

    A board built from a `Deal` knows every card. One built from a view (`from_view`) knows what a player or a
    spectator knows; its face-down cards are `UNKNOWN` until `enter` says what was turned.

    `enter` takes what a player wants to do, and checks everything. `retrace` takes what has been checked before: a log
    out of a store or a record, or what a server tells. `apply` is `enter` for a move that is not text, for bots and
    tests. Each game says what kinds of moves it has (`ways`), how a move is carried out (`_apply`), which there are
    (`_moves`), when the board is stuck (`_is_stuck`) and which deal positions it has passed (`_passed`).
    """

    ways: frozenset[Way]
    """The kinds of moves that the game has; whether one is legal now is another question."""

    turned: int
    """How many cards have been turned so far, a redeal's included."""
    turned_again: int
    """How many of them were turned after a redeal."""
    position: int
    """The deal position of the turn begun last; 0 before the first (design, point 4)."""

    def __init__(self) -> None:
        self.turned = self.turned_again = 0
        self.position = 0
        self._ending: Status | None = None
        self._status: Status | None = None
        """What `status` has worked out since the last change."""

    @property
    def peek(self) -> str | None:
        """The next card of the stock, as text, in games that show it to the player."""
        return None

    def learn(self, peek: str | None) -> None:  # noqa: B027 - most games show no card of the stock
        """The next card of the stock has become known, in games that show it."""

    @property
    @abstractmethod
    def face_down(self) -> list[int]:
        """The deal positions of the cards still to be turned, the next one last."""

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of cards on the foundations: the score."""

    @property
    @abstractmethod
    def total(self) -> int:
        """The number of cards in the game: the count of a solved board."""

    @abstractmethod
    def view(self) -> Any:
        """The board as its player sees it, as plain data for the wire."""

    def view_of_others(self) -> Any:
        """The same without what only its player sees."""
        return self.view()

    def think(self) -> Steps[None]:
        """Work `status` out in steps, in games where that takes long."""
        yield from ()

    def foresee(self, _entry: str) -> Steps[None]:
        """Work out in steps what `status` will be after an entry, in games where that takes long."""
        yield from ()

    def settle(self, status: Status) -> None:
        """This is how the board stands, as somebody says who knows all its cards: it need not be worked out."""
        self._status = self._ending or (Status.SOLVED if self.count == self.total else status)

    @staticmethod
    def place(place: Place, places: list[list[Card]]) -> list[Card]:
        """The cards at a numbered place. Raises `IllegalMove` if the board has no such place."""
        if place.number > len(places):
            raise IllegalMove(f"there is no place {place} on this board", "no-such-place")
        return places[place.number - 1]

    @abstractmethod
    def _moves(self) -> list[Move]:
        """Every move the rules allow, on a board not ended from outside."""

    @abstractmethod
    def _apply(self, move: Move, card: Card) -> Card | None:
        """Carry out a move of a kind that the game has, on a board not finished; return the card it turned, if any."""

    @abstractmethod
    def _is_stuck(self) -> bool:
        """Whether no sequence of legal moves can put one more card on a foundation (rules.md, section 4)."""

    @abstractmethod
    def _passed(self) -> int:
        """`passed` for a board that is not finished."""

    @property
    def status(self) -> Status:
        """How the board stands now, worked out from the cards."""
        if self._status is None:
            self._status = self._ending or self._status_of_cards()
        return self._status

    def _status_of_cards(self) -> Status:
        if self.count == self.total:
            return Status.SOLVED
        return Status.STUCK if self._is_stuck() else Status.PLAYING

    @property
    def finished(self) -> bool:
        """Whether the board takes no more entries."""
        return self.status is not Status.PLAYING

    @property
    def passed(self) -> int:
        """The last deal position this board has passed: nothing up to there can help its player any more."""
        return EVERYTHING if self.finished else self._passed()

    def legal_moves(self) -> list[Move]:
        """Every legal move, foundations first. None when the board is finished."""
        return [] if self.finished else self._moves()

    def apply(self, move: Move, card: Card = UNKNOWN) -> Card | None:
        """Make a move, and return the card it turned up, if it turned one.

        `card` is that card, where the board does not know its stock. Raises `IllegalMove`, and then nothing has
        changed.
        """
        way = _WAYS_OF_MOVES.get(move)
        if way is None:
            raise IllegalMove("there is no such move in any game", "not-in-this-game")
        self._check_way(way)
        self._check_open()
        turned = self._apply(move, card)
        self._status = None
        return turned

    def enter(self, entry: str, card: Card = UNKNOWN) -> Card | None:
        """Take one entry of the log, a move or an ending, and return the card it turned up, if any.

        Raises `BadMove` or `IllegalMove`, and then nothing has changed.
        """
        self._check_way(WAYS.get(entry))
        self._check_open()
        return self._take(entry, card)

    def retrace(self, entry: str, card: Card = UNKNOWN) -> Card | None:
        """Take an entry that is known to have come on this board, and to have been followed by others perhaps.

        The same as `enter`, without asking first whether the board is finished, which can take long.
        """
        self._check_way(WAYS.get(entry))
        return self._take(entry, card)

    def _check_way(self, way: Way | None) -> None:
        """Refuse a kind of move that the game does not have: before anything else that may be wrong with the move."""
        if way is not None and way not in self.ways:
            raise IllegalMove("this game has no such move", "not-in-this-game")

    def _check_open(self) -> None:
        if self.finished:
            raise IllegalMove(f"this board is finished ({self.status})", "board-finished")

    def _take(self, entry: str, card: Card) -> Card | None:
        ending = ENDINGS.get(entry)
        turned = self._apply(parse_move(entry), card) if ending is None else None
        self._ending = ending
        self._status = ending  # none after a move: it is worked out when somebody asks
        return turned

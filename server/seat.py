"""A seat in a match: its player, the player's board with its log, and what others have been shown of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.board import EVERYTHING, Board, Status, Steps
from engine.cards import Card, card_text
from engine.games import View
from engine.result import Standing
from engine.sight import Live, Shown, Told, live, shown, told
from protocol.messages import BoardState, Moved, Progress
from server.events import Seated

AT_ONCE = 50
"""Entries of a log that are carried out before others have their turn."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a board's log, and what followed from it. `at` is milliseconds of match time."""

    text: str
    card: str | None
    status: Status
    count: int
    at: int
    peek: str | None = None
    turned_again: int = 0
    """How many cards have been turned after a redeal."""


class Seat:
    """One side of a match. The board is there once the cards are dealt."""

    def __init__(self, match: str, taken: Seated) -> None:
        self.match = match
        self.number = taken.seat
        self.player = taken.player
        self.name = taken.name
        self.bot = taken.bot
        self.level = taken.level
        self.paired = taken.paired
        self.connection: str | None = None
        """The connection that holds the seat; None while the player is away."""
        self.away_since: int | None = None
        """Since when the player is away, by the matches' clock."""
        self.commitment: str | None = None
        self.nonce: str | None = None
        self.again = False
        self.left = False
        self.entries: list[Entry] = []
        self.live = Live(0, finished=False)
        """What everybody may know of the board at once."""
        self.shown = 0
        """How many entries others have been shown."""
        self.told: Progress | None = None
        """The progress that others were told last."""
        self.board: Board | None = None
        self.passed = EVERYTHING
        """The last deal position that the board has passed."""
        self._positions: list[int] = []
        self._shadow_at = 0
        """How many entries the board that others see has."""

    def deal(self, board: Board, shadow: Board) -> None:
        """Put the cards on the table: the player's board, and one that stays behind at what others may see."""
        self.board = board
        self._shadow = shadow
        self._start = Entry("", None, board.status, board.count, 0)
        self._look()

    def enter(self, text: str, at: int) -> Entry:
        """Take an entry on the board. Raises `BadMove` or `IllegalMove`, and then nothing has changed."""
        assert self.board is not None
        card = self.board.enter(text)
        self._look()
        return self._note(text, card, self.board.status, at)

    def retrace(self, log: Sequence[tuple[int, str]]) -> Steps[None]:
        """Take the next entries of a log that has been written, as (time, text)."""
        assert self.board is not None
        for left, (at, text) in zip(range(len(log) - 1, -1, -1), log, strict=True):
            card = self.board.retrace(text)
            if not left:
                yield from self.board.think()
            elif left % AT_ONCE == 0:
                yield
            self._note(text, card, Status.PLAYING if left else self.board.status, at)
        self._look()

    def _look(self) -> None:
        """See how the board stands, which has thought about it."""
        assert self.board is not None
        self.live, self.passed = live(self.board), self.board.passed

    def _note(self, text: str, card: Card | None, status: Status, at: int) -> Entry:
        assert self.board is not None
        turned = None if card is None else card_text(card)
        entry = Entry(text, turned, status, self.board.count, at, self.board.peek, self.board.turned_again)
        self.entries.append(entry)
        self._positions.append(self.board.position)
        return entry

    @property
    def last(self) -> Entry:
        """The newest entry, or how the board stood before the first."""
        return self.entries[-1] if self.entries else self._start

    @property
    def finished(self) -> bool:
        """Whether the board takes no more entries."""
        return self.live.finished

    @property
    def playing(self) -> bool:
        """Whether the cards are dealt and the board takes entries."""
        return self.board is not None and not self.finished

    @property
    def is_live_news(self) -> bool:
        """Whether others have not been told of the newest turn yet that is live, or of the end of the board."""
        now = self._now_told
        return self.told is None or (self.told.turned, self.told.finished) != (now.turned, now.finished)

    @property
    def standing(self) -> Standing:
        """What the result is worked out from."""
        return Standing(self.last.status, self.last.count, self.last.at)

    def may_show(self, passed: int) -> range:
        """The numbers of the entries that may be shown now and have not been, given what the rival has passed."""
        before, self.shown = self.shown, shown(self._positions, passed)
        return range(before + 1, self.shown + 1)

    def moved(self, number: int, re: int | None = None, *, own: bool = False) -> Moved:
        """The message that entry `number` has been made; the next card of the stock is for its `own` player alone."""
        entry = self.entries[number - 1]
        return Moved(
            re=re,
            match=self.match,
            seat=self.number,
            n=number,
            move=entry.text,
            card=entry.card,
            peek=entry.peek if own else None,
            status=entry.status,
            count=entry.count,
            at=entry.at,
        )

    def own_board(self) -> BoardState:
        """The whole board, for its owner, or for everybody once the match is over."""
        assert self.board is not None
        return self._board_state(self.board.view(), len(self.entries), self.last)

    def keep_up(self) -> Steps[None]:
        """Bring the board that others see to where they may see it."""
        while self._shadow_at < self.shown:
            self._shadow.retrace(self.entries[self._shadow_at].text)
            self._shadow_at += 1
            if self._shadow_at % AT_ONCE == 0:
                yield

    def shown_board(self) -> BoardState:
        """The board as far as others have been shown it."""
        for _ in self.keep_up():
            pass
        return self._board_state(self._shadow.view_of_others(), self.shown, self._shown_entry)

    def progress(self) -> Progress:
        """How the board comes along, for everyone else."""
        now = self._now_told
        return Progress(
            match=self.match,
            seat=self.number,
            turned=now.turned,
            finished=now.finished,
            status=now.status,
            count=now.count,
        )

    @property
    def _now_told(self) -> Told:
        """What others may be told now of how the board comes along."""
        seen = self._shown_entry
        return told(self.live, Shown(seen.status, seen.count, seen.turned_again))

    @property
    def shown_count(self) -> int:
        """The count as far as others have been shown it; 0 before the deal."""
        return self._shown_entry.count if self.board is not None else 0

    @property
    def _shown_entry(self) -> Entry:
        return self.entries[self.shown - 1] if self.shown else self._start

    def _board_state(self, view: View, number: int, entry: Entry) -> BoardState:
        return BoardState(
            match=self.match,
            seat=self.number,
            n=number,
            status=entry.status,
            count=entry.count,
            view=view,
        )

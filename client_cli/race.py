"""What this client knows of a match: the server's messages come in, messages to send come out.

It does no input or output, reads no clock and draws nothing: times (in seconds) and nonces are passed in. A player's
client and a spectator's use the same class; a spectator has no seat (`you`) and so no board of its own.

It trusts nobody: whatever comes in is held against what came before, and in the end against the record. All that is
needed for that goes into the `receipt`, which may be that of an earlier run.
"""

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

from msgspec.structs import replace

from client_cli import commitments
from client_cli.comparing import PREFIX, SERVERS_WORDS, compared, is_readable
from client_cli.link import Link
from client_cli.mirror import Mirror
from client_cli.player_names import seat_names
from client_cli.possible import PLAYERS, without_strangers
from client_cli.receipt import BEFORE, VERSION, Doubted, Drawn, Ended, Opened, Receipt, Replaced, Revealed, Sent
from engine.board import ENDINGS, Status
from engine.cards import UNKNOWN, card_text
from engine.deal import nonce_commitment
from engine.errors import EngineError
from engine.games import variant
from engine.moves import TURN
from engine.record import Record
from protocol.messages import (
    LARGEST_ID,
    AnyServerMessage,
    BoardState,
    ClientMessage,
    GetRecord,
    Leave,
    MatchRecord,
    MatchState,
    Move,
    Moved,
    Progress,
    Ready,
    Refused,
    Rematch,
    Resume,
    Reveal,
    Watch,
)

RECORD_WITHIN = 10.0
"""Seconds for the server to give the record of a match that is over, while the connection is there."""
RECORD_AGAIN = 1.0
"""Seconds after which it is asked for again, where the server could not read it."""
RETURN_AGAIN = 1.0
"""Seconds after which the way back is asked for again, where the server could not read the match."""
UNKEPT = "unkept"
"""The receipt could not be written: a limit of what can be told later."""
OWN_WORDS = {status: word for word, status in ENDINGS.items() if word not in SERVERS_WORDS}
"""How a player's own words leave a board."""
RECORD_ID = LARGEST_ID
"""The request for the record, which the connection does not number."""


class Check(NamedTuple):
    """What came of checking the deal.

    `cards` places of it were shown to this client and are as they were dealt, `unseen` ones never were; `doubts` says what
    does not fit, `limits` what this client could not tell.
    """

    cards: int
    unseen: int
    doubts: list[str]
    limits: list[str]


class Race:
    """One match, as far as this client knows."""

    def __init__(
        self, state: MatchState, draw_nonce: Callable[[], bytes], now: float, receipt: Receipt | None = None
    ) -> None:
        self.code = state.match
        self.you = state.you if state.you is not None and 0 <= state.you < len(state.seats) else None
        self.variant = variant(state.game)
        self.state = state
        self.mirrors: dict[int, Mirror] = {}
        self.progress: dict[int, Progress] = {}
        self.unanswered: dict[int, str] = {}
        """Own entries sent and not answered, by their numbers."""
        self.receipt = Receipt() if receipt is None else receipt
        if self.receipt.opened is None:
            self.receipt.note(Opened(VERSION, state.match, state.game, server="", at=0, you=self.you))
        self.unkept = False
        """Whether the receipt could not be written down."""
        self.checked: Check | None = None
        """What came of checking the deal, once the record is there or will not come any more."""
        self.record: Record | None = None
        self._draw_nonce = draw_nonce
        self.asked_again = False
        """Whether the player has asked for a rematch in this run."""
        self._is_ready = False
        """Whether the player has said so in this run."""
        self._earlier = self._earlier_boards()
        self._record_due: float | None = None
        self._ask_record_at: float | None = None
        self._ends = now
        self._out: list[ClientMessage] = []
        self._catching_up = False
        self._link = Link()
        self._return_at: float | None = None
        """When to ask for the way back again, since the server could not read the match just now."""
        if self._opened.you != self.you:
            self._doubt("seat")
        self.receive(state, now)

    @property
    def own(self) -> Mirror | None:
        """One's own board, once there is one."""
        return None if self.you is None else self.mirrors.get(self.you)

    @property
    def names(self) -> list[str]:
        """What the players are called."""
        return seat_names(self.state.seats)

    @property
    def bots(self) -> list[str | None]:
        """The programs that play, seat by seat; None where a person does."""
        return [seat.bot for seat in self.state.seats]

    @property
    def ended(self) -> bool:
        """Whether the match is over, or was aborted."""
        return self.state.state in ("over", "aborted")

    @property
    def total(self) -> int:
        """The number of cards in the game."""
        return len(self.variant.cards)

    @property
    def cannot_start(self) -> bool:
        """Whether one has committed, before the race, to a nonce that is lost: it was drawn by another run."""
        before = self.state.state in BEFORE
        return before and self.you is not None and self.receipt.nonce is None and self.state.seats[self.you].ready

    @property
    def _opened(self) -> Opened:
        """What the match was when this client first came to it."""
        assert self.receipt.opened is not None
        return self.receipt.opened

    @property
    def doubts(self) -> list[str]:
        """What has not fitted so far."""
        return self.receipt.doubts

    @property
    def hides_nonce(self) -> bool:
        """Whether the own nonce stays hidden, since something does not fit."""
        return self.receipt.nonce is not None and not self.receipt.revealed and bool(self.doubts)

    @property
    def awaits_record(self) -> bool:
        """Whether the match is over, and the record on its way."""
        return self.state.state == "over" and self.checked is None

    @property
    def behind(self) -> bool:
        """Whether the connection was lost, and what was missed is not there yet: nobody can know what they would move on."""
        return not self._link.up

    def left(self, now: float) -> int | None:
        """What is left on the match clock, in milliseconds; None when it does not run."""
        return max(0, round((self._ends - now) * 1000)) if self.state.state == "playing" else None

    def count(self, seat: int) -> int:
        """The newest count known of a board."""
        mirror, progress = self.mirrors.get(seat), self.progress.get(seat)
        return max(mirror.count if mirror else 0, progress.count if progress else 0)

    # What comes in

    def receive(self, message: AnyServerMessage, now: float) -> bool:
        """Take a message of the server, and say whether it was news."""
        if isinstance(message, Refused):
            if message.re is None and message.match in (self.code, None):
                if self._link.asks and message.code == "store-failed" and message.n is None:
                    self._return_at = now + RETURN_AGAIN
                if self._return_at is not None:
                    return False  # nor could the server take what was sent behind it
                self._link.heard(message)
            return self._refused(message, now)
        if getattr(message, "match", None) != self.code:
            return False
        if not 0 <= getattr(message, "seat", 0) < len(self.state.seats):
            return False  # a seat that there is not
        self._link.heard(message)
        match message:
            case MatchState():
                return self._changed(message, now)
            case BoardState():
                return self._shown(message)
            case Moved():
                return self._moved(message)
            case MatchRecord():
                self._conclude(message.record)
                return False
            case Progress():
                old, self.progress[message.seat] = self.progress.get(message.seat), message
                return message != old
            case _:
                return False

    def _changed(self, state: MatchState, now: float) -> bool:
        if len(state.seats) > PLAYERS:
            self._doubt("seat")
            state = without_strangers(state)
        was_over = self.state.state == "over" and self.state is not state
        self._catching_up = False
        self._watch(state)
        if len(state.seats) < len(self.state.seats):
            self._doubt("seat")
            return False  # nobody's seat goes away
        self.state = state
        if state.left is not None:
            self._ends = now + state.left / 1000
        if self.receipt.nonce is not None and self.you is not None:
            mine = state.seats[self.you]
            if state.state in ("waiting", "seated") and not mine.ready and self._is_ready:
                self._commit(self.you, self.receipt.nonce)
            elif state.state == "revealing" and mine.nonce is None and not self.doubts:
                # Only now, since everybody is bound; and again with every change until it is seen.
                self.receipt.note(Revealed())
                self._out.append(Reveal(match=self.code, nonce=self.receipt.nonce.hex()))
        if self.ended:
            self.unanswered.clear()
        if state.state == "over" and not was_over:
            self._ask_for_record(now)
        return True

    def _watch(self, state: MatchState) -> None:
        """Hold a state against what everybody is bound to, and against the end that was told before."""
        if state.you != self.you:
            self._doubt("seat")
        if state.game != self._opened.game:
            self._doubt("game")
        for doubt in commitments.agreed(state, self.receipt):
            self._doubt(doubt)
        for doubt in commitments.watched(state, self.receipt, self.you):
            self._doubt(doubt)
        for doubt in commitments.opened(state, self.receipt, self._opened.game, self.you):
            self._doubt(doubt)
        if state.state in ("over", "aborted"):
            ended: Literal["over", "aborted"] = "over" if state.state == "over" else "aborted"
            told = Ended(ended, state.result, state.digest)
            if self.receipt.ended not in (None, told) or (ended == "over" and state.result is None):
                self._doubt("result")
            else:
                self.receipt.note(told)
        elif self.receipt.ended is not None:
            self._doubt("result")

    def _shown(self, shown: BoardState) -> bool:
        shown = replace(shown, re=None)
        mine = shown.seat == self.you
        if mine and not self._follows_from_here(shown):
            self._doubt("foreign-entry")
        self.receipt.note(shown)
        known = self.mirrors.get(shown.seat) or self._earlier.pop(shown.seat, None)
        try:
            fresh = Mirror(self.variant, shown)
        except (EngineError, TypeError):
            self._doubt("board")
            return False
        if known is not None and shown.n == known.n:
            if known.shows(shown, own=mine):
                fresh = known
            else:
                self._doubt("board")
        elif known is not None and mine and shown.n < known.n:
            self._doubt("board")  # entries that were acknowledged are not there any more
        if self.mirrors.get(shown.seat) is fresh:
            return False
        self.mirrors[shown.seat] = fresh
        if mine:
            self.unanswered = {n: move for n, move in self.unanswered.items() if n > shown.n}
        return True

    def _moved(self, moved: Moved) -> bool:
        moved = replace(moved, re=None)
        mirror = self.mirrors.get(moved.seat)
        if mirror is None or moved.n > mirror.n + 1:
            self._catch_up()
            return False
        self.receipt.note(moved)
        if len(self.receipt.moved.get((moved.seat, moved.n), ())) > 1:
            self._doubt("entry")  # it was told otherwise before
        mine = moved.seat == self.you
        if mine and self.unanswered.pop(moved.n, moved.move) != moved.move:
            # The clock or the server took this number: what was sent for it and after it is void.
            self.unanswered.clear()
        if moved.n <= mirror.n:
            return False
        if mine and not self._is_mine(moved):
            self._doubt("foreign-entry")
        if moved.move == str(TURN) and mirror.board.peek not in (None, card_text(UNKNOWN), moved.card):
            self._doubt("peek")
        try:
            mirror.enter(moved)
        except EngineError:
            self._doubt("entry")
            del self.mirrors[moved.seat]
            self._catch_up()
            return False
        if mirror.board.count != moved.count or (moved.card is None) == (moved.move == str(TURN)):
            self._doubt("entry")
        return True

    def _follows_from_here(self, shown: BoardState) -> bool:
        """Whether every entry that one's own board has come to have was sent from here, but for one of the server's.

        Which moves those were, the record will tell.
        """
        last = self.receipt.last(shown.seat)
        if self.receipt.replaced or self.receipt.cut or (last is None and not self.receipt.revealed):
            return True
        new = range((last or 0) + 1, shown.n + 1)
        word = OWN_WORDS.get(shown.status)
        if new and word is not None and (shown.n, word) not in self.receipt.sent:
            return False
        sent = {n for n, _ in self.receipt.sent}
        servers = shown.n if shown.status in (Status.TIMED_OUT, Status.ABANDONED) else None
        return all(n in sent or n == servers for n in new)

    def _is_mine(self, moved: Moved) -> bool:
        """Whether an entry of one's own board is one that this client has sent, or that the server may make."""
        sent = (moved.n, moved.move) in self.receipt.sent
        return sent or moved.move in SERVERS_WORDS or self.receipt.replaced or self.receipt.cut

    def _refused(self, refused: Refused, now: float) -> bool:
        if refused.re == RECORD_ID:
            self._record_refused(refused, now)
            return False
        if refused.match != self.code and refused.match is not None:
            return False
        if refused.n is None:
            return True
        was_waiting = bool(self.unanswered)
        self.unanswered.clear()
        if self.own is None or refused.n != self.own.n:
            self._catch_up()
        # What was sent after a refused entry is refused as well, which is no news.
        return was_waiting

    def _catch_up(self) -> None:
        """Something is missing: ask for everything after the last entry known, once."""
        if not self._catching_up:
            self._catching_up = True
            self._out.append(self._rejoining())

    def _rejoining(self) -> ClientMessage:
        if self.you is None:
            return Watch(match=self.code)
        return Resume(match=self.code, n=self.own.n if self.own else 0)

    # What goes out

    def to_send(self) -> list[ClientMessage]:
        """The messages to send now; each is given out once."""
        out, self._out = self._out, []
        return out

    def ready(self) -> None:
        """Be ready to race: draw a nonce and commit to it."""
        if self._is_ready or self.you is None or self.state.seats[self.you].ready:
            return
        self._is_ready = True
        if self.receipt.nonce is None:
            self.receipt.note(Drawn(self._draw_nonce().hex()))
        assert self.receipt.nonce is not None
        self._commit(self.you, self.receipt.nonce)

    def _commit(self, seat: int, nonce: bytes) -> None:
        self._out.append(Ready(match=self.code, commitment=nonce_commitment(nonce, self.code, seat)))

    def move(self, entry: str) -> int | None:
        """Send the next entry of one's own board, and return its number; None, and nothing of it is kept, while it is behind."""
        if self.behind:
            return None
        assert self.own is not None
        n = self.own.n + len(self.unanswered) + 1
        self.unanswered[n] = entry
        self.receipt.note(Sent(n, entry))
        self._out.append(Move(match=self.code, n=n, move=entry))
        return n

    def again(self) -> None:
        """Ask for a rematch."""
        self.asked_again = True
        self._out.append(Rematch(match=self.code))

    def leave(self) -> None:
        """Give the seat up, or the chance of a rematch."""
        self._out.append(Leave(match=self.code))

    def lost(self) -> None:
        """The connection is lost: nothing can come, and no more moves are made until all that was missed is there."""
        self._link.lost()
        self._return_at = None
        self._record_due = self._ask_record_at = None

    def rejoin(self, now: float) -> None:
        """Come back on a new connection: resume, then send again what was not answered, under the same numbers."""
        self._link.asked()
        if self.you is None:
            # A spectator is sent whole boards again, and nothing is over before they are there.
            self.mirrors.clear()
        self._out = [self._rejoining()]
        self._out += [Move(match=self.code, n=n, move=move) for n, move in self.unanswered.items()]
        self._catching_up = True
        if self.awaits_record:
            self._ask_for_record(now)

    def replaced(self) -> None:
        """Another client with the same key has taken the seat."""
        self.receipt.note(Replaced())

    # The end

    def _ask_for_record(self, now: float) -> None:
        self._out.append(GetRecord(id=RECORD_ID, match=self.code))
        self._record_due = now + RECORD_WITHIN

    def _record_refused(self, refused: Refused, now: float) -> None:
        if refused.code == "store-failed":
            self._ask_record_at = now + RECORD_AGAIN
        else:
            self._conclude(None)

    def tick(self, now: float) -> None:
        """Do what has fallen due: ask for the way back or for the record again, or wait for the record no longer."""
        if self._return_at is not None and self._return_at <= now:
            self._return_at = None
            self.rejoin(now)
        if not self.awaits_record:
            return
        if self._record_due is not None and self._record_due <= now:
            self._conclude(None)
        elif self._ask_record_at is not None and self._ask_record_at <= now:
            self._ask_record_at = None
            self._out.append(GetRecord(id=RECORD_ID, match=self.code))

    def next_tick(self) -> float | None:
        """When to call `tick`."""
        dues = [self._return_at]
        if self.awaits_record:
            dues += [self._record_due, self._ask_record_at]
        return min((due for due in dues if due is not None), default=None)

    @property
    def record_comes_later(self) -> bool:
        """Whether the server could not read the record just now, and is to be asked for it again."""
        return self.awaits_record and self._ask_record_at is not None

    def give_up_record(self) -> None:
        """The record has not come, and is not waited for any longer."""
        if self.awaits_record:
            self._conclude(None)

    def _conclude(self, record: Record | None) -> None:
        """Check the deal: hold the record against everything that this client was shown."""
        if not self.awaits_record:
            return
        if record is None or not is_readable(record):
            self._doubt("no-record")
            self.checked = Check(0, 0, list(self.doubts), self._limits(()))
            return
        self.record = record
        findings = {finding.check.removeprefix(PREFIX): finding for finding in compared(record, self.receipt)}
        for check, finding in findings.items():
            if finding.fits is False and check != "doubts":
                self._doubt(check)
        if any(self.count(seat) != side.count for seat, side in enumerate(record.seats)):
            self._doubt("result")  # which was told with other counts
        cards = findings["cards"].facts if "cards" in findings and not self.doubts else {}
        limits = self._limits(check for check, finding in findings.items() if finding.fits is None)
        self.checked = Check(cards.get("cards", 0), cards.get("unseen", 0), list(self.doubts), limits)

    def _limits(self, found: Iterable[str]) -> list[str]:
        return [*found, *[UNKEPT] * self.unkept]

    def _doubt(self, doubt: str) -> None:
        if doubt not in self.doubts:
            self.receipt.note(Doubted(doubt))

    def _earlier_boards(self) -> dict[int, Mirror]:
        """The boards as an earlier run has left them."""
        boards = {}
        for seat in range(len(self.state.seats)):
            mirror: Mirror | None = None
            try:
                for known in self.receipt.entries(seat):
                    if mirror is None:
                        assert isinstance(known, BoardState)
                        mirror = boards[seat] = Mirror(self.variant, known)
                    else:
                        assert isinstance(known, Moved)
                        mirror.enter(known)
            except (EngineError, TypeError):
                boards.pop(seat, None)
        return boards

    @property
    def playing(self) -> bool:
        """Whether one's own board can take a move now."""
        return self.state.state == "playing" and self.own is not None and self.own.status is Status.PLAYING

"""What this client knows of a match: the server's messages come in, messages to send come out.

It does no input or output, reads no clock and draws nothing: times (in seconds) and nonces are passed in. A player's
client and a spectator's use the same class; a spectator has no seat (`you`) and so no board of its own.
"""

from collections.abc import Callable
from typing import NamedTuple

from client_cli.player_names import seat_names
from engine.board import Board, Status
from engine.cards import UNKNOWN, card_text, parse_card
from engine.deal import Deal, commitment, deal, nonce_commitment
from engine.errors import EngineError
from engine.games import Variant, variant
from protocol.messages import (
    AnyServerMessage,
    BoardState,
    ClientMessage,
    Leave,
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


class Mirror:
    """A board as this client has seen it: what the server showed of it, and every entry since."""

    def __init__(self, chosen: Variant, shown: BoardState) -> None:
        self.board: Board = chosen.board_from(shown.view)
        self.board.settle(shown.status)
        self.n = shown.n
        self.status = shown.status
        self.count = shown.count
        self.entries: list[Moved] | None = [] if shown.n == 0 else None
        """All entries, when this client has seen them all."""

    def enter(self, moved: Moved) -> None:
        """Take the next entry. Raises `EngineError` when the rules do not allow it."""
        self.board.retrace(moved.move, UNKNOWN if moved.card is None else parse_card(moved.card))
        self.board.learn(moved.peek)
        self.board.settle(moved.status)
        self.n, self.status, self.count = moved.n, moved.status, moved.count
        if self.entries is not None:
            self.entries.append(moved)


class Check(NamedTuple):
    """What came of checking the deal: how many cards were compared, and what does not fit."""

    cards: int
    doubts: list[str]


class Race:
    """One match, as far as this client knows."""

    def __init__(self, state: MatchState, draw_nonce: Callable[[], bytes], now: float) -> None:
        self.code = state.match
        self.you = state.you
        self.variant = variant(state.game)
        self.state = state
        self.mirrors: dict[int, Mirror] = {}
        self.progress: dict[int, Progress] = {}
        self.unanswered: dict[int, str] = {}
        """Own entries sent and not answered, by their numbers."""
        self._draw_nonce = draw_nonce
        self._nonce: bytes | None = None
        self._promised = state.commitment
        self._doubts: list[str] = []
        self._ends = now
        self._out: list[ClientMessage] = []
        self._catching_up = False
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
        before = self.state.state in ("waiting", "seated", "revealing")
        return before and self.you is not None and self._nonce is None and self.state.seats[self.you].ready

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
            return self._refused(message)
        if getattr(message, "match", None) != self.code:
            return False
        match message:
            case MatchState():
                return self._changed(message, now)
            case BoardState():
                return self._shown(message)
            case Moved():
                return self._moved(message)
            case Progress():
                old, self.progress[message.seat] = self.progress.get(message.seat), message
                return message != old
            case _:
                return False

    def _changed(self, state: MatchState, now: float) -> bool:
        self.state = state
        self._catching_up = False
        if state.left is not None:
            self._ends = now + state.left / 1000
        if self._nonce is not None and self.you is not None:
            mine = state.seats[self.you]
            if state.state in ("waiting", "seated") and not mine.ready:
                self._commit(self.you, self._nonce)
            elif state.state == "revealing" and mine.nonce is None:
                # Again with every change until it is seen: a nonce shown twice is no harm.
                self._out.append(Reveal(match=self.code, nonce=self._nonce.hex()))
        if self.ended:
            self.unanswered.clear()
        return True

    def _shown(self, shown: BoardState) -> bool:
        known = self.mirrors.get(shown.seat)
        if known is not None and (known.n, known.status, known.count) == (shown.n, shown.status, shown.count):
            return False
        self.mirrors[shown.seat] = Mirror(self.variant, shown)
        if shown.seat == self.you:
            self.unanswered = {n: move for n, move in self.unanswered.items() if n > shown.n}
        return True

    def _moved(self, moved: Moved) -> bool:
        mirror = self.mirrors.get(moved.seat)
        if mirror is None or moved.n > mirror.n + 1:
            self._catch_up()
            return False
        mine = moved.seat == self.you
        if mine and self.unanswered.pop(moved.n, moved.move) != moved.move:
            # The clock or the server took this number: what was sent for it and after it is void.
            self.unanswered.clear()
        if moved.n <= mirror.n:
            return False
        try:
            mirror.enter(moved)
        except EngineError:
            self._doubt("entry")
            del self.mirrors[moved.seat]
            self._catch_up()
            return False
        if mirror.board.count != moved.count:
            self._doubt("entry")
        return True

    def _refused(self, refused: Refused) -> bool:
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
        if self._nonce is None and self.you is not None and not self.state.seats[self.you].ready:
            self._nonce = self._draw_nonce()
            self._commit(self.you, self._nonce)

    def _commit(self, seat: int, nonce: bytes) -> None:
        self._out.append(Ready(match=self.code, commitment=nonce_commitment(nonce, self.code, seat)))

    def move(self, entry: str) -> int:
        """Send the next entry of one's own board, and return its number."""
        assert self.own is not None
        n = self.own.n + len(self.unanswered) + 1
        self.unanswered[n] = entry
        self._out.append(Move(match=self.code, n=n, move=entry))
        return n

    def again(self) -> None:
        """Ask for a rematch."""
        self._out.append(Rematch(match=self.code))

    def leave(self) -> None:
        """Give the seat up, or the chance of a rematch."""
        self._out.append(Leave(match=self.code))

    def rejoin(self) -> None:
        """Come back on a new connection: resume, then send again what was not answered, under the same numbers."""
        if self.you is None:
            # A spectator is sent whole boards again, and nothing is over before they are there.
            self.mirrors.clear()
        self._out = [self._rejoining()]
        self._out += [Move(match=self.code, n=n, move=move) for n, move in self.unanswered.items()]
        self._catching_up = True

    # The end

    def check(self) -> Check:
        """Check the deal of a match that is over, as far as this client can on its own."""
        state, doubts = self.state, list(self._doubts)
        secret = _unhex(state.secret)
        nonces = [_unhex(seat.nonce) for seat in state.seats]
        promises = [seat.nonce_commitment for seat in state.seats]
        if state.commitment != self._promised:
            doubts.append("promise-changed")
        if commitment(secret, self.code, self.variant.spelling) != state.commitment:
            doubts.append("secret")
        if [nonce_commitment(nonce, self.code, seat) for seat, nonce in enumerate(nonces)] != promises:
            doubts.append("nonce")
        if self._nonce is not None and self.you is not None and nonces[self.you] != self._nonce:
            doubts.append("own-nonce")
        if doubts:
            return Check(0, doubts)
        dealt = deal(self.variant.cards, secret, (nonces[0], nonces[1]), self.code)
        compared = [self._compare(mirror, dealt) for mirror in self.mirrors.values()]
        if None in compared:
            return Check(0, ["cards"])
        return Check(sum(number or 0 for number in compared), [])

    def _compare(self, mirror: Mirror, dealt: Deal) -> int | None:
        """Play a board's entries again with the cards dealt: how many cards agree; None if one does not."""
        again, cards = self.variant.board(dealt), 0
        for moved in mirror.entries or ():
            try:
                card = again.retrace(moved.move)
            except EngineError:
                return None
            if card is not None:
                if card_text(card) != moved.card:
                    return None
                cards += 1
        return cards

    def _doubt(self, doubt: str) -> None:
        if doubt not in self._doubts:
            self._doubts.append(doubt)

    @property
    def playing(self) -> bool:
        """Whether one's own board can take a move now."""
        return self.state.state == "playing" and self.own is not None and self.own.status is Status.PLAYING


def _unhex(text: str | None) -> bytes:
    try:
        return bytes.fromhex(text or "")
    except ValueError:
        return b""

"""A table: a match being served here, with the connections of its players and spectators."""

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from websockets.asyncio.server import broadcast

from protocol.codec import Encoding
from protocol.messages import BoardState, Moved, Progress, ServerMessage
from server.course import ENDED, State
from server.effects import SPECTATORS, Effect, Send
from server.events import Numbers
from server.match import Match
from server.store.port import Write

if TYPE_CHECKING:
    from server.session import Session


BEGUN = (State.PLAYING, State.OVER)


class Table:
    """A match and who is connected to it here. Whoever changes it holds its `lock`."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.lock = asyncio.Lock()
        self.users = 0
        """How many tasks hold the lock or wait for it."""
        self.used_at = 0.0
        """When somebody last did, in the event loop's time."""
        self.seated: list[Session | None] = [None] * match.terms.seats
        """Whose connection holds each seat."""
        self.watching: dict[Session, None] = {}
        """Everyone who watches."""
        self.cleared = False
        """Whether the table has been taken away."""
        self.unwritten: list[Write] = []
        """What has to be written before anything else."""
        self.stale = False
        """Whether the match here may not be what the store has: it is read again before anything else."""
        self.told: Numbers = match.numbers
        """The entries that everyone here has been told of."""
        self.begun = match.state in BEGUN
        """Whether everyone here has been told that the race has begun."""
        self.seats_kept = 0
        """How many seats the store knows of."""
        self.listening = False
        """Whether what other servers have written is about to be read."""
        self.due: int | None = None
        """When the store thinks that the match is due."""
        self.ended = False
        """Whether the store knows that the match has ended."""
        self.led_on: set[int] = set() if match.next is None else set(range(match.terms.seats))
        """The seats whose players here have been led to the rematch, or are about to be."""
        self.to_offer = False
        """Whether a player who waits has come back, and may not be on the queue."""
        self.timer: asyncio.TimerHandle | None = None
        self.timer_due = 0
        self.rings_at = 0.0
        """For what the timer is set, and when it rings in the event loop's time."""

    def note_told(self) -> None:
        """Everyone here has been told how the match stands."""
        self.told, self.begun = self.match.numbers, self.match.state in BEGUN

    @property
    def code(self) -> str:
        """The match's code."""
        return self.match.terms.match

    @property
    def sessions(self) -> "list[Session]":
        """Everyone who is connected to the match here."""
        return [*(session for session in self.seated if session), *self.watching]

    def seat_of(self, session: "Session") -> int | None:
        """The seat that a connection holds here."""
        return self.seated.index(session) if session in self.seated else None

    @property
    def needless(self) -> bool:
        """Whether nobody needs the table here."""
        return not self.users and not self.sessions

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.match.state in ENDED

    def deliver(self, effects: Iterable[Effect]) -> None:
        """Send messages to their audiences."""
        for send in effects:
            if type(send) is not Send:
                continue
            sessions: dict[Session, None] = {}
            for audience in send.to:
                if audience == SPECTATORS:
                    sessions |= self._watching(send.message)
                elif (session := self.seated[audience]) is not None:
                    sessions[session] = None
            if sessions:
                send_to(sessions, send.message)

    def _watching(self, message: ServerMessage) -> "dict[Session, None]":
        """Who is sent a message as a spectator: a player who watches the own match only what is about others' boards."""
        players = [seat for seat, session in enumerate(self.seated) if session in self.watching]
        if not players:
            return self.watching
        watching = dict(self.watching)
        for seat in players:
            if not is_about_others(message, seat):
                del watching[self.seated[seat]]  # type: ignore[arg-type] # nobody who watches is None
        return watching


def is_about_others(message: ServerMessage, seat: int) -> bool:
    """Whether a message is about the board of another seat."""
    return isinstance(message, BoardState | Moved | Progress) and message.seat != seat


def send_to(sessions: "Iterable[Session]", message: ServerMessage) -> None:
    """Send one message to some connections, encoded once; those that do not read what they are sent are dropped."""
    by_encoding: dict[Encoding, list[Session]] = {}
    for session in sessions:
        if not session.dropped_as_slow():
            by_encoding.setdefault(session.encoding, []).append(session)
    for encoding, alike in by_encoding.items():
        broadcast([session.socket for session in alike], encoding.encode(message))

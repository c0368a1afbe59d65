"""A table: a match being served here, with the connections of its players and spectators."""

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from websockets.asyncio.server import broadcast

from protocol.codec import Encoding
from protocol.messages import ServerMessage
from server.course import ENDED
from server.effects import SPECTATORS, Send
from server.match import Match
from server.store.port import Write

if TYPE_CHECKING:
    from server.session import Session


class Table:
    """A match and who is connected to it."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.seated: list[Session | None] = [None, None]
        """Whose connection holds each seat."""
        self.hearing: list[Session | None] = [None, None]
        """Who is sent each seat's messages: the same, as soon as all that came before has been sent."""
        self.watching: dict[Session, None] = {}
        """Everyone who watches."""
        self.spectators: dict[Session, None] = {}
        """Who of them is sent what spectators are: everyone, as soon as all that came before has been sent."""
        self.unwritten: list[Write] = []
        """What has to be written before anything else."""
        self.pending = 0
        """How many submissions to the store are under way."""
        self.later: list[Callable[[], None]] = []
        """What is to be done when the newest of them is written."""
        self.kept = False
        """Whether the store has the match at all."""
        self.unserved_since: int | None = None
        """Since when no server has served the match, until what is credited for that is written."""
        self.ended = False
        """Whether the store has been told of the match's end."""
        self.failed = False
        self.timer: asyncio.TimerHandle | None = None
        self.timer_due = 0

    @property
    def code(self) -> str:
        """The match's code."""
        return self.match.terms.match

    @property
    def sessions(self) -> "list[Session]":
        """Everyone who is connected to the match."""
        return [*(session for session in self.seated if session), *self.watching]

    @property
    def deserted(self) -> bool:
        """Whether nobody needs the table any more."""
        return self.match.state in ENDED and not self.pending and not self.sessions

    def in_order(self, action: Callable[[], None]) -> None:
        """Do something as soon as everything that the match has noted so far is written."""
        if self.pending:
            self.later.append(action)
        else:
            action()

    def deliver(self, sends: Iterable[Send]) -> None:
        """Send messages to their audiences."""
        for send in sends:
            sessions: list[Session] = []
            for audience in send.to:
                if audience == SPECTATORS:
                    sessions.extend(self.spectators)
                elif (session := self.hearing[audience]) is not None:
                    sessions.append(session)
            send_to(sessions, send.message)


def send_to(sessions: "Iterable[Session]", message: ServerMessage) -> None:
    """Send one message to some connections, encoded once; those that do not read what they are sent are dropped."""
    by_encoding: dict[Encoding, list[Session]] = {}
    for session in sessions:
        if not session.dropped_as_slow():
            by_encoding.setdefault(session.encoding, []).append(session)
    for encoding, alike in by_encoding.items():
        broadcast([session.socket for session in alike], encoding.encode(message))

"""Who sits behind a connection: what a player, a spectator and a house bot have in common.

A guest does no input or output. Events and times come in by its methods; what it wants to say collects in `to_tell`,
what it wants to send in `to_send`, and `exit_code` is there once it wants to go. `plain.attend` does the rest.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable

from client_cli.announcements import Announcement, ConnectionBack, ConnectionLost
from client_cli.presenter import Presenter
from client_cli.race import Race
from client_cli.troubles import Exit, Refusal
from protocol.messages import AnyServerMessage, ClientMessage, MatchState, Refused

NO_PLACE_HERE = ("unknown-match", "not-your-seat")
"""Refusals after which there is nothing to wait for."""


class Guest(ABC):
    """Somebody at a match, and at its rematches."""

    def __init__(
        self, state: MatchState, draw_nonce: Callable[[], bytes], now: float, *, bot_comes: bool = False
    ) -> None:
        self.bot_comes = bot_comes
        """Whether a house bot has been asked for."""
        self.exit_code: Exit | None = None
        self._draw_nonce = draw_nonce
        self._told: list[Announcement] = []
        self._sent: list[ClientMessage] = []
        self._enter(state, now)

    def _enter(self, state: MatchState, now: float) -> None:
        """Come to a match, the first one or a rematch."""
        self.race = Race(state, self._draw_nonce, now)
        self.presenter = Presenter(self.race, bot_comes=self.bot_comes)
        self._tell(state)
        if self.race.cannot_start:
            self._told.append(Refusal(code="already-ready", why="", match=state.match))
            self.race.leave()
            self.exit_code = Exit.ERROR
        self._settle(now)

    def _tell(self, message: AnyServerMessage) -> None:
        was_over = self.presenter.over
        self._told += self.presenter.heard(message)
        if self.presenter.over and not was_over:
            self._over()

    @abstractmethod
    def _over(self) -> None:
        """Do what is to be done when the match is over and the result has been told."""

    @abstractmethod
    def _settle(self, now: float) -> None:
        """Do what is to be done as things stand; called whenever something has changed."""

    def _refused(self, message: Refused, _now: float) -> None:
        """React to a refusal."""
        if message.code in NO_PLACE_HERE:
            self.exit_code = Exit.REFUSED

    def heard(self, message: AnyServerMessage, now: float) -> None:
        """Take a message of the server."""
        if isinstance(message, MatchState) and message.match == self.race.state.next:
            self._sent += self.race.to_send()
            self._enter(message, now)
        elif self.race.receive(message, now):
            self._tell(message)
            if isinstance(message, Refused):
                self._refused(message, now)
            self._settle(now)

    def typed(self, line: str, now: float) -> None:  # noqa: B027 - a bot has no keyboard
        """Take a line that was typed."""

    def input_ended(self, now: float) -> None:  # noqa: B027 - nor has it an end
        """Take note that nothing more will be typed."""

    def lost(self, patience: float) -> None:
        """The connection is lost, and will be tried again for `patience` seconds."""
        self._told.append(ConnectionLost(patience=round(patience * 1000)))

    def back(self) -> None:
        """The connection is there again."""
        self._told.append(ConnectionBack())
        self.race.rejoin()

    def tick(self, now: float) -> None:
        """Do what has fallen due."""
        self._told += self.presenter.tick(now)

    def next_tick(self, now: float) -> float | None:
        """When to call `tick`, in seconds from now."""
        return self.presenter.next_tick(now)

    def to_tell(self) -> list[Announcement]:
        """What there is to tell; each announcement is given out once."""
        told, self._told = self._told, []
        return told

    def to_send(self) -> list[ClientMessage]:
        """What there is to send; each message is given out once."""
        sent, self._sent = self._sent + self.race.to_send(), []
        return sent

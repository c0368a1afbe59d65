"""Who sits behind a connection: what a player, a spectator and a house bot have in common.

A guest does no input or output. Events and times come in by its methods; what it wants to say collects in `to_tell`,
what it wants to send in `to_send`, and `exit_code` is there once it wants to go. `plain.attend` does the rest.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

from client_cli.announcements import Announcement, ConnectionBack, ConnectionLost, DealUnchecked
from client_cli.possible import check_state, is_possible
from client_cli.presenter import Presenter
from client_cli.race import Race
from client_cli.receipt import Receipt
from client_cli.troubles import ClientError, Exit, Garbled, Refusal, Replaced
from protocol.messages import AnyServerMessage, ClientMessage, MatchState, Refused

NO_PLACE_HERE = ("unknown-match", "not-your-seat")
"""Refusals after which there is nothing to wait for."""

Recall = Callable[[MatchState], Receipt]
"""Gives out the receipt of a match: that of an earlier run, or a new one."""


def no_earlier_run(_state: MatchState) -> Receipt:
    """A new receipt."""
    return Receipt()


class Guest(ABC):
    """Somebody at a match, and at its rematches if they stay for them."""

    def __init__(
        self,
        state: MatchState,
        draw_nonce: Callable[[], bytes],
        now: float,
        *,
        recall: Recall = no_earlier_run,
        bot_comes: bool = False,
    ) -> None:
        self.bot_comes = bot_comes
        """Whether a house bot has been asked for."""
        self.exit_code: Exit | None = None
        self._draw_nonce = draw_nonce
        self._recall = recall
        self._told: list[Announcement] = []
        self._sent: list[ClientMessage] = []
        self._kept: list[tuple[str, bytes]] = []
        self._doubted = False
        """Whether a deal did not fit, in this match or one before."""
        self._had_asked = state.you in range(len(state.seats)) and state.seats[state.you or 0].rematch
        """Whether a rematch was asked for in an earlier run."""
        self._enter(state, now)

    @property
    @abstractmethod
    def _follows(self) -> bool:
        """Whether to go on to the next match: never only because the server says that there is one."""

    def _enter(self, state: MatchState, now: float) -> None:
        """Come to a match, the first one or a rematch. Raises `ClientError`."""
        check_state(state)
        self._is_over = False
        self.race = Race(state, self._draw_nonce, now, self._recall(state))
        self.presenter = Presenter(self.race, bot_comes=self.bot_comes)
        self._tell(state)
        if self.race.cannot_start:
            self._told.append(Refusal(code="already-ready", why="", match=state.match))
            self.race.leave()
            self.exit_code = Exit.ERROR
        self._hear_out()
        self._settle(now)

    def _leave_race(self) -> None:
        """Go on from a match to the next: what there is to say and to keep of it is said and kept."""
        if self.race.record_comes_later:
            self.gone()
        else:
            self.race.give_up_record()
        self._hear_out()
        self._sent += self.race.to_send()
        self._kept = self.to_keep()

    def _tell(self, message: AnyServerMessage) -> None:
        self._told += self.presenter.doubted()
        self._told += self.presenter.heard(message)

    def _hear_out(self) -> None:
        """Say what has come of checking the deal, once that is known: with it the match is over."""
        self._doubted |= bool(self.race.doubts)
        if self.race.checked is not None and not self._is_over:
            self._is_over = True
            self._told += self.presenter.checked()
            self._over()
        self._told += self.presenter.doubted()

    @abstractmethod
    def _over(self) -> None:
        """Do what is to be done when the match is over, and the result and what came of checking the deal have been told."""

    @abstractmethod
    def _settle(self, now: float) -> None:
        """Do what is to be done as things stand; called whenever something has changed."""

    def _refused(self, message: Refused, _now: float) -> None:
        """React to a refusal."""
        if message.code in NO_PLACE_HERE:
            self.exit_code = Exit.REFUSED

    def heard(self, message: AnyServerMessage, now: float) -> None:
        """Take a message of the server. Raises `ClientError` for a state that no match can have."""
        if isinstance(message, MatchState) and message.match == self.race.code and not is_possible(message):
            raise ClientError(Garbled("bad-state"))
        if isinstance(message, MatchState) and message.match == self.race.state.next and self._follows:
            self._had_asked = False
            if self.race.behind:
                self._told.append(ConnectionBack())
            self._leave_race()
            self._enter(message, now)
            return
        was_behind = self.race.behind
        news = self.race.receive(message, now)
        if self.race.checked is None:
            self._told += self.presenter.doubted()
        if news:
            self._tell(message)
            if isinstance(message, Refused):
                self._refused(message, now)
        if was_behind and not self.race.behind:
            self._told.append(ConnectionBack())
        self._hear_out()
        self._settle(now)

    def typed(self, line: str, now: float) -> None:  # noqa: B027 - a bot has no keyboard
        """Take a line that was typed."""

    def input_ended(self, now: float) -> None:  # noqa: B027 - nor has it an end
        """Take note that nothing more will be typed."""

    def lost(self, patience: float, _now: float) -> None:
        """The connection is lost, and will be tried again for `patience` seconds."""
        self._told.append(ConnectionLost(patience=round(patience * 1000)))
        self.race.lost()

    def back(self, now: float) -> None:
        """The connection is there again. It is told once all that was missed is there, too."""
        self.race.rejoin(now)

    def failed(self, error: ClientError) -> None:
        """There is no going on."""
        if isinstance(error.problem, Replaced):
            self.race.replaced()
        self.gone()

    def gone(self) -> None:
        """The user wants no more, or nothing more can come."""
        if self.race.awaits_record and not self._is_over:
            self._is_over = True
            self._told.append(DealUnchecked(self.race.code))

    def kept(self, troubles: Iterable[Announcement], *, whole: bool) -> None:
        """Take note of how keeping the receipt went."""
        self._told += troubles
        self.race.unkept = not whole

    @property
    def farewell(self) -> Exit:
        """The exit code for who goes by themselves: fine, unless a deal did not fit."""
        return Exit.ERROR if self._doubted else Exit.FINE

    def tick(self, now: float) -> None:
        """Do what has fallen due."""
        self._told += self.presenter.tick(now)
        self._look_for_record(now)

    def next_tick(self, now: float) -> float | None:
        """When to call `tick`, in seconds from now."""
        return self._soonest(self.presenter.next_tick(now), now)

    def _look_for_record(self, now: float) -> None:
        """See whether the record has been waited for long enough."""
        self.race.tick(now)
        self._hear_out()

    def _soonest(self, due: float | None, now: float) -> float | None:
        """The sooner of something due in so many seconds, and of what is due about the record."""
        record = self.race.next_tick()
        dues = (due, None if record is None else max(0.0, record - now))
        return min((each for each in dues if each is not None), default=None)

    def to_tell(self) -> list[Announcement]:
        """What there is to tell; each announcement is given out once."""
        told, self._told = self._told, []
        return told

    def to_send(self) -> list[ClientMessage]:
        """What there is to send; each message is given out once. What is `to_keep` must be kept before."""
        sent, self._sent = self._sent + self.race.to_send(), []
        return sent

    def to_keep(self) -> list[tuple[str, bytes]]:
        """What there is to write down, as the match and a line of its receipt; each is given out once."""
        self._kept += [(self.race.code, line) for line in self.race.receipt.fresh()]
        kept, self._kept = self._kept, []
        return kept

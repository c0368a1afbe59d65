"""Somebody who watches a match."""

from collections.abc import Callable

from client_cli.announcements import Afterwards
from client_cli.answers import Help, NotNow
from client_cli.guest import Guest, Recall, no_earlier_run
from client_cli.troubles import Exit
from client_cli.words import Command, WordError, find, helped
from protocol.messages import MatchState, Watch


class Spectator(Guest):
    """Watches a match to its end, and with `follow` its rematches."""

    def __init__(
        self,
        state: MatchState,
        draw_nonce: Callable[[], bytes],
        now: float,
        *,
        recall: Recall = no_earlier_run,
        follow: bool = False,
    ) -> None:
        self._follow = follow
        self._following: str | None = None
        super().__init__(state, draw_nonce, now, recall=recall)

    @property
    def _follows(self) -> bool:
        return self._follow

    def _settle(self, _now: float) -> None:
        state = self.race.state
        if state.state == "aborted":
            self.exit_code = Exit.ERROR
        elif self._follow and state.next is not None and state.next != self._following:
            self._following = state.next
            self._sent.append(Watch(match=state.next))

    def _over(self) -> None:
        self._told.append(Afterwards(match=self.race.code, again=False))
        if not self._follow:
            self.exit_code = self.farewell

    def typed(self, line: str, now: float) -> None:
        for word in line.split():
            try:
                self._carry_out(find(word, spectator=True).command, now)
            except WordError as error:
                self._told.append(error.problem)
                return

    def _carry_out(self, command: Command | None, now: float) -> None:
        match command:
            case Command.BOARD if not self.race.mirrors:
                self._told.append(NotNow(word=Command.BOARD, state=self.race.state.state))
            case Command.BOARD:
                self._told += self.presenter.boards()
            case Command.TIME:
                self._told += self.presenter.time(now)
            case Command.HELP:
                self._told.append(Help(words=helped(self.race.variant.rules, spectator=True)))
            case _:
                self.gone()
                self.exit_code = self.farewell

"""A person with a seat: carries out what is typed, as soon as the match lets it.

At a terminal every word is answered at once. In a pipe the words may all be there before the race begins, so a word
whose time is yet to come waits for it.
"""

from collections import deque
from collections.abc import Callable

from client_cli.announcements import Afterwards, AskReady
from client_cli.answers import Confirm, Help, InputEnded, LegalMoves, NotConfirmed, NotNow, NotTaken, SeatKept
from client_cli.guest import Guest, Recall, no_earlier_run
from client_cli.naming import choices
from client_cli.troubles import Exit
from client_cli.words import Command, Stage, Word, WordError, find, helped, take_move
from engine.board import Board
from protocol.messages import MatchState, Refused

CONFIRMED = {Command.STAND: "stand", Command.RESIGN: "resign"}
"""The commands that end one's board, and the entries they make."""
SENT = (*CONFIRMED, Command.AGAIN)
"""The commands that are nothing without the server."""
YES = ("yes", "y")
NO = ("", "no", "n")


class Player(Guest):
    """One person at the table. `always_ready` spares the question before each race."""

    def __init__(
        self,
        state: MatchState,
        draw_nonce: Callable[[], bytes],
        now: float,
        *,
        recall: Recall = no_earlier_run,
        always_ready: bool = False,
        terminal: bool = True,
        bot_comes: bool = False,
    ) -> None:
        self._always_ready = always_ready
        self._terminal = terminal
        self._lines: deque[str] = deque()
        self._words: list[str] = []
        """What is left of the line that is being carried out."""
        self._input_ended = False
        self._confirming: Command | None = None
        self._asked = False
        super().__init__(state, draw_nonce, now, recall=recall, bot_comes=bot_comes)

    @property
    def _follows(self) -> bool:
        return self.race.asked_again or self._had_asked

    def _enter(self, state: MatchState, now: float) -> None:
        self._asked = False
        self._asked_again = False
        super()._enter(state, now)

    def _settle(self, now: float) -> None:
        """Ask to be ready, or be it, once there is somebody to race; go when there will be no race."""
        state, race = self.race.state, self.race
        if state.state == "seated" and not self._asked:
            self._asked = True
            if self._always_ready:
                race.ready()
            elif race.you is not None and not state.seats[race.you].ready:
                self._told.append(AskReady(waits=state.waits))
        if state.state == "aborted":
            self.exit_code = Exit.ERROR
        self._work(now)

    def _over(self) -> None:
        self._told.append(Afterwards(match=self.race.code, again=not self._input_ended))

    def _refused(self, message: Refused, now: float) -> None:
        super()._refused(message, now)
        self._words.clear()

    def tick(self, now: float) -> None:
        super().tick(now)
        self._work(now)

    def lost(self, patience: float, now: float) -> None:
        super().lost(patience, now)
        self._work(now)

    # What is typed

    def typed(self, line: str, now: float) -> None:
        self._lines.append(line)
        self._work(now)

    def input_ended(self, now: float) -> None:
        self._input_ended = True
        self._work(now)

    def _work(self, now: float) -> None:
        """Carry out what was typed, one word after the other, as far as it goes."""
        while (self._refuses or not self.race.unanswered) and self.exit_code is None:
            if self._words:
                if not self._carry_out(self._words, now):
                    return
            elif self._lines:
                self._begin(self._lines.popleft().split())
            else:
                if self._input_ended:
                    self._end_of_input()
                return

    @property
    def _refuses(self) -> bool:
        """Whether moves are refused here: without a connection, where somebody sees the answer. A pipe's wait for it."""
        return self.race.behind and self._terminal

    def _begin(self, words: list[str]) -> None:
        """Take up a line: the answer to a question, or words to carry out."""
        if self._confirming is not None:
            command, self._confirming = self._confirming, None
            if " ".join(words).lower() in YES:
                self._stop(command)
                return
            self._told.append(NotConfirmed())
            if " ".join(words).lower() in NO:
                return
        self._words = words
        if not words and (self._asked or not self._terminal):
            self._be_ready()

    def _carry_out(self, words: list[str], now: float) -> bool:
        """Carry out the first word; False if its time is yet to come.

        When a word cannot be carried out, nothing of the rest of its line is.
        """
        try:
            row = find(words[0], self.race.variant.rules)
            if self.race.behind and (row.command is None or row.command in SENT):
                if not self._terminal:
                    return False
                self._told.append(NotTaken(words=" ".join(words)))
                words.clear()
            elif not self._is_time_for(row):
                if self._will_be_time_for(row):
                    return False
                self._told.append(NotNow(word=words[0], state=self.race.state.state))
                words.clear()
            elif row.command is None:
                self.move(str(take_move(words, self._board, self.race.variant.rules)))
            else:
                words.pop(0)
                self._command(row.command, now)
        except WordError as error:
            self._told.append(error.problem)
            words.clear()
        return True

    def _is_time_for(self, row: Word) -> bool:
        started = self.race.own is not None
        match row.stage:
            case Stage.BEFORE:
                return not started and not self.race.ended
            case Stage.RACE if row.command is None:
                return started and not self.race.ended
            case Stage.RACE:
                return started
            case Stage.AFTER:
                return self.race.state.state == "over"
            case _:
                return True

    def _will_be_time_for(self, row: Word) -> bool:
        """Whether to keep a word for later: at a terminal never, there it is answered now."""
        if self._terminal:
            return False
        if self.race.ended:
            return self._asked_again
        if row.stage is Stage.RACE and self._asked:
            # Who gives the moves already has no wish to be asked.
            self._be_ready()
        return row.stage in (Stage.RACE, Stage.AFTER)

    @property
    def _may_be_ready(self) -> bool:
        state, you = self.race.state, self.race.you
        return state.state in ("waiting", "seated") and you is not None and not state.seats[you].ready

    def _be_ready(self) -> None:
        if self._may_be_ready:
            self.race.ready()

    # Carrying out

    def move(self, entry: str) -> None:
        """Make an entry on one's own board; without a connection only say that it was not taken."""
        if self.race.move(entry) is None:
            self._told.append(NotTaken(words=entry))

    def order(self, command: Command, now: float) -> None:
        """Carry out a command at once, for a face that has asked already where it had to."""
        if command in CONFIRMED:
            self._stop(command)
        elif command in SENT and self.race.behind:
            self._told.append(NotTaken(words=command))
        else:
            self._command(command, now)

    @property
    def _board(self) -> Board:
        own = self.race.own
        assert own is not None
        return own.board

    def _command(self, command: Command, now: float) -> None:
        match command:
            case Command.READY:
                self._be_ready()
            case Command.MOVES:
                self._told.append(LegalMoves(choices=choices(self._board) if self.race.playing else []))
            case Command.BOARD:
                self._told += self.presenter.boards()
            case Command.RIVAL:
                self._told += self.presenter.rival()
            case Command.TIME:
                self._told += self.presenter.time(now)
            case Command.STAND | Command.RESIGN:
                self._ask_to(command)
            case Command.AGAIN:
                self._asked_again = True
                self.race.again()
            case Command.HELP:
                self._told.append(Help(words=helped(self.race.variant.rules)))
            case Command.QUIT:
                self._quit()

    def _ask_to(self, command: Command) -> None:
        """End one's board; at a terminal only after a `yes`."""
        if not self.race.playing:
            self._told.append(NotNow(word=command, state=self.race.state.state))
        elif self._terminal:
            self._confirming = command
            self._words.clear()
            self._told.append(Confirm(word=command, count=self.race.count(self.race.you or 0)))
        else:
            self._stop(command)

    def _stop(self, command: Command) -> None:
        if self.race.playing:
            self.move(CONFIRMED[command])

    def _quit(self) -> None:
        if self.race.playing:
            self._told.append(SeatKept(match=self.race.code, grace=self.race.state.grace))
        elif self.race.state.state != "playing":
            self.race.leave()
        self.gone()
        self.exit_code = self.farewell

    def _end_of_input(self) -> None:
        """All was typed that ever will be: at a terminal that is a quit, in a pipe the player stands."""
        race = self.race
        if race.awaits_record:
            return  # there is something more to be told
        if race.ended or self._terminal:
            self._quit()
        elif race.playing and not race.behind:
            self._told.append(InputEnded(stands=True))
            race.move("stand")
        elif self._may_be_ready and not self._always_ready:
            self._told.append(InputEnded(stands=False))
            race.leave()
            self.exit_code = Exit.ERROR

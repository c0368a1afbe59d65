"""The face of a player: the own board, the race beside it, and in the end both boards."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace
from rich.cells import cell_len

from client_cli import announcements as a
from client_cli import phrases, sentences
from client_cli.answers import NotTaken
from client_cli.foresight import foreseen, unseen
from client_cli.language import say
from client_cli.naming import choices, heap
from client_cli.player import Player
from client_cli.race import Race
from client_cli.screen import keys
from client_cli.screen.boards import Marks, draw_board, draw_waste
from client_cli.screen.canvas import Area, Canvas
from client_cli.screen.duel import draw_duel
from client_cli.screen.face import Face
from client_cli.screen.keys import Key
from client_cli.screen.labels import label
from client_cli.screen.lobby import draw_lobby
from client_cli.screen.look import Look
from client_cli.screen.panel import LOW, clock_text, draw_panel
from client_cli.screen.picking import Picking, all_up, keyed, numbered
from client_cli.screen.windows import window
from client_cli.troubles import Refusal
from client_cli.wording import words
from client_cli.words import Command, Stage
from engine.board import Board
from engine.moves import HAND, WASTE, Move, Place, parse_move

PANEL = 25
FRESH = 0.6
"""For how many seconds a card that has just come is marked."""


class Playing(Face):
    """What a player sees and presses. All there is to know of the match, `player` knows."""

    table: ClassVar = keys.PLAYING

    def __init__(self, player: Player, look: Look, chosen: Mapping[str, tuple[str, ...]], now: float) -> None:
        super().__init__(look, chosen)
        self._all_rows = self.rows
        self.player = player
        self.now = now
        self.panel = True
        self._ahead: deque[Key] = deque()
        """Keys pressed before the card was there that they are about."""
        self._fresh: tuple[Place, float] | None = None
        self._lost_until: float | None = None
        self._foreseen: tuple[object, Board | None] = (None, None)
        self._enter(player.race)

    def _enter(self, race: Race) -> None:
        """Come to a match, the first one or a rematch."""
        self._race = race
        self.rows = keys.of_game(self._all_rows, race.variant.rules)
        self._picking = Picking(race.variant.rules)
        self.result: a.Over | None = None
        self.heard_of(race.state, self.now)

    # What is known

    @property
    def race(self) -> Race:
        return self.player.race

    @property
    def match(self) -> str:
        return self.race.code

    @property
    def board(self) -> Board | None:
        """The own board with every move made whose key was pressed."""
        own = self.race.own
        now = own and (own.board, own.n, tuple(self.race.unanswered.items()))
        if now != self._foreseen[0]:
            self._foreseen = (now, foreseen(self.race))
        return self._foreseen[1]

    @property
    def playing(self) -> bool:
        return self.race.playing or self._board_comes

    @property
    def _board_comes(self) -> bool:
        """Whether the race is on and the board is a moment behind: keys pressed now wait for it."""
        return self.race.state.state == "playing" and self.race.own is None

    @property
    def stage(self) -> Stage:
        if self.race.ended:
            return Stage.AFTER
        return Stage.BEFORE if self.race.own is None and not self._board_comes else Stage.RACE

    @property
    def may_be_ready(self) -> bool:
        state, you = self.race.state, self.race.you
        return state.state == "seated" and you is not None and not state.seats[you].ready

    @property
    def can_rematch(self) -> bool:
        state, you = self.race.state, self.race.you
        return state.state == "over" and you is not None and not state.seats[you].rematch and self.rival_stays

    @property
    def rival_stays(self) -> bool:
        return not any(seat.left for seat in self.race.state.seats)

    @property
    def has_waste(self) -> bool:
        return self.board is not None and heap(self.board, WASTE) is not None

    def can_pick(self, number: int) -> bool:
        board = self.board
        if board is None:
            return self._board_comes
        return self.playing and bool(self._picking.asked or numbered(board, number))

    # What is told

    def changed(self, told: Iterable[a.Announcement], now: float) -> None:
        """Something happened: take note, and carry out what was pressed ahead of it."""
        self.now = now
        if self.race is not self._race:
            self._ahead.clear()
            self._enter(self.race)
        self.heard_of(self.race.state, now)
        for each in told:
            self._note(each)
            self.tell([each])
        self._go_on()

    def _note(self, told: a.Announcement) -> None:
        match told:
            case a.Made(move="t", card=str()):
                self._fresh = (WASTE if self.has_waste else HAND, self.now)
            case a.Started():
                self._turn_to_the_race()
                self.log = [
                    say(
                        "Go! {turn} turns a card, {help} shows all keys.",
                        turn=self._key("turn"),
                        help=self._key("help"),
                    )
                ]
            case a.Over():
                self._turn_to_the_race()
                self.result = told
            case Refusal():
                self._ahead.clear()
            case a.ConnectionLost():
                self._ahead.clear()
                self._lost_until = self.now + told.patience / 1000
            case a.ConnectionBack():
                self._lost_until = None

    def _turn_to_the_race(self) -> None:
        """It starts or is over, and that is worth a bell and the whole screen."""
        self.bells += 1
        self.window = self.question = None

    def sentence(self, told: a.Announcement) -> str:
        match told:
            case NotTaken():
                text = say("There is no connection: this key did nothing.")
                return "" if self.log[-1:] == [text] else text
            case a.Over():
                return ""
            case a.WantsRematch(answer=True):
                return say("{name} asks for a rematch.", name=told.name)
            case _:
                return super().sentence(told)

    # What is pressed

    def helpful(self) -> Sequence[Key]:
        return keys.of_a_race(self.rows, self.race.variant.rules)

    def carry_out(self, row: Key) -> None:
        if self.race.behind and (row.waits or row.sends):
            self.tell([NotTaken(words=row.name)])
            return
        if row.waits and (self._ahead or self.board is None or unseen(self.board)):
            self._ahead.append(row)
            return
        row.do(self)
        self.nudged()

    def _go_on(self) -> None:
        while self._ahead and self.board is not None and not unseen(self.board):
            row = self._ahead.popleft()
            if not row.when(self):
                self._ahead.clear()
                break
            row.do(self)

    def _make(self, move: Move | None) -> None:
        """Send a move that a key has made; or tell what is wrong with it."""
        if move is not None:
            self.player.move(str(move))
            self._fresh = (move.target, self.now)
        elif self._picking.problem is not None:
            self._ahead.clear()
            self.tell([self._picking.problem])

    def turn(self) -> None:
        if self.look.auto:
            self.all_up()
        if (board := self.board) is not None:
            self._make(self._picking.turn(board))

    def pick(self, number: int) -> None:
        if (board := self.board) is not None:
            self._make(self._picking.number(board, number))

    def up(self) -> None:
        if (board := self.board) is not None:
            self._make(self._picking.up(board))

    def waste(self) -> None:
        self._place(WASTE)

    def _place(self, place: Place) -> None:
        if (board := self.board) is not None:
            self._make(self._picking.place(board, place))

    def all_up(self) -> None:
        self._picking.cancel()
        if (board := self.board) is None:
            return
        ahead = self.race.variant.board_from(board.view())
        for move in all_up(ahead):
            self._make(move)

    def cancel(self) -> None:
        super().cancel()
        self._picking.cancel()
        self._ahead.clear()

    def point(self, place: Place, *, twice: bool) -> None:
        if not self.playing or self._ahead:
            return
        if self.race.behind:
            self.tell([NotTaken(words=str(place))])
            return
        board = self.board
        if board is None or unseen(board):
            return
        # The first click of a double one has picked the place already, or has made a move: then that was all.
        if not twice or self._picking.source == place:
            self._make(self._picking.place(board, place))
            self.nudged()

    def toggle_panel(self) -> None:
        self.panel = not self.panel

    def ready(self) -> None:
        self.player.order(Command.READY, self.now)

    def rematch(self) -> None:
        self.player.order(Command.AGAIN, self.now)

    def ask_stand(self) -> None:
        board = self.board
        text = say("Stop here with a count of {count}?", count=board.count if board else 0)
        self.ask(text, lambda: self._order(Command.STAND))

    def ask_resign(self) -> None:
        self.ask(say("Resign, and lose the match?"), lambda: self._order(Command.RESIGN))

    def ask_quit(self) -> None:
        race = self.race
        if race.ended or self.player.exit_code is not None:
            self.quit()
            return
        text = say("Leave? Your seat is kept for {grace}.", grace=phrases.duration(race.state.grace))
        if self.stage is Stage.BEFORE:
            text = say("Leave, and give the match up?")
        self.ask(text, self.quit)

    def quit(self) -> None:
        if self.player.exit_code is None:
            self._order(Command.QUIT)
        super().quit()

    def _order(self, command: Command) -> None:
        self.player.order(command, self.now)
        self.nudged()

    # What is shown

    def draw(self, canvas: Canvas, now: float) -> None:
        self.now = now
        race = self.race
        left = race.left(now)
        role = "bar bad" if left is not None and left <= LOW else "title"
        self.draw_frame(canvas, f"{phrases.game(race.state.game)} · {race.code}", clock_text(left), role)
        board = self.board
        if self.stage is Stage.BEFORE or board is None:
            draw_lobby(canvas, race, self.gone(now), bot_comes=self.player.bot_comes)
            if race.doubts:
                self.draw_line(canvas, canvas.height - 5, race)
            self.draw_log(canvas, canvas.height - 4, 3)
        elif self.stage is Stage.AFTER:
            self._draw_result(canvas)
        else:
            self._draw_race(canvas, board)
        if self.window == "moves":
            self._draw_moves(canvas, board)

    def _draw_race(self, canvas: Canvas, board: Board) -> None:
        lines = 2 if canvas.height < 30 else 5
        bottom = canvas.height - lines - 2
        panel = min(PANEL + max(0, (canvas.width - 80) // 4), 36) if self.panel else 0
        area = Area(1, 2, canvas.width - panel - 2, bottom - 2)
        draw_board(board, canvas, area, self._marks(board))
        if panel:
            for y in range(1, bottom):
                canvas.put(canvas.width - panel - 1, y, "│", "line")
            there = Area(canvas.width - panel + 1, 2, panel - 2, bottom - 2)
            away = self.away(self.now)
            away.pop(self.race.you or 0, None)
            draw_panel(canvas, there, self.race, board, next(iter(away.values()), None), self._waiting())
            draw_waste(board, canvas, Area(there.x, 17, there.width, bottom - 17))
        self.draw_line(canvas, bottom, self.race)
        self.draw_log(canvas, bottom + 1, lines)

    def _marks(self, board: Board) -> Marks:
        fresh = None
        if self._fresh and self.look.animation and self.now - self._fresh[1] < FRESH:
            fresh = self._fresh[0]
        named = [self._key(f"pick-{number}") for number in range(1, len(keys.PICKS) + 1)]
        return Marks(self._picking.source, self._picking.targets(board), fresh, named, self._key("waste"))

    def _key(self, name: str) -> str:
        """The key to press for an action."""
        return next((keys.spelled(row.keys[0]) for row in self.rows if row.name == name and row.keys), "")

    def _waiting(self) -> str:
        """What is left to this client to come back."""
        if self._lost_until is None:
            return ""
        left = phrases.duration(max(0, round((self._lost_until - self.now) * 1000)))
        return say("No connection: {left} left to come back.", left=left)

    def _draw_result(self, canvas: Canvas) -> None:
        """How it ended, both boards, and whether the deal was fair."""
        bottom = self.draw_end(canvas, 3 if canvas.height < 30 else 6, self.race)
        result = self.race.state.result
        mine = result is not None and result.winner == self.race.you
        if self.result is not None:
            text = self._result(self.result, canvas.width)
            canvas.put_in(canvas.area, text, "good" if mine else "strong", align="^", row=1)
        draw_duel(canvas, Area(1, 2, canvas.width - 2, bottom - 2), self.race, {}, {})

    def _result(self, over: a.Over, width: int) -> str:
        """How it ended, in so many cells: what is cut off is names, not counts."""
        rooms = (width, *range(width // 3, 8, -1))
        seats = self.race.state.seats
        named = ([label(name, seat, room) for name, seat in zip(over.names, seats, strict=True)] for room in rooms)
        texts = (words(replace(over, names=names)) for names in named)
        return next((text for text in texts if cell_len(text) <= width), words(over))

    def _draw_moves(self, canvas: Canvas, board: Board | None) -> None:
        legal = choices(board) if board is not None and self.playing and not unseen(board) else []
        rows = []
        for choice in legal:
            assert board is not None
            steps = keyed(parse_move(choice.move), board, self.race.variant.rules)
            rows.append((" ".join(map(self._key, steps)), sentences.choice_row(choice)[1]))
        window(canvas, say("Moves"), rows or [("", say("There is no move to make."))])

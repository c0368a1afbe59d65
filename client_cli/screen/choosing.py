"""The list of the matches being raced, to choose one from."""

from collections.abc import Mapping
from typing import ClassVar

from rich.cells import cell_len

from client_cli import phrases
from client_cli.language import say
from client_cli.player_names import called
from client_cli.screen import keys
from client_cli.screen.canvas import Canvas
from client_cli.screen.face import Face
from client_cli.screen.labels import versus
from client_cli.screen.look import Look
from client_cli.screen.panel import clock_text
from client_cli.words import Stage
from protocol.messages import ListedMatch


class Choosing(Face):
    """The list as the server told it last, and a line of it."""

    table: ClassVar = keys.CHOOSING
    stage = Stage.ANY

    def __init__(self, look: Look, chosen: Mapping[str, tuple[str, ...]]) -> None:
        super().__init__(look, chosen)
        self.matches: list[ListedMatch] = []
        self.told = False
        """Whether there has been an answer yet."""
        self.chosen: str | None = None
        """The match the user wants to watch."""
        self._at: str | None = None

    def show(self, matches: list[ListedMatch]) -> None:
        """The list has come; the chosen line stays with its match."""
        self.matches, self.told = matches, True

    @property
    def line(self) -> int:
        """Which line is marked."""
        return next((at for at, match in enumerate(self.matches) if match.match == self._at), 0)

    def step(self, by: int) -> None:
        """Mark another line."""
        if self.matches:
            self._at = self.matches[(self.line + by) % len(self.matches)].match

    def choose_line(self, number: int) -> None:
        """Watch the match in a line."""
        self._at = self.matches[number - 1].match
        self.choose()

    def choose(self) -> None:
        """Watch the marked match."""
        self.chosen = self.matches[self.line].match
        self.quit()

    def draw(self, canvas: Canvas, now: float) -> None:
        del now
        self.draw_frame(canvas, say("Matches being raced"), str(len(self.matches) or ""), "title")
        if not self.matches:
            text = say("No match is being raced now.") if self.told else say("Asking the server ...")
            canvas.put_in(canvas.area, text, "dim", align="^", row=canvas.height // 2)
        room = canvas.height - 6
        first = max(0, min(self.line - room // 2, len(self.matches) - room))
        for at, match in enumerate(self.matches[first : first + room], start=first):
            row = canvas.area.inner(1, 0)._replace(y=2 + at - first, height=1)
            marked = at == self.line
            if marked:
                canvas.fill(row, "picked")
            key = keys.PICKS[at] if at < len(keys.PICKS) else ""
            names = [called(seat.name, seat.bot, seat.level) for seat in match.seats]
            there = row._replace(width=row.width * 4 // 9 - 1)
            left = f"{'→' if marked else ' '} {key:>1}  "
            left += versus(names, match.seats, there.width - cell_len(left))
            right = f"{match.seats[0].count:>3} : {match.seats[1].count:<3} {clock_text(match.left):>7}"
            middle = row._replace(x=row.x + row.width * 4 // 9, width=row.width * 5 // 9 - 16)
            canvas.put_in(there, left, "picked" if marked else "strong")
            game = phrases.game(match.game)
            fitting = game if cell_len(game) <= middle.width else match.game
            canvas.put_in(middle, fitting, "picked" if marked else "dim")
            canvas.put_in(row, right, "picked" if marked else "", align=">")
        self.draw_log(canvas, canvas.height - 3, 2)

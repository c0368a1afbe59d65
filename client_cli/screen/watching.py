"""The face of a spectator: both boards as far as they may be seen, and what the players do."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from rich.cells import cell_len

from client_cli import announcements as a
from client_cli import phrases
from client_cli.language import say
from client_cli.reasons import state
from client_cli.screen import keys
from client_cli.screen.canvas import Area, Canvas
from client_cli.screen.duel import draw_duel
from client_cli.screen.face import Face
from client_cli.screen.labels import versus
from client_cli.screen.look import Look
from client_cli.screen.panel import LOW, clock_text
from client_cli.spectator import Spectator
from client_cli.words import Stage
from engine.moves import Place, parse_move


class Watching(Face):
    """What a spectator sees. All there is to know of the match, `spectator` knows."""

    table: ClassVar = keys.WATCHING
    stage = Stage.ANY

    def __init__(self, spectator: Spectator, look: Look, chosen: Mapping[str, tuple[str, ...]]) -> None:
        super().__init__(look, chosen)
        self.spectator = spectator
        self.where: str | None = None
        """Where the user wants to go: to the list, to the next match, or away."""
        self._fresh: dict[int, Place | None] = {}

    @property
    def match(self) -> str:
        return self.spectator.race.code

    def changed(self, told: Iterable[a.Announcement], now: float) -> None:
        """Something happened: take note."""
        self.heard_of(self.spectator.race.state, now)
        told = list(told)
        for each in told:
            if isinstance(each, a.Played):
                place = None if each.move in ("t", "r") else parse_move(each.move).target
                seats = [seat for seat, name in enumerate(self.spectator.race.names) if name == each.name]
                self._fresh |= dict.fromkeys(seats, place)
            elif isinstance(each, a.Started | a.Over):
                self.bells += 1
        self.tell(told)

    def go(self, where: str) -> None:
        """To the list, or to the next match."""
        self.where = where
        self.quit()

    def draw(self, canvas: Canvas, now: float) -> None:
        race = self.spectator.race
        left = race.left(now)
        right = clock_text(left) or state(race.state.state)
        what = f" · {phrases.game(race.state.game)} · {race.code}"
        room = canvas.width - 4 - cell_len(what) - cell_len(right)
        title = versus(race.names, race.state.seats, room) + what
        self.draw_frame(canvas, title, right, "bar bad" if left is not None and left <= LOW else "title")
        bottom = self.draw_end(canvas, 3 if canvas.height < 30 else 9, race)
        area = Area(1, 1, canvas.width - 2, bottom - 1)
        if race.mirrors:
            fresh = self._fresh if self.look.animation and not race.ended else {}
            draw_duel(canvas, area, race, fresh, self.away(now))
        else:
            text = say("Nothing to see yet: {state}.", state=state(race.state.state))
            canvas.put_in(area, text, "dim", align="^", row=area.height // 2)

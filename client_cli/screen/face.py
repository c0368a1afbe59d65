"""What the user looks at: a face is drawn, and takes keys and clicks. It does no input or output."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from textwrap import wrap
from typing import ClassVar, NamedTuple

from rich.cells import cell_len

from client_cli import announcements as a
from client_cli import answers
from client_cli.language import say
from client_cli.race import Race
from client_cli.screen.canvas import Area, Canvas
from client_cli.screen.keys import Key, confirming, helped, hints, rebound, spelled
from client_cli.screen.look import Look
from client_cli.screen.windows import window
from client_cli.terminal import wrapped
from client_cli.wording import words
from client_cli.words import Stage
from engine.moves import Place
from protocol.messages import MatchState

SMALLEST = (80, 24)
KEPT = 50
"""So many sentences are remembered."""
SILENT = (
    a.Connected,
    a.Seated,
    a.Position,
    a.Made,
    a.RivalCount,
    a.Afterwards,
    a.Started,
    a.Countdown,
    a.Waiting,
    a.IsReady,
    a.AskReady,
    a.DealChecked,
    a.Proof,
    answers.Confirm,
)
"""What the picture shows anyway, and what is worded for who types."""


class Question(NamedTuple):
    """Only its key carries it out, which is that of nothing else where it is asked."""

    text: str
    key: str
    yes: Callable[[], None]


class Face(ABC):
    """One picture, and the keys that belong to it."""

    table: ClassVar[Sequence[Key]]

    def __init__(self, look: Look, chosen: Mapping[str, tuple[str, ...]]) -> None:
        self.look = look
        self.rows = rebound(self.table, chosen)
        self.log: list[str] = []
        self.window: str | None = None
        """Which window is open: help or moves."""
        self.question: Question | None = None
        self.hidden = False
        """Whether the window is too small for the picture: what is not drawn takes no key and no click."""
        self.left = asyncio.Event()
        """The user wants to go."""
        self.nudged: Callable[[], None] = lambda: None
        """Called when there may be something to send."""
        self.bells = 0
        self.checked: a.DealChecked | None = None
        """What came of checking the deal, once the match is over."""
        self.proof: a.Proof | None = None
        self._state: MatchState | None = None
        self._since = 0.0

    # What is shown

    @abstractmethod
    def draw(self, canvas: Canvas, now: float) -> None:
        """Draw what there is to see now."""

    @property
    def match(self) -> str:
        """The match that is shown, if one is."""
        return ""

    @property
    @abstractmethod
    def stage(self) -> Stage:
        """Which keys have their time."""

    def picture(self, width: int, height: int, now: float) -> Canvas:
        """The whole picture."""
        self.resized(width, height)
        canvas = Canvas(width, height)
        if self.hidden:
            self._draw_notice(canvas)
            return canvas
        self.draw(canvas, now)
        if self.window == "help":
            window(canvas, say("Keys"), helped(row for row in self.helpful() if row.keys))
        if self.question is not None:
            asked = self.question.text + "  " + say("{key}: yes   any other key: no", key=spelled(self.question.key))
            self._bottom(canvas, asked, "picked")
        return canvas

    def resized(self, width: int, height: int) -> None:
        """The window has this size. When the picture goes out of sight, what was begun in it is forgotten."""
        hidden = width < SMALLEST[0] or height < SMALLEST[1]
        if hidden and not self.hidden:
            self.question = None
            self.cancel()
        self.hidden = hidden

    def _draw_notice(self, canvas: Canvas) -> None:
        """That the window is too small, and how to leave all the same: where there is room for little, that comes first."""
        width, height = canvas.width, canvas.height
        size = say("This window is {width} by {height}; a race needs 80 by 24.", width=width, height=height)
        idle, leave = say("Until it is larger, keys do nothing."), say("Ctrl+C leaves.")
        rows = wrap(size, width) + wrap(f"{idle} {leave}", width)
        if len(rows) > height:
            rows = [row for text in (leave, idle, size) for row in wrap(text, width)]
        for y, row in enumerate(rows, start=max(0, (height - len(rows)) // 2)):
            canvas.put_in(canvas.area, row, "strong", align="^", row=y)

    def draw_frame(self, canvas: Canvas, title: str, right: str = "", right_role: str = "bar") -> None:
        """What every picture has: a title above, and the keys below."""
        canvas.fill(canvas.area._replace(height=1), "bar")
        canvas.put_in(canvas.area.inner(1, 0), title, "title")
        canvas.put_in(canvas.area.inner(1, 0), right, right_role, align=">")
        if self.look.keys:
            canvas.fill(canvas.area._replace(y=canvas.height - 1, height=1), "bar")
            rows = self.available()
            always = hints(row for row in rows if row.always_shown)
            end = canvas.width - 1 - sum(cell_len(f"  {key} {label}") for key, label in always)
            self._hint(canvas, 1, end, hints(row for row in rows if not row.always_shown))
            self._hint(canvas, end + 2, canvas.width, always)

    def _hint(self, canvas: Canvas, x: int, end: int, shown: Iterable[tuple[str, str]]) -> None:
        """Keys and what they do, as many as there is room for."""
        for key, label in shown:
            if x + cell_len(f"{key} {label}") > end:
                break
            x = canvas.put(x, canvas.height - 1, key, "bar key")
            x = canvas.put(x, canvas.height - 1, f" {label}", "bar") + 2

    def draw_log(self, canvas: Canvas, y: int, lines: int) -> None:
        """The newest sentences that there is room for, the last one strongest; of that at least its beginning."""
        width = canvas.width - 2
        newest: list[tuple[str, bool]] = []
        for sentence in reversed(self.log):
            rows = [(row, not newest) for row in wrapped(sentence, width).split("\n")]
            if newest and len(newest) + len(rows) > lines:
                break
            newest = [*rows, *newest]
        for at, (row, last) in enumerate(newest[:lines]):
            canvas.put_in(canvas.area.inner(1, 0), row, "strong" if last else "dim", row=y + at)

    def draw_line(self, canvas: Canvas, y: int, race: Race) -> None:
        """The line above the sentences; it stays in sight that the deal cannot be trusted."""
        if not race.doubts:
            canvas.rule(y)
            return
        canvas.fill(Area(0, y, canvas.width, 1), "bar")
        canvas.put_in(canvas.area.inner(1, 0), say("WARNING: this deal cannot be trusted."), "bar bad", row=y)

    def draw_end(self, canvas: Canvas, log: int, race: Race) -> int:
        """At the bottom, what came of checking the deal, the proof, and so many sentences. Tells where it begins."""
        width = canvas.width - 2
        rows: list[tuple[str, str]] = []
        if self.checked is not None and self.checked.match == race.code:
            role = "bad" if self.checked.doubts else "strong"
            found = [(row, role) for row in wrapped(words(self.checked), width).split("\n")]
            rows += found[: canvas.height // 4]
        if self.proof is not None and self.proof.match == race.code:
            rows += [(row, "key") for row in wrapped(words(self.proof), width).split("\n")]
        log = max(1, log - len(rows))
        top = canvas.height - 2 - len(rows) - log
        self.draw_line(canvas, top, race)
        for at, (row, role) in enumerate(rows, start=top + 1):
            canvas.put_in(canvas.area.inner(1, 0), row, role, row=at)
        self.draw_log(canvas, top + 1 + len(rows), log)
        return top

    def heard_of(self, state: MatchState, now: float) -> None:
        """Note when the state of the match was told: the times in it run from then on."""
        if state is not self._state:
            self._state, self._since = state, now

    def gone(self, now: float) -> int:
        """The milliseconds since."""
        return round((now - self._since) * 1000)

    def away(self, now: float) -> dict[int, int]:
        """Who is gone, and what is left to them to come back."""
        seats = self._state.seats if self._state is not None and self._state.result is None else ()
        return {seat: max(0, info.away - self.gone(now)) for seat, info in enumerate(seats) if info.away is not None}

    def _bottom(self, canvas: Canvas, text: str, role: str) -> None:
        canvas.fill(canvas.area._replace(y=canvas.height - 1, height=1), role)
        canvas.put_in(canvas.area.inner(1, 0), text, role, row=canvas.height - 1)

    # What is told

    def tell(self, told: Iterable[a.Announcement]) -> None:
        """Take note of what happened."""
        for each in told:
            if isinstance(each, a.DealChecked):
                self.checked = each
            elif isinstance(each, a.Proof):
                self.proof = each
            elif isinstance(each, a.DealDoubted):
                self.bells += 1
            if sentence := self.sentence(each):
                self.log = [*self.log[-KEPT:], sentence]

    def sentence(self, told: a.Announcement) -> str:
        """How an announcement is worded here; empty for what is not worth a line."""
        if isinstance(told, a.DealChecked) and told.match != self.match:
            return words(told)
        return "" if isinstance(told, SILENT) else words(told)

    # What is pressed

    def helpful(self) -> Sequence[Key]:
        """The rows of the table that the help names."""
        return self.rows

    def available(self) -> list[Key]:
        """The rows of the table that can be pressed now."""
        return [row for row in self.rows if row.stage in (Stage.ANY, self.stage) and row.when(self)]

    def ask(self, text: str, yes: Callable[[], None]) -> None:
        """Ask a question before something that cannot be taken back."""
        here = [row for row in self.rows if row.stage in (Stage.ANY, self.stage)]
        self.question = Question(text, confirming(here), yes)

    def press(self, key: str) -> None:
        """A key was pressed."""
        if self.hidden:
            return
        if self.question is not None:
            question, self.question = self.question, None
            if key == question.key:
                question.yes()
            return
        row = next((row for row in self.available() if key in row.keys), None)
        if self.window is not None and (row is None or row.name != self.window):
            self.window = None
            if row is None or row.name == "cancel":
                return
        if row is not None:
            self.carry_out(row)

    def carry_out(self, row: Key) -> None:
        """Do what a key is for."""
        row.do(self)

    def click(self, place: Place | None, *, twice: bool) -> None:
        """A place was clicked, or none: beside a question that is a no, as any other key."""
        if self.hidden:
            return
        if self.question is not None:
            self.question = None
        elif place is not None and self.window is None:
            self.point(place, twice=twice)

    def point(self, place: Place, *, twice: bool) -> None:  # noqa: B027 - a list needs no mouse
        """Do what a click on a place is for."""

    def toggle(self, name: str) -> None:
        """Open a window, or close it."""
        self.window = None if self.window == name else name

    def cancel(self) -> None:
        """Back to the table as it is."""
        self.window = None

    def ask_quit(self) -> None:
        """The user wants to go."""
        self.quit()

    def quit(self) -> None:
        """Go."""
        self.left.set()
        self.nudged()

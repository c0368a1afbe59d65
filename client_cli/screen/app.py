"""The one place that knows Textual: it shows the picture of a face, and brings it keys and clicks."""

import os
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from client_cli.screen.canvas import Canvas
from client_cli.screen.face import Face
from client_cli.screen.look import SIGNS, Look, style
from client_cli.troubles import ClientError, Exit

TICK = 0.2
"""Seconds between two looks at the clock."""


class Picture(Widget, can_focus=True):
    """The whole screen, as the face has drawn it."""

    DEFAULT_CSS = "Picture { width: 100%; height: 100%; }"
    app: "Tommy"

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[list[tuple[str, str]]] = []
        self._canvas: Canvas | None = None

    def show(self, face: Face) -> None:
        """Draw again what has changed."""
        width, height = self.size
        if not width or not height:
            return
        self._canvas = face.picture(width, height, time.monotonic())
        rows = [list(self._canvas.runs(y)) for y in range(height)]
        changed = [y for y, row in enumerate(rows) if y >= len(self._rows) or row != self._rows[y]]
        self._rows = rows
        if changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))

    def render_line(self, y: int) -> Strip:
        if y >= len(self._rows):
            return Strip.blank(self.size.width, style(self.app.look, ""))
        look = self.app.look
        return Strip(
            [Segment(text.translate(SIGNS) if look.ascii else text, style(look, role)) for text, role in self._rows[y]]
        )

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        self.app.pressed(named(event))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        if self._canvas is not None:
            self.app.clicked(self._canvas, event.x, event.y, twice=event.chain == 2)

    def on_resize(self) -> None:
        self.app.redraw()


def named(event: events.Key) -> str:
    """A key by the name it has in the settings: the letter it writes, else what Textual calls it."""
    letter = event.character
    return letter if letter is not None and letter.isprintable() and not letter.isspace() else event.key


class Tommy(App[Exit], inherit_bindings=False):
    """The full screen. `work` brings it faces, until it returns the exit code."""

    ENABLE_COMMAND_PALETTE = False
    CSS = "Screen { overflow: hidden; }"
    BINDINGS: ClassVar = []

    def __init__(self, work: Callable[["Tommy"], Awaitable[Exit]], look: Look) -> None:
        # Textual's own way with NO_COLOR makes some letters nearly invisible; `look` does it better.
        os.environ.pop("NO_COLOR", None)
        super().__init__(ansi_color=True)
        self.look = look
        self.error: Exception | None = None
        """Why it could not go on."""
        self.face: Face | None = None
        self._work = work
        self._picture = Picture()
        self._bells = 0

    def compose(self) -> ComposeResult:
        yield self._picture

    def on_mount(self) -> None:
        self._picture.focus()
        self.set_interval(TICK, self.redraw)
        self.run_worker(self._run(), exit_on_error=True)

    async def _run(self) -> None:
        with self._failing_plainly():
            self.exit(await self._work(self))

    @contextmanager
    def _failing_plainly(self) -> Iterator[None]:
        """Close the screen when something fails. It is told as in the line mode; Textual would print where it was."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whoever opened the screen raises it again
            self.error = self.error or error
            self.exit(error.exit_code if isinstance(error, ClientError) else Exit.ERROR)

    def show(self, face: Face) -> None:
        """Show another face."""
        self.face, self._bells = face, face.bells
        self.redraw()

    def redraw(self) -> None:
        """Show the face as it is now."""
        if self.face is None:
            return
        if self.face.bells != self._bells:
            self._bells = self.face.bells
            if self.look.bell:
                self.bell()
        with self._failing_plainly():
            self._picture.show(self.face)

    def pressed(self, key: str) -> None:
        """A key was pressed."""
        if key == "ctrl+c":
            self.exit(Exit.INTERRUPTED)
        elif self.face is not None:
            with self._failing_plainly():
                self._in_sight(self.face).press(key)
            self.redraw()

    def clicked(self, canvas: Canvas, x: int, y: int, *, twice: bool) -> None:
        """A point of the picture was clicked."""
        if self.face is not None:
            with self._failing_plainly():
                self._in_sight(self.face).click(canvas.place_at(x, y), twice=twice)
            self.redraw()

    def _in_sight(self, face: Face) -> Face:
        """The face, which knows if the window has shrunk since it was drawn. That it has grown, the next picture tells."""
        if not face.hidden:
            face.resized(*self.size)
        return face

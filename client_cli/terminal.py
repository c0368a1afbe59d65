"""Standard input and output: lines in, announcements out."""

import asyncio
import os
import shutil
import sys
import textwrap
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, TextIO

import msgspec

from client_cli.announcements import Announcement
from client_cli.wording import words

PLAIN = str.maketrans({"♣": "c", "♦": "d", "♥": "h", "♠": "s", "·": "|", "\N{EN DASH}": "-", "±": "+-", "…": "..."})
"""For a terminal that cannot show the signs."""
NARROWEST = 20
STDIN = 0


class Line(NamedTuple):
    """A line that was typed."""

    text: str


class EndOfInput(NamedTuple):
    """Nothing more will be typed."""


class Screen:
    """Prints announcements, one after the other: as sentences, or with `as_json` as they are."""

    def __init__(self, *, as_json: bool = False, out: TextIO | None = None) -> None:
        self._as_json = as_json
        self._out = out or sys.stdout

    def show(self, told: Announcement) -> None:
        """Print one announcement."""
        if self._as_json:
            self.print(msgspec.json.encode(told).decode())
        else:
            self.print(wrapped(words(told), _width(self._out)))

    def print(self, text: str) -> None:
        """Print a text as it is, as well as this output can show it."""
        encoding = self._out.encoding or "utf-8"
        if not can_show(text, encoding):
            text = text.translate(PLAIN).encode(encoding, "replace").decode(encoding)
        self._out.write(text + "\n")
        self._out.flush()


def wrapped(text: str, width: int | None) -> str:
    """A text broken into lines of at most `width`, and rid of what would play tricks on a terminal."""
    lines = ["".join(letter if letter.isprintable() else "?" for letter in line) for line in text.split("\n")]
    if width is None:
        return "\n".join(lines)
    return "\n".join(folded for line in lines for folded in _folded(line, width))


def _folded(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _width(out: TextIO) -> int | None:
    """How wide to print: as a terminal is; without one, one line each."""
    return max(NARROWEST, shutil.get_terminal_size().columns - 1) if out.isatty() else None


def is_terminal() -> bool:
    """Whether somebody types."""
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()


def can_draw() -> bool:
    """Whether there is a terminal to draw pictures on. They go out on standard error, as Textual does it."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(stream is not None and stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"


def can_show(text: str, encoding: str) -> bool:
    """Whether a text can be written in an encoding."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def read_lines(take: Callable[[Line | EndOfInput], None]) -> None:
    """Read standard input from now on; `take` is called in the event loop for each line as it comes.

    A thread of its own reads: only that works for terminals, pipes and files on every system, and leaves the terminal
    as it was. It reads the descriptor itself, since a Python file's lock would be in the way at the end.
    """
    loop = asyncio.get_running_loop()

    def put(event: Line | EndOfInput) -> None:
        with suppress(RuntimeError):  # the loop may be closed already
            loop.call_soon_threadsafe(take, event)

    def read() -> None:
        rest = b""
        while chunk := _read_some():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                put(Line(line.decode(errors="replace").rstrip("\r")))
        if rest:
            put(Line(rest.decode(errors="replace")))
        put(EndOfInput())

    threading.Thread(target=read, name="stdin", daemon=True).start()


def _read_some() -> bytes:
    try:
        return os.read(STDIN, 4096)
    except OSError:
        return b""

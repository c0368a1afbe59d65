"""Standard input and output: lines in, announcements out."""

import asyncio
import errno
import json
import os
import shutil
import sys
import textwrap
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, TextIO
from unicodedata import east_asian_width

import msgspec

from client_cli.announcements import Announcement
from client_cli.foreign import can_write, escaped, shown
from client_cli.streams import drop, full
from client_cli.wording import words

PLAIN = str.maketrans({"♣": "c", "♦": "d", "♥": "h", "♠": "s", "·": "|", "\N{EN DASH}": "-", "±": "+-", "…": "..."})
"""For a terminal that cannot show the signs."""
NARROWEST = 20
STDIN = 0
_SECOND_CELL = "\0"
"""Stands behind a letter that takes two cells of a terminal, while a line is broken."""


class Line(NamedTuple):
    """A line that was typed."""

    text: str


class EndOfInput(NamedTuple):
    """Nothing more will be typed."""


class Screen:
    """Prints announcements, one after the other: as sentences, or with `as_json` as they are.

    Raises `ClientError` when the output takes no more; but `BrokenPipeError` when whoever read it has gone.
    """

    def __init__(self, *, as_json: bool = False, out: TextIO | None = None) -> None:
        self._as_json = as_json
        self._out = out or sys.stdout

    def show(self, told: Announcement) -> None:
        """Print one announcement."""
        if self._as_json:
            plain = msgspec.to_builtins(told, enc_hook=str)
            self.print_json(json.dumps(plain, ensure_ascii=False, separators=(",", ":")))
        else:
            self.print(wrapped(words(told), _width(self._out)))

    def print(self, text: str) -> None:
        """Print a text as it is, as well as this output can show it."""
        encoding = _encoding(self._out)
        if not can_write(text, encoding):
            text = text.translate(PLAIN).encode(encoding, "replace").decode(encoding)
        self._write(text)

    def print_json(self, text: str) -> None:
        """Print JSON, with nothing left out, and nothing in it that does more to a terminal than being read."""
        self._write(escaped(text, _encoding(self._out)))

    def _write(self, text: str) -> None:
        if self._out is None:
            raise full(os.strerror(errno.EBADF))
        try:
            self._out.write(text + "\n")
            self._out.flush()
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            drop(self._out)
            raise full(error.strerror or str(error)) from None


def _encoding(out: TextIO | None) -> str:
    return getattr(out, "encoding", None) or "utf-8"


def wrapped(text: str, width: int | None) -> str:
    """A text broken into lines of at most `width` cells, rid of whatever foreign may have been left in it.

    What is folded goes on further in than it began: at the left margin stands only what this client begins a line with.
    """
    lines = [shown(line, len(line)) for line in text.split("\n")]
    if width is None:
        return "\n".join(lines)
    return "\n".join(folded for line in lines for folded in _folded(line, width))


def _folded(line: str, width: int) -> list[str]:
    cells = "".join(letter + _SECOND_CELL * (east_asian_width(letter) in "WF") for letter in line)
    if len(cells) <= width or len(line.split()) < 2:  # a lone word is there to be copied: a key, a file
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    rows = textwrap.wrap(cells, width, subsequent_indent=indent, break_on_hyphens=False)
    return [row.replace(_SECOND_CELL, "") for row in rows]


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

"""How announcements are printed, and how lines are read."""

import asyncio
import io
import json
import os
import sys

import pytest

from client_cli import terminal
from client_cli.announcements import Clock, IsReady, Position
from client_cli.answers import Help, WordHelp
from client_cli.options import Settings
from client_cli.terminal import EndOfInput, Line, Screen, read_lines, wrapped
from client_cli.wording import words
from tests.client_cli.table import Table


class Terminal(io.StringIO):
    """An output that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_sentences_are_broken_at_the_width() -> None:
    lines = wrapped("word " * 40 + "end", 79).split("\n")
    assert all(len(line) <= 79 for line in lines)
    assert not lines[0].startswith(" ")
    assert all(line.startswith("  word") for line in lines[1:])


def test_rows_stay_rows() -> None:
    table = words(Help([WordHelp("t", "turn"), WordHelp("x", "long " * 30)]))
    lines = wrapped(table, 60).split("\n")
    assert lines[0] == "  t  turn"
    assert all(line.startswith("    ") for line in lines[2:])


def test_a_full_position_fits_on_two_lines() -> None:
    view = Table().started().boards[0].view()
    full = view.__class__(
        stock=31, hand="10h", piles=[["10s"], ["10d"], ["10c"], ["10h"]], foundations=[["10c"]] * 4, redeals=1
    )
    assert len(wrapped(words(Position(None, full, 40, 52)), 79).split("\n")) == 2


def test_without_a_width_an_announcement_is_one_line() -> None:
    assert wrapped("word " * 40, None) == "word " * 40


def test_names_play_no_tricks_on_a_terminal() -> None:
    assert "\x1b" not in wrapped(words(IsReady("Bo\x1b[2J\x07", you=False)), 79)


def test_a_terminal_is_wrapped_to_its_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((40, 24)))
    out = Terminal()
    Screen(out=out).print("x")
    Screen(out=out).show(IsReady("a name of many words and letters in it", you=False))
    assert out.getvalue() == "x\na name of many words and letters in it\n  is ready.\n"


def test_signs_an_output_cannot_show_are_spelled() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    Screen(out=out).print("7♥ in hand · piles \N{EN DASH} K♠ é")
    assert raw.getvalue() == b"7h in hand | piles - Ks ?\n"


def test_events_as_json() -> None:
    out = io.StringIO()
    Screen(as_json=True, out=out).show(Clock(left=10_000))
    assert json.loads(out.getvalue()) == {"event": "clock", "left": 10_000}


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        (b"t 2\nf\n", ["t 2", "f"]),
        (b"t\r\n\nlast", ["t", "", "last"]),
        (b"", []),
        (b"\xff\n", ["\N{REPLACEMENT CHARACTER}"]),
    ],
)
async def test_lines_are_read_to_their_end(monkeypatch: pytest.MonkeyPatch, typed: bytes, lines: list[str]) -> None:
    reading, writing = os.pipe()
    os.write(writing, typed)
    os.close(writing)
    monkeypatch.setattr(terminal, "STDIN", reading)
    taken: asyncio.Queue[Line | EndOfInput] = asyncio.Queue()
    read_lines(taken.put_nowait)
    for line in lines:
        assert await taken.get() == Line(line)
    assert await taken.get() == EndOfInput()
    os.close(reading)


async def test_what_cannot_be_read_is_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(writing)
    os.close(reading)
    monkeypatch.setattr(terminal, "STDIN", reading)
    taken: asyncio.Queue[Line | EndOfInput] = asyncio.Queue()
    read_lines(taken.put_nowait)
    assert await taken.get() == EndOfInput()


@pytest.mark.parametrize(
    ("piped", "term", "drawn"),
    [
        (None, "xterm", True),
        (None, "dumb", False),
        ("stdin", "xterm", False),
        ("stdout", "xterm", False),
        ("stderr", "xterm", False),
    ],
)
def test_pictures_need_a_terminal_all_around(
    monkeypatch: pytest.MonkeyPatch, piped: str | None, term: str, *, drawn: bool
) -> None:
    monkeypatch.setenv("TERM", term)
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, io.StringIO() if name == piped else Terminal())
    assert terminal.can_draw() is drawn


def test_lines_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "can_draw", lambda: True)
    assert Settings().full_screen
    assert not Settings(plain=True).full_screen
    assert not Settings(json=True).full_screen

"""A whole match in a real terminal, with the keyboard alone: against a real server and an easy house bot."""

import asyncio
import contextlib
import os
import re
import struct
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.faults.proxy import proxy

pty = pytest.importorskip("pty")
fcntl = pytest.importorskip("fcntl")
termios = pytest.importorskip("termios")
pyte: Any = pytest.importorskip("pyte")

WIDTH, HEIGHT = 80, 24
PATIENCE = 30.0
"""Seconds that anything may take on a busy machine."""


class Terminal:
    """A terminal with one of our commands in it."""

    def __init__(self, process: asyncio.subprocess.Process, ours: int) -> None:
        self.process = process
        self._ours = ours
        self._screen = pyte.Screen(WIDTH, HEIGHT)
        self._stream = pyte.ByteStream(self._screen)
        self._news = asyncio.Event()
        asyncio.get_running_loop().add_reader(ours, self._read)

    def _read(self) -> None:
        try:
            data = os.read(self._ours, 65536)
        except OSError:
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._ours)
        self._stream.feed(data)
        self._news.set()

    @property
    def text(self) -> str:
        return "\n".join(self._screen.display)

    async def until(self, pattern: str) -> re.Match[str]:
        """Wait until this is on the screen."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not (found := re.search(pattern, self.text)):
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"no {pattern!r} on the screen:\n{self.text}") from None
        return found

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    async def end(self) -> int:
        async with asyncio.timeout(PATIENCE):
            return await self.process.wait()


@asynccontextmanager
async def terminal(folder: Path, *arguments: str) -> AsyncIterator[Terminal]:
    """Start `tommy` in a terminal of its own."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    process = await started(
        folder, "client_cli", *arguments, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    shown = Terminal(process, ours)
    try:
        yield shown
    finally:
        asyncio.get_running_loop().remove_reader(ours)
        os.close(ours)
        await ended(process)


@asynccontextmanager
async def server(folder: Path) -> AsyncIterator[str]:
    """A real server, and its address."""
    process = await started(
        folder,
        "server.main",
        *("--host", "127.0.0.1", "--port", "0", "--store", "memory:", "--health", "off", "--bots", "0"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE):
            line = ""
            while "serving on" not in line:
                line = (await process.stdout.readline()).decode()
        yield line.split()[-1]
    finally:
        await ended(process)


async def started(folder: Path, module: str, *arguments: str, **streams: Any) -> asyncio.subprocess.Process:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("TOMMY_", "NO_COLOR"))}
    settings = folder / "screen.toml"
    settings.touch()
    own = {
        "TOMMY_SETTINGS": str(settings),
        "TOMMY_KEY_FILE": str(folder / f"key-{arguments[0]}"),
        "TOMMY_RECEIPTS": str(folder / "receipts"),
        "TERM": "xterm-256color",
    }
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *arguments, env=clean | own | {"PYTHONIOENCODING": "utf-8"}, **streams
    )


async def ended(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()


OVER = "The deal was checked and fits"


@asynccontextmanager
async def easy_bot(folder: Path, code: str, url: str) -> AsyncIterator[None]:
    """A house bot that takes the free seat of a match."""
    bot = await started(
        folder,
        "client_cli",
        *("bot", "--join", code, "--level", "easy", "--pace", "0", "--server", url),
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        await ended(bot)


async def place(player: Terminal, turn: int) -> None:
    """Turn a card, send up what fits, and else put it on the piles in turn."""
    stock = f"│ {51 - turn:>2} │  │"
    player.type(" ")
    await player.until(rf"{stock} ?\w+[♣♦♥♠] │|{OVER}")
    player.type(f"a{turn % 4 + 1}")
    await player.until(rf"{stock}    │|{OVER}")


async def test_a_whole_match_with_the_keyboard(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as url,
        terminal(tmp_path, "play", "--create", "--server", url, "--name", "Ada") as player,
    ):
        code = (await player.until("tommy join ([a-z0-9]{8})"))[1]
        async with easy_bot(tmp_path, code, url):
            await player.until("Press Enter when you are ready")
            player.type("\r")
            await player.until("Go! Space turns a card")
            for turn in range(52):
                await place(player, turn)
                if OVER in player.text:
                    break
            await player.until(OVER)
            assert re.search("You win|wins|A draw", player.text)
            player.type("q")
            assert await player.end() == 0


async def test_a_match_whose_network_drops(tmp_path: Path) -> None:
    """What is left to come back is shown; keys do nothing but say so until the network is there again."""
    async with (
        server(tmp_path) as url,
        proxy(int(url.rpartition(":")[2])) as network,
        terminal(tmp_path, "play", "--create", "--ready", "--server", network.url, "--name", "Ada") as player,
    ):
        code = (await player.until("tommy join ([a-z0-9]{8})"))[1]
        async with easy_bot(tmp_path, code, url):
            await player.until("Go! Space turns a card")
            await place(player, 0)
            network.refusing = True
            network.cut()
            await player.until(r"No connection: \d+")
            player.type(" ")
            await player.until("this key did nothing")
            network.refusing = False
            await player.until(r"(?s)\A(?!.*No connection).*│ 51 │  │    │.*Connected again")
            for turn in range(1, 5):
                await place(player, turn)
            player.type("x\r")
            await player.until(OVER)
            player.type("q")
            assert await player.end() == 0

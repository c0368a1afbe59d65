"""What `tommy doctor` looks at, one thing after the other: the server, the key, the terminal, the language."""

import os
import stat
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from client_cli import key_file
from client_cli.announcements import Announcement
from client_cli.connection import Connection
from client_cli.reports import Examined
from client_cli.terminal import can_show
from client_cli.troubles import ClientError, NotAccepted
from client_cli.version import version
from protocol.messages import Matches
from protocol.players import player_of, public_key, tag_of

SMALLEST = (80, 24)
"""Columns and lines of a terminal that is large enough."""
SLOW = 500
"""Milliseconds after which an answer is slow."""
QUESTIONS = 3
"""How often the server is asked, to see how fast it answers."""
SIGNS = "♣♦♥♠"


class Terminal(NamedTuple):
    """What is known of standard output."""

    is_one: bool
    encoding: str
    columns: int
    lines: int


async def server_examined(connection: Connection) -> list[Announcement]:
    """Whether the server can be reached, goes by the name dialled, which version it is, and how fast it answers."""
    url = connection.server
    try:
        async with connection:
            times = [await _answer_time(connection) for _ in range(QUESTIONS)]
            other = connection.welcome.server
    except ClientError as error:
        if isinstance(error.problem, NotAccepted) and error.problem.code == "wrong-host":
            facts = {"host": connection.host, "why": error.problem.why}
            return [Examined("server", fits=True, facts={"server": url}), Examined("host", fits=False, facts=facts)]
        return [Examined("server", fits=False, facts={"server": url}), error.problem]
    fastest = min(times)
    return [
        Examined("server", fits=True, facts={"server": url}),
        Examined("host", fits=True, facts={"host": connection.host}),
        Examined("versions", fits=version() == other, facts={"own": version(), "server": other}),
        Examined("latency", fits=fastest < SLOW, facts={"ms": fastest}),
    ]


async def _answer_time(connection: Connection) -> int:
    began = time.perf_counter()
    await connection.request(Matches())
    return round((time.perf_counter() - began) * 1000)


def key_examined(file: Path) -> Examined:
    """Whether the key is there, is one, and is the player's alone. It stays as it is, whatever it is."""
    facts: dict[str, object] = {"file": str(file)}
    try:
        key = key_file.read(file)
        others = os.name == "posix" and stat.S_IMODE(file.stat().st_mode) & 0o077
    except FileNotFoundError:
        return Examined("key", fits=True, facts=facts | {"tag": None})
    except OSError as error:
        return Examined("key", fits=False, facts=facts | {"why": "unreadable", "error": error.strerror or str(error)})
    kind = key_file.kind_of(key)
    if kind is not key_file.Kind.KEY:
        return Examined("key", fits=False, facts=facts | {"why": kind})
    if others:
        return Examined("key", fits=False, facts=facts | {"why": "readable"})
    return Examined("key", fits=True, facts=facts | {"tag": _tag(key)})


def key_given(key: str) -> Examined:
    """The key that the command line or the environment gives, which counts instead of the one in the file."""
    return Examined("key", fits=True, facts={"file": None, "tag": _tag(key)})


def _tag(key: str) -> str:
    return tag_of(player_of(public_key(key)))


def terminal_examined(terminal: Terminal, environment: Mapping[str, str], language: str) -> Iterator[Examined]:
    """What the terminal can do."""
    yield Examined("terminal", fits=True, facts={"is_one": terminal.is_one})
    if terminal.is_one:
        fits = terminal.columns >= SMALLEST[0] and terminal.lines >= SMALLEST[1]
        yield Examined("size", fits=fits, facts={"columns": terminal.columns, "lines": terminal.lines})
        colourless = "TERM" if environment.get("TERM", "dumb") == "dumb" else None
        if environment.get("NO_COLOR"):
            colourless = "NO_COLOR"
        yield Examined("colour", fits=colourless is None, facts={"why": colourless})
    yield Examined("signs", fits=can_show(SIGNS, terminal.encoding), facts={"encoding": terminal.encoding})
    yield Examined("language", fits=True, facts={"language": language})

"""The real commands as real processes, for tests of the whole: a server, players, bots, spectators."""

import asyncio
import json
import os
import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

BIN = Path(sys.executable).parent
PATIENCE = 60.0
"""Seconds that anything may take on a busy machine."""


class Command:
    """A running command that tells what it does in lines of JSON. `events` is all it has told so far."""

    def __init__(self, process: asyncio.subprocess.Process, stream: asyncio.StreamReader) -> None:
        self.process = process
        self.events: list[dict[str, Any]] = []
        self._stream = stream

    @classmethod
    async def started(cls, *command: str, told_on: str = "stdout", **environment: str) -> Self:
        """Start one of our commands; `told_on` is where its JSON comes out."""
        process = await asyncio.create_subprocess_exec(
            BIN / command[0],
            *command[1:],
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE if told_on == "stdout" else asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE if told_on == "stderr" else None,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **environment},
            limit=1 << 20,
        )
        stream = process.stdout if told_on == "stdout" else process.stderr
        assert stream is not None
        return cls(process, stream)

    async def event(self, name: str, **facts: object) -> dict[str, Any]:
        """The next event of that name with these facts."""
        async with asyncio.timeout(PATIENCE):
            while line := await self._stream.readline():
                event: dict[str, Any] = json.loads(line)
                self.events.append(event)
                if event.get("event") == name and all(event.get(fact) == value for fact, value in facts.items()):
                    return event
        raise AssertionError(f"no {name!r} came; the last was {self.events[-1:]}")

    async def type(self, line: str) -> None:
        """Type a line into the command."""
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        await self.process.stdin.drain()

    async def end(self) -> int:
        """Hear the command out, and return its exit code."""
        async with asyncio.timeout(PATIENCE):
            while line := await self._stream.readline():
                self.events.append(json.loads(line))
            return await self.process.wait()

    def all(self, name: str) -> list[dict[str, Any]]:
        """The events of that name so far."""
        return [event for event in self.events if event.get("event") == name]

    async def kill(self) -> None:
        """Kill the command as a power cut would."""
        self.process.kill()
        await self.process.wait()


class House:
    """A server on this machine that can be killed and started again in the same place, and commands that use it."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.options = options
        self.port = 0
        self.running: list[Command] = []

    async def open(self) -> Command:
        """Start the server, at first on any free port, later on the same again."""
        self.server = await self._start(
            "tommy-server",
            "--host=127.0.0.1",
            f"--port={self.port}",
            f"--store=sqlite:{self.folder / 'matches.db'}",
            "--log-json",
            *self.options,
            told_on="stderr",
        )
        self.port = (await self.server.event("serving"))["port"]
        return self.server

    async def tommy(self, *arguments: str, key: str | None = None, name: str = "Ann") -> Command:
        """Start a client of this server."""
        server = f"--server=127.0.0.1:{self.port}"
        key = key or secrets.token_hex(32)
        return await self._start("tommy", server, "--name", name, "--json", *arguments, TOMMY_KEY=key)

    async def record(self, match: str) -> dict[str, Any]:
        """Fetch the record of a match, and have `tommy verify` check it, also against the receipts of all who were there."""
        path = self.folder / "record.json"
        assert await (await self.tommy("record", match, "-o", str(path))).end() == 0
        check = await self._start("tommy", "--json", "verify", str(path))
        assert await check.end() == 0
        assert check.all("receipt-checked")
        assert [told for told in check.all("checked") if not told["fits"]] == []
        record: dict[str, Any] = json.loads(path.read_text())
        return record

    async def _start(self, *command: str, told_on: str = "stdout", **environment: str) -> Command:
        kept = {"TOMMY_RECEIPTS": str(self.folder / "receipts")}
        started = await Command.started(*command, told_on=told_on, **kept, **environment)
        self.running.append(started)
        return started


@asynccontextmanager
async def house(folder: Path, *options: str) -> AsyncIterator[House]:
    """A server with these options, and its clients; whatever still runs at the end is ended."""
    hosted = House(folder, *options)
    try:
        await hosted.open()
        yield hosted
    finally:
        for command in hosted.running:
            if command.process.returncode is None:
                await command.kill()

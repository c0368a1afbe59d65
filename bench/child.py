"""The servers that are measured, each in a process of its own.

usage: python -m bench.child {race | costly | echo | broadcast} STORE [CORE]

It writes its port on a line, answers every line with what it has used up so far, and stops when its input ends: so it
never outlives whoever started it.
"""

import asyncio
import gc
import json
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_network

from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed

import server.course
import server.match
from bench.costly import costly_deal
from bench.machine import pin, raise_file_limit, resident
from server.app import RaceServer
from server.limits import Limits
from server.main import new_event_loop, set_up_logging
from server.settings import Settings

COUNTDOWN = 50
"""Milliseconds: nobody has to get ready here."""
FILES = 8192
LIMITS = Limits(trusted=(ip_network("127.0.0.0/8"),))
"""Clients may say that they come from elsewhere; those that do not are not counted."""


@asynccontextmanager
async def serving(kind: str, store: str) -> AsyncIterator[int]:
    """One of the servers, as long as it is wanted."""
    if kind in ("race", "costly"):
        server.match.COUNTDOWN = COUNTDOWN
        if kind == "costly":
            server.course.deal = costly_deal  # type: ignore[attr-defined]
        race = RaceServer(Settings(host="127.0.0.1", port=0, store=store, bots=0, limits=LIMITS))
        port = await race.open()
        try:
            yield port
        finally:
            await race.close()
    else:
        async with serve(
            echo if kind == "echo" else tell_everybody,
            "127.0.0.1",
            0,
            compression=None,
            ping_interval=5,
            ping_timeout=10,
        ) as bare:
            yield next(iter(bare.sockets)).getsockname()[1]


async def echo(socket: ServerConnection) -> None:
    """Send everything back."""
    with suppress(ConnectionClosed):
        async for frame in socket:
            await socket.send(frame)


async def tell_everybody(socket: ServerConnection) -> None:
    """Send everything to all who are connected."""
    with suppress(ConnectionClosed):
        async for frame in socket:
            broadcast(socket.server.connections, frame)


async def main(kind: str, store: str) -> None:
    """Serve until the input ends."""
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    async with serving(kind, store) as port:
        say(port)
        while (line := await lines.readline()).strip():
            if line.strip() == b"memory":
                gc.collect()
            say({"cpu": time.process_time(), "memory": resident()})


def say(something: object) -> None:
    """Write it on a line of its own."""
    sys.stdout.write(json.dumps(something) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    kind, store, *core = sys.argv[1:]
    for number in core:
        pin(int(number))
    raise_file_limit(FILES)
    set_up_logging("warning", as_json=False)
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(main(kind, store))

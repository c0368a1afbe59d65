"""What a connection costs that does nothing: the growth of a server's memory over many of them."""

import asyncio

from bench.hello import greeted
from bench.machine import cores, pinned, raise_file_limit
from bench.measured import measured
from bench.table import Table
from bench.thin import ThinSocket
from server.main import new_event_loop

CONNECTIONS = 2_000
SPARE_FILES = 200


def run(*, quick: bool) -> list[Table]:
    """Measure greeted connections to a race server, and connections to the echo server."""
    pair = cores()
    wanted = 20 if quick else CONNECTIONS
    number = min(wanted, raise_file_limit(2 * wanted + SPARE_FILES) - SPARE_FILES)
    with asyncio.Runner(loop_factory=new_event_loop) as runner, pinned(pair[1] if pair else None):
        return [runner.run(_measure(number, pair[0] if pair else None))]


async def _measure(number: int, core: int | None) -> Table:
    race = await _growth("race", number, core)
    bare = await _growth("echo", number, core)
    return Table(
        f"An idle connection: growth of the server over {number:,} of them",
        ("KiB each", "KiB each, bare", "ratio"),
        {"greeted by the race server": (race, bare, race / bare)},
        ("bare: connected to an echo server of the same library and settings",),
    )


async def _growth(kind: str, number: int, core: int | None) -> float:
    """KiB that one more connection adds; the first few are not counted, they pay for what all share."""
    async with measured(kind, core=core) as server:
        sockets = [await _connected(server.port, greet=kind == "race") for _ in range(min(50, number))]
        before = await server.memory()
        sockets += [await _connected(server.port, greet=kind == "race") for _ in range(number)]
        grown = await server.memory() - before
        for socket in sockets:
            socket.close()
    return max(grown, 1) / number / 1024


async def _connected(port: int, *, greet: bool) -> ThinSocket:
    if not greet:
        return await ThinSocket.connected(port, lambda _content: None)
    return await greeted(port, "Ada")

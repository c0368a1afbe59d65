"""What stands before two servers: HAProxy with the configuration that is shipped, or where there is none, a stand-in."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from tests.faults.nodes import Node
from tests.faults.proxy import Proxy
from tests.faults.waiting import WITHIN, comes_true
from tests.ports import free_port

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "haproxy.cfg"
CHECK_EVERY = 0.25


def kinds() -> list[str]:
    """The balancers that there are: the stand-in is tried in any case, so that it can be relied on elsewhere."""
    return ["haproxy", "stand-in"] if shutil.which("haproxy") else ["stand-in"]


class StandIn(Proxy):
    """Passes connections on to the servers that say they are ready, one after the other."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        super().__init__(0)
        self._nodes = nodes
        self._ready = list(nodes)
        self._turn = 0

    async def open(self) -> None:
        await super().open()
        self._checking = asyncio.create_task(self._check())

    async def close(self) -> None:
        self._checking.cancel()
        await asyncio.gather(self._checking, return_exceptions=True)
        await super().close()

    def choose(self) -> int:
        self._turn += 1
        there = self._ready or self._nodes
        return there[self._turn % len(there)].port

    async def _check(self) -> None:
        while True:
            self._ready = [node for node in self._nodes if await node.status("/readyz") == 200]
            await asyncio.sleep(CHECK_EVERY)


@asynccontextmanager
async def balanced(kind: str, folder: Path, first: Node, second: Node) -> AsyncIterator[str]:
    """The address at which players reach both servers."""
    if kind == "haproxy":
        async with _haproxy(folder, first, second) as url:
            yield url
    else:
        stand_in = StandIn((first, second))
        await stand_in.open()
        try:
            yield stand_in.url
        finally:
            await stand_in.close()


@asynccontextmanager
async def _haproxy(folder: Path, first: Node, second: Node) -> AsyncIterator[str]:
    port = free_port()
    places = {
        "TOMMY_BIND": f"127.0.0.1:{port}",
        "TOMMY_NODE_A": f"127.0.0.1:{first.port}",
        "TOMMY_NODE_B": f"127.0.0.1:{second.port}",
        "TOMMY_HEALTH_PORT_A": str(first.health_port),
        "TOMMY_HEALTH_PORT_B": str(second.health_port),
    }
    with (folder / "haproxy.log").open("wb") as log:
        process = subprocess.Popen(  # noqa: ASYNC220 - it takes no time
            ["haproxy", "-db", "-f", CONFIGURATION], env={**os.environ, **places}, stdout=log, stderr=log
        )
    try:
        await comes_true(lambda: process.poll() is not None or _answers(port))
        assert process.poll() is None, (folder / "haproxy.log").read_text()
        yield f"ws://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(WITHIN)


async def _answers(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True

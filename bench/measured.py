"""A measured server, seen from here: it is started, asked what it has used up, and stopped."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


class Measured:
    """A server in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self._process = process
        self.port = port

    async def cpu(self) -> float:
        """Seconds of processor time it has used, all its threads together."""
        return float((await self._ask("cpu"))["cpu"])

    async def memory(self) -> int:
        """Bytes of memory it takes now."""
        return int((await self._ask("memory"))["memory"])

    async def _ask(self, what: str) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{what}\n".encode())
        return json.loads(await self._process.stdout.readline())


@asynccontextmanager
async def measured(kind: str, store: str = "memory:", core: int | None = None) -> AsyncIterator[Measured]:
    """Start one of the servers of `bench.child`, and stop it afterwards."""
    pinning = () if core is None else (str(core),)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.child", kind, store, *pinning),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        first = await process.stdout.readline()
        if not first:
            raise RuntimeError(f"the {kind} server did not start")
        yield Measured(process, json.loads(first))
    finally:
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), 10)
        except TimeoutError:
            process.kill()
            await process.wait()

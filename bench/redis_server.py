"""A Redis for the time of a measurement, if this machine has one."""

import asyncio
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path


@asynccontextmanager
async def redis_server(folder: Path) -> AsyncIterator[str | None]:
    """Its address for `--store`, with an append-only file in the folder; None where there is no redis-server."""
    program = shutil.which("redis-server")
    if program is None:
        yield None
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    process = await asyncio.create_subprocess_exec(
        *(program, "--port", port, "--bind", "127.0.0.1", "--dir", str(folder), "--save", ""),
        *("--appendonly", "yes", "--appendfsync", "everysec"),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        while b"Ready to accept connections" not in (line := await process.stdout.readline()):
            if not line:
                raise RuntimeError("the redis-server did not start")
        yield f"redis://127.0.0.1:{port}"
    finally:
        process.terminate()
        await process.wait()

"""Real servers as processes: started, killed, frozen, thawed, told to stop, and started again at the same place."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType

from tests.faults.waiting import WITHIN, comes_true
from tests.ports import free_port

ROOT = Path(__file__).parents[2]


class Node:
    """One server. `name` is for the reader; it serves at `url` while it runs, and again at the same after a restart.

    It stops in order in the end, unless it has been killed.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        store: str,
        *options: str,
        module: str = "tests.faults.launch",
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.name = name
        self.port, self.health_port = free_port(), free_port()
        self.url = f"ws://127.0.0.1:{self.port}"
        self._log = folder / f"{name}.log"
        self._command = [
            *(sys.executable, "-m", module, "--host", "127.0.0.1", "--port", str(self.port), "--store", store),
            *("--health", f"127.0.0.1:{self.health_port}", "--bots", "0", *options),
        ]
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None
        self._starts = 0

    # Starting

    async def start(self) -> None:
        """Start it, and return when it takes players."""
        self.launch()
        await self.up()

    def launch(self) -> None:
        """Start it, and do not wait."""
        self._starts += 1
        clean = {name: value for name, value in os.environ.items() if not name.startswith("TOMMY_")}
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=ROOT, env={**clean, **self._environment}, stdout=log, stderr=log
            )

    async def up(self) -> None:
        """Return when it takes players."""
        await comes_true(self._serves)

    async def _serves(self) -> bool:
        assert self.running, f"{self.name} has ended:\n{self.said()}"
        return self.said().count(f" serving on {self.url}") == self._starts and await self.status("/readyz") == 200

    # Ending, or nearly

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait(WITHIN)

    def terminate(self) -> None:
        """Tell it to stop, and do not wait."""
        self.process.terminate()

    async def stop(self) -> None:
        """Tell it to stop, and wait until it has, without an error."""
        self.terminate()
        await self.gone()

    async def gone(self) -> None:
        """Wait until it has stopped in order."""
        await comes_true(lambda: not self.running)
        assert self.process.returncode == 0, f"{self.name} has failed:\n{self.said()}"

    def freeze(self) -> None:
        """Have it do nothing, with all its connections open."""
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Have it go on where it was, as if no time had passed."""
        self.process.send_signal(signal.SIGCONT)

    @property
    def process(self) -> "subprocess.Popen[bytes]":
        assert self._process is not None, f"{self.name} has not been started"
        return self._process

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    # Asking

    def said(self) -> str:
        """All that it has written to either stream, over all its runs."""
        return self._log.read_text() if self._log.exists() else ""

    async def status(self, path: str) -> int:
        """The status of a page about its health; 0 if there is no answer."""
        return (await self.page(path))[0]

    async def page(self, path: str) -> tuple[int, str]:
        """A page about its health, with its status; 0 if there is no answer."""
        return await page(self.health_port, path)

    async def figure(self, name: str) -> float:
        """One of the plain figures among its metrics."""
        _, text = await self.page("/metrics")
        (line,) = [line for line in text.splitlines() if line.startswith(f"{name} ")]
        return float(line.split()[1])

    def clear_away(self) -> None:
        """End it whatever it does."""
        if self.running:
            self.process.kill()
            self.process.wait(WITHIN)
        self.show()

    def show(self) -> None:
        """Show what it said to whoever looks at a test that failed."""
        print(f"---- {self.name} said:\n{self.said()}")  # noqa: T201 - pytest shows it with a failure, and only then


async def page(port: int, path: str) -> tuple[int, str]:
    """What a server on this machine answers to a GET; the status is 0 if it does not answer within a second."""
    writer = None
    try:
        async with asyncio.timeout(3):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
            return (int(head.split(" ", 2)[1]), body) if head else (0, "")
    except OSError:  # of time, too
        return 0, ""
    finally:
        if writer is not None:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


@asynccontextmanager
async def running(*nodes: Node) -> AsyncIterator[tuple[Node, ...]]:
    """These servers, all started at once, for the time of a block. Those that run at its end can still stop in order."""
    try:
        for node in nodes:
            node.launch()
        await asyncio.gather(*(node.up() for node in nodes))
        yield nodes
        alive = [node for node in nodes if node.running]
        await asyncio.gather(*(node.stop() for node in alive))
        for node in nodes:
            assert "a beat failed" not in node.said(), "whatever the store does, that is a slip of ours"
    finally:
        for node in nodes:
            node.clear_away()

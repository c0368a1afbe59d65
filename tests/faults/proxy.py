"""A network that fails on demand: a TCP proxy on this machine, between players and a server or a server and its Redis."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

CHUNK = 65_536


class Line:
    """One connection through the proxy: two ways, each copied by a task of its own."""

    def __init__(self, near: asyncio.StreamWriter, far: asyncio.StreamWriter) -> None:
        self.near = near
        self.far = far

    def cut(self) -> None:
        """Both ends see a connection that is reset."""
        self.near.transport.abort()
        self.far.transport.abort()


class Proxy:
    """Passes on what comes to `port`, to `target` on this machine, as long as it is let."""

    def __init__(self, target: int) -> None:
        self.target = target
        """The port that new connections are passed on to."""
        self.port = 0
        self.delay = 0.0
        """Seconds that everything takes, either way."""
        self.refusing = False
        """Whether new connections are cut at once."""
        self.deaf = False
        """Whether everything that comes back from the target is lost, while it still hears what is sent."""
        self.passed = 0
        """Bytes that have gone to the target so far."""
        self._cut_after: int | None = None
        self._flows = asyncio.Event()
        self._flows.set()
        self._lines: set[Line] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    @property
    def lines(self) -> int:
        """How many connections there are."""
        return len(self._lines)

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._welcome, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    # Faults

    def cut(self) -> None:
        """Reset all connections. New ones may come."""
        for line in list(self._lines):
            line.cut()

    def cut_after(self, size: int) -> None:
        """Let so many bytes more through to the target, and then reset all connections, once."""
        self._cut_after = self.passed + size

    def swallow(self) -> None:
        """Lose everything either way, without a word to anybody: as if the cable were pulled."""
        self._flows.clear()

    def flow(self) -> None:
        """The cable is in again: what was lost is sent once more, as TCP does."""
        self._flows.set()

    # Passing on

    def choose(self) -> int:
        """The port that a new connection is passed on to."""
        return self.target

    def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        if self.refusing:
            near.transport.abort()
            return
        try:
            await self._flows.wait()
            back, far = await asyncio.open_connection("127.0.0.1", self.choose())
        except OSError:
            near.transport.abort()
            return
        line = Line(near, far)
        self._lines.add(line)
        try:
            with contextlib.suppress(OSError):
                ways = [
                    asyncio.ensure_future(self._pass(reader, far, there=True)),
                    asyncio.ensure_future(self._pass(back, near, there=False)),
                ]
                try:
                    await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for way in ways:
                        way.cancel()
                    await asyncio.gather(*ways, return_exceptions=True)
        finally:
            self._lines.discard(line)
            near.close()
            far.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, there: bool) -> None:
        while data := await reader.read(CHUNK):
            if self.delay:
                await asyncio.sleep(self.delay)
            await self._flows.wait()
            if there and self._cut_after is not None and self.passed + len(data) >= self._cut_after:
                writer.write(data[: self._cut_after - self.passed])
                await writer.drain()
                self._cut_after = None
                self._cut_in_order()
                return
            if there:
                self.passed += len(data)
            elif self.deaf:
                continue
            writer.write(data)
            await writer.drain()

    def _cut_in_order(self) -> None:
        """Reset the near ends; the far ends get what was let through."""
        for line in list(self._lines):
            line.near.transport.abort()
            line.far.close()


@asynccontextmanager
async def proxy(target: int) -> AsyncIterator[Proxy]:
    """A proxy to that port for the time of a block."""
    made = Proxy(target)
    await made.open()
    try:
        yield made
    finally:
        await made.close()

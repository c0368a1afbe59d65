"""The health of the server, told over plain HTTP on an address of its own: for probes, load balancers and Prometheus.

    /healthz    200 as long as the event loop turns
    /readyz     200, or 503 with the reasons why no new players should be sent here
    /metrics    the figures

It speaks just enough HTTP/1.1 for that: one GET on one connection. What a visitor may cost is bounded in time and size.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus

import structlog

LONGEST_REQUEST = 8192
"""Bytes, up to the end of the headers."""
READY_WITHIN = 2.0
"""Seconds after which the answer to `/readyz` is that there was none."""
PATIENCE = 5.0
"""Seconds for a whole visit."""
MOST_VISITORS = 32
"""Connections at a time. Who comes then is shown the door."""
PLAIN = "text/plain; charset=utf-8"
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"

log = structlog.get_logger()


class Health:
    """Answers for the server's health: `ready` says what speaks against new players, `metrics` gives the figures."""

    def __init__(self, ready: Callable[[], Awaitable[list[str]]], metrics: Callable[[], bytes]) -> None:
        self._ready = ready
        self._metrics = metrics
        self._server: asyncio.Server | None = None
        self._visits: set[asyncio.Task[None]] = set()

    async def open(self, host: str, port: int) -> int:
        """Start answering, and return the port. Raises `OSError` if the address cannot be had."""
        self._server = await asyncio.start_server(self._welcome, host, port, limit=LONGEST_REQUEST)
        found: int = self._server.sockets[0].getsockname()[1]
        return found

    async def close(self) -> None:
        """Stop answering, and hang up on everyone."""
        if self._server is None:
            return
        self._server.close()
        for visit in self._visits:
            visit.cancel()
        await asyncio.gather(*self._visits, return_exceptions=True)
        await self._server.wait_closed()

    def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._visits) >= MOST_VISITORS:
            writer.transport.abort()
            return
        visit = asyncio.get_running_loop().create_task(self._visit(reader, writer))
        self._visits.add(visit)
        visit.add_done_callback(partial(self._part, writer))

    def _part(self, writer: asyncio.StreamWriter, visit: asyncio.Task[None]) -> None:
        self._visits.discard(visit)
        writer.transport.abort()  # what was answered is gone already, and what was not will never be

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.set_write_buffer_limits(0)  # so that `drain` waits until everything is gone
        with suppress(OSError, EOFError):  # of time, too
            async with asyncio.timeout(PATIENCE):
                writer.write(await self._answer_to(reader))
                await writer.drain()

    async def _answer_to(self, reader: asyncio.StreamReader) -> bytes:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            return _response(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "this is too long\n")
        match head.split(b"\r\n", 1)[0].split(b" "):
            case [method, target, (b"HTTP/1.1" | b"HTTP/1.0")]:
                pass
            case _:
                return _response(HTTPStatus.BAD_REQUEST, "this is no HTTP request\n")
        if method != b"GET":
            return _response(HTTPStatus.METHOD_NOT_ALLOWED, "GET is all there is\n")
        try:
            return await self._answer(target.partition(b"?")[0])
        except Exception:
            log.exception("no answer about the server's health")
            return _response(HTTPStatus.INTERNAL_SERVER_ERROR, "the log says what went wrong\n")

    async def _answer(self, path: bytes) -> bytes:
        match path:
            case b"/healthz":
                return _response(HTTPStatus.OK, "ok\n")
            case b"/readyz":
                reasons = await self._reasons()
                if reasons:
                    return _response(HTTPStatus.SERVICE_UNAVAILABLE, "".join(f"{reason}\n" for reason in reasons))
                return _response(HTTPStatus.OK, "ok\n")
            case b"/metrics":
                return _response(HTTPStatus.OK, self._metrics(), PROMETHEUS)
            case _:
                return _response(HTTPStatus.NOT_FOUND, "there are /healthz, /readyz and /metrics\n")

    async def _reasons(self) -> list[str]:
        try:
            async with asyncio.timeout(READY_WITHIN):
                return await self._ready()
        except TimeoutError:
            return [f"no answer within {READY_WITHIN:g} s"]


def _response(status: HTTPStatus, body: str | bytes, kind: str = PLAIN) -> bytes:
    content = body.encode() if isinstance(body, str) else body
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        f"Content-Type: {kind}",
        f"Content-Length: {len(content)}",
        "Cache-Control: no-store",
        "Connection: close",
    ]
    if status is HTTPStatus.METHOD_NOT_ALLOWED:
        lines.append("Allow: GET")
    return "\r\n".join([*lines, "", ""]).encode() + content

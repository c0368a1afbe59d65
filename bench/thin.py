"""A WebSocket client that costs little: 2,000 of them must not be what is measured."""

import asyncio
import base64
import os
from collections.abc import Callable
from typing import Self, cast

CLOSE, PING, PONG = 0x88, 0x89, 0x8A
NO_MASK = bytes(4)
"""The mask that a client must send, with nothing to hide: masking is for the good of proxies, and there is none here."""


class ThinSocket(asyncio.Protocol):
    """One connection. `heard` is called with the content of each frame, binary or text."""

    def __init__(self, heard: Callable[[bytes], None]) -> None:
        self.heard = heard
        self.frames = 0
        self.received = 0
        self._open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._rest = b""

    @classmethod
    async def connected(
        cls, port: int, heard: Callable[[bytes], None], subprotocol: str | None = None, address: str | None = None
    ) -> Self:
        """A connection to a server on this machine, from another address if one is named, as a proxy would."""
        _, socket = await asyncio.get_running_loop().create_connection(lambda: cls(heard), "127.0.0.1", port)
        await socket.shake_hands(port, subprotocol, address)
        return socket

    async def shake_hands(self, port: int, subprotocol: str | None, address: str | None) -> None:
        """Ask for the WebSocket, and wait until it is there."""
        lines = [
            "GET / HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13",
            *([f"Sec-WebSocket-Protocol: {subprotocol}"] if subprotocol else []),
            *([f"X-Forwarded-For: {address}"] if address else []),
        ]
        self._transport.write("\r\n".join([*lines, "", ""]).encode())
        await self._open

    def send(self, content: bytes, kind: int = 0x82) -> None:
        """Send a frame, a binary one unless something else is said."""
        length = len(content)
        size = bytes((0x80 | length,)) if length < 126 else b"\xfe" + length.to_bytes(2, "big")
        self._transport.write(bytes((kind,)) + size + NO_MASK + content)

    def close(self) -> None:
        """Hang up."""
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._open.done():
            self._open.set_exception(exc or ConnectionError("the server hung up"))

    def data_received(self, data: bytes) -> None:
        data = self._rest + data
        if not self._open.done():
            head, blank, data = data.partition(b"\r\n\r\n")
            if not blank:
                self._rest = head
                return
            if not head.startswith(b"HTTP/1.1 101 "):
                self._open.set_exception(ConnectionError(head.decode(errors="replace")))
                return
            self._open.set_result(None)
        at, end = 0, len(data)
        while end - at >= 2:
            start, length = at + 2, data[at + 1]
            if length >= 126:
                wide = 2 if length == 126 else 8
                start += wide
                length = int.from_bytes(data[at + 2 : start], "big")
            if end < start or end - start < length:
                break
            kind, content = data[at], data[start : start + length]
            at = start + length
            if kind == PING:
                self.send(content, PONG)
            elif kind not in (PONG, CLOSE):
                self.frames += 1
                self.received += length
                self.heard(content)
        self._rest = data[at:]


def ignore(_content: bytes) -> None:
    """Listen to nothing."""

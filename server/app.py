"""The server as a whole: opens the store, takes up its matches, listens, and closes in order."""

import asyncio
import http
import signal
from collections.abc import Callable
from importlib.metadata import version

import structlog
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from protocol.codec import ENCODINGS, LARGEST_CLIENT_FRAME
from server.house import House
from server.hub import Hub
from server.lobby import Lobby
from server.session import Session
from server.settings import BadSetting, Settings, store_at

HELLO_WITHIN = 10.0
RESTART = 1012
"""The close code that tells clients to come back in a moment."""

log = structlog.get_logger()


class RaceServer:
    """A race server with these settings."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.version = version("tommy-race")
        self.store = store_at(settings.store)
        self.hub = Hub(self.store)
        self.house = House(settings.bots)
        self.lobby = Lobby(self.hub, self.house, settings.games)

    async def open(self) -> int:
        """Start serving, and return the port. Raises `BadSetting` or `UnusableStore`."""
        await self.store.open()
        await self.hub.open()
        try:
            self._server: Server = await serve(
                self._serve,
                self.settings.host,
                self.settings.port,
                subprotocols=list(ENCODINGS),  # type: ignore[arg-type]
                process_request=self._look_at,
                compression=None,
                max_size=LARGEST_CLIENT_FRAME,
                ping_interval=5,
                ping_timeout=10,
                close_timeout=2,
                open_timeout=10,
                server_header=f"tommy-server/{self.version}",
            )
        except OSError as error:
            await self.hub.close()
            await self.store.close()
            where = f"{self.settings.host} port {self.settings.port}"
            raise BadSetting(f"cannot listen on {where}: {error.strerror or error}") from error
        port: int = next(iter(self._server.sockets)).getsockname()[1]
        self.house.open(f"ws://{self.settings.here(port)}", await self.store.house_secret())
        self.lobby.take_up()
        log.info("serving", host=self.settings.host, port=port, store=self.store.address, matches=len(self.hub.tables))
        return port

    async def close(self) -> None:
        """Take nothing new, send everyone off to come back later, and write what is left to write."""
        self.lobby.closing = True
        self._server.close(code=RESTART, reason="the server is restarting")
        await self._server.wait_closed()
        await self.house.close()
        await self.hub.close()
        await self.store.close()
        log.info("closed")

    async def _serve(self, socket: ServerConnection) -> None:
        await Session(socket, self.hub, self.lobby, self.version).run(HELLO_WITHIN)

    def _look_at(self, socket: ServerConnection, request: Request) -> Response | None:
        """Answer what is no handshake of ours in words: a browser's visit, or a client of another version."""
        if "websocket" not in request.headers.get("Upgrade", "").lower():
            text = (
                f"This is a tommy-race server, version {self.version}. Race here with: tommy play --server HOST:PORT\n"
            )
            return socket.respond(http.HTTPStatus.OK, text)
        offered = {
            part.strip() for value in request.headers.get_all("Sec-WebSocket-Protocol") for part in value.split(",")
        }
        if not offered & ENCODINGS.keys():
            asked = ", ".join(sorted(offered)) or "no subprotocol"
            text = f"version: this server speaks {' and '.join(ENCODINGS)}; the client offers {asked[:100]}\n"
            return socket.respond(http.HTTPStatus.BAD_REQUEST, text)
        return None


async def run(server: RaceServer, announce: Callable[[int], None]) -> None:
    """Serve until SIGTERM or Ctrl-C; `announce` is called with the port as soon as clients can come."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    port = await server.open()
    announce(port)
    await stop.wait()
    await server.close()

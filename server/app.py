"""The server as a whole: opens the store, takes up its matches, listens, and closes in order."""

import asyncio
import contextlib
import http
import signal
import ssl
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.metadata import version
from time import monotonic

import structlog
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from protocol.codec import ENCODINGS, LARGEST_CLIENT_FRAME
from server.figures import Figures
from server.health import Health
from server.hosts import hosts_of
from server.house import House
from server.hub import Hub
from server.keeper import Keeper
from server.limits import Doors, client_address
from server.lobby import Lobby
from server.past import Archive
from server.session import Session
from server.settings import BadSetting, Settings, store_at

HELLO_WITHIN = 10.0
RESTART = 1012
"""The close code that tells clients to come back in a moment."""
LATER = 1013
"""The close code that tells clients from a busy address to come back later."""
CLOSE_WITHIN = 15.0
"""Seconds after which a server that is told to stop does so, whatever still hangs."""

log = structlog.get_logger()


class RaceServer:
    """A race server with these settings."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.version = version("tommy-race")
        self.store = store_at(settings.store)
        self.house = House(settings.bots)
        self.doors = Doors(settings.limits)
        self.figures = Figures(lambda: len(self.hub.connections), self._spectators, self._states, self._overdue)
        self.hub = Hub(self.store, self.house, self.doors, self.figures)
        self.keeper = Keeper(self.hub, self.store.keep if settings.keep is None else settings.keep)
        self.lobby = Lobby(self.hub, self.house, settings.games)
        self.archive = Archive(self.store, self.hub.thinking)
        self.health = Health(self._unready, self.figures.exposition)
        self.waiting = 0
        """How many matches had not ended when the server started."""
        self._inner: Server | None = None
        """Where house bots come in, if everybody else has to use TLS."""

    async def open(self) -> int:
        """Start serving, and return the port. Raises `BadSetting` or `UnusableStore`."""
        async with contextlib.AsyncExitStack() as undo:
            await self.hub.open()
            undo.push_async_callback(self.hub.close)
            self.house.secret = await self.store.house_secret()
            self.waiting = len(await self.store.open_matches())
            await self.keeper.open()
            undo.push_async_callback(self.keeper.close)
            settings = self.settings
            self._server = await self._listen(settings.host, settings.port, settings.tls())
            undo.callback(self._server.close)
            port = _port(self._server)
            self.house.server = f"ws://{settings.here(port)}"
            if settings.certificate is not None:  # which is not made out for this machine's own bots
                self._inner = await self._listen("127.0.0.1", 0, None)
                undo.callback(self._inner.close)
                self.house.server = f"ws://127.0.0.1:{_port(self._inner)}"
            await self._open_health()
            undo.pop_all()
        self.figures.start()
        log.info("serving", host=self.settings.host, port=port, store=self.store.address, matches=self.waiting)
        return port

    async def _listen(self, host: str, port: int, tls: ssl.SSLContext | None) -> Server:
        try:
            return await serve(
                self._serve,
                host,
                port,
                ssl=tls,
                subprotocols=list(ENCODINGS),  # type: ignore[arg-type]
                origins=[None, *self.settings.origins],  # type: ignore[list-item]
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
            raise BadSetting(f"cannot listen on {host} port {port}: {error.strerror or error}") from error

    async def _open_health(self) -> None:
        """Tell of the server's health where the settings say so."""
        health = self.settings.health
        if health is None:
            return
        try:
            self.health_port = await self.health.open(health.host, health.port)
        except OSError as error:
            trouble = f"cannot tell of the server's health on {health}: {error.strerror or error}"
            if health.asked_for:
                raise BadSetting(trouble) from error
            log.info(trouble)

    async def drain(self) -> None:
        """Take nothing new, and let it be known; those who are here race on for as long as the settings say."""
        self.hub.draining = True
        await asyncio.sleep(self.settings.drain)

    async def close(self) -> None:
        """Take nothing new, send everyone off to come back later, and write what is left to write."""
        self.hub.draining, self.hub.ledger.patience = True, 0.0
        try:
            async with asyncio.timeout(CLOSE_WITHIN):
                for listener in filter(None, (self._server, self._inner)):
                    listener.close(code=RESTART, reason="the server is going down: come back, to it or to another")
                    await listener.wait_closed()
                await self.house.close()
                await self.keeper.close()
                await self.hub.close()
        except TimeoutError:
            log.warning("closed in a hurry", after=CLOSE_WITHIN)
        finally:
            self.figures.stop()
            await self.health.close()
        log.info("closed")

    async def _serve(self, socket: ServerConnection) -> None:
        address = self._address(socket)
        why = self.doors.enter(address, monotonic())
        if why is not None:
            self.figures.turned_away(why)
            await socket.close(LATER, f"too many connections from where you are ({why}): come back later")
            return
        try:
            await Session(socket, self, address, self._hosts(socket)).run(HELLO_WITHIN)
        finally:
            self.doors.leave(address)

    def _address(self, socket: ServerConnection) -> str:
        """Where a client is: at the other end of the socket, or where a trusted proxy says."""
        peer = socket.remote_address
        forwarded = socket.request.headers.get_all("X-Forwarded-For") if socket.request else []
        return client_address(peer[0] if peer else "", ",".join(forwarded), self.settings.limits.trusted)

    def _hosts(self, socket: ServerConnection) -> Sequence[str]:
        """What the server is called by a client that has connected."""
        peer = socket.remote_address
        headers = socket.request.headers if socket.request else Headers()
        return hosts_of(self.settings.names, headers, peer[0] if peer else "", self.settings.limits.trusted)

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

    # Health and figures

    async def _unready(self) -> list[str]:
        """Why no new players should be sent here."""
        reasons = []
        if self.hub.draining:
            reasons.append("this server is about to stop")
        if not await self.store.ready():
            reasons.append("the store cannot be reached")
        return reasons

    def _spectators(self) -> int:
        return sum(len(table.watching) for table in self.hub.tables.values())

    def _overdue(self) -> list[int]:
        return self.keeper.overdue()

    def _states(self) -> Counter[str]:
        return Counter(str(table.match.state) for table in self.hub.tables.values())


def _port(listener: Server) -> int:
    port: int = next(iter(listener.sockets)).getsockname()[1]
    return port


async def run(server: RaceServer, announce: Callable[[int], None]) -> None:
    """Serve until SIGTERM or Ctrl-C; a second one ends the draining. `announce` is called with the port."""
    stops: asyncio.Queue[None] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stops.put_nowait, None)
    announce(await server.open())
    await stops.get()
    with contextlib.suppress(TimeoutError):
        draining = loop.create_task(server.drain())
        again = loop.create_task(stops.get())
        await asyncio.wait([draining, again], return_when=asyncio.FIRST_COMPLETED)
        again.cancel()
        draining.cancel()
    await server.close()

"""A session: one client's connection, from its hello to its close. It turns messages into commands, and no more."""

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from engine.errors import EngineError
from protocol import messages as wire
from protocol.codec import ENCODINGS, WireError
from server.course import ENDED
from server.effects import Refusal
from server.house import player_of
from server.names import clean_name
from server.seat import Seat
from server.store.port import StoreError
from server.table import Table, send_to
from server.telling import tag_of

if TYPE_CHECKING:
    from server.hub import Hub
    from server.lobby import Lobby

STRIKES = 3
UNREAD_LIMIT = 256 * 1024
"""Bytes a connection may leave unread before it is dropped."""
LONGEST_STEP = 0.001
"""Seconds for which thinking about one board may hold up all others."""
REPLACED = 4000
"""The close code of a connection whose player has come back on a newer one."""

log = structlog.get_logger()


class Session:
    """One connection. `seats` maps the matches it plays to its seat, `watching` are those it follows."""

    def __init__(self, socket: ServerConnection, hub: "Hub", lobby: "Lobby", version: str) -> None:
        self.socket = socket
        self.encoding = ENCODINGS[socket.subprotocol or ""]
        self.hub = hub
        self.lobby = lobby
        self.version = version
        self.player = ""
        """The hash of the player's key; empty before hello."""
        self.name = ""
        self.seats: dict[str, int] = {}
        self.watching: set[str] = set()
        self._strikes = 0
        self._closing: tuple[int, str] | None = None

    async def run(self, hello_within: float) -> None:
        """Serve the connection until it closes."""
        timer = self.socket.loop.call_later(hello_within, self._hang_up_unless_greeted)
        try:
            async for frame in self.socket:
                await self._receive(frame)
                if self._closing is not None:
                    break
        except ConnectionClosed:
            pass
        finally:
            timer.cancel()
            self.hub.part(self)
        if self._closing is not None:
            await self.socket.close(*self._closing)

    def send(self, message: wire.ServerMessage) -> None:
        """Send a message that concerns no match."""
        send_to([self], message)

    def dropped_as_slow(self) -> bool:
        """Drop the connection if its client has stopped reading; whether it has been."""
        if self.socket.transport.get_write_buffer_size() <= UNREAD_LIMIT:
            return False
        log.warning("slow reader dropped", player=tag_of(self.player))
        self.socket.transport.abort()
        return True

    def replace(self) -> None:
        """Close the connection, because the player has come back on a newer one."""
        self._close_soon(REPLACED, "replaced by a newer connection")

    def fail(self, match: str) -> None:
        """Tell the client that the store has failed, and close: it resumes from what the store has."""
        self.seats.pop(match, None)
        self.watching.discard(match)
        self.send(
            Refusal("store-failed", "the server could not write this down, and has dropped it").message(match, None)
        )
        self._close_soon(1011, "store failed")

    def _close_soon(self, code: int, reason: str) -> None:
        self._closing = (code, reason)
        self._closer = self.socket.loop.create_task(self.socket.close(code, reason))

    def _hang_up_unless_greeted(self) -> None:
        if not self.player:
            self.send(Refusal("hello-first", "no hello came in time").message(None, None))
            self._close_soon(1008, "no hello")

    async def _receive(self, frame: bytes | str) -> None:
        try:
            message = self.encoding.decode_client(frame)
        except WireError as error:
            self._strike(error)
            return
        match: str | None = getattr(message, "match", None)
        try:
            if isinstance(message, wire.Hello):
                self._greet(message)
            elif not self.player:
                raise Refusal("hello-first", "say hello first")
            else:
                await self._ANSWERS[type(message)](self, message)
        except Refusal as refusal:
            self._refuse(refusal, match, message.id)
        except EngineError as error:
            self._refuse(Refusal(error.code, str(error)), match, message.id)
        except StoreError:
            self._refuse(Refusal("store-failed", "the server cannot reach its store now"), match, message.id)

    def _refuse(self, refusal: Refusal, match: str | None, re: int | None) -> None:
        """Answer a refused message; a player not before what came before, whose entries the answer's `n` counts."""
        answer = partial(self.send, refusal.message(match, re))
        table = self.hub.tables.get(match) if match in self.seats else None
        if table is not None:
            table.in_order(answer)
        else:
            answer()

    def _strike(self, error: WireError) -> None:
        self._strikes += 1
        self.send(Refusal(error.code, error.why).message(None, error.request))
        if self._strikes >= STRIKES:
            self._closing = (1008, f"{STRIKES} frames were no messages")

    def _greet(self, hello: wire.Hello) -> None:
        if self.player:
            raise Refusal("already-greeted", "hello was said before on this connection")
        self.player = player_of(hello.key)
        self.name = clean_name(hello.name)
        self.send(
            wire.Welcome(
                re=hello.id,
                server=self.version,
                name=self.name,
                tag=tag_of(self.player),
                games=[wire.GameInfo(game.name, list(game.options), len(game.cards)) for game in self.lobby.games],
                seats=self.hub.seats_of(self.player),
            )
        )

    # Each kind of message

    async def _play(self, message: wire.Play) -> None:
        self.lobby.quick(self, message.game, message.id)

    async def _create(self, message: wire.Create) -> None:
        self.lobby.create(self, message.game, message.clock, message.grace, bot=message.bot, re=message.id)

    async def _join(self, message: wire.Join) -> None:
        self.lobby.sit(await self.hub.table(message.match), self, message.id)

    async def _ready(self, message: wire.Ready) -> None:
        table, seat = await self._seat(message.match)
        self.hub.act(table, partial(table.match.ready, seat=seat, commitment=message.commitment, re=message.id))

    async def _reveal(self, message: wire.Reveal) -> None:
        table, seat = await self._seat(message.match)
        self.hub.act(table, partial(table.match.reveal, seat=seat, nonce=message.nonce, re=message.id))

    async def _move(self, message: wire.Move) -> None:
        table, seat = await self._seat(message.match)
        if await self._foresee(table.match.seats[seat], message):
            table, seat = await self._seat(message.match)  # much may have happened meanwhile
        self.hub.act(table, partial(table.match.move, seat=seat, number=message.n, text=message.move, re=message.id))

    async def _foresee(self, seat: Seat, message: wire.Move) -> bool:
        """Let a board that has much to think about do so in steps, so that nobody else waits; whether others had a turn."""
        paused = False
        if seat.board is not None and not seat.finished and message.n == len(seat.entries) + 1:
            began = monotonic()
            for _ in seat.board.foresee(message.move):
                if monotonic() - began > LONGEST_STEP:
                    await asyncio.sleep(0)
                    paused, began = True, monotonic()
        return paused

    async def _leave(self, message: wire.Leave) -> None:
        table, seat = await self._seat(message.match)
        self.hub.act(table, partial(table.match.leave, seat=seat, re=message.id))

    async def _rematch(self, message: wire.Rematch) -> None:
        table, seat = await self._seat(message.match)
        self.lobby.again(table, seat, message.id)

    async def _resume(self, message: wire.Resume) -> None:
        table = await self.hub.table(message.match)
        for seat in table.match.seats:
            if hmac.compare_digest(seat.player, self.player):
                self.hub.resume(table, seat.number, self, message.n, message.id)
                return
        raise Refusal("not-your-seat", "your key holds no seat in this match")

    async def _watch(self, message: wire.Watch) -> None:
        self.hub.watch(await self.hub.table(message.match), self, message.id)

    async def _unwatch(self, message: wire.Unwatch) -> None:
        if message.match in self.watching:
            self.hub.unwatch(await self.hub.table(message.match), self)

    async def _matches(self, message: wire.Matches) -> None:
        self.send(self.hub.list_matches(message.id))

    async def _record(self, message: wire.GetRecord) -> None:
        table = await self.hub.table(message.match)
        if table.match.state not in ENDED:
            raise Refusal("not-over", f"the match is {table.match.state}: its record is there when it is over")
        record = wire.MatchRecord(re=message.id, match=message.match, record=table.match.record)
        table.in_order(partial(self.send, record))
        self.hub.tidy(table)

    async def _seat(self, match: str) -> tuple[Table, int]:
        """The match and this connection's seat in it."""
        seat = self.seats.get(match)
        if seat is None:
            await self.hub.table(match)
            raise Refusal("not-your-seat", "this connection holds no seat in this match: join or resume it")
        return await self.hub.table(match), seat

    _ANSWERS: ClassVar[dict[type[wire.ClientMessage], Callable[[Any, Any], Awaitable[None]]]] = {
        wire.Play: _play,
        wire.Create: _create,
        wire.Join: _join,
        wire.Ready: _ready,
        wire.Reveal: _reveal,
        wire.Move: _move,
        wire.Resume: _resume,
        wire.Watch: _watch,
        wire.Unwatch: _unwatch,
        wire.Matches: _matches,
        wire.Rematch: _rematch,
        wire.Leave: _leave,
        wire.GetRecord: _record,
    }

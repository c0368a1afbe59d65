"""A session: one client's connection, from its hello to its close. It turns messages into commands, and no more."""

import asyncio
import hmac
import secrets
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from engine.errors import EngineError
from protocol import messages as wire
from protocol.codec import ENCODINGS, WireError
from protocol.players import CHALLENGE_BYTES, is_signed, player_of, tag_of
from server.effects import Refusal
from server.events import board_log
from server.hub import nothing
from server.limits import TurnedAway
from server.match import Match
from server.names import clean_name
from server.store.port import StoreError
from server.table import Table, send_to
from server.turns import Party

if TYPE_CHECKING:
    from server.app import RaceServer

STRIKES = 3
UNREAD_LIMIT = 256 * 1024
"""Bytes a connection may leave unread before it is dropped."""
REPLACED = 4000
"""The close code of a connection whose player has come back on a newer one."""
FAILED = 1011
"""The close code after a failure of the server's own."""
IDLE = 4001
"""The close code of a connection that nobody has used for long."""
IDLE_LIMIT = 900.0
"""Seconds without a word after which a connection is closed that neither plays nor watches."""

log = structlog.get_logger()


class Session:
    """One connection. `seats` maps the matches it plays to its seat, `watching` are those it follows."""

    def __init__(self, socket: ServerConnection, server: "RaceServer", address: str, hosts: Sequence[str]) -> None:
        self.socket = socket
        self.encoding = ENCODINGS[socket.subprotocol or ""]
        self.address = address
        """Where the client is, as far as that is known."""
        self.hosts = hosts
        """What the server is called on this connection."""
        self.server = server
        self.hub = server.hub
        self.player = ""
        """The hash of the player's key; empty before hello."""
        self.name = ""
        self.bot: str | None = None
        """The program that plays, where no person does."""
        self.seats: dict[str, int] = {}
        self.watching: set[str] = set()
        self.connection = self.hub.name_connection()
        """Its name among all connections, on all servers."""
        self._challenge = secrets.token_hex(CHALLENGE_BYTES)
        self.party: Party = server.doors.counted(address) or self.connection
        """With whom it shares the server's thinking: everyone at its address, or nobody where addresses do not count."""
        self._bucket = server.doors.bucket(address)
        self._heard_at = 0.0
        self._strikes = 0
        self._dropped = False
        """Whether its client did not read, and has been cut off."""
        self._closing: tuple[int, str] | None = None

    async def run(self, hello_within: float) -> None:
        """Serve the connection until it closes."""
        self._timer = self.socket.loop.call_later(hello_within, self._hang_up_unless_greeted)
        self.send(wire.Greeting(challenge=self._challenge))
        try:
            async for frame in self.socket:
                await self._slow_down()
                await self._receive(frame)
                if self._closing is not None:
                    break
        except ConnectionClosed:
            pass
        finally:
            self._timer.cancel()
            await self.hub.part(self)
        if self._closing is not None:
            await self.socket.close(*self._closing)

    def send(self, message: wire.ServerMessage) -> None:
        """Send a message that concerns no match."""
        send_to([self], message)

    def dropped_as_slow(self) -> bool:
        """Drop the connection if its client has stopped reading; whether it has been."""
        if self._dropped:
            return True
        if self.socket.transport.get_write_buffer_size() <= UNREAD_LIMIT:
            return False
        self._dropped = True
        log.warning("slow reader dropped", player=tag_of(self.player))
        self.server.figures.dropped_slow_reader()
        self.socket.transport.abort()
        return True

    def check_there(self) -> None:
        """A seat is for who is there. Raises `Refusal` if the client has left, perhaps long ago: a store can take its time."""
        if self.socket.state is not State.OPEN:
            raise Refusal("not-your-seat", "this connection is closed")

    def replace(self) -> None:
        """Close the connection, because the player has come back on a newer one."""
        self._close_soon(REPLACED, "replaced by a newer connection")

    def fail(self) -> None:
        """Close the connection, because the store has lost a match that it plays or watches."""
        self._close_soon(FAILED, "a match is lost")

    def _close_soon(self, code: int, reason: str) -> None:
        self._closing = (code, reason)
        self._closer = self.socket.loop.create_task(self.socket.close(code, reason))

    def _hang_up_unless_greeted(self) -> None:
        if not self.player:
            self._close_soon(1008, "no hello came in time")
        else:
            self._hang_up_if_idle()

    def _hang_up_if_idle(self) -> None:
        """Close the connection of a client that has not said anything for long, and has no reason to listen either."""
        quiet = monotonic() - self._heard_at
        if quiet >= IDLE_LIMIT and not self.seats and not self.watching:
            self._close_soon(IDLE, "idle")
        else:
            self._timer = self.socket.loop.call_later(max(1.0, IDLE_LIMIT - quiet), self._hang_up_if_idle)

    async def _slow_down(self) -> None:
        """A client that sends too fast is read more slowly; nothing of what it sends is lost."""
        self._heard_at = monotonic()
        if self._bucket is not None and not self._bucket.take(self._heard_at):
            self.server.figures.turned_away(TurnedAway.MESSAGES)
            await asyncio.sleep(self._bucket.wait(self._heard_at))
            self._bucket.take(monotonic())

    async def _receive(self, frame: bytes | str) -> None:
        try:
            message = self.encoding.decode_client(frame)
        except WireError as error:
            self._strike(error)
            return
        match: str | None = getattr(message, "match", None)
        try:
            if isinstance(message, wire.Hello):
                await self._greet(message)
            elif not self.player:
                raise Refusal("hello-first", "say hello first")
            else:
                await self._ANSWERS[type(message)](self, message)
        except Refusal as refusal:
            self._refuse(refusal, match, message.id)
        except EngineError as error:
            self._refuse(Refusal(error.code, str(error)), match, message.id)
        except StoreError as error:
            log.warning("the store fails", error=str(error))
            why = "the server could not write this down, so it has not happened"
            self._refuse(Refusal("store-failed", why, self._kept(message)), match, message.id)

    def _refuse(self, refusal: Refusal, match: str | None, re: int | None) -> None:
        self.server.figures.refused(refusal.code)
        self.send(refusal.message(match, re))

    def _kept(self, message: wire.ClientMessage) -> int | None:
        """The last entry of the player's board that is known to be in the store, after a move that may not be."""
        if not isinstance(message, wire.Move):
            return None
        table, seat = self.hub.tables.get(message.match), self.seats.get(message.match)
        return None if table is None or seat is None else table.told[board_log(seat)]

    def _strike(self, error: WireError) -> None:
        self._strikes += 1
        self._refuse(Refusal(error.code, error.why), None, error.request)
        if self._strikes >= STRIKES:
            self._closing = (1008, f"{STRIKES} frames were no messages")

    async def _greet(self, hello: wire.Hello) -> None:
        if self.player:
            raise Refusal("already-greeted", "hello was said before on this connection")
        player = player_of(hello.key)
        self._check_signed(hello, player)
        seats = await self.hub.store.seats(player)
        self.player, self.name = player, clean_name(hello.name)
        self.bot = None if hello.bot is None else clean_name(hello.bot)
        self.send(
            wire.Welcome(
                re=hello.id,
                server=self.server.version,
                name=self.name,
                tag=tag_of(self.player),
                games=self.server.lobby.games_offered,
                seats=sorted(seats),
                offers=self.server.lobby.offers,
            )
        )

    def _check_signed(self, hello: wire.Hello, player: str) -> None:
        """Whoever says hello has the key's secret, and has dialled this server. Raises `Refusal`.

        Its own bots dial it wherever it can be reached.
        """
        if hello.host not in self.hosts and not self.server.house.has_sent(player):
            called = " or ".join(self.hosts) or "nothing at all"
            raise Refusal("wrong-host", f"your hello is signed for {hello.host}, and this server is called {called}")
        if not is_signed(hello.key, hello.signature, self._challenge, hello.host):
            raise Refusal("bad-signature", "your hello is not signed with your key, for this challenge and host")

    # Each kind of message

    async def _play(self, message: wire.Play) -> None:
        await self.server.lobby.quick(self, message.game, bots=message.bots, re=message.id)

    async def _create(self, message: wire.Create) -> None:
        await self.server.lobby.create(
            self, message.game, message.clock, message.grace, level=message.level, re=message.id
        )

    async def _join(self, message: wire.Join) -> None:
        await self.server.lobby.join(message.match, self, message.id)

    async def _ready(self, message: wire.Ready) -> None:
        table, seat = await self._seat(message.match)
        await self.hub.act(table, partial(Match.ready, seat=seat, commitment=message.commitment, re=message.id))

    async def _reveal(self, message: wire.Reveal) -> None:
        table, seat = await self._seat(message.match)
        await self.hub.act(table, partial(Match.reveal, seat=seat, nonce=message.nonce, re=message.id))

    async def _move(self, message: wire.Move) -> None:
        table, seat = await self._seat(message.match)
        mine = table.match.seats[seat]
        comes_next = mine.playing and message.n == len(mine.entries) + 1
        if comes_next and mine.board is not None:
            await self.hub.thinking.done(mine.board.foresee(message.move), self.party, self.check_there)
            table, seat = await self._seat(message.match)  # much may have happened meanwhile
        await self.hub.act(table, partial(Match.move, seat=seat, number=message.n, text=message.move, re=message.id))
        self.server.figures.moved(monotonic() - self._heard_at)

    async def _leave(self, message: wire.Leave) -> None:
        table, seat = await self._seat(message.match)
        await self.hub.act(table, partial(Match.leave, seat=seat, re=message.id))

    async def _rematch(self, message: wire.Rematch) -> None:
        table, seat = await self._seat(message.match)
        await self.server.lobby.again(table, seat, message.id)

    async def _resume(self, message: wire.Resume) -> None:
        table = await self.hub.table(message.match, self.party)
        for seat in table.match.seats:
            if hmac.compare_digest(seat.player, self.player):
                if self.bot is not None and seat.bot is None:
                    raise Refusal("not-your-seat", "this seat is a person's, and you say that you are a bot")
                await self.hub.resume(table, seat.number, self, message.n, message.id)
                return
        raise Refusal("not-your-seat", "your key holds no seat in this match")

    async def _watch(self, message: wire.Watch) -> None:
        await self.hub.watch(await self.hub.table(message.match, self.party), self, message.id)

    async def _unwatch(self, message: wire.Unwatch) -> None:
        if message.match in self.watching:
            self.hub.unwatch(await self.hub.table(message.match, self.party), self)

    async def _matches(self, message: wire.Matches) -> None:
        self.send(self.server.keeper.list_races(message.id))

    async def _record(self, message: wire.GetRecord) -> None:
        table = await self.hub.table(message.match, self.party)

        def send() -> None:  # when nothing of the match is on its way to the store: it holds the secret
            if not table.over:
                raise Refusal("not-over", f"the match is {table.match.state}: its record is there when it is over")
            self.send(wire.MatchRecord(re=message.id, match=message.match, record=table.match.record))

        await self.hub.act(table, nothing, send)

    async def _history(self, message: wire.History) -> None:
        matches, more = await self.server.archive.past(self.player, message.most, message.before, self.party)
        self.send(wire.Past(re=message.id, matches=matches, more=more))

    async def _top(self, message: wire.Top) -> None:
        self.send(await self.hub.rater.ranking(message.family, self.player, message.id))

    async def _seat(self, match: str) -> tuple[Table, int]:
        """The match and this connection's seat in it."""
        seat = self.seats.get(match)
        if seat is None:
            await self.hub.table(match, self.party)
            raise Refusal("not-your-seat", "this connection holds no seat in this match: join or resume it")
        return await self.hub.table(match, self.party), seat

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
        wire.History: _history,
        wire.Top: _top,
    }

"""A client for the tests that go over real sockets: small, and pleasant to read in a test.

It keeps the player's own board as a client would, waits for the message it wants and keeps all that it has heard.
Nothing in it sleeps: it waits for what is to come, and gives up after `PATIENCE`.
"""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from engine.board import Board
from engine.cards import UNKNOWN, parse_card
from engine.deal import nonce_commitment
from engine.games import variant
from protocol import messages as wire
from protocol.codec import LARGEST_SERVER_FRAME, MSGPACK, Encoding
from protocol.players import SECRET_KEY_BYTES, host_of, signed_hello
from server.app import RaceServer
from server.settings import Settings
from server.store.port import Store, StoreError, Write
from tests.server.desk import sensible

PATIENCE = 30.0
ENOUGH = 300
"""Entries after which a simple player stands: in some games cards could be moved back and forth for ever."""
NONCE = "0123456789abcdef" * 2

Heard = TypeVar("Heard", bound=wire.ServerMessage)


def new_secret() -> str:
    """The secret key of a new player."""
    return secrets.token_hex(SECRET_KEY_BYTES)


class Closed(Exception):
    """The server has closed the connection, with this code and reason."""

    def __init__(self, code: int | None, reason: str) -> None:
        super().__init__(f"closed with {code} {reason}")
        self.code = code
        self.reason = reason


class Client:
    """One connection to a race server. `heard` is everything it has been sent, in order."""

    def __init__(self, socket: ClientConnection, host: str, name: str, key: str, encoding: Encoding) -> None:
        self.socket = socket
        self.host = host
        """Whom it has dialled."""
        self.name = name
        self.key = key
        self.encoding = encoding
        self.heard: list[wire.AnyServerMessage] = []
        self.frames: list[bytes] = []
        """The same as it came over the wire."""
        self.board: Board | None = None
        """The player's own board as this client knows it."""
        self.entries = 0
        self.match = ""
        """The match that this client plays."""
        self._read = 0
        self._requests = 0

    @classmethod
    async def connected(
        cls, url: str, name: str = "Ann", key: str | None = None, encoding: Encoding = MSGPACK, **options: Any
    ) -> Self:
        """A connection that has not said hello yet."""
        socket = await connect(
            url,
            subprotocols=[encoding.subprotocol],  # type: ignore[list-item]
            compression=None,
            max_size=LARGEST_SERVER_FRAME,
            proxy=None,
            **{"max_queue": None, "close_timeout": 1, **options},
        )
        return cls(socket, host_of(urlsplit(url).hostname or ""), name, key or new_secret(), encoding)

    async def hello(self) -> wire.Welcome:
        """Say who is there."""
        return await self.ask(await self.signed(), wire.Welcome)

    async def signed(self, host: str | None = None, **options: Any) -> wire.Hello:
        """The hello that answers the greeting of this connection."""
        greeting = self.all(wire.Greeting) or [await self.next(wire.Greeting)]
        return signed_hello(greeting[0].challenge, self.key, host or self.host, self.name, **options)

    async def close(self) -> None:
        await self.socket.close()

    # Sending

    async def send(self, message: wire.ClientMessage) -> None:
        try:
            await self.socket.send(self.encoding.encode(message))
        except ConnectionClosed:
            raise Closed(self.socket.close_code, self.socket.close_reason or "") from None

    async def ask(self, message: wire.ClientMessage, kind: type[Heard]) -> Heard:
        """Send a request, and wait for the answer to it, which is of this kind."""
        self._requests += 1
        message.id = self._requests
        await self.send(message)
        number = self._requests
        answer = await self.next(wire.ServerMessage, lambda heard: heard.re == number)
        assert isinstance(answer, kind), f"{message} was answered with {answer}"
        return answer

    async def refused(self, message: wire.ClientMessage) -> wire.Refused:
        """Send a request that is refused."""
        return await self.ask(message, wire.Refused)

    # Hearing

    async def hear(self) -> wire.AnyServerMessage:
        """The next message that has not been looked at, as soon as it is there."""
        if self._read == len(self.heard):
            await self._receive()
        self._read += 1
        return self.heard[self._read - 1]

    async def next(self, kind: type[Heard], which: Callable[[Heard], bool] = lambda _: True) -> Heard:
        """The next message of a kind for which `which` holds; those before it are passed over."""
        while True:
            message = await self.hear()
            if isinstance(message, kind) and which(message):
                return message

    async def state(self, *states: str, match: str | None = None) -> wire.MatchState:
        """The next news of a match that it is in one of these states."""
        wanted = match or self.match
        return await self.next(wire.MatchState, lambda news: news.match == wanted and news.state in states)

    async def reached(self, state: str, match: str) -> wire.MatchState:
        """The match in this state: the newest that has been heard of it, or what is still to come."""
        known = [news for news in self.all(wire.MatchState) if news.match == match]
        return known[-1] if known and known[-1].state == state else await self.state(state, match=match)

    async def closed(self) -> Closed:
        """Wait until the server closes the connection; what comes before is heard."""
        try:
            while True:
                await self.hear()
        except Closed as closed:
            return closed

    def all(self, kind: type[Heard]) -> list[Heard]:
        """All messages of a kind heard so far."""
        return [message for message in self.heard if isinstance(message, kind)]

    async def up_to_date(self) -> None:
        """Wait until everything is heard that the server has sent by now."""
        await self.ask(wire.Matches(), wire.MatchList)

    async def sent(self) -> None:
        """Wait until the server has taken in everything that was sent, though it may not have looked at it yet."""
        await (await self.socket.ping())

    async def _receive(self) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                frame = await self.socket.recv()
        except ConnectionClosed:
            raise Closed(self.socket.close_code, self.socket.close_reason or "") from None
        except TimeoutError:
            last = ", ".join(type(message).__name__ for message in self.heard[-5:])
            raise AssertionError(f"{self.name} hears nothing any more; the last was {last}") from None
        self.frames.append(frame if isinstance(frame, bytes) else frame.encode())
        message = self.encoding.decode_server(frame)
        assert message is not None
        self.heard.append(message)
        self._follow(message)

    def _follow(self, message: wire.AnyServerMessage) -> None:
        """Keep the own board as the server tells it, and answer for the nonce."""
        if isinstance(message, wire.MatchState) and message.match == self.match and message.you is not None:
            self.seat = message.you
            self.game = message.game
        elif isinstance(message, wire.BoardState) and message.match == self.match and message.seat == self.seat:
            self.board = variant(self.game).board_from(message.view)
            self.entries = message.n
        elif (
            isinstance(message, wire.Moved)
            and (message.match, message.seat, message.n) == (self.match, self.seat, self.entries + 1)
            and self.board is not None
        ):
            self.board.enter(message.move, parse_card(message.card) if message.card else UNKNOWN)
            self.board.learn(message.peek)
            self.entries = message.n

    # Playing

    seat: int = -1
    game: str = ""

    def _plays(self, state: wire.MatchState) -> wire.MatchState:
        assert state.you is not None
        self.match, self.seat, self.game = state.match, state.you, state.game
        self.board, self.entries = None, 0
        return state

    async def play(self, game: str = "sir-tommy", *, bots: bool = False) -> wire.MatchState:
        return self._plays(await self.ask(wire.Play(game=game, bots=bots), wire.MatchState))

    async def create(self, game: str = "sir-tommy", **terms: Any) -> wire.MatchState:
        return self._plays(await self.ask(wire.Create(game=game, **terms), wire.MatchState))

    async def join(self, match: str) -> wire.MatchState:
        return self._plays(await self.ask(wire.Join(match=match), wire.MatchState))

    async def watch(self, match: str) -> wire.MatchState:
        return await self.ask(wire.Watch(match=match), wire.MatchState)

    async def resume(self, match: str, last: int = 0) -> wire.MatchState:
        """Take a seat again; `last` is the last entry that this client has of its own board."""
        self.match = match
        return await self.ask(wire.Resume(match=match, n=last), wire.MatchState)

    async def ready(self) -> None:
        """Be ready, and reveal the nonce when it is time."""
        commitment = nonce_commitment(bytes.fromhex(NONCE), self.match, self.seat)
        await self.ask(wire.Ready(match=self.match, commitment=commitment), wire.MatchState)

    async def reveal(self) -> None:
        await self.ask(wire.Reveal(match=self.match, nonce=NONCE), wire.MatchState)

    async def move(self, *moves: str) -> wire.Moved:
        """Make the next entries of the own board, each answered before the next; the last answer."""
        answer = None
        for move in moves:
            answer = await self.ask(wire.Move(match=self.match, n=self.entries + 1, move=move), wire.Moved)
        assert answer is not None
        return answer

    async def play_on(self, most: int = 1000) -> None:
        """Play as a simple player would, for so many moves or until the board is finished or the match over."""
        for _ in range(most):
            assert self.board is not None
            if self.board.finished:
                return
            text = str(sensible(self.board)) if self.entries < ENOUGH else "stand"
            move = wire.Move(match=self.match, n=self.entries + 1, move=text)
            answer = await self.ask(move, wire.ServerMessage)
            if isinstance(answer, wire.Refused):
                assert answer.code == "match-over", answer
                return


class Visitors:
    """Makes clients of one server, and closes them all in the end."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._clients: list[Client] = []

    async def stranger(
        self, name: str = "Ann", key: str | None = None, encoding: Encoding = MSGPACK, **options: Any
    ) -> Client:
        """A client that has not said hello."""
        client = await Client.connected(self.url, name, key, encoding, **options)
        self._clients.append(client)
        return client

    async def guest(
        self, name: str = "Ann", key: str | None = None, encoding: Encoding = MSGPACK, **options: Any
    ) -> Client:
        """A client that has said hello."""
        client = await self.stranger(name, key, encoding, **options)
        await client.hello()
        return client

    async def pair(self, game: str = "sir-tommy", **terms: Any) -> tuple[Client, Client]:
        """Two players seated in a match of their own, which has not started."""
        ann, bob = await self.guest("Ann"), await self.guest("Bob")
        await ann.create(game, **terms)
        await bob.join(ann.match)
        return ann, bob

    async def race(self, game: str = "sir-tommy", **terms: Any) -> tuple[Client, Client]:
        """Two players in a race that has just begun."""
        ann, bob = await self.pair(game, **terms)
        await begin(ann, bob)
        return ann, bob

    async def close(self) -> None:
        await asyncio.gather(*(client.close() for client in self._clients))


async def begin(*players: Client) -> None:
    """Bring a seated match to its start: both ready, both nonces revealed, the countdown over."""
    for player in players:
        await player.ready()
    for player in players:
        await player.reveal()
    for player in players:
        await player.state("playing")
        await player.next(wire.BoardState, lambda board, player=player: board.seat == player.seat)  # type: ignore[misc]


@asynccontextmanager
async def visitors(url: str) -> AsyncIterator[Visitors]:
    """Clients of a server for the time of a block."""
    coming = Visitors(url)
    try:
        yield coming
    finally:
        await coming.close()


async def eventually(condition: Callable[[], object]) -> None:
    """Wait for something that the server does without telling anybody."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - the server has no event for it, and shall not have one for a test
            await asyncio.sleep(0.001)


class Held:
    """A store that writes nothing of the matches until `go` is set."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.waiting = 0
        """How many wait for their writing to be done."""


@contextmanager
def held(store: Store) -> Iterator[Held]:
    """Whatever is to be written within waits until the end."""
    holding, write = Held(), store.write

    async def wait(match: str, writes: Sequence[Write]) -> None:
        holding.waiting += 1
        await holding.go.wait()
        await write(match, writes)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "write", wait)
        yield holding
    holding.go.set()


@contextmanager
def failing(store: Store) -> Iterator[None]:
    """Whatever is to be written within is refused by the store, as if the disk were full."""

    async def fail(*_: object) -> None:
        raise StoreError("the disk is full")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "write", fail)
        patch.setattr(store, "beat", fail)
        yield


@asynccontextmanager
async def serving(path: Path) -> AsyncIterator[tuple[RaceServer, Visitors]]:
    """A server on a store in a file, and those who come to it."""
    running = RaceServer(Settings(host="127.0.0.1", port=0, store=f"sqlite:{path}", bots=0))
    port = await running.open()
    async with visitors(f"ws://127.0.0.1:{port}") as people:
        yield running, people
    await running.close()


def shift_wall_clock(monkeypatch: pytest.MonkeyPatch, milliseconds: int) -> None:
    """From now on the wall clock shows another time."""
    clock = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: clock() + milliseconds * 1_000_000)


def let_pass(running: RaceServer, milliseconds: int, *, answered: bool = True) -> None:
    """Have time pass for the matches of a server; in which the store has answered, or was silent."""
    clock = running.hub.clock
    clock._now += milliseconds
    if answered and clock._answered is not None:
        clock._answered += milliseconds


def nothing_left(running: RaceServer) -> bool:
    return not running.hub.tables and len(running.hub.connections) == len(running._server.connections)

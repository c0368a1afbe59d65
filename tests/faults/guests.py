"""Guests who come back: clients that keep going through anything, as the real one does, and note all they are told.

A guest connects to one address after the other, says hello with its key, and takes up again what it was doing. Whatever
it is told about an entry has to be what it was told before: so a fork shows itself wherever it is seen first.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from protocol import messages as wire
from protocol.codec import LARGEST_SERVER_FRAME, MSGPACK
from protocol.players import host_of, signed_hello
from tests.server.driver import new_secret

PATIENCE = 30.0
"""Seconds after which a test gives up waiting for a guest."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 0.5
"""Seconds between two attempts to come back, at first and at most."""
ANSWER_WITHIN = 6.0
"""Seconds for a server to take a new connection, and to answer the hello."""
REPLACED = 4000

Wanted = TypeVar("Wanted", bound="Guest")


class Trouble(Exception):
    """The connection is of no use any more: come back on another."""


class Guest:
    """Somebody who holds a connection to one of these addresses, and comes back when it is lost."""

    def __init__(self, addresses: Sequence[str], name: str) -> None:
        self.addresses = list(addresses)
        self.name = name
        self.key = new_secret()
        self.match = ""
        self.state: wire.MatchState | None = None
        """The newest that is known of the match."""
        self.results: list[tuple[Any, ...]] = []
        """Every result that was told, with the digest of the record: there has to be one in the end."""
        self.arrivals = 0
        """How often it has been welcomed."""
        self.closes: list[int | None] = []
        """The codes with which its connections were closed."""
        self.refusals: list[str] = []
        """The codes of all refusals."""
        self.told: dict[tuple[int, int], tuple[str, str | None, int]] = {}
        """What it was told of each entry, by seat and number: the move, the card, the time."""
        self.ping_timeout = 10.0
        """Seconds after which a server that answers no pings counts as gone."""
        self.awake = asyncio.Event()
        """Whether it comes back. Somebody asleep who loses the connection stays away."""
        self.awake.set()
        self.failure: Exception | None = None
        self._socket: ClientConnection | None = None
        self._change = asyncio.Condition()

    # For the test

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until this holds; it is looked at whenever the guest hears something."""
        try:
            async with asyncio.timeout(PATIENCE), self._change:
                await self._change.wait_for(lambda: self.failure is not None or condition())
        except TimeoutError:
            raise AssertionError(f"{self} waits in vain") from None
        if self.failure is not None:
            raise self.failure

    async def ended(self) -> wire.MatchState:
        """Wait until the match has ended, and return how."""
        await self.until(lambda: self.over)
        assert self.state is not None
        return self.state

    @property
    def over(self) -> bool:
        return self.state is not None and self.state.state in ("over", "aborted")

    @property
    def connected(self) -> bool:
        """Whether it has been welcomed on a connection that is still there."""
        return self._socket is not None

    def drop(self) -> None:
        """Lose the connection, as if the machine had been switched off."""
        if self._socket is not None:
            self._socket.transport.abort()

    def fall_asleep(self) -> None:
        """Lose the connection, and stay away until `awake` is set."""
        self.awake.clear()
        self.drop()

    def __str__(self) -> str:
        state = "nothing" if self.state is None else self.state.state
        return (
            f"{self.name} ({self.match} {state}, {len(self.told)} entries told, {self.arrivals} arrivals, "
            f"closed with {self.closes}, refused {self.refusals[-5:]})"
        )

    # Coming, and coming back

    async def stay(self) -> None:
        """Be there until cancelled, or until a newer connection has taken the place."""
        turn = 0
        pause = FIRST_PAUSE
        while True:
            await self.awake.wait()
            url = self.addresses[turn % len(self.addresses)]
            arrivals = self.arrivals
            # Whatever is wrong with a connection, there may be a better one: a half-open handshake is many an error.
            with suppress(OSError, EOFError, WebSocketException, Trouble):
                await self._visit(url)
            await self._changed()
            if self.closes and self.closes[-1] == REPLACED:
                return
            if self.arrivals > arrivals:
                pause = FIRST_PAUSE
            turn += 1
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _visit(self, url: str) -> None:
        async with asyncio.timeout(ANSWER_WITHIN):
            socket = await connect(
                url,
                subprotocols=[MSGPACK.subprotocol],  # type: ignore[list-item]
                compression=None,
                max_size=LARGEST_SERVER_FRAME,
                proxy=None,
                open_timeout=ANSWER_WITHIN,
                close_timeout=1,
                ping_interval=min(5.0, self.ping_timeout / 2),
                ping_timeout=self.ping_timeout,
                max_queue=None,
            )
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                greeting = MSGPACK.decode_server(await socket.recv())
                assert isinstance(greeting, wire.Greeting)
                await socket.send(
                    MSGPACK.encode(
                        signed_hello(greeting.challenge, self.key, host_of(urlsplit(url).hostname or ""), self.name)
                    )
                )
                welcome = MSGPACK.decode_server(await socket.recv())
            if not isinstance(welcome, wire.Welcome):
                raise Trouble(f"not welcome: {welcome}")
            self.arrivals += 1
            self._socket = socket
            await self.arrive(welcome)
            await self._changed()
            async for frame in socket:
                message = MSGPACK.decode_server(frame)
                assert message is not None
                await self.take(message)
                await self._changed()
        finally:
            self._socket = None
            await socket.close()
            self.closes.append(socket.close_code)

    async def _changed(self) -> None:
        async with self._change:
            self._change.notify_all()

    async def send(self, message: wire.ClientMessage) -> None:
        """Send a message, if there is a connection: without one, all that matters is sent again later."""
        if self._socket is not None:
            with suppress(ConnectionClosed):
                await self._socket.send(MSGPACK.encode(message))

    # What a kind of guest does

    async def arrive(self, welcome: wire.Welcome) -> None:
        """Do what is to be done on a new connection."""

    async def take(self, message: wire.AnyServerMessage) -> None:
        """Hear something."""
        if isinstance(message, wire.MatchState) and message.match == self.match:
            self.state = message
            if message.result is not None or message.aborted is not None:
                result = (message.result, message.aborted, message.secret, message.digest)
                self.results += [result] if result not in self.results else []
        elif isinstance(message, wire.Moved) and message.match == self.match:
            self.note(message)
        elif isinstance(message, wire.Refused):
            self.refusals.append(message.code)

    def note(self, moved: wire.Moved) -> None:
        """An entry is what it has always been."""
        entry = (moved.move, moved.card, moved.at)
        before = self.told.setdefault((moved.seat, moved.n), entry)
        assert before == entry, f"{self} was told {before} and then {entry} as entry {moved.n} of seat {moved.seat}"


async def everyone(guests: Iterable[Wanted], condition: Callable[[Wanted], object]) -> None:
    """Wait until this holds for each of them."""
    await asyncio.gather(*(guest.until(partial(condition, guest)) for guest in guests))


class Watcher(Guest):
    """A spectator. `entries` are the numbers up to which it has been shown each board."""

    def __init__(self, addresses: Sequence[str], match: str, name: str = "Wanda") -> None:
        super().__init__(addresses, name)
        self.match = match
        self.entries = [0, 0]

    async def arrive(self, welcome: wire.Welcome) -> None:
        await self.send(wire.Watch(match=self.match))

    async def take(self, message: wire.AnyServerMessage) -> None:
        await super().take(message)
        if isinstance(message, wire.BoardState) and message.match == self.match:
            self.entries[message.seat] = message.n
        elif isinstance(message, wire.Moved) and message.match == self.match:
            assert message.n <= self.entries[message.seat] + 1, f"{self} was shown a gap before {message}"
            self.entries[message.seat] = max(self.entries[message.seat], message.n)
        elif isinstance(message, wire.Refused):
            raise Trouble(message.code)


class Party:
    """All guests of a test. Whatever goes wrong with one of them goes wrong with the test."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []
        self.guests: list[Guest] = []

    def come(self, guest: Wanted) -> Wanted:
        """A guest sets out."""
        self.guests.append(guest)
        self._tasks.append(asyncio.create_task(self._look_after(guest)))
        return guest

    async def _look_after(self, guest: Guest) -> None:
        try:
            await guest.stay()
        except Exception as error:  # noqa: BLE001 - whoever waits for the guest gets it
            guest.failure = error
            await guest._changed()

    async def leave(self) -> None:
        """Everyone goes home."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def party() -> AsyncIterator[Party]:
    """Guests for the time of a block."""
    gathering = Party()
    try:
        yield gathering
        for guest in gathering.guests:
            if guest.failure is not None:
                raise guest.failure
    finally:
        await gathering.leave()

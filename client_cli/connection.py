"""One connection to a server, which mends itself.

Answers to `request` go to whoever asked; everything else the server says comes out of `events`, in its order, with
`Lost` and `Back` where the connection was. Whoever listens has to resume its match after `Back`.
"""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Iterator
from typing import NamedTuple, Self
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from client_cli.dialing import ANSWER_WITHIN, dial, is_local, unreachable
from client_cli.troubles import (
    ClientError,
    Exit,
    Garbled,
    GaveUp,
    NotAccepted,
    Refusal,
    Replaced,
    WrongVersion,
)
from client_cli.version import version
from protocol.codec import MSGPACK, WireError
from protocol.messages import AnyServerMessage, ClientMessage, Greeting, Refused, Welcome
from protocol.players import host_of, is_challenge, signed_hello

FIRST_DELAY, LONGEST_DELAY = 0.2, 3.0
"""Seconds between two attempts to come back."""
PATIENCE = 75.0
"""For how many seconds a lost connection is tried again, unless somebody knows better."""
REPLACED = 4000
"""The close code with which a newer connection takes the place of this one."""

# What goes wrong is told by this module; the libraries' own logs would end up on the user's screen.
for library in ("websockets", "asyncio"):
    logging.getLogger(library).addHandler(logging.NullHandler())


class Lost(NamedTuple):
    """The connection is lost, and will be tried again for `patience` seconds."""

    patience: float


class Back(NamedTuple):
    """It is there again."""

    welcome: Welcome


class Connection:
    """A connection to the server at a URL, for the player with this name and secret key.

    `bot` is the name of the program, where no person plays.
    """

    def __init__(self, server: str, name: str, key: str, bot: str | None = None) -> None:
        self.server = server
        self.patience = PATIENCE
        self.host = host_of(urlsplit(server).hostname or "")
        """The host that is dialled, as it is signed."""
        self._name = name
        self._key = key
        self._bot = bot
        self._socket: ClientConnection | None = None
        self._inbox: asyncio.Queue[AnyServerMessage | Lost | Back | ClientError] = asyncio.Queue()
        self._asked: dict[int, asyncio.Future[AnyServerMessage]] = {}
        self._last_id = 0
        self._keeper: asyncio.Task[None] | None = None
        self.welcome: Welcome

    async def __aenter__(self) -> Self:
        """Connect. Raises `ClientError`."""
        self.welcome = await self._dial()
        self._keeper = asyncio.create_task(self._keep())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._keeper is not None:
            self._keeper.cancel()
        if self._socket is not None:
            await self._socket.close()

    @property
    def can_be_read(self) -> bool:
        """Whether others on the way to the server can read what is said."""
        encrypted = self._socket is not None and self._socket.transport.get_extra_info("ssl_object") is not None
        return not (encrypted or is_local(self.server))

    async def events(self) -> AsyncIterator[AnyServerMessage | Lost | Back]:
        """What happens on the connection. Raises `ClientError` when it cannot go on."""
        while True:
            event = await self._inbox.get()
            if isinstance(event, ClientError):
                raise event
            yield event

    async def send(self, message: ClientMessage) -> bool:
        """Send a message. While the connection is lost it is dropped: what matters is sent again after `Back`."""
        assert self._socket is not None
        try:
            await self._socket.send(MSGPACK.encode(message))
        except ConnectionClosed:
            return False
        return True

    async def request(self, message: ClientMessage) -> AnyServerMessage:
        """Send a message and wait for its answer. Raises `ClientError` if that is a refusal."""
        self._last_id += 1
        message.id = self._last_id
        answer: asyncio.Future[AnyServerMessage] = asyncio.get_running_loop().create_future()
        self._asked[self._last_id] = answer
        if not await self.send(message):
            self._fail(self._loss())
        answered = await answer
        if isinstance(answered, Refused):
            offered = self.welcome.games if answered.code == "not-offered" else ()
            games = tuple(game.name for game in offered)
            raise ClientError(Refusal(answered.code, answered.why, answered.match, games), Exit.REFUSED)
        return answered

    async def _keep(self) -> None:
        """Read what comes in, and connect again whenever the connection is lost."""
        try:
            while True:
                await self._read()
                self._inbox.put_nowait(Lost(self.patience))
                self._inbox.put_nowait(Back(await self._return()))
        except ClientError as error:
            self._inbox.put_nowait(error)
            self._fail(error)

    async def _read(self) -> None:
        """Read until the connection is lost."""
        assert self._socket is not None
        try:
            async for frame in self._socket:
                self._take(MSGPACK.decode_server(frame))
        except ConnectionClosed:
            pass
        except WireError as error:
            raise ClientError(Garbled(error.why)) from None
        self._fail(self._loss())
        if self._socket.close_code == REPLACED:
            raise self._loss()

    def _take(self, message: AnyServerMessage | None) -> None:
        if message is None:  # of a type that a newer server has, for those who asked for it
            return
        answer = self._asked.pop(message.re, None) if message.re is not None else None
        if answer is None:
            self._inbox.put_nowait(message)
        elif not answer.done():
            answer.set_result(message)

    def _fail(self, error: ClientError) -> None:
        """Nobody who is waiting for an answer will get one."""
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(error)
        self._asked.clear()

    async def _return(self) -> Welcome:
        """Connect again, with growing pauses, until patience runs out."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        for delay in _delays():
            await asyncio.sleep(delay)
            try:
                return await self._dial()
            except ClientError as error:
                if error.exit_code is not Exit.NO_CONNECTION:
                    raise
            if loop.time() - started > self.patience:
                break
        raise ClientError(GaveUp(self.server, round(self.patience * 1000)), Exit.NO_CONNECTION)

    async def _dial(self) -> Welcome:
        """Connect once and say hello."""
        try:
            self._socket = await dial(self.server)
            try:
                return await self._greet(self._socket)
            except BaseException:
                await self._socket.close()
                raise
        except WireError as error:
            raise ClientError(Garbled(error.why)) from None
        except TimeoutError:
            raise self._unreachable("no-answer") from None
        except ConnectionClosed:
            raise self._loss() from None

    async def _greet(self, socket: ClientConnection) -> Welcome:
        if socket.subprotocol is None:
            raise ClientError(WrongVersion(self.server, "no-version"), Exit.REFUSED)
        greeting = await self._next(socket)
        if not isinstance(greeting, Greeting) or not is_challenge(greeting.challenge):
            raise ClientError(Garbled("no-greeting"))
        client = f"tommy {version()}"
        hello = signed_hello(greeting.challenge, self._key, self.host, self._name, self._bot, client)
        await socket.send(MSGPACK.encode(hello))
        answer = await self._next(socket)
        match answer:
            case Welcome():
                return answer
            case Refused(code="shutting-down"):
                raise self._unreachable(answer.code)
            case Refused():
                raise ClientError(NotAccepted(self.server, answer.code, answer.why), Exit.REFUSED)
            case _:
                raise ClientError(Garbled("no-welcome"))

    async def _next(self, socket: ClientConnection) -> AnyServerMessage:
        """The next message of a type that is known."""
        async with asyncio.timeout(ANSWER_WITHIN):
            while (message := MSGPACK.decode_server(await socket.recv())) is None:
                pass
            return message

    def _loss(self) -> ClientError:
        """Why the connection was closed."""
        assert self._socket is not None
        if self._socket.close_code == REPLACED:
            return ClientError(Replaced())
        return self._unreachable(self._socket.close_reason or "closed")

    def _unreachable(self, why: str) -> ClientError:
        return unreachable(self.server, why)


def _delays() -> Iterator[float]:
    """Growing pauses with some chance in them, so that not all clients of a server come back at once."""
    delay = FIRST_DELAY
    while True:
        yield delay * random.uniform(0.5, 1.0)
        delay = min(2 * delay, LONGEST_DELAY)

"""Saying hello over a thin socket."""

import asyncio
import secrets

from bench.thin import ThinSocket
from protocol.codec import MSGPACK
from protocol.messages import Greeting, Hello, Welcome
from protocol.players import SECRET_KEY_BYTES, signed_hello

HOST = "127.0.0.1"


async def hello_of(greeting: asyncio.Future[str], name: str) -> Hello:
    """The hello of a new player, once the greeting is there with its challenge."""
    return signed_hello(await greeting, secrets.token_hex(SECRET_KEY_BYTES), HOST, name)


async def greeted(port: int, name: str) -> ThinSocket:
    """A connection that has been welcomed; what comes after is passed over."""
    greeting: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    welcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def heard(content: bytes) -> None:
        if welcome.done():
            return
        message = MSGPACK.decode_server(content)
        if isinstance(message, Greeting):
            greeting.set_result(message.challenge)
        elif isinstance(message, Welcome):
            welcome.set_result(None)

    socket = await ThinSocket.connected(port, heard, MSGPACK.subprotocol)
    socket.send(MSGPACK.encode(await hello_of(greeting, name)))
    await welcome
    return socket

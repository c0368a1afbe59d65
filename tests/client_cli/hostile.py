"""Whoever wants to play tricks with texts: what they write, a server that writes it everywhere, and how one sees through it."""

import asyncio
import threading
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from client_cli.connection import REPLACED
from protocol.codec import MSGPACK, WireError
from tests.client_cli.stand_in import StandIn, standing_in

FORGED = "FORGED"
BREAKS = ("\n", "\r\n", "\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029")
"""What begins a new line, here or there."""
STEERING = ("\x1b[2J\x1b[1;1H", "\x1b]0;x\x07", "\x9b2J", "\x90x\x9c", "\b\b\b", "\0", "\t")
TURNING = ("\u202a", "\u202b", "\u202d", "\u202e", "\u2066", "\u2067", "\u200e", "\u200f", "\u061c")
UNSEEN = (
    "\u200b",
    "\u200d",
    "\u2060",
    "\ufeff",
    "\xad",
    "\u034f",
    "\u115f",
    "\u2800",
    "\u3164",
    "\ufe0f",
    "\xa0",
    "\U000e0041",
)
NASTY = "x" + "".join(f"{sign}{FORGED} y" for sign in (*BREAKS, *STEERING, *TURNING, *UNSEEN)) + f"    {FORGED}"
"""A text with everything in it."""
LONG = NASTY + " z" * 3_000


def tricks(shown: str) -> list[str]:
    """What should not be in what is shown: letters that cannot be seen, and lines that the client has not begun."""
    letters = {letter for letter in shown if letter not in " \n" and _is_a_trick(letter)}
    lines = [line for line in shown.split("\n") if line.startswith(FORGED)]
    return [*map(ascii, letters), *lines]


def _is_a_trick(letter: str) -> bool:
    return letter in UNSEEN or unicodedata.category(letter)[0] in "CZ"


def only(bad: "Place", said: str) -> "Poison":
    """A poison for one place."""
    return lambda place, text: said if place == bad else text


Place = str
"""Where in a message a text stands, as in match.seats.name."""

Poison = Callable[[Place, str], str]
"""What a text at a place is made into."""


def texts(plain: Any, place: Place) -> Iterator[Place]:
    """The places of all texts in plain data."""
    if isinstance(plain, str):
        yield place
    elif isinstance(plain, dict):
        for name, value in plain.items():
            yield from texts(value, f"{place}.{name}")
    elif isinstance(plain, list):
        for value in plain:
            yield from texts(value, place)


def poisoned(plain: Any, place: Place, poison: Poison) -> Any:
    """Plain data whose texts were put through the poison."""
    if isinstance(plain, str):
        return poison(place, plain)
    if isinstance(plain, dict):
        return {name: poisoned(value, f"{place}.{name}", poison) for name, value in plain.items()}
    if isinstance(plain, list):
        return [poisoned(value, place, poison) for value in plain]
    return plain


class Hostile(StandIn):
    """A stand-in whose texts are put through a poison. `said` is where it said some."""

    def __init__(self) -> None:
        super().__init__()
        self.poison: Poison = lambda _, text: text
        self.said: set[Place] = set()
        self.close_after: Place | None = None
        """Close the connection when something was said at this place."""
        self.close_code = REPLACED
        self.loop: asyncio.AbstractEventLoop | None = None
        """Where it serves."""
        self._visit = 0

    def receive(self, prepare: Callable[[StandIn], None], poison: Poison, close_after: Place | None = None) -> None:
        """Be ready for the next visitor. What those before have sent and nobody has read is of no interest any more."""

        def change() -> None:
            self._visit += 1
            self.poison, self.close_after = poison, close_after
            prepare(self)

        assert self.loop is not None
        asyncio.run_coroutine_threadsafe(_do(change), self.loop).result()

    async def serve(self, socket: ServerConnection) -> None:
        visit = self._visit
        try:
            await self.greet(socket)
            async for frame in socket:
                if visit != self._visit:
                    return
                message = MSGPACK.decode_client(frame)
                self.received.append(message)
                answers = [msgspec.to_builtins(answer) for answer in self.answers(message)]
                said = {place for answer in answers for place in texts(answer, answer["type"])}
                for answer in answers:
                    sent = poisoned(answer, answer["type"], self.poison)
                    await socket.send(msgspec.msgpack.encode({**sent, "type": answer["type"]}))
                self.said |= said
                if self.close_after in said:
                    await socket.close(self.close_code, "".join(BREAKS) + FORGED)
        except WireError:  # the client gives back what it was told: that will do
            await socket.close(REPLACED, "".join(BREAKS) + FORGED)
        except ConnectionClosed:
            pass


async def _do(work: Callable[[], None]) -> None:
    work()


@contextmanager
def elsewhere() -> Iterator[Hostile]:
    """A hostile server in a thread of its own, so that a command can be run in this one."""
    server, up = Hostile(), threading.Event()
    loop, down = asyncio.new_event_loop(), asyncio.Event()
    server.loop = loop

    async def serve() -> None:
        async with standing_in(server):
            up.set()
            await down.wait()

    def work() -> None:
        loop.run_until_complete(serve())
        loop.close()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert up.wait(10)
        yield server
    finally:
        loop.call_soon_threadsafe(down.set)
        thread.join()

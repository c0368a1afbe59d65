"""A client that takes part in matches, as many at a time as a player may, and knows its own boards."""

import asyncio
import secrets
import time
from collections.abc import Callable
from itertools import count
from typing import Any, Self

from bench.hello import hello_of
from bench.thin import ThinSocket
from engine.board import Board, Status
from engine.cards import UNKNOWN, parse_card
from engine.deal import NONCE_BYTES, nonce_commitment
from engine.games import variant
from protocol import messages as wire
from protocol.codec import MSGPACK

GAME = "sir-tommy"
LAST_SAFE_MOVE = 100
"""A Sir Tommy board takes 52 turns and 52 cards laid down; up to here it cannot have come to its end."""
TICK = 0.001
PATIENCE = 100
"""Seconds after which what has not happened will not happen."""


class Seat:
    """A seat in a match: the board, how many entries have been sent, and how many are answered."""

    def __init__(self, racer: "Racer", match: str) -> None:
        self.racer = racer
        self.match = match
        self.nonce = secrets.token_bytes(NONCE_BYTES)
        self.game = ""
        self.state = ""
        self.board: Board | None = None
        self.sent = 0
        self.answered = 0
        self.on_answer: Callable[[Seat], None] = lambda _seat: None

    def move(self, text: str) -> None:
        """Send the next entry of the board, whether or not those before it are answered."""
        self.sent += 1
        self.racer.say(wire.Move(match=self.match, n=self.sent, move=text))

    def heard(self, message: Any) -> None:
        """Take what the server says of the match."""
        if isinstance(message, wire.Moved) and message.seat == self.racer.seat:
            assert self.board is not None
            self.board.retrace(message.move, parse_card(message.card) if message.card else UNKNOWN)
            self.board.settle(Status(message.status))
            self.answered = message.n
            self.on_answer(self)
        elif isinstance(message, wire.BoardState) and message.seat == self.racer.seat:
            self.board = self.board or variant(self.game).board_from(message.view)
        elif isinstance(message, wire.MatchState):
            assert message.you is not None
            self.racer.seat, self.game = message.you, message.game
            before, self.state = self.state, message.state
            if self.state == "seated" and before != "seated":
                commitment = nonce_commitment(self.nonce, self.match, message.you)
                self.racer.say(wire.Ready(match=self.match, commitment=commitment))
            elif self.state == "revealing" and before != "revealing":
                self.racer.say(wire.Reveal(match=self.match, nonce=self.nonce.hex()))


class Racer:
    """A player's connection. It has the same seat number in all its matches."""

    def __init__(self) -> None:
        self.seat = 0
        self.seats: dict[str, Seat] = {}
        self.told = 0
        """How many messages about rivals' boards have come."""
        self.refused: list[wire.Refused] = []
        self._ids = count(1)
        self._asked: dict[int, asyncio.Future[Any]] = {}

    @classmethod
    async def connected(cls, port: int, name: str, address: str | None = None) -> Self:
        """A player who has said hello, from another address if one is named, as a proxy would."""
        racer = cls()
        racer._greeting = asyncio.get_running_loop().create_future()
        racer.socket = await ThinSocket.connected(port, racer._heard, MSGPACK.subprotocol, address)
        await racer.ask(await hello_of(racer._greeting, name))
        return racer

    socket: ThinSocket
    _greeting: asyncio.Future[str]

    def say(self, message: wire.ClientMessage) -> None:
        """Send a message."""
        self.socket.send(MSGPACK.encode(message))

    async def ask(self, message: wire.ClientMessage) -> Any:
        """Send a message, and return its answer."""
        message.id = next(self._ids)
        answer = self._asked[message.id] = asyncio.get_running_loop().create_future()
        self.say(message)
        return await answer

    def _heard(self, content: bytes) -> None:
        message = MSGPACK.decode_server(content)
        assert message is not None
        if isinstance(message, wire.Greeting):
            self._greeting.set_result(message.challenge)
        elif isinstance(message, wire.Refused):
            self.refused.append(message)
        elif isinstance(message, wire.Progress):
            self.told += 1
        elif isinstance(message, wire.MatchState | wire.BoardState | wire.Moved):
            if message.match not in self.seats:
                self.seats[message.match] = Seat(self, message.match)
            self.seats[message.match].heard(message)
        if message.re is not None:
            self._asked.pop(message.re).set_result(message)


async def start_match(first: Racer, second: Racer, game: str = GAME) -> tuple[Seat, Seat]:
    """A match between two players, up to its first move."""
    made = await first.ask(wire.Create(game=game))
    await second.ask(wire.Join(match=made.match))
    seats = first.seats[made.match], second.seats[made.match]
    await until(lambda: all(seat.board for seat in seats))
    return seats


def blind_move(number: int) -> str:
    """A move that is legal whatever the cards are."""
    assert number <= LAST_SAFE_MOVE
    return "t" if number % 2 else f"hp{number // 2 % 4 + 1}"


async def until(done: Callable[[], bool]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if done():
            return
        await asyncio.sleep(TICK)
    raise TimeoutError("the server does not answer")

"""A stand-in for the server: one match at a table, over real sockets, with a rival who only follows.

The rival is ready when the player is, and stands when the player's board is finished. The next connection can be
lost, turned away or replaced, as a test wishes.
"""

import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import msgspec
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from protocol.codec import MSGPACK
from protocol.messages import (
    OFFERS,
    ClientMessage,
    Create,
    Family,
    GameInfo,
    GetRecord,
    Greeting,
    Hello,
    History,
    Join,
    ListedMatch,
    Matches,
    MatchList,
    MatchRecord,
    Move,
    Past,
    PastMatch,
    Play,
    Ranking,
    Ready,
    Refused,
    Resume,
    Reveal,
    ServerMessage,
    Side,
    Top,
    Watch,
    Welcome,
)
from protocol.players import CHALLENGE_BYTES
from tests.client_cli.table import CODE, Table


class StandIn:
    """The server's side of a test. `url` is where it listens."""

    challenge: str | None = None
    """What every connection is greeted with; otherwise each with another one."""

    def __init__(self, table: Table | None = None) -> None:
        self.table = table or Table()
        self.url = ""
        self.received: list[ClientMessage] = []
        self.challenges: list[str] = []
        """What the connections were greeted with."""
        self.frames: list[bytes | str] = []
        """What was received, as it came."""
        self.requests: list[Request] = []
        """The handshakes."""
        self.seats: list[str] = []
        self.games: list[GameInfo] = []
        """The games that are offered; all of them, if there is none."""
        self.offers = list(OFFERS)
        """What is offered beside the games."""
        self.listed: list[ListedMatch] = []
        self.past: list[PastMatch] = []
        self.rankings: dict[Family, Ranking] = {}
        self.lose_before: str | None = None
        """Lose the connection instead of answering this move, once."""
        self.close_with: int | None = None
        """Close every connection with this code after its welcome."""
        self.turn_away: str | None = None
        """Answer every handshake with HTTP 400 and this text."""
        self.refuse_hello: str | None = None
        self.connections = 0
        self._socket: ServerConnection | None = None

    async def serve(self, socket: ServerConnection) -> None:
        self.connections += 1
        self._socket = socket
        try:
            await self.greet(socket)
            async for frame in socket:
                self.frames.append(frame)
                message = MSGPACK.decode_client(frame)
                self.received.append(message)
                if isinstance(message, Move) and message.move == self.lose_before:
                    self.lose_before = None
                    self.table.play(0, message.move)
                    socket.transport.abort()
                    return
                for answer in self.answers(message):
                    if (told := self.told(answer)) is not None:
                        await socket.send(MSGPACK.encode(told))
                if isinstance(message, Hello) and self.close_with is not None:
                    await socket.close(self.close_with)
        except ConnectionClosed:
            pass

    async def greet(self, socket: ServerConnection) -> None:
        """Say what a hello has to sign."""
        self.challenges.append(self.challenge or secrets.token_hex(CHALLENGE_BYTES))
        await socket.send(MSGPACK.encode(Greeting(challenge=self.challenges[-1])))

    async def push(self, *messages: ServerMessage) -> None:
        """Tell the client something that it has not asked for."""
        assert self._socket is not None
        for message in messages:
            if (told := self.told(message)) is not None:
                await self._socket.send(MSGPACK.encode(told))

    async def close(self, code: int) -> None:
        """Close the newest connection."""
        assert self._socket is not None
        await self._socket.close(code)

    def told(self, answer: ServerMessage) -> ServerMessage | None:
        """What the client gets to see instead of that: the place for a server that lies."""
        return answer

    def answers(self, message: ClientMessage) -> Iterator[ServerMessage]:
        """What the player is told; the answer itself comes first."""
        answers = self._answers(message)
        first = next(answers, None)
        if first is not None:
            yield msgspec.structs.replace(first, re=message.id)
        yield from answers

    def _answers(self, message: ClientMessage) -> Iterator[ServerMessage]:
        table = self.table
        match message:
            case Hello() if self.refuse_hello is not None:
                yield Refused(code=self.refuse_hello, why="not today")
            case Hello():
                yield Welcome(
                    server="stand-in",
                    name=message.name,
                    tag="0000",
                    games=self.games,
                    seats=self.seats,
                    offers=self.offers,
                )
            case Play() | Create() if self.games and message.game not in [game.name for game in self.games]:
                yield Refused(code="not-offered", why="not here")
            case Play() | Create():
                yield table.match()
                table.seated()
                yield table.match()
            case Join() if message.match != table.code:
                yield Refused(code="unknown-match", why="no such match", match=message.match)
            case Join():
                table.seated()
                yield table.match()
            case Ready():
                table.commit(0, message.commitment)
                table.commit(1)
                yield table.match()
            case Reveal():
                table.reveal(0, bytes.fromhex(message.nonce))
                table.reveal(1)
                yield table.match()
                table.start()
                yield table.match()
                yield table.board(0)
                yield table.progress(1)
            case Move():
                yield from self._moved(message)
            case Resume():
                yield table.match()
                if table.boards:
                    missing = table.logs[0][message.n :] if message.n else [table.board(0)]
                    yield from missing
                    yield table.progress(1)
            case Watch() if message.match == table.code:
                yield table.match(None)
                if table.boards:
                    yield table.board(0)
                    yield table.board(1)
                    if not table.boards[0].finished:
                        yield from (table.play(0, entry) for entry in ("t", "hp1", "resign"))
                        yield table.match(None)
            case Matches():
                yield MatchList(matches=self.listed)
            case GetRecord() if message.match == table.code:
                yield MatchRecord(match=table.code, record=table.record())
            case History():
                start = 1 + [match.match for match in self.past].index(message.before) if message.before else 0
                end = start + message.most
                yield Past(matches=self.past[start:end], more=len(self.past) > end)
            case Top():
                yield self.rankings.get(message.family, Ranking(family=message.family, ranks=[]))
            case GetRecord() | Watch():
                yield Refused(code="unknown-match", why="no such match", match=message.match)
            case _:
                pass

    def _moved(self, message: Move) -> Iterator[ServerMessage]:
        table, log = self.table, self.table.logs[0]
        if message.n <= len(log):
            yield log[message.n - 1]
            return
        yield table.play(0, message.move)
        if table.boards[0].finished and not table.result:
            table.play(1, "stand")
            yield table.progress(1)
        if table.result:
            yield table.board(1)
            yield table.match()

    def admit(self, _socket: ServerConnection, request: Request) -> Response | None:
        self.requests.append(request)
        if self.turn_away is None:
            return None
        body = self.turn_away.encode()
        headers = Headers({"Content-Length": str(len(body)), "Connection": "close"})
        return Response(HTTPStatus.BAD_REQUEST, "Bad Request", headers, body)

    @property
    def moves(self) -> list[tuple[int, str]]:
        """The moves received, with their numbers."""
        return [(message.n, message.move) for message in self.received if isinstance(message, Move)]


@asynccontextmanager
async def standing_in(stand_in: StandIn | None = None, **options: Any) -> AsyncIterator[StandIn]:
    """The stand-in, listening on a free port."""
    stand_in = stand_in or StandIn()
    options.setdefault("subprotocols", [Subprotocol(MSGPACK.subprotocol)])
    async with serve(
        stand_in.serve, "127.0.0.1", 0, process_request=stand_in.admit, compression=None, **options
    ) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        stand_in.url = f"ws://127.0.0.1:{port}"
        yield stand_in


def offer(name: str) -> GameInfo:
    """The offer of a game, all of its numbers 0."""
    numbers = {field.name: 0 for field in msgspec.structs.fields(GameInfo) if field.type is int}
    return GameInfo(name=name, options=[], **numbers)


def sides(first: str, second: str, counts: tuple[int, int] = (0, 0)) -> list[Side]:
    """The seats of a match in a list, both people's."""
    return [Side(name=name, tag=f"000{seat}", count=counts[seat]) for seat, name in enumerate((first, second))]


ONE_MATCH = [ListedMatch(match=CODE, game="sir-tommy", seats=sides("Ada", "Bo", (3, 4)), left=60_000)]

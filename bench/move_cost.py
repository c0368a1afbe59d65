"""What a move costs the server, beside what the same frames cost a server that only sends them back.

The race server and the echo server have a core of their own, one at a time, and the clients another. A move is decoded,
checked, played, written to the store, acknowledged and told to the rival; an echo is 32 bytes there and back. What Redis
itself uses is not counted: it has no place on the servers' core.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.machine import cores, pinned
from bench.measured import Measured, measured
from bench.racer import TICK, Racer, Seat, blind_move, start_match, until
from bench.redis_server import redis_server
from bench.table import Table
from bench.thin import ThinSocket, ignore
from server.main import new_event_loop

ECHO = bytes(32)


@dataclass(frozen=True)
class Load:
    """How much is asked of the servers."""

    matches: int = 50
    paced_rate: int = 4_000
    """Moves a second, all connections together."""
    paced_moves: int = 28
    """Moves of one connection, in one round."""
    answered_moves: int = 90
    rounds: int = 3


QUICK = Load(matches=2, paced_rate=1_000, paced_moves=6, answered_moves=10, rounds=1)

Send = Callable[[], None]


@dataclass
class Side:
    """One server with the connections to it, and what was measured on it."""

    server: Measured
    costs: dict[str, list[float]] = field(default_factory=dict)
    rates: dict[str, list[float]] = field(default_factory=dict)

    async def measure(self, what: str, number: int, work: Callable[[], Awaitable[None]]) -> None:
        """Do some work that asks the server for `number` answers, and note what they cost it."""
        before, began = await self.server.cpu(), time.perf_counter()
        await work()
        took = time.perf_counter() - began
        self.costs.setdefault(what, []).append((await self.server.cpu() - before) / number * 1e6)
        self.rates.setdefault(what, []).append(number / took)

    def cost(self, what: str) -> float:
        """Microseconds of processor time, in the best round: what else goes on here can only add to it."""
        return min(self.costs[what])

    def rate(self, what: str) -> float:
        """How many a second, in the best round."""
        return max(self.rates[what])


def run(*, quick: bool) -> list[Table]:
    """Measure, with the embedded store in a file and in memory, and with Redis where there is one."""
    pair = cores()
    with asyncio.Runner(loop_factory=new_event_loop) as runner, pinned(pair[1] if pair else None):
        return runner.run(_measure(QUICK if quick else Load(), pair[0] if pair else None))


async def _measure(load: Load, core: int | None) -> list[Table]:
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        echo = Side(await stack.enter_async_context(measured("echo", core=core)))
        echoes = _Echoes(await _echoing(echo.server.port, 2 * load.matches))
        stack.callback(echoes.close)
        stores = {"sqlite file": f"sqlite:{folder / 'matches.db'}", "memory:": "memory:"}
        redis = await stack.enter_async_context(redis_server(folder))
        if redis is not None:
            stores["redis, everysec"] = redis
        races = {}
        for name, store in stores.items():
            side = Side(await stack.enter_async_context(measured("race", store, core)))
            races[name] = _Races(side, [(await _racer(side, 0), await _racer(side, 1)) for _ in range(load.matches)])
            stack.callback(races[name].close)
        paced = load.matches * 2 * load.paced_moves
        answered = load.matches * 2 * load.answered_moves
        for _ in range(load.rounds):
            for race in races.values():
                await race.start()
            await echo.measure("paced", paced, lambda: echoes.paced(load))
            for race in races.values():
                await race.side.measure("paced", paced, lambda race=race: race.paced(load))  # type: ignore[misc]
                await race.finish()
                await race.start()
            await echo.measure("answered", answered, lambda: echoes.answered(load))
            for race in races.values():
                await race.side.measure("answered", answered, lambda race=race: race.answered(load))  # type: ignore[misc]
                await race.finish()
        return _tables(load, core, echo, races)


def _tables(load: Load, core: int | None, echo: Side, races: "dict[str, _Races]") -> list[Table]:
    ways = {
        "paced": f"{load.paced_rate:,}/s, without waiting",
        "answered": "one in flight each, flat out",
    }
    moves, matches = {}, {}
    for name, race in races.items():
        for way, words in ways.items():
            cost, bare = race.side.cost(way), echo.cost(way)
            rates = race.side.rate(way), echo.rate(way)
            moves[f"{name}, {words}"] = (cost, bare, cost / bare, *rates)
        matches[name] = (race.side.cost("start"), race.side.cost("finish"))
    told = sum(race.told for race in races.values()) / sum(race.moves for race in races.values())
    where = f"on core {core}, clients on another" if core is not None else "not pinned: the system may move them about"
    return [
        Table(
            f"A move beside an echo: server processor time, {2 * load.matches} connections, {load.matches} matches",
            ("us a move", "us an echo", "ratio", "moves/s", "echoes/s"),
            moves,
            (
                f"servers {where}; the best of {load.rounds} rounds",
                f"a move is acknowledged when it is durable; {told:.2f} messages a move to the rival",
            ),
        ),
        Table(
            "A match besides its moves: server processor time",
            ("us to start", "us to end"),
            matches,
            ("start: made, joined, both ready, both revealed, dealt; end: resigned, and both told the result",),
        ),
    ]


async def _racer(side: Side, number: int) -> Racer:
    return await Racer.connected(side.server.port, ("Ada", "Bob")[number])


class _Races:
    """Pairs of players on one server, and the match each pair is at."""

    def __init__(self, side: Side, pairs: list[tuple[Racer, Racer]]) -> None:
        self.side = side
        self.pairs = pairs
        self.seats: list[Seat] = []
        self.moves = 0
        self.told = 0

    async def start(self) -> None:
        """Have every pair start a match."""

        async def start() -> None:
            matches = await asyncio.gather(*(start_match(*pair) for pair in self.pairs))
            self.seats = [seat for match in matches for seat in match]

        await self.side.measure("start", len(self.pairs), start)
        self._told_before = self._told()

    async def finish(self) -> None:
        """End the matches, and count what was told in them."""
        self.moves += sum(seat.answered for seat in self.seats)
        self.told += self._told() - self._told_before
        losers = self.seats[::2]

        async def resign() -> None:
            for seat in losers:
                seat.move("resign")
            await until(lambda: all(seat.state == "over" for seat in self.seats))

        await self.side.measure("finish", len(losers), resign)
        refused = [refused for pair in self.pairs for racer in pair for refused in racer.refused]
        if refused:
            raise RuntimeError(f"the server refused {len(refused)} messages, such as {refused[0]}")

    async def paced(self, load: Load) -> None:
        """All players move at a steady rate, without waiting for answers: turn, lay down, turn, lay down."""
        sends = [lambda seat=seat: seat.move(blind_move(seat.sent + 1)) for seat in self.seats]
        await _at_a_rate(sends, load.paced_moves, load.paced_rate)
        await until(lambda: all(seat.answered == seat.sent for seat in self.seats))

    async def answered(self, load: Load) -> None:
        """All players move as soon as their last move is answered: up if it goes, else to one pile after another."""

        def go_on(seat: Seat) -> None:
            assert seat.board is not None
            if seat.sent < load.answered_moves:
                legal = seat.board.legal_moves()
                seat.move(str(legal[0] if len(legal) != 4 else legal[seat.sent % 4]))

        for seat in self.seats:
            seat.on_answer = go_on
            go_on(seat)
        await until(lambda: all(seat.answered == load.answered_moves for seat in self.seats))

    def _told(self) -> int:
        return sum(racer.told for pair in self.pairs for racer in pair)

    def close(self) -> None:
        """Hang up."""
        for pair in self.pairs:
            for racer in pair:
                racer.socket.close()


class _Echoes:
    """Connections to the echo server that do what the players do."""

    def __init__(self, sockets: list[ThinSocket]) -> None:
        self.sockets = sockets

    async def paced(self, load: Load) -> None:
        wanted = self._frames() + len(self.sockets) * load.paced_moves
        sends = [lambda socket=socket: socket.send(ECHO) for socket in self.sockets]
        await _at_a_rate(sends, load.paced_moves, load.paced_rate)
        await until(lambda: self._frames() == wanted)

    async def answered(self, load: Load) -> None:
        wanted = {socket: socket.frames + load.answered_moves for socket in self.sockets}
        for socket in self.sockets:

            def go_on(_content: bytes, socket: ThinSocket = socket) -> None:
                if socket.frames < wanted[socket]:
                    socket.send(ECHO)

            socket.heard = go_on
            socket.send(ECHO)
        await until(lambda: all(socket.frames == number for socket, number in wanted.items()))
        for socket in self.sockets:
            socket.heard = ignore

    def _frames(self) -> int:
        return sum(socket.frames for socket in self.sockets)

    def close(self) -> None:
        """Hang up."""
        for socket in self.sockets:
            socket.close()


async def _echoing(port: int, number: int) -> list[ThinSocket]:
    return [await ThinSocket.connected(port, ignore) for _ in range(number)]


async def _at_a_rate(sends: Sequence[Send], times: int, rate: int) -> None:
    """Call each of `sends` some times, in turns, at a rate of so many calls a second."""
    began, done, wanted = time.perf_counter(), 0, len(sends) * times
    while done < wanted:
        due = min(wanted, int((time.perf_counter() - began) * rate))
        for number in range(done, due):
            sends[number % len(sends)]()
        done = due
        await asyncio.sleep(TICK)

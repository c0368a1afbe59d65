"""What others feel while ten connections have the server think as much as they can.

Players of Sir Tommy make moves at a steady rate, and the time from sending a move to its acknowledgement is taken: with
nobody else there, and beside ten thinkers at one address who play the costliest positions there are (`bench.costly`,
a made-up deal), each as fast as it is answered. One more thinker, at an address of its own, shows what is left for
those who need the server to think about their moves as well. All in the same run, on the same server, by turns.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.costly import GAME, Columns, Thinker
from bench.machine import cores, pinned
from bench.measured import measured
from bench.racer import TICK, Racer, Seat, blind_move, start_match, until
from bench.table import Table
from server.main import new_event_loop

THEIR_ADDRESS, ANOTHER_ADDRESS = "192.0.2.1", "198.51.100.1"


@dataclass(frozen=True)
class Load:
    """How much is asked of the server."""

    thinkers: int = 10
    matches: int = 10
    moves: int = 90
    """Moves of one player, in one round."""
    rate: int = 200
    """Moves a second, all players together."""
    thoughts: int = 2
    """Moves of the one more thinker, in one round."""
    rounds: int = 3


QUICK = Load(thinkers=2, matches=1, moves=6, rate=100, thoughts=1, rounds=1)


def run(*, quick: bool) -> list[Table]:
    """Measure, with the embedded store in a file."""
    pair = cores()
    with asyncio.Runner(loop_factory=new_event_loop) as runner, pinned(pair[1] if pair else None):
        return runner.run(_measure(QUICK if quick else Load(), pair[0] if pair else None))


async def _measure(load: Load, core: int | None) -> list[Table]:
    with tempfile.TemporaryDirectory() as folder:
        async with measured("costly", f"sqlite:{Path(folder) / 'matches.db'}", core) as server:
            bench = await _Bench.opened(server.port, load)
            waits: dict[str, list[list[float]]] = {"alone": [], "beside the thinkers": []}
            thoughts: dict[str, list[float]] = {"alone": [], "beside the thinkers": []}
            moves, took = 0, 0.0
            for _ in range(load.rounds):
                waits["alone"].append(await bench.raced())
                thoughts["alone"] += await bench.thought()
                async with bench.thinkers_at_work():
                    before, began = bench.thinkers_moves, time.perf_counter()
                    waits["beside the thinkers"].append(await bench.raced())
                    thoughts["beside the thinkers"] += await bench.thought()
                    moves, took = moves + bench.thinkers_moves - before, took + time.perf_counter() - began
    where = f"on core {core}, clients on another" if core is not None else "not pinned: the system may move it about"
    each = 2 * load.matches * load.moves
    return [
        Table(
            f"What others feel: ms to a move's acknowledgement, {2 * load.matches} players, {load.rate} moves a second",
            ("p50", "p99", "worst"),
            {name: _felt(rounds) for name, rounds in waits.items()},
            (
                f"sqlite file; the server {where}; medians of {load.rounds} rounds of {each:,} moves each",
                f"{load.thinkers} thinkers make {moves / took:.1f} moves a second together",
            ),
        ),
        Table(
            "A move of one more thinker, at another address: seconds to its acknowledgement",
            ("median", "worst"),
            {name: (statistics.median(found), max(found)) for name, found in thoughts.items()},
            (f"{len(thoughts['alone'])} moves each; with equal shares for both addresses it takes twice as long",),
        ),
    ]


def _felt(rounds: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """Milliseconds: the half, 99 of 100 and all of the moves were acknowledged within; medians of the rounds."""
    ranked = [sorted(waits) for waits in rounds]
    marks = ([waits[int((len(waits) - 1) * share)] for waits in ranked] for share in (0.5, 0.99, 1.0))
    p50, p99, worst = (statistics.median(mark) * 1000 for mark in marks)
    return p50, p99, worst


class _Bench:
    """Everybody who is connected to the server."""

    def __init__(
        self, load: Load, pairs: list[tuple[Racer, Racer]], one_more: Thinker, thinkers: list[Thinker]
    ) -> None:
        self.load = load
        self.pairs = pairs
        self.one_more = one_more
        self.thinkers = thinkers

    @classmethod
    async def opened(cls, port: int, load: Load) -> "_Bench":
        """Bring everybody in. One thinker is the first to come to the end of the stock: then all others know about it."""
        pairs = [(await _racer(port), await _racer(port)) for _ in range(load.matches)]
        been: set[Columns] = set()
        one_more = Thinker((await _seats(port, ANOTHER_ADDRESS))[0], been, 0)
        one_more.turn()
        await until(lambda: one_more.idle)
        thinkers: list[Thinker] = []
        while len(thinkers) < load.thinkers:
            thinkers += [
                Thinker(seat, been, len(thinkers) + number)
                for number, seat in enumerate(await _seats(port, THEIR_ADDRESS), 1)
            ]
        for thinker in thinkers:
            thinker.turn()
        await until(lambda: all(thinker.idle for thinker in thinkers))
        return cls(load, pairs, one_more, thinkers)

    @property
    def thinkers_moves(self) -> int:
        """How many moves of the thinkers have been answered."""
        return sum(thinker.seat.answered for thinker in self.thinkers)

    async def raced(self) -> list[float]:
        """Have the players race for a while; the seconds that each of their moves took to be acknowledged."""
        matches = await asyncio.gather(*(start_match(*pair) for pair in self.pairs))
        seats = [seat for match in matches for seat in match]
        sent: dict[tuple[Seat, int], float] = {}
        waits: list[float] = []

        def answered(seat: Seat) -> None:
            waits.append(time.perf_counter() - sent[seat, seat.answered])

        for seat in seats:
            seat.on_answer = answered
        began, wanted = time.perf_counter(), len(seats) * self.load.moves
        while len(sent) < wanted:
            due = min(wanted, int((time.perf_counter() - began) * self.load.rate))
            for number in range(len(sent), due):
                seat = seats[number % len(seats)]
                sent[seat, seat.sent + 1] = time.perf_counter()
                seat.move(blind_move(seat.sent + 1))
            await asyncio.sleep(TICK)
        await until(lambda: len(waits) == wanted)
        for seat in seats[::2]:
            seat.on_answer = lambda _: None
            seat.move("resign")
        await until(lambda: all(seat.state == "over" for seat in seats))
        return waits

    async def thought(self) -> list[float]:
        """Have the one more thinker make some moves; the seconds that each took to be acknowledged."""
        waits = []
        for _ in range(self.load.thoughts):
            began = time.perf_counter()
            self.one_more.move()
            await until(lambda: self.one_more.idle)
            waits.append(time.perf_counter() - began)
        return waits

    @asynccontextmanager
    async def thinkers_at_work(self) -> AsyncIterator[None]:
        """The thinkers make one move after another."""
        for thinker in self.thinkers:
            thinker.goes_on = True
            thinker.move()
        yield
        for thinker in self.thinkers:
            thinker.goes_on = False
        await until(lambda: all(thinker.idle for thinker in self.thinkers))


async def _racer(port: int, address: str | None = None) -> Racer:
    return await Racer.connected(port, "Ada", address)


async def _seats(port: int, address: str) -> tuple[Seat, Seat]:
    """Both seats of a match with the costly deal, at one address."""
    return await start_match(await _racer(port, address), await _racer(port, address), GAME)

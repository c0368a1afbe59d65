"""What one more spectator costs the server, beside `websockets.broadcast` to as many connections."""

import asyncio

from bench.hello import greeted
from bench.machine import cores, pinned, raise_file_limit
from bench.measured import measured
from bench.racer import Racer, Seat, blind_move, start_match, until
from bench.table import Table
from bench.thin import ThinSocket, ignore
from protocol.codec import MSGPACK
from protocol.messages import Watch
from server.main import new_event_loop

SPECTATORS, MOVES = 1_000, 80
SPARE_FILES = 200
QUIET = 0.2


def run(*, quick: bool) -> list[Table]:
    """Measure one match with many spectators."""
    pair = cores()
    wanted, moves = (10, 6) if quick else (SPECTATORS, MOVES)
    number = min(wanted, raise_file_limit(2 * wanted + SPARE_FILES) - SPARE_FILES)
    with asyncio.Runner(loop_factory=new_event_loop) as runner, pinned(pair[1] if pair else None):
        return [runner.run(_measure(number, moves, pair[0] if pair else None))]


async def _measure(number: int, moves: int, core: int | None) -> Table:
    a_move, a_frame, size = await _watched(number, moves, core)
    bare = await _broadcast(number, moves, size, core)
    return Table(
        f"A spectator: server processor time, one match with {number:,} of them",
        ("us a move", "us a frame", "us a frame, broadcast", "ratio"),
        {"one more spectator": (a_move, a_frame, bare, a_frame / bare)},
        (
            f"{a_move / a_frame:.2f} frames a move; broadcast: as many frames of the same {size} bytes to as many connections",
        ),
    )


async def _watched(number: int, moves: int, core: int | None) -> tuple[float, float, int]:
    """Microseconds a spectator costs for each move and for each frame, and the mean size of a frame."""
    async with measured("race", core=core) as server:
        players = [await Racer.connected(server.port, name) for name in ("Ada", "Bob")]
        seats = await start_match(players[0], players[1])
        before = await server.cpu()
        await _race_on(seats, moves)
        alone = await server.cpu() - before
        sockets = [await _spectator(server.port, seats[0].match) for _ in range(number)]
        await _quiet(sockets)
        frames, size = _heard(sockets)
        before = await server.cpu()
        await _race_on(seats, moves)
        await _quiet(sockets)
        crowded = await server.cpu() - before
        all_frames, all_size = _heard(sockets)
        for socket in [*sockets, *(player.socket for player in players)]:
            socket.close()
    frames, size = all_frames - frames, all_size - size
    spent = max(crowded - alone, 1e-9) * 1e6
    return spent / moves / number, spent / frames, round(size / frames)


async def _race_on(seats: tuple[Seat, Seat], moves: int) -> None:
    """The players move in turns, each as soon as the other's move is acknowledged: both boards are seen live."""
    for number in range(moves):
        seat = seats[number % 2]
        seat.move(blind_move(seat.sent + 1))
        await until(lambda seat=seat: seat.answered == seat.sent)  # type: ignore[misc]


async def _broadcast(number: int, frames: int, size: int, core: int | None) -> float:
    """Microseconds that `websockets.broadcast` takes for each connection."""
    async with measured("broadcast", core=core) as server:
        sockets = [await ThinSocket.connected(server.port, ignore) for _ in range(number)]
        before = await server.cpu()
        for sent in range(1, frames + 1):
            sockets[0].send(bytes(size))
            await until(lambda sent=sent: sockets[0].frames == sent)  # type: ignore[misc]
        await _quiet(sockets)
        spent = await server.cpu() - before
        all_frames, _ = _heard(sockets)
        for socket in sockets:
            socket.close()
    return spent / all_frames * 1e6


async def _spectator(port: int, match: str) -> ThinSocket:
    socket = await greeted(port, "Cy")
    socket.send(MSGPACK.encode(Watch(match=match)))
    return socket


async def _quiet(sockets: list[ThinSocket]) -> None:
    """Wait until nothing more comes."""
    before = (-1, -1)
    while (now := _heard(sockets)) != before:
        before = now
        await asyncio.sleep(QUIET)


def _heard(sockets: list[ThinSocket]) -> tuple[int, int]:
    """How many frames the sockets have received together, and how many bytes in them."""
    return sum(socket.frames for socket in sockets), sum(socket.received for socket in sockets)

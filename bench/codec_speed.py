"""How fast messages become frames, and frames messages."""

import time

from bench.table import Table
from engine.board import Status
from protocol import messages as wire
from protocol.codec import ENCODINGS, Encoding
from protocol.players import signed_hello

MATCH = "abcd2345"

FROM_CLIENTS: dict[str, wire.ClientMessage] = {
    "hello": signed_hello("c0" * 32, "0123456789abcdef" * 4, "127.0.0.1", "Ada", client="bench"),
    "ready": wire.Ready(match=MATCH, commitment="0123456789abcdef" * 4),
    "move": wire.Move(id=17, match=MATCH, n=12, move="hp3"),
}
_SEAT = wire.SeatInfo(name="Ada", tag="1f0c", ready=True, nonce_commitment="ab" * 32, nonce="cd" * 16)
FROM_SERVER: dict[str, wire.ServerMessage] = {
    "moved": wire.Moved(
        re=17, match=MATCH, seat=0, n=12, move="t", card="7h", status=Status.PLAYING, count=3, at=61_204
    ),
    "progress": wire.Progress(match=MATCH, seat=1, turned=7, finished=False, status=Status.PLAYING, count=3),
    "match": wire.MatchState(
        match=MATCH,
        game="sir-tommy",
        state="playing",
        seats=[_SEAT, _SEAT],
        commitment="ef" * 32,
        clock=wire.DEFAULT_CLOCK,
        grace=wire.DEFAULT_GRACE,
        you=0,
        left=840_000,
    ),
}


def run(*, quick: bool) -> list[Table]:
    """Measure both encodings, both ways."""
    times, rounds = (50, 1) if quick else (20_000, 5)
    columns = tuple(f"{name}, us" for name in ENCODINGS)
    decode, encode = {}, {}
    for name, asked in FROM_CLIENTS.items():
        decode[f"decode_client {name}"] = tuple(_decode(each, asked, times, rounds) for each in ENCODINGS.values())
    for name, told in FROM_SERVER.items():
        encode[f"encode {name}"] = tuple(_encode(each, told, times, rounds) for each in ENCODINGS.values())
    messages: dict[str, wire.ClientMessage | wire.ServerMessage] = {**FROM_CLIENTS, **FROM_SERVER}
    size = {
        f"bytes of {name}": tuple(float(len(each.encode(message))) for each in ENCODINGS.values())
        for name, message in messages.items()
    }
    return [
        Table("The codec: what clients send is checked, what the server sends is not", columns, {**decode, **encode}),
        Table("The size of a message", tuple(ENCODINGS), size),
    ]


def _decode(encoding: Encoding, message: wire.ClientMessage, times: int, rounds: int) -> float:
    frame, best = encoding.encode(message), float("inf")
    for _ in range(rounds):
        began = time.perf_counter()
        for _ in range(times):
            encoding.decode_client(frame)
        best = min(best, time.perf_counter() - began)
    return best / times * 1e6


def _encode(encoding: Encoding, message: wire.ServerMessage, times: int, rounds: int) -> float:
    best = float("inf")
    for _ in range(rounds):
        began = time.perf_counter()
        for _ in range(times):
            encoding.encode(message)
        best = min(best, time.perf_counter() - began)
    return best / times * 1e6

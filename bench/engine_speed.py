"""How fast the engine is alone: every game of the catalogue, played at random."""

import random
import time

from bench.table import Table
from engine.board import Board
from engine.deal import deal
from engine.games import CATALOGUE, Variant, variant
from engine.moves import Move

LONGEST_PLAYOUT = 400
"""Moves: some games can go on for ever."""

Playout = list[Move]


def run(*, quick: bool) -> list[Table]:
    """Measure every game."""
    playouts, rounds = (3, 1) if quick else (100, 4)
    rows = {name: _measured(variant(name), playouts, rounds) for name in CATALOGUE}
    return [
        Table(
            "The engine alone",
            ("us legal_moves", "us enter", "us deal", "playouts/s", "moves/s"),
            rows,
            (
                "enter: check and play one move, and work out status and count",
                f"playouts: deal, then random moves to the end, or {LONGEST_PLAYOUT} of them; the best of {rounds} rounds",
            ),
        )
    ]


def _measured(chosen: Variant, playouts: int, rounds: int) -> tuple[float, ...]:
    boards = [_board(chosen, seed) for seed in range(playouts)]
    began = time.perf_counter()
    for seed in range(playouts):
        _board(chosen, seed)
    dealing = time.perf_counter() - began
    played = [_played(board, random.Random(seed)) for seed, board in enumerate(boards)]
    moves = sum(map(len, played))
    entering, listing, playing = [], [], []
    for _ in range(rounds):
        entering.append(_enter_all([_board(chosen, seed) for seed in range(playouts)], played))
        listing.append(_list_all([_board(chosen, seed) for seed in range(playouts)], played))
        began = time.perf_counter()
        for seed in range(playouts):
            _played(_board(chosen, seed), random.Random(seed))
        playing.append(time.perf_counter() - began)
    return (
        min(listing) / moves * 1e6,
        min(entering) / moves * 1e6,
        dealing / playouts * 1e6,
        playouts / min(playing),
        moves / min(playing),
    )


def _board(chosen: Variant, seed: int) -> Board:
    secret, nonce = seed.to_bytes(32, "big"), bytes(16)
    return chosen.board(deal(chosen.cards, secret, (nonce, nonce), "benchmrk"))


def _played(board: Board, chance: random.Random) -> Playout:
    moves: Playout = []
    while len(moves) < LONGEST_PLAYOUT and (legal := board.legal_moves()):
        move = chance.choice(legal)
        board.apply(move)
        moves.append(move)
    return moves


def _enter_all(boards: list[Board], played: list[Playout]) -> float:
    texts = [[str(move) for move in moves] for moves in played]
    began = time.perf_counter()
    for board, entries in zip(boards, texts, strict=True):
        for entry in entries:
            board.enter(entry)
            _ = board.status, board.count
    return time.perf_counter() - began


def _list_all(boards: list[Board], played: list[Playout]) -> float:
    """The time that `legal_moves` takes before each move; what the moves themselves take is left out."""
    took = 0.0
    for board, moves in zip(boards, played, strict=True):
        for move in moves:
            began = time.perf_counter()
            board.legal_moves()
            took += time.perf_counter() - began
            board.apply(move)
    return took

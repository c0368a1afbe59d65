"""How fast the engine is alone: every game of the catalogue, played at random."""

import asyncio
import random
import statistics
import time
from collections.abc import Generator
from itertools import pairwise

from bench.table import Table
from engine.board import Board
from engine.deal import deal
from engine.forty_thieves import FortyThievesBoard, FortyThievesRules, stuck_search
from engine.games import CATALOGUE, Variant, variant
from engine.moves import Area, Move
from engine.stuck import BUDGET, Columns, Position, StuckSearch
from server.thinking import Thinking

LONGEST_PLAYOUT = 400
"""Moves: some games can go on for ever."""

SEARCHES_OF_A_DEAL = 40
AT_ONCE = 16
"""Boards that think at the same time."""

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
        ),
        _searches(10 if quick else 100),
    ]


def _searches(deals: int) -> Table:
    """What it takes to tell whether a board is stuck, after every move of careless play with an empty stock."""
    rows = {}
    for name, game in CATALOGUE.items():
        if isinstance(game.rules, FortyThievesRules):
            found = [search for seed in range(deals) for search in _searched(variant(name), seed)]
            took, steps, positions = zip(*found, strict=True)
            rows[name] = (
                len(found),
                statistics.mean(took),
                max(took),
                max(steps),
                asyncio.run(_held(variant(name))),
                statistics.mean(positions),
                max(positions),
            )
    return Table(
        "The stuck search",
        ("searches", "ms mean", "ms worst", "ms longest step", "ms others wait", "positions mean", "positions most"),
        rows,
        (
            f"after each of up to {SEARCHES_OF_A_DEAL} random moves with an empty stock, {deals} deals a game",
            f"step: what cannot be interrupted; others wait: at most, at a time, in a server where {AT_ONCE} boards think at once",
            f"positions: those looked at further; a search ends when {BUDGET:,} have been reached",
        ),
    )


def _searched(chosen: Variant, seed: int) -> list[tuple[float, float, int]]:
    """Milliseconds, those of its longest step, and positions of each search in one deal that is played up when it can be, else at random."""
    board, chance = _without_stock(chosen, seed), random.Random(seed)
    found: list[tuple[float, float, int]] = []
    while len(found) < SEARCHES_OF_A_DEAL:
        search = Counted(len(board.columns), board._lies_on, whole_sequences=board.rules.whole_sequences)
        times = [time.thread_time()]
        times += (time.thread_time() for _ in search.steps(board.columns, board.waste, board._wanted()))
        times.append(time.thread_time())
        longest = max(after - before for before, after in pairwise(times))
        found.append(((times[-1] - times[0]) * 1000, longest * 1000, search.looked_at))
        if board.finished:
            break
        board.apply(chance.choice(board.legal_moves()))
    return found


async def _held(chosen: Variant) -> float:
    """Milliseconds for which others wait at most, at a time, while some boards think at once."""
    thinking, longest = Thinking(), 0.0
    thoughts = [asyncio.create_task(thinking.done(_without_stock(chosen, seed).think())) for seed in range(AT_ONCE)]
    before = time.thread_time()
    while not all(thought.done() for thought in thoughts):
        await asyncio.sleep(0)
        now = time.thread_time()
        longest, before = max(longest, now - before), now
    return longest * 1000


def _without_stock(chosen: Variant, seed: int) -> FortyThievesBoard:
    """A board that was played up when it could be, else at random, until its stock was empty."""
    board, chance = _board(chosen, seed), random.Random(seed)
    assert isinstance(board, FortyThievesBoard)
    while board.stock:
        moves = board.legal_moves()
        ups = [move for move in moves if move.target.area is Area.FOUNDATION]
        board.apply(ups[0] if ups else chance.choice([moves[-1], chance.choice(moves)]))
    return board


class Counted(StuckSearch):
    """A search that counts the positions it looks at further."""

    looked_at = 0

    def _reached(self, position: Position, waste: bytes) -> Generator[tuple[Columns, int], None, None]:
        self.looked_at += 1
        return super()._reached(position, waste)


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
    stuck_search.cache_clear()  # each is to do its own thinking
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

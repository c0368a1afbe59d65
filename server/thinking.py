"""Boards that have much to think about: in some games a move needs a search for whether the board is stuck."""

import asyncio
from time import monotonic

from engine.board import Board

LONGEST_STEP = 0.001
"""Seconds for which thinking about one board may hold up all others."""


async def foresee(board: Board, move: str) -> bool:
    """Let a board think about a move in steps, so that nobody else waits; whether others had a turn meanwhile."""
    paused, began = False, monotonic()
    for _ in board.foresee(move):
        if monotonic() - began > LONGEST_STEP:
            await asyncio.sleep(0)
            paused, began = True, monotonic()
    return paused

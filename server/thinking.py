"""Boards that have much to think about: in some games a move needs a search for whether the board is stuck."""

import asyncio
from time import monotonic

from engine.board import Outcome, Steps

LONGEST_STEP = 0.001
"""Seconds for which thinking about one board may hold up all others."""


async def in_steps(work: Steps[Outcome]) -> Outcome:
    """Do something between whose steps others may have their turn, so that nobody waits for the whole of it."""
    began = monotonic()
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: Outcome = done.value
            return result
        if monotonic() - began > LONGEST_STEP:
            await asyncio.sleep(0)
            began = monotonic()

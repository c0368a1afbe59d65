"""Boards that have much to think about: in some games a move needs a search for whether the board is stuck."""

import asyncio
from time import monotonic

from engine.board import Outcome, Steps

LONGEST_TURN = 0.0003
"""Seconds after which the board that is thinking lets others have their turn; a step takes about as long again at most."""


class Thinking:
    """Lets boards think, one of them at a time and a little while only, so that nobody waits for any of it."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def done(self, work: Steps[Outcome]) -> Outcome:
        """Do something in steps. What has nothing to think about is done at once: its first step is its last."""
        try:
            next(work)
            while True:
                async with self._turn:
                    until = monotonic() + LONGEST_TURN
                    next(work)
                    while monotonic() < until:
                        next(work)
                    await asyncio.sleep(0)  # before another board has its turn
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome

"""Waiting for what tells nobody when it happens: another process, a store, a page."""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable

WITHIN = 20.0
"""Seconds that anything may take on a busy machine."""
LOOK_AGAIN = 0.02
"""Seconds between two looks."""
WORK = 0.1
"""Seconds of work by which it is found out how busy the machine is."""


def slowness() -> float:
    """How many times as long as on a machine with nothing else to do all takes now; at least 1.

    What must be done within a time is measured so: the promise is for a machine that has time for it.
    """
    began, worked = time.perf_counter(), time.process_time()
    while time.process_time() - worked < WORK:
        pass
    return max(1.0, (time.perf_counter() - began) / WORK)


async def comes_true(
    condition: Callable[[], Awaitable[object] | object], within: float = WITHIN, every: float = LOOK_AGAIN
) -> None:
    """Return as soon as this holds. Raises `TimeoutError`."""
    async with asyncio.timeout(within):
        while not (await found if inspect.isawaitable(found := condition()) else found):  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(every)

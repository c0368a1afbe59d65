"""Waiting for what tells nobody when it happens: another process, a store, a page."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable

WITHIN = 20.0
"""Seconds that anything may take on a busy machine."""
LOOK_AGAIN = 0.02
"""Seconds between two looks."""


async def comes_true(
    condition: Callable[[], Awaitable[object] | object], within: float = WITHIN, every: float = LOOK_AGAIN
) -> None:
    """Return as soon as this holds. Raises `TimeoutError`."""
    async with asyncio.timeout(within):
        while not (await found if inspect.isawaitable(found := condition()) else found):  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(every)

"""What the fault tests have in common: a Redis of their own, and two servers that share it.

Where the fault is in the players or on their way, the tests of a module share both, which are started once: those are in
`lasting`. A test that kills or freezes them has its own.
"""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.faults.guests import Party, party
from tests.faults.nodes import Node, running
from tests.server.store.redis_process import RedisProcess


def durable(folder: Path) -> RedisProcess:
    """A Redis that keeps everything it has answered."""
    return RedisProcess(folder, "--appendfsync", "always")


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisProcess]:
    """A Redis of the test's own."""
    with durable(tmp_path / "redis") as process:
        yield process


@pytest_asyncio.fixture
async def nodes(tmp_path: Path, redis: RedisProcess) -> AsyncIterator[tuple[Node, Node]]:
    """Two servers that share it."""
    one, other = Node(tmp_path, "one", redis.address), Node(tmp_path, "other", redis.address)
    async with running(one, other):
        yield one, other


@pytest_asyncio.fixture
async def people() -> AsyncIterator[Party]:
    """Guests who play on through anything."""
    async with party() as guests:
        yield guests

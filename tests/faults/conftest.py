"""What the fault tests have in common: a Redis of their own, and two servers that share it.

Where the fault is in the players or on their way, the tests of a module may share `lasting_redis` and `shared_nodes`,
which are started once. A test that kills or freezes them has its own.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
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


@pytest.fixture(scope="module")
def lasting_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    """A Redis for all tests of a module."""
    with durable(tmp_path_factory.mktemp("redis")) as process:
        yield process


@pytest.fixture(scope="module")
def lasting_nodes(tmp_path_factory: pytest.TempPathFactory, lasting_redis: RedisProcess) -> Iterator[tuple[Node, Node]]:
    """Two servers that share it."""
    folder = tmp_path_factory.mktemp("nodes")
    one, other = Node(folder, "one", lasting_redis.address), Node(folder, "other", lasting_redis.address)
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        runner.run(stack.enter_async_context(running(one, other)))
        yield one, other
        runner.run(stack.aclose())


@pytest.fixture
def shared_nodes(lasting_nodes: tuple[Node, Node]) -> Iterator[tuple[Node, Node]]:
    """The same, with what they have said so far for each test that fails."""
    yield lasting_nodes
    for node in lasting_nodes:
        node.show()


@pytest_asyncio.fixture
async def people() -> AsyncIterator[Party]:
    """Guests who play on through anything."""
    async with party() as guests:
        yield guests

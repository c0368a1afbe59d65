"""A Redis and two servers that the tests of a module share: none of them kills or freezes any."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack

import pytest

from tests.faults.conftest import durable
from tests.faults.nodes import Node, running
from tests.server.store.redis_process import RedisProcess


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    """A Redis for all tests of a module."""
    with durable(tmp_path_factory.mktemp("redis")) as process:
        yield process


@pytest.fixture(scope="module")
def lasting_nodes(tmp_path_factory: pytest.TempPathFactory, redis: RedisProcess) -> Iterator[tuple[Node, Node]]:
    """Two servers that share it."""
    folder = tmp_path_factory.mktemp("nodes")
    one, other = Node(folder, "one", redis.address), Node(folder, "other", redis.address)
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        runner.run(stack.enter_async_context(running(one, other)))
        yield one, other
        runner.run(stack.aclose())


@pytest.fixture
def nodes(lasting_nodes: tuple[Node, Node]) -> Iterator[tuple[Node, Node]]:
    """The same, with what they have said so far for each test that fails."""
    yield lasting_nodes
    for node in lasting_nodes:
        node.show()

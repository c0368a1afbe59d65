"""The stores that the contract is held against."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from server.store.port import Store
from server.store.redis import RedisStore
from server.store.sqlite import SqliteStore
from server.store.sqlite_thread import MEMORY
from tests.server.store.redis_process import ClusterProcesses, RedisProcess
from tests.server.store.servers import Server

KINDS = ["sqlite", "memory", "redis", "cluster"]


def no_news(match: str) -> None:
    raise AssertionError(f"nobody else has written to {match}")


class Place:
    """Where stores of one kind can be opened, and opened again."""

    def __init__(self, kind: str, folder: Path, redis: RedisProcess | ClusterProcesses | None) -> None:
        self.kind = kind
        self.lasting = kind != "memory"
        self._folder = folder
        self._redis = redis

    def store(self, which: int = 0) -> Store:
        """A store, not opened yet. The same number is the same store."""
        if isinstance(self._redis, ClusterProcesses):
            return RedisStore(self._redis.address)
        if self._redis is not None:
            return RedisStore(f"{self._redis.address}/{which}")
        return SqliteStore(str(self._folder / f"matches{which}.db") if self.lasting else MEMORY)

    async def open(self, which: int = 0) -> Store:
        store = self.store(which)
        await store.open(no_news)
        return store


@pytest.fixture(scope="session")
def shared_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterProcesses]:
    processes = ClusterProcesses(tmp_path_factory.mktemp("cluster"))
    yield processes
    processes.kill()


@pytest.fixture
def cluster(shared_cluster: ClusterProcesses) -> ClusterProcesses:
    """A Redis Cluster with nothing in it."""
    shared_cluster.clear()
    return shared_cluster


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    redis = request.getfixturevalue(request.param) if request.param in {"redis", "cluster"} else None
    return Place(request.param, tmp_path, redis)


@pytest_asyncio.fixture
async def store(place: Place) -> AsyncIterator[Store]:
    opened = await place.open()
    yield opened
    await opened.close()


@pytest_asyncio.fixture
async def one(redis: RedisProcess) -> AsyncIterator[Server]:
    server = await Server(redis.address).open()
    yield server
    await server.store.close()


@pytest_asyncio.fixture
async def two(redis: RedisProcess) -> AsyncIterator[Server]:
    server = await Server(redis.address).open()
    yield server
    await server.store.close()

"""What the tests of the server have in common."""

from collections.abc import AsyncIterator, Iterator, Sequence

import pytest
import pytest_asyncio

import engine.verify
import server.course
import server.keeper
import server.match
from engine.cards import Card
from engine.deal import Deal
from server.app import RaceServer
from server.settings import Settings
from tests.server.driver import Visitors, visitors
from tests.server.refusals import Scene
from tests.server.store.redis_process import RedisProcess


@pytest.fixture
def easy_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on cards are dealt in the order of the deck, so that each fits a foundation as it comes."""

    def in_order(cards: Sequence[Card], *_: object) -> Deal:
        return Deal(tuple(cards), tuple(cards))

    monkeypatch.setattr(server.course, "deal", in_order)
    monkeypatch.setattr(engine.verify, "deal", in_order)


@pytest.fixture(scope="session")
def shared_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    """The one Redis that most tests share."""
    with RedisProcess(tmp_path_factory.mktemp("redis")) as process:
        yield process


@pytest.fixture
def redis(shared_redis: RedisProcess) -> RedisProcess:
    """A Redis with nothing in it."""
    shared_redis.run("FLUSHALL")
    return shared_redis


@pytest.fixture
def short_countdown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Races start at once."""
    monkeypatch.setattr(server.match, "COUNTDOWN", 5)


@pytest.fixture
def impatient_keeper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are cleared away as soon as nobody needs them."""
    monkeypatch.setattr(server.keeper, "BEAT_EVERY", 0.02)
    monkeypatch.setattr(server.keeper, "UNUSED", 0.02)


@pytest_asyncio.fixture
async def race_server(short_countdown: None, impatient_keeper: None) -> AsyncIterator[RaceServer]:
    """A server in this process, on a free port, that keeps its matches in memory and has no house bots."""
    running = RaceServer(Settings(host="127.0.0.1", port=0, store="memory:", bots=0))
    await running.open()
    yield running
    await running.close()


@pytest_asyncio.fixture
async def people(race_server: RaceServer) -> AsyncIterator[Visitors]:
    """Those who come to that server."""
    port = next(iter(race_server._server.sockets)).getsockname()[1]
    async with visitors(f"ws://127.0.0.1:{port}") as coming:
        yield coming


@pytest_asyncio.fixture
async def scene(
    request: pytest.FixtureRequest, people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> Scene:
    """A match at that server, of the game and in the state that the test names."""
    game, state = request.param
    return await Scene.of(game, state, people, race_server, monkeypatch)

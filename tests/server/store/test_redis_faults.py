"""A Redis that is killed, hangs, or cuts connections: what has been written is there, and everything goes on after."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis.asyncio.connection import Connection
from redis.exceptions import RedisError

from server.events import MATCH_LOG, board_log
from server.store import redis_address, redis_news, redis_pipe
from server.store.port import AppendEntry, Conflict, CreateMatch, Numbers, Seeker, StoreError
from server.store.redis import RedisStore
from tests.faults.waiting import comes_true, slowness
from tests.server.driver import eventually
from tests.server.store.conftest import no_news
from tests.server.store.matches import CODE, kept, make, terms
from tests.server.store.redis_process import RedisProcess
from tests.server.store.servers import Server

MATCHES = [f"match{each}" for each in range(20)]


@pytest.fixture
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Soon tired of a Redis that hangs. For all else the patience is the shipped one, as on a busy machine Redis is slow."""
    for module in (redis_address, redis_pipe, redis_news):
        monkeypatch.setattr(module, "ANSWER_TIMEOUT", 0.5)
    monkeypatch.setattr(redis_address, "CONNECT_TIMEOUT", 0.5)
    monkeypatch.setattr(redis_news, "QUIET", 0.2)


@pytest.fixture(params=["everysec", "always"])
def process(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RedisProcess]:
    with RedisProcess(tmp_path, "--appendfsync", request.param) as process:
        yield process


class Burst:
    """Many matches that move at the same time, and what the store has said to it."""

    def __init__(self, store: RedisStore) -> None:
        self.store = store
        self.written: dict[str, list[str]] = {match: [] for match in MATCHES}
        """The entries of which the store said that it has them."""
        self.failed = 0
        self._change = asyncio.Condition()
        self._tasks = [asyncio.create_task(self._move(match)) for match in MATCHES]
        self._going = True

    async def until(self, entries: int) -> None:
        """Go on until each match has so many entries more."""
        goals = {match: len(texts) + entries for match, texts in self.written.items()}
        await self._until(lambda: all(len(self.written[match]) >= goal for match, goal in goals.items()))

    async def until_failed(self, times: int) -> None:
        """Go on until so many writes have failed in all."""
        await self._until(lambda: self.failed >= times)

    async def _until(self, reached: Callable[[], bool]) -> None:
        async with asyncio.timeout(20), self._change:
            await self._change.wait_for(reached)

    async def stop(self) -> None:
        self._going = False
        await asyncio.gather(*self._tasks)

    async def _move(self, match: str) -> None:
        written = self.written[match]
        attempt = 0
        while self._going:
            attempt += 1
            n, text = len(written) + 1, f"attempt {attempt}"
            try:
                await self.store.write(match, [AppendEntry(log, n, n, text) for log in (MATCH_LOG, board_log(0))])
                written.append(text)
                await self._tell()
            except StoreError:
                self.failed += 1
                await self._tell()
                await self._look(match, n, text)

    async def _tell(self) -> None:
        async with self._change:
            self._change.notify_all()

    async def _look(self, match: str, n: int, text: str) -> None:
        """Nobody knows what has become of a write that failed: it is looked for."""
        while self._going:
            try:
                board = (await kept(self.store, match)).boards[0]
            except StoreError:
                continue
            if len(board) == n:
                assert board[-1] == (n, text)
                self.written[match].append(text)
            return

    async def check(self) -> None:
        """Every entry of which the store said that it has it is there, once and in its place."""
        for match, texts in self.written.items():
            found = await kept(self.store, match)
            assert found.boards[0][: len(texts)] == [(n, text) for n, text in enumerate(texts, 1)]
            assert found.boards[0] == found.events
            assert len(found.boards[0]) <= len(texts) + 1


async def test_a_killed_redis_has_all_that_was_written_when_it_is_there_again(process: RedisProcess) -> None:
    store = RedisStore(process.address)
    await store.open(no_news)
    await make(store, *MATCHES)
    burst = Burst(store)
    for _ in range(3):
        await burst.until(20)
        failed = burst.failed
        await asyncio.to_thread(process.kill)
        await burst.until_failed(failed + len(MATCHES))
        assert not await store.ready()
        process.start()
        await burst.until(5)
    await burst.stop()
    await burst.check()
    assert sorted(await store.open_matches()) == sorted(MATCHES)
    await store.close()


@pytest.mark.usefixtures("impatience")
async def test_a_hanging_redis_makes_writes_fail_in_time_and_then_all_goes_on(redis: RedisProcess, one: Server) -> None:
    await make(one.store, *MATCHES)
    burst = Burst(one.store)
    await burst.until(5)
    loop = asyncio.get_running_loop()
    in_time = 3 * slowness()
    redis.hang()
    try:
        began = loop.time()
        await burst.until_failed(1)
        outcomes = await asyncio.gather(
            *(one.store.write(match, [AppendEntry(2, 1, 1, "t")]) for match in MATCHES), return_exceptions=True
        )
        assert loop.time() - began < in_time
        assert {type(outcome) for outcome in outcomes} == {StoreError}
        assert not await one.store.ready()
    finally:
        redis.go_on()
    await burst.until(5)
    await burst.stop()
    await burst.check()


async def test_cut_connections_fork_no_log(redis: RedisProcess, one: Server) -> None:
    await make(one.store, *MATCHES)
    burst = Burst(one.store)
    for _ in range(10):
        await burst.until(3)
        await asyncio.to_thread(redis.run, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    await burst.until(3)
    await burst.stop()
    await burst.check()


async def test_after_a_cut_connection_news_comes_again_and_of_what_was_missed(
    redis: RedisProcess, one: Server, two: Server
) -> None:
    await make(one.store, *MATCHES)
    for match in MATCHES:
        await two.store.follow(match)
    for n in range(1, 4):
        redis.run("CLIENT", "KILL", "TYPE", "pubsub")
        await one.store.write(MATCHES[0], [AppendEntry(1, n, n, "missed, perhaps")])
        assert {await two.news() for _ in MATCHES} >= set(MATCHES[1:])
        while two.has_news:
            await two.news()
        await one.store.write(MATCHES[7], [AppendEntry(1, n, n, "heard")])
        while await two.news() != MATCHES[7]:
            pass
    await comes_true(two.store.ready)


async def test_news_under_load_survives_cut_connections(redis: RedisProcess, one: Server, two: Server) -> None:
    """Whoever reads on whenever there is news has everything in the end."""
    await make(one.store, *MATCHES)
    for match in MATCHES:
        await two.store.follow(match)
    burst = Burst(one.store)
    for _ in range(5):
        await burst.until(5)
        await asyncio.to_thread(redis.run, "CLIENT", "KILL", "TYPE", "pubsub")
    await burst.until(5)
    await burst.stop()
    numbers = {match: (await kept(one.store, match)).numbers for match in MATCHES}
    known: dict[str, Numbers] = dict.fromkeys(MATCHES, (0, 0, 0))
    while known != numbers:
        match = await two.news()
        known[match] = (await kept(two.store, match)).numbers


@pytest.mark.usefixtures("impatience")
async def test_a_connection_that_falls_silent_is_noticed(redis: RedisProcess, one: Server) -> None:
    await make(one.store)
    await one.store.follow(CODE)
    assert await one.store.ready()
    redis.hang()
    try:
        with pytest.raises(StoreError):
            await one.store.follow("bbbbbbbb")
        assert not one.store._news.listening
    finally:
        redis.go_on()
    assert await one.news() == CODE
    await comes_true(one.store.ready)


async def test_a_connection_that_falls_silent_is_noticed_though_nobody_asks_for_anything(
    redis: RedisProcess, one: Server, two: Server
) -> None:
    await make(one.store)
    await one.store.follow(CODE)
    redis.hang()
    try:
        await eventually(lambda: not one.store._news.listening)
    finally:
        redis.go_on()
    assert await one.news() == CODE  # something may have been missed
    assert await one.store.ready()
    await two.store.write(CODE, [AppendEntry(1, 1, 1, "t")])
    assert await one.news() == CODE


async def test_what_is_asked_for_while_redis_is_away_fails_and_comes_back(process: RedisProcess) -> None:
    server = await Server(process.address).open()
    await make(server.store)
    await server.store.follow(CODE)
    process.kill()
    for ask in (
        server.store.write(CODE, [AppendEntry(1, 1, 1, "t")]),
        server.store.read(CODE),
        server.store.due(5),
        server.store.pair("golf", Seeker("ann"), None),
        server.store.beat("one", 5, []),
    ):
        with pytest.raises(StoreError):
            await ask
    assert not await server.store.ready()
    process.start()
    assert await server.news() == CODE
    await comes_true(server.store.ready)
    await server.store.write(CODE, [AppendEntry(1, 1, 1, "t")])
    with pytest.raises(Conflict):
        await server.store.write(CODE, [CreateMatch(terms())])
    await server.store.close()


async def test_a_store_can_be_closed_while_redis_is_away(process: RedisProcess) -> None:
    store = RedisStore(process.address)
    await store.open(no_news)
    await store.follow(CODE)
    process.kill()
    writing = asyncio.create_task(store.write(CODE, [CreateMatch(terms())]))
    await asyncio.sleep(0)
    await store.close()
    with pytest.raises(StoreError):
        await writing


async def test_a_store_closes_even_if_its_listener_misses_that(one: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """As happens with `asyncio.wait_for` of Python 3.11, when it is cancelled at the moment at which it is done."""
    reading, missed = asyncio.Event(), asyncio.Event()

    async def read_response(timeout: float) -> None:
        reading.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            missed.set()

    await one.store.follow(CODE)
    monkeypatch.setattr(one.store._news._connection, "read_response", read_response)
    await one.store.unfollow(CODE)
    async with asyncio.timeout(10):
        await reading.wait()
        await one.store.close()
    assert missed.is_set()


async def test_who_misses_the_end_of_the_time_for_an_answer_waits_no_longer_all_the_same(
    one: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same of sending: the time is up just when everything has been sent."""
    monkeypatch.setattr(redis_pipe, "ANSWER_TIMEOUT", 0.02)
    await make(one.store)

    async def send(*_: object, **__: object) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()

    async def receive(*_: object, **__: object) -> None:
        raise RedisError("nothing was asked")

    with monkeypatch.context() as patch:
        patch.setattr(Connection, "send_packed_command", send)
        patch.setattr(Connection, "read_response", receive)
        with pytest.raises(StoreError, match="does not answer in time"):
            await one.store.read(CODE)
    await one.store.write(CODE, [AppendEntry(1, 1, 1, "t")])
    assert (await kept(one.store)).boards[0] == [(1, "t")]

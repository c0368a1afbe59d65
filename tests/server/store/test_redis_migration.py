"""A Redis of an older format becomes one of this format as one step, whoever else uses it, and wherever it is interrupted."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import server.store.redis
from server.events import board_log
from server.store import redis_format
from server.store.port import AppendEntry, StoreError, UnusableStore
from server.store.redis import RedisStore
from server.store.redis_format import FENCES, RedisFormat
from server.store.redis_pipe import RedisPipe
from server.store.redis_scripts import FORMAT, FORMAT_KEY, MOVING, PREFIX
from tests.server.store.conftest import no_news
from tests.server.store.matches import kept
from tests.server.store.older import ANN, BEN, OlderRedis
from tests.server.store.redis_format_1 import OldServer
from tests.server.store.redis_process import RedisProcess

NEW = "newmatch"
Contents = dict[str, object]


@pytest.fixture(params=["redis", "cluster"])
def older(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> OlderRedis:
    monkeypatch.setattr(redis_format, "ASK_AGAIN", 0.01)
    return OlderRedis(request.getfixturevalue(request.param))


@pytest.fixture
def old_server(older: OlderRedis) -> Iterator[OldServer]:
    with older.redis.client() as client:
        yield OldServer(client)


@pytest.fixture
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_format, "SILENT_AFTER", 0.0)


def of_format_1(contents: Contents) -> Contents:
    """What a server of the old version sees of all this."""
    return {key: value for key, value in contents.items() if not key.startswith(PREFIX)}


async def check(older: OlderRedis, late: Sequence[str] = ()) -> Contents:
    """Everything is there in the new format, and nothing of the old one. `late` are entries of Ann's in the rematch."""
    store, scene = await older.open(), older.scene
    contents = older.contents()
    left = of_format_1(contents)
    assert left.pop(FORMAT_KEY) == str(FORMAT)
    assert set(left) == set(FENCES)
    for match in scene.open + scene.ended:
        found = await kept(store, match)
        added = [(int(at), text) for at, text in (entry.split() for entry in late)] if match == scene.rematch else []
        assert found.boards == (older.log(match, 0) + added, older.log(match, 1))
        assert len(found.events) == len(older.log(match, 2))
    assert sorted(await store.open_matches()) == sorted(scene.open)
    assert [match async for match in store.ended_matches()] == scene.ended
    assert sorted(await store.seats(ANN)) == sorted([scene.rematch, scene.against_bot])
    assert await store.history(BEN, 9) == [scene.draw, scene.quick]
    assert [each and each.matches for each in await store.ratings("sir-tommy", [ANN, BEN])] == [1, 1]
    assert (await store.house_secret()).hex() == scene.secret
    await store.close()
    return contents


async def test_nothing_is_left_under_the_old_keys(older: OlderRedis) -> None:
    await (await older.open()).close()
    await check(older)


async def test_nothing_runs_out_by_the_clock_of_redis_any_more(older: OlderRedis) -> None:
    await (await older.open()).close()
    with older.redis.client() as client:
        passing = {key for key in sorted(older.redis.keys()) if int(client.pttl(key)) != -1}
    assert all(key.startswith(f"{PREFIX}seats:") for key in passing)


async def test_several_servers_may_do_it_at_the_same_time(older: OlderRedis) -> None:
    stores = await asyncio.gather(*(older.open() for _ in range(4)))
    for store in stores:
        assert await store.ready()
        await store.close()
    await check(older)


async def test_what_was_written_since_is_not_overwritten_when_one_comes_late(
    older: OlderRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looked at the format before the others were done, and goes on when they are."""
    copy_all, wait, go = RedisFormat._copy_all, asyncio.Event(), asyncio.Event()

    async def slow(self: RedisFormat, *, move: bool) -> None:
        wait.set()
        await go.wait()
        await copy_all(self, move=move)

    with monkeypatch.context() as patch:
        patch.setattr(RedisFormat, "_copy_all", slow)
        late = asyncio.create_task(older.open())
        await wait.wait()
    store = await older.open()
    match, number = older.scene.rematch, len(older.log(older.scene.rematch, 0)) + 1
    await store.write(match, [AppendEntry(board_log(0), number, 9000, "t")])
    before = await store.ratings("sir-tommy", [ANN])
    assert await store.rate(NEW, "sir-tommy", older.scene.beat, before, [before[0]._replace(matches=2)])  # type: ignore[union-attr]
    after = await kept(store, match), await store.ratings("sir-tommy", [ANN]), sorted(await store.open_matches())
    go.set()
    await (await late).close()
    assert after == (
        await kept(store, match),
        await store.ratings("sir-tommy", [ANN]),
        sorted(await store.open_matches()),
    )
    await store.close()


async def test_a_new_redis_has_nothing_but_its_format(redis: RedisProcess) -> None:
    store = RedisStore(redis.address)
    await store.open(no_news)
    assert redis.keys() == {FORMAT_KEY}
    assert redis.run("GET", FORMAT_KEY) == str(FORMAT)
    await store.close()


async def test_a_format_that_is_none_is_refused_and_left_alone(redis: RedisProcess) -> None:
    redis.run("SET", FORMAT_KEY, "golf")
    with pytest.raises(UnusableStore, match="'golf', which is no format of ours"):
        await RedisStore(redis.address).open(no_news)
    assert redis.keys() == {FORMAT_KEY}


# Servers of the old version


@pytest.mark.usefixtures("impatience")
async def test_it_does_not_begin_while_one_is_alive(older: OlderRedis, old_server: OldServer) -> None:
    assert old_server.starts()
    assert old_server.beats(older.scene.beat + 1)
    before = older.contents()
    with pytest.raises(UnusableStore, match="still use it, 1 of an older version: stop them all"):
        await older.open()
    assert older.contents() == before
    old_server.stops()
    await (await older.open()).close()
    await check(older)


@pytest.mark.usefixtures("impatience")
async def test_it_is_not_done_if_one_comes_meanwhile(
    older: OlderRedis, old_server: OldServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_all = RedisFormat._copy_all

    async def meanwhile(self: RedisFormat, *, move: bool) -> None:
        await copy_all(self, move=move)
        assert old_server.starts()
        assert old_server.beats(older.scene.beat + 1)

    with monkeypatch.context() as patch:
        patch.setattr(RedisFormat, "_copy_all", meanwhile)
        with pytest.raises(UnusableStore, match="older version"):
            await older.open()
    assert older.contents()[FORMAT_KEY] == "1"
    match, number = older.scene.rematch, len(older.log(older.scene.rematch, 0)) + 1
    assert old_server.appends(match, 0, number, "9000 t"), "it goes on as before"
    old_server.stops()
    await check(older, late=["9000 t"])


async def test_one_that_was_killed_is_waited_for(older: OlderRedis, old_server: OldServer) -> None:
    old_server.alive = 100
    assert old_server.beats(older.scene.beat + 1)
    await check(older)


async def test_one_that_starts_after_it_is_refused(older: OlderRedis, old_server: OldServer) -> None:
    contents = await check(older)
    assert not old_server.starts()
    assert older.contents() == contents


@pytest.mark.parametrize(
    ("moving", "after"),
    [(False, False), (False, True), (True, False)],
    ids=["before it is copied", "before the step", "after the step"],
)
async def test_what_a_frozen_one_writes_is_kept_if_it_is_acknowledged(
    older: OlderRedis, old_server: OldServer, monkeypatch: pytest.MonkeyPatch, moving: bool, after: bool
) -> None:
    """It said nothing for so long that it was taken for dead, wakes up in the middle, and writes before it looks around."""
    copy_all = RedisFormat._copy_all
    match, number = older.scene.rematch, len(older.log(older.scene.rematch, 0)) + 1
    acknowledged: list[bool] = []

    def write() -> None:
        acknowledged.append(old_server.appends(match, 0, number, "9000 t"))
        acknowledged.append(old_server.creates(NEW, "d4" * 32))

    async def meanwhile(self: RedisFormat, *, move: bool) -> None:
        if move == moving and not after:
            write()
        await copy_all(self, move=move)
        if move == moving and after:
            write()

    with monkeypatch.context() as patch:
        patch.setattr(RedisFormat, "_copy_all", meanwhile)
        store = await older.open()
    assert acknowledged == [True, not moving], "no new match after the step: nobody knows where it would look for it"
    assert (await kept(store, match)).boards[0][-1] == (9000, "t")
    assert (NEW in await store.open_matches()) == (not moving)
    if not moving:
        assert await store.seats("d4" * 32) == [NEW]
        assert '"level":null,"paired":false' in (await kept(store, NEW)).events[0][1]
    await store.close()


async def test_a_frozen_one_that_wakes_up_afterwards_can_do_nothing(older: OlderRedis, old_server: OldServer) -> None:
    await check(older)
    match, number = older.scene.rematch, len(older.log(older.scene.rematch, 0)) + 1
    assert not old_server.appends(match, 0, number, "9000 t")
    assert not old_server.creates(NEW, "d4" * 32)
    assert not old_server.beats(older.scene.beat + 9000)
    store = await older.open()
    assert (await kept(store, match)).boards[0] == older.log(match, 0)
    assert NEW not in await store.open_matches()
    assert (await store.beat("new", 0, [])).now == older.scene.beat, "it was not alive"
    await store.close()


# Interrupted


class Interrupted(RedisPipe):
    """What goes wrong after so many exchanges."""

    left = 1 << 30

    async def _exchange(self, commands: Any) -> list[Any]:
        Interrupted.left -= 1
        if Interrupted.left < 0:
            raise StoreError("the connection is lost")
        return await super()._exchange(commands)


async def test_wherever_it_fails_all_is_as_it_was_or_the_next_one_finishes(
    older: OlderRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.store.redis, "RedisPipe", Interrupted)
    before = older.contents()
    stride = 1 if isinstance(older.redis, RedisProcess) else 3  # a cluster is asked many times more
    undone = unfinished = 0
    while True:
        Interrupted.left = stride * (undone + unfinished)
        try:
            await (await older.open()).close()
        except UnusableStore:
            contents = older.contents()
            if contents[FORMAT_KEY] == "1":
                assert {**of_format_1(contents), MOVING: ""} == {**before, MOVING: ""}
                undone += 1
            else:
                assert MOVING in contents
                unfinished += 1
        else:
            break
        Interrupted.left = 1 << 30
        await check(older)
        older.redis.clear()
        older = OlderRedis(older.redis)
    assert undone > 3
    assert unfinished > 3


@pytest.mark.parametrize("step", [2, 5, 8, 11, 14])
async def test_a_server_that_is_killed_leaves_what_was_there_or_what_the_next_one_finishes(
    older: OlderRedis, step: int
) -> None:
    before = older.contents()
    command = [sys.executable, "-m", "tests.server.store.killed", older.address, str(step)]
    killed = await asyncio.to_thread(subprocess.run, command, check=False, capture_output=True, timeout=60)
    assert killed.returncode == -9, killed.stderr.decode()
    contents = older.contents()
    if contents[FORMAT_KEY] == "1":
        assert {**of_format_1(contents), MOVING: ""} == {**before, MOVING: ""}
    await check(older)

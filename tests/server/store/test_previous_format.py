"""The format before this one went by the wall clock; all else of it is as it was."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.store import redis_format
from server.store.port import Seeker, UnusableStore
from server.store.redis_scripts import FORMAT, FORMAT_KEY, SERVERS
from tests.server.store.matches import kept
from tests.server.store.older import ANN, FORMAT_3, LATER, REDIS_FORMAT_2, Older, OlderFile, OlderRedis

OUTAGES, BEAT = f"{SERVERS}:outages", f"{SERVERS}:beat"


@pytest.fixture(params=["sqlite", "redis", "cluster"])
def older(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Older]:
    if request.param == "sqlite":
        yield OlderFile(tmp_path / "matches.db", FORMAT_3)
    else:
        yield OlderRedis(request.getfixturevalue(request.param), REDIS_FORMAT_2)


@pytest.fixture(params=["redis", "cluster"])
def redis_2(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> OlderRedis:
    monkeypatch.setattr(redis_format, "ASK_AGAIN", 0.01)
    monkeypatch.setattr(redis_format, "SILENT_AFTER", 0.0)
    return OlderRedis(request.getfixturevalue(request.param), REDIS_FORMAT_2)


async def test_the_clock_goes_on_from_the_last_beat(older: Older) -> None:
    store = await older.open()
    assert (await store.beat("new", 0, [])).now == older.scene.beat + LATER
    await store.close()


async def test_all_else_is_as_it_was(older: Older) -> None:
    store, scene = await older.open(), older.scene
    assert sorted(await store.open_matches()) == sorted(scene.open)
    assert [match async for match in store.ended_matches()] == scene.ended
    assert sorted(await store.seats(ANN)) == sorted([scene.rematch, scene.against_bot])
    assert await store.pair("numerica", Seeker("else"), None) == scene.waiting
    match = await kept(store, scene.rematch)
    assert (match.terms.since, match.terms.opened) == (match.terms.created, None)
    assert [text for _, text in match.boards[0]] == ["t", "hp3"]
    assert (await store.house_secret()).hex() == scene.secret
    await store.close()


async def test_nothing_runs_out_by_the_clock_of_redis_any_more(redis_2: OlderRedis) -> None:
    await (await redis_2.open()).close()
    with redis_2.redis.client() as client:
        passing = {key for key in sorted(redis_2.redis.keys()) if int(client.pttl(key)) != -1}
    assert passing
    assert all(key.startswith(("tommy:2:seats:", "tommy:2:waiting:")) for key in passing)


async def test_it_is_left_alone_while_a_server_of_it_is_alive(redis_2: OlderRedis) -> None:
    with redis_2.redis.client() as client:
        client.sadd(SERVERS, "old")
        client.set(f"{SERVERS}:at:old", "[]")
    before = redis_2.contents()
    with pytest.raises(UnusableStore, match="still use it, 1 of an older version: stop them all"):
        await redis_2.open()
    assert redis_2.contents() == before


async def test_a_server_of_it_that_wakes_up_cannot_say_that_it_is_alive(redis_2: OlderRedis) -> None:
    await (await redis_2.open()).close()
    left = redis_2.contents()
    assert left[FORMAT_KEY] == str(FORMAT)
    assert not {OUTAGES, BEAT} & left.keys()
    assert isinstance(left[SERVERS], str), "it would be a set"

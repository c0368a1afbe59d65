"""The lists by which a Redis finds matches: a crash may leave them wrong, and nobody is led astray by that."""

import asyncio
from collections.abc import AsyncIterator

import pytest_asyncio

from server.store.port import AppendEntry, CreateMatch, EndMatch, Seeker, SetDue, TakeSeat
from server.store.redis import RedisStore
from server.store.redis_index import PATIENCE
from tests.server.store.conftest import no_news
from tests.server.store.matches import CODE, kept, make, play, terms
from tests.server.store.redis_process import RedisProcess

ALWAYS = {"tommy:format"}
FAR = 1 << 50


@pytest_asyncio.fixture
async def store(redis: RedisProcess) -> AsyncIterator[RedisStore]:
    opened = RedisStore(redis.address)
    await opened.open(no_news)
    yield opened
    await opened.close()


# What a crash between two steps leaves


async def test_a_match_that_was_never_made_is_dropped_once_it_cannot_be_about_to_be(
    redis: RedisProcess, store: RedisStore
) -> None:
    now = (await store.beat("one", 0, [])).now
    redis.run("ZADD", "tommy:2:open", now - PATIENCE - 2000, "aaaaaaaa", now, "bbbbbbbb")
    redis.run("ZADD", "tommy:2:seats:{ann}", now - PATIENCE - 2000, "aaaaaaaa", now, "bbbbbbbb")
    assert await store.open_matches() == await store.seats("ann") == await store.due(now) == []
    assert (
        redis.run("ZRANGE", "tommy:2:open", 0, -1) == redis.run("ZRANGE", "tommy:2:seats:{ann}", 0, -1) == ["bbbbbbbb"]
    )


async def test_a_match_that_has_ended_is_filed_by_whoever_finds_it(redis: RedisProcess, store: RedisStore) -> None:
    for find in (store.due(FAR), store.open_matches(), store.seats("ann")):
        await play(store, CODE, ("ann", "ben"))
        await store.offer("sir-tommy", Seeker("ann"), CODE)
        redis.run("HSET", "tommy:2:{abcdefgh}", "ended", 70)
        assert await find == []
        assert [match async for match in store.ended_matches()] == [CODE]
        assert await store.history("ann", 9) == await store.history("ben", 9) == [CODE]
        assert await store.seats("ben") == []
        assert await store.pair("sir-tommy", Seeker("cid"), None) is None
        assert redis.run("ZCARD", "tommy:2:open") == 0
        await store.sweep(71)
        assert redis.keys() == ALWAYS


async def test_a_time_too_early_is_put_right(redis: RedisProcess, store: RedisStore) -> None:
    await store.write(CODE, [CreateMatch(terms(created=100)), SetDue(900)])
    assert redis.run("ZSCORE", "tommy:2:open", CODE) == 100
    assert await store.due(500) == []
    assert redis.run("ZSCORE", "tommy:2:open", CODE) == 900
    assert await store.due(900) == [CODE]


async def test_a_seat_that_was_not_taken_is_none(redis: RedisProcess, store: RedisStore) -> None:
    await make(store)
    redis.run("ZADD", "tommy:2:seats:{ann}", 5, CODE)
    assert await store.seats("ann") == []
    assert await store.player("ann") is None


async def test_a_match_that_is_gone_is_not_in_a_history(redis: RedisProcess, store: RedisStore) -> None:
    for each in range(5):
        await play(store, f"match{each}", ("ann", "ben"), ended=10 + each)
    redis.run("DEL", "tommy:2:{match3}", "tommy:2:{match4}")
    assert await store.history("ann", 2) == ["match2", "match1"]
    assert [match async for match in store.ended_matches()] == ["match0", "match1", "match2"]
    assert redis.run("ZCARD", "tommy:2:history:{ann}") == 3


async def test_whoever_moves_a_match_while_others_look_is_heard(store: RedisStore) -> None:
    """The list may never name a later time than the match: nobody would look at it in time."""
    await store.write(CODE, [CreateMatch(terms(created=1)), SetDue(1)])

    async def move() -> None:
        for at in range(2, 200):
            await store.write(CODE, [SetDue(FAR if at % 2 else at)])

    moving = asyncio.create_task(move())
    while not moving.done():
        await store.due(1000)
    await moving
    await store.write(CODE, [SetDue(500)])
    assert await store.due(500) == [CODE]


async def test_the_scripts_are_sent_again_to_a_redis_that_has_lost_them(redis: RedisProcess, store: RedisStore) -> None:
    await make(store)
    redis.run("SCRIPT", "FLUSH")
    await asyncio.gather(*(store.write(CODE, [AppendEntry(log, 1, 5, "t"), SetDue(7)]) for log in (1, 2)))
    assert (await kept(store)).numbers == (0, 1, 1)
    assert await store.due(7) == [CODE]


# What is kept, and how long


async def test_nothing_is_left_of_a_thousand_swept_matches(redis: RedisProcess, store: RedisStore) -> None:
    async def abandon(each: int) -> None:
        await play(store, f"match{each:04}", (f"player {each % 300}", f"bot {each % 7}"))
        await store.offer(f"game {each % 5}", Seeker(f"player {each % 300}"), f"match{each:04}")
        await store.withdraw(f"game {each % 5}", f"match{each:04}")
        await store.write(f"match{each:04}", [EndMatch(10)])

    await asyncio.gather(*(abandon(each) for each in range(1000)))
    await store.house_secret()
    await store.beat("one", 5, ["golf"])
    await store.sweep(11)
    servers = {f"tommy:2:{{servers}}:{each}" for each in ("clock", "alive", "races")}
    assert redis.keys() == ALWAYS | {"tommy:2:house"} | servers


async def test_no_match_and_no_player_runs_out_by_the_clock_of_redis_which_anybody_may_set(
    redis: RedisProcess, store: RedisStore
) -> None:
    await play(store, "aaaaaaaa", ("ann", "ben"), ended=10)
    await play(store, "bbbbbbbb", ("ann", "cid"))
    await store.write("cccccccc", [CreateMatch(terms("cccccccc")), EndMatch(10)])
    await store.write("cccccccc", [AppendEntry(0, 1, 20, "late")])
    await store.beat("one", 0, [])
    names = {"tommy:2:seats:{ann}", "tommy:2:seats:{cid}"}
    assert {key for key in sorted(redis.keys()) if redis.run("PTTL", key) != -1} == names


async def test_an_active_player_stays_known_and_old_matches_leave_the_history(
    redis: RedisProcess, store: RedisStore
) -> None:
    for each in (1, 2, 3):
        await play(store, f"match{each}", ("ann", "ben"), ended=each * 100)
    await store.write("match4", [CreateMatch(terms("match4")), TakeSeat("ann", "Ann", 400)])
    await store.sweep(300)
    assert (
        redis.run("ZRANGE", "tommy:2:history:{ann}", 0, -1) == redis.run("ZRANGE", "tommy:2:ended", 0, -1) == ["match3"]
    )
    await store.sweep(301)
    assert await store.history("ann", 9) == []
    assert await store.player("ann") is not None
    assert await store.player("ben") is None

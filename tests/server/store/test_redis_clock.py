"""The clock of the matches, where several servers keep it in a Redis whose own clock anybody may set."""

import pytest

from server.clock import LONGEST_PAUSE
from server.store.redis import BETWEEN_BEATS, COUNTS
from tests.server.store.redis_process import RedisProcess
from tests.server.store.servers import Server

CLOCK, ALIVE = "tommy:2:{servers}:clock", "tommy:2:{servers}:alive"
HOUR = 3_600_000
MOMENT = 1_000
"""Milliseconds: more than a test waits for Redis, less than it has pass."""


def pass_on(redis: RedisProcess, milliseconds: int) -> None:
    """As if Redis's clock had gone on, or had been set, by so much since the last beat."""
    redis.run("HINCRBY", CLOCK, "wall", -milliseconds)


async def start(*servers: Server) -> int:
    """The servers are alive. Returns what time it is for them."""
    now = 0
    for number, server in enumerate(servers):
        now = (await server.store.beat(str(number), 0, [])).now
    return now


async def test_who_comes_later_has_the_time_that_it_is_for_the_others(
    redis: RedisProcess, one: Server, two: Server
) -> None:
    now = await start(one)
    pass_on(redis, 800)
    assert 800 <= (await two.store.beat("1", 0, [])).now - now < 800 + MOMENT


async def test_a_server_alone_is_the_clock(redis: RedisProcess, one: Server) -> None:
    """It may have stood still itself, however short."""
    now = await start(one)
    pass_on(redis, 2_000)
    assert (await one.store.beat("0", now + 30, [])).now == now + 30


@pytest.mark.parametrize("passed", [BETWEEN_BEATS + MOMENT, HOUR, -BETWEEN_BEATS - MOMENT, -HOUR])
async def test_a_pause_and_a_step_of_the_clock_do_not_count(
    redis: RedisProcess, one: Server, two: Server, passed: int
) -> None:
    now = await start(one, two)
    for _ in range(3):
        pass_on(redis, passed)
        assert (await one.store.beat("0", now, [])).now == now
        pass_on(redis, -passed)
        later = (await two.store.beat("1", now, [])).now
        assert later - now < MOMENT
        now = later


async def test_after_a_pause_those_who_were_alive_still_are(redis: RedisProcess, one: Server, two: Server) -> None:
    """Without the store they could not say so."""
    now = await start(one, two)
    pass_on(redis, HOUR)
    assert (await one.store.beat("0", now, [])).nodes == {"0", "1"}


@pytest.mark.parametrize("passed", [LONGEST_PAUSE + 1, -MOMENT])
async def test_a_new_server_takes_nobody_for_alive_who_was_so_before_a_pause(
    redis: RedisProcess, one: Server, two: Server, passed: int
) -> None:
    await one.store.beat("0", 0, ["golf"])
    pass_on(redis, passed)
    assert (await two.store.beat("1", 0, [])).nodes == {"1"}
    assert await two.store.races("1") == []


async def test_a_server_that_says_nothing_for_too_long_is_not_alive(
    redis: RedisProcess, one: Server, two: Server
) -> None:
    await one.store.beat("0", 0, ["golf"])
    now = (await two.store.beat("1", 0, [])).now
    assert (await two.store.beat("1", now + COUNTS - MOMENT, [])).nodes == {"0", "1"}
    assert (await two.store.beat("1", now + COUNTS + MOMENT, [])).nodes == {"1"}
    assert await two.store.races("1") == []
    assert redis.run("HKEYS", ALIVE) == ["1"]

"""What servers learn of each other, and of whoever served before them."""

import time

import pytest

from server.store.port import LONGEST_PAUSE, Store
from tests.server.store.conftest import KINDS, Place

START = 1_700_000_000_000


async def test_the_time_before_the_first_beat_is_the_first_outage(store: Store) -> None:
    assert list((await store.beat("one", START, [])).outages) == [(1, 0, START)]
    assert list((await store.beat("one", START + 1_000, [])).outages) == [(1, 0, START)]
    assert list((await store.beat("one", START + 2_000, [], known=1)).outages) == []


async def test_a_long_pause_is_an_outage_and_a_short_one_is_none(store: Store) -> None:
    await store.beat("one", START, [])
    now = START + LONGEST_PAUSE
    assert list((await store.beat("one", now, [], known=1)).outages) == []
    later = now + LONGEST_PAUSE + 1
    assert list((await store.beat("one", later, [], known=1)).outages) == [(2, now, later)]
    assert list((await store.beat("one", later + 9_000, [], known=1)).outages) == [
        (2, now, later),
        (3, later, later + 9_000),
    ]


async def test_a_clock_that_was_set_back_is_an_outage(store: Store) -> None:
    await store.beat("one", START, [])
    assert list((await store.beat("one", START - 3_600_000, [], known=1)).outages) == [(2, START, START - 3_600_000)]
    assert list((await store.beat("one", START - 3_599_000, [], known=2)).outages) == []


async def test_a_server_is_among_the_servers_and_not_among_the_others(store: Store) -> None:
    assert (await store.beat("one", 1_700_000_000_000, ["race"])).nodes == {"one"}
    assert await store.races("one") == []
    await store.silence("one")


async def test_the_clock_is_the_wall_clock(store: Store) -> None:
    assert abs(await store.clock() - time.time() * 1000) < 5000


async def test_an_open_store_is_ready(store: Store) -> None:
    assert await store.ready()


async def test_a_match_can_be_followed_where_nobody_else_writes(store: Store) -> None:
    await store.follow("abcdefgh")
    await store.unfollow("abcdefgh")
    await store.unfollow("abcdefgh")


async def test_the_house_secret_is_made_once(store: Store) -> None:
    secret = await store.house_secret()
    assert len(secret) == 32
    assert await store.house_secret() == secret


@pytest.mark.parametrize(
    "place", [kind for kind in KINDS if kind != "cluster"], indirect=True
)  # which has room for one
async def test_two_stores_have_two_house_secrets(place: Place) -> None:
    secrets = set()
    for which in (0, 1):
        store = await place.open(which)
        secrets.add(await store.house_secret())
        await store.close()
    assert len(secrets) == 2

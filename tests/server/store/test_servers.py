"""What servers learn of each other, and of whoever served before them."""

import time

import pytest

from server.store.port import Store
from tests.server.store.conftest import KINDS, Place


async def test_the_clock_begins_as_the_wall_clock(store: Store) -> None:
    assert abs((await store.beat("one", 0, [])).now - time.time() * 1000) < 5_000


async def test_the_clock_goes_on_to_what_is_vouched_for(store: Store) -> None:
    start = (await store.beat("one", 0, [])).now
    assert (await store.beat("one", start + 1_000, [])).now == start + 1_000
    assert (await store.beat("one", start + 7_000_000, [])).now == start + 7_000_000


async def test_the_clock_stands_still_while_nobody_vouches_for_anything(store: Store) -> None:
    start = (await store.beat("one", 0, [])).now
    assert (await store.beat("one", start, [])).now == start


async def test_the_clock_never_goes_back(store: Store) -> None:
    start = (await store.beat("one", 0, [])).now
    await store.beat("one", start + 9_000, [])
    assert (await store.beat("one", start + 5_000, [])).now == start + 9_000


async def test_a_server_is_among_the_servers_and_not_among_the_others(store: Store) -> None:
    assert (await store.beat("one", 0, ["race"])).nodes == {"one"}
    assert await store.races("one") == []
    await store.silence("one")


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

"""What servers learn of each other, and of whoever served before them."""

import time

from server.store.port import Store
from tests.server.store.conftest import Place


async def test_a_server_learns_when_one_was_last_alive(store: Store) -> None:
    assert (await store.beat("one", 1_700_000_000_000, [])).previous == 0
    assert (await store.beat("one", 1_700_000_001_000, [])).previous == 1_700_000_000_000
    assert (await store.beat("one", 1_700_000_002_000, [])).previous == 1_700_000_001_000


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


async def test_two_stores_have_two_house_secrets(place: Place) -> None:
    secrets = set()
    for which in (0, 1):
        store = await place.open(which)
        secrets.add(await store.house_secret())
        await store.close()
    assert len(secrets) == 2

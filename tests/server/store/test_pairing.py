"""Waiting for a rival: of two players who come at the same time, one finds the other."""

import asyncio

from server.store.port import CreateMatch, EndMatch, Store
from tests.server.store.matches import terms

GAME = "sir-tommy"


async def test_nobody_waits(store: Store) -> None:
    assert await store.pair(GAME, "ann", None) is None
    assert await store.pair(GAME, "ben", None) is None


async def test_who_finds_nobody_waits_and_is_found(store: Store) -> None:
    assert await store.pair(GAME, "ann", "aaaaaaaa") is None
    assert await store.pair(GAME, "ben", "bbbbbbbb") == "aaaaaaaa"


async def test_a_match_stays_on_the_queue_until_it_is_withdrawn(store: Store) -> None:
    await store.pair(GAME, "ann", "aaaaaaaa")
    assert await store.pair(GAME, "ben", None) == "aaaaaaaa"
    assert await store.pair(GAME, "cid", None) == "aaaaaaaa"
    await store.withdraw(GAME, "aaaaaaaa")
    assert await store.pair(GAME, "ben", None) is None
    await store.withdraw(GAME, "aaaaaaaa")


async def test_who_finds_somebody_does_not_wait(store: Store) -> None:
    await store.pair(GAME, "ann", "aaaaaaaa")
    await store.pair(GAME, "ben", "bbbbbbbb")
    await store.withdraw(GAME, "aaaaaaaa")
    assert await store.pair(GAME, "cid", None) is None


async def test_nobody_finds_themselves(store: Store) -> None:
    assert await store.pair(GAME, "ann", "aaaaaaaa") is None
    assert await store.pair(GAME, "ann", "bbbbbbbb") is None
    assert await store.pair(GAME, "ann", None) is None


async def test_who_has_waited_longest_is_found_first(store: Store) -> None:
    for match, player in (("bbbbbbbb", "ben"), ("aaaaaaaa", "ann"), ("cccccccc", "cid")):
        await store.offer(GAME, player, match)
    await store.offer(GAME, "ben", "bbbbbbbb")
    assert await store.pair(GAME, "ben", None) == "aaaaaaaa"
    for match in ("bbbbbbbb", "aaaaaaaa", "cccccccc"):
        assert await store.pair(GAME, "dan", None) == match
        await store.withdraw(GAME, match)
    assert await store.pair(GAME, "dan", None) is None


async def test_who_asks_twice_keeps_the_place_and_waits_once(store: Store) -> None:
    await store.pair(GAME, "ann", "aaaaaaaa")
    await store.offer(GAME, "ben", "bbbbbbbb")
    await store.pair(GAME, "ann", "aaaaaaaa")
    await store.offer(GAME, "ann", "aaaaaaaa")
    assert await store.pair(GAME, "cid", None) == "aaaaaaaa"
    await store.withdraw(GAME, "aaaaaaaa")
    assert await store.pair(GAME, "cid", None) == "bbbbbbbb"
    await store.withdraw(GAME, "bbbbbbbb")
    assert await store.pair(GAME, "cid", None) is None


async def test_each_game_has_a_queue_of_its_own(store: Store) -> None:
    await store.pair(GAME, "ann", "aaaaaaaa")
    assert await store.pair("lucas+peek", "ben", "bbbbbbbb") is None
    await store.withdraw("lucas+peek", "aaaaaaaa")
    assert await store.pair(GAME, "ben", None) == "aaaaaaaa"


async def test_who_joins_the_queue_does_so_whoever_else_waits(store: Store) -> None:
    await store.offer(GAME, "ann", "aaaaaaaa")
    await store.offer(GAME, "ben", "bbbbbbbb")
    assert await store.pair(GAME, "ann", None) == "bbbbbbbb"
    assert await store.pair(GAME, "ben", None) == "aaaaaaaa"


async def test_a_match_that_ends_waits_no_more(store: Store) -> None:
    await store.write("aaaaaaaa", [CreateMatch(terms("aaaaaaaa"))])
    await store.pair(GAME, "ann", "aaaaaaaa")
    await store.write("aaaaaaaa", [EndMatch(7)])
    assert await store.pair(GAME, "ben", None) is None


async def test_of_many_who_come_at_the_same_time_only_one_waits(store: Store) -> None:
    found = await asyncio.gather(*(store.pair(GAME, f"player {each}", f"match{each:03}") for each in range(50)))
    (waiting,) = [f"match{each:03}" for each, match in enumerate(found) if match is None]
    assert {match for match in found if match is not None} == {waiting}

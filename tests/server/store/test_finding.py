"""How matches are found again: the open ones and when they are due, the ended ones, and whose they are."""

import asyncio

import pytest

from server.store.port import AppendEntry, CreateMatch, EndMatch, SetDue, Store, TakeSeat
from server.store.sqlite import MOST_DUE
from tests.server.store.matches import CODE, kept, make, play, terms


async def ended(store: Store) -> list[str]:
    return [match async for match in store.ended_matches()]


# Open ones


async def test_open_matches_are_those_that_have_not_ended(store: Store) -> None:
    assert await store.open_matches() == []
    await make(store, "aaaaaaaa", "bbbbbbbb", "cccccccc")
    await store.write("bbbbbbbb", [EndMatch(7)])
    assert sorted(await store.open_matches()) == ["aaaaaaaa", "cccccccc"]


async def test_a_match_is_due_from_its_time_on(store: Store) -> None:
    await store.write(CODE, [CreateMatch(terms()), SetDue(500)])
    assert await store.due(499) == []
    assert await store.due(500) == [CODE]
    assert await store.due(501) == [CODE]


async def test_a_match_that_says_nothing_is_due_when_it_is_made(store: Store) -> None:
    await store.write(CODE, [CreateMatch(terms(created=300))])
    assert await store.due(299) == []
    assert await store.due(300) == [CODE]


async def test_the_last_word_counts_on_when_a_match_is_due(store: Store) -> None:
    await store.write(CODE, [CreateMatch(terms(created=300)), SetDue(500)])
    for at in (700, 100, 400, 900):
        await store.write(CODE, [SetDue(at)])
        assert await store.due(at - 1) == []
        assert await store.due(at) == [CODE]


async def test_the_match_that_is_due_first_comes_first(store: Store) -> None:
    for match, at in (("bbbbbbbb", 30), ("aaaaaaaa", 40), ("cccccccc", 20), ("dddddddd", 50)):
        await store.write(match, [CreateMatch(terms(match)), SetDue(10)])
        await store.write(match, [SetDue(at)])
    assert await store.due(40) == ["cccccccc", "bbbbbbbb", "aaaaaaaa"]


async def test_an_ended_match_is_not_due(store: Store) -> None:
    await store.write(CODE, [CreateMatch(terms()), SetDue(500)])
    await store.write(CODE, [SetDue(600), EndMatch(7), SetDue(700)])
    assert await store.due(1 << 50) == []
    await store.write(CODE, [SetDue(5)])
    assert await store.due(1 << 50) == await store.open_matches() == []


async def test_of_very_many_due_matches_some_come_at_a_time(store: Store) -> None:
    many = [f"match{number:04}" for number in range(MOST_DUE + 50)]
    await asyncio.gather(
        *(store.write(each, [CreateMatch(terms(each)), SetDue(at)]) for at, each in enumerate(many, 1))
    )
    assert await store.due(1 << 50) == many[:MOST_DUE]
    await asyncio.gather(*(store.write(each, [SetDue(1 << 51)]) for each in many[:MOST_DUE]))
    assert await store.due(1 << 50) == many[MOST_DUE:]
    assert sorted(await store.open_matches()) == many


# Ended ones


async def test_ended_matches_come_the_oldest_end_first(store: Store) -> None:
    for match, at in (("aaaaaaaa", 30), ("bbbbbbbb", 10), ("cccccccc", 20)):
        await play(store, match, ("ann", "ben"), ended=at)
    await make(store)
    assert await ended(store) == ["bbbbbbbb", "cccccccc", "aaaaaaaa"]


async def test_of_two_ends_the_first_counts(store: Store) -> None:
    await make(store, "aaaaaaaa", "bbbbbbbb")
    await store.write("aaaaaaaa", [EndMatch(7)])
    await store.write("bbbbbbbb", [EndMatch(8)])
    await store.write("aaaaaaaa", [EndMatch(9)])
    assert await ended(store) == ["aaaaaaaa", "bbbbbbbb"]


@pytest.mark.parametrize("apart", [0, 1], ids=["at the same time", "one after the other"])
async def test_of_very_many_ended_matches_none_is_missing(store: Store, apart: int) -> None:
    many = [f"match{number:04}" for number in range(450)]
    await asyncio.gather(
        *(store.write(each, [CreateMatch(terms(each)), EndMatch(7 + apart * at)]) for at, each in enumerate(many))
    )
    found = await ended(store)
    assert (found if apart else sorted(found)) == many


# A player's


async def test_a_player_has_seats_in_open_matches_and_a_history_of_ended_ones(store: Store) -> None:
    await play(store, "aaaaaaaa", ("ann", "ben"), ended=30)
    await play(store, "bbbbbbbb", ("ann", "cid"), ended=10)
    await play(store, "cccccccc", ("ben", "ann"))
    await play(store, "dddddddd", ("ben", "cid"))
    assert await store.seats("ann") == ["cccccccc"]
    assert sorted(await store.seats("ben")) == ["cccccccc", "dddddddd"]
    assert await store.history("ann", 9) == ["aaaaaaaa", "bbbbbbbb"]
    assert await store.history("ben", 9) == ["aaaaaaaa"]
    assert await store.seats("dan") == await store.history("dan", 9) == []


async def test_a_history_can_be_cut(store: Store) -> None:
    many = [f"match{number:03}" for number in range(260)]
    await asyncio.gather(*(play(store, each, ("ann", "ben"), ended=10 + at) for at, each in enumerate(many)))
    assert await store.history("ann", 3) == many[:-4:-1]
    assert await store.history("ann", 1000) == many[::-1]


async def test_a_seat_may_be_taken_twice(store: Store) -> None:
    await store.write(CODE, [CreateMatch(terms()), TakeSeat("ann", "Ann", 5)])
    await store.write(CODE, [TakeSeat("ann", "Ann", 6), TakeSeat("ann", "Ann", 7)])
    assert await store.seats("ann") == [CODE]


async def test_a_player_is_known_by_the_name_last_used_and_since_when(store: Store) -> None:
    assert await store.player("ann") is None
    await store.write("aaaaaaaa", [CreateMatch(terms("aaaaaaaa")), TakeSeat("ann", "Ann", 50)])
    await store.write("bbbbbbbb", [CreateMatch(terms("bbbbbbbb")), TakeSeat("ann", "Änn 🂡", 70)])
    assert await store.player("ann") == ("Änn 🂡", 50, 70)


# Forgotten


async def test_a_sweep_forgets_what_ended_before_and_nothing_else(store: Store) -> None:
    await play(store, "aaaaaaaa", ("ann", "ben"), ended=10)
    await play(store, "bbbbbbbb", ("ann", "cid"), ended=20)
    await play(store, "cccccccc", ("dan", "eve"), ended=10)
    await play(store, "dddddddd", ("dan", "fay"))
    await store.sweep(20)
    assert [await store.read(match) for match in ("aaaaaaaa", "cccccccc")] == [None, None]
    assert await ended(store) == ["bbbbbbbb"]
    assert await store.history("ann", 9) == ["bbbbbbbb"]
    assert await store.history("ben", 9) == await store.history("dan", 9) == []
    known = [name for name in ("ann", "ben", "cid", "dan", "eve", "fay") if await store.player(name) is not None]
    assert known == ["ann", "cid", "dan", "fay"]
    assert await store.open_matches() == await store.due(5) == await store.seats("dan") == ["dddddddd"]
    assert (await kept(store, "dddddddd")).numbers == (1, 3, 0)


async def test_a_forgotten_match_takes_no_more_entries(store: Store) -> None:
    await play(store, CODE, ("ann", "ben"), ended=10)
    await store.sweep(11)
    with pytest.raises(Exception, match=CODE):
        await store.write(CODE, [AppendEntry(1, 4, 9, "t")])
    assert await store.read(CODE) is None
    await store.sweep(11)

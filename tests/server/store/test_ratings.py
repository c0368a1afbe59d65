"""What every store promises of ratings: a match counts once, and from ratings that are still those that were read."""

import asyncio
from random import Random

import pytest

from server.store.port import Conflict, CreateMatch, EndMatch, Rated, Store
from tests.server.store.conftest import Place
from tests.server.store.matches import CODE, make, play, terms

FAMILY, OTHER = "sir-tommy", "forty-thieves"


def rating(
    player: str, points: float = 1500.5, deviation: float = 350 / 3, *, matches: int = 1, bot: str | None = None
) -> Rated:
    return Rated(player, f"{player.title()} \N{SNOWMAN}", points, deviation, 0.06, matches, 1_700_000_000_000, bot)


ANN, BEN = rating("ann"), rating("ben", 1400.25)


async def rate(store: Store, match: str = CODE, *after: Rated, at: int = 7, family: str = FAMILY) -> bool:
    before = await store.ratings(family, [each.player for each in after])
    return await store.rate(match, family, at, before, after)


async def test_nobody_has_a_rating_at_first(store: Store) -> None:
    assert await store.ratings(FAMILY, ["ann", "ben"]) == [None, None]
    assert await store.ratings(FAMILY, []) == []
    assert await store.top(FAMILY, 9) == []


async def test_ratings_are_kept_as_they_are_for_each_family(store: Store) -> None:
    assert await store.rate(CODE, FAMILY, 7, [None, None], [ANN, BEN])
    assert await store.ratings(FAMILY, ["ben", "cid", "ann"]) == [BEN, None, ANN]
    assert await store.ratings(OTHER, ["ann", "ben"]) == [None, None]
    assert await store.top(OTHER, 9) == []


async def test_which_program_plays_is_kept(store: Store) -> None:
    deep = rating("ann", bot='Deep "Tommy" \\ \N{SNOWMAN}')
    assert await store.rate(CODE, FAMILY, 7, [None, None], [deep, BEN])
    assert await store.ratings(FAMILY, ["ann", "ben"]) == await store.top(FAMILY, 9) == [deep, BEN]
    assert await store.rate("zzzzzzzz", FAMILY, 8, [deep], [ANN])
    assert await store.ratings(FAMILY, ["ann"]) == [ANN]


async def test_a_match_counts_once(store: Store) -> None:
    assert await store.rate(CODE, FAMILY, 7, [None, None], [ANN, BEN])
    for before in ([ANN, BEN], [None, None]):
        assert not await store.rate(CODE, FAMILY, 7, before, [rating("ann", 9), rating("ben", 9)])
    assert await store.ratings(FAMILY, ["ann", "ben"]) == [ANN, BEN]


@pytest.mark.parametrize(
    "before",
    [
        [None, None],
        [None, BEN],
        [ANN, None],
        [ANN, rating("ben", 1400.250001)],
        [rating("ann", matches=2), BEN],
        [rating("ann", bot="tommy"), BEN],
    ],
    ids=["both", "one", "other", "points", "matches", "bot"],
)
async def test_a_match_does_not_count_from_ratings_that_have_changed(store: Store, before: list[Rated | None]) -> None:
    await store.rate(CODE, FAMILY, 7, [None, None], [ANN, BEN])
    with pytest.raises(Conflict):
        await store.rate("zzzzzzzz", FAMILY, 8, before, [rating("ann", 9), rating("ben", 9)])
    assert await store.ratings(FAMILY, ["ann", "ben"]) == [ANN, BEN]
    assert await store.rate("zzzzzzzz", FAMILY, 8, [ANN, BEN], [rating("ann", 9), rating("ben", 9)])


async def test_of_many_who_rate_the_same_match_one_does(store: Store) -> None:
    outcomes = await asyncio.gather(
        *(store.rate(CODE, FAMILY, 7, [None, None], [rating("ann", points), BEN]) for points in range(20))
    )
    assert outcomes.count(True) == 1
    (ann,) = await store.ratings(FAMILY, ["ann"])
    assert ann == rating("ann", outcomes.index(True))


async def test_of_many_matches_at_once_none_is_lost(store: Store) -> None:
    async def count(match: str, rival: str) -> None:
        while True:
            (ann, other) = before = await store.ratings(FAMILY, ["ann", rival])
            number = ann.matches + 1 if ann else 1
            try:
                assert await store.rate(match, FAMILY, 7, before, [rating("ann", matches=number), rating(rival)])
            except Conflict:
                continue
            assert other is None
            return

    await asyncio.gather(*(count(f"match{number:03}", f"rival{number}") for number in range(12)))
    (ann,) = await store.ratings(FAMILY, ["ann"])
    assert ann is not None
    assert ann.matches == 12


async def test_the_top_are_those_with_the_highest_floors(store: Store) -> None:
    known = [rating(f"p{number}", 1500 + 50 * number, 60 + 40 * number) for number in range(7)]
    for each in known:
        await rate(store, f"m-{each.player}", each)
    in_order = sorted(known, key=lambda each: -each.floor)
    assert await store.top(FAMILY, 9) == in_order
    assert await store.top(FAMILY, 3) == in_order[:3]
    risen = rating("p6", 2500, 60)
    await rate(store, "risen", risen)
    assert await store.top(FAMILY, 2) == [risen, in_order[0]]


async def test_who_are_equally_strong_stand_in_one_order(store: Store) -> None:
    for player in ("ann", "cid", "ben"):
        await rate(store, f"m-{player}", rating(player))
    assert [each.player for each in await store.top(FAMILY, 9)] == ["cid", "ben", "ann"]


async def test_matches_that_count_nowhere_are_found(store: Store) -> None:
    for match, at in (("aaaaaaaa", 30), ("bbbbbbbb", 10), ("cccccccc", 20), ("dddddddd", 9)):
        await play(store, match, ("ann", "ben"), ended=at)
    await make(store)
    assert await store.unrated((FAMILY, OTHER), 10) == ["bbbbbbbb", "cccccccc", "aaaaaaaa"]
    await rate(store, "cccccccc", ANN, BEN, at=20)
    await rate(store, "bbbbbbbb", at=10, family=OTHER)
    assert await store.unrated((FAMILY, OTHER), 10) == ["aaaaaaaa"]
    assert await store.unrated((FAMILY, OTHER), 31) == []
    assert await store.top(OTHER, 9) == []


async def test_of_very_many_matches_that_count_nowhere_some_come_at_a_time(store: Store) -> None:
    many = [f"match{number:04}" for number in range(1050)]
    await asyncio.gather(
        *(store.write(each, [CreateMatch(terms(each)), EndMatch(7 + at)]) for at, each in enumerate(many))
    )
    await asyncio.gather(*(rate(store, each, at=7) for each in many[:300]))
    assert await store.unrated((FAMILY, OTHER), 0) == many[300:][:1000]


async def test_ratings_outlive_their_matches(store: Store) -> None:
    await play(store, CODE, ("ann", "ben"), ended=7)
    await rate(store, CODE, ANN, BEN)
    await store.sweep(8)
    assert await store.ratings(FAMILY, ["ann", "ben"]) == [ANN, BEN]
    assert await store.top(FAMILY, 9) == [ANN, BEN]
    assert await store.unrated((FAMILY, OTHER), 0) == []


async def test_ratings_outlive_a_restart(place: Place) -> None:
    store = await place.open()
    await rate(store, CODE, ANN, BEN)
    if place.lasting:
        await store.close()
        store = await place.open()
    assert await store.ratings(FAMILY, ["ann", "ben"]) == [ANN, BEN]
    assert not await store.rate(CODE, FAMILY, 7, [ANN, BEN], [BEN, ANN])
    await store.close()


# How often the same two are rated

DAY = 1000
"""What a day is here."""
NOW = 1_700_000_000_000


async def noted(store: Store, match: str, at: int, *players: str) -> bool:
    return await store.note_pair(players or ("ann", "ben"), match, NOW + at, DAY, 3)


async def test_so_many_of_a_pair_are_noted_within_a_time_and_no_more(store: Store) -> None:
    assert [await noted(store, f"match{at}", at) for at in range(5)] == [True, True, True, False, False]


async def test_who_asks_again_hears_the_same(store: Store) -> None:
    for _ in range(3):
        assert [await noted(store, f"match{at}", at) for at in range(5)] == [True, True, True, False, False]


async def test_a_pair_is_the_same_in_whichever_order_and_no_other(store: Store) -> None:
    for at in range(3):
        assert await noted(store, f"match{at}", at, *(("ann", "ben"), ("ben", "ann"))[at % 2])
    assert not await noted(store, "match3", 3, "ben", "ann")
    assert await noted(store, "match4", 4, "ann", "cid")
    assert await noted(store, "match5", 5, "cid", "ben")


async def test_the_time_goes_on_with_each_match(store: Store) -> None:
    assert [await noted(store, f"early{at}", at) for at in (0, 10, 20)] == [True] * 3
    assert not await noted(store, "too early", DAY - 1)
    assert [await noted(store, f"later{at}", DAY + at) for at in (0, 9, 10, 19, 20)] == [True, False, True, False, True]


@pytest.mark.parametrize("seed", range(5))
async def test_matches_may_be_asked_about_in_any_order_and_are_never_too_many(store: Store, seed: int) -> None:
    """A server that goes on where another died looks back a day."""
    times = [DAY * at // 10 for at in range(20)]
    Random(seed).shuffle(times)
    counted = sorted([at for at in times if await noted(store, f"match{at}", at)])
    assert len(counted) >= 3
    assert all(later - earlier >= DAY for earlier, later in zip(counted, counted[3:], strict=False))


async def test_a_match_that_was_noted_stays_so_when_newer_ones_come(store: Store) -> None:
    assert [await noted(store, f"match{at}", at) for at in range(4)] == [True, True, True, False]
    assert await noted(store, "next day", 2 * DAY - 1)
    assert [await noted(store, f"match{at}", at) for at in range(4)] == [True, True, True, False]


async def test_of_many_that_end_at_once_no_more_are_noted(store: Store) -> None:
    outcomes = await asyncio.gather(*(noted(store, f"match{each:03}", 5) for each in range(30)))
    assert outcomes.count(True) == 3


async def test_what_is_noted_outlives_a_restart(place: Place) -> None:
    store = await place.open()
    assert [await noted(store, f"match{at}", at) for at in range(3)] == [True] * 3
    if place.lasting:
        await store.close()
        store = await place.open()
    assert not await noted(store, "match9", 9)
    assert await noted(store, "match2", 2)
    await store.close()

"""Waiting for a rival: of two players who come at the same time, one finds the other."""

import asyncio
from itertools import product

import pytest

from server.store.port import CreateMatch, EndMatch, Seeker, Store
from tests.server.store.matches import terms

GAME = "sir-tommy"


async def test_nobody_waits(store: Store) -> None:
    assert await store.pair(GAME, Seeker("ann"), None) is None
    assert await store.pair(GAME, Seeker("ben"), None) is None


async def test_who_finds_nobody_waits_and_is_found(store: Store) -> None:
    assert await store.pair(GAME, Seeker("ann"), "aaaaaaaa") is None
    assert await store.pair(GAME, Seeker("ben"), "bbbbbbbb") == "aaaaaaaa"


async def test_a_match_stays_on_the_queue_until_it_is_withdrawn(store: Store) -> None:
    await store.pair(GAME, Seeker("ann"), "aaaaaaaa")
    assert await store.pair(GAME, Seeker("ben"), None) == "aaaaaaaa"
    assert await store.pair(GAME, Seeker("cid"), None) == "aaaaaaaa"
    await store.withdraw(GAME, "aaaaaaaa")
    assert await store.pair(GAME, Seeker("ben"), None) is None
    await store.withdraw(GAME, "aaaaaaaa")


async def test_who_finds_somebody_does_not_wait(store: Store) -> None:
    await store.pair(GAME, Seeker("ann"), "aaaaaaaa")
    await store.pair(GAME, Seeker("ben"), "bbbbbbbb")
    await store.withdraw(GAME, "aaaaaaaa")
    assert await store.pair(GAME, Seeker("cid"), None) is None


async def test_nobody_finds_themselves(store: Store) -> None:
    assert await store.pair(GAME, Seeker("ann"), "aaaaaaaa") is None
    assert await store.pair(GAME, Seeker("ann"), "bbbbbbbb") is None
    assert await store.pair(GAME, Seeker("ann"), None) is None


async def test_who_has_waited_longest_is_found_first(store: Store) -> None:
    for match, player in (("bbbbbbbb", "ben"), ("aaaaaaaa", "ann"), ("cccccccc", "cid")):
        await store.offer(GAME, Seeker(player), match)
    await store.offer(GAME, Seeker("ben"), "bbbbbbbb")
    assert await store.pair(GAME, Seeker("ben"), None) == "aaaaaaaa"
    for match in ("bbbbbbbb", "aaaaaaaa", "cccccccc"):
        assert await store.pair(GAME, Seeker("dan"), None) == match
        await store.withdraw(GAME, match)
    assert await store.pair(GAME, Seeker("dan"), None) is None


async def test_who_asks_twice_keeps_the_place_and_waits_once(store: Store) -> None:
    await store.pair(GAME, Seeker("ann"), "aaaaaaaa")
    await store.offer(GAME, Seeker("ben"), "bbbbbbbb")
    await store.pair(GAME, Seeker("ann"), "aaaaaaaa")
    await store.offer(GAME, Seeker("ann"), "aaaaaaaa")
    assert await store.pair(GAME, Seeker("cid"), None) == "aaaaaaaa"
    await store.withdraw(GAME, "aaaaaaaa")
    assert await store.pair(GAME, Seeker("cid"), None) == "bbbbbbbb"
    await store.withdraw(GAME, "bbbbbbbb")
    assert await store.pair(GAME, Seeker("cid"), None) is None


async def test_each_game_has_a_queue_of_its_own(store: Store) -> None:
    await store.pair(GAME, Seeker("ann"), "aaaaaaaa")
    assert await store.pair("lucas+peek", Seeker("ben"), "bbbbbbbb") is None
    await store.withdraw("lucas+peek", "aaaaaaaa")
    assert await store.pair(GAME, Seeker("ben"), None) == "aaaaaaaa"


async def test_who_joins_the_queue_does_so_whoever_else_waits(store: Store) -> None:
    await store.offer(GAME, Seeker("ann"), "aaaaaaaa")
    await store.offer(GAME, Seeker("ben"), "bbbbbbbb")
    assert await store.pair(GAME, Seeker("ann"), None) == "bbbbbbbb"
    assert await store.pair(GAME, Seeker("ben"), None) == "aaaaaaaa"


async def test_a_match_that_ends_waits_no_more(store: Store) -> None:
    await store.write("aaaaaaaa", [CreateMatch(terms("aaaaaaaa"))])
    await store.pair(GAME, Seeker("ann"), "aaaaaaaa")
    await store.write("aaaaaaaa", [EndMatch(7)])
    assert await store.pair(GAME, Seeker("ben"), None) is None


async def test_of_many_who_come_at_the_same_time_only_one_waits(store: Store) -> None:
    found = await asyncio.gather(*(store.pair(GAME, Seeker(f"player {each}"), f"match{each:03}") for each in range(50)))
    (waiting,) = [f"match{each:03}" for each, match in enumerate(found) if match is None]
    assert {match for match in found if match is not None} == {waiting}


# Bots and persons

PERSON, OPEN_PERSON = (False, False), (False, True)
"""Somebody who plays against persons alone, and somebody who has asked for bots as well."""
BOT, SHY_BOT = (True, True), (True, False)
"""A bot as the lobby lets it come, and one that wants persons alone."""
SUIT = {
    PERSON: {PERSON, OPEN_PERSON},
    OPEN_PERSON: {PERSON, OPEN_PERSON, BOT, SHY_BOT},
    BOT: {OPEN_PERSON, BOT},
    SHY_BOT: {OPEN_PERSON},
}
"""Who may be paired with whom: with a bot only who has asked for it."""
ALL = list(product(SUIT, SUIT))


@pytest.mark.parametrize(("waiting", "coming"), ALL)
async def test_a_bot_is_paired_only_with_who_asked_for_bots(
    store: Store, waiting: tuple[bool, bool], coming: tuple[bool, bool]
) -> None:
    ann, ben = Seeker("ann", *waiting), Seeker("ben", *coming)
    suits = coming in SUIT[waiting]
    assert ann.suits(ben) == ben.suits(ann) == suits
    assert await store.pair(GAME, ann, "aaaaaaaa") is None
    assert await store.pair(GAME, ben, None) == ("aaaaaaaa" if suits else None)
    assert await store.pair(GAME, ben, "bbbbbbbb") == ("aaaaaaaa" if suits else None)
    if not suits:  # then Ben waits, too, and Ann still does not find him
        assert await store.pair(GAME, ann, None) is None
        assert await store.pair(GAME, Seeker("eve", *OPEN_PERSON), None) == "aaaaaaaa"


@pytest.mark.parametrize(("offered", "coming"), ALL)
async def test_so_it_is_with_a_match_that_is_offered_again(
    store: Store, offered: tuple[bool, bool], coming: tuple[bool, bool]
) -> None:
    await store.offer(GAME, Seeker("ann", *offered), "aaaaaaaa")
    found = await store.pair(GAME, Seeker("ben", *coming), "bbbbbbbb")
    assert found == ("aaaaaaaa" if coming in SUIT[offered] else None)


async def test_who_does_not_suit_is_passed_over_and_keeps_the_place(store: Store) -> None:
    waiting = {
        "aaaaaaaa": ("ann", BOT),
        "bbbbbbbb": ("ben", PERSON),
        "cccccccc": ("cid", BOT),
        "dddddddd": ("dan", OPEN_PERSON),
    }
    for match, (player, kind) in waiting.items():
        await store.offer(GAME, Seeker(player, *kind), match)
    for kind, match in ((PERSON, "bbbbbbbb"), (BOT, "aaaaaaaa"), (SHY_BOT, "dddddddd"), (OPEN_PERSON, "aaaaaaaa")):
        assert await store.pair(GAME, Seeker("eve", *kind), None) == match
    await store.withdraw(GAME, "aaaaaaaa")
    assert await store.pair(GAME, Seeker("eve", *BOT), None) == "cccccccc"


async def test_who_suits_nobody_waits_as_well(store: Store) -> None:
    assert await store.pair(GAME, Seeker("ann", *BOT), "aaaaaaaa") is None
    assert await store.pair(GAME, Seeker("ben", *PERSON), "bbbbbbbb") is None
    assert await store.pair(GAME, Seeker("cid", *PERSON), None) == "bbbbbbbb"
    assert await store.pair(GAME, Seeker("cid", *BOT), None) == "aaaaaaaa"


async def test_nobody_is_paired_with_themselves_as_a_bot_either(store: Store) -> None:
    await store.offer(GAME, Seeker("ann", *OPEN_PERSON), "aaaaaaaa")
    assert await store.pair(GAME, Seeker("ann", *BOT), None) is None


async def test_of_many_of_all_kinds_at_once_nobody_is_given_who_does_not_suit(store: Store) -> None:
    kinds = [kind for kind in SUIT for _ in range(10)]
    seekers = {f"match{number:03}": Seeker(f"player {number}", *kind) for number, kind in enumerate(kinds)}
    found = await asyncio.gather(*(store.pair(GAME, seeker, match) for match, seeker in seekers.items()))
    for seeker, match in zip(seekers.values(), found, strict=True):
        if match is not None:
            other = seekers[match]
            assert (other.bot, other.bots) in SUIT[(seeker.bot, seeker.bots)]
    waiting = [seeker for seeker, match in zip(seekers.values(), found, strict=True) if match is None]
    assert not [(one, other) for one in waiting for other in waiting if one.suits(other)]

"""Ratings of real matches: which count, once each, and what the ranking says."""

import asyncio

import pytest

import server.keeper
from engine.games import CATALOGUE
from protocol import messages as wire
from server.app import RaceServer
from server.events import Terms
from server.ranking import family_of
from server.settings import Settings
from server.store.port import Conflict, CreateMatch, EndMatch, Rated, Store
from tests.server.driver import Client, Visitors, begin, eventually, visitors

FAMILY: wire.Family = "sir-tommy"


async def ranking(client: Client, family: wire.Family = FAMILY) -> wire.Ranking:
    return await client.ask(wire.Top(family=family), wire.Ranking)


async def raced(people: Visitors, race_server: RaceServer, game: str = FAMILY) -> tuple[Client, Client]:
    """A match that Bob has resigned, and that counts."""
    ann, bob = await people.race(game)
    await bob.move("resign")
    await counted(race_server.store, ann.match)
    return ann, bob


async def counted(store: Store, *matches: str) -> None:
    async with asyncio.timeout(10):
        while set(matches) & set(await store.unrated(wire.FAMILIES, 0)):
            pass


def test_every_game_belongs_to_a_family() -> None:
    assert [family_of(game) for game in CATALOGUE] == [FAMILY] * 5 + ["forty-thieves"] * 5
    assert family_of("lucas+peek") == "forty-thieves"


async def test_a_match_between_two_people_counts(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await raced(people, race_server)
    heard = await ranking(ann)
    first, second = heard.ranks
    assert (first.name, first.place, first.matches, first.provisional) == ("Ann", 1, 1, True)
    assert (second.name, second.place, second.rating) == ("Bob", 2, 3000 - first.rating)
    assert heard.you == first
    assert (await ranking(bob)).you == second
    assert (await ranking(ann, "forty-thieves")).ranks == []
    assert (await ranking(await people.guest("Eve"))).you is None


async def test_a_draw_is_half_a_win(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await people.race("strategy")
    await ann.move("stand")
    await bob.move("stand")
    await counted(race_server.store, ann.match)
    assert [rank.rating for rank in (await ranking(ann)).ranks] == [1500, 1500]


async def test_families_are_rated_apart_and_games_of_one_together(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await raced(people, race_server, "lucas")
    for game in ("numerica+redeal", "calculation"):
        await ann.create(game)
        await bob.join(ann.match)
        await begin(ann, bob)
        await bob.move("resign")
        await counted(race_server.store, ann.match)
    assert [rank.matches for rank in (await ranking(ann)).ranks] == [2, 2]
    assert [rank.matches for rank in (await ranking(ann, "forty-thieves")).ranks] == [1, 1]


async def test_an_aborted_match_does_not_count(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await people.pair()
    await ann.ask(wire.Leave(match=ann.match), wire.MatchState)
    await bob.state("aborted")
    await counted(race_server.store, ann.match)
    assert (await ranking(ann)).ranks == []


async def test_a_match_against_a_house_bot_does_not_count(race_server: RaceServer, people: Visitors) -> None:
    ann, bob = await people.race()
    table = race_server.hub.tables[ann.match]
    table.match.seats[1].bot = "strong"
    await bob.move("resign")
    await counted(race_server.store, ann.match)
    assert (await ranking(ann)).ranks == []


async def test_ratings_that_change_meanwhile_are_read_again(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    rate, refused = race_server.store.rate, 0

    async def contested(*arguments: object) -> bool:
        nonlocal refused
        if refused < 3:
            refused += 1
            raise Conflict("somebody was quicker")
        return await rate(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(race_server.store, "rate", contested)
    ann, _ = await raced(people, race_server)
    assert refused == 3
    assert len((await ranking(ann)).ranks) == 2


@pytest.mark.usefixtures("short_countdown")
async def test_what_a_server_has_not_rated_another_does(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first dies between the end of a match and its rating."""
    monkeypatch.setattr(server.keeper, "BEAT_EVERY", 0.02)
    settings = Settings(host="127.0.0.1", port=0, store=f"sqlite:{tmp_path}/matches.db", bots=0)
    first = RaceServer(settings)

    async def die(_: object) -> None:
        pass

    monkeypatch.setattr(first.hub.rater, "rate", die)
    async with visitors(f"ws://127.0.0.1:{await first.open()}") as people:
        ann, bob = await people.race()
        await bob.move("resign")
        await ann.state("over")
    await first.store.write("zzzzzzzz", [CreateMatch(unknown()), EndMatch(first.hub.now())])
    await first.close()

    second = RaceServer(settings)
    async with visitors(f"ws://127.0.0.1:{await second.open()}") as people:
        eve = await people.guest("Eve")
        await counted(second.store, ann.match)
        assert [rank.name for rank in (await ranking(eve)).ranks] == ["Ann", "Bob"]
        assert await second.store.unrated(wire.FAMILIES, 0) == ["zzzzzzzz"]
    await second.close()


def unknown() -> Terms:
    """A match of a game that this version does not know."""
    return Terms("zzzzzzzz", "whist", 900_000, 60_000, listed=True, secret="5e" * 32, created=1)


async def test_very_many_that_were_missed_are_rated_a_few_at_a_time(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    rater, unrated, few = race_server.hub.rater, race_server.store.unrated, 0

    async def wait_for_the_keeper(_: object) -> None:
        pass

    async def one_at_a_time(families: tuple[str, ...], since: int) -> list[str]:
        nonlocal few
        few += 1
        return (await unrated(families, since))[:1]

    with monkeypatch.context() as patch:
        patch.setattr(rater, "rate", wait_for_the_keeper)
        ann, bob = await people.guest("Ann"), await people.guest("Bob")
        for _ in range(3):
            await ann.create()
            await bob.join(ann.match)
            await begin(ann, bob)
            await bob.move("resign")
            await ann.reached("over", ann.match)
    monkeypatch.setattr(race_server.store, "unrated", one_at_a_time)
    await rater.rate_missed(0)
    assert few == 4
    assert [rank.matches for rank in (await ranking(ann)).ranks] == [3, 3]


async def test_who_does_not_stand_in_the_list_is_told_without_a_place(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await raced(people, race_server)
    monkeypatch.setattr("server.ranking.LONGEST_RANKING", 1)
    assert len((await ranking(ann)).ranks) == 1
    mine = (await ranking(bob)).you
    assert mine is not None
    assert (mine.name, mine.place) == ("Bob", None)


async def test_a_rating_is_provisional_until_it_is_sure(people: Visitors, race_server: RaceServer) -> None:
    for player, deviation in (("sure", 110.0), ("unsure", 110.1)):
        await race_server.store.rate(player, FAMILY, 7, [None], [Rated(player, player, 1500, deviation, 0.06, 9, 7)])
    ranks = (await ranking(await people.guest())).ranks
    assert [(rank.name, rank.provisional) for rank in ranks] == [("sure", False), ("unsure", True)]


async def test_the_end_waits_for_no_rating(people: Visitors, race_server: RaceServer) -> None:
    """A store that cannot rate keeps nobody from the result."""
    ann, bob = await people.race()
    rated = asyncio.Event()

    async def wait(_: object) -> None:
        await rated.wait()

    race_server.hub.rater.rate = wait  # type: ignore[assignment]
    await bob.move("resign")
    await ann.state("over")
    assert not rated.is_set()
    rated.set()
    await eventually(lambda: not race_server.hub._tasks)

"""Ratings of real matches: which count, once each, and what the ranking says."""

import asyncio
from collections.abc import Callable

import pytest
from structlog.testing import capture_logs

import server.keeper
from engine.games import CATALOGUE
from protocol import messages as wire
from server.app import RaceServer
from server.events import Terms
from server.ranking import MOST_A_DAY, family_of
from server.settings import Settings
from server.store.port import Conflict, CreateMatch, EndMatch, Rated, Store, StoreError
from tests.server.driver import Client, Visitors, begin, eventually, visitors

FAMILY: wire.Family = "sir-tommy"
TENTH = 6
"""Turns that are a tenth of 52 cards, and of 48."""


async def ranking(client: Client, family: wire.Family = FAMILY) -> wire.Ranking:
    return await client.ask(wire.Top(family=family), wire.Ranking)


async def names(client: Client, family: wire.Family = FAMILY) -> list[str]:
    return [rank.name for rank in (await ranking(client, family)).ranks]


async def meet(ann: Client, bob: Client, game: str = FAMILY, *, bots: bool = False) -> str:
    """Have the server pair these two for a race, which has just begun."""
    await ann.play(game, bots=bots)
    assert (await bob.play(game, bots=bots)).match == ann.match
    await begin(ann, bob)
    return ann.match


async def turn(player: Client, turns: int = TENTH) -> None:
    """Turn cards, and put them out of the way."""
    for _ in range(turns):
        await player.move("t")
        if not player.game.startswith("lucas"):
            await player.move("hp1")


async def raced(people: Visitors, race_server: RaceServer, game: str = FAMILY) -> tuple[Client, Client]:
    """A match of two whom the server has paired, which Bob has resigned, and that counts."""
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    await race(ann, bob, race_server, game)
    return ann, bob


async def race(ann: Client, bob: Client, race_server: RaceServer, game: str = FAMILY, *, bots: bool = False) -> None:
    match = await meet(ann, bob, game, bots=bots)
    await turn(bob, 11 if game == "lucas" else TENTH)
    await bob.move("resign")
    await ann.reached("over", match)
    await counted(race_server.store, match)


async def counted(store: Store, *matches: str) -> None:
    """Wait until these have been looked at."""
    async with asyncio.timeout(10):
        while set(matches) & set(await store.unrated(wire.FAMILIES, 0)):
            pass


async def guest(people: Visitors, name: str, bot: str | None = None, key: str | None = None) -> Client:
    """A client that has said hello, as a program perhaps."""
    client = await people.stranger(name, key)
    await client.ask(await client.signed(bot=bot), wire.Welcome)
    return client


def test_every_game_belongs_to_a_family() -> None:
    assert [family_of(game) for game in CATALOGUE] == [FAMILY] * 5 + ["forty-thieves"] * 5
    assert family_of("lucas+peek") == "forty-thieves"


# What counts


async def test_a_match_between_two_whom_the_server_has_paired_counts(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await raced(people, race_server)
    heard = await ranking(ann)
    first, second = heard.ranks
    assert (first.name, first.place, first.matches, first.provisional) == ("Ann", 1, 1, True)
    assert (second.name, second.place, second.rating) == ("Bob", 2, 3000 - first.rating)
    assert (first.bot, second.bot) == (None, None)
    assert heard.you == first
    assert (await ranking(bob)).you == second
    assert (await ranking(ann, "forty-thieves")).ranks == []
    assert (await ranking(await people.guest("Eve"))).you is None


async def test_a_draw_is_half_a_win(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    match = await meet(ann, bob, "strategy")
    for player in (ann, bob):
        await turn(player)
        await player.move("stand")
    assert (await ann.reached("over", match)).result is not None
    await counted(race_server.store, match)
    assert [(rank.rating, rank.matches) for rank in (await ranking(ann)).ranks] == [(1500, 1), (1500, 1)]


async def test_families_are_rated_apart_and_games_of_one_together(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    for game in ("lucas", "numerica+redeal", "calculation"):
        await race(ann, bob, race_server, game)
    assert [rank.matches for rank in (await ranking(ann)).ranks] == [2, 2]
    assert [rank.matches for rank in (await ranking(ann, "forty-thieves")).ranks] == [1, 1]


async def test_a_rematch_of_a_paired_match_counts_too(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await raced(people, race_server)
    await again(ann, bob)
    await turn(ann)
    await ann.move("resign")
    await bob.reached("over", bob.match)
    await counted(race_server.store, ann.match)
    assert [rank.matches for rank in (await ranking(ann)).ranks] == [2, 2]


async def again(ann: Client, bob: Client) -> None:
    """The rematch of these two, which has just begun."""
    match = ann.match
    for player in (ann, bob):
        await player.ask(wire.Rematch(match=match), wire.MatchState)
    for player in (ann, bob):
        news = await player.next(wire.MatchState, lambda news: news.match == match and news.next is not None)
        player.match = news.next or ""
        player.board, player.entries = None, 0
    await begin(ann, bob)


async def test_an_aborted_match_does_not_count(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    await ann.play()
    await bob.play()
    await ann.ask(wire.Leave(match=ann.match), wire.MatchState)
    await bob.state("aborted")
    await counted(race_server.store, ann.match)
    assert await names(ann) == []


async def test_a_private_match_and_its_rematch_do_not_count(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await people.race()
    for _ in range(2):
        await turn(bob)
        await bob.move("resign")
        await ann.reached("over", ann.match)
        await counted(race_server.store, ann.match)
        assert await names(ann) == []
        await again(ann, bob)


async def test_a_public_match_that_was_joined_by_its_code_does_not_count(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    await ann.play()
    await bob.join(ann.match)
    await begin(ann, bob)
    await turn(bob)
    await bob.move("resign")
    await ann.reached("over", ann.match)
    await counted(race_server.store, ann.match)
    assert await names(ann) == []


async def test_a_match_with_a_bot_in_it_does_not_count(people: Visitors, race_server: RaceServer) -> None:
    ann, bot = await guest(people, "Ann"), await guest(people, "Bot", "Deep Tommy")
    other = await guest(people, "Other", "Deep Tommy")
    await race(ann, bot, race_server, bots=True)
    await race(bot, other, race_server)
    assert await names(ann) == []


async def test_a_match_against_a_house_bot_does_not_count(race_server: RaceServer, people: Visitors) -> None:
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    match = await meet(ann, bob)
    seat = race_server.hub.tables[match].match.seats[1]
    seat.bot, seat.level = "tommy", "strong"
    await turn(bob)
    await bob.move("resign")
    await counted(race_server.store, match)
    assert await names(ann) == []


# Farming


async def test_fresh_keys_that_resign_private_matches_at_once_gain_nothing(
    people: Visitors, race_server: RaceServer
) -> None:
    """So one person reached place 1 in 11 seconds."""
    farmer = await people.guest("Farmer")
    for number in range(6):
        fresh = await people.guest(f"Fresh {number}")
        await farmer.create()
        await fresh.join(farmer.match)
        await begin(farmer, fresh)
        await fresh.move("resign")
        await farmer.reached("over", farmer.match)
        await counted(race_server.store, farmer.match)
    heard = await ranking(farmer)
    assert (heard.ranks, heard.you) == ([], None)


async def test_fresh_keys_that_are_paired_and_resign_at_once_pay_and_nobody_gains(
    people: Visitors, race_server: RaceServer
) -> None:
    farmer = await people.guest("Farmer")
    for number in range(6):
        fresh = await people.guest(f"Fresh {number}")
        match = await meet(farmer, fresh, "lucas+peek")
        await fresh.move("resign")
        await farmer.reached("over", match)
        await counted(race_server.store, match)
    heard = await ranking(farmer, "forty-thieves")
    assert heard.you is None
    assert sorted(rank.name for rank in heard.ranks) == [f"Fresh {number}" for number in range(6)]
    assert all(rank.rating < 1400 for rank in heard.ranks)


async def test_the_same_two_are_rated_a_few_times_a_day(people: Visitors, race_server: RaceServer) -> None:
    farmer, friend = await people.guest("Farmer"), await people.guest("Friend")
    await race(farmer, friend, race_server)
    first = (await ranking(farmer)).you
    for game in ("lucas", "strategy", "lucas", FAMILY, "lucas"):
        await race(farmer, friend, race_server, game)
    told = (await ranking(farmer)).you, (await ranking(farmer, "forty-thieves")).you
    assert [mine and mine.matches for mine in told] == [2, 1]
    assert first is not None
    assert sum(mine.matches for mine in told if mine) == MOST_A_DAY
    eve = await people.guest("Eve")
    await race(farmer, eve, race_server)
    mine = (await ranking(farmer)).you
    assert mine is not None
    assert mine.matches == 3, "with others it counts"


# Bots that have a rating


async def test_a_rating_says_whether_a_bot_has_played_under_it_since(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await raced(people, race_server)
    before = (await ranking(bob)).ranks
    await ann.close()
    as_bot, other = await guest(people, "Ann", "Deep Tommy", ann.key), await guest(people, "Other", "Deeper")
    await race(as_bot, other, race_server)
    told = (await ranking(bob)).ranks
    assert [(rank.name, rank.bot) for rank in told] == [("Ann", "Deep Tommy"), ("Bob", None)]
    assert [(rank.rating, rank.matches) for rank in told] == [(rank.rating, rank.matches) for rank in before]
    mine = (await ranking(as_bot)).you
    assert mine is not None
    assert mine.bot == "Deep Tommy"
    await as_bot.close()
    await race(await people.guest("Ann", key=ann.key), await people.guest("Cid"), race_server)
    assert {rank.name: rank.bot for rank in (await ranking(bob)).ranks} == {"Ann": None, "Bob": None, "Cid": None}


async def test_a_person_whose_rival_is_a_bot_is_still_a_person(people: Visitors, race_server: RaceServer) -> None:
    ann, _ = await raced(people, race_server)
    await race(ann, await guest(people, "Bot", "Deep Tommy"), race_server, bots=True)
    mine = (await ranking(ann)).you
    assert mine is not None
    assert (mine.bot, mine.matches) == (None, 1)


# Once each, whatever happens


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


async def test_that_a_match_could_not_be_rated_is_said_to_the_host(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def contested(*_: object) -> bool:
        raise Conflict("somebody is always quicker")

    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    await meet(ann, bob)
    await turn(bob)
    with monkeypatch.context() as patch, capture_logs() as logs:
        patch.setattr(race_server.store, "rate", contested)
        await bob.move("resign")
        await eventually(lambda: [line for line in logs if line.get("error") == "somebody is always quicker"])
    assert (await ranking(ann)).ranks == []


@pytest.mark.usefixtures("short_countdown")
@pytest.mark.parametrize("turns", [TENTH - 1, TENTH])
async def test_what_a_server_has_not_rated_another_does(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    """The first dies between the end of a match and its rating. The other goes by the logs."""
    monkeypatch.setattr(server.keeper, "BEAT_EVERY", 0.02)
    settings = Settings(host="127.0.0.1", port=0, store=f"sqlite:{tmp_path}/matches.db", bots=0)
    first = RaceServer(settings)

    async def die(_: object) -> None:
        pass

    monkeypatch.setattr(first.hub.rater, "rate", die)
    async with visitors(f"ws://127.0.0.1:{await first.open()}") as people:
        ann, bob = await people.guest("Ann"), await people.guest("Bob")
        match = await meet(ann, bob)
        await turn(bob, turns)
        await bob.move("resign")
        await ann.state("over")
    await first.store.write("zzzzzzzz", [CreateMatch(unknown()), EndMatch(first.hub.now())])
    await first.close()

    second = RaceServer(settings)
    async with visitors(f"ws://127.0.0.1:{await second.open()}") as people:
        eve = await people.guest("Eve")
        await counted(second.store, match)
        assert await names(eve) == (["Ann", "Bob"] if turns == TENTH else ["Bob"])
        assert await second.store.unrated(wire.FAMILIES, 0) == ["zzzzzzzz"]
    await second.close()


def unknown() -> Terms:
    """A match of a game that this version does not know."""
    return Terms("zzzzzzzz", "whist", 900_000, 60_000, listed=True, secret="5e" * 32, created=1)


async def test_a_crash_between_noting_and_rating_costs_no_match(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match that was noted as one of the day's few, and not rated, is rated later as the same one."""
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    rate: Callable[..., object] = race_server.store.rate
    lost: list[object] = []

    async def lose(match: str, *_: object) -> bool:
        lost.append(match)
        raise StoreError("the server dies")

    with monkeypatch.context() as patch:
        patch.setattr(race_server.store, "rate", lose)
        for _ in range(MOST_A_DAY):
            match = await meet(ann, bob)
            await turn(bob)
            await bob.move("resign")
            await ann.reached("over", match)
            await eventually(lambda match=match: match in lost)  # type: ignore[misc]
    assert race_server.store.rate == rate
    assert await names(ann) == []
    for _ in range(2):
        await race_server.hub.rater.rate_missed(0)
        assert [rank.matches for rank in (await ranking(ann)).ranks] == [MOST_A_DAY] * 2
    await race(ann, bob, race_server)
    assert [rank.matches for rank in (await ranking(ann)).ranks] == [MOST_A_DAY] * 2


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
            match = await meet(ann, bob)
            await turn(bob)
            await bob.move("resign")
            await ann.reached("over", match)
    monkeypatch.setattr(race_server.store, "unrated", one_at_a_time)
    await rater.rate_missed(0)
    assert few == 4
    assert [rank.matches for rank in (await ranking(ann)).ranks] == [3, 3]


# What is told


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

"""What a match does to two ratings: the rules of docs/ratings.md, one by one, as the server that ends a match goes by them
and as one that finds it later in the store.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio

from engine.games import CATALOGUE
from server.events import board_log
from server.ranking import ATTEMPTS, DAY, EARLY, MOST_A_DAY, PERIOD, PROVISIONAL, Rater, gave_up
from server.rating import FIRST_DEVIATION, FIRST_RATING, FIRST_VOLATILITY, TAU, Bout, Rating, updated
from server.store.port import AppendEntry, Conflict, CreateMatch, EndMatch, Rated, StoreError, Write
from server.store.sqlite import SqliteStore
from server.store.sqlite_thread import MEMORY
from tests.server.desk import ANN, BOB, CLOCK, CODE, CREATED, GRACE, NAMES, PLAYERS, Desk, solve
from tests.server.store.conftest import no_news

PAGE = Path(__file__).parents[2] / "docs" / "ratings.md"
FAMILY = "sir-tommy"
TOMORROW = CREATED + 30 * PERIOD
KNOWN = [
    Rated(PLAYERS[ANN], "Ann", 1700.0, 80.0, 0.06, 9, CREATED),
    Rated(PLAYERS[BOB], "Bobby", 1500.0, 90.0, 0.05, 4, 7),
]


class Paired(Desk):
    """A match of two whom the server has brought together."""

    paired = True

    def seated(self) -> Desk:
        for player, name in zip(PLAYERS, NAMES, strict=True):
            self.sit(player, name, paired=self.paired and bool(self.match.seats))
        return self

    def turn(self, seat: int, turns: int) -> None:
        """Turn cards, and put them out of the way."""
        for _ in range(turns):
            self.move(seat, *(("t",) if "lucas" in self.terms.game else ("t", "hp1")))

    def play_up(self, seat: int, cards: int) -> None:
        """Turn the first cards of an easy deck, which are aces, and play them up."""
        for number in range(1, cards + 1):
            self.move(seat, "t", f"hf{number}")


class Joined(Paired):
    """The same, if the other has come with the match's code."""

    paired = False


@pytest_asyncio.fixture
async def store() -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(MEMORY)
    await opened.open(no_news)
    yield opened
    await opened.close()


@pytest.fixture(params=["by the server that ends it", "by another that finds it"])
def later(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "by another that finds it")


async def rate(store: SqliteStore, desk: Desk, *, later: bool) -> None:
    assert desk.match.ended is not None
    if later:
        await keep(store, desk)
        await Rater(store).rate_missed(0)
    else:
        await Rater(store).rate(desk.match)


async def keep(store: SqliteStore, desk: Desk, code: str = CODE) -> None:
    """Have a match in the store, as it was played on the desk."""
    terms = desk.terms
    entries: list[Write] = [
        AppendEntry(log, n, at, text) for log, kept in enumerate(desk.logs) for n, (at, text) in enumerate(kept, 1)
    ]
    await store.write(code, [CreateMatch(terms), *entries, EndMatch(desk.match.ended or 0)])


async def know(store: SqliteStore, family: str = FAMILY) -> None:
    assert await store.rate("earlier", family, CREATED, [None, None], KNOWN)


def expected(seat: int, score: float, ended: int) -> Rating:
    """Glicko-2, with the ratings that are known."""
    own, rival = (Rating(each.rating, each.deviation, each.volatility) for each in (KNOWN[seat], KNOWN[1 - seat]))
    return updated(own, [Bout(rival, score)], (ended - KNOWN[seat].at) / PERIOD)


async def check(store: SqliteStore, desk: Desk, *scores: float | None, later: bool, family: str = FAMILY) -> None:
    """After this match ratings have changed by these scores; None is for one that stays as it was."""
    await know(store, family)
    await rate(store, desk, later=later)
    found = await store.ratings(family, PLAYERS)
    for seat, score in enumerate(scores):
        after = found[seat]
        assert after is not None
        if score is None:
            assert after == KNOWN[seat]
        else:
            ended = desk.match.ended or 0
            assert (after.rating, after.deviation, after.volatility) == pytest.approx(expected(seat, score, ended))
            assert (after.name, after.matches, after.at) == (NAMES[seat], KNOWN[seat].matches + 1, ended)
    assert await store.unrated((family,), 0) == []


def resigned(turns: int, game: str = FAMILY, *, kind: type[Paired] = Paired) -> Paired:
    desk = kind(game)
    desk.playing()
    desk.turn(BOB, turns)
    desk.move(BOB, "resign")
    return desk


# Given up early, or not


@pytest.mark.parametrize(
    ("game", "family", "turns"),
    [("sir-tommy", FAMILY, 6), ("puss-in-the-corner", FAMILY, 5), ("lucas", "forty-thieves", 11)],
)
async def test_a_tenth_of_the_games_cards_is_enough(
    store: SqliteStore, later: bool, game: str, family: str, turns: int
) -> None:
    await check(store, resigned(turns, game), 1, 0, later=later, family=family)


@pytest.mark.parametrize(
    ("game", "family", "turns"),
    [
        ("sir-tommy", FAMILY, 5),
        ("puss-in-the-corner", FAMILY, 4),
        ("lucas", "forty-thieves", 10),
        ("maria", "forty-thieves", 0),
    ],
)
async def test_who_resigns_before_loses_as_ever_and_the_rival_gains_nothing(
    store: SqliteStore, later: bool, game: str, family: str, turns: int
) -> None:
    await check(store, resigned(turns, game), None, 0, later=later, family=family)


@pytest.mark.parametrize(("turns", "wins"), [(5, None), (6, 1)])
@pytest.mark.usefixtures("easy_cards")
@pytest.mark.parametrize("how", ["stand", "abandon", "timeout"])
async def test_so_does_who_stands_leaves_or_runs_out_of_time(
    store: SqliteStore, later: bool, how: str, turns: int, wins: float | None
) -> None:
    desk = Paired()
    desk.playing()
    desk.turn(BOB, turns)
    desk.play_up(ANN, 4)
    desk.turn(ANN, 4)
    if how == "stand":
        desk.move(BOB, "stand")
    elif how == "abandon":
        desk.drop(BOB)
        desk.wait(GRACE)
    else:
        desk.wait(CLOCK)
    if how != "timeout":
        desk.move(ANN, "stand")
    assert desk.logs[board_log(BOB)][-1][1] == how
    await check(store, desk, wins, 0, later=later)


@pytest.mark.usefixtures("easy_cards")
async def test_who_gives_up_early_and_wins_gains_nothing_either(store: SqliteStore, later: bool) -> None:
    desk = Paired()
    desk.playing()
    desk.play_up(BOB, 3)
    desk.move(BOB, "stand")
    desk.turn(ANN, 10)
    desk.move(ANN, "stand")
    await check(store, desk, 0, None, later=later)


@pytest.mark.usefixtures("easy_cards")
async def test_if_both_give_up_early_only_the_loser_loses(store: SqliteStore, later: bool) -> None:
    desk = Paired()
    desk.playing()
    desk.play_up(ANN, 2)
    for seat in (ANN, BOB):
        desk.move(seat, "stand")
    await check(store, desk, None, 0, later=later)


@pytest.mark.usefixtures("easy_cards")
@pytest.mark.parametrize(("turns", "wins"), [(0, None), (5, None), (6, 1)])
async def test_who_solves_beside_a_rival_who_does_not_play_gains_nothing(
    store: SqliteStore, turns: int, wins: float | None, later: bool
) -> None:
    """An accomplice has not even to be there."""
    desk = Paired()
    desk.playing()
    desk.turn(BOB, turns)
    solve(desk, ANN)
    await check(store, desk, wins, 0, later=later)


async def test_a_draw_of_two_who_give_up_early_changes_nothing(store: SqliteStore, later: bool) -> None:
    desk = Paired()
    desk.playing()
    for seat in (ANN, BOB):
        desk.move(seat, "stand")
    await check(store, desk, None, None, later=later)


async def test_a_draw_changes_nothing_either_if_one_has_given_up_early(store: SqliteStore, later: bool) -> None:
    desk = Paired()
    desk.playing()
    desk.turn(ANN, 20)
    for seat in (ANN, BOB):
        desk.move(seat, "stand")
    await check(store, desk, None, None, later=later)


async def test_a_draw_of_two_who_raced_is_half_a_win_for_each(store: SqliteStore, later: bool) -> None:
    desk = Paired()
    desk.playing()
    for seat in (ANN, BOB):
        desk.turn(seat, 6)
    for seat in (ANN, BOB):
        desk.move(seat, "stand")
    await check(store, desk, 0.5, 0.5, later=later)


async def test_a_board_that_is_still_played_when_the_rival_resigns_was_not_given_up(
    store: SqliteStore, later: bool
) -> None:
    await check(store, resigned(10), 1, 0, later=later)


async def test_who_has_no_rating_gets_none_by_a_rival_who_gave_up_early(store: SqliteStore, later: bool) -> None:
    await rate(store, resigned(5), later=later)
    ann, bob = await store.ratings(FAMILY, PLAYERS)
    assert ann is None
    assert bob is not None
    assert (bob.rating < FIRST_RATING, bob.matches) == (True, 1)
    assert await store.top(FAMILY, 9) == [bob]


# Who was brought together by whom


async def test_what_the_server_did_not_pair_changes_nothing(store: SqliteStore, later: bool) -> None:
    await check(store, resigned(10, kind=Joined), None, None, later=later)


async def test_what_did_not_take_place_changes_nothing(store: SqliteStore, later: bool) -> None:
    desk = Paired()
    desk.revealing()
    desk.do("leave", ANN)
    await check(store, desk, None, None, later=later)


# How often


async def another(store: SqliteStore, at: int, desk: Desk) -> list[int]:
    """One more match, which ended at that time of the day; how many matches each has been rated for since."""
    desk.match.ended = TOMORROW + at
    desk.match.terms = msgspec.structs.replace(desk.terms, match=f"code{at}")
    await Rater(store).rate(desk.match)
    ratings = [await store.ratings(family, PLAYERS) for family in (FAMILY, "forty-thieves")]
    return [sum(each.matches for each in seat if each) for seat in zip(*ratings, strict=True)]


async def test_the_same_two_are_rated_a_few_times_in_any_day_and_in_all_families_together(store: SqliteStore) -> None:
    hour = DAY // 24
    told = [await another(store, at * hour, resigned(11, game)) for at, game in enumerate(("lucas", FAMILY) * 3)]
    assert [matches for matches, _ in told] == [1, 2, 3, 3, 3, 3]
    assert MOST_A_DAY == 3
    assert await another(store, DAY - 1, resigned(6)) == [3, 3]
    assert await another(store, DAY, resigned(6)) == [4, 4]
    assert await another(store, DAY + 1, resigned(6)) == [4, 4]
    assert await another(store, DAY + hour, resigned(6)) == [5, 5]


async def test_matches_that_change_nothing_are_none_of_these(store: SqliteStore) -> None:
    """So nobody can use the day up for two others, nor for themselves."""
    draw = Paired()
    draw.playing()
    for seat in (ANN, BOB):
        draw.move(seat, "stand")
    aborted = Paired()
    aborted.revealing()
    aborted.do("leave", ANN)
    bots = resigned(6)
    bots.match.seats[ANN].bot = "Deep Tommy"
    for at, desk in enumerate([resigned(6, kind=Joined), draw, aborted, bots] * 2):
        assert await another(store, at, desk) == [0, 0]
    assert [await another(store, 100 + at, resigned(6)) for at in range(4)] == [[1, 1], [2, 2], [3, 3], [3, 3]]


async def test_a_match_in_which_only_one_loses_is_one_of_these(store: SqliteStore) -> None:
    told = [await another(store, at, resigned(0)) for at in range(5)]
    assert told == [[0, 1], [0, 2], [0, 3], [0, 3], [0, 3]]


async def test_a_match_that_was_noted_and_not_rated_is_rated_as_the_same_one(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = resigned(6)
    await keep(store, desk)

    async def die(*_: object) -> bool:
        raise StoreError("the server dies")

    with monkeypatch.context() as patch:
        patch.setattr(store, "rate", die)
        for _ in range(MOST_A_DAY + 1):
            with pytest.raises(StoreError):
                await Rater(store).rate(desk.match)
    await Rater(store).rate_missed(0)
    ended = desk.match.ended or 0
    told = [await another(store, ended - TOMORROW + at, resigned(6)) for at in (1, 2, 3)]
    assert told == [[2, 2], [3, 3], [3, 3]]


async def test_ratings_that_change_meanwhile_cost_one_match_of_the_day_and_not_one_for_each_attempt(
    store: SqliteStore,
) -> None:
    """Each attempt notes the same match."""
    await know(store)
    desk, stored = resigned(6), store.ratings
    others = iter([True, True, False])

    async def changed(family: str, players: tuple[str, ...]) -> list[Rated | None]:
        found = await stored(family, players)
        return [each and each._replace(matches=99) for each in found] if next(others, False) else found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "ratings", changed)
        await Rater(store).rate(desk.match)
    ended = desk.match.ended or 0
    before = sum(each.matches for each in KNOWN) + 2
    assert sum(each.matches for each in await store.ratings(FAMILY, PLAYERS) if each) == before
    told = [sum(await another(store, ended - TOMORROW + at, resigned(6))) for at in (1, 2, 3)]
    assert told == [before + 2, before + 4, before + 4]


async def test_time_does_not_run_backwards_when_matches_end_in_another_order_than_they_are_rated(
    store: SqliteStore, later: bool
) -> None:
    """A match may be found long after it has ended: no rating gets surer by that than by a match without a pause."""
    desk = resigned(10)
    last = (desk.match.ended or 0) + 40 * PERIOD
    known = [each._replace(at=last) for each in KNOWN]
    assert await store.rate("earlier", FAMILY, last, [None, None], known)
    await rate(store, desk, later=later)
    found = await store.ratings(FAMILY, PLAYERS)
    for seat, score in ((ANN, 1.0), (BOB, 0.0)):
        after = found[seat]
        assert after is not None
        own, rival = (Rating(each.rating, each.deviation, each.volatility) for each in (KNOWN[seat], KNOWN[1 - seat]))
        assert after[2:5] == pytest.approx(updated(own, [Bout(rival, score)], 0))
        assert (after.matches, after.at) == (KNOWN[seat].matches + 1, last)


async def test_a_match_that_others_are_always_quicker_than_is_left_for_later(store: SqliteStore, later: bool) -> None:
    """It is said, and not passed over in silence; the next look finds the match."""
    await know(store)
    desk, attempts = resigned(10), 0

    async def contested(*_: object) -> bool:
        nonlocal attempts
        attempts += 1
        raise Conflict("somebody was quicker")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "rate", contested)
        with pytest.raises(Conflict):
            await rate(store, desk, later=later)
    assert attempts == ATTEMPTS
    if not later:
        await keep(store, desk)
    await Rater(store).rate_missed(0)
    assert [each and each.matches for each in await store.ratings(FAMILY, PLAYERS)] == [10, 5]


# Bots


@pytest.mark.parametrize("seat", [ANN, BOB])
async def test_a_match_with_a_bot_marks_the_bots_rating_and_changes_nothing_else(
    store: SqliteStore, later: bool, seat: int
) -> None:
    await know(store)
    desk = Paired()
    for each in (ANN, BOB):
        desk.sit(PLAYERS[each], NAMES[each], paired=each == BOB, bot="Deep Tommy" if each == seat else None)
    desk.seated = lambda: desk  # type: ignore[method-assign]
    desk.playing()
    desk.turn(BOB, 10)
    desk.move(BOB, "resign")
    await rate(store, desk, later=later)
    marked = [each._replace(bot="Deep Tommy") if each.player == PLAYERS[seat] else each for each in KNOWN]
    assert await store.ratings(FAMILY, PLAYERS) == marked
    await another(store, 0, resigned(6))
    assert [each and each.bot for each in await store.ratings(FAMILY, PLAYERS)] == [None, None]


async def test_a_bots_match_that_is_older_than_the_last_that_counted_marks_nothing(store: SqliteStore) -> None:
    await another(store, 0, resigned(6))
    desk = resigned(6)
    desk.match.seats[ANN].bot = "Deep Tommy"
    await another(store, -1, desk)
    assert [each and each.bot for each in await store.ratings(FAMILY, PLAYERS)] == [None, None]


# The numbers


def test_the_numbers_are_those_of_the_page() -> None:
    lines = [line.strip("| ").split(" | ") for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    assert dict(line for line in lines if len(line) == 2 and line[1][0].isdigit()) == {
        "first rating": f"{FIRST_RATING:.0f}",
        "first deviation": f"{FIRST_DEVIATION:.0f}",
        "first volatility": str(FIRST_VOLATILITY),
        "tau": str(TAU),
        "a rating period": f"{PERIOD // DAY} days",
        "provisional above a deviation of": str(PROVISIONAL),
        "rated matches between the same two in 24 hours": str(MOST_A_DAY),
        "part of the cards before which a board is given up early": f"1/{EARLY}",
    }


def test_the_numbers_of_cards_are_those_of_the_page() -> None:
    text = " ".join(PAGE.read_text().split())
    for cards in {len(game.cards) for game in CATALOGUE.values()}:
        enough = next(turns for turns in range(cards) if not gave_up(["t"] * turns + ["resign"], cards, lost=True))
        assert f"{enough} of {cards}" in text

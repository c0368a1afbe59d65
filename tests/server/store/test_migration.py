"""What was kept in an older format is there in this one, whichever store it is in."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.verify import verify
from server.course import ENDED
from server.events import board_log
from server.match import Match
from server.ranking import Rater
from server.store.port import AppendEntry, EndMatch, Rated, Seeker, Store
from tests.server.desk import at_once
from tests.server.store.matches import kept
from tests.server.store.older import ANN, BEN, BENS_NAME, CID, Older, OlderFile, OlderRedis

FAMILIES = ("sir-tommy", "forty-thieves")


@pytest.fixture(params=["sqlite", "redis", "cluster"])
def older(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Older]:
    if request.param == "sqlite":
        yield OlderFile(tmp_path / "matches.db")
    else:
        yield OlderRedis(request.getfixturevalue(request.param))


async def opened(older: Older) -> Store:
    return await older.open()


def told(text: str) -> str:
    """An event of the match's log as it is told now."""
    if text.startswith('{"event":"seated"'):
        for before, now in ((":null}", ':null,"level":null'), (':"easy"}', ':"tommy","level":"easy"')):
            if text.endswith(before):
                return text.removesuffix(before) + now + ',"paired":false}'
    if text.startswith('{"event":"finished"'):
        places = {"0": "[1,2]", "1": "[2,1]", "null": "[1,1]"}[text.split('"winner":')[1].split(",", maxsplit=1)[0]]
        return text.removesuffix("}}") + f',"places":{places}}}}}'
    return text


async def test_every_log_is_there_under_its_new_number_and_seats_say_which_program_plays(older: Older) -> None:
    store, scene = await opened(older), older.scene
    changed = entries = 0
    for match in (*scene.open, *scene.ended):
        found = await kept(store, match)
        events = older.log(match, 2)
        assert found.events == [(at, told(text)) for at, text in events]
        assert found.boards == (older.log(match, 0), older.log(match, 1))
        assert found.numbers == (len(events), *map(len, found.boards))
        assert (found.terms.seats, found.terms.bots) == (2, False)
        changed += found.events != events
        entries += sum(map(len, found.boards))
    assert changed == 6, "all of them"
    assert entries > 20
    await store.close()


async def test_house_bots_are_the_servers_own_program_and_nobody_is_said_to_have_been_paired(older: Older) -> None:
    """A public match may have been joined by its code, so who had brought two together is not known."""
    store, scene = await opened(older), older.scene
    for match in (*scene.open, *scene.ended):
        seats = at_once(Match.served(await kept(store, match))).seats
        assert [seat.paired for seat in seats] == [False] * len(seats)
        bots = [(seat.bot, seat.level) for seat in seats]
        assert bots == ([(None, None), ("tommy", "easy")] if match == scene.against_bot else [(None, None)] * len(bots))
    players = [seat.player for seat in at_once(Match.served(await kept(store, scene.against_bot))).seats]
    assert players == [ANN, scene.bot]
    await store.close()


async def test_the_matches_can_be_served_and_their_records_fit(older: Older) -> None:
    store, scene = await opened(older), older.scene
    states = {match: at_once(Match.served(await kept(store, match))).state for match in scene.open + scene.ended}
    assert [str(states[match]) for match in scene.open] == ["countdown", "countdown", "waiting"]
    assert [str(states[match]) for match in scene.ended] == ["over", "over", "aborted"]
    for match in (scene.quick, scene.draw):
        record = at_once(Match.served(await kept(store, match))).record
        assert [finding for finding in verify(record) if not finding.fits] == []
        assert len(record.seats[0].entries) == len(older.log(match, 0)) > 0
    await store.close()


async def test_open_matches_whose_players_cannot_come_back_end_by_themselves_and_rate_nobody(older: Older) -> None:
    store, scene = await opened(older), older.scene
    for match in scene.open:
        served = at_once(Match.served(await kept(store, match)))
        served.recover(scene.beat, alive=lambda _: False)
        ticks = 0
        while served.state not in ENDED:
            served.tick(max(scene.beat, served.due))
            ticks += 1
            assert ticks < 9
        await Rater(store).rate(served)
    for family in FAMILIES:
        before = [Rated(*older.rating(family, player)) for player in (ANN, BEN)]
        assert await store.ratings(family, [ANN, BEN]) == before
        assert len(await store.top(family, 9)) == 2
    await store.close()


async def test_everything_is_found_again(older: Older) -> None:
    store, scene = await opened(older), older.scene
    assert sorted(await store.open_matches()) == sorted(scene.open)
    assert await store.due(scene.beat) == []
    assert sorted(await store.due(1 << 50)) == sorted(scene.open)
    assert [match async for match in store.ended_matches()] == scene.ended
    assert sorted(await store.seats(ANN)) == sorted([scene.rematch, scene.against_bot])
    assert await store.seats(BEN) == [scene.rematch]
    assert await store.seats(CID) == [scene.waiting]
    assert await store.seats(scene.bot) == [scene.against_bot]
    assert await store.history(ANN, 9) == await store.history(BEN, 9) == [scene.draw, scene.quick]
    assert await store.history(CID, 9) == [scene.aborted]
    names = {player: await store.player(player) for player in (ANN, BEN, CID, scene.bot)}
    assert [known and known.name for known in names.values()] == ["Ann", BENS_NAME, "Cid", "Easy house bot"]
    assert (await store.house_secret()).hex() == scene.secret
    await store.close()


async def test_ratings_are_what_they_were_and_those_of_persons(older: Older) -> None:
    store = await opened(older)
    for family in FAMILIES:
        before = [Rated(*older.rating(family, player)) for player in (ANN, BEN)]
        assert [(each.name, each.matches, each.bot) for each in before] == [("Ann", 1, None), (BENS_NAME, 1, None)]
        assert await store.ratings(family, [ANN, BEN]) == before
        assert sorted(await store.top(family, 9)) == sorted(before)
        after = [each._replace(rating=1501.0, bot="tommy") for each in before]
        assert await store.rate(f"new {family}", family, older.scene.beat, before, after)
        assert await store.ratings(family, [ANN, BEN]) == after
    assert await store.unrated(FAMILIES, 0) == [], "what counted before counts once"
    await store.close()


async def test_nobody_is_left_on_a_queue(older: Older) -> None:
    """Those who waited had other keys."""
    store, scene = await opened(older), older.scene
    assert await store.pair("numerica", Seeker("somebody", bots=True), None) is None
    await store.offer("numerica", Seeker("somebody"), scene.waiting)
    assert await store.pair("numerica", Seeker("else"), None) == scene.waiting
    await store.close()


async def test_the_clock_goes_on_from_the_last_beat(older: Older) -> None:
    store, scene = await opened(older), older.scene
    assert (await store.beat("new", 0, [])).now == scene.beat
    await store.close()


async def test_the_matches_go_on_where_they_were(older: Older) -> None:
    store, scene = await opened(older), older.scene
    *_, (at, text) = (match := await kept(store, scene.rematch)).events
    numbers = match.numbers
    await store.write(scene.rematch, [AppendEntry(log, n + 1, 9000, "t") for log, n in enumerate(numbers)])
    found = await kept(store, scene.rematch)
    assert found.numbers == tuple(n + 1 for n in numbers)
    assert found.events[-2:] == [(at, text), (9000, "t")]
    await store.write(scene.rematch, [EndMatch(9001, found.numbers[board_log(0) :])])
    assert await store.seats(BEN) == []
    assert scene.rematch in await store.history(BEN, 9)
    await store.close()


async def test_to_open_it_again_changes_nothing(older: Older) -> None:
    async def everything() -> list[Any]:
        store, scene = await opened(older), older.scene
        found: list[Any] = [await kept(store, match) for match in scene.open + scene.ended]
        found += [sorted(await store.open_matches()), [match async for match in store.ended_matches()]]
        found += [await store.top(family, 9) for family in FAMILIES]
        await store.close()
        return found

    once = await everything()
    assert await everything() == once

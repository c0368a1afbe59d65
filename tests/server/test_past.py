"""What players are told of the matches behind them: their own, the newest first, a page at a time."""

import time

import msgspec
import pytest
from structlog.testing import capture_logs

import server.past
from protocol import messages as wire
from server.app import RaceServer
from server.events import Terms
from server.store.port import CreateMatch, EndMatch, TakeSeat
from tests.server.driver import Client, Visitors, begin


async def past(client: Client, **asked: object) -> wire.Past:
    return await client.ask(wire.History(**asked), wire.Past)  # type: ignore[arg-type]


async def resigned(ann: Client, bob: Client, game: str = "sir-tommy") -> str:
    """One more match between these two, which Bob resigns."""
    await ann.create(game)
    await bob.join(ann.match)
    await begin(ann, bob)
    await bob.move("resign")
    await ann.reached("over", ann.match)
    return ann.match


async def test_who_has_played_nothing_has_no_past(people: Visitors) -> None:
    heard = await past(await people.guest())
    assert (heard.matches, heard.more) == ([], False)


@pytest.mark.usefixtures("easy_cards")
async def test_a_match_is_told_to_both_its_players_and_to_nobody_else(people: Visitors) -> None:
    ann, bob = await people.race("puss-in-the-corner+redeal")
    await ann.move("t", "hf1", "t", "hf2", "t", "hp1")
    assert (await past(ann)).matches == []
    await bob.move("resign")
    over = await ann.state("over")
    (mine,), (theirs,) = (await past(ann)).matches, (await past(bob)).matches
    assert (mine.match, mine.game, mine.you, theirs.you) == (ann.match, "puss-in-the-corner+redeal", 0, 1)
    assert (mine.result, mine.aborted) == (over.result, None)
    assert [(seat.name, seat.count, seat.bot) for seat in mine.seats] == [("Ann", 6, None), ("Bob", 4, None)]
    assert [seat.tag for seat in mine.seats] == [seat.tag for seat in over.seats]
    assert abs(mine.ended - time.time() * 1000) < 60_000
    assert theirs.seats == mine.seats
    assert (await past(await people.guest("Eve"))).matches == []


async def test_a_match_that_did_not_take_place_is_told_with_the_reason(people: Visitors) -> None:
    ann, bob = await people.pair()
    await ann.ask(wire.Leave(match=ann.match), wire.MatchState)
    (line,) = (await past(ann)).matches
    assert (line.aborted, line.result, [seat.count for seat in line.seats]) == ("left", None, [0, 0])
    await bob.create()
    await bob.ask(wire.Leave(match=bob.match), wire.MatchState)
    assert (await past(bob)).matches == [msgspec.structs.replace(line, you=1)], "nobody had come to the last one"


async def test_the_newest_come_first_a_page_at_a_time(people: Visitors, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    played = [await resigned(ann, bob, game) for game in ("sir-tommy", "lucas", "numerica", "strategy", "maria")][::-1]
    assert [line.match for line in (await past(ann)).matches] == played
    first = await past(ann, most=2)
    assert ([line.match for line in first.matches], first.more) == (played[:2], True)
    second = await past(ann, most=2, before=played[1])
    assert ([line.match for line in second.matches], second.more) == (played[2:4], True)
    last = await past(ann, most=2, before=played[3])
    assert ([line.match for line in last.matches], last.more) == (played[4:], False)
    monkeypatch.setattr(server.past, "LONGEST_PAST", 3)
    assert [line.match for line in (await past(ann)).matches] == played[:3]


async def test_before_a_match_of_others_there_is_nothing(people: Visitors) -> None:
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    match = await resigned(ann, bob)
    eve = await people.guest("Eve")
    assert (await eve.refused(wire.History(before=match))).code == "unknown-match"
    assert (await eve.refused(wire.History(before="abcdefgh"))).code == "unknown-match"


async def test_a_match_that_cannot_be_read_is_passed_over(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    match = await resigned(ann, bob)
    (player, *_) = (seat.player for seat in race_server.hub.tables[match].match.seats)
    whist = Terms("zzzzzzzz", "whist", 900_000, 60_000, listed=True, secret="5e" * 32, created=1)
    await race_server.store.write(
        "zzzzzzzz", [CreateMatch(whist), TakeSeat(player, "Ann", 1), EndMatch(race_server.hub.now() + 1)]
    )
    for _ in range(2):
        assert [line.match for line in (await past(ann, most=1)).matches] == [match]
        assert [line.match for line in (await past(ann)).matches] == [match]


async def test_what_has_ended_is_read_once(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    match = await resigned(ann, bob)
    first = await past(ann)
    with monkeypatch.context() as patch:
        patch.setattr(race_server.store, "read", None)
        assert (await past(ann)).matches == first.matches
        assert [line.you for line in (await past(bob)).matches] == [1]
    monkeypatch.setattr(server.past, "MOST_REMEMBERED", 1)
    other = await resigned(ann, bob)
    assert [line.match for line in (await past(ann)).matches] == [other, match]
    assert len(race_server.archive._lines) == 1


async def test_a_match_that_is_forgotten_while_it_is_looked_up_is_passed_over(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has been kept long enough, after it was listed."""
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    played = [await resigned(ann, bob) for _ in range(2)]
    read = race_server.store.read

    async def gone(match: str, *numbers: object) -> object:
        return None if match == played[0] else await read(match, *numbers)  # type: ignore[arg-type]

    monkeypatch.setattr(race_server.store, "read", gone)
    with capture_logs() as logs:
        heard = await past(ann)
    assert ([line.match for line in heard.matches], heard.more) == ([played[1]], False)
    assert logs == []  # nothing is wrong

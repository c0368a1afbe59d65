"""Limits of docs/protocol.md over real sockets: what is at the limit is taken, and one more is not."""

import asyncio

import msgpack
import msgspec
import pytest

import server.hub
import server.keeper
from protocol import messages as wire
from server.app import RaceServer
from server.hub import ENDED_SEATS_KEPT
from server.session import STRIKES
from tests.server.driver import Client, Visitors, begin


async def test_a_connection_watches_so_many_matches_and_no_more(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.hub, "MOST_WATCHED", 2)
    matches = [(await (await people.guest()).create()).match for _ in range(3)]
    eve = await people.guest("Eve")
    for match in matches[:2]:
        await eve.watch(match)
    assert (await eve.refused(wire.Watch(match=matches[2]))).code == "too-many"
    assert matches[2] not in [news.match for news in eve.all(wire.MatchState)]
    assert [len(race_server.hub.tables[match].watching) for match in matches] == [1, 1, 0]
    assert (await eve.watch(matches[0])).match == matches[0]  # which is none more
    await eve.send(wire.Unwatch(match=matches[0]))
    assert (await eve.watch(matches[2])).match == matches[2]


async def test_a_connection_keeps_its_seats_in_so_many_matches_that_have_ended(people: Visitors) -> None:
    ann = await people.guest("Ann")
    ended = []
    for _ in range(ENDED_SEATS_KEPT + 1):
        ended.append((await ann.create()).match)
        await ann.ask(wire.Leave(match=ann.match), wire.MatchState)
    codes = [(await ann.refused(wire.Rematch(match=match))).code for match in ended]
    assert codes == ["not-over"] * (ENDED_SEATS_KEPT + 1)  # the last has just ended
    await ann.create()
    codes = [(await ann.refused(wire.Rematch(match=match))).code for match in ended]
    assert codes == ["not-your-seat", *["not-over"] * ENDED_SEATS_KEPT]
    await ann.resume(ended[0])
    codes = [(await ann.refused(wire.Rematch(match=match))).code for match in ended]
    assert codes == ["not-over", "not-your-seat", *["not-over"] * (ENDED_SEATS_KEPT - 1)]


async def test_so_many_races_are_listed_and_no_more(people: Visitors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.keeper, "LONGEST_LIST", 2)
    eve, listed = await people.guest("Eve"), []
    for _ in range(3):
        ann, bob = await people.guest("Ann"), await people.guest("Bob")
        await ann.play()
        await bob.play()
        await begin(ann, bob)
        listed.append(len((await eve.ask(wire.Matches(), wire.MatchList)).matches))
    assert listed == [1, 2, 2]


async def test_the_races_of_other_servers_make_the_list_no_longer(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = server.keeper.LONGEST_LIST
    side = wire.Side(name="Cy", tag="0000", count=0)
    lines = [
        msgspec.json.encode(
            wire.ListedMatch(match=f"m{number:07}", game="lucas", seats=[side, side], left=1, spectators=0)
        ).decode()
        for number in range(most + 1)
    ]

    async def races(_node: str) -> list[str]:
        return lines

    eve = await people.guest("Eve")
    monkeypatch.setattr(race_server.store, "races", races)
    listed: list[wire.ListedMatch] = []
    async with asyncio.timeout(10):
        while not listed:
            listed = (await eve.ask(wire.Matches(), wire.MatchList)).matches
    assert [race.match for race in listed] == [f"m{number:07}" for number in range(most)]


async def test_the_last_strike_closes_the_connection_and_none_before_it(people: Visitors) -> None:
    ann = await people.guest("Ann")
    for _ in range(STRIKES - 1):
        await strike(ann)
        await ann.up_to_date()
    assert (await ann.refused(wire.Play(game="whist"))).code == "unknown-game"  # which is no strike
    await strike(ann)
    assert (await ann.closed()).code == 1008


async def strike(client: Client) -> None:
    await client.socket.send(msgpack.packb({"type": "win"}))


async def test_a_page_of_the_past_has_so_many_matches_at_most(people: Visitors) -> None:
    ann = await people.guest("Ann")
    assert (await ann.ask(wire.History(most=wire.MOST_PAST), wire.Past)).matches == []
    assert (await ann.refused(wire.History(most=wire.MOST_PAST + 1))).code == "bad-message"

"""A rematch over real sockets: its one `match`, and that it seats nobody who has gone elsewhere."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import pytest

from protocol import messages as wire
from server.app import RaceServer
from server.store.port import CreateMatch, Write
from tests.server.driver import Client, Visitors, eventually


async def over(people: Visitors) -> tuple[Client, Client]:
    """Two players whose race is over."""
    ann, bob = await people.race()
    await bob.move("resign")
    for player in (ann, bob):
        await player.state("over")
    return ann, bob


async def again(player: Client) -> wire.MatchState:
    return await player.ask(wire.Rematch(match=player.match), wire.MatchState)


async def test_the_match_of_a_rematch_comes_once_to_each_after_the_old_one(people: Visitors) -> None:
    ann, bob = await over(people)
    await again(ann)
    await again(bob)
    for player in (ann, bob):
        successor = (await player.next(wire.MatchState, lambda news: news.next is not None)).next
        assert successor is not None
        await player.up_to_date()
        told = [news for news in player.all(wire.MatchState) if news.match == successor]
        assert [(news.state, news.you, news.re) for news in told] == [("seated", player.seat, None)]


GOING = {
    "play": lambda player, _: player.play(),
    "create": lambda player, _: player.create(),
    "join": lambda player, match: player.join(match),
}


@pytest.mark.parametrize("going", GOING.values(), ids=GOING)
async def test_who_takes_a_seat_elsewhere_is_in_no_rematch_asked_for_before(
    people: Visitors, going: Callable[[Client, str], Coroutine[Any, Any, wire.MatchState]]
) -> None:
    ann, bob = await over(people)
    old, seat = ann.match, ann.seat
    await again(ann)
    waiting = await (await people.guest("Cy")).create()
    await going(ann, waiting.match)
    refused = await bob.refused(wire.Rematch(match=old))
    assert refused.code == "no-rematch"
    assert (await bob.reached("over", old)).seats[seat].left
    once_more = await people.stranger("Ann", key=ann.key)
    assert len((await once_more.hello()).seats) == 1


async def test_who_cannot_be_seated_elsewhere_keeps_the_chance(people: Visitors) -> None:
    ann, bob = await over(people)
    await again(ann)
    full = await people.pair()
    assert (await ann.refused(wire.Join(match=full[0].match))).code == "match-full"
    assert (await ann.refused(wire.Play(game="no-game"))).code == "unknown-game"
    assert (await again(bob)).seats[ann.seat].rematch


async def test_who_has_not_asked_may_still_agree_from_elsewhere(people: Visitors) -> None:
    """A program may race in several matches at a time: only what was asked for before is given up."""
    ann, bob = await over(people)
    old = ann.match
    await ann.create()
    await again(bob)
    await ann.ask(wire.Rematch(match=old), wire.MatchState)
    assert (await bob.next(wire.MatchState, lambda news: news.next is not None)).match == old


async def test_who_waits_for_a_rival_and_then_wants_the_rematch_waits_no_more(people: Visitors) -> None:
    ann, bob = await over(people)
    old = ann.match
    await ann.play("lucas")
    waiting = ann.match
    await ann.ask(wire.Rematch(match=old), wire.MatchState)
    await bob.ask(wire.Rematch(match=old), wire.MatchState)
    assert (await ann.reached("aborted", waiting)).aborted == "left"
    assert (await bob.next(wire.MatchState, lambda news: news.next is not None)).match == old
    once_more = await people.stranger("Ann", key=ann.key)
    assert len((await once_more.hello()).seats) == 1


async def test_who_has_found_a_rival_is_in_no_rematch_asked_for_later(people: Visitors) -> None:
    ann, bob = await over(people)
    old = ann.match
    await (await people.guest("Cy")).play("lucas")
    assert (await ann.play("lucas")).state == "seated"
    await bob.ask(wire.Rematch(match=old), wire.MatchState)
    await ann.ask(wire.Rematch(match=old), wire.MatchState)
    assert (await bob.next(wire.MatchState, lambda news: any(seat.left for seat in news.seats))).next is None
    once_more = await people.stranger("Ann", key=ann.key)
    assert len((await once_more.hello()).seats) == 1


async def test_who_comes_back_only_to_look_for_another_rival_is_in_no_rematch(people: Visitors) -> None:
    """The wish for the rematch was made on a connection that is lost."""
    ann, bob = await over(people)
    old, seat = ann.match, ann.seat
    await again(ann)
    await ann.close()
    back = await people.guest("Ann", key=ann.key)
    await back.play("lucas")
    await bob.ask(wire.Rematch(match=old), wire.MatchState)
    assert (await bob.next(wire.MatchState, lambda news: news.seats[seat].left)).next is None
    assert back.all(wire.MatchState)[-1].state == "waiting"


async def test_a_seat_that_is_refused_gives_no_rematch_up(people: Visitors) -> None:
    ann, bob = await over(people)
    old = ann.match
    await again(ann)
    gone = await people.guest("Cy")
    await gone.create()
    await gone.ask(wire.Leave(match=gone.match), wire.MatchState)
    assert (await ann.refused(wire.Join(match=gone.match))).code == "has-started"
    await bob.ask(wire.Rematch(match=old), wire.MatchState)
    assert (await bob.next(wire.MatchState, lambda news: news.next is not None)).match == old


async def test_of_two_rematches_made_at_once_one_is_given_up(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One asks again while the rematch is being made: there is one in the end, and nobody has a seat in another."""
    ann, bob = await over(people)
    old, write, go, made = ann.match, race_server.store.write, asyncio.Event(), 0

    async def slow(match: str, writes: Sequence[Write]) -> None:
        nonlocal made
        if isinstance(writes[0], CreateMatch):
            made += 1
            await go.wait()
        await write(match, writes)

    monkeypatch.setattr(race_server.store, "write", slow)
    await again(ann)
    await bob.send(wire.Rematch(match=old))
    await eventually(lambda: made == 1)
    await ann.send(wire.Rematch(match=old))
    await eventually(lambda: made == 2)
    go.set()
    for player in (ann, bob):
        await player.next(wire.MatchState, lambda news: news.match == old and news.next is not None)
        await player.up_to_date()
    for player in (ann, bob):
        told = [news for news in player.all(wire.MatchState) if news.match != old]
        assert [(news.state, news.you) for news in told] == [("seated", player.seat)]
        assert [told[-1].match] == (await (await people.stranger(key=player.key)).hello()).seats

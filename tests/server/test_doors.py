"""What one connection and one address may do, over real sockets: others are not let in, and nobody loses anything."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

import server.app
import server.session
from protocol import messages as wire
from server.app import RaceServer
from server.limits import Limits
from server.settings import Settings, limits_named
from server.store.port import StoreError
from tests.server.driver import Visitors, eventually, visitors


@asynccontextmanager
async def guarded(limits: Limits, **settings: Any) -> AsyncIterator[tuple[RaceServer, Visitors]]:
    running = RaceServer(
        Settings(host="127.0.0.1", port=0, store="memory:", bots=0, limits=limits, **settings),
    )
    async with visitors(f"ws://127.0.0.1:{await running.open()}") as people:
        yield running, people
    await running.close()


async def test_an_address_has_only_so_many_connections(short_countdown: None) -> None:
    async with guarded(Limits(sockets=2, exempt=())) as (_, people):
        ann, bob = await people.guest("Ann"), await people.guest("Bob")
        eve = await people.stranger("Eve")
        closed = await eve.closed()
        assert (closed.code, "come back later" in closed.reason) == (1013, True)
        await bob.close()
        await (await people.guest("Bob")).up_to_date()
        await ann.up_to_date()


async def test_an_address_opens_connections_only_so_fast() -> None:
    async with guarded(Limits(arrivals=0.001, arrivals_burst=2, exempt=())) as (_, people):
        for name in ("Ann", "Bob"):
            await (await people.guest(name)).close()
        assert (await (await people.stranger("Eve")).closed()).code == 1013


async def test_this_machine_is_exempt() -> None:
    async with guarded(Limits(sockets=1)) as (_, people):
        for name in ("Ann", "Bob", "Eve"):
            await people.guest(name)


async def test_behind_a_trusted_proxy_everyone_is_counted_alone() -> None:
    async with guarded(limits_named("sockets=1", "127.0.0.1")) as (_, people):
        for number in (1, 2):
            await people.guest("Ann", additional_headers={"X-Forwarded-For": f"203.0.113.9, 192.0.2.{number}"})
        again = await people.stranger("Eve", additional_headers={"X-Forwarded-For": "198.51.100.7, 192.0.2.1"})
        assert (await again.closed()).code == 1013


async def test_who_is_not_trusted_cannot_claim_to_be_somebody_else() -> None:
    async with guarded(Limits(sockets=1, exempt=())) as (_, people):
        await people.guest("Ann", additional_headers={"X-Forwarded-For": "192.0.2.1"})
        eve = await people.stranger("Eve", additional_headers={"X-Forwarded-For": "192.0.2.2"})
        assert (await eve.closed()).code == 1013


async def test_who_sends_too_fast_is_read_more_slowly_and_loses_nothing() -> None:
    async with guarded(Limits(messages=200, messages_burst=5, exempt=())) as (running, people):
        ann = await people.guest("Ann")
        for number in range(1, 41):
            await ann.send(wire.Matches(id=number))
        answers = [(await ann.next(wire.MatchList)).re for _ in range(40)]
        assert answers == list(range(1, 41))
        assert b'tommy_turned_away_total{why="messages"} 0.0' not in running.figures.exposition()


async def test_an_address_makes_only_so_many_matches_at_a_time(short_countdown: None) -> None:
    async with guarded(Limits(matches=2, exempt=())) as (running, people):
        ann, bob = await people.guest("Ann"), await people.guest("Bob")
        first = await ann.create()
        await ann.create()
        assert (await bob.refused(wire.Create(game="sir-tommy"))).code == "too-many"
        assert (await bob.refused(wire.Play(game="lucas"))).code == "too-many"
        await ann.ask(wire.Leave(match=first.match), wire.MatchState)
        await eventually(lambda: running.hub.tables[first.match].ended)
        assert (await bob.create()).state == "waiting"


# Browsers


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null"])
async def test_a_page_from_elsewhere_may_not_connect(people: Visitors, origin: str) -> None:
    with pytest.raises(InvalidStatus) as caught:
        await people.stranger(origin=origin)
    assert caught.value.response.status_code == 403


async def test_a_page_that_the_host_has_named_may_connect() -> None:
    async with guarded(Limits(), origins=("https://races.example",)) as (_, people):
        await (await people.guest(origin="https://races.example")).up_to_date()
        with pytest.raises(InvalidStatus):
            await people.stranger(origin="https://races.example.evil")
        await people.guest()


# Silence


async def test_a_connection_without_a_reason_to_be_there_is_closed(
    people: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.session, "IDLE_LIMIT", 0.05)
    monkeypatch.setattr(server.app, "HELLO_WITHIN", 0.05)
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    await ann.create()
    closed = await bob.closed()
    assert (closed.code, closed.reason) == (4001, "idle")
    await ann.up_to_date()


async def test_a_match_that_could_not_be_made_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    async with guarded(Limits(matches=1, exempt=())) as (running, people):
        ann = await people.guest("Ann")

        async def fail(_match: str) -> None:
            raise StoreError("the connection is lost")

        with monkeypatch.context() as patch:
            patch.setattr(running.store, "follow", fail)
            for _ in range(2):
                assert (await ann.refused(wire.Create(game="sir-tommy"))).code == "store-failed"
        await ann.create()
        assert (await ann.refused(wire.Create(game="sir-tommy"))).code == "too-many"

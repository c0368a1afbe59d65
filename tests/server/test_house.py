"""House bots: real processes, each a client of its own."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from structlog.testing import capture_logs

import server.house
from engine.verify import verify
from protocol import messages as wire
from protocol.players import player_of, public_key
from server.app import RaceServer
from server.house import PATIENT, House
from server.settings import Settings
from tests.server.driver import Client, Visitors, eventually, visitors

pytest.importorskip("client_cli.main")


@pytest_asyncio.fixture
async def host(short_countdown: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RaceServer]:
    """A server with room for one house bot, which wastes no time."""
    monkeypatch.setattr(server.house, "PACE", "0")
    running = RaceServer(Settings(host="127.0.0.1", port=0, store="memory:", bots=1))
    await running.open()
    yield running
    await running.close()


@pytest_asyncio.fixture
async def people(host: RaceServer) -> AsyncIterator[Visitors]:
    async with visitors(host.house.server) as coming:
        yield coming


async def start(ann: Client) -> None:
    """Get ready against a bot that comes of itself."""
    await ann.ready()
    await ann.state("revealing")
    await ann.reveal()
    await ann.reached("playing", ann.match)
    await ann.next(wire.BoardState)


async def test_a_house_bot_takes_the_seat_at_once_and_races(people: Visitors, host: RaceServer) -> None:
    ann = await people.guest()
    created = await ann.create("puss-in-the-corner", level="normal")
    assert created.state == "waiting"
    seated = await ann.state("seated")
    assert [(seat.name, seat.bot, seat.level) for seat in seated.seats] == [
        ("Ann", None, None),
        ("House bot", "tommy", "normal"),
    ]
    eve = await people.guest("Eve")
    assert (await eve.refused(wire.Create(game="sir-tommy", level="normal"))).code == "no-bots"
    await start(ann)
    await ann.send(wire.Move(match=ann.match, n=1, move="stand"))  # too late, perhaps: the bot is quick
    over = await ann.state("over")
    record = (await ann.ask(wire.GetRecord(match=ann.match), wire.MatchRecord)).record
    assert over.result == record.result
    assert [finding for finding in verify(record) if not finding.fits] == []
    assert [(seat.bot, seat.level) for seat in record.seats] == [(None, None), ("tommy", "normal")]
    assert len(record.seats[1].entries) > 80
    (past,) = (await ann.ask(wire.History(), wire.Past)).matches
    assert [(side.bot, side.level) for side in past.seats] == [(None, None), ("tommy", "normal")]
    await eventually(lambda: host.house.has_room)
    await ann.ask(wire.Rematch(match=ann.match), wire.MatchState)
    news = await ann.next(wire.MatchState, lambda news: news.next is not None)
    await ann.state("seated", match=news.next)
    ann.match = news.next or ""
    await start(ann)


async def test_nobody_joins_a_match_against_a_house_bot(people: Visitors) -> None:
    ann, eve = await people.guest("Ann"), await people.guest("Eve")
    await ann.create(level="normal")
    assert (await eve.refused(wire.Join(match=ann.match))).code == "match-full"


async def test_a_bot_that_cannot_be_started_takes_no_room_and_the_match_is_given_up(
    people: Visitors, host: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    ann = await people.guest()
    await ann.create(level="normal", grace=1_000)
    assert (await ann.state("aborted")).aborted == "left"
    assert host.house.has_room


async def test_that_a_bot_has_failed_is_said_to_the_host(people: Visitors, monkeypatch: pytest.MonkeyPatch) -> None:
    start_process = asyncio.create_subprocess_exec

    async def fail(*_: str, **options: Any) -> asyncio.subprocess.Process:
        return await start_process(sys.executable, "-c", "raise SystemExit(3)", **options)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", fail)
    ann = await people.guest()
    with capture_logs() as logs:
        await ann.create(level="normal")
        await eventually(lambda: [line for line in logs if line["event"] == "house bot failed"])
    (line,) = [line for line in logs if line["event"] == "house bot failed"][:1]
    assert (line["match"], line["status"], line["log_level"]) == (ann.match, 3, "warning")


@pytest.mark.skipif(not hasattr(os, "setpriority"), reason="this system has no such thing")
async def test_a_bot_stands_back_behind_the_server(people: Visitors, monkeypatch: pytest.MonkeyPatch) -> None:
    start_process, started = asyncio.create_subprocess_exec, []

    async def note(*arguments: str, **options: Any) -> asyncio.subprocess.Process:
        started.append(await start_process(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", note)
    ann = await people.guest()
    await ann.create(level="normal")
    priority = min(os.getpriority(os.PRIO_PROCESS, 0) + PATIENT, 19)
    await eventually(lambda: started and os.getpriority(os.PRIO_PROCESS, started[0].pid) == priority)


async def test_bots_are_called_off_when_the_server_closes(short_countdown: None) -> None:
    running = RaceServer(Settings(host="127.0.0.1", port=0, store="memory:", bots=1))
    await running.open()
    async with visitors(running.house.server) as people:
        ann = await people.guest()
        await ann.create(level="normal")
        await start(ann)
    await running.close()
    assert running.house._running == {}


async def test_a_bots_key_is_nobody_elses_to_work_out() -> None:
    houses = [House(1), House(1)]
    for number, house in enumerate(houses):
        house.secret = bytes([number]) * 32
    players = {house.player(match) for house in houses for match in ("abcdefgh", "stuvwxyz")}
    assert len(players) == 4
    assert houses[0].player("abcdefgh") == player_of(public_key(houses[0]._key("abcdefgh")))


async def go_on_after_a_restart(settings: Settings, ann: Client) -> None:
    """Another server on the same store: the player resumes, and the bot comes as well."""
    second = RaceServer(settings)
    await second.open()
    async with visitors(second.house.server) as people:
        again = await people.guest("Ann", key=ann.key)
        await again.resume(ann.match)
        await start(again)
    await second.close()


async def test_a_bot_comes_back_to_its_seat_after_a_restart(short_countdown: None, tmp_path: Path) -> None:
    settings = Settings(host="127.0.0.1", port=0, store=f"sqlite:{tmp_path / 'matches.db'}", bots=1)
    first = RaceServer(settings)
    await first.open()
    async with visitors(first.house.server) as people:
        ann = await people.guest()
        await ann.create(level="normal")
        await ann.state("seated")
    await first.close()
    await go_on_after_a_restart(settings, ann)


async def test_a_bot_keeps_its_level_in_a_rematch_and_after_a_restart(
    short_countdown: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = tmp_path / "started"
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\necho "$@" >> {started}\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    settings = Settings(host="127.0.0.1", port=0, store=f"sqlite:{tmp_path / 'matches.db'}", bots=1)
    first = RaceServer(settings)
    await first.open()
    async with visitors(first.house.server) as people:
        ann = await people.guest()
        await ann.create(level="easy")
        seated = await ann.state("seated")
        assert [(seat.name, seat.bot, seat.level) for seat in seated.seats] == [
            ("Ann", None, None),
            ("Easy house bot", "tommy", "easy"),
        ]
        await start(ann)
        await ann.send(wire.Move(match=ann.match, n=1, move="resign"))
        await ann.state("over")
        await eventually(lambda: first.house.has_room)
        await ann.ask(wire.Rematch(match=ann.match), wire.MatchState)
        ann.match = (await ann.next(wire.MatchState, lambda news: news.next is not None)).next or ""
        again = (await ann.state("seated", match=ann.match)).seats[1]
        assert (again.bot, again.level) == ("tommy", "easy")
    await first.close()
    await go_on_after_a_restart(settings, ann)
    levels = [line.partition(" --level ")[2].split()[0] for line in started.read_text().splitlines()]
    assert levels == ["easy", "easy", "easy"]


async def test_a_house_bot_keeps_no_receipts(monkeypatch: pytest.MonkeyPatch) -> None:
    environments: list[dict[str, str]] = []

    async def start(*_: object, env: dict[str, str], **_options: object) -> None:
        environments.append(env)
        raise OSError("no process, please")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start)
    monkeypatch.setenv("TOMMY_RECEIPTS", "/somewhere")
    house = House(1)
    house.send("abcdefgh", "easy")
    await eventually(lambda: house.has_room)
    assert [environment["TOMMY_RECEIPTS"] for environment in environments] == ["off"]

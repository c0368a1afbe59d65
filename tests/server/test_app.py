"""The server as a whole: its health, its figures, and how it stops."""

import asyncio
import ssl
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from websockets.exceptions import InvalidHandshake

from protocol import messages as wire
from server.app import RaceServer
from server.settings import BadSetting, Health, Settings
from tests.server.driver import Visitors, failing, visitors


@asynccontextmanager
async def healthy(**settings: Any) -> AsyncIterator[tuple[RaceServer, Visitors]]:
    running = RaceServer(
        Settings(host="127.0.0.1", port=0, store="memory:", bots=0, health=Health("127.0.0.1", 0), **settings)
    )
    async with visitors(f"ws://127.0.0.1:{await running.open()}") as people:
        yield running, people
    await running.close()


async def told(running: RaceServer, path: str) -> tuple[int, str]:
    """What the server says of its health."""

    def get() -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{running.health_port}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            with error:
                return error.code, error.read().decode()

    return await asyncio.to_thread(get)


async def test_a_server_is_ready_until_it_drains() -> None:
    async with healthy() as (running, _):
        assert await told(running, "/healthz") == (200, "ok\n")
        assert await told(running, "/readyz") == (200, "ok\n")
        await running.drain()
        assert await told(running, "/readyz") == (503, "this server is about to stop\n")
        assert await told(running, "/healthz") == (200, "ok\n")


async def test_a_server_without_its_store_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    async with healthy() as (running, _):

        async def not_there() -> bool:
            return False

        monkeypatch.setattr(running.store, "ready", not_there)
        assert await told(running, "/readyz") == (503, "the store cannot be reached\n")


async def test_the_figures_tell_what_has_happened(short_countdown: None) -> None:
    async with healthy() as (running, people):
        ann, bob = await people.race()
        eve = await people.guest("Eve")
        await eve.watch(ann.match)
        await ann.move("t", "hp1")
        await bob.refused(wire.Move(match=ann.match, n=7, move="t"))
        _, figures = await told(running, "/metrics")
        for line in (
            "tommy_connections 3.0",
            "tommy_spectators 1.0",
            'tommy_matches{state="playing"} 1.0',
            "tommy_moves_total 2.0",
            'tommy_refusals_total{code="gap"} 1.0',
            'tommy_refusals_total{code="stale"} 0.0',
        ):
            assert f"\n{line}\n" in figures, line
        await ann.move("resign")
        await bob.state("over")
        _, figures = await told(running, "/metrics")
        assert '\ntommy_matches_ended_total{reason="resigned"} 1.0\n' in figures


async def test_who_drains_takes_nobody_new_and_lets_the_others_race_on(short_countdown: None) -> None:
    async with healthy(drain=3600.0) as (running, people):
        ann, _ = await people.race()
        eve = await people.guest("Eve")
        draining = asyncio.create_task(running.drain())
        await asyncio.sleep(0)
        assert (await eve.refused(wire.Play(game="sir-tommy"))).code == "shutting-down"
        assert (await eve.refused(wire.Create(game="sir-tommy"))).code == "shutting-down"
        assert (await ann.move("t")).n == 1
        draining.cancel()


async def test_an_address_for_the_health_that_was_asked_for_has_to_be_there() -> None:
    async with healthy() as (running, _):
        taken = Health("127.0.0.1", running.health_port)
        asked = RaceServer(Settings(host="127.0.0.1", port=0, store="memory:", bots=0, health=taken))
        with pytest.raises(BadSetting, match=r"cannot tell of the server.s health on 127\.0\.0\.1:"):
            await asked.open()
        by_default = Health("127.0.0.1", running.health_port, asked_for=False)
        without = RaceServer(Settings(host="127.0.0.1", port=0, store="memory:", bots=0, health=by_default))
        await without.open()
        await without.close()


async def test_failing_writes_are_told_and_counted(short_countdown: None) -> None:
    async with healthy() as (running, people):
        ann, _ = await people.race()
        with failing(running.store):
            await ann.refused(wire.Move(match=ann.match, n=1, move="t"))
        _, figures = await told(running, "/metrics")
        assert '\ntommy_refusals_total{code="store-failed"} 1.0\n' in figures


# TLS, with a certificate for localhost that nobody but these tests trusts

CERTIFICATE = Path(__file__).parent / "localhost.pem"


async def test_races_over_tls_and_the_house_bot_comes_too(short_countdown: None) -> None:
    running = RaceServer(Settings(host="127.0.0.1", port=0, store="memory:", bots=1, certificate=CERTIFICATE))
    trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
    async with visitors(f"wss://localhost:{await running.open()}") as people:
        ann = await people.guest("Ann", ssl=trusting)
        await ann.create(level="easy")
        await ann.state("seated")
        await ann.ready()
        await ann.state("revealing")
        await ann.reveal()
        await ann.reached("playing", ann.match)
        assert (await ann.move("t")).n == 1
        with pytest.raises(ssl.SSLError):
            await people.guest("Eve", ssl=ssl.create_default_context())
    await running.close()


async def test_a_server_with_a_certificate_takes_nobody_without_tls() -> None:
    running = RaceServer(Settings(host="127.0.0.1", port=0, store="memory:", bots=0, certificate=CERTIFICATE))
    async with visitors(f"ws://127.0.0.1:{await running.open()}") as people:
        with pytest.raises(InvalidHandshake):
            await people.guest("Ann")
    await running.close()


@pytest.mark.parametrize(
    ("certificate", "key", "why"),
    [
        (Path("/nowhere.pem"), None, "cannot serve wss:// with /nowhere.pem: No such file or directory"),
        (Path(__file__), None, "cannot serve wss:// with .*test_app.py: "),
        (CERTIFICATE, Path("/nowhere.key"), "localhost.pem and /nowhere.key: No such file or directory"),
        (None, CERTIFICATE, "--key is of no use without --certificate"),
    ],
)
async def test_a_certificate_that_cannot_be_used(certificate: Path | None, key: Path | None, why: str) -> None:
    running = RaceServer(Settings(host="127.0.0.1", port=0, store="memory:", bots=0, certificate=certificate, key=key))
    with pytest.raises(BadSetting, match=why):
        await running.open()

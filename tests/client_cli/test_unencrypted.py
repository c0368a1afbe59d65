"""Whose words can be read on their way to the server is told so, once, whatever is looked at."""

import io
import json
import os
from collections.abc import AsyncIterator, Iterator

import pytest

from client_cli import connection, plain, terminal
from client_cli.announcements import Unencrypted
from client_cli.connection import Connection
from client_cli.doctor import server_examined
from client_cli.plain import only_the_end
from client_cli.receipts import Keeper
from client_cli.terminal import Screen
from client_cli.wording import words
from protocol.messages import Play
from tests.client_cli.stand_in import StandIn, standing_in
from tests.client_cli.table import CODE

KEY = "ab" * 32


@pytest.fixture
async def stand_in() -> AsyncIterator[StandIn]:
    async with standing_in() as stand_in:
        yield stand_in


@pytest.fixture
def _elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the server were on another machine."""
    monkeypatch.setattr(connection, "is_local", lambda _: False)


@pytest.fixture
def _quitting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is typed: quit."""
    reading, writing = os.pipe()
    os.write(writing, b"quit\n")
    os.close(writing)
    monkeypatch.setattr(terminal, "STDIN", reading)
    yield
    os.close(reading)


async def played(stand_in: StandIn, screen: Screen) -> None:
    await plain.play(
        Connection(stand_in.url, "Ada", KEY), Play(game="sir-tommy"), screen, Keeper(None), always_ready=False
    )


async def watched(stand_in: StandIn, screen: Screen) -> None:
    stand_in.table.started()
    await plain.watch(Connection(stand_in.url, "Ada", KEY), CODE, screen, Keeper(None), follow=False)


@pytest.mark.usefixtures("_elsewhere", "_quitting")
async def test_a_player_is_told_after_the_connection(stand_in: StandIn) -> None:
    out = io.StringIO()
    await played(stand_in, Screen(out=out))
    told = [line for line in out.getvalue().split("\n") if "can be read on the way" in line]
    assert told == [words(Unencrypted(stand_in.url))]
    assert out.getvalue().split("\n")[:2] == [f"Connected to {stand_in.url} as Ada.", *told]


@pytest.mark.usefixtures("_elsewhere")
async def test_a_spectator_is_told(stand_in: StandIn) -> None:
    out = io.StringIO()
    await watched(stand_in, Screen(out=out))
    lines = out.getvalue().split("\n")
    assert lines[0] == words(Unencrypted(stand_in.url))
    assert sum("can be read on the way" in line for line in lines) == 1


@pytest.mark.usefixtures("_elsewhere", "_quitting")
async def test_a_program_is_told(stand_in: StandIn) -> None:
    out = io.StringIO()
    await played(stand_in, Screen(as_json=True, out=out))
    await watched(stand_in, Screen(as_json=True, out=out))
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [event for event in events if event["event"] == "unencrypted"] == [
        {"event": "unencrypted", "server": stand_in.url}
    ] * 2


@pytest.mark.usefixtures("_elsewhere")
async def test_a_bots_one_line_stays_one_line(stand_in: StandIn) -> None:
    out = io.StringIO()
    for show, told in ((only_the_end(Screen(out=out).show), 0), (Screen(out=out).show, 1)):
        stand_in.table = type(stand_in.table)()
        made = Connection(stand_in.url, "Ada", KEY)
        await plain.bot(made, Play(game="sir-tommy"), show, Keeper(None), pace=0, level="easy")
        assert out.getvalue().count("can be read on the way") == told
        assert told or out.getvalue().count("\n") == 1


@pytest.mark.usefixtures("_elsewhere")
async def test_the_doctor_tells_it(stand_in: StandIn) -> None:
    found = await server_examined(Connection(stand_in.url, "Ada", KEY))
    assert found.count(Unencrypted(stand_in.url)) == 1


@pytest.mark.usefixtures("_quitting")
async def test_of_this_machine_nothing_is_told(stand_in: StandIn) -> None:
    out = io.StringIO()
    await played(stand_in, Screen(out=out))
    await watched(stand_in, Screen(out=out))
    assert "can be read on the way" not in out.getvalue()
    assert Unencrypted(stand_in.url) not in await server_examined(Connection(stand_in.url, "Ada", KEY))

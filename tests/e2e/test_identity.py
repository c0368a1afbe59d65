"""Who somebody is, with the real commands: keys that are replaced, names of servers, bots that say what they are."""

import json
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from client_cli.connection import Connection
from client_cli.troubles import ClientError
from protocol.codec import JSON
from protocol.messages import Greeting, Hello, Refused, ServerMessage, Welcome
from protocol.players import signed_hello
from tests.e2e.commands import House, house

NAMED = "races.example.org"
VERSION = [Subprotocol(JSON.subprotocol)]


@pytest.mark.parametrize("command", [["doctor"], ["matches"]])
async def test_a_server_with_names_says_which_to_whoever_dials_another(tmp_path: Path, command: list[str]) -> None:
    async with house(tmp_path, "--name", NAMED) as hosted:
        asked = await hosted.tommy(*command)
        assert await asked.end() == (1 if command == ["doctor"] else 4)
        if command == ["doctor"]:
            (found,) = [event for event in asked.all("examined") if event["check"] == "host"]
            assert (found["fits"], found["facts"]["host"]) == (False, "127.0.0.1")
            assert NAMED in found["facts"]["why"]
        else:
            (refused,) = asked.all("not-accepted")
            assert refused["code"] == "wrong-host"
            assert NAMED in refused["why"]


class Relay:
    """A host that lets its guests enter another server in its place: it passes on what both say."""

    def __init__(self, port: int, forged: dict[str, str]) -> None:
        self.port, self.forged = port, forged
        self.answers: list[ServerMessage | None] = []
        self.hellos: list[Hello] = []

    async def serve(self, guest: ServerConnection) -> None:
        async with connect(f"ws://127.0.0.1:{self.port}", subprotocols=VERSION) as server:
            greeting = await server.recv()
            assert isinstance(JSON.decode_server(greeting), Greeting)
            await guest.send(greeting)
            said = await guest.recv()
            hello = JSON.decode_client(said)
            assert isinstance(hello, Hello)
            self.hellos.append(hello)
            forged: dict[str, Any] = json.loads(said) | self.forged
            await server.send(json.dumps(forged))
            self.answers.append(JSON.decode_server(await server.recv()))


@pytest.mark.parametrize(
    ("forged", "code"), [({}, "wrong-host"), ({"host": NAMED}, "bad-signature"), ({"host": "localhost"}, "wrong-host")]
)
async def test_who_passes_on_a_servers_challenge_cannot_enter_it_as_its_guest(
    tmp_path: Path, forged: dict[str, str], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guest is our own client, but for its encoding, which is easier to forge."""
    for module in ("connection", "dialing"):
        monkeypatch.setattr(f"client_cli.{module}.MSGPACK", JSON)
    async with house(tmp_path, "--name", NAMED) as hosted:
        relay = Relay(hosted.port, forged)
        async with serve(relay.serve, "127.0.0.1", 0, subprotocols=VERSION) as listening:
            port = next(iter(listening.sockets)).getsockname()[1]
            with pytest.raises(ClientError):
                async with Connection(f"ws://127.0.0.1:{port}", "Ann", "5e" * 32):
                    pass
        assert [hello.host for hello in relay.hellos] == ["127.0.0.1"]
        (answer,) = relay.answers
        assert isinstance(answer, Refused)
        assert answer.code == code
        # Who dials the server by its name gets in: so it was the relay that was refused.
        async with connect(f"ws://127.0.0.1:{hosted.port}", subprotocols=VERSION) as socket:
            greeting = JSON.decode_server(await socket.recv())
            assert isinstance(greeting, Greeting)
            await socket.send(JSON.encode(signed_hello(greeting.challenge, "5e" * 32, NAMED, "Ann")))
            assert isinstance(JSON.decode_server(await socket.recv()), Welcome)


async def raced(hosted: House, match: str) -> list[dict[str, Any]]:
    record = await hosted.record(match)
    seats: list[dict[str, Any]] = record["seats"]
    return seats


async def test_a_bot_is_marked_wherever_its_name_stands_and_a_person_of_a_bots_name_is_not(tmp_path: Path) -> None:
    async with house(tmp_path) as hosted:
        person = await hosted.tommy("play", "--anyone", "--ready", name="House bot", key="5e" * 32)
        match = (await person.event("waiting"))["match"]
        bot = await hosted.tommy("bot", "--quick", "--pace=0.2", name="Robo")
        seated = await person.event("seated")
        assert (seated["names"], seated["bots"]) == (['"House bot"', "Robo [bot tommy]"], [None, "tommy"])
        await person.event("started")
        listing = await hosted.tommy("matches")
        assert await listing.end() == 0
        (line,) = listing.all("listed")
        assert (line["names"], line["bots"]) == (['"House bot"', "Robo [bot tommy]"], [None, "tommy"])
        await person.type("resign")
        assert await bot.end() == 0
        assert bot.all("seated")[0]["names"] == ['"House bot"', "Robo [bot tommy]"]
        await person.event("over")
        await person.type("quit")
        assert await person.end() == 0
        history = await hosted.tommy("history", key="5e" * 32)
        assert await history.end() == 0
        (past,) = history.all("past-listed")
        assert (past["rival"], past["bot"], past["level"]) == ("Robo [bot tommy]", "tommy", None)
        assert [bool(seat["bot"]) for seat in await raced(hosted, match)] == [False, True]


async def test_a_person_meets_a_bot_only_with_anyone(tmp_path: Path) -> None:
    async with house(tmp_path) as hosted:
        bot = await hosted.tommy("bot", "--quick", "--pace=0", name="Robo")
        await bot.event("waiting")
        person = await hosted.tommy("play", "--ready", key="5e" * 32)
        alone = await person.event("waiting")
        assert len(alone["names"]) == 1
        await person.type("quit")
        assert await person.end() == 0
        person = await hosted.tommy("play", "--ready", "--anyone", key="5e" * 32)
        assert (await person.event("seated"))["bots"].count("tommy") == 1


async def test_a_server_without_house_bots_says_so(tmp_path: Path) -> None:
    async with house(tmp_path, "--bots=0") as hosted:
        asked = await hosted.tommy("play", "--bot")
        assert await asked.end() == 4
        assert [event["event"] for event in asked.events] == ["connected", "not-offered"]
        assert asked.events[-1]["offer"] == "house-bots"

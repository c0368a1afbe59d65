"""Nothing secret leaves the player's machine: what a server hears from every command, and what a user is told.

The host is taken to be curious and false: it keeps every byte, and greets with whatever serves it.
"""

import base64
import hashlib
import os
import secrets
from pathlib import Path

import pytest
from click.testing import CliRunner

from client_cli.connection import Connection
from client_cli.main import main
from protocol.messages import Hello, Matches, Move
from protocol.players import is_signed, public_key
from tests.client_cli.commands import Commands
from tests.client_cli.stand_in import ONE_MATCH, StandIn, standing_in
from tests.client_cli.table import CODE, Table
from tests.ports import free_port

ONLINE: dict[str, list[str]] = {
    "play": ["--ready"],
    "join": [CODE],
    "watch": [CODE],
    "matches": [],
    "record": [CODE, "-o", "-"],
    "replay": [CODE],
    "history": [],
    "stats": [],
    "top": [],
    "doctor": [],
    "bot": ["--pace", "0"],
}
"""Every command that talks to a server, and what it needs for that."""
AT_HOME = {"verify", "rules", "name", "key", "completion"}


def table_for(command: str) -> Table:
    table = Table()
    if command in ("watch", "record", "replay"):
        table.started()
    if command in ("record", "replay"):
        table.play(0, "resign")
    return table


def forms(secret: str) -> set[bytes]:
    """A secret key, and what Ed25519 makes of it, in whatever way it might be written."""
    seed = bytes.fromhex(secret)
    expanded = hashlib.sha512(seed).digest()
    scalar = bytes([expanded[0] & 248, *expanded[1:31], expanded[31] & 63 | 64])
    found: set[bytes] = set()
    for raw in (seed, seed[::-1], expanded[:32], expanded[32:], scalar, scalar[::-1]):
        number = int.from_bytes(raw)
        texts = [raw.hex(), str(number), f"{number:b}", repr(list(raw)), repr(raw)]
        encoded = [base64.b64encode(raw), base64.urlsafe_b64encode(raw), base64.b32encode(raw), base64.b85encode(raw)]
        found |= {raw, *(text.encode() for text in texts), *(each.rstrip(b"=") for each in encoded)}
        found |= {raw.hex().upper().encode(), raw.hex(" ").encode(), raw.hex(":").encode()}
    return found


def heard(server: StandIn) -> bytes:
    """Every byte that a server was sent, of which a client decides."""
    frames = [frame if isinstance(frame, bytes) else frame.encode() for frame in server.frames]
    asked = [f"{request.path} {request.headers}".encode() for request in server.requests]
    return b"\n".join([*frames, *asked])


def test_no_command_is_forgotten_here() -> None:
    assert set(main.commands) == {*ONLINE, *AT_HOME}


@pytest.mark.parametrize("command", ONLINE)
@pytest.mark.parametrize("way", ["file", "environment"])
async def test_no_command_tells_a_server_or_its_user_the_secret(tmp_path: Path, command: str, way: str) -> None:
    secret = secrets.token_hex(32)
    async with standing_in(StandIn(table_for(command))) as server:
        server.listed = ONE_MATCH
        tommy = Commands(server, tmp_path)
        if way == "file":
            (tmp_path / "key").write_text(secret)
        else:
            tommy.environment["TOMMY_KEY"] = secret
        exit_code, lines, complaints = await tommy.run(command, *ONLINE[command], "--json", typed="t 1\nquit\n")
    assert exit_code in (0, 1)
    hello = server.received[0]
    assert isinstance(hello, Hello)
    if command != "doctor":  # which does not need to be anybody
        assert hello.key == public_key(secret)
        assert is_signed(hello.key, hello.signature, server.challenges[0], "127.0.0.1")
    told = "\n".join(lines).encode() + complaints.encode()
    for form in forms(secret):
        assert form not in heard(server)
        assert form not in told


async def test_a_leak_would_be_found(tmp_path: Path) -> None:
    """The same eyes see what is no secret: the public key, which is in every hello."""
    secret = secrets.token_hex(32)
    async with standing_in() as server, Connection(server.url, "Ada", secret) as connection:
        await connection.request(Matches())
    assert public_key(secret).encode() in heard(server)
    assert b"websocket" in heard(server).lower()


async def test_an_old_key_is_not_told_either(tmp_path: Path) -> None:
    old = secrets.token_hex(16)
    (tmp_path / "key").write_text(old)
    async with standing_in() as server:
        exit_code, lines, complaints = await Commands(server, tmp_path).run("history")
    assert exit_code == 0
    for form in (old, old.upper(), base64.b64encode(bytes.fromhex(old)).decode()):
        assert form.encode() not in heard(server)
        assert form not in "\n".join(lines) + complaints
    assert bytes.fromhex(old) not in heard(server)


# What is signed


async def hello_to(server: StandIn, host: str, secret: str) -> Hello:
    """What a client says to a server that it dials by this name."""
    async with Connection(server.url.replace("127.0.0.1", host), "Ada", secret):
        hello = server.received[-1]
    assert isinstance(hello, Hello)
    return hello


async def test_a_signature_is_for_one_connection_only() -> None:
    secret = secrets.token_hex(32)
    async with standing_in() as server:
        first, second = [await hello_to(server, "127.0.0.1", secret) for _ in range(2)]
    assert first.signature != second.signature
    assert is_signed(first.key, first.signature, server.challenges[0], "127.0.0.1")
    assert not is_signed(first.key, first.signature, server.challenges[1], "127.0.0.1")


async def test_a_connection_that_comes_back_is_signed_anew() -> None:
    server = StandIn(Table().started())
    server.lose_before = "t"
    secret = secrets.token_hex(32)
    async with standing_in(server), Connection(server.url, "Ada", secret) as connection:
        events = connection.events()
        await connection.send(Move(match=CODE, n=1, move="t"))
        await anext(events)
        await anext(events)
    hellos = [message for message in server.received if isinstance(message, Hello)]
    assert len({hello.signature for hello in hellos}) == 2
    for hello, challenge in zip(hellos, server.challenges, strict=True):
        assert is_signed(hello.key, hello.signature, challenge, "127.0.0.1")


async def test_a_host_that_passes_on_anothers_challenge_gets_a_signature_for_itself() -> None:
    secret, challenge = secrets.token_hex(32), secrets.token_hex(32)
    server = StandIn()
    server.challenge = challenge  # that of races.example.org, which this host wants to enter as its guest
    async with standing_in(server):
        first, second = [await hello_to(server, host, secret) for host in ("127.0.0.1", "localhost")]
    assert (first.host, second.host) == ("127.0.0.1", "localhost")
    assert first.signature != second.signature
    assert is_signed(first.key, first.signature, challenge, "127.0.0.1")
    for host in ("races.example.org", "localhost", "", "127.0.0.1 "):
        assert not is_signed(first.key, first.signature, challenge, host)


# What is told


@pytest.fixture
def _nothing_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith("TOMMY_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("TOMMY_KEY_FILE", str(tmp_path / "key"))


@pytest.mark.usefixtures("_nothing_given")
@pytest.mark.parametrize("key", ["5e" * 32, "5e" * 16, "5E" * 32, "5e" * 31, "5e" * 40])
@pytest.mark.parametrize("command", [["play"], ["matches"], ["history"], ["doctor"], ["play", "--nonsense"], ["key"]])
def test_a_key_in_the_environment_is_never_told_whatever_is_wrong(
    monkeypatch: pytest.MonkeyPatch, key: str, command: list[str]
) -> None:
    for variable in ("TOMMY_KEY", "TOMMY_BOT_KEY"):
        monkeypatch.setenv(variable, key)
        for more in ([], ["--json"], ["--lang", "de"]):
            result = CliRunner().invoke(main, [*command, *more, "--server", f"127.0.0.1:{free_port()}"])
            assert result.exit_code != 0 or command == ["key"]
            assert "5e5e" not in result.output.casefold()
            assert not result.exception or isinstance(result.exception, SystemExit)


@pytest.mark.usefixtures("_nothing_given")
@pytest.mark.parametrize("way", ["TOMMY_KEY", "TOMMY_BOT_KEY", "--key"])
def test_a_key_of_0_1_gets_a_clear_answer(monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    arguments = ["bot"]
    if way == "--key":
        arguments += ["--key", "5e" * 16]
    else:
        monkeypatch.setenv(way, "5e" * 16)
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "This is a key of tommy 0.1, with 32 hex digits: no server knows those any more." in result.output

"""The examples in docs/protocol.md: bytes, a hello, a nonce, and the match at its end, word for word."""

import hashlib
import json
import re
import secrets
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from websockets.asyncio.client import connect

import server.keeper
import server.lobby
from engine.deal import nonce_commitment
from protocol.codec import JSON, MSGPACK
from protocol.messages import Hello
from protocol.players import host_of, is_signed, player_of, public_key, signature, tag_of
from server.app import RaceServer
from server.hosts import host_in
from server.hub import nothing
from server.settings import Settings, games_named
from tests.protocol.page import SECTIONS, TEXT, rows_of

# Bytes


def _example_of(start: str) -> tuple[str, bytes]:
    """The JSON of an example and the bytes that stand below it."""
    found = re.search(r"`(" + re.escape(start) + r".*?)`.*?```hex\n(.*?)```", SECTIONS["Byte by byte"], re.DOTALL)
    assert found is not None
    lines = [re.match(r"(?:[0-9a-f]{2} )*[0-9a-f]{2}(?= |$)", line) for line in found[2].splitlines()]
    return found[1], bytes.fromhex(" ".join(line[0] for line in lines if line))


@pytest.mark.parametrize("name", ["hello", "move"])
def test_the_bytes_of_a_clients_message_are_those_of_the_codec(name: str) -> None:
    text, frame = _example_of(f'{{"type":"{name}"')
    message = JSON.decode_client(text)
    assert MSGPACK.encode(message) == frame
    assert MSGPACK.decode_client(frame) == message
    assert f"is {len(frame)} bytes" in SECTIONS["Byte by byte"]


@pytest.mark.parametrize("name", ["greeting", "moved"])
def test_the_bytes_of_a_servers_message_are_those_of_the_codec(name: str) -> None:
    text, frame = _example_of(f'{{"type":"{name}"')
    message = JSON.decode_server(text)
    assert message is not None
    assert MSGPACK.encode(message) == frame
    assert JSON.encode(message) == text
    assert f"is {len(frame)} bytes" in SECTIONS["Byte by byte"]


def test_the_notes_beside_the_bytes_are_right() -> None:
    """A quoted text stands beside its own bytes, after one byte or none for its length."""
    blocks = re.findall("```hex\n(.*?)```", SECTIONS["Byte by byte"], re.DOTALL)
    noted = [re.match(r'([0-9a-f ]+?)  +"(.*?)"', line) for block in blocks for line in block.splitlines()]
    pairs = [(bytes.fromhex(line[1]), line[2].encode()) for line in noted if line]
    assert len(pairs) > 40
    for raw, text in pairs:
        assert raw in (text, bytes((0xA0 | len(text),)) + text)


# A hello

SECRET = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
"""The server's, and the challenge of every greeting."""
KEYS = {"Ada": "5ca1ab1e" * 8, "Bob": "0ddba115" * 8}
HOST = "races.example.org"


def test_the_example_of_a_hello_is_signed_as_the_page_says_and_as_the_code_does() -> None:
    body = SECTIONS["Hello, and who you are"]
    (block,) = re.findall("```json\n(.*?)```", body, re.DOTALL)
    shown, secret = json.loads(block), KEYS["Ada"]
    assert f"With the secret key `{secret}`" in body
    assert (shown["challenge"], shown["host"]) == (SECRET, HOST)
    values = [b"tommy-race hello", bytes.fromhex(SECRET), HOST.encode()]
    assert bytes.fromhex(shown["signed"]) == b"".join(len(value).to_bytes(4, "big") + value for value in values)
    pair = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))
    assert shown["key"] == pair.public_key().public_bytes_raw().hex() == public_key(secret)
    assert shown["signature"] == pair.sign(bytes.fromhex(shown["signed"])).hex() == signature(secret, SECRET, HOST)
    assert shown["player"] == player_of(shown["key"])
    assert shown["player"] == hashlib.sha256(b"tommy-race player" + bytes.fromhex(shown["key"])).hexdigest()
    assert shown["tag"] == tag_of(shown["player"])
    assert is_signed(shown["key"], shown["signature"], SECRET, HOST)


def test_the_hello_in_bytes_is_the_one_of_that_example() -> None:
    hello = JSON.decode_client(_example_of('{"type":"hello"')[0])
    assert isinstance(hello, Hello)
    assert is_signed(hello.key, hello.signature, SECRET, HOST)
    assert (hello.key, hello.host) == (public_key(KEYS["Ada"]), HOST)


def test_the_forms_of_a_host_are_those_of_the_code_at_both_ends() -> None:
    rows = rows_of(SECTIONS["Hello, and who you are"])
    assert len(rows) > 5
    for dialled, host in ([cell.strip("`") for cell in row] for row in rows):
        url = urlsplit(dialled)
        assert host_of(url.hostname or "") == host, dialled
        if url.netloc.isascii():  # as any library writes it into the handshake
            assert host_in(url.netloc) == host, dialled


# A nonce

NONCES = ("202122232425262728292a2b2c2d2e2f", "303132333435363738393a3b3c3d3e3f")
CODE = "k7wq2m9x"


def test_the_example_of_a_nonce_commitment_is_right() -> None:
    body = SECTIONS["The nonces"]
    expected = nonce_commitment(bytes.fromhex(NONCES[0]), CODE, 0)
    assert all(f"`{value}`" in body for value in (NONCES[0], CODE, expected))
    lengths = [int(length, 16) for length in re.findall("0000[0-9a-f]{4}", body)]
    assert lengths == [len("tommy-race nonce"), len(NONCES[0]) // 2, len(CODE), len("0")]


# The match at the end


def transcript() -> Iterator[tuple[int, str, str, str]]:
    """Each line: when, who, whether sent (">") or heard ("<"), and the message, its hex digits cut off."""
    (script,) = re.findall("```transcript\n(.*?)```", TEXT, re.DOTALL)
    for line in re.sub(r"\n {10,}", "", script).splitlines():
        found = re.fullmatch(r" *(\d+)  (\w+) ([<>]) (\{.*\})", line)
        assert found is not None, line
        yield int(found[1]), found[2], found[3], found[4]


def _cut(text: str) -> str:
    return re.sub("[0-9a-f]{32,}", lambda digits: f"{digits[0][:4]}…", text)


def whole(text: str) -> str:
    """A client's message with all its hex digits."""
    hexes = [*NONCES, *map(public_key, KEYS.values()), *(signature(key, SECRET, HOST) for key in KEYS.values())]
    hexes += [nonce_commitment(bytes.fromhex(nonce), CODE, seat) for seat, nonce in enumerate(NONCES)]
    for each in hexes:
        text = text.replace(_cut(each), each)
    assert "…" not in text
    return text


class Clock:
    """What the server takes for the time."""

    def __init__(self) -> None:
        self.now = 0

    def read(self) -> int:
        return 1_700_000_000_000 + self.now


async def test_the_match_at_the_end_is_what_a_server_says(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, kinds = Clock(), set()
    monkeypatch.setattr(secrets, "token_hex", lambda _bytes: SECRET)
    games = games_named("sir-tommy,lucas")
    race = RaceServer(Settings(host="127.0.0.1", port=0, store="memory:", bots=0, games=games, names=(HOST,)))
    race.version = "0.1.0"
    monkeypatch.setattr(race.hub, "now", clock.read)
    monkeypatch.setattr(race.hub.ledger, "now", clock.read)
    monkeypatch.setattr(server.lobby, "new_code", lambda: CODE)
    monkeypatch.setattr(server.lobby, "wall_clock", clock.read)
    monkeypatch.setattr(server.keeper, "BEAT_EVERY", 3600)
    url = f"ws://127.0.0.1:{await race.open()}"
    people = {
        name: await connect(url, subprotocols=["tommy.2.json"], proxy=None, max_queue=None)  # type: ignore[list-item]
        for name in ("Ada", "Bob")
    }
    try:
        for clock.now, who, direction, text in transcript():
            if direction == ">":
                await people[who].send(whole(text))
            else:
                for table in list(race.hub.tables.values()):
                    await race.hub.act(table, nothing)
                assert _cut(str(await people[who].recv())) == text
            kinds.add(json.loads(text)["type"])
        await people["Ada"].send(json.dumps({"type": "matches", "id": 99}))
        assert json.loads(await people["Ada"].recv()) == {"type": "matches", "re": 99, "matches": []}
    finally:
        for socket in people.values():
            await socket.close()
        await race.close()
    assert {
        "greeting",
        "hello",
        "welcome",
        "create",
        "join",
        "match",
        "ready",
        "reveal",
        "board",
        "move",
        "moved",
    } < kinds

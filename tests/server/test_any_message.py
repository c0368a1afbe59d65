"""Whatever three clients send, in any order: the server answers, stays up, and nobody else notices.

Hypothesis draws the messages, well-formed ones mostly, about matches that are there and others that are not. The server is
a real one, with real sockets. After each run everybody who is still connected is served, no connection was closed but by
the rules, and nothing went wrong inside.
"""

import asyncio
import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed

from engine.deal import nonce_commitment
from protocol import messages as wire
from protocol.codes import CODES
from protocol.players import public_key
from server.app import RaceServer
from server.settings import Settings
from tests.server.driver import NONCE, Client, Closed

KEYS = ("aa" * 32, "bb" * 32, "aa" * 32)
"""The first and the third client are the same player."""
CLOSED_FOR = {1008, 4000}

numbers = st.one_of(st.integers(0, 12), st.integers(0, 1_000_000))
words = st.sampled_from(["t", "hp1", "hp2", "hf1", "p1f1", "r", "stand", "resign", "timeout", "", "c1c2", "x" * 30])
games = st.sampled_from(["sir-tommy", "lucas+peek", "strategy+redeal", "whist", "lucas+redeal", ""])
codes = st.sampled_from([0, 0, 0, 1, 2, "abcdefgh"])
"""The first, second or third match that anybody has heard of, or one that nobody has made."""
commitments = st.sampled_from([0, 1, "00" * 32])
"""The commitment to the usual nonce for a seat, or to one that nobody knows."""

messages = st.one_of(
    st.builds(dict, kind=st.just(wire.Hello), name=st.sampled_from(["Ann", "\u200b", "A" * 24])),
    st.builds(dict, kind=st.just(wire.Play), game=games, bots=st.booleans()),
    st.builds(
        dict,
        kind=st.just(wire.Create),
        game=games,
        grace=st.sampled_from([1_000, 60_000]),
        level=st.sampled_from([None, "easy"]),
    ),
    *(
        st.builds(dict, kind=st.just(kind), match=codes)
        for kind in (wire.Join, wire.Watch, wire.Unwatch, wire.Rematch, wire.Leave, wire.GetRecord)
    ),
    st.builds(dict, kind=st.just(wire.Ready), match=codes, commitment=commitments),
    st.builds(dict, kind=st.just(wire.Reveal), match=codes, nonce=st.sampled_from([NONCE, "00" * 16])),
    st.builds(dict, kind=st.just(wire.Move), match=codes, n=numbers, move=words),
    st.builds(dict, kind=st.just(wire.Resume), match=codes, n=numbers),
    st.builds(dict, kind=st.just(wire.Matches)),
    st.builds(dict, kind=st.just(wire.History), most=st.sampled_from([1, 100])),
    st.builds(dict, kind=st.just(wire.Top), family=st.sampled_from(wire.FAMILIES)),
    st.just("come back"),
    st.binary(max_size=20),
)


class Scene:
    """A server with three clients."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.clients: list[Client] = []

    async def come(self, number: int) -> Client:
        client = await Client.connected(self.url, "Ann", KEYS[number])
        await client.hello()
        return client

    def match(self, which: int | str) -> str:
        """The code of a match that somebody has heard of."""
        if isinstance(which, str):
            return which
        heard = [message.match for client in self.clients for message in client.all(wire.MatchState)]
        known = list(dict.fromkeys(heard))
        return known[which] if which < len(known) else "abcdefgh"

    async def send(self, number: int, drawn: Any) -> None:
        """Send what was drawn, and hear what is said to it."""
        client = self.clients[number]
        if drawn == "come back":
            await client.close()
            self.clients[number] = await self.come(number)
            return
        if isinstance(drawn, bytes):
            await client.socket.send(drawn)
        else:
            await client.send(self.message(drawn))
        await client.up_to_date()

    def message(self, drawn: dict[str, Any]) -> wire.ClientMessage:
        fields = {name: value for name, value in drawn.items() if name != "kind"}
        if "match" in fields:
            fields["match"] = self.match(fields["match"])
        if isinstance(fields.get("commitment"), int):
            fields["commitment"] = nonce_commitment(bytes.fromhex(NONCE), fields["match"], fields["commitment"])
        if drawn["kind"] is wire.Hello:
            fields |= {"key": public_key(KEYS[0]), "host": "127.0.0.1", "signature": "00" * 64}
        message: wire.ClientMessage = drawn["kind"](**fields)
        return message


async def play(steps: list[tuple[int, Any]]) -> set[int | None]:
    """Do the steps on a server of their own; the codes with which it has closed connections."""
    running, closings = RaceServer(Settings(host="127.0.0.1", port=0, store="memory:", bots=0)), set()
    scene = Scene(f"ws://127.0.0.1:{await running.open()}")
    scene.clients = [await scene.come(number) for number in range(len(KEYS))]
    for number, drawn in (*steps, *((number, {"kind": wire.Matches}) for number in range(len(KEYS)))):
        try:
            await scene.send(number, drawn)
        except (Closed, ConnectionClosed):
            closings.add(scene.clients[number].socket.close_code)
            scene.clients[number] = await scene.come(number)
    for client in scene.clients:
        assert all(refused.code in CODES for refused in client.all(wire.Refused))
        await client.close()
    await running.close()
    return closings


@pytest.mark.usefixtures("short_countdown")
@settings(max_examples=int(os.environ.get("FUZZ_EXAMPLES", "150")))
@given(st.lists(st.tuples(st.integers(0, 2), messages), min_size=5, max_size=60))
def test_any_messages_are_answered_and_hurt_nobody(steps: list[tuple[int, Any]]) -> None:
    with capture_logs() as logs:
        assert asyncio.run(play(steps)) <= CLOSED_FOR
    assert [entry for entry in logs if entry["log_level"] in ("error", "critical")] == []

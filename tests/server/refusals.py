"""Cases of what is refused: the scene in which each is played, how they are noted, and what has to hold of every one."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Self

import pytest
from msgspec.structs import replace

from protocol import messages as wire
from server.app import RaceServer
from tests.server.driver import Client, Visitors, begin


@dataclass
class Scene:
    """A match in some state: Ann and Bob have its seats, and Eve has come in and has none."""

    people: Visitors
    race_server: RaceServer
    monkeypatch: pytest.MonkeyPatch
    ann: Client
    bob: Client
    eve: Client

    @classmethod
    async def of(
        cls, game: str, state: str, people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
    ) -> Self:
        """A match of this game in this state."""
        ann, bob = await people.pair(game)
        if state in ("playing", "over"):
            await begin(ann, bob)
        if state == "over":
            await bob.move("resign")
            await ann.state("over")
        if state == "left":
            await bob.ask(wire.Leave(match=bob.match), wire.MatchState)
            await ann.state("aborted")
        return cls(people, race_server, monkeypatch, ann, bob, await people.guest("Eve"))

    @property
    def match(self) -> str:
        return self.ann.match

    def next_move(self, move: str) -> wire.Move:
        """Ann's next entry."""
        return wire.Move(match=self.match, n=self.ann.entries + 1, move=move)

    async def picture(self) -> list[wire.AnyServerMessage]:
        """The match as a new spectator and both players are told it, but for the time that passes."""
        onlooker = await self.people.guest("Onlooker")
        told: list[wire.AnyServerMessage] = []
        asked: list[tuple[Client, wire.ClientMessage]] = [(onlooker, wire.Watch(match=self.match))]
        asked += [(player, wire.Resume(match=self.match)) for player in (self.ann, self.bob)]
        for client, message in asked:
            await client.up_to_date()
            before = len(client.heard)
            await client.ask(message, wire.MatchState)
            await client.up_to_date()
            told += map(timeless, client.heard[before:-1])
        await onlooker.close()
        return told

    async def refuses(self, code: str, case: "Case") -> None:
        """What the case sends is refused with this code, and changes nothing."""
        client, wrong = await case(self)
        before, tables = await self.picture(), list(self.race_server.hub.tables)
        if isinstance(wrong, bytes | str):
            await client.socket.send(wrong)
            refused = await client.next(wire.Refused)
            assert (refused.match, refused.n) == (None, None)
        else:
            refused = await client.refused(wrong)
            assert refused.match == getattr(wrong, "match", None)
            if isinstance(wrong, wire.Move) and client is self.ann:
                assert refused.n == self.ann.entries
        assert refused.code == code
        assert refused.why
        assert await self.picture() == before
        assert list(self.race_server.hub.tables) == tables


def timeless(message: wire.AnyServerMessage) -> wire.AnyServerMessage:
    if isinstance(message, wire.MatchState):
        return replace(message, re=None, left=None, waits=None, starts=None)
    return message


Wrong = tuple[Client, wire.ClientMessage | bytes | str]
"""Who sends what."""
Case = Callable[[Scene], Awaitable[Wrong]]
"""Prepares everything, and says what is to be refused then."""


class Cases:
    """What a file of tests has that is refused."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.rows: list[tuple[str, tuple[str, str], Case]] = []
        """Code, game and state of the match for the scene, and the case."""

    @property
    def codes(self) -> set[str]:
        return {code for code, *_ in self.rows}

    def provokes(
        self, code: str, game: str = "sir-tommy", state: str = "playing", name: str = ""
    ) -> Callable[[Case], Case]:
        """Note a case for a code."""

        def note(case: Case) -> Case:
            self.names.append(f"{code}: {name or case.__name__.replace('_', ' ')}")
            self.rows.append((code, (game, state), case))
            return case

        return note

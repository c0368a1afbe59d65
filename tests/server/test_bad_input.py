"""Everything that can be wrong with what a client sends: each has its code, and leaves the match as it was.

For each code of `protocol.codes` there is a case, over a real connection; the last test holds the two lists together.
"""

import asyncio
import http
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgpack
import pytest
from msgspec.structs import replace
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

import server.app
import server.course
import server.lobby
import server.match
from engine.cards import parse_card
from engine.deal import Deal, nonce_commitment
from engine.games import variant
from engine.sir_tommy import SirTommyBoard
from protocol import codes
from protocol import messages as wire
from protocol.codec import JSON, LARGEST_CLIENT_FRAME
from server.app import RaceServer
from tests.server.driver import NONCE, Client, Visitors, begin, failing


@dataclass
class Scene:
    """A match in some state: Ann and Bob have its seats, and Eve has come in and has none."""

    people: Visitors
    race_server: RaceServer
    monkeypatch: pytest.MonkeyPatch
    ann: Client
    bob: Client
    eve: Client

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


def timeless(message: wire.AnyServerMessage) -> wire.AnyServerMessage:
    if isinstance(message, wire.MatchState):
        return replace(message, re=None, left=None, waits=None, starts=None)
    return message


Wrong = tuple[Client, wire.ClientMessage | bytes | str]
"""Who sends what."""
Case = Callable[[Scene], Awaitable[Wrong]]
"""Prepares everything, and says what is to be refused then."""

CASES: list[tuple[str, str, str, str, Case]] = []
"""Code, name of the case, game, state of the match, and the case."""


def provokes(code: str, game: str = "sir-tommy", state: str = "playing", name: str = "") -> Callable[[Case], Case]:
    """Note a case for a code."""

    def note(case: Case) -> Case:
        CASES.append((code, name or case.__name__.replace("_", " "), game, state, case))
        return case

    return note


# Frames that are no messages


def frame_case(name: str, code: str, frame: bytes | str) -> None:
    """A frame on the msgpack protocol that is refused with this code."""

    @provokes(code, name=name)
    async def send(scene: Scene) -> Wrong:
        return scene.ann, frame


def packed(plain: Any) -> bytes:
    frame = msgpack.packb(plain)
    assert isinstance(frame, bytes)
    return frame


def nested(depth: int) -> Any:
    plain: Any = 1
    for _ in range(depth):
        plain = {"x": plain}
    return plain


MOVE = {"type": "move", "match": "abcdefgh", "n": 1, "move": "t"}

frame_case("nothing at all", "bad-frame", b"")
frame_case("not msgpack", "bad-frame", b"\xc1")
frame_case("half a message", "bad-frame", packed(MOVE)[:-3])
frame_case("trailing bytes", "bad-frame", packed(MOVE) + b"\x00")
frame_case("two messages in one frame", "bad-frame", packed(MOVE) * 2)
frame_case("text that is not utf-8", "bad-frame", b"\x81\xa4type\xa2\xff\xfe")
frame_case("bytes for a text", "bad-frame", packed({**MOVE, "move": b"t"}))
frame_case("an extension type", "bad-frame", packed({**MOVE, "n": msgpack.ExtType(1, b"x")}))
frame_case("a long text", "bad-frame", packed({**MOVE, "move": "t" * 300}))
frame_case("a long list", "bad-frame", packed({**MOVE, "move": list(range(100))}))
frame_case("a key that is a list", "bad-frame", b"\x81\x91\x01\x01")
frame_case("a text frame", "wrong-encoding", '{"type": "matches"}')
frame_case("deeply nested", "too-deep", packed({"type": "matches", "x": nested(20)}))
frame_case("very deeply nested", "too-deep", b"\x81\xa1x" * 1300 + b"\x01")
frame_case("lists in lists", "too-deep", b"\x91" * 4000 + b"\x01")
frame_case("a key that stands twice", "duplicate-key", b"\x82\xa4type\xa7matches\xa4type\xa7matches")
frame_case(
    "a key that stands twice further in", "duplicate-key", packed({"type": "matches"})[:-8] + b"\x82\xa1a\x01\xa1a\x02"
)
frame_case("an unknown type", "unknown-type", packed({"type": "win"}))
frame_case("a message of the server", "unknown-type", packed({"type": "moved"}))
frame_case("no type", "unknown-type", packed({"match": "abcdefgh"}))
frame_case("a type that is a number", "unknown-type", packed({"type": 3}))
frame_case("a list", "bad-message", packed([1, 2]))
frame_case("a number", "bad-message", packed(7))
frame_case("nil", "bad-message", packed(None))
frame_case("a field too many", "bad-message", packed({**MOVE, "count": 52}))
frame_case("a field too few", "bad-message", packed({"type": "move", "match": "abcdefgh", "n": 1}))
frame_case("a number that is a text", "bad-message", packed({**MOVE, "n": "1"}))
frame_case("a number that is a fraction", "bad-message", packed({**MOVE, "n": 1.5}))
frame_case("a number that is no number", "bad-message", packed({**MOVE, "n": float("nan")}))
frame_case("a number below its bounds", "bad-message", packed({**MOVE, "n": -1}))
frame_case("a number above its bounds", "bad-message", packed({**MOVE, "n": 10**9}))
frame_case("a truth value for a number", "bad-message", packed({**MOVE, "n": True}))
frame_case("a text longer than any move", "bad-message", packed({**MOVE, "move": "t" * 13}))
frame_case("an empty move", "bad-message", packed({**MOVE, "move": ""}))
frame_case("a code that is no code", "bad-message", packed({**MOVE, "match": "ABCDEFGH"}))
frame_case("a code with a line feed", "bad-message", packed({**MOVE, "match": "abcdefgh\n"}))
frame_case("a clock shorter than any", "bad-message", packed({"type": "create", "game": "sir-tommy", "clock": 9_999}))
frame_case(
    "a clock longer than any", "bad-message", packed({"type": "create", "game": "sir-tommy", "clock": 7_200_001})
)
frame_case("a grace shorter than any", "bad-message", packed({"type": "create", "game": "sir-tommy", "grace": 999}))
frame_case("a nonce of the wrong length", "bad-message", packed({"type": "reveal", "match": "abcdefgh", "nonce": "00"}))
frame_case("a request number below 0", "bad-message", packed({"type": "matches", "id": -1}))


# The handshake


@provokes("hello-first", state="stranger")
async def a_request_before_hello(scene: Scene) -> Wrong:
    stranger = await scene.people.stranger("Stranger")
    return stranger, wire.Watch(match=scene.match)


@provokes("already-greeted")
async def hello_twice(scene: Scene) -> Wrong:
    return scene.ann, wire.Hello(name="Ann", key=scene.ann.key)


@provokes("already-greeted")
async def hello_as_somebody_else(scene: Scene) -> Wrong:
    return scene.eve, wire.Hello(name="Bob", key=scene.bob.key)


# Requests


@provokes("unknown-game")
async def a_game_there_is_not(scene: Scene) -> Wrong:
    return scene.eve, wire.Play(game="sir-tomy")


@provokes("unknown-game")
async def an_option_there_is_not(scene: Scene) -> Wrong:
    return scene.eve, wire.Create(game="sir-tommy+peek")


def request_case(code: str, request: Callable[..., wire.ClientMessage], match: str, **fields: Any) -> None:
    """A request of Eve's about a match in which she has no seat, or about one that there is not."""
    name = f"{request.__name__} of {'a match there is not' if match else 'a match of others'}"

    @provokes(code, name=name)
    async def send(scene: Scene) -> Wrong:
        return scene.eve, request(match=match or scene.match, **fields)


NOWHERE = "zzzzzzzz"
FOR_PLAYERS: list[tuple[type[wire.ClientMessage], dict[str, Any]]] = [
    (wire.Ready, {"commitment": "0" * 64}),
    (wire.Reveal, {"nonce": NONCE}),
    (wire.Move, {"n": 1, "move": "t"}),
    (wire.Resume, {}),
    (wire.Rematch, {}),
    (wire.Leave, {}),
]
for kind, details in FOR_PLAYERS:
    request_case("not-your-seat", kind, "", **details)
    request_case("unknown-match", kind, NOWHERE, **details)
for kind in (wire.Join, wire.Watch, wire.GetRecord):
    request_case("unknown-match", kind, NOWHERE)


@provokes("not-your-seat")
async def somebody_elses_seat_with_ones_own_key(scene: Scene) -> Wrong:
    thief = await scene.people.guest("Ann", key=secrets.token_hex(16))
    return thief, wire.Resume(match=scene.match, n=0)


@provokes("not-your-seat")
async def a_move_on_a_connection_that_did_not_resume(scene: Scene) -> Wrong:
    second = await scene.people.guest("Ann", key=scene.ann.key)
    return second, wire.Move(match=scene.match, n=1, move="t")


@provokes("match-full")
async def a_third_player(scene: Scene) -> Wrong:
    return scene.eve, wire.Join(match=scene.match)


@provokes("match-full", state="seated")
async def a_third_player_before_the_start(scene: Scene) -> Wrong:
    return scene.eve, wire.Join(match=scene.match)


@provokes("already-seated", state="seated")
async def a_second_seat(scene: Scene) -> Wrong:
    return scene.ann, wire.Join(match=scene.match)


@provokes("already-seated", state="seated")
async def a_second_seat_on_a_second_connection(scene: Scene) -> Wrong:
    second = await scene.people.guest("Not Ann", key=scene.ann.key)
    return second, wire.Join(match=scene.match)


@provokes("already-ready", state="seated")
async def another_commitment(scene: Scene) -> Wrong:
    await scene.ann.ready()
    return scene.ann, wire.Ready(match=scene.match, commitment="0" * 64)


@provokes("not-revealing", state="seated")
async def a_nonce_too_early(scene: Scene) -> Wrong:
    return scene.ann, wire.Reveal(match=scene.match, nonce=NONCE)


@provokes("bad-nonce", state="seated")
async def a_nonce_that_does_not_fit(scene: Scene) -> Wrong:
    await scene.ann.ready()
    await scene.bob.ready()
    return scene.ann, wire.Reveal(match=scene.match, nonce="0" * 32)


@provokes("bad-nonce", state="seated")
async def the_others_nonce(scene: Scene) -> Wrong:
    copied = nonce_commitment(bytes.fromhex(NONCE), scene.match, 0)
    await scene.ann.ready()
    await scene.bob.ask(wire.Ready(match=scene.match, commitment=copied), wire.MatchState)
    return scene.bob, wire.Reveal(match=scene.match, nonce=NONCE)


@provokes("has-started")
async def leaving_a_race(scene: Scene) -> Wrong:
    return scene.ann, wire.Leave(match=scene.match)


@provokes("has-started", state="left")
async def joining_a_match_that_was_given_up(scene: Scene) -> Wrong:
    return scene.eve, wire.Join(match=scene.match)


@provokes("not-started", state="seated")
async def a_move_before_the_start(scene: Scene) -> Wrong:
    return scene.ann, wire.Move(match=scene.match, n=1, move="t")


@provokes("match-over", state="over")
async def a_move_after_the_end(scene: Scene) -> Wrong:
    return scene.ann, scene.next_move("t")


@provokes("match-over", state="left")
async def a_move_in_a_match_that_was_given_up(scene: Scene) -> Wrong:
    return scene.ann, wire.Move(match=scene.match, n=1, move="t")


@provokes("not-over")
async def the_record_of_a_race_that_is_on(scene: Scene) -> Wrong:
    return scene.eve, wire.GetRecord(match=scene.match)


@provokes("not-over")
async def a_rematch_of_a_race_that_is_on(scene: Scene) -> Wrong:
    return scene.ann, wire.Rematch(match=scene.match)


@provokes("no-rematch", state="over")
async def a_rematch_after_one_has_left(scene: Scene) -> Wrong:
    await scene.bob.ask(wire.Leave(match=scene.match), wire.MatchState)
    return scene.ann, wire.Rematch(match=scene.match)


@provokes("no-bots")
async def a_house_bot_where_there_is_none(scene: Scene) -> Wrong:
    return scene.eve, wire.Create(game="sir-tommy", bot="normal")


@provokes("too-many")
async def a_match_more_than_a_player_may_have(scene: Scene) -> Wrong:
    scene.monkeypatch.setattr(server.lobby, "MATCHES_OF_A_PLAYER", 1)
    return scene.ann, wire.Create(game="sir-tommy")


@provokes("shutting-down")
async def a_match_on_a_server_that_is_closing(scene: Scene) -> Wrong:
    scene.race_server.hub.draining = True
    return scene.eve, wire.Play(game="sir-tommy")


# Moves


def move_case(code: str, move: str, *, after: tuple[str, ...] = (), game: str = "sir-tommy") -> None:
    """A move that is refused after some others."""
    name = f"{move!r} in {game}" + (f" after {' '.join(after)}" if after else "")

    @provokes(code, game, name=name)
    async def send(scene: Scene) -> Wrong:
        if after:
            await scene.ann.move(*after)
        return scene.ann, scene.next_move(move)


move_case("bad-move", "turn")
move_case("bad-move", "timeout")
move_case("bad-move", "abandon")
move_case("bad-move", "\x1b[2J")
move_case("no-card-in-hand", "hp1")
move_case("no-card-in-hand", "hf1")
move_case("card-in-hand", "t", after=("t",))
move_case("card-in-hand", "p1f1", after=("t", "hp1", "t"))
move_case("pile-empty", "p1f1")
move_case("pile-empty", "p4p1", game="strategy")
move_case("no-such-place", "hp5", after=("t",))
move_case("no-such-place", "hf5", after=("t",))
move_case("no-such-place", "p9f1")
move_case("same-place", "p1p1", after=("t", "hp1"), game="strategy")
move_case("not-in-this-game", "p1p2", after=("t", "hp1"))
move_case("not-in-this-game", "r")
move_case("stock-not-empty", "r", game="sir-tommy+redeal")
move_case("board-finished", "t", after=("stand",))
move_case("board-finished", "resign", after=("stand",))
move_case("bad-move", "c1f5x2", game="josephine")
move_case("bad-move", "c1c14", game="forty-thieves")
move_case("bad-move", "c1c2x1", game="josephine")
move_case("bad-move", "wc1x2", game="forty-thieves+groups")
move_case("not-in-this-game", "hp1", game="forty-thieves")
move_case("not-in-this-game", "r", game="lucas+peek")
move_case("not-in-this-game", "c1c2", game="sir-tommy")
move_case("no-such-place", "c1c11", game="forty-thieves")
move_case("no-such-place", "c10c1", game="maria")
move_case("no-such-place", "c1f9", game="limited")
move_case("pile-empty", "wc1", game="lucas")
move_case("same-place", "c1c1", game="josephine")
move_case("not-a-sequence", "c1c2x5", game="forty-thieves")
move_case("not-a-sequence", "c1c2x13", game="josephine+peek+groups")
move_case("board-finished", "t", after=("stand",), game="maria+peek")


@provokes("stale")
async def another_move_with_a_number_that_is_taken(scene: Scene) -> Wrong:
    await scene.ann.move("t", "hp1")
    return scene.ann, wire.Move(match=scene.match, n=2, move="hp2")


@provokes("gap")
async def a_number_too_large(scene: Scene) -> Wrong:
    return scene.ann, wire.Move(match=scene.match, n=2, move="t")


@provokes("log-full", "strategy")
async def a_move_more_than_a_board_may_have(scene: Scene) -> Wrong:
    await scene.ann.move("t", "hp1")
    scene.monkeypatch.setattr(server.match, "LONGEST_LOG", 2)
    return scene.ann, scene.next_move("p1p2")


def column_case(code: str, move: str, columns: str, game: str) -> None:
    """A move that is refused with these cards at the ends of the first columns, in a game with ten columns of four."""

    @provokes(code, game, "seated", name=f"{move!r} in {game} with {columns}")
    async def send(scene: Scene) -> Wrong:
        ends = [[parse_card(card) for card in column.split()] for column in columns.split("/")]
        wanted = {10 * (4 - len(end) + row) + at: card for at, end in enumerate(ends) for row, card in enumerate(end)}
        others = list(variant(game).cards)
        for card in wanted.values():
            others.remove(card)
        order = tuple(wanted[at] if at in wanted else others.pop() for at in range(len(variant(game).cards)))
        scene.monkeypatch.setattr(server.course, "deal", lambda *_: Deal(order, order))
        await begin(scene.ann, scene.bob)
        return scene.ann, scene.next_move(move)


column_case("does-not-build", "c1c2", "7h / 8s", "forty-thieves")
column_case("does-not-build", "c1c2", "7h / 6h", "forty-thieves+peek+groups")
column_case("does-not-build", "c1c2", "Kh / Ah", "josephine")
column_case("does-not-build", "c1c2x2", "8h 7h / 10h", "josephine")
column_case("does-not-fit", "c1f5", "2h / 9h", "forty-thieves")
column_case("does-not-fit", "c1f4", "Ah / 9h", "forty-thieves")
column_case("not-a-sequence", "c1c2x2", "7s 8h / 9h", "josephine")
column_case("too-many-cards", "c1c2x2", "8h 7h / 9h", "forty-thieves")
column_case("too-many-cards", "c1c2x2", "8h 7h / 9h", "forty-thieves+groups")
column_case("too-many-cards", "c1c2x3", "7s 6s 5s / 8s", "forty-thieves+peek+groups")


async def turn_until(player: Client, wanted: Callable[[str], bool]) -> None:
    """Turn cards, and put them on piles, until one is in hand that is wanted."""
    while True:
        card = (await player.move("t")).card
        assert card is not None
        if wanted(card):
            return
        await player.move("hp1")


@provokes("does-not-fit")
async def a_card_that_does_not_fit(scene: Scene) -> Wrong:
    await turn_until(scene.ann, lambda card: not card.startswith("A"))
    return scene.ann, scene.next_move("hf1")


@provokes("not-leftmost", "numerica")
async def a_foundation_that_is_not_the_leftmost(scene: Scene) -> Wrong:
    await turn_until(scene.ann, lambda card: card.startswith("A"))
    return scene.ann, scene.next_move("hf2")


async def turn_all(player: Client) -> None:
    """Turn the whole stock onto piles, the aces on the fourth, so that the board is not stuck."""
    board = player.board
    assert isinstance(board, SirTommyBoard)
    while board.stock:
        card = (await player.move("t")).card or ""
        await player.move("hp4" if card.startswith("A") else "hp1")


@provokes("stock-empty")
async def a_turn_of_nothing(scene: Scene) -> Wrong:
    await turn_all(scene.ann)
    return scene.ann, scene.next_move("t")


@provokes("no-redeal-left", "sir-tommy+redeal")
async def a_second_redeal(scene: Scene) -> Wrong:
    await turn_all(scene.ann)
    await scene.ann.move("r")
    await turn_all(scene.ann)
    return scene.ann, scene.next_move("r")


# All of them


async def brought_to(state: str, game: str, people: Visitors) -> tuple[Client, Client]:
    """Two players, and their match in this state."""
    ann, bob = await people.pair(game)
    if state in ("playing", "over"):
        await begin(ann, bob)
    if state == "over":
        await bob.move("resign")
        await ann.state("over")
    if state == "left":
        await bob.ask(wire.Leave(match=bob.match), wire.MatchState)
        await ann.state("aborted")
    return ann, bob


@pytest.mark.parametrize(
    ("code", "game", "state", "case"),
    [pytest.param(code, game, state, case, id=f"{code}: {name}") for code, name, game, state, case in CASES],
)
async def test_it_is_refused_with_its_code_and_changes_nothing(
    code: str,
    game: str,
    state: str,
    case: Case,
    people: Visitors,
    race_server: RaceServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann, bob = await brought_to(state, game, people)
    scene = Scene(people, race_server, monkeypatch, ann, bob, await people.guest("Eve"))
    client, wrong = await case(scene)
    before, tables = await scene.picture(), list(race_server.hub.tables)
    if isinstance(wrong, bytes | str):
        await client.socket.send(wrong)
        refused = await client.next(wire.Refused)
        assert (refused.match, refused.n) == (None, None)
    else:
        refused = await client.refused(wrong)
        assert refused.match == getattr(wrong, "match", None)
        if isinstance(wrong, wire.Move) and client is ann:
            assert refused.n == ann.entries
    assert refused.code == code
    assert refused.why
    assert await scene.picture() == before
    assert list(race_server.hub.tables) == tables


async def test_a_near_miss_of_a_game_is_answered_with_the_names_it_may_have_meant(people: Visitors) -> None:
    ann = await people.guest()
    assert "did you mean sir-tommy" in (await ann.refused(wire.Play(game="sir_tommi"))).why
    assert "did you mean forty-thieves" in (await ann.refused(wire.Play(game="forty-thief"))).why
    assert "it has redeal" in (await ann.refused(wire.Play(game="strategy+peek"))).why
    assert "it has peek, groups" in (await ann.refused(wire.Play(game="lucas+redeal"))).why
    assert "named twice" in (await ann.refused(wire.Play(game="lucas+peek+peek"))).why


@pytest.mark.parametrize(
    "plain",
    [{"type": "x" * 250}, {"type": "play", "game": "x" * 250}, {"y" * 250: 1}, {"type": "matches", "y" * 250: 1}],
)
async def test_what_is_refused_is_not_sent_back_at_length(people: Visitors, plain: Any) -> None:
    ann = await people.guest()
    await ann.socket.send(packed(plain))
    assert len((await ann.next(wire.Refused)).why) < 300


async def test_the_request_is_named_in_its_refusal_even_when_it_is_no_message(people: Visitors) -> None:
    ann = await people.guest()
    await ann.socket.send(packed({"type": "win", "id": 77}))
    assert (await ann.next(wire.Refused)).re == 77


async def test_a_resent_move_is_no_bad_input_and_gets_the_same_bytes(people: Visitors) -> None:
    ann, bob = await people.race()
    move = wire.Move(id=500, match=ann.match, n=1, move="t")
    frames = []
    for _ in range(3):
        await ann.send(move)
        await ann.next(wire.Moved)
        frames.append(ann.frames[-1])
        await bob.move("t")
        await bob.move("hp1")
    assert len(set(frames)) == 1


# Strikes


async def test_the_third_frame_that_is_no_message_closes_the_connection(people: Visitors) -> None:
    ann, bob = await people.race()
    for frame in (b"\xc1", "text", packed({"type": "win"})):
        await ann.socket.send(frame)
    closed = await ann.closed()
    assert closed.code == 1008
    assert [refused.code for refused in ann.all(wire.Refused)] == ["bad-frame", "wrong-encoding", "unknown-type"]
    news = await bob.next(wire.MatchState, lambda news: news.seats[0].away is not None)
    assert news.state == "playing"


async def test_refusals_are_no_strikes(people: Visitors) -> None:
    ann, _ = await people.race()
    for _ in range(10):
        assert (await ann.refused(wire.Move(match=ann.match, n=7, move="t"))).code == "gap"
    await ann.move("t")


@pytest.mark.parametrize("frame", [b"\x00" * (LARGEST_CLIENT_FRAME + 1), b"\x91" * 1_000_000], ids=["larger", "huge"])
async def test_a_frame_larger_than_any_message_closes_the_connection(people: Visitors, frame: bytes) -> None:
    ann, bob = await people.race()
    await ann.socket.send(frame)
    assert (await ann.closed()).code == 1009
    await bob.next(wire.MatchState, lambda news: news.seats[0].away is not None)
    again = await people.guest("Ann", key=ann.key)
    assert (await again.resume(ann.match)).state == "playing"


async def test_a_frame_of_the_largest_size_is_answered(people: Visitors) -> None:
    ann = await people.guest()
    await ann.socket.send(b"\x00" * LARGEST_CLIENT_FRAME)
    assert (await ann.next(wire.Refused)).code == "bad-frame"


# On the JSON protocol


@pytest.mark.parametrize(
    ("code", "frame"),
    [
        ("wrong-encoding", packed({"type": "matches"})),
        ("bad-frame", ""),
        ("bad-frame", "{"),
        ("bad-frame", '{"type": "matches"} {}'),
        ("bad-frame", '{"type": "matches", "id": NaN}'),
        ("bad-frame", '{"type": "\\ud800"}'),
        ("duplicate-key", '{"type": "matches", "type": "matches"}'),
        ("too-deep", "[" * 4000),
        ("too-deep", '{"type": "matches", "x": ' + "[" * 20 + "]" * 20 + "}"),
        ("unknown-type", '{"type": "win"}'),
        ("bad-message", '{"type": "matches", "x": 1}'),
        ("bad-message", "[]"),
        ("bad-message", '{"type": "matches", "id": 1e3}'),
        ("bad-message", '{"type": "matches", "id": 123456789012345678901234567890}'),
    ],
)
async def test_json_is_read_as_strictly(people: Visitors, code: str, frame: bytes | str) -> None:
    ann = await people.guest(encoding=JSON)
    await ann.socket.send(frame)
    assert (await ann.next(wire.Refused)).code == code
    await ann.up_to_date()


# The handshake


async def test_who_says_nothing_is_sent_away(people: Visitors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.app, "HELLO_WITHIN", 0.01)
    stranger = await people.stranger()
    assert (await stranger.closed()).code == 1008
    assert [refused.code for refused in stranger.all(wire.Refused)] == ["hello-first"]


@pytest.mark.parametrize("offered", [["tommy.2"], ["mqtt", "tommy.0"], None], ids=["newer", "others", "none"])
async def test_a_client_of_another_version_is_told_which_versions_there_are(
    people: Visitors, offered: list[Subprotocol] | None
) -> None:
    with pytest.raises(InvalidStatus) as caught:
        await connect(people.url, subprotocols=offered, proxy=None)
    response = caught.value.response
    assert response.status_code == http.HTTPStatus.BAD_REQUEST
    text = response.body.decode()
    assert text.startswith("version: ")
    assert "tommy.1" in text
    assert all(name in text for name in offered or ("no subprotocol",))


async def test_a_client_that_offers_several_versions_gets_one_that_both_speak(people: Visitors) -> None:
    offered = [Subprotocol(name) for name in ("tommy.9", "tommy.1.json", "tommy.1")]
    async with connect(people.url, subprotocols=offered, proxy=None) as socket:
        assert socket.subprotocol in ("tommy.1", "tommy.1.json")


async def test_a_browsers_visit_is_answered_in_words(people: Visitors) -> None:
    host, port = people.url.removeprefix("ws://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    answer = (await asyncio.wait_for(reader.read(), 10)).decode()
    writer.close()
    await writer.wait_closed()
    assert answer.startswith("HTTP/1.1 200")
    assert "tommy-race server" in answer


# The store fails (test_hub.py has what comes of it)


async def test_what_cannot_be_written_is_refused(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = await people.race()
    with failing(race_server.store):
        await ann.send(wire.Move(match=ann.match, n=1, move="t"))
        assert (await ann.next(wire.Refused)).code == "store-failed"


def test_there_is_a_case_for_every_code() -> None:
    cases = {code for code, *_ in CASES} | {"version", "store-failed"}
    assert cases == set(codes.CODES)

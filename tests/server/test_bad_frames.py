"""Frames that are no messages: each is refused with its code, and the third closes the connection."""

from typing import Any

import msgpack
import pytest

from protocol import messages as wire
from protocol.codec import JSON, LARGEST_CLIENT_FRAME
from tests.server.driver import Visitors
from tests.server.refusals import Case, Cases, Scene, Wrong

CASES = Cases()
provokes = CASES.provokes


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
frame_case("a thousand lists in lists", "too-deep", b"\x91" * 1000 + b"\x01")
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
frame_case("an entry before the first", "bad-message", packed({**MOVE, "n": 0}))
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


@pytest.mark.parametrize(("code", "scene", "case"), CASES.rows, ids=CASES.names, indirect=["scene"])
async def test_it_is_refused_with_its_code_and_changes_nothing(code: str, scene: Scene, case: Case) -> None:
    await scene.refuses(code, case)


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


async def test_half_a_surrogate_pair_does_not_keep_the_request_from_being_named(people: Visitors) -> None:
    ann = await people.guest(encoding=JSON)
    await ann.socket.send('{"id":78,"type":"play","game":"\\ud800"}')
    refused = await ann.next(wire.Refused)
    assert (refused.code, refused.re) == ("bad-frame", 78)


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
        ("too-deep", "[" * 1000 + "1" + "]" * 1000),
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

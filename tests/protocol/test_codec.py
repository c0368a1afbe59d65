"""Every kind of frame that is no message, and its code."""

import json
from contextlib import suppress
from typing import Any

import msgpack
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from protocol.codec import ENCODINGS, JSON, LARGEST_CLIENT_FRAME, MSGPACK, Encoding, WireError
from protocol.codes import STRIKES
from protocol.messages import ClientMessage, Matches, Move, Refused
from tests.protocol.wire import HELLO, KEY, MATCH, MOVE, client_messages, server_messages

packed = msgpack.packb
HELLO_FRAME, MOVE_FRAME = packed(HELLO), packed(MOVE)
HELLO_TEXT, MOVE_TEXT = json.dumps(HELLO), json.dumps(MOVE)


def refused(encoding: Encoding, frame: bytes | str) -> WireError:
    with pytest.raises(WireError) as caught:
        encoding.decode_client(frame)
    assert caught.value.code in STRIKES
    return caught.value


def with_value(raw: bytes) -> bytes:
    """The frame of a `matches` message whose `id` is these bytes."""
    return b"\x82\xa4type\xa7matches\xa2id" + raw


BROKEN_MSGPACK = [
    ("nothing at all", b"", "bad-frame"),
    ("a byte that msgpack has not", b"\xc1", "bad-frame"),
    ("text", b"hello", "bad-frame"),
    ("JSON in a binary frame", MOVE_TEXT.encode(), "bad-frame"),
    ("a message cut short", MOVE_FRAME[:-1], "bad-frame"),
    ("a byte after the message", MOVE_FRAME + b"\x00", "bad-frame"),
    ("two messages in one frame", MOVE_FRAME * 2, "bad-frame"),
    ("a text frame", MOVE_TEXT, "wrong-encoding"),
    ("an empty text frame", "", "wrong-encoding"),
    ("a list", packed([MOVE]), "bad-message"),
    ("a number", packed(7), "bad-message"),
    ("a text", packed("hello"), "bad-message"),
    ("nil", packed(None), "bad-message"),
    ("a map without a type", packed({"name": "Anna", "key": KEY}), "unknown-type"),
    ("an unknown type", packed({"type": "cheat"}), "unknown-type"),
    ("a type in capitals", packed({"type": "Matches"}), "unknown-type"),
    ("a type that is a number", packed({"type": 7}), "unknown-type"),
    ("a type that is a list", packed({"type": ["matches"]}), "unknown-type"),
    ("a type that is a map", packed({"type": {"matches": 1}}), "unknown-type"),
    ("an unknown field", packed(MOVE | {"undo": True}), "bad-message"),
    ("a missing field", packed({"type": "move", "match": MATCH}), "bad-message"),
    ("a number where a text belongs", packed(MOVE | {"move": 7}), "bad-message"),
    ("a text where a number belongs", packed(MOVE | {"n": "1"}), "bad-message"),
    ("a truth value where a number belongs", packed(MOVE | {"n": True}), "bad-message"),
    ("a fraction where a number belongs", packed(MOVE | {"n": 1.5}), "bad-message"),
    ("a float where a whole number belongs", packed(MOVE | {"n": 1.0}), "bad-message"),
    ("NaN", packed(MOVE | {"n": float("nan")}), "bad-message"),
    ("infinity", packed(MOVE | {"n": float("inf")}), "bad-message"),
    ("a list where a text belongs", packed(MOVE | {"move": ["t"]}), "bad-message"),
    ("a map where a text belongs", packed(MOVE | {"move": {"t": "t"}}), "bad-message"),
    ("nil where a text belongs", packed(MOVE | {"move": None}), "bad-message"),
    ("a number of 64 bits", packed(MOVE | {"n": 2**64 - 1}), "bad-message"),
    ("a number of 64 bits below zero", packed(MOVE | {"n": -(2**63)}), "bad-message"),
    ("a text too long for any field", packed(MOVE | {"move": "x" * 257}), "bad-frame"),
    ("a text said to be huge", with_value(b"\xdb\xff\xff\xff\xff"), "bad-frame"),
    ("a list said to be huge", with_value(b"\xdd\xff\xff\xff\xff"), "bad-frame"),
    ("a map said to be huge", b"\xdf\xff\xff\xff\xff", "bad-frame"),
    ("binary data said to be huge", with_value(b"\xc6\xff\xff\xff\xff"), "bad-frame"),
    ("too many fields", packed(MOVE | {str(number): 0 for number in range(16)}), "bad-frame"),
    ("lists without an end", b"\x91" * 4000, "too-deep"),
    ("maps without an end", b"\x81\xa1a" * 1300, "too-deep"),
    ("a thousand lists in lists", b"\x91" * 1000 + b"\x01", "too-deep"),
    ("one list in a list too many", b"\x91" * 5 + b"\x01", "too-deep"),
    ("as many lists in lists as may be", b"\x91" * 4 + b"\x01", "bad-message"),
    ("a value nested deeper than any", packed(MOVE | {"move": [[[[[]]]]]}), "too-deep"),
    ("a map nested deeper than any", packed(MOVE | {"move": {"a": {"b": {"c": {"d": {}}}}}}), "too-deep"),
    ("a key that stands twice", b"\x82\xa4type\xa7matches\xa4type\xa7matches", "duplicate-key"),
    ("an unknown key that stands twice", b"\x83\xa4type\xa7matches\xa1a\x01\xa1a\x02", "duplicate-key"),
    ("a key that stands twice further in", with_value(b"\x82\xa1a\x01\xa1a\x02"), "duplicate-key"),
    ("a key that stands twice in a map in a list", with_value(b"\x91\x82\xa1a\x01\xa1a\x02"), "duplicate-key"),
    ("a key of no bytes that stands twice", b"\x82\xc4\x00\x01\xc4\x00\x02", "duplicate-key"),
    ("a key that is a number", b"\x82\xa4type\xa7matches\x01\x01", "bad-frame"),
    ("a key that is a number and stands twice", b"\x82\x01\x01\x01\x02", "bad-frame"),
    ("a key that is nil", b"\x82\xa4type\xa7matches\xc0\x01", "bad-frame"),
    ("a key that is a list", b"\x82\xa4type\xa7matches\x90\x01", "bad-frame"),
    ("a key that is a map", b"\x82\xa4type\xa7matches\x80\x01", "bad-frame"),
    ("a key of bytes", b"\x82\xa4type\xa7matches\xc4\x02id\x01", "bad-frame"),
    ("a key of no bytes", b"\x82\xa4type\xa7matches\xc4\x00\x01", "bad-message"),
    ("bytes where a text belongs", packed(MOVE | {"move": b"t"}), "bad-frame"),
    ("no bytes where a text belongs", packed(MOVE | {"move": b""}), "bad-message"),
    ("an extension type", with_value(b"\xd4\x05\x00"), "bad-frame"),
    ("an extension type of no bytes", with_value(b"\xc7\x00\x05"), "bad-message"),
    ("an extension type instead of a message", b"\xc7\x00\x05", "bad-message"),
    ("a timestamp", with_value(b"\xd6\xff\x00\x00\x00\x00"), "bad-frame"),
    ("a timestamp of 64 bits", with_value(b"\xd7\xff" + bytes(8)), "bad-frame"),
    ("invalid UTF-8", HELLO_FRAME.replace(b"Anna", b"\xff\xfe\xfd\xfc"), "bad-frame"),
    ("half a surrogate pair", HELLO_FRAME.replace(b"\xa4Anna", b"\xa3\xed\xa0\x80"), "bad-frame"),
    ("UTF-8 longer than it need be", HELLO_FRAME.replace(b"\xa4Anna", b"\xa2\xc0\x80"), "bad-frame"),
]

BROKEN_JSON = [
    ("nothing at all", "", "bad-frame"),
    ("white space", " \n", "bad-frame"),
    ("a word", "hello", "bad-frame"),
    ("a message cut short", MOVE_TEXT[:-1], "bad-frame"),
    ("something after the message", MOVE_TEXT + "x", "bad-frame"),
    ("two messages in one frame", MOVE_TEXT * 2, "bad-frame"),
    ("a byte order mark", "\ufeff" + MOVE_TEXT, "bad-frame"),
    ("single quotes", MOVE_TEXT.replace('"', "'"), "bad-frame"),
    ("a comma at the end", MOVE_TEXT[:-1] + ",}", "bad-frame"),
    ("a comment", MOVE_TEXT + "// a move", "bad-frame"),
    ("a line feed within a text", HELLO_TEXT.replace("Anna", "An\nna"), "bad-frame"),
    ("a binary frame", MOVE_FRAME, "wrong-encoding"),
    ("JSON in a binary frame", MOVE_TEXT.encode(), "wrong-encoding"),
    ("an empty binary frame", b"", "wrong-encoding"),
    ("a list", f"[{MOVE_TEXT}]", "bad-message"),
    ("a number", "7", "bad-message"),
    ("a text", '"hello"', "bad-message"),
    ("a truth value", "true", "bad-message"),
    ("null", "null", "bad-message"),
    ("a map without a type", "{}", "unknown-type"),
    ("an unknown type", '{"type": "cheat"}', "unknown-type"),
    ("a type that is a list", '{"type": []}', "unknown-type"),
    ("an unknown field", json.dumps(MOVE | {"undo": 1}), "bad-message"),
    ("a missing field", '{"type": "move"}', "bad-message"),
    ("a number where a text belongs", json.dumps(MOVE | {"move": 7}), "bad-message"),
    ("a fraction where a number belongs", json.dumps(MOVE | {"n": 1.5}), "bad-message"),
    ("a float where a whole number belongs", json.dumps(MOVE | {"n": 1.0}), "bad-message"),
    ("a number beyond all floats", MOVE_TEXT.replace("1", "1e999"), "bad-message"),
    ("NaN", json.dumps(MOVE | {"n": float("nan")}), "bad-frame"),
    ("infinity", json.dumps(MOVE | {"n": float("inf")}), "bad-frame"),
    ("infinity below zero", json.dumps(MOVE | {"n": -float("inf")}), "bad-frame"),
    ("a number of 64 bits", json.dumps(MOVE | {"n": 2**64}), "bad-message"),
    ("a number of four thousand digits", json.dumps(MOVE | {"n": 10**4000}), "bad-message"),
    ("a number of five thousand digits", MOVE_TEXT.replace("1", "1" * 5000), "bad-frame"),
    ("a text too long", json.dumps(MOVE | {"move": "x" * 3000}), "bad-frame"),
    ("lists without an end", "[" * 4000, "too-deep"),
    ("lists closed at last", "[" * 2000 + "]" * 2000, "too-deep"),
    ("a thousand lists in lists", "[" * 1000 + "1" + "]" * 1000, "too-deep"),
    ("one list in a list too many", "[" * 5 + "1" + "]" * 5, "too-deep"),
    ("as many lists in lists as may be", "[" * 4 + "1" + "]" * 4, "bad-message"),
    ("a value nested deeper than any", json.dumps(MOVE | {"move": [[[[[]]]]]}), "too-deep"),
    ("a key that stands twice", '{"type": "matches", "type": "matches"}', "duplicate-key"),
    ("a key that stands twice, once in escapes", '{"type": "matches", "\\u0074ype": "matches"}', "duplicate-key"),
    ("a key that stands twice further in", '{"type": "matches", "id": {"a": 1, "a": 2}}', "duplicate-key"),
    ("a key that stands twice in a map in a list", '{"type": "matches", "id": [{"a": 1, "a": 2}]}', "duplicate-key"),
    ("a key that is a number", '{"type": "matches", 1: 1}', "bad-frame"),
    ("half a surrogate pair in a name", HELLO_TEXT.replace("Anna", "\\ud83c"), "bad-frame"),
    ("half a surrogate pair in a key", '{"type": "matches", "\\ud83c": 1}', "bad-frame"),
    ("half a surrogate pair in a type", '{"type": "\\udc00"}', "bad-frame"),
    ("half a surrogate pair further in", '{"type": "matches", "id": [["\\ud83c"]]}', "bad-frame"),
]


@pytest.mark.parametrize(("frame", "code"), [row[1:] for row in BROKEN_MSGPACK], ids=[row[0] for row in BROKEN_MSGPACK])
def test_a_binary_frame_that_is_no_message_is_refused_with_its_code(frame: bytes | str, code: str) -> None:
    assert refused(MSGPACK, frame).code == code


@pytest.mark.parametrize(("frame", "code"), [row[1:] for row in BROKEN_JSON], ids=[row[0] for row in BROKEN_JSON])
def test_a_text_frame_that_is_no_message_is_refused_with_its_code(frame: bytes | str, code: str) -> None:
    assert refused(JSON, frame).code == code


def test_every_strike_is_met_above_in_both_encodings() -> None:
    for table in (BROKEN_MSGPACK, BROKEN_JSON):
        assert {code for _, _, code in table} == STRIKES.keys()


def test_the_frames_above_are_broken_and_their_models_are_not() -> None:
    assert MSGPACK.decode_client(MOVE_FRAME) == JSON.decode_client(MOVE_TEXT) == Move(match=MATCH, n=1, move="t")
    assert MSGPACK.decode_client(with_value(b"\x07")) == Matches(id=7)


def test_a_whole_surrogate_pair_is_a_character_however_it_is_written() -> None:
    plain, escaped = (HELLO_TEXT.replace("Anna", name) for name in ("🂡", "\\ud83c\\udca1"))
    assert JSON.decode_client(plain) == JSON.decode_client(escaped)


@pytest.mark.parametrize("encoding", ENCODINGS.values(), ids=ENCODINGS.keys())
def test_a_message_that_is_refused_is_answered_under_its_id_where_it_has_a_good_one(encoding: Encoding) -> None:
    def answered(plain: dict[str, Any]) -> int | None:
        return refused(encoding, packed(plain) if encoding is MSGPACK else json.dumps(plain)).request

    assert answered(MOVE | {"id": 7, "n": -1}) == 7
    assert answered({"type": "cheat", "id": 2**53 - 1}) == 2**53 - 1
    assert answered(MOVE | {"id": 0, "move": [[[[[]]]]]}) == 0
    if encoding is JSON:  # msgpack cannot even write it
        assert answered(MOVE | {"id": 8, "move": "\ud83c"}) == 8
    for bad in (-1, 2**53, 2**64 - 1, 1.0, True, None, "7", [7]):
        assert answered({"type": "cheat", "id": bad}) is None


def test_subprotocols_are_offered_in_the_order_of_preference() -> None:
    assert list(ENCODINGS) == ["tommy.2", "tommy.2.json"]
    assert all(encoding.subprotocol == name for name, encoding in ENCODINGS.items())


# Any frame at all


def outcome(encoding: Encoding, frame: bytes | str) -> ClientMessage | WireError:
    try:
        return encoding.decode_client(frame)
    except WireError as error:
        return error


def check(encoding: Encoding, frame: bytes | str) -> None:
    """A frame is a message, which can be sent on in any encoding, or it is refused in a way that can be sent."""
    found = outcome(encoding, frame)
    if isinstance(found, WireError):
        assert found.code in STRIKES
        assert len(found.why) < 1000
        refusal = Refused(re=found.request, code=found.code, why=found.why)
        for answering in ENCODINGS.values():
            assert answering.decode_server(answering.encode(refusal)) == refusal
    else:
        for other in ENCODINGS.values():
            assert other.decode_client(other.encode(found)) == found


def mutated(frame: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    """The frame with some bytes replaced by others, at places counted round and round."""
    for place, length, others in changes:
        at = place % (len(frame) + 1)
        frame = frame[:at] + others + frame[at + length :]
    return frame


edits = st.lists(st.tuples(st.integers(0, 4096), st.integers(0, 3), st.binary(max_size=3)), min_size=1, max_size=4)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@settings(max_examples=400)
@given(st.binary(max_size=200))
@example(b"\x81\xa4type\xa7matches")
def test_any_bytes_are_a_message_or_refused(frame: bytes) -> None:
    check(MSGPACK, frame)


@settings(max_examples=400)
@given(st.text(st.characters(), max_size=200) | st.text('{}[]:,"\\u0d8typematches 1e-.', max_size=60))
def test_any_text_is_a_message_or_refused(frame: str) -> None:
    check(JSON, frame)


@settings(max_examples=400)
@given(client_messages, edits)
def test_a_binary_message_with_some_bytes_changed_is_a_message_or_refused(message: Any, changes: Any) -> None:
    check(MSGPACK, mutated(MSGPACK.encode(message), changes))


@settings(max_examples=400)
@given(client_messages, edits)
def test_a_text_message_with_some_characters_changed_is_a_message_or_refused(message: Any, changes: Any) -> None:
    check(JSON, mutated(JSON.encode(message).encode(), changes).decode(errors="replace"))


@settings(max_examples=200)
@given(client_messages, st.data())
def test_a_message_with_any_value_in_any_field_is_a_message_or_refused(message: Any, data: st.DataObject) -> None:
    plain = msgpack.unpackb(MSGPACK.encode(message))
    field = data.draw(st.sampled_from([*plain, "undo"]))
    check(JSON, json.dumps(plain | {field: data.draw(json_values)}))


@settings(max_examples=200)
@given(server_messages, edits)
def test_a_broken_message_of_the_server_is_read_or_refused_by_a_client_that_goes_on(message: Any, changes: Any) -> None:
    for encoding in ENCODINGS.values():
        frame = encoding.encode(message)
        raw = mutated(frame.encode() if isinstance(frame, str) else frame, changes)
        with suppress(WireError):
            encoding.decode_server(raw if encoding is MSGPACK else raw.decode(errors="replace"))


@pytest.mark.parametrize(
    "frame",
    [
        '{"type":"refused","code":"x","why":"x","more":' + "[" * 100_000,
        b"\x84\xa4type\xa7refused\xa4code\xa1x\xa3why\xa1x\xa4more" + b"\x91" * 100_000,
        "\ud800",
        "",
        b"",
    ],
    ids=["deep text", "deep bytes", "surrogate", "empty text", "empty bytes"],
)
def test_a_client_survives_the_worst_of_servers(frame: bytes | str) -> None:
    for encoding in ENCODINGS.values():
        with pytest.raises(WireError):
            encoding.decode_server(frame)


def test_the_broken_frames_above_fit_into_a_frame_unless_their_size_is_the_point() -> None:
    large = [name for name, frame, _ in [*BROKEN_MSGPACK, *BROKEN_JSON] if len(frame) > LARGEST_CLIENT_FRAME]
    assert large == ["a number of five thousand digits"]

"""Frames that are nearly messages: whatever they are, they are a message or refused, soon and in little memory.

`test_codec.py` breaks frames byte by byte; here they are broken token by token, so that what is broken lies deeper.
For a long run: `FUZZ_EXAMPLES=200000 .venv/bin/pytest --timeout 0 tests/protocol/test_fuzz.py`, each time with others.
"""

import json
import os
import struct
import tracemalloc
from collections.abc import Callable
from time import process_time
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.codec import JSON, LARGEST_CLIENT_FRAME, MSGPACK, Encoding, WireError
from protocol.messages import ClientMessage
from tests.protocol.test_codec import check
from tests.protocol.wire import HELLO, MATCH, client_messages

LONG_RUN = int(os.environ.get("FUZZ_EXAMPLES", "0"))
fuzz = settings(max_examples=LONG_RUN, derandomize=False) if LONG_RUN else settings(max_examples=120)

Draw = Callable[[st.SearchStrategy[Any]], Any]
Change = tuple[str, int, int, Any]


# Tokens of msgpack

SIZES = {1: "B", 2: ">H", 4: ">I", 8: ">Q"}
SHORT_AND_WIDE: dict[type, tuple[int, int, tuple[tuple[int, int], ...]]] = {
    str: (0xA0, 31, ((0xD9, 1), (0xDA, 2), (0xDB, 4))),
    dict: (0x80, 15, ((0xDE, 2), (0xDF, 4))),
}
"""For each kind with a length: its short header, up to which length that goes, and the wide ones with their sizes."""


def number(draw: Draw, value: int) -> bytes:
    """A number that is not negative, in any of the ways it can be written."""
    ways = [bytes([value])] if value < 128 else []
    for unsigned, signed, size in ((0xCC, 0xD0, 1), (0xCD, 0xD1, 2), (0xCE, 0xD2, 4), (0xCF, 0xD3, 8)):
        if value < 1 << 8 * size:
            ways.append(bytes([unsigned]) + struct.pack(SIZES[size], value))
        if value < 1 << 8 * size - 1:
            ways.append(bytes([signed]) + struct.pack(SIZES[size], value))
    way: bytes = draw(st.sampled_from(ways))
    return way


def header(draw: Draw, kind: type, length: int) -> bytes:
    """The header of a text or map, in any of the ways it can be written."""
    short, longest, wide = SHORT_AND_WIDE[kind]
    ways = [bytes([short + length])] if length <= longest else []
    ways += [bytes([code]) + struct.pack(SIZES[size], length) for code, size in wide if length < 1 << 8 * size]
    way: bytes = draw(st.sampled_from(ways))
    return way


def msgpack_token(draw: Draw, value: object) -> bytes:
    match value:
        case None:
            return b"\xc0"
        case int():
            return number(draw, value)
        case str():
            return header(draw, str, len(value.encode())) + value.encode()
        case _:
            raise TypeError(value)


def msgpack_tokens(draw: Draw, plain: dict[str, Any]) -> list[bytes]:
    tokens = [header(draw, dict, len(plain))]
    for key, value in draw(st.permutations(list(plain.items()))):
        tokens += [msgpack_token(draw, key), msgpack_token(draw, value)]
    return tokens


LENGTHS = (0, 1, 15, 16, 17, 31, 32, 127, 128, 255, 256, 257, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF)
LENGTH_CODES = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xC7: 1, 0xC8: 2, 0xC9: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4} | {
    0xDC: 2,
    0xDD: 4,
    0xDE: 2,
    0xDF: 4,
}
"""The headers with a length, for bytes, extensions, texts, lists and maps: how many bytes the length has."""
LENGTH_HEADERS = [
    bytes([code]) + struct.pack(SIZES[size], length)
    for code, size in LENGTH_CODES.items()
    for length in LENGTHS
    if length < 1 << 8 * size
]

msgpack_atoms = (
    st.integers(0, 255).map(lambda byte: bytes([byte]))
    | st.sampled_from(LENGTH_HEADERS)
    | st.builds(bytes.__add__, st.sampled_from(LENGTH_HEADERS), st.binary(max_size=40))
    | st.sampled_from(
        [
            b"\xa4type",
            b"\xa2id",
            b"\xa5match",
            b"\xa4move",
            b"\xa5hello",
            b"\xa6record",
            b"\xcb\x7f\xf8" + bytes(6),  # NaN
            b"\xca\x7f\x80\0\0",  # infinity
            b"\xcf" + b"\xff" * 8,
            b"\xd3\x80" + bytes(7),
            b"\xd6\xff" + b"\xff" * 4,  # times
            b"\xd7\xff" + b"\xff" * 8,
            b"\xc7\x0c\xff" + b"\xff" * 12,
            b"\xd9\xff" + b"x" * 255,
            b"\xda\x01\x00" + b"x" * 256,
            b"\xa3\xed\xa0\x80",  # half a surrogate pair
            b"\xa2\xc0\x80",
            b"\xa1\x00",
        ]
    )
)


# Tokens of JSON


def json_text(draw: Draw, text: str) -> str:
    """A text, each character as it is or in an escape."""
    if draw(st.booleans()):
        return json.dumps(text, ensure_ascii=draw(st.booleans()))
    return '"' + "".join(f"\\u{unit[0] << 8 | unit[1]:04X}" for unit in units(text)) + '"'


def units(text: str) -> list[bytes]:
    encoded = text.encode("utf-16-be")
    return [encoded[at : at + 2] for at in range(0, len(encoded), 2)]


def json_token(draw: Draw, value: object) -> str:
    return json_text(draw, value) if isinstance(value, str) else json.dumps(value)


def json_tokens(draw: Draw, plain: dict[str, Any]) -> list[str]:
    tokens = ["{"]
    for key, value in draw(st.permutations(list(plain.items()))):
        tokens += [json_text(draw, key), ":", json_token(draw, value), ","]
    tokens[-1:] = ["}"] if len(tokens) > 1 else ["{", "}"]
    return [token + draw(st.sampled_from(["", "", " ", "\n\t\r "])) for token in tokens]


JSON_SIGNS = ["{", "}", "[", "]", ",", ":", "[]", "{}", '"', "\\", "'", "/**/", "\ufeff", "\x00", "\u2028"]
JSON_WORDS = ["null", "true", "false", "NaN", "-Infinity", '{"a":1,"a":2}', "[[[[[]]]]]"]
JSON_NUMBERS = ["-0", "0.0", "01", ".5", "1.", "1e2", "1E+2", "1e-400", "1e999", "-1", "- 1", "9" * 300, str(2**53)]
JSON_TEXTS = ['"type"', '"id"', '"match"', '"move"', '"hello"', '"t\\u0079pe"', '""', '"\\u0000"', '"\\x"', '"\t"']
JSON_HALVES = ['"\\ud800"', '"\\udc00\\ud800"', '"\\ud83c\\udca1"', '"\\u12"']

json_atoms = st.one_of(
    *map(st.sampled_from, (JSON_SIGNS, JSON_WORDS, JSON_NUMBERS, JSON_TEXTS, JSON_HALVES)),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
)


# Changes


def changes(atoms: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Change]]:
    kinds = st.sampled_from(["put", "instead", "out", "twice", "swap", "cut", "bend"])
    return st.lists(st.tuples(kinds, st.integers(0, 63), st.integers(0, 63), atoms), min_size=1, max_size=5)


def changed(tokens: list[Any], made: list[Change]) -> list[Any]:
    """The tokens after these changes, places counted round and round."""
    tokens = list(tokens)
    for kind, first, second, atom in made:
        at, other = first % max(1, len(tokens)), second % max(1, len(tokens))
        if kind == "put":
            tokens.insert(at, atom)
        elif not tokens:
            continue
        elif kind == "instead":
            tokens[at] = atom
        elif kind == "out":
            del tokens[at]
        elif kind == "twice":
            tokens[other:other] = tokens[at : at + second % 4 + 1]
        elif kind == "swap":
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif kind == "cut":
            tokens[at] = tokens[at][: second % 4]
        else:  # another kind of token with the same content
            tokens[at] = atom[:1] + tokens[at][1:]
    return tokens


def plain_of(message: ClientMessage) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(message)
    return plain


# Messages written in any way


@fuzz
@given(client_messages, st.data())
def test_a_message_is_read_however_its_msgpack_is_written(message: ClientMessage, data: st.DataObject) -> None:
    assert MSGPACK.decode_client(b"".join(msgpack_tokens(data.draw, plain_of(message)))) == message


@fuzz
@given(client_messages, st.data())
def test_a_message_is_read_however_its_json_is_written(message: ClientMessage, data: st.DataObject) -> None:
    assert JSON.decode_client("".join(json_tokens(data.draw, plain_of(message)))) == message


# Messages broken in any way


@fuzz
@given(client_messages, changes(msgpack_atoms), st.data())
def test_a_binary_message_with_some_tokens_changed_is_a_message_or_refused(
    message: ClientMessage, made: list[Change], data: st.DataObject
) -> None:
    check(MSGPACK, b"".join(changed(msgpack_tokens(data.draw, plain_of(message)), made)))


@fuzz
@given(client_messages, changes(json_atoms), st.data())
def test_a_text_message_with_some_tokens_changed_is_a_message_or_refused(
    message: ClientMessage, made: list[Change], data: st.DataObject
) -> None:
    check(JSON, "".join(changed(json_tokens(data.draw, plain_of(message)), made)))


@fuzz
@given(client_messages, client_messages, st.integers(0, 20), st.integers(0, 20), st.data())
def test_two_messages_grown_into_one_are_a_message_or_refused(
    first: ClientMessage, second: ClientMessage, until: int, since: int, data: st.DataObject
) -> None:
    one, other = plain_of(first), plain_of(second)
    check(MSGPACK, b"".join(msgpack_tokens(data.draw, one)[:until] + msgpack_tokens(data.draw, other)[since:]))
    check(JSON, "".join(json_tokens(data.draw, one)[:until] + json_tokens(data.draw, other)[since:]))
    check(JSON, json.dumps(one | other))


@fuzz
@given(st.lists(msgpack_atoms, max_size=30), st.lists(json_atoms, max_size=30))
def test_tokens_in_any_order_are_a_message_or_refused(binary: list[bytes], text: list[str]) -> None:
    check(MSGPACK, b"".join(binary))
    check(JSON, "".join(text))


# Depth

OPENINGS = [
    b"\x91",
    b"\x92\x00",
    b"\x81\xa1a",
    b"\xdc\x00\x01",
    b"\xdd\0\0\0\x01",
    b"\xde\0\x01\xa1a",
    b"\x82\xa1a\0\xa1b",
]
JSON_OPENINGS = [("[", "]"), ('{"a":', "}"), ("[0,", "]"), ('{"a":0,"b":[', "]}"), ("[ \n", " ]")]
depths = st.integers(1, 12) | st.integers(1, 4096)


@fuzz
@given(st.sampled_from(OPENINGS), depths, msgpack_atoms | st.just(b""), st.sampled_from(["id", "move", "undo", "type"]))
def test_binary_nesting_of_any_depth_is_refused(opening: bytes, depth: int, inmost: bytes, field: str) -> None:
    head = b"\x82" + msgspec.msgpack.encode("match") + msgspec.msgpack.encode(MATCH) + msgspec.msgpack.encode(field)
    frame = (head + opening * depth + inmost)[:LARGEST_CLIENT_FRAME]
    check(MSGPACK, frame)
    with pytest.raises(WireError):
        MSGPACK.decode_client(frame)


@fuzz
@given(
    st.sampled_from(JSON_OPENINGS), depths, json_atoms, st.sampled_from(["id", "move", "undo", "type"]), st.booleans()
)
def test_text_nesting_of_any_depth_is_refused(
    brackets: tuple[str, str], depth: int, inmost: str, field: str, closed: bool
) -> None:
    opening, closing = brackets
    value = opening * depth + inmost + (closing * depth if closed else "")
    frame = f'{{"type":"move","match":"{MATCH}","n":1,"{field}":{value}}}'[: 2 * LARGEST_CLIENT_FRAME]
    check(JSON, frame)
    with pytest.raises(WireError):
        JSON.decode_client(frame)


# Memory and time


def test_a_header_that_promises_much_is_given_no_memory_for_it() -> None:
    places = [
        b"",
        b"\x81",
        b"\x82\xa4type\xa7matches\xa2id",
        b"\x82\xa4type\xa7matches\xa2id" + b"\x91" * 3,
        b"\x91" * 500,
    ]
    frames = [place + promise + b"x" * 64 for place in places for promise in LENGTH_HEADERS]
    tracemalloc.start()
    try:
        for frame in frames:
            tracemalloc.reset_peak()
            before, _ = tracemalloc.get_traced_memory()
            with pytest.raises(WireError):
                MSGPACK.decode_client(frame)
            assert tracemalloc.get_traced_memory()[1] - before < 64 * 1024, frame
    finally:
        tracemalloc.stop()


def filled(start: str, piece: Callable[[int], str], end: str) -> str:
    """A text frame as long as it may be."""
    pieces: list[str] = []
    room = LARGEST_CLIENT_FRAME - len(start) - len(end)
    while (room := room - len(piece(len(pieces)))) >= 0:
        pieces.append(piece(len(pieces)))
    return start + "".join(pieces) + end


FULL_FRAMES: list[tuple[str, Encoding, bytes | str]] = [
    ("keys, the last one twice", JSON, filled('{"z":0,', lambda at: f'"{at:x}":0,', '"z":0}')),
    ("keys, one twice at the end", JSON, filled("{", lambda at: f'"{at:x}":0,', '"z":0,"z":0}')),
    ("the same key", JSON, filled("{", lambda _: '"":0,', '"":0}')),
    ("unknown keys", JSON, filled('{"type":"move",', lambda at: f'"{at:x}":0,', '"z":0}')),
    ("escapes", JSON, filled('{"type":"', lambda _: "\\u0074", '"}')),
    ("backslashes", JSON, filled('{"type":"', lambda _: "\\\\", '"}')),
    ("digits", JSON, filled('{"type":"matches","id":', lambda _: "9", "}")),
    ("digits of a fraction", JSON, filled('{"type":"matches","id":0.', lambda _: "9", "}")),
    ("digits of an exponent", JSON, filled('{"type":"matches","id":1e-', lambda _: "9", "}")),
    ("white space", JSON, filled("{", lambda _: " ", "}")),
    ("maps side by side", JSON, filled('{"type":"matches","id":[', lambda _: "{},", "0]}")),
    ("lists in lists", JSON, filled('{"type":"matches","id":', lambda _: "[", "0}")),
    ("a name", JSON, filled('{"type":"hello","key":"","name":"', lambda _: "a", '"}')),
    ("lists in lists of bytes", MSGPACK, b"\x9f" * LARGEST_CLIENT_FRAME),
    ("maps in maps of bytes", MSGPACK, (b"\x8f\xa1a" * LARGEST_CLIENT_FRAME)[:LARGEST_CLIENT_FRAME]),
    ("nothing but headers", MSGPACK, b"\xdf\0\0\0\x10" * 819),
]


@pytest.mark.parametrize(("encoding", "frame"), [row[1:] for row in FULL_FRAMES], ids=[row[0] for row in FULL_FRAMES])
def test_the_largest_frame_is_refused_soon_whatever_fills_it(encoding: Encoding, frame: bytes | str) -> None:
    """Once a frame full of keys took 12 ms, since each key was looked for among all of them."""
    assert LARGEST_CLIENT_FRAME - 10 < len(frame) <= LARGEST_CLIENT_FRAME
    took = []
    for _ in range(5):
        began = process_time()
        with pytest.raises(WireError):
            encoding.decode_client(frame)
        took.append(process_time() - began)
    assert min(took) < 0.004


def test_the_repeated_key_is_named() -> None:
    with pytest.raises(WireError, match="the key 'name' stands twice"):
        JSON.decode_client(json.dumps(HELLO)[:-1] + ', "name": "Bob"}')

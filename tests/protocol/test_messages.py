"""Every message in both encodings, and the bounds of its fields."""

import re
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board import Status
from protocol.codec import ENCODINGS, LARGEST_CLIENT_FRAME, LARGEST_SERVER_FRAME, MSGPACK, Encoding, WireError
from protocol.messages import (
    CLIENT_MESSAGES,
    CLOCK_BOUNDS,
    DEFAULT_CLOCK,
    DEFAULT_GRACE,
    GRACE_BOUNDS,
    ClientMessage,
    Create,
    Matches,
    MatchRecord,
    Moved,
    ServerMessage,
)
from tests.engine.matches import hasty, race
from tests.protocol.wire import HELLO, KEY, MATCH, MOVE, SERVER_MESSAGES, messages_of

encodings = st.sampled_from(list(ENCODINGS.values()))


def read(plain: dict[str, Any]) -> ClientMessage:
    return MSGPACK.decode_client(msgpack.packb(plain))


def refused(plain: dict[str, Any]) -> WireError:
    with pytest.raises(WireError) as caught:
        read(plain)
    return caught.value


@pytest.mark.parametrize("kind", CLIENT_MESSAGES.values())
@settings(max_examples=40)
@given(data=st.data(), encoding=encodings)
def test_what_a_client_sends_is_read_as_it_was_written_and_fits_a_frame(
    kind: type[ClientMessage], data: st.DataObject, encoding: Encoding
) -> None:
    message = data.draw(messages_of(kind))
    frame = encoding.encode(message)
    assert encoding.decode_client(frame) == message
    assert len(frame.encode() if isinstance(frame, str) else frame) <= LARGEST_CLIENT_FRAME


@pytest.mark.parametrize("kind", SERVER_MESSAGES)
@settings(max_examples=40)
@given(data=st.data(), encoding=encodings)
def test_what_the_server_sends_is_read_as_it_was_written(
    kind: type[ServerMessage], data: st.DataObject, encoding: Encoding
) -> None:
    message = data.draw(messages_of(kind))
    assert encoding.decode_server(encoding.encode(message)) == message


def test_the_record_of_a_whole_match_fits_a_frame_of_the_server() -> None:
    record = race("calculation+redeal", 3, (hasty, hasty))
    for encoding in ENCODINGS.values():
        frame = encoding.encode(MatchRecord(match=record.match, record=record))
        assert len(frame) < LARGEST_SERVER_FRAME
        message = encoding.decode_server(frame)
        assert isinstance(message, MatchRecord)
        assert message.record == record


@pytest.mark.parametrize("kind", [*CLIENT_MESSAGES.values(), *SERVER_MESSAGES])
def test_every_message_says_what_it_is_in_a_lower_case_word_and_is_described(kind: type[msgspec.Struct]) -> None:
    config = kind.__struct_config__
    assert config.tag_field == "type"
    assert str(config.tag).islower()
    assert kind.__doc__


def test_no_two_messages_of_one_side_are_called_the_same() -> None:
    for kinds in (CLIENT_MESSAGES.values(), SERVER_MESSAGES):
        tags = [kind.__struct_config__.tag for kind in kinds]
        assert len(set(tags)) == len(tags)
    assert CLIENT_MESSAGES.keys() == {str(kind.__struct_config__.tag) for kind in CLIENT_MESSAGES.values()}
    assert len(CLIENT_MESSAGES) == len(ClientMessage.__subclasses__())
    assert len(SERVER_MESSAGES) == len(ServerMessage.__subclasses__())


def test_every_kind_of_client_message_takes_an_id_for_its_answer() -> None:
    assert all("id" in kind.__struct_fields__ for kind in CLIENT_MESSAGES.values())
    assert all("re" in kind.__struct_fields__ for kind in SERVER_MESSAGES)


def test_a_field_with_its_default_value_is_left_out_and_may_be() -> None:
    message = read({"type": "create", "game": "sir-tommy"})
    assert message == Create(game="sir-tommy", clock=DEFAULT_CLOCK, grace=DEFAULT_GRACE)
    assert msgpack.unpackb(MSGPACK.encode(message)) == {"type": "create", "game": "sir-tommy"}
    assert MSGPACK.encode(Matches()) == b"\x81\xa4type\xa7matches"


def test_a_moved_without_a_card_says_nothing_of_one() -> None:
    moved = Moved(match=MATCH, seat=0, n=2, move="hp1", status=Status.PLAYING, count=0, at=1234)
    assert "card" not in msgpack.unpackb(MSGPACK.encode(moved))


# The bounds


WITHIN = [
    HELLO | {"name": "x" * 24},
    HELLO | {"name": "Zoë 🂡"},
    HELLO | {"name": "right\N{RIGHT-TO-LEFT OVERRIDE}left\N{LINE SEPARATOR}\N{SOFT HYPHEN}"},
    HELLO | {"bot": "x" * 24},
    HELLO | {"host": "x" * 253},
    HELLO | {"client": "x" * 60},
    HELLO | {"id": 2**53 - 1},
    {"type": "create", "game": "x" * 60, "clock": CLOCK_BOUNDS[0], "grace": GRACE_BOUNDS[1]},
    {"type": "create", "game": "sir-tommy", "clock": CLOCK_BOUNDS[1], "grace": GRACE_BOUNDS[0]},
    MOVE | {"n": 1},
    MOVE | {"n": 1_000_000},
    MOVE | {"move": "x" * 12},
]

BEYOND = [
    (HELLO | {"name": ""}, "name"),
    (HELLO | {"name": "x" * 25}, "name"),
    (HELLO | {"name": "two\nlines"}, "name"),
    (HELLO | {"name": "a line feed at the end\n"}, "name"),
    (HELLO | {"name": "\x1b[2Jclears"}, "name"),
    (HELLO | {"name": "nul\x00"}, "name"),
    (HELLO | {"name": "delete\x7f"}, "name"),
    (HELLO | {"name": "a control of Latin-1\x9b2J"}, "name"),
    (HELLO | {"bot": ""}, "bot"),
    (HELLO | {"bot": "x" * 25}, "bot"),
    (HELLO | {"bot": "two\nlines"}, "bot"),
    (HELLO | {"host": ""}, "host"),
    (HELLO | {"host": "x" * 254}, "host"),
    (HELLO | {"signature": KEY}, "signature"),
    (HELLO | {"signature": KEY * 2 + "\n"}, "signature"),
    (HELLO | {"signature": (KEY * 2).upper()}, "signature"),
    (HELLO | {"key": KEY.upper()}, "key"),
    (HELLO | {"key": KEY[:-1]}, "key"),
    (HELLO | {"key": KEY + "0"}, "key"),
    (HELLO | {"key": KEY + "\n"}, "key"),
    (HELLO | {"client": "x" * 61}, "client"),
    (HELLO | {"id": -1}, "id"),
    (HELLO | {"id": 2**53}, "id"),
    ({"type": "play", "game": "x" * 61}, "game"),
    ({"type": "create", "game": "sir-tommy", "clock": CLOCK_BOUNDS[0] - 1}, "clock"),
    ({"type": "create", "game": "sir-tommy", "clock": CLOCK_BOUNDS[1] + 1}, "clock"),
    ({"type": "create", "game": "sir-tommy", "grace": GRACE_BOUNDS[0] - 1}, "grace"),
    ({"type": "create", "game": "sir-tommy", "grace": GRACE_BOUNDS[1] + 1}, "grace"),
    ({"type": "join", "match": MATCH[:-1]}, "match"),
    ({"type": "join", "match": MATCH + "a"}, "match"),
    ({"type": "join", "match": MATCH + "\n"}, "match"),
    ({"type": "join", "match": MATCH.upper()}, "match"),
    ({"type": "join", "match": "l" + MATCH[1:]}, "match"),
    ({"type": "ready", "match": MATCH, "commitment": "0" * 63}, "commitment"),
    ({"type": "ready", "match": MATCH, "commitment": "0" * 64 + "\n"}, "commitment"),
    ({"type": "reveal", "match": MATCH, "nonce": "g" * 32}, "nonce"),
    ({"type": "reveal", "match": MATCH, "nonce": "0" * 32 + "\n"}, "nonce"),
    (MOVE | {"n": -1}, "n"),
    (MOVE | {"n": 0}, "n"),
    (MOVE | {"n": 1_000_001}, "n"),
    (MOVE | {"move": ""}, "move"),
    (MOVE | {"move": "x" * 13}, "move"),
    ({"type": "resume", "match": MATCH, "n": -1}, "n"),
]


@pytest.mark.parametrize("plain", WITHIN, ids=str)
def test_a_field_takes_values_up_to_its_bounds(plain: dict[str, Any]) -> None:
    assert msgspec.to_builtins(read(plain)).items() <= plain.items()


@pytest.mark.parametrize(("plain", "field"), BEYOND, ids=str)
def test_a_value_out_of_bounds_is_refused_and_its_field_named(plain: dict[str, Any], field: str) -> None:
    error = refused(plain)
    assert error.code == "bad-message"
    assert re.search(rf"`(\$\.)?{field}`", error.why)
    assert error.why.startswith(plain["type"])


@pytest.mark.parametrize("kind", CLIENT_MESSAGES)
def test_an_unknown_field_is_refused_in_every_message(kind: str) -> None:
    assert "unknown field `undo`" in refused({"type": kind, "undo": True}).why


@pytest.mark.parametrize(("kind", "struct"), CLIENT_MESSAGES.items())
def test_a_field_without_a_default_may_not_be_missing(kind: str, struct: type[ClientMessage]) -> None:
    needed = [field for field in msgspec.structs.fields(struct) if field.required]
    if needed:
        assert "missing required field" in refused({"type": kind}).why


def test_the_messages_of_the_server_are_none_of_a_clients() -> None:
    assert refused({"type": "welcome", "server": "x"}).code == "unknown-type"

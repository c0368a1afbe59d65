"""How large, how deep and how long what a client sends may be: at the limit it is read, and one past it is not.

What is read is no message yet, so it is refused all the same, but with another code.
"""

import json
from typing import Any

import msgpack
import pytest

from protocol.codec import ENCODINGS, JSON, MSGPACK, Encoding, WireError
from tests.protocol.wire import HELLO, MOVE


def code(encoding: Encoding, plain: Any) -> str | None:
    """What a frame with this is refused with; None if it is a message."""
    frame = json.dumps(plain, ensure_ascii=False) if encoding is JSON else msgpack.packb(plain)
    try:
        encoding.decode_client(frame)
    except WireError as error:
        return error.code
    return None


def nested(levels: int, kind: type) -> Any:
    plain: Any = 1
    for _ in range(levels):
        plain = [plain] if kind is list else {"a": plain}
    return plain


both = pytest.mark.parametrize("encoding", ENCODINGS.values(), ids=ENCODINGS)


@both
@pytest.mark.parametrize("kind", [list, dict])
def test_a_message_is_nested_four_deep_at_most_itself_counted(encoding: Encoding, kind: type) -> None:
    assert code(encoding, MOVE | {"move": nested(3, kind)}) == "bad-message"
    assert code(encoding, MOVE | {"move": nested(4, kind)}) == "too-deep"


@both
@pytest.mark.parametrize("letter", ["x", "ü", "€", "🂡"])
def test_a_text_has_256_bytes_at_most(encoding: Encoding, letter: str) -> None:
    """Bytes of UTF-8, in whichever way the text is written."""
    fits = letter * (256 // len(letter.encode()))
    if len(fits) <= 253:
        assert code(encoding, HELLO | {"host": fits}) is None  # too long for no host
    assert code(encoding, MOVE | {"move": fits}) == "bad-message"
    assert code(encoding, {**MOVE, fits: 1}) == "bad-message"
    longer = fits + "x" * (257 - len(fits.encode()))
    for plain in (HELLO | {"host": longer}, MOVE | {"move": longer}, {**MOVE, longer: 1}, MOVE | {"move": [longer]}):
        assert code(encoding, plain) == "bad-frame"


def test_a_map_has_16_fields_and_a_list_16_items_at_most() -> None:
    for many, expected in ((16, "bad-message"), (17, "bad-frame")):
        fields = {**MOVE, **{f"field{number}": 1 for number in range(many - len(MOVE))}}
        assert code(MSGPACK, fields) == expected
        assert code(MSGPACK, MOVE | {"move": [1] * many}) == expected

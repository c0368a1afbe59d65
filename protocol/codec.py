"""The two encodings: msgpack in binary frames (`tommy.1`) and JSON in text frames (`tommy.1.json`).

What clients send is decoded with suspicion: within limits, every key once, every field known and in its bounds.
What the server sends is decoded plainly, since a client has chosen to trust it.
"""

import json
from abc import ABC, abstractmethod
from collections import Counter
from typing import Any, cast

import msgpack
import msgspec

from protocol.messages import CLIENT_MESSAGES, LARGEST_ID, AnyServerMessage, ClientMessage, ServerMessage

LARGEST_CLIENT_FRAME = 4096
"""Bytes; the server closes the connection (1009) on a larger one."""
LARGEST_SERVER_FRAME = 1 << 20

_DEEPEST = 4


class WireError(Exception):
    """A frame that is no message: `code` is one of `protocol.codes.STRIKES`; `id` is the message's, if it had one."""

    def __init__(self, code: str, why: str, request: int | None = None) -> None:
        super().__init__(why)
        self.code = code
        self.why = why
        self.request = request


class _DuplicateKeyError(ValueError):
    pass


class Encoding(ABC):
    """One way of writing messages into frames."""

    subprotocol: str

    @abstractmethod
    def encode(self, message: ServerMessage | ClientMessage) -> bytes | str:
        """The message as one frame: bytes for a binary one, text for a text one."""

    @abstractmethod
    def _plain(self, frame: bytes | str) -> Any:
        """The frame as plain data. Raises `WireError` or whatever the decoder raises."""

    @abstractmethod
    def decode_server(self, frame: bytes | str) -> AnyServerMessage:
        """A message of the server. Raises `WireError`."""

    def decode_client(self, frame: bytes | str) -> ClientMessage:
        """A message of a client, checked. Raises `WireError`, and says what is wrong where."""
        try:
            plain = self._plain(frame)
        except WireError:
            raise
        except _DuplicateKeyError as error:
            raise WireError("duplicate-key", f"the key {error} stands twice in one map") from None
        except (RecursionError, msgpack.exceptions.StackError):
            raise WireError("too-deep", "the message is nested too deeply") from None
        except (ValueError, TypeError, msgpack.exceptions.UnpackException) as error:
            detail = str(error)[:120] or type(error).__name__
            raise WireError("bad-frame", f"this is not a {self.subprotocol} message: {detail}") from None
        if not isinstance(plain, dict):
            raise WireError("bad-message", f"a message is a map, not {_kind(plain)}")
        request = plain.get("id")
        if type(request) is not int or not 0 <= request <= LARGEST_ID:
            request = None
        if _deeper(plain, _DEEPEST):
            raise WireError("too-deep", f"the message is nested more than {_DEEPEST} deep", request)
        kind = plain.pop("type", None)
        expected = CLIENT_MESSAGES.get(kind) if isinstance(kind, str) else None
        if expected is None:
            raise WireError("unknown-type", f"there is no message of type {str(kind)[:40]!r}", request)
        try:
            return msgspec.convert(plain, expected)
        except msgspec.ValidationError as error:
            raise WireError("bad-message", f"{kind}: {error}", request) from None


class Msgpack(Encoding):
    """`tommy.1`: msgpack maps in binary frames."""

    subprotocol = "tommy.1"
    _encoder = msgspec.msgpack.Encoder()
    _decoder = msgspec.msgpack.Decoder(AnyServerMessage)

    def encode(self, message: ServerMessage | ClientMessage) -> bytes:
        return self._encoder.encode(message)

    def _plain(self, frame: bytes | str) -> Any:
        if isinstance(frame, str):
            raise WireError("wrong-encoding", "tommy.1 takes binary frames with msgpack; this was a text frame")
        return msgpack.unpackb(
            frame,
            object_pairs_hook=_unique,
            max_str_len=256,
            max_bin_len=0,
            max_array_len=16,
            max_map_len=16,
            max_ext_len=0,
        )

    def decode_server(self, frame: bytes | str) -> AnyServerMessage:
        try:
            return self._decoder.decode(cast("bytes", frame))
        except (ValueError, TypeError, RecursionError) as error:
            raise WireError("bad-frame", f"the server's message cannot be read: {error}") from None


class Json(Encoding):
    """`tommy.1.json`: the same maps as JSON in text frames."""

    subprotocol = "tommy.1.json"
    _encoder = msgspec.json.Encoder()
    _decoder = msgspec.json.Decoder(AnyServerMessage)

    def encode(self, message: ServerMessage | ClientMessage) -> str:
        return self._encoder.encode(message).decode()

    def _plain(self, frame: bytes | str) -> Any:
        if not isinstance(frame, str):
            raise WireError("wrong-encoding", "tommy.1.json takes text frames with JSON; this was a binary frame")
        plain = json.loads(frame, object_pairs_hook=_unique, parse_constant=_no_constant)
        if "\\u" in frame:
            json.dumps(plain, ensure_ascii=False).encode()  # half a surrogate pair is no text, and raises here
        return plain

    def decode_server(self, frame: bytes | str) -> AnyServerMessage:
        try:
            return self._decoder.decode(frame)
        except (ValueError, TypeError, RecursionError) as error:
            raise WireError("bad-frame", f"the server's message cannot be read: {error}") from None


MSGPACK = Msgpack()
JSON = Json()
ENCODINGS: dict[str, Encoding] = {encoding.subprotocol: encoding for encoding in (MSGPACK, JSON)}
"""By subprotocol, the preferred one first."""


def _unique(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    plain = dict(pairs)
    if len(plain) < len(pairs):
        [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise _DuplicateKeyError(repr(key)[:40])
    return plain


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


def _deeper(plain: Any, levels: int) -> bool:
    """Whether plain data is nested more than `levels` deep."""
    if isinstance(plain, dict):
        return levels == 0 or any(_deeper(value, levels - 1) for value in plain.values() if type(value) in (dict, list))
    if isinstance(plain, list):
        return levels == 0 or any(_deeper(value, levels - 1) for value in plain if type(value) in (dict, list))
    return False


def _kind(plain: Any) -> str:
    return {list: "a list", str: "a text", int: "a number", float: "a number", bool: "a truth value"}.get(
        type(plain), "nothing"
    )

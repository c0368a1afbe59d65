"""The two encodings: msgpack in binary frames (`tommy.2`) and JSON in text frames (`tommy.2.json`).

What clients send is decoded with suspicion: within limits, every key once, every field known and in its bounds.
What the server sends is decoded plainly, since a client has chosen to trust it.
"""

import json
from abc import ABC, abstractmethod
from collections import Counter
from typing import Any, Protocol, TypeVar, cast

import msgpack
import msgspec

from protocol.messages import (
    CLIENT_MESSAGES,
    LARGEST_ID,
    SERVER_MESSAGES,
    AnyServerMessage,
    ClientMessage,
    ServerMessage,
)

LARGEST_CLIENT_FRAME = 4096
"""Bytes; the server closes the connection (1009) on a larger one."""
LARGEST_SERVER_FRAME = 1 << 20

_DEEPEST = 4
_LONGEST_TEXT = 256
"""Bytes of UTF-8."""

Told_co = TypeVar("Told_co", covariant=True)


class WireError(Exception):
    """A frame that is no message: `code` is one of `protocol.codes.STRIKES`; `id` is the message's, if it had one."""

    def __init__(self, code: str, why: str, request: int | None = None) -> None:
        super().__init__(why)
        self.code = code
        self.why = why
        self.request = request


class _DuplicateKeyError(ValueError):
    pass


class _AnyType(msgspec.Struct):
    """What every message of a server has."""

    type: str


class _Decoder(Protocol[Told_co]):
    """What the decoders of both encodings have in common. Raises `ValueError`, `TypeError` or `RecursionError`."""

    def decode(self, frame: Any, /) -> Told_co: ...


class Encoding(ABC):
    """One way of writing messages into frames."""

    subprotocol: str
    _texts_are_any: bool
    """Whether `_plain` takes every text, whatever is in it and however long it is."""
    _decoder: "_Decoder[AnyServerMessage]"
    _type_decoder: "_Decoder[_AnyType]"

    @abstractmethod
    def encode(self, message: ServerMessage | ClientMessage) -> bytes | str:
        """The message as one frame: bytes for a binary one, text for a text one."""

    @abstractmethod
    def _plain(self, frame: bytes | str) -> Any:
        """The frame as plain data. Raises `WireError` or whatever the decoder raises."""

    def decode_server(self, frame: bytes | str) -> AnyServerMessage | None:
        """A message of the server; None for one of a type that this version does not know. Raises `WireError`."""
        try:
            return self._decoder.decode(frame)
        except (ValueError, TypeError, RecursionError) as error:
            if self._is_new(frame):
                return None
            raise WireError("bad-frame", f"the server's message cannot be read: {error}") from None

    def _is_new(self, frame: bytes | str) -> bool:
        """Whether a frame is a message of a type that there is not in this version."""
        try:
            return self._type_decoder.decode(frame).type not in SERVER_MESSAGES
        except (ValueError, TypeError, RecursionError):
            return False

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
        request = plain.get("id") if isinstance(plain, dict) else None
        if type(request) is not int or not 0 <= request <= LARGEST_ID:
            request = None
        if _deeper(plain, _DEEPEST):
            raise WireError("too-deep", f"the message is nested more than {_DEEPEST} deep", request)
        if not isinstance(plain, dict):
            raise WireError("bad-message", f"a message is a map, not {_kind(plain)}")
        if self._texts_are_any and (wrong := _wrong_text(plain)) is not None:
            raise WireError("bad-frame", f"a text in the message {wrong}", request)
        kind = plain.pop("type", None)
        expected = CLIENT_MESSAGES.get(kind) if isinstance(kind, str) else None
        if expected is None:
            raise WireError("unknown-type", f"there is no message of type {str(kind)[:40]!r}", request)
        try:
            return msgspec.convert(plain, expected)
        except msgspec.ValidationError as error:
            raise WireError("bad-message", f"{kind}: {error}", request) from None


class Msgpack(Encoding):
    """`tommy.2`: msgpack maps in binary frames."""

    subprotocol = "tommy.2"
    _texts_are_any = False
    _encoder = msgspec.msgpack.Encoder()
    _decoder = cast("_Decoder[AnyServerMessage]", msgspec.msgpack.Decoder(AnyServerMessage))
    _type_decoder = cast("_Decoder[_AnyType]", msgspec.msgpack.Decoder(_AnyType))

    def encode(self, message: ServerMessage | ClientMessage) -> bytes:
        return self._encoder.encode(message)

    def _plain(self, frame: bytes | str) -> Any:
        if isinstance(frame, str):
            raise WireError("wrong-encoding", "tommy.2 takes binary frames with msgpack; this was a text frame")
        return msgpack.unpackb(
            frame,
            object_pairs_hook=_unique,
            max_str_len=_LONGEST_TEXT,
            max_bin_len=0,
            max_array_len=16,
            max_map_len=16,
            max_ext_len=0,
        )


class Json(Encoding):
    """`tommy.2.json`: the same maps as JSON in text frames."""

    subprotocol = "tommy.2.json"
    _texts_are_any = True
    _encoder = msgspec.json.Encoder()
    _decoder = cast("_Decoder[AnyServerMessage]", msgspec.json.Decoder(AnyServerMessage))
    _type_decoder = cast("_Decoder[_AnyType]", msgspec.json.Decoder(_AnyType))

    def encode(self, message: ServerMessage | ClientMessage) -> str:
        return self._encoder.encode(message).decode()

    def _plain(self, frame: bytes | str) -> Any:
        if not isinstance(frame, str):
            raise WireError("wrong-encoding", "tommy.2.json takes text frames with JSON; this was a binary frame")
        return json.loads(frame, object_pairs_hook=_unique, parse_constant=_no_constant)


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


def _wrong_text(plain: Any) -> str | None:
    """What is wrong with a text in plain data, which is not nested deeply; None if nothing is."""
    if isinstance(plain, str):
        if plain.isascii():
            too_long = len(plain) > _LONGEST_TEXT
        elif any("\ud800" <= character <= "\udfff" for character in plain):
            return "has half a surrogate pair in it, which is no text"
        else:
            too_long = len(plain.encode()) > _LONGEST_TEXT
        return f"has more than {_LONGEST_TEXT} bytes" if too_long else None
    parts = (*plain, *plain.values()) if isinstance(plain, dict) else plain if isinstance(plain, list) else ()
    for part in parts:
        if isinstance(part, str | dict | list) and (wrong := _wrong_text(part)) is not None:
            return wrong
    return None


def _kind(plain: Any) -> str:
    return {list: "a list", str: "a text", int: "a number", float: "a number", bool: "a truth value"}.get(
        type(plain), "nothing"
    )

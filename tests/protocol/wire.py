"""Messages of every kind, made up from what their Structs allow."""

import re
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from protocol.messages import CLIENT_MESSAGES, AnyServerMessage, ClientMessage, ServerMessage

SERVER_MESSAGES: tuple[type[ServerMessage], ...] = AnyServerMessage.__args__

LONGEST_TEXT = 256
"""Bytes of a text in a client's message."""
MATCH = "k7wq2m9x"
KEY = "0123456789abcdef" * 4
HELLO = {"type": "hello", "name": "Anna", "key": KEY, "host": "races.example.org", "signature": KEY * 2}
MOVE = {"type": "move", "match": MATCH, "n": 1, "move": "t"}


def _of_type(kind: inspect.Type) -> st.SearchStrategy[Any]:
    match kind:
        case inspect.IntType():
            low = -(2**53) if kind.ge is None else kind.ge
            return st.integers(low, 2**53 if kind.le is None else kind.le)
        case inspect.StrType():
            longest = kind.max_length or 64
            if kind.pattern is None:
                texts = st.text(min_size=kind.min_length or 0, max_size=longest)
                return texts.filter(lambda text: len(text.encode()) <= LONGEST_TEXT)
            return _written_as(kind.pattern).filter(lambda text: len(text) <= longest)
        case inspect.Metadata():
            pattern = re.compile((kind.extra_json_schema or {})["pattern"])
            return _of_type(kind.type).filter(pattern.fullmatch)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.LiteralType():
            return st.sampled_from(kind.values)
        case inspect.EnumType():
            return st.sampled_from(list(kind.cls))
        case inspect.UnionType():
            return st.one_of(*map(_of_type, kind.types))
        case inspect.ListType():
            return st.lists(_of_type(kind.item_type), max_size=3)
        case inspect.TupleType():
            return st.tuples(*map(_of_type, kind.item_types))
        case inspect.StructType():
            return st.builds(kind.cls, **{field.name: _of_type(field.type) for field in kind.fields})
        case _:
            raise TypeError(f"no strategy for {kind}")


def _written_as(pattern: str) -> st.SearchStrategy[str]:
    """Texts that match a pattern. One that forbids thousands of characters is looked up for each character."""
    forbidden = re.match(r"\^(\[\^.*\])\{1,(\d+)\}", pattern)
    if forbidden is None:
        return st.from_regex(pattern, fullmatch=True)
    allowed = re.compile(forbidden[1])
    characters = st.characters(codec="utf-8").filter(lambda character: allowed.match(character) is not None)
    return st.text(characters, min_size=1, max_size=int(forbidden[2]))


def messages_of(kind: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    """Any message of this kind, within the bounds of its fields."""
    return _of_type(inspect.type_info(kind))


client_messages: st.SearchStrategy[ClientMessage] = st.one_of(*map(messages_of, CLIENT_MESSAGES.values()))
server_messages: st.SearchStrategy[ServerMessage] = st.one_of(*map(messages_of, SERVER_MESSAGES))

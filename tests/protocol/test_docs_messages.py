"""docs/protocol.md lists every message and its fields, with their types and what it means to leave them out."""

import json
import re
from collections.abc import Iterator

import msgspec
import pytest

from engine.board import Status
from engine.forty_thieves import FortyThievesView
from engine.record import Record
from engine.result import Reason, Result
from engine.sir_tommy import SirTommyView
from protocol import messages as wire
from protocol.codec import JSON
from tests.protocol.page import TEXT, first_column, rows_of, under

PARTS: dict[type[msgspec.Struct], str] = {
    wire.GameInfo: "game info",
    wire.SeatInfo: "seat",
    Result: "result",
    SirTommyView: "sir-tommy view",
    FortyThievesView: "forty-thieves view",
    wire.ListedMatch: "listing",
    wire.PastMatch: "line",
    wire.Side: "side",
    wire.Rank: "rank",
}
NAMES: dict[type, str] = {**PARTS, Record: "record", Status: "status", Reason: "reason"}
"""How the page calls the types that are not plain ones."""
SERVER_MESSAGES: dict[str, type[msgspec.Struct]] = {
    str(kind.__struct_config__.tag): kind for kind in wire.AnyServerMessage.__args__
}

DASH = "\N{EN DASH}"
"""What stands where a field has to be there."""

# What the code says, in the words of the page


def _kind(kind: msgspec.inspect.Type) -> str:
    match kind:
        case msgspec.inspect.IntType(ge=None, le=None):
            return "whole number"
        case msgspec.inspect.IntType():
            return f"whole number, {kind.ge:,} to {kind.le:,}"
        case msgspec.inspect.BoolType():
            return "true or false"
        case msgspec.inspect.StrType():
            return _text_kind(kind)
        case msgspec.inspect.Metadata(extra_json_schema={"pattern": wire.NO_CONTROLS}):
            return "name" + _text_kind(kind.type).removeprefix("text")  # type: ignore[arg-type]
        case msgspec.inspect.LiteralType():
            return " or ".join(f"`{value}`" for value in kind.values)
        case msgspec.inspect.ListType():
            return "list of " + _plural(_kind(kind.item_type))
        case msgspec.inspect.StructType() | msgspec.inspect.EnumType():
            return NAMES[kind.cls]
        case msgspec.inspect.UnionType():
            return " or ".join(_kind(each) for each in kind.types)
        case msgspec.inspect.NoneType():
            return "null"
    raise TypeError(f"no word for {kind}")


def _text_kind(kind: msgspec.inspect.StrType) -> str:
    if kind.pattern is None:
        bounds = f"{kind.min_length} to {kind.max_length}" if kind.min_length else f"up to {kind.max_length}"
        return "text" if kind.max_length is None else f"text, {bounds} characters"
    if wire.MATCH_LETTERS in kind.pattern:
        return "match code"
    assert kind.pattern == f"^[0-9a-f]{{{kind.max_length}}}$"
    return f"{kind.max_length} hex digits"


def _plural(words: str) -> str:
    return re.sub(r"^(list(?= of)|whole number|game info|\w+)", r"\1s", words, count=1)


def _fields(struct: type[msgspec.Struct]) -> Iterator[tuple[str, str, str]]:
    """Each field as the page has it: its name, its type, and what it means to leave it out."""
    described = msgspec.inspect.type_info(struct)
    assert isinstance(described, msgspec.inspect.StructType)
    if struct in (SirTommyView, FortyThievesView):
        yield "family", "text", DASH
    for field in described.fields:
        kind, left_out = field.type, DASH
        if not field.required and struct.__struct_config__.omit_defaults:
            left_out = f"{field.default:,}" if type(field.default) is int else json.dumps(field.default)
            if field.default is None and isinstance(kind, msgspec.inspect.UnionType):
                (kind,) = (each for each in kind.types if not isinstance(each, msgspec.inspect.NoneType))
        yield field.encode_name, _kind(kind), left_out


def _documented(body: str) -> list[tuple[str, str, str]]:
    return [(row[0].strip("`"), row[1], row[2].strip("`")) for row in rows_of(body)]


# Messages


MESSAGES = [
    *(("What a client sends", name, kind, "id") for name, kind in wire.CLIENT_MESSAGES.items()),
    *(("What the server sends", name, kind, "re") for name, kind in SERVER_MESSAGES.items()),
    *(("Parts of messages", name, kind, "") for kind, name in PARTS.items()),
]


@pytest.mark.parametrize(("section", "name", "kind", "common"), MESSAGES, ids=lambda value: str(value)[:24])
def test_every_message_has_its_fields(section: str, name: str, kind: type[msgspec.Struct], common: str) -> None:
    assert _documented(under(section)[name]) == [field for field in _fields(kind) if field[0] != common]


@pytest.mark.parametrize(
    ("section", "common", "kind"),
    [
        ("What a client sends", "Every message from a client", wire.ClientMessage),
        ("What the server sends", "Every message from the server", wire.ServerMessage),
        ("Parts of messages", None, None),
    ],
)
def test_there_are_no_other_messages(section: str, common: str | None, kind: type[msgspec.Struct] | None) -> None:
    headings = set(under(section))
    if common is not None and kind is not None:
        assert _documented(under(section)[common]) == [("type", "text", DASH), *_fields(kind)]
        headings -= {common}
    assert headings == {name for where, name, _, _ in MESSAGES if where == section}


def test_the_server_writes_its_fields_in_the_order_of_the_tables() -> None:
    message = wire.Refused(re=1, code="stale", why="x", match="k7wq2m9x", n=3)
    assert list(json.loads(JSON.encode(message))) == [
        "type",
        "re",
        *first_column(under("What the server sends")["refused"]),
    ]


def test_match_codes_are_made_of_the_letters_the_page_names() -> None:
    letters = set("abcdefghijklmnopqrstuvwxyz") - set("ilo") | set("0123456789") - set("01")
    assert set(wire.MATCH_LETTERS) == letters
    assert "letters without `i`, `l` and `o`, and digits without `0` and `1`, eight of them" in " ".join(TEXT.split())
    assert wire.MATCH_LENGTH == 8

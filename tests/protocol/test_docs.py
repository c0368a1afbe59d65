"""docs/protocol.md says what the code does: its tables, its examples, and the match at its end, word for word."""

import inspect
import json
import re
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import connect

import engine.stuck
import protocol.codec
import server.app
import server.hub
import server.keeper
import server.limits
import server.lobby
import server.match
import server.past
import server.ranking
import server.session
from engine.board import ENDINGS, Status
from engine.cards import RANKS, SUITS, parse_card
from engine.deal import Deal, nonce_commitment
from engine.forty_thieves import FortyThievesBoard, FortyThievesRules, FortyThievesView
from engine.games import CATALOGUE, TWO_DECKS, variant
from engine.moves import parse_move
from engine.record import Record
from engine.result import Reason, Result
from engine.sir_tommy import PILES, SirTommyRules, SirTommyView
from protocol import messages as wire
from protocol.codec import ENCODINGS, JSON, LARGEST_CLIENT_FRAME, LARGEST_SERVER_FRAME, MSGPACK
from protocol.codes import CODES, HANDSHAKE, MOVES, REQUESTS, STRIKES
from server.app import RaceServer
from server.course import State
from server.events import Terms
from server.hub import nothing
from server.match import Match
from server.rating import FIRST_DEVIATION, FIRST_RATING
from server.settings import DEFAULT_PORT, Settings

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
TEXT = PAGE.read_text(encoding="utf-8")

PARTS: dict[type[msgspec.Struct], str] = {
    wire.GameInfo: "offer",
    wire.SeatInfo: "seat",
    Result: "result",
    SirTommyView: "sir-tommy view",
    FortyThievesView: "forty-thieves view",
    wire.ListedMatch: "listing",
    wire.PastMatch: "line",
    wire.PastSeat: "side",
    wire.Rank: "rank",
}
NAMES: dict[type, str] = {**PARTS, Record: "record", Status: "status", Reason: "reason"}
"""How the page calls the types that are not plain ones."""
SERVER_MESSAGES: dict[str, type[msgspec.Struct]] = {
    str(kind.__struct_config__.tag): kind for kind in wire.AnyServerMessage.__args__
}


DASH = "\N{EN DASH}"
"""What stands where a field has to be there."""

# The page, taken apart


def _parts(text: str, mark: str) -> dict[str, str]:
    """What stands under each heading of one level."""
    _, *parts = re.split(rf"^{mark} (.*)$", text, flags=re.MULTILINE)
    return {heading.strip("`"): body for heading, body in zip(parts[::2], parts[1::2], strict=True)}


SECTIONS = _parts(TEXT, "##")


def _under(section: str) -> dict[str, str]:
    return _parts(SECTIONS[section], "###")


def _rows(body: str) -> list[list[str]]:
    """The rows of the first table, without its head."""
    lines = [line for line in body.split("\n\n") if line.startswith("|")][:1]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in "".join(lines).split("\n")[2:]]


def _first_column(body: str) -> list[str]:
    return [row[0].strip("`") for row in _rows(body)]


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
    if kind.pattern == wire.PRINTABLE:
        return f"name, {kind.min_length} to {kind.max_length} characters"
    if wire.MATCH_LETTERS in kind.pattern:
        return "match code"
    assert kind.pattern == f"^[0-9a-f]{{{kind.max_length}}}$"
    return f"{kind.max_length} hex digits"


def _plural(words: str) -> str:
    return re.sub(r"^(list(?= of)|whole number|\w+)", r"\1s", words, count=1)


def _fields(struct: type[msgspec.Struct]) -> Iterator[tuple[str, str, str]]:
    """Each field as the page has it: its name, its type, and what it means to leave it out."""
    described = msgspec.inspect.type_info(struct)
    assert isinstance(described, msgspec.inspect.StructType)
    if struct in (SirTommyView, FortyThievesView):
        yield "family", "text", DASH
    for field in described.fields:
        kind, left_out = field.type, DASH
        if not field.required:
            left_out = f"{field.default:,}" if type(field.default) is int else json.dumps(field.default)
            if field.default is None and isinstance(kind, msgspec.inspect.UnionType):
                (kind,) = (each for each in kind.types if not isinstance(each, msgspec.inspect.NoneType))
        yield field.encode_name, _kind(kind), left_out


def _documented(body: str) -> list[tuple[str, str, str]]:
    return [(row[0].strip("`"), row[1], row[2].strip("`")) for row in _rows(body)]


# Messages

MESSAGES = [
    *(("What a client sends", name, kind, "id") for name, kind in wire.CLIENT_MESSAGES.items()),
    *(("What the server sends", name, kind, "re") for name, kind in SERVER_MESSAGES.items()),
    *(("Parts of messages", name, kind, "") for kind, name in PARTS.items()),
]


@pytest.mark.parametrize(("section", "name", "kind", "common"), MESSAGES, ids=lambda value: str(value)[:24])
def test_every_message_has_its_fields(section: str, name: str, kind: type[msgspec.Struct], common: str) -> None:
    assert _documented(_under(section)[name]) == [field for field in _fields(kind) if field[0] != common]


@pytest.mark.parametrize(
    ("section", "common", "kind"),
    [
        ("What a client sends", "Every message from a client", wire.ClientMessage),
        ("What the server sends", "Every message from the server", wire.ServerMessage),
        ("Parts of messages", None, None),
    ],
)
def test_there_are_no_other_messages(section: str, common: str | None, kind: type[msgspec.Struct] | None) -> None:
    headings = set(_under(section))
    if common is not None and kind is not None:
        assert _documented(_under(section)[common]) == [("type", "text", DASH), *_fields(kind)]
        headings -= {common}
    assert headings == {name for where, name, _, _ in MESSAGES if where == section}


def test_the_server_writes_its_fields_in_the_order_of_the_tables() -> None:
    message = wire.Refused(re=1, code="stale", why="x", match="k7wq2m9x", n=3)
    assert list(json.loads(JSON.encode(message))) == [
        "type",
        "re",
        *_first_column(_under("What the server sends")["refused"]),
    ]


def test_match_codes_are_made_of_the_letters_the_page_names() -> None:
    letters = set("abcdefghijklmnopqrstuvwxyz") - set("ilo") | set("0123456789") - set("01")
    assert set(wire.MATCH_LETTERS) == letters
    assert "letters without `i`, `l` and `o`, and digits without `0` and `1`, eight of them" in " ".join(TEXT.split())
    assert wire.MATCH_LENGTH == 8


# Codes and words


@pytest.mark.parametrize(
    ("heading", "codes"),
    [
        ("Codes of strikes", STRIKES),
        ("Codes of the handshake", HANDSHAKE),
        ("Codes of requests", REQUESTS),
        ("Codes of moves", MOVES),
    ],
)
def test_every_code_stands_in_its_table_with_its_meaning(heading: str, codes: dict[str, str]) -> None:
    assert [(row[0].strip("`"), row[1]) for row in _rows(_under("Refusals")[heading])] == list(codes.items())


def test_the_six_codes_of_strikes_are_the_first() -> None:
    assert next(iter(_under("Refusals"))) == "Codes of strikes"
    assert len(STRIKES) == 6


def test_every_code_of_a_request_is_named_where_it_can_come_and_none_that_is_none() -> None:
    named = set()
    for body in _under("What a client sends").values():
        for refused in re.findall(r"Refused:(.*?)(?:\n\n|\Z)", body, flags=re.DOTALL):
            named |= set(re.findall("`([a-z-]+)`", refused))
    everywhere = {"store-failed"}
    assert named <= CODES.keys()
    assert named | everywhere == REQUESTS.keys() | {"already-greeted"}


def _words(heading: str) -> set[str]:
    return set(_first_column(_under("Words")[heading]))


def test_the_words_are_those_of_the_code() -> None:
    assert _words("States") == set(State)
    assert _words("Statuses") == set(Status)
    assert _words("Reasons") == set(Reason)
    assert _first_column(SECTIONS["The life of a match"]) == list(State)


def test_the_entries_that_are_words_are_those_of_the_engine() -> None:
    rows = [[cell.strip("`") for cell in row] for row in _rows(_under("Words")["Entries that are words"])]
    assert {entry: status for entry, status, _ in rows} == ENDINGS
    assert {entry for entry, _, who in rows if who == "the player"} == set(server.match.PLAYERS_WORDS)


def test_the_reasons_to_abort_are_those_of_a_match() -> None:
    match = Match(Terms(match="k7wq2m9x", game="sir-tommy", clock=1, grace=1, listed=True, secret="00" * 32, created=0))
    assert _words("Reasons to abort") == set(_ways_to_abort(match)) | {"left"}


def _ways_to_abort(match: Match) -> Iterator[str]:
    for state in State:
        match.state = state
        _, why = match._limit()
        if why:
            yield why


# Limits


def _in_source(module: Any, name: str) -> int:
    """The number that a source file gives as a named argument."""
    (number,) = set(re.findall(rf"\b{name}=(\d+)", inspect.getsource(module)))
    return int(number)


LIMITS = {
    "to say hello": f"{server.app.HELLO_WITHIN:.0f} seconds",
    "between two pings": f"{_in_source(server.app, 'ping_interval')} seconds",
    "for a pong": f"{_in_source(server.app, 'ping_timeout')} seconds",
    "strikes on one connection": f"{server.session.STRIKES}",
    "a frame from a client": f"{LARGEST_CLIENT_FRAME:,} bytes",
    "a frame from the server, at most": f"{LARGEST_SERVER_FRAME:,} bytes",
    "what a client may leave unread": f"{server.session.UNREAD_LIMIT:,} bytes",
    "nesting in a client's message": f"{protocol.codec._DEEPEST} levels",
    "a text in a client's message": f"{_in_source(protocol.codec, 'max_str_len')} bytes of UTF-8",
    "fields of a map, items of a list": f"{_in_source(protocol.codec, 'max_map_len')}",
    "a waiting match": f"{server.match.WAITING_LIMIT:,} ms",
    "to be ready": f"{server.match.READY_LIMIT:,} ms",
    "to reveal": f"{server.match.REVEAL_LIMIT:,} ms",
    "the countdown": f"{server.match.COUNTDOWN:,} ms",
    "the match clock, at least": f"{wire.CLOCK_BOUNDS[0]:,} ms",
    "the match clock, at most": f"{wire.CLOCK_BOUNDS[1]:,} ms",
    "the match clock, if nothing is said": f"{wire.DEFAULT_CLOCK:,} ms",
    "the grace period, at least": f"{wire.GRACE_BOUNDS[0]:,} ms",
    "the grace period, at most": f"{wire.GRACE_BOUNDS[1]:,} ms",
    "the grace period, if nothing is said": f"{wire.DEFAULT_GRACE:,} ms",
    "a player's moves on one board": f"{server.match.LONGEST_LOG:,}",
    "open matches of one player": f"{server.lobby.MATCHES_OF_A_PLAYER}",
    "matches on one server": f"{server.lobby.MOST_TABLES:,}",
    "ended matches a connection keeps its seats in": f"{server.hub.ENDED_SEATS_KEPT}",
    "matches in the list": f"{server.keeper.LONGEST_LIST}",
    "own matches that have ended, in one answer": f"{wire.MOST_PAST}",
    "own matches that have ended, in all": f"{server.past.LONGEST_PAST:,}",
    "players in a ranking": f"{server.ranking.LONGEST_RANKING}",
    "silence on a connection that neither plays nor watches": f"{server.session.IDLE_LIMIT:.0f} seconds",
}


def test_the_limits_are_those_of_the_code() -> None:
    assert {row[0]: row[1] for row in _rows(SECTIONS["Times and limits"])} == LIMITS
    assert _in_source(protocol.codec, "max_array_len") == _in_source(protocol.codec, "max_map_len")
    hosts, page = server.limits.Limits(), " ".join(SECTIONS["Times and limits"].split())
    assert f"may have {hosts.sockets} connections open, make {hosts.arrivals:.0f} new ones a second after the" in page
    assert f"after the first {hosts.arrivals_burst}, and have made {hosts.matches} open matches" in page
    assert f"more than {hosts.messages:.0f} messages a second, after the first {hosts.messages_burst}," in page


def test_limits_in_the_text_are_those_of_the_table() -> None:
    minutes, seconds = server.match.WAITING_LIMIT // 60_000, server.match.REVEAL_LIMIT // 1000
    given_up = [row[3] for row in _rows(SECTIONS["The life of a match"])]
    assert given_up[:3] == [
        f"{minutes} minutes: `nobody-came`",
        f"{server.match.READY_LIMIT // 60_000} minutes: `not-ready`",
        f"{seconds} seconds: `not-revealed`",
    ]
    assert f"port {DEFAULT_PORT}" in SECTIONS["Connecting"]
    assert f"last {server.hub.ENDED_SEATS_KEPT} matches" in SECTIONS["The end"]
    assert f"deviation above {server.ranking.PROVISIONAL} a rating is" in SECTIONS["The end"]
    assert f"at {FIRST_RATING:.0f} with a deviation of {FIRST_DEVIATION:.0f};" in SECTIONS["The end"]
    assert f"within {server.app.HELLO_WITHIN:.0f} seconds" in SECTIONS["Hello, and who you are"]


def test_the_close_codes_are_those_that_the_server_uses() -> None:
    source = inspect.getsource(server.session) + inspect.getsource(server.app)
    used = {int(code) for code in re.findall(r"\b(1\d{3}|4\d{3})\b", source)} - {1024}
    by_the_library = {1009, 1011}
    assert {int(code) for code in _first_column(SECTIONS["Close codes"])} == used | by_the_library
    assert {server.session.REPLACED, server.app.RESTART} < used


def test_the_subprotocols_are_named() -> None:
    assert list(ENCODINGS) == ["tommy.1", "tommy.1.json"]
    assert all(name.startswith(f"tommy.{wire.VERSION}") for name in ENCODINGS)
    assert all(f"- `{name}`" in SECTIONS["Two encodings"] for name in ENCODINGS)


# Games and moves


def _games(family: str) -> dict[str, list[str]]:
    """The rows of a family's table, by the name of the game."""
    return {row[0].strip("`"): row[1:] for row in _rows(_under("Games, moves and boards")[f"The {family} family"])}


def test_the_games_are_those_of_the_catalogue() -> None:
    assert [*_games("Sir Tommy"), *_games("Forty Thieves")] == list(CATALOGUE)


def test_the_games_of_the_sir_tommy_family_are_as_the_catalogue_has_them() -> None:
    for name, (options, cards, moves, foundations) in _games("Sir Tommy").items():
        game = CATALOGUE[name]
        assert isinstance(game.rules, SirTommyRules)
        assert tuple(options.replace("`", "").split()) == game.options
        assert int(cards) == len(game.cards)
        assert moves.replace("`", "").split() == ["t", "hf", "hp", "pf"] + ["pp"] * game.rules.pile_to_pile
        sequences = [" ".join(RANKS[rank - 1] for rank in sequence) for sequence in game.rules.sequences]
        if len(set(sequences)) > 1:
            assert foundations == "; ".join(f"{number}: {each}" for number, each in enumerate(sequences, start=1))
        else:
            assert foundations == sequences[0] + "; the leftmost that takes the card" * game.rules.leftmost
        assert (PILES, len(sequences)) == (4, 4)


def test_the_games_of_the_forty_thieves_family_are_as_the_catalogue_has_them() -> None:
    for name, (options, cards, layout, stock, foundations, built) in _games("Forty Thieves").items():
        game = CATALOGUE[name]
        rules, board = game.rules, game.rules.board(Deal(game.cards, game.cards))
        assert isinstance(rules, FortyThievesRules)
        assert isinstance(board, FortyThievesBoard)
        assert tuple(options.replace("`", "").split()) == game.options
        assert int(cards) == len(game.cards) == board.total
        assert layout == f"{rules.columns} x {rules.rows}"
        assert [len(column) for column in board.columns] == [rules.rows] * rules.columns
        assert int(stock) == board.stock
        assert foundations == f"{len(board.foundations)}" + ", the aces there" * rules.aces_first
        assert board.count == 8 * rules.aces_first
        expected = "in alternating colours" if rules.alternating else "in suit"
        assert built == expected + "; a sequence moves as a whole" * rules.whole_sequences


def test_the_suits_of_the_foundations_are_those_of_the_engine() -> None:
    body = " ".join(_under("Games, moves and boards")["The Forty Thieves family"].split())
    board = variant("forty-thieves").board(Deal(TWO_DECKS, TWO_DECKS))
    assert isinstance(board, FortyThievesBoard)
    for suit, name in zip("cdhs", ("clubs", "diamonds", "hearts", "spades"), strict=True):
        one, other = board.fitting(parse_card(f"A{suit}"))
        assert f"{one} and {other} in {name}" in body
    assert f"through {engine.stuck.BUDGET:,} positions" in body


def test_the_games_with_starters_are_named() -> None:
    named = re.search(
        r"In (`[^|]*?)\s+the first card of each foundation lies there", SECTIONS["Games, moves and boards"], re.DOTALL
    )
    assert named is not None
    with_starters = {name for name in _games("Sir Tommy") if getattr(CATALOGUE[name].rules, "starters", False)}
    assert set(re.findall("`([a-z-]+)`", named[1])) == with_starters


@pytest.mark.parametrize(
    ("family", "expected"),
    [
        ("Sir Tommy", ["t", "hf2", "hp3", "p3f1", "p1p2", "r"]),
        ("Forty Thieves", ["t", "wf8", "wc10", "c4f1", "c4c12", "c4c12x3"]),
    ],
)
def test_every_move_of_the_notation_can_be_read(family: str, expected: list[str]) -> None:
    body = _under("Games, moves and boards")[f"The {family} family"].split("| move | what it does")[1]
    moves = re.findall(r"^\| `(\w+)` \|", body, flags=re.MULTILINE)
    assert moves == expected
    for move in moves:
        assert str(parse_move(move)) == move


def test_the_cards_are_those_of_the_engine() -> None:
    assert f"`{' '.join(RANKS)}`, and a suit, `{' '.join(SUITS)}`" in SECTIONS["Games, moves and boards"]


# Examples


def _example_of(start: str) -> tuple[str, bytes]:
    """The JSON of an example and the bytes that stand below it."""
    found = re.search(r"`(" + re.escape(start) + r".*?)`.*?```hex\n(.*?)```", SECTIONS["Byte by byte"], re.DOTALL)
    assert found is not None
    lines = [re.match(r"(?:[0-9a-f]{2} )*[0-9a-f]{2}(?= |$)", line) for line in found[2].splitlines()]
    return found[1], bytes.fromhex(" ".join(line[0] for line in lines if line))


@pytest.mark.parametrize("name", ["hello", "move"])
def test_the_bytes_of_a_clients_message_are_those_of_the_codec(name: str) -> None:
    text, frame = _example_of(f'{{"type":"{name}"')
    message = JSON.decode_client(text)
    assert MSGPACK.encode(message) == frame
    assert MSGPACK.decode_client(frame) == message
    assert f"is {len(frame)} bytes" in SECTIONS["Byte by byte"]


def test_the_bytes_of_the_servers_answer_are_those_of_the_codec() -> None:
    text, frame = _example_of('{"type":"moved"')
    message = JSON.decode_server(text)
    assert MSGPACK.encode(message) == frame
    assert JSON.encode(message) == text
    assert f"is {len(frame)} bytes" in SECTIONS["Byte by byte"]


def test_the_notes_beside_the_bytes_are_right() -> None:
    """A quoted text stands beside its own bytes, after one byte or none for its length."""
    blocks = re.findall("```hex\n(.*?)```", SECTIONS["Byte by byte"], re.DOTALL)
    noted = [re.match(r'([0-9a-f ]+?)  +"(.*?)"', line) for block in blocks for line in block.splitlines()]
    pairs = [(bytes.fromhex(line[1]), line[2].encode()) for line in noted if line]
    assert len(pairs) > 30
    for raw, text in pairs:
        assert raw in (text, bytes((0xA0 | len(text),)) + text)


SECRET = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
NONCES = ("202122232425262728292a2b2c2d2e2f", "303132333435363738393a3b3c3d3e3f")
CODE = "k7wq2m9x"


def test_the_example_of_a_nonce_commitment_is_right() -> None:
    body = SECTIONS["The nonces"]
    expected = nonce_commitment(bytes.fromhex(NONCES[0]), CODE, 0)
    assert all(f"`{value}`" in body for value in (NONCES[0], CODE, expected))
    lengths = [int(length, 16) for length in re.findall("0000[0-9a-f]{4}", body)]
    assert lengths == [len("tommy-race nonce"), len(NONCES[0]) // 2, len(CODE), len("0")]


# The match at the end


def _lines() -> Iterator[tuple[int, str, str, str]]:
    """Each line: when, who, whether sent (">") or heard ("<"), and the message, its hex digits cut off."""
    (script,) = re.findall("```transcript\n(.*?)```", TEXT, re.DOTALL)
    for line in re.sub(r"\n {10,}", "", script).splitlines():
        found = re.fullmatch(r" *(\d+)  (\w+) ([<>]) (\{.*\})", line)
        assert found is not None, line
        yield int(found[1]), found[2], found[3], found[4]


def _cut(text: str) -> str:
    return re.sub("[0-9a-f]{32,}", lambda digits: f"{digits[0][:4]}…", text)


def _whole(text: str) -> str:
    """A client's message with all its hex digits."""
    hexes = ["5ca1ab1e" * 4, "0ddba115" * 4, *NONCES]
    hexes += [nonce_commitment(bytes.fromhex(nonce), CODE, seat) for seat, nonce in enumerate(NONCES)]
    for each in hexes:
        text = text.replace(_cut(each), each)
    assert "…" not in text
    return text


class Clock:
    """What the server takes for the time."""

    def __init__(self) -> None:
        self.now = 0

    def read(self) -> int:
        return 1_700_000_000_000 + self.now


async def test_the_match_at_the_end_is_what_a_server_says(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, kinds = Clock(), set()
    monkeypatch.setattr(secrets, "token_hex", lambda _bytes: SECRET)
    race = RaceServer(Settings(host="127.0.0.1", port=0, store="memory:", bots=0))
    race.version = "0.1.0"
    monkeypatch.setattr(race.hub, "now", clock.read)
    monkeypatch.setattr(race.hub.ledger, "now", clock.read)
    monkeypatch.setattr(server.lobby, "new_code", lambda: CODE)
    monkeypatch.setattr(server.keeper, "BEAT_EVERY", 3600)
    url = f"ws://127.0.0.1:{await race.open()}"
    people = {
        name: await connect(url, subprotocols=["tommy.1.json"], proxy=None, max_queue=None)  # type: ignore[list-item]
        for name in ("Ada", "Bob")
    }
    try:
        for clock.now, who, direction, text in _lines():
            if direction == ">":
                await people[who].send(_whole(text))
            else:
                for table in list(race.hub.tables.values()):
                    await race.hub.act(table, nothing)
                assert _cut(str(await people[who].recv())) == text
            kinds.add(json.loads(text)["type"])
        await people["Ada"].send(json.dumps({"type": "matches", "id": 99}))
        assert json.loads(await people["Ada"].recv()) == {"type": "matches", "re": 99, "matches": []}
    finally:
        for socket in people.values():
            await socket.close()
        await race.close()
    assert {"hello", "welcome", "create", "join", "match", "ready", "reveal", "board", "move", "moved"} < kinds


# The page itself


def _anchor(heading: str, seen: Callable[[str], int]) -> str:
    plain = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    return f"{plain}-{before}" if (before := seen(plain)) else plain


def _anchors(text: str) -> set[str]:
    counts: defaultdict[str, int] = defaultdict(int)

    def seen(plain: str) -> int:
        counts[plain] += 1
        return counts[plain] - 1

    return {_anchor(heading, seen) for heading in re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)}


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)]*)\)", TEXT):
        path, _, anchor = target.partition("#")
        if path.startswith("https:"):
            continue
        page = PAGE.parent / path if path else PAGE
        assert page.exists(), target
        if anchor:
            assert anchor in _anchors(page.read_text(encoding="utf-8")), target

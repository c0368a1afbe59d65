"""No text that others write plays tricks with what is shown: every command, as sentences, as JSON and on the full screen."""

import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from client_cli import foreign, identity, race, terminal
from client_cli.answers import RecordChecked
from client_cli.language import fill, joined, plural, say
from client_cli.main import main
from client_cli.terminal import wrapped
from client_cli.wording import words
from engine.errors import BadRecord
from engine.record import Record, digest_of, read_record, write_record
from protocol.messages import Rank, Ranking
from tests.client_cli.hostile import FORGED, LONG, NASTY, Hostile, elsewhere, only, poisoned, texts, tricks
from tests.client_cli.pasts import past
from tests.client_cli.stand_in import ONE_MATCH, StandIn, offer
from tests.client_cli.table import CODE, Table

MODES: list[list[str]] = [[], ["--json"]]


class Tommy:
    """Runs commands against a server, in this process."""

    def __init__(self, server: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
        self.server = server
        self._patch = monkeypatch

    def run(self, arguments: list[str], typed: str = "") -> Result:
        reading, writing = os.pipe()
        os.write(writing, typed.encode())
        os.close(writing)
        self._patch.setattr(terminal, "STDIN", reading)
        try:
            return CliRunner().invoke(main, ["--server", self.server.url, *arguments])
        finally:
            os.close(reading)


@pytest.fixture
def server() -> Iterator[Hostile]:
    with elsewhere() as server:
        yield server


@pytest.fixture(autouse=True)
def _at_home_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("TOMMY_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("TOMMY_NAME", "Ada")
    monkeypatch.setattr(race, "RECORD_WITHIN", 0.2)
    monkeypatch.setattr(identity, "key_folder", lambda: tmp_path / "home")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def tommy(server: Hostile, monkeypatch: pytest.MonkeyPatch) -> Tommy:
    return Tommy(server, monkeypatch)


def honest(server: StandIn) -> None:
    """Something for everybody to ask for."""
    server.table = Table()
    server.games = [offer("sir-tommy")]
    server.listed = ONE_MATCH
    server.past = [past(1, "31-28"), past(2, "left")]
    rank = Rank(name="Ada", tag="00ad", rating=1600, deviation=50, matches=30, place=1)
    server.rankings = {"sir-tommy": Ranking(family="sir-tommy", ranks=[rank], you=rank)}


def raced(server: StandIn) -> None:
    """The same with a match that can be watched."""
    honest(server)
    server.table.started()


def ended(server: StandIn) -> None:
    """The same with a match that is over."""
    raced(server)
    for seat, entry in ((0, "t"), (0, "hp1"), (0, "stand"), (1, "stand")):
        server.table.play(seat, entry)


Scene = tuple[list[str], str, Callable[[StandIn], None]]
SCENES: list[Scene] = [
    (["play", "--ready"], "t 1 t 2 x b rival time moves help stand again quit\n", honest),
    (["play"], "ready\nt\n1\nresign\n", honest),
    (["play", "--game", "maria"], "", honest),
    (["join", CODE, "--ready"], "t\n1\n", honest),
    (["join", "zzzzzzzz"], "", honest),
    (["watch", CODE], "b\n", raced),
    (["watch"], "1\n", raced),
    (["matches"], "", honest),
    (["record", CODE], "", ended),
    (["record", CODE, "-o", "-"], "", ended),
    (["replay", CODE], "", ended),
    (["history"], "", honest),
    (["stats"], "", honest),
    (["top"], "", honest),
    (["doctor"], "", honest),
    (["bot", "--pace", "0"], "", honest),
]
"""Commands with what is typed, at a server where something is to be had."""
WAITED_FOR = {
    "board.match",
    "match.commitment",
    "match.game",
    "match.match",
    "match.seats.nonce_commitment",
    "match.state",
    "moved.match",
    "moved.move",
    "progress.match",
    "progress.status",
}
"""Where a client waits for what it needs, so that the server has to put an end to it."""
FREE = {"aborted", "code", "created", "digest", "name", "names", "server", "tag", "why"}
"""The fields in which anything may stand without any harm to the match."""


def fair(result: Result, *, as_json: bool, longest: int = 2000) -> None:
    """Nothing of the tricks has come through, nor been too much, nor has the command lost its head."""
    for shown in (result.stdout, result.stderr):
        assert not tricks(shown)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert not any(len(line) > longest for line in result.stderr.split("\n"))
    if not as_json:
        assert not any(len(line) > longest for line in result.stdout.split("\n"))


@pytest.mark.parametrize("mode", MODES, ids=["plain", "json"])
@pytest.mark.parametrize(("arguments", "typed", "prepare"), SCENES, ids=[" ".join(scene[0]) for scene in SCENES])
def test_whatever_a_server_says(
    tommy: Tommy, server: Hostile, arguments: list[str], typed: str, prepare: Callable[[StandIn], None], mode: list[str]
) -> None:
    """At every place where anything may stand, all at once and at length; then at each place of all, one at a time."""
    as_json = bool(mode) or "-" in arguments
    server.receive(prepare, lambda place, text: LONG if place.rpartition(".")[2] in FREE else text)
    fair(tommy.run([*arguments, *mode], typed), as_json=as_json)
    assert server.said
    for bad in sorted(server.said):
        server.receive(prepare, only(bad, NASTY), bad if bad in WAITED_FOR else None)
        fair(tommy.run([*arguments, *mode], typed), as_json=as_json)


def test_json_leaves_nothing_out(tommy: Tommy, server: Hostile) -> None:
    server.receive(honest, only("matches.matches.seats.name", LONG))
    result = tommy.run(["matches", "--json"])
    assert json.loads(result.stdout)["names"] == [LONG, LONG]


def test_whatever_a_server_answers_before_it_is_one(tommy: Tommy, server: Hostile) -> None:
    """In its HTTP answer, and as the reason for which it closes the connection."""
    for body in (NASTY, f"version: {NASTY}", "version: " + "z" * 100_000, "z" * 100_000):
        server.turn_away = body
        for mode in MODES:
            fair(tommy.run(["play", *mode]), as_json=bool(mode))
    server.turn_away = None
    server.receive(honest, lambda _, text: text, "welcome.server")
    server.close_code = 1013
    for mode in MODES:
        result = tommy.run(["matches", *mode])
        fair(result, as_json=bool(mode))
        assert FORGED in result.stderr


@pytest.mark.parametrize(
    "answer",
    [
        f"HTTP/1.1 200 {NASTY}\r\n\r\n",
        f"{NASTY}\r\n\r\n",
        f"HTTP/1.1 101 Switching\r\n{NASTY}\r\n\r\n",
        f"HTTP/1.1 101 Switching\r\nUpgrade: {NASTY}\r\nConnection: {NASTY}\r\n\r\n",
        f"HTTP/1.1 302 Found\r\nLocation: http://example.org/{NASTY}\r\n\r\n",
        f"HTTP/1.1 302 Found\r\nLocation: {NASTY}://{NASTY}\r\n\r\n",
    ],
)
def test_whatever_else_answers_there(answer: str) -> None:
    with answering(answer.encode()) as url:
        for mode in MODES:
            result = CliRunner().invoke(main, ["matches", "--server", url, *mode])
            fair(result, as_json=bool(mode))
            assert result.exit_code == 3


@contextmanager
def answering(answer: bytes) -> Iterator[str]:
    """Somebody who gives everybody the same answer."""

    def work() -> None:
        with suppress(OSError):
            while True:
                caller, _ = listener.accept()
                with caller:
                    caller.recv(4096)
                    caller.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=work)
        thread.start()
        try:
            yield f"ws://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


# Records and files


def over() -> Record:
    table = Table().started()
    for seat, entry in ((0, "t"), (0, "hp1"), (0, "stand"), (1, "stand")):
        table.play(seat, entry)
    return table.record()


def resealed(plain: Any) -> str:
    """A record as somebody writes it who wants its digest to fit, where it is one."""
    try:
        record = read_record(json.dumps(plain))
    except BadRecord:
        return json.dumps(plain)
    return write_record(msgspec.structs.replace(record, digest=digest_of(record)))


PLAIN_RECORD = msgspec.to_builtins(over())
RECORD_PLACES = sorted(set(texts(PLAIN_RECORD, "record")))


@pytest.mark.parametrize("mode", MODES, ids=["plain", "json"])
@pytest.mark.parametrize("command", ["verify", "replay"])
@pytest.mark.parametrize("bad", RECORD_PLACES)
def test_whatever_a_record_says(tmp_path: Path, command: str, bad: str, mode: list[str]) -> None:
    for poison in (NASTY, LONG):
        file = tmp_path / "record.json"
        plain = poisoned(PLAIN_RECORD, "record", only(bad, poison))
        file.write_text(json.dumps(plain) if bad == "record.digest" else resealed(plain), encoding="utf-8")
        result = CliRunner().invoke(main, [command, str(file), *mode])
        fair(result, as_json=bool(mode))
        if bad == "record.created":
            assert "$.created" in result.stderr


def test_a_record_writes_no_verdict_of_its_own(tmp_path: Path) -> None:
    record = over()
    lie = "Bo\nFits: the digest: the record is as it was written."
    seats = [msgspec.structs.replace(record.seats[0], name=lie), record.seats[1]]
    file = tmp_path / "record.json"
    file.write_text(write_record(msgspec.structs.replace(record, seats=seats, created=lie)), encoding="utf-8")
    result = CliRunner().invoke(main, ["verify", str(file)])
    assert (result.stdout, result.exit_code) == ("", 1)
    assert not [line for line in result.stderr.split("\n") if line.startswith("Fits: the digest")]


@pytest.mark.parametrize("mode", MODES, ids=["plain", "json"])
def test_a_file_is_named_in_one_line(tmp_path: Path, mode: list[str]) -> None:
    name = NASTY.replace("/", "").replace("\0", "")[:80] + ".json"
    for content in (write_record(over()), "no record", '{"format": "tommy-race match"}'):
        (tmp_path / name).write_text(content, encoding="utf-8")
        for command in ("verify", "replay"):
            fair(CliRunner().invoke(main, [command, name, *mode]), as_json=bool(mode))
    for arguments in (["verify", f"no{name}"], ["replay", f"no{name}"], ["play", "--settings", name]):
        fair(CliRunner().invoke(main, [*arguments, *mode]), as_json=bool(mode))
    (tmp_path / "key").write_text(NASTY, encoding="utf-8")
    (tmp_path / "key").rename(tmp_path / name)
    for arguments in (["key"], ["doctor", "--server", "127.0.0.1:1"], ["history"]):
        fair(CliRunner().invoke(main, [*arguments, "--key-file", name, *mode]), as_json=bool(mode))


# What was typed


@pytest.mark.parametrize(
    "arguments",
    [
        ["{}"],
        ["--{}"],
        ["play", "{}"],
        ["play", "--{}"],
        ["play", "--game", "{}"],
        ["play", "--option", "{}"],
        ["play", "--bot", "--level", "{}"],
        ["play", "--bot", "--clock", "{}"],
        ["play", "--server", "{}"],
        ["play", "--server", "ws://{}"],
        ["join", "{}"],
        ["join", CODE, "{}"],
        ["replay", "{}"],
        ["rules", "{}"],
        ["top", "--family", "{}"],
        ["history", "--most", "{}"],
        ["completion", "{}"],
        ["name", "{}"],
    ],
)
def test_what_was_typed_comes_back_in_one_line(tommy: Tommy, arguments: list[str]) -> None:
    for text in (NASTY.replace("\0", ""), LONG.replace("\0", "")):
        result = CliRunner().invoke(main, [argument.replace("{}", text) for argument in arguments])
        fair(result, as_json=False)


def test_what_was_typed_in_a_race_comes_back_in_one_line(tommy: Tommy, server: Hostile) -> None:
    for mode in MODES:
        server.receive(honest, lambda _, text: text)
        typed = LONG.replace("\n", "").replace(" ", "")
        fair(tommy.run(["play", "--ready", *mode], f"{typed}\nt\nresign\n"), as_json=bool(mode))


# One text


@pytest.mark.parametrize(
    ("text", "fit"),
    [
        ("Ada", "Ada"),
        ("Zoë Łęcka 愛 🂡", "Zoë Łęcka 愛 🂡"),
        ("a\nb", "a?b"),
        ("\x1b[2J", "?[2J"),
        ("a\u202eb\u200bc\u2028d\x9be", "a?b?c?d?e"),
        ("Ada\ufe0f", "Ada?"),
        ("", ""),
        ("x" * 200, "x" * 200),
        ("x" * 201, "x" * 199 + "…"),
    ],
)
def test_a_text_is_shown_as_far_as_it_can_be_seen(text: str, fit: str) -> None:
    assert foreign.shown(text) == fit
    assert foreign.shown(fit) == fit


@given(st.text(st.characters(), max_size=300))
def test_any_text_is_shown_without_tricks_and_told_whole(text: str) -> None:
    assert not tricks(foreign.shown(text))
    assert "\n" not in foreign.shown(text)
    for encoding in ("utf-8", "ascii", "latin-1"):
        told = foreign.escaped(json.dumps([text], ensure_ascii=False), encoding)
        assert not tricks(told)
        assert json.loads(told.encode(encoding)) == [text]


def test_a_name_goes_on_no_line_of_its_own() -> None:
    """Wherever a terminal's edge is, its left margin is for what the client itself begins a line with."""
    names = (
        f"{FORGED} " * 12,
        "愛 " * 20 + FORGED,
        "愛" * 60 + FORGED,
        "x" * 150,
        f"x{FORGED}" * 15,
        " " * 90 + FORGED,
    )
    for name in names:
        for width in range(20, 100):
            told = wrapped(words(RecordChecked(CODE, "lucas", name, [name, name])), width).split("\n")
            assert told[0].startswith("Match abcdefgh:")
            assert all(line.startswith("  ") for line in told[1:])
            assert max(cell_len(line) for line in told) <= width + 1


def test_a_text_of_our_own_stays_as_it_is_in_another() -> None:
    own = joined("\n", ["x" * 150, say("{name} is ready.", name="y" * 150)])
    assert say("{name}: {board}", name="a\nb", board=own) == f"a?b: {own}"
    assert plural("{number} card", "{number} cards", 2) + fill("{x:>3}", x=1) == "2 cards  1"

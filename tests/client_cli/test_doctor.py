"""What the doctor finds in a terminal, a key and a server."""

from pathlib import Path

import pytest

from client_cli.doctor import Terminal, key_examined, key_given, server_examined, terminal_examined
from client_cli.doctor_words import WORDINGS
from client_cli.reports import Examined
from client_cli.troubles import NotAccepted, Unreachable
from client_cli.wording import words
from protocol.players import player_of, public_key, tag_of
from tests.client_cli.stand_in import StandIn, standing_in
from tests.client_cli.test_past import connection
from tests.ports import free_port

GOOD = Terminal(is_one=True, encoding="utf-8", columns=80, lines=24)
COLOURS = {"TERM": "xterm"}


def unfit(terminal: Terminal, **environment: str) -> set[str]:
    found = terminal_examined(terminal, COLOURS | environment, "en")
    assert all(words(each) for each in found)
    return {each.check for each in terminal_examined(terminal, COLOURS | environment, "en") if not each.fits}


@pytest.mark.parametrize(
    ("terminal", "environment", "checks"),
    [
        (GOOD, {}, set()),
        (GOOD._replace(columns=79), {}, {"size"}),
        (GOOD._replace(lines=23), {}, {"size"}),
        (GOOD._replace(encoding="ascii"), {}, {"signs"}),
        (GOOD._replace(encoding="no-such"), {}, {"signs"}),
        (GOOD, {"NO_COLOR": "1"}, {"colour"}),
        (GOOD, {"TERM": "dumb"}, {"colour"}),
        (GOOD._replace(is_one=False, columns=10), {"TERM": "dumb"}, set()),
    ],
)
def test_a_terminal(terminal: Terminal, environment: dict[str, str], checks: set[str]) -> None:
    assert unfit(terminal, **environment) == checks


def test_what_turns_the_colours_off_is_named() -> None:
    found = [words(each) for each in terminal_examined(GOOD, COLOURS | {"NO_COLOR": "1"}, "en")]
    assert "NOT OK  Colours are turned off by NO_COLOR. Unset it to have them." in found


@pytest.mark.parametrize(
    ("text", "mode", "told"),
    [
        ("5e" * 32, 0o600, "ok      Your key is in {file}; your tag is "),
        ("\ufeff" + "5e" * 32 + "\r\n", 0o600, "ok      Your key is in {file}; your tag is "),
        ("5e" * 32, 0o640, "NOT OK  Others can read your key. Type: chmod 600 {file}"),
        ("5e" * 16, 0o600, "NOT OK  {file}: This is a key of tommy 0.1, "),
        ("", 0o600, "NOT OK  {file}: There is no key here"),
        ("5e" * 31, 0o600, "NOT OK  {file}: This is not the whole of a key"),
        ("x", 0o600, "NOT OK  {file}: This is no key: a key is 64 hex digits, in lower case. Remove the file to get"),
    ],
)
def test_a_key_is_looked_at_and_stays_as_it_is(tmp_path: Path, text: str, mode: int, told: str) -> None:
    file = tmp_path / "key"
    assert key_examined(file).fits
    assert "no key yet" in words(key_examined(file))
    assert not file.exists()
    file.write_text(text, encoding="utf-8", newline="")
    file.chmod(mode)
    assert words(key_examined(file)).startswith(told.format(file=file))
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("key", text.encode())]


def test_a_key_that_cannot_be_read(tmp_path: Path) -> None:
    assert words(key_examined(tmp_path)) == f"NOT OK  {tmp_path} cannot be read: Is a directory"


def test_a_key_that_was_given_counts_and_is_not_told() -> None:
    found = key_given("5e" * 32)
    tag = tag_of(player_of(public_key("5e" * 32)))
    assert words(found) == f"ok      Your key comes from TOMMY_KEY or --key; your tag is {tag}."
    assert "5e5e" not in str(found)


async def test_a_server_of_another_version() -> None:
    async with standing_in() as server:
        found = await server_examined(connection(server))
        assert [(each.check, each.fits) for each in found if isinstance(each, Examined)] == [
            ("server", True),
            ("host", True),
            ("versions", False),
            ("latency", True),
        ]


async def test_no_server() -> None:
    server = StandIn()
    server.url = f"ws://127.0.0.1:{free_port()}"
    finding, why = await server_examined(connection(server))
    assert isinstance(finding, Examined)
    assert not finding.fits
    assert isinstance(why, Unreachable)


async def test_a_server_that_lets_nobody_in() -> None:
    async with standing_in() as server:
        server.refuse_hello = "too-many"
        _, why = await server_examined(connection(server))
        assert isinstance(why, NotAccepted)


async def test_a_server_that_goes_by_another_name() -> None:
    async with standing_in() as server:
        server.refuse_hello = "wrong-host"
        found = [words(each) for each in await server_examined(connection(server))]
        assert found == [
            f"ok      The server {server.url} can be reached.",
            (
                "NOT OK  It does not go by the name 127.0.0.1, which was dialled: not today. "
                "Dial it by one of its names."
            ),
        ]


def test_every_check_has_words_for_both() -> None:
    facts = {"server": "ws://h:1", "own": "1", "ms": 700, "file": "f", "tag": "00ad", "why": "readable", "columns": 1}
    facts |= {"host": "h", "lines": 2, "encoding": "ascii", "language": "de", "is_one": True}
    for check in WORDINGS:
        for fits in (True, False):
            assert words(Examined(check, fits, facts)).startswith("ok " if fits else "NOT OK ")

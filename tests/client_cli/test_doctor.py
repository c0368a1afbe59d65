"""What the doctor finds in a terminal, a key and a server."""

from pathlib import Path

import pytest

from client_cli.doctor import Terminal, key_examined, server_examined, terminal_examined
from client_cli.doctor_words import WORDINGS
from client_cli.reports import Examined
from client_cli.troubles import NotAccepted, Unreachable
from client_cli.wording import words
from tests.client_cli.stand_in import StandIn, free_port, standing_in
from tests.client_cli.test_past import connection

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
    ("text", "mode", "fits"), [("5e" * 16, 0o600, True), ("5e" * 16, 0o640, False), ("x", 0o600, False)]
)
def test_a_key(tmp_path: Path, text: str, mode: int, *, fits: bool) -> None:
    file = tmp_path / "key"
    assert key_examined(file).fits
    assert "no key yet" in words(key_examined(file))
    assert not file.exists()
    file.write_text(text)
    file.chmod(mode)
    assert key_examined(file).fits is fits
    assert words(key_examined(file))


async def test_a_server_of_another_version() -> None:
    async with standing_in() as server:
        found = await server_examined(connection(server))
        assert [(each.check, each.fits) for each in found if isinstance(each, Examined)] == [
            ("server", True),
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


def test_every_check_has_words_for_both() -> None:
    facts = {"server": "ws://h:1", "own": "1", "ms": 700, "file": "f", "tag": "00ad", "why": "readable", "columns": 1}
    facts |= {"lines": 2, "encoding": "ascii", "language": "de", "is_one": True}
    for check in WORDINGS:
        for fits in (True, False):
            assert words(Examined(check, fits, facts)).startswith("ok " if fits else "NOT OK ")

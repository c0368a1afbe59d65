"""Outputs that are full or closed, and what else the system refuses: one line, an exit code, and no word of a mistake in tommy."""

import asyncio
import errno
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from client_cli import identity
from client_cli.main import main
from engine.record import write_record
from tests.client_cli.stand_in import StandIn, standing_in
from tests.client_cli.table import CODE, Table
from tests.ports import free_port

FULL = Path("/dev/full")
NO_SPACE = "standard output: No space left on device\n"
CLOSED = "standard output: Bad file descriptor\n"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="streams are redirected as a POSIX shell does it")
with_full = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")

OFFLINE = (
    ["rules"],
    ["rules", "--json"],
    ["verify", "record.json"],
    ["replay", "record.json"],
    ["play", "--help"],
    ["--version"],
    ["completion", "bash"],
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    table = Table().started()
    for seat, entry in ((0, "t"), (0, "hp1"), (0, "stand"), (1, "stand")):
        table.play(seat, entry)
    (tmp_path / "record.json").write_text(write_record(table.record()), encoding="utf-8")
    return tmp_path


def tommy(folder: Path, streams: str, *arguments: str, typed: str = "") -> tuple[int, str, str]:
    """Run a command with its streams redirected as in a shell: its exit code, output and complaints."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TOMMY_")}
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {streams}', "sh", sys.executable, "-m", "client_cli", *arguments],
        cwd=folder,
        env=clean
        | {
            "TOMMY_KEY_FILE": str(folder / "key"),
            "XDG_DATA_HOME": str(folder),
            "PYTHONWARNINGS": "error",
            "PYTHONUNBUFFERED": "",  # as it is for people: what was not taken is still there at the end
        },
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@with_full
@pytest.mark.parametrize("arguments", OFFLINE, ids=" ".join)
def test_a_full_output(folder: Path, arguments: list[str]) -> None:
    assert tommy(folder, f">{FULL}", *arguments) == (1, "", NO_SPACE)


@pytest.mark.parametrize("arguments", OFFLINE[1::3], ids=" ".join)
def test_a_closed_output(folder: Path, arguments: list[str]) -> None:
    assert tommy(folder, ">&-", *arguments) == (1, "", CLOSED)


@pytest.fixture
async def stand_in() -> AsyncIterator[StandIn]:
    async with standing_in() as stand_in:
        yield stand_in


@with_full
@pytest.mark.parametrize(
    "arguments",
    [["play", "--ready"], ["play", "--json"], ["watch", CODE], ["record", CODE, "-o", "-"], ["top"]],
    ids=" ".join,
)
async def test_a_full_output_while_a_server_is_there(folder: Path, stand_in: StandIn, arguments: list[str]) -> None:
    if arguments[0] in ("watch", "record"):
        stand_in.table.started()
        stand_in.table.play(0, "resign")
    told = await asyncio.to_thread(tommy, folder, f">{FULL}", *arguments, "--server", stand_in.url, typed="t\n1\nt\n")
    assert told == (1, "", NO_SPACE)


def test_whoever_read_the_output_has_gone(folder: Path) -> None:
    """That is no trouble: somebody has seen enough."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "client_cli", "rules"], stdout=writing, stderr=subprocess.PIPE, cwd=folder, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("streams", ["2>&-", pytest.param(f"2>{FULL}", marks=with_full)])
def test_complaints_that_nobody_can_read(folder: Path, streams: str) -> None:
    """The exit code is what is left of them. They do not turn up among what was asked for."""
    nobody = f"127.0.0.1:{free_port()}"
    for arguments, exit_code in ((["join"], 2), (["join", CODE, "--server", nobody], 3), (["verify", "none.json"], 1)):
        assert tommy(folder, streams, *arguments) == (exit_code, "", "")
    (folder / "no.json").touch()
    assert tommy(folder, streams, "verify", "no.json") == (1, "", "")
    assert tommy(folder, f"{streams} >&-", "rules") == (1, "", "")


def test_a_closed_input(folder: Path) -> None:
    assert tommy(folder, "<&-", "verify", "-") == (1, "", "standard input: Bad file descriptor\n")
    assert tommy(folder, "<&-", "rules", "lucas")[0] == 0


async def test_with_a_closed_input_nothing_is_typed(folder: Path, stand_in: StandIn) -> None:
    """No socket is taken for the keyboard, although it could get its number."""
    exit_code, told, complaints = await asyncio.to_thread(
        tommy, folder, "<&-", "play", "--ready", "--server", stand_in.url
    )
    assert (exit_code, complaints) == (0, "")
    assert "The input has ended, so you stand." in told.split("\n")
    assert stand_in.moves == [(1, "stand")]


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.EMFILE, "Too many open files"), "The system says: Too many open files\n"),
        (OSError(errno.EACCES, "Permission denied", "name"), "name: Permission denied\n"),
        (OSError(errno.EACCES, "Permission denied", 7), "7: Permission denied\n"),
    ],
)
def test_what_the_system_refuses_is_no_mistake_of_ours(
    monkeypatch: pytest.MonkeyPatch, error: OSError, sentence: str
) -> None:
    def refuse() -> str:
        raise error

    monkeypatch.setattr(identity, "kept_name", refuse)
    result = CliRunner().invoke(main, ["name"])
    assert (result.exit_code, result.stderr) == (1, sentence)
    result = CliRunner().invoke(main, ["name", "--json"])
    assert (result.exit_code, result.stdout.count("\n")) == (1, 1)

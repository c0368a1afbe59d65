"""The command line in one process: usage, exit codes, and what needs no server."""

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from client_cli import faces, language, plain
from client_cli.main import main
from client_cli.options import Settings
from client_cli.receipts import Keeper
from client_cli.troubles import Exit
from engine.games import CATALOGUE
from engine.record import read_record, sealed, write_record
from protocol.proof import proof_of
from tests.client_cli.table import CODE, Table
from tests.client_cli.test_comparing import Seen, as_aborted
from tests.ports import free_port


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith("TOMMY_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("TOMMY_KEY_FILE", str(tmp_path / "key"))
    monkeypatch.setenv("TOMMY_RECEIPTS", str(tmp_path / "receipts"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    table = Table().started()
    for seat, entry in ((0, "t"), (0, "hp1"), (0, "stand"), (1, "stand")):
        table.play(seat, entry)
    file = tmp_path / "record.json"
    file.write_text(write_record(table.record()), encoding="utf-8")
    return file


def test_help_is_everywhere() -> None:
    for arguments in ([], *([name] for name in main.commands)):
        for option in ("--help", "-h"):
            result = run(*arguments, option)
            assert result.exit_code == 0
            assert "Usage: " in result.output


def test_help_fits_80_columns_and_names_every_command() -> None:
    lines = run("--help").output.split("\n")
    assert max(map(len, lines)) <= 80
    rows = [line for line in lines[lines.index("Commands:") + 1 :] if line.startswith("  ")]
    assert set(main.commands) <= {row.split()[0] for row in rows}
    assert not any(row.endswith("...") for row in rows)


def test_version() -> None:
    result = run("--version")
    assert result.exit_code == 0
    assert result.output.startswith("tommy ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["play", "--nonsense"],
        ["play", "--game", "chess"],
        ["play", "--option", "peek"],
        ["bot", "--game", "lucas", "--option", "redeal"],
        ["bot", "--level", "godlike"],
        ["play", "--bot", "--create"],
        ["play", "--anyone", "--create"],
        ["play", "--anyone", "--bot"],
        ["play", "--anyone", "--clock", "3"],
        ["play", "--level", "easy"],
        ["play", "--bot", "--level", "godlike"],
        ["play", "--clock", "3"],
        ["play", "--grace", "3"],
        ["play", "--bot", "--clock", "0.01"],
        ["play", "--bot", "--clock", "121"],
        ["play", "--bot", "--clock", "x"],
        ["play", "--bot", "--grace", "601"],
        ["play", "--server", "host:port"],
        ["play", "--name", ""],
        ["play", "--key", "x"],
        ["join"],
        ["join", "short"],
        ["join", "abcdefgh", "more"],
        ["watch", "short"],
        ["record"],
        ["verify"],
        ["verify", "no-such-file"],
        ["verify", "short"],
        ["rules", "chess"],
        ["bot", "--join", "abcdefgh", "--quick"],
        ["bot", "--resume", "short"],
        ["bot", "--pace", "-1"],
        ["bot", "--key", "x"],
    ],
)
def test_wrong_usage(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Error: " in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    "command", [["play"], ["join", "abcdefgh"], ["watch"], ["matches"], ["record", "abcdefgh"], ["bot"]]
)
def test_no_connection(command: list[str]) -> None:
    result = run(*command, "--server", f"127.0.0.1:{free_port()}")
    assert result.exit_code == 3
    assert result.stdout == ""
    assert result.stderr.startswith("No connection to ws://127.0.0.1:")
    assert result.stderr.count("\n") == 1


def test_trouble_is_an_event_too() -> None:
    result = run("matches", "--json", "--server", f"127.0.0.1:{free_port()}")
    assert json.loads(result.stdout)["event"] == "unreachable"


def test_shared_options_stand_before_or_after_the_command() -> None:
    port = free_port()
    for arguments in (["--server", f"127.0.0.1:{port}", "matches"], ["matches", "--server", f"127.0.0.1:{port}"]):
        assert f":{port}:" in run(*arguments).stderr
    both = ["--server", "127.0.0.1:1", "matches", "--server", f"127.0.0.1:{port}"]
    assert f":{port}:" in run(*both).stderr


def test_the_environment_is_an_option_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    monkeypatch.setenv("TOMMY_SERVER", f"127.0.0.1:{port}")
    assert f":{port}:" in run("matches").stderr
    other = free_port()
    assert f":{other}:" in run("--server", f"127.0.0.1:{other}", "matches").stderr


def test_a_key_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("nonsense")
    result = run("play")
    assert result.exit_code == 1
    assert result.stderr.endswith(
        "This is no key: a key is 64 hex digits, in lower case. Remove the file to get a new one.\n"
    )


def test_a_record_of_a_game_that_this_version_does_not_know_has_an_exit_code_of_its_own(record: Path) -> None:
    known = read_record(record.read_text(encoding="utf-8"))
    known.game = "hearts"
    record.write_text(write_record(sealed(known)), encoding="utf-8")
    for spoken, verdict in (("en", "cannot be checked"), ("de", "nicht prüfen"), ("es", "no se puede comprobar")):
        result = run("verify", str(record), "--lang", spoken)
        assert result.exit_code == 5
        assert "hearts" in result.output
        assert verdict in result.output.splitlines()[-1]
    language.choose("en")
    assert "5 a record" in " ".join(run("--help").output.split())


@pytest.mark.parametrize("command", ["verify", "replay"])
@pytest.mark.parametrize(
    ("text", "german"),
    [
        ("{", "Das ist keine Aufzeichnung einer Partie: Die Datei enthält kein JSON."),
        ("{}", "Das ist keine Aufzeichnung einer Partie."),
        ('{"format": "tommy-race match", "version": 9}', "nur bis 2. Aktualisiere sie."),
        ('{"format": "tommy-race match", "version": 1}', "Diese Aufzeichnung ist beschädigt, und zwar bei $.match."),
    ],
)
def test_what_cannot_be_read_is_told_in_the_users_language(
    tmp_path: Path, command: str, text: str, german: str
) -> None:
    file = tmp_path / "broken.json"
    file.write_text(text)
    result = run("--lang", "de", command, str(file))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{file}: D")
    assert result.stderr.endswith(f"{german}\n")
    assert result.stderr != run("--lang", "es", command, str(file)).stderr


def test_a_wrong_choice_is_told_in_the_users_language() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "client_cli", "--lang", "de", "top", "--family", "maria"],
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 2
    assert "'maria' gibt es nicht; möglich sind 'sir-tommy', 'forty-thieves'." in done.stderr


def test_verify(record: Path) -> None:
    result = run("verify", str(record))
    assert result.exit_code == 0
    assert result.output.endswith("This record is true to itself: all 8 checks fit.\n")
    record.write_text(record.read_text().replace('"hp1"', '"hp2"'))
    result = run("verify", str(record))
    assert result.exit_code == 1
    assert "NOT" in result.output


def test_verify_finds_the_receipt_by_itself(record: Path, tmp_path: Path) -> None:
    seen = Seen("sir-tommy", 30)
    record.write_text(write_record(seen.record), encoding="utf-8")
    keeper = Keeper(tmp_path / "receipts", "ws://h:1", "ab" * 32)
    keeper.keep((CODE, line) for line in seen.player.receipt.fresh())
    result = run("verify", str(record))
    assert result.exit_code == 0
    assert "The receipt of Ada, who raced it on " in result.output
    assert result.output.endswith("It is the match that was raced here: all 8 comparisons with the receipt fit.\n")
    # The same file offers nothing to hold it against where no receipts are kept.
    for elsewhere in (["--receipts", "off"], ["--receipts", str(tmp_path / "none")]):
        assert "There is no receipt of match abcdefgh here" in run("verify", str(record), *elsewhere).output
    record.write_text(write_record(as_aborted(seen.record)), encoding="utf-8")
    result = run("verify", str(record))
    assert result.exit_code == 1
    assert "This record is true to itself" in result.output
    assert "It is NOT the match that was raced here" in result.output


def test_verify_shows_the_proof(record: Path) -> None:
    proof = proof_of(read_record(record.read_text(encoding="utf-8")).digest)
    assert f"Proof {proof}: " in run("verify", str(record)).output
    record.write_text(record.read_text().replace('"hp1"', '"hp2"'))
    assert "Proof" not in run("verify", str(record)).output


def test_a_file_is_verified_without_a_server(record: Path) -> None:
    assert run("verify", str(record), "--server", f"127.0.0.1:{free_port()}").exit_code == 0
    assert run("verify", "abcdefgh", "--server", f"127.0.0.1:{free_port()}").exit_code == 3


def test_options_of_some_commands_can_stand_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Settings] = []

    async def race(settings: Settings, *_: object, **_options: object) -> Exit:
        told.append(settings)
        return Exit.FINE

    monkeypatch.setattr(faces, "race", race)
    for name, value in (("PLAIN", "1"), ("SETTINGS", "a.toml"), ("RECEIPTS", "off")):
        monkeypatch.setenv(f"TOMMY_{name}", value)
    assert run("play").exit_code == 0
    assert (told[0].plain, told[0].settings, told[0].receipts_folder) == (True, Path("a.toml"), None)
    assert run("play", "--receipts", "b").exit_code == 0
    assert told[1].receipts_folder == Path("b")


def test_verify_as_events(record: Path) -> None:
    events = [json.loads(line) for line in run("verify", "--json", str(record)).output.splitlines()]
    assert [event["event"] for event in events] == [
        "record-checked",
        *["checked"] * 8,
        "no-receipt",
        "proof",
        "verdict",
    ]
    assert all(event["fits"] for event in events if event["event"] == "checked")


def test_verify_standard_input(record: Path) -> None:
    result = CliRunner().invoke(main, ["verify", "-"], input=record.read_text())
    assert result.exit_code == 0


@pytest.mark.parametrize("text", ["", "{}", '{"format": "tommy-race match", "version": 2}'])
def test_what_is_no_record_is_one_line(record: Path, text: str) -> None:
    record.write_text(text)
    result = run("verify", str(record))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("game", ["", *CATALOGUE])
def test_rules(game: str) -> None:
    result = run("rules", *game.split())
    assert result.exit_code == 0
    assert "Goal:" in result.output


def test_a_bug_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(plain, "matches", broken)
    result = run("matches")
    assert result.exit_code == 1
    assert result.stderr == "Something went wrong in tommy itself: ZeroDivisionError: oh. Please report it.\n"
    monkeypatch.setenv("TOMMY_TRACEBACK", "1")
    assert isinstance(run("matches").exception, ZeroDivisionError)


def test_an_interruption_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(plain, "matches", interrupted)
    assert run("matches").exit_code == 130


def test_every_command_has_help_in_words() -> None:
    for command in main.commands.values():
        assert command.help
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert parameter.help, (command.name, parameter.name)


def test_help_does_not_wait_for_the_full_screen() -> None:
    """Textual takes longer to import than all of the rest, so only a screen that is opened does."""
    script = "import sys; from client_cli import faces, main; sys.exit(int('textual' in sys.modules))"
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(__file__).parents[2])

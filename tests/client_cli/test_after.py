"""The commands for what comes after a match, in one process."""

import asyncio
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from client_cli import after, identity
from client_cli.main import main
from engine.record import write_record
from protocol.messages import Hello, Rank, Ranking, Top
from protocol.players import player_of, public_key, tag_of
from tests.client_cli.pasts import past
from tests.client_cli.stand_in import StandIn, standing_in
from tests.client_cli.table import CODE, Table
from tests.ports import free_port

KEY, OLD = "5e" * 32, "0d" * 16


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name in list(os.environ):
        if name.startswith("TOMMY_"):
            monkeypatch.delenv(name)
    monkeypatch.setattr(identity, "key_folder", lambda: tmp_path / "home")
    return tmp_path / "home"


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, arguments, input=typed)


async def ask(server: StandIn, *arguments: str) -> Result:
    return await asyncio.to_thread(run, *arguments, "--server", server.url)


def events(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def table() -> Table:
    raced = Table().started()
    for seat, entry in ((0, "t"), (1, "t"), (0, "hp1"), (0, "stand"), (1, "hp2"), (1, "resign")):
        raced.play(seat, entry)
    return raced


# Replay


def test_a_record_in_a_file_is_stepped_through(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(write_record(table().record()), encoding="utf-8")
    result = run("replay", str(file))
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0].startswith(f"Match {CODE}: Ada against Bo, Sir Tommy, ")
    assert lines[0].endswith("; 6 steps.")
    assert lines[-1] == "Ada wins: Bo has resigned. The counts: 0 to 0."
    told = events(run("replay", str(file), "--json"))
    assert [event["event"] for event in told] == ["replay-opened", *["replay-step"] * 6, "over"]


def test_a_record_on_standard_input() -> None:
    result = run("replay", "-", typed=write_record(table().record()))
    assert result.exit_code == 0
    assert "Step 6 of 6" in result.output


async def test_a_record_that_the_server_has() -> None:
    async with standing_in(StandIn(table())) as server:
        for code in (CODE, CODE.upper(), f"{CODE[:4]}-{CODE[4:]}"):
            result = await ask(server, "replay", code)
            assert result.exit_code == 0
            assert "Step 6 of 6" in result.output
        refused = await ask(server, "replay", "zzzzzzzz")
        assert (refused.exit_code, refused.stdout) == (4, "")


def test_what_cannot_be_replayed(tmp_path: Path) -> None:
    assert run("replay", "nothing.json").exit_code == 1
    assert run("replay", "short").exit_code == 2
    assert run("replay", CODE, "--server", f"127.0.0.1:{free_port()}").exit_code == 3
    file = tmp_path / "record.json"
    record = table().record()
    record.game = "whist"
    file.write_text(write_record(record))
    result = run("replay", str(file))
    assert result.exit_code == 5
    assert result.stderr == f"{file}: this version of tommy does not know the game whist. Upgrade it.\n"
    assert events(run("replay", str(file), "--json"))[0]["code"] == "unknown-game"
    german = run("--lang", "de", "replay", str(file)).stderr
    assert "whist" in german
    assert "version of tommy" not in german


# History, stats, ranking


async def test_the_history() -> None:
    async with standing_in() as server:
        server.past = [past(0, "31-28"), past(1, "28-31"), past(2, "30-30"), past(3, "nobody-came")]
        result = await ask(server, "history")
        assert result.exit_code == 0
        ends = [line[16:] for line in result.output.splitlines()]
        assert ends == [
            "  abcdefaa · Sir Tommy · Bo (00b0) · won · 31 to 28",
            "  abcdefab · Sir Tommy · Bo (00b0) · lost · 28 to 31",
            "  abcdefac · Sir Tommy · Bo (00b0) · drawn · 30 to 30",
            "  abcdefad · Sir Tommy · Bo (00b0) · did not take place: nobody came",
        ]
        assert len(events(await ask(server, "history", "--json", "--most", "2"))) == 2


async def test_it_is_the_player_of_this_machine_who_asks(home: Path) -> None:
    async with standing_in() as server:
        for command in ("history", "stats", "top"):
            await ask(server, command)
        keys = {message.key for message in server.received if isinstance(message, Hello)}
        assert keys == {public_key((home / "key").read_text().strip())}


async def test_who_has_no_past() -> None:
    async with standing_in() as server:
        for command in ("history", "stats"):
            result = await ask(server, command)
            assert (result.exit_code, result.output) == (0, "You have no match behind you on this server.\n")


async def test_the_figures() -> None:
    rank = Rank(name="Ada", tag="00ad", rating=1600, deviation=50, matches=30, place=1)
    async with standing_in() as server:
        server.past = [past(0, "52-20"), past(1, "31-28"), past(2, "20-28"), past(3, "1-2", game="lucas")]
        server.rankings = {"sir-tommy": Ranking(family="sir-tommy", ranks=[rank], you=rank)}
        result = await ask(server, "stats")
        assert result.exit_code == 0
        assert "  Races won        2 (67 %)\n" in result.output
        assert "  Deals solved     1 of 3 finished (33 %)\n" in result.output
        assert result.output.index("8-10 % solved in 50-100 deals") < result.output.index("\nLucas\n")
        assert "about one deal in 3 is solved\n" in result.output
        assert result.output.endswith("Your rating in the Sir Tommy family: 1600 ± 100 · 30 matches; place 1\n")
        told = events(await ask(server, "stats", "--json"))
        assert [event["event"] for event in told] == ["game-stats", "game-stats", "rating-now"]


async def test_on_a_terminal_the_counts_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(after, "is_terminal", lambda: True)
    async with standing_in() as server:
        server.past = [past(0, "52-20"), past(1, "31-28"), past(2, "20-28"), past(3, "1-2", game="lucas")]
        output = (await ask(server, "stats")).output
        assert output.count("# won, o not.") == 1
        assert (await ask(server, "stats", "--json")).output.count("plot") == 0


async def test_the_ranking() -> None:
    ada = Rank(name="Ada", tag="00ad", rating=1600, deviation=50, matches=30, place=1)
    bo = Rank(name="Bo", tag="00b0", rating=1400, deviation=150, matches=1, place=2, provisional=True)
    async with standing_in() as server:
        server.rankings = {"forty-thieves": Ranking(family="forty-thieves", ranks=[ada, bo], you=bo)}
        result = await ask(server, "top", "--family", "forty-thieves")
        assert result.output.splitlines() == [
            "  1.  Ada (00ad) · 1600 ± 100 · 30 matches",
            "  2.  Bo (00b0) · 1400 ± 300 · 1 match · provisional · you",
        ]
        assert (await ask(server, "top")).output.startswith("Nobody has a rating in the Sir Tommy family yet")


@pytest.mark.parametrize("command", ["history", "stats", "top", "doctor"])
def test_no_connection(command: str) -> None:
    result = run(command, "--server", f"127.0.0.1:{free_port()}")
    assert result.exit_code == (1 if command == "doctor" else 3)
    assert "No connection to" in result.output


# Name and key


def test_a_name_is_kept_on_this_machine(home: Path) -> None:
    assert "your login name" in run("name").output
    assert run("name", " Ada  Lovelace ").output == "Others see you as Ada Lovelace from now on.\n"
    assert run("name").output == "Others see you as Ada Lovelace.\n"
    assert stat.S_IMODE((home / "name").stat().st_mode) == 0o600
    assert events(run("name", "--json"))[0]["name"] == "Ada Lovelace"


async def test_the_kept_name_is_the_one_that_others_see() -> None:
    run("name", "Ada")
    async with standing_in() as server:
        await ask(server, "matches")
        await ask(server, "matches", "--name", "Bo")
        assert [message.name for message in server.received if isinstance(message, Hello)] == ["Ada", "Bo"]


def test_a_secret_key_is_shown_only_when_asked_for(home: Path) -> None:
    quiet = run("key").output
    key = (home / "key").read_text().strip()
    public = public_key(key)
    assert key not in quiet
    assert str(home / "key") in quiet
    assert f"public:{public}" in quiet
    assert f"Your tag is {tag_of(player_of(public))}." in quiet
    assert run("key", "--show").output == run("key", "--export", "-").output == f"{key}\n"
    (told,) = events(run("key", "--json"))
    assert told == {
        "event": "key-kept",
        "file": str(home / "key"),
        "tag": tag_of(player_of(public)),
        "public": public,
        "key": None,
    }
    assert events(run("key", "--json", "--show"))[0]["key"] == key


def test_a_key_is_brought_from_another_machine(home: Path) -> None:
    own = run("key", "--show").output
    result = run("key", "--import", typed=f" {KEY}\n")
    assert result.exit_code == 0
    assert KEY not in result.output
    assert run("key", "--show").output == f"{KEY}\n"
    assert (home / "key.old-1").read_text() == own
    assert {stat.S_IMODE(file.stat().st_mode) for file in home.iterdir()} == {0o600}
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_no_key_is_ever_lost(home: Path) -> None:
    keys = [f"{number:x}" * 64 for number in range(3)]
    for key in (*keys, keys[2]):
        assert run("key", "--import", typed=key).exit_code == 0
    assert [file.read_text().strip() for file in sorted(home.iterdir())] == [keys[2], keys[0], keys[1]]


def test_a_key_goes_where_the_key_file_is(tmp_path: Path) -> None:
    file = tmp_path / "elsewhere" / "key"
    assert run("key", "--import", "--key-file", str(file), typed=KEY).exit_code == 0
    assert file.read_text() == f"{KEY}\n"


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "There is no key here"),
        ("\n", "There is no key here"),
        (KEY[:-1], "This is not the whole of a key"),
        (KEY.upper(), "This is no key: a key is 64 hex digits, in lower case."),
        (f"{KEY}0", "This is no key"),
        (OLD, "This is a key of tommy 0.1, with 32 hex digits: no server knows those any more."),
        (f"public:{KEY}", "This is a public key: it tells who you are, and does not prove it."),
    ],
)
@pytest.mark.parametrize("way", ["input", "file"])
def test_what_is_no_key_changes_nothing_and_is_said_to_be_what_it_is(
    home: Path, tmp_path: Path, typed: str, why: str, way: str
) -> None:
    own = run("key", "--show").output
    (tmp_path / "given").write_text(typed)
    result = run("key", "--import", typed=typed) if way == "input" else run("key", "--import", str(tmp_path / "given"))
    assert result.exit_code == 1
    assert result.stderr.startswith(why)
    assert result.stderr.endswith(" Nothing has changed.\n")
    assert run("key", "--show").output == own


def test_the_own_public_key_is_not_taken_for_a_secret_one() -> None:
    """Every server knows it: whoever had it for a secret could be played by all of them."""
    run("key", "--import", typed=KEY)
    result = run("key", "--import", typed=public_key(KEY))
    assert result.exit_code == 1
    assert result.stderr.startswith("This is a public key")
    assert run("key", "--show").output == f"{KEY}\n"


def test_a_key_goes_from_one_machine_to_another_in_a_file(home: Path, tmp_path: Path) -> None:
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "copy"
    result = run("key", "--export", str(file), "--key-file", str(here))
    assert result.exit_code == 0
    assert here.read_text() == file.read_text()
    assert here.read_text().strip() not in result.output
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    result = run("key", "--import", str(file), "--key-file", str(there))
    assert result.exit_code == 0
    assert there.read_text() == here.read_text()
    assert not home.exists()


def test_an_export_says_what_it_does_not_overwrite(tmp_path: Path) -> None:
    file = tmp_path / "copy"
    file.write_text("mine")
    result = run("key", "--export", str(file))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"{file} is there already, and was left as it is. Name another file.\n"
    assert file.read_text() == "mine"


@pytest.mark.parametrize("typed", [f"\ufeff{KEY}\r\n".encode(), b"\xff\xfe" + f"{KEY}\r\n".encode("utf-16-le")])
def test_a_key_that_an_editor_has_saved_is_brought_as_well(home: Path, tmp_path: Path, typed: bytes) -> None:
    file = tmp_path / "given"
    file.write_bytes(typed)
    for result in (CliRunner().invoke(main, ["key", "--import"], input=typed), run("key", "--import", str(file))):
        assert result.exit_code == 0
        assert (home / "key").read_text() == f"{KEY}\n"


@pytest.mark.parametrize("given", [KEY, OLD])
def test_a_key_on_the_command_line_is_not_taken_for_a_file_nor_told_again(given: str) -> None:
    result = run("key", "--import", given)
    assert result.exit_code == 2
    assert "That is a key, and no file." in result.output
    assert given not in result.output


@pytest.fixture
def old(home: Path) -> Path:
    """A key of 0.1 where this machine's key is."""
    home.mkdir()
    (home / "key").write_text(f"{OLD}\n")
    return home


async def test_a_key_of_0_1_is_replaced_by_the_first_command_and_told_once(old: Path) -> None:
    async with standing_in() as server:
        first, second = [await ask(server, "history") for _ in range(2)]
    key = (old / "key").read_text().strip()
    tag = tag_of(player_of(public_key(key)))
    assert (first.exit_code, first.stdout) == (second.exit_code, second.stdout) == (0, second.stdout)
    assert first.stderr == (
        f"Your key was one of tommy 0.1, and those have ended. It is in {old / 'key.old-1'} now; with a new key you are "
        f"a new player, whose tag is {tag}.\n"
    )
    assert second.stderr == ""
    assert (old / "key.old-1").read_text() == f"{OLD}\n"


async def test_a_key_of_0_1_is_an_event_as_well(old: Path) -> None:
    async with standing_in() as server:
        told = events(await ask(server, "history", "--json"))
    assert [event["event"] for event in told] == ["key-replaced", "no-past"]
    assert told[0]["why"] == "old"
    assert told[0]["aside"] == str(old / "key.old-1")


def test_key_tells_of_an_old_one_and_shows_the_new_one(old: Path) -> None:
    result = run("key", "--show")
    assert result.stdout == (old / "key").read_text()
    assert result.stderr.count("\n") == 1


def test_the_doctor_says_that_a_key_is_old_and_leaves_it_where_it_is(old: Path) -> None:
    result = run("doctor", "--server", f"127.0.0.1:{free_port()}")
    assert f"NOT OK  {old / 'key'}: This is a key of tommy 0.1, " in result.output
    assert [(file.name, file.read_text()) for file in old.iterdir()] == [("key", f"{OLD}\n")]


@pytest.mark.parametrize(
    ("offers", "command", "sentence"),
    [
        (["rankings"], "history", "This server does not tell its players of their past matches.\n"),
        (["rankings"], "stats", "This server does not tell its players of their past matches.\n"),
        (["history"], "top", "This server has no ranking.\n"),
    ],
)
async def test_what_a_server_does_not_offer_is_not_asked_of_it(offers: list[str], command: str, sentence: str) -> None:
    async with standing_in() as server:
        server.offers = offers
        result = await ask(server, command)
        assert (result.exit_code, result.stdout, result.stderr) == (4, "", sentence)
        assert [type(message) for message in server.received] == [Hello]


async def test_there_are_figures_without_ratings() -> None:
    async with standing_in() as server:
        server.offers = ["history"]
        server.past = [past(0, "52-20")]
        result = await ask(server, "stats", "--json")
        assert [event["event"] for event in events(result)] == ["game-stats"]
        assert not any(isinstance(message, Top) for message in server.received)


def test_a_key_cannot_be_put_where_nothing_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = run("key", "--import", "--key-file", str(tmp_path / "file" / "key"), typed=KEY)
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["key", "--show", "--import"],
        ["key", "--show", "--export", "file"],
        ["key", "--export", "file", "--import"],
        ["key", "--export"],
        ["key", KEY],
        ["name", " "],
        ["name", "Ada", "Bo"],
        ["replay"],
        ["history", "--most", "0"],
        ["history", "--most", "1001"],
        ["top", "--family", "bridge"],
        ["completion"],
        ["completion", "cmd"],
    ],
)
def test_wrong_usage(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


# Doctor and completion


async def test_the_doctor_finds_all_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client_cli.doctor.version", lambda: "stand-in")
    async with standing_in() as server:
        result = await ask(server, "doctor")
        assert result.exit_code == 0
        assert all(line.startswith("ok      ") for line in result.output.splitlines()[:-1])
        assert result.output.endswith("All is well.\n")
        told = events(await ask(server, "doctor", "--json"))
        assert [event.get("check") for event in told][:4] == ["server", "host", "versions", "latency"]


async def test_the_doctor_looks_at_the_key_that_counts(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOMMY_KEY", KEY)
    async with standing_in() as server:
        output = (await ask(server, "doctor")).output
    assert "ok      Your key comes from TOMMY_KEY or --key; your tag is " in output
    assert KEY not in output


def test_the_doctor_says_what_to_do(home: Path) -> None:
    run("key")
    (home / "key").chmod(0o644)
    result = run("doctor", "--server", f"127.0.0.1:{free_port()}")
    assert result.exit_code == 1
    assert "cannot be reached. Name yours with --server" in result.output
    assert f"NOT OK  Others can read your key. Type: chmod 600 {home / 'key'}\n" in result.output
    assert result.output.endswith("2 things are not as they should be.\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_complete_the_words(shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert f"_TOMMY_COMPLETE={shell}_complete" in result.output


def test_what_a_shell_asks_is_answered() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "client_cli"],
        env={**os.environ, "_TOMMY_COMPLETE": "bash_complete", "COMP_WORDS": "tommy re", "COMP_CWORD": "1"},
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.split() == ["plain,record", "plain,replay"]

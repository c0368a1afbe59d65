"""Records of all matches that have ended, written to files."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from structlog.testing import capture_logs

from engine.record import read_record
from engine.verify import verify
from server.app import RaceServer
from server.events import Terms
from server.export import exported
from server.main import main
from server.settings import Settings
from server.store.port import CreateMatch, EndMatch, StoredMatch
from server.store.sqlite import SqliteStore
from tests.server.driver import visitors


async def two_ended_and_one_open(path: Path) -> list[str]:
    """A store with matches; the codes of those that have ended."""
    running = RaceServer(Settings(host="127.0.0.1", port=0, store=f"sqlite:{path}", bots=0))
    ended = []
    async with visitors(f"ws://127.0.0.1:{await running.open()}") as people:
        for _ in range(2):
            ann, _bob = await people.race()
            await ann.play_on(5)
            await ann.move("resign")
            ended.append(ann.match)
        await people.race()
    await running.close()
    return ended


async def test_the_records_of_ended_matches_are_written_and_true(short_countdown: None, tmp_path: Path) -> None:
    ended = await two_ended_and_one_open(tmp_path / "matches.db")
    folder = tmp_path / "records"
    folder.mkdir()
    store = SqliteStore(str(tmp_path / "matches.db"))
    assert await exported(store, folder) == (2, 0)
    assert sorted(file.name for file in folder.iterdir()) == sorted(f"tommy-{code}.json" for code in ended)
    for code in ended:
        record = read_record((folder / f"tommy-{code}.json").read_bytes())
        assert record.match == code
        assert [finding for finding in verify(record) if not finding.fits] == []


async def test_what_is_there_already_is_left_alone(short_countdown: None, tmp_path: Path) -> None:
    first, second = await two_ended_and_one_open(tmp_path / "matches.db")
    (tmp_path / f"tommy-{first}.json").write_text("mine")
    assert await exported(SqliteStore(str(tmp_path / "matches.db")), tmp_path) == (1, 1)
    assert (tmp_path / f"tommy-{first}.json").read_text() == "mine"
    assert (tmp_path / f"tommy-{second}.json").is_file()


async def test_a_match_that_cannot_be_read_keeps_no_other_from_being_written(
    short_countdown: None, tmp_path: Path
) -> None:
    await two_ended_and_one_open(tmp_path / "matches.db")
    store = SqliteStore(str(tmp_path / "matches.db"))
    await store.open(lambda _: None)
    terms = Terms("whistaaa", "whist", 900_000, 60_000, listed=True, secret="5e" * 32, created=1)
    await store.write("whistaaa", [CreateMatch(terms), EndMatch(2)])
    await store.close()
    assert await exported(SqliteStore(str(tmp_path / "matches.db")), tmp_path) == (2, 0)


async def test_a_match_that_is_forgotten_meanwhile_keeps_no_other_from_being_written(
    short_countdown: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await two_ended_and_one_open(tmp_path / "matches.db")
    store = SqliteStore(str(tmp_path / "matches.db"))
    read = store.read

    async def gone(match: str) -> StoredMatch | None:
        return None if match == first else await read(match)

    monkeypatch.setattr(store, "read", gone)
    with capture_logs() as logs:
        assert await exported(store, tmp_path) == (1, 0)
    assert logs == []  # nothing is wrong
    assert not (tmp_path / f"tommy-{first}.json").exists()
    assert (tmp_path / f"tommy-{second}.json").is_file()


def test_the_command(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["--store", f"sqlite:{tmp_path / 'm.db'}", "export", "-o", str(tmp_path / "out")])
    assert (done.exit_code, done.stdout) == (0, f"0 records written to {tmp_path / 'out'}, 0 were there already\n")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["export"], "Missing option '-o'"),
        (["export", "-o", "/proc/none"], "/proc/none: No such file or directory"),
        (["--store", "sqlite:/proc/none.db", "export", "-o", "."], "cannot use the store sqlite:/proc/none.db"),
        (["--store", "mysql:", "export", "-o", "."], "is not a store"),
    ],
)
def test_what_cannot_be_exported_is_said_in_one_line(arguments: list[str], why: str) -> None:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 2
    assert why in done.stderr
    assert done.stderr.count("\n") == 1

"""The embedded store's own matters: its file, its commits, and what it does when the disk does not."""

import asyncio
import sqlite3
import stat
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any, Self

import pytest
import pytest_asyncio

from server.store.port import AppendEntry, Conflict, CreateMatch, StoreError, UnusableStore
from server.store.sqlite import FORMAT, SqliteStore, _Task
from tests.server.store.test_contract import kept, submit, submitting, terms


@pytest_asyncio.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(str(tmp_path / "matches.db"))
    await opened.open()
    yield opened
    await opened.close()


async def refusal(path: Path) -> str:
    """Why a store cannot be opened."""
    with pytest.raises(UnusableStore) as caught:
        await SqliteStore(str(path)).open()
    return str(caught.value)


def modes(folder: Path) -> dict[str, str]:
    """Who may do what with the files in a folder."""
    return {file.name: oct(stat.S_IMODE(file.stat().st_mode)) for file in folder.iterdir()}


class Held:
    """Keeps the store's thread busy, so that all that is submitted meanwhile makes one batch."""

    def __init__(self, store: SqliteStore) -> None:
        self.go = threading.Event()
        store._jobs.put(_Task(lambda: self.go.wait(10), lambda _result, _error: None))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.go.set()


# Its file


async def test_its_folder_is_made(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "deep" / "er" / "matches.db"))
    await store.open()
    await store.close()
    assert (tmp_path / "deep" / "er" / "matches.db").is_file()


async def test_nobody_but_its_owner_may_read_it_nor_what_lies_beside_it(store: SqliteStore) -> None:
    """The secrets of the matches under way are in there."""
    await submit(store, CreateMatch(terms()))
    assert modes(Path(store.path).parent) == {"matches.db": "0o600", "matches.db-wal": "0o600"}


async def test_a_file_that_others_may_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    for _ in range(2):
        store = SqliteStore(str(path))
        await store.open()
        await submit(store, AppendEntry("abcdefgh", 0, 1, 5, "t"))
        assert set(modes(tmp_path).values()) == {"0o600"}
        await store.close()
        path.chmod(0o644)


async def test_a_folder_is_no_store(tmp_path: Path) -> None:
    assert str(tmp_path) in await refusal(tmp_path)


async def test_a_place_that_cannot_be_written_to_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert str(tmp_path / "file" / "matches.db") in await refusal(tmp_path / "file" / "matches.db")


async def test_a_file_of_another_kind_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Tommy, " * 100)
    assert "not a database" in await refusal(path)
    assert path.read_text() == "Dear Tommy, " * 100


@pytest.mark.parametrize("version", [0, FORMAT, FORMAT + 1])
async def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path, version: int) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as other:
        other.executescript(f"CREATE TABLE notes (text); PRAGMA user_version = {version};")
    before = path.read_bytes()
    why = await refusal(path)
    assert "another program" in why
    assert path.read_bytes() == before
    assert list(modes(tmp_path)) == ["other.db"]


async def test_a_newer_format_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    store = SqliteStore(str(path))
    await store.open()
    await store.close()
    with closing(sqlite3.connect(path)) as newer:
        newer.execute(f"PRAGMA user_version = {FORMAT + 1}")
    before = path.read_bytes()
    assert f"format {FORMAT + 1} is newer" in await refusal(path)
    assert path.read_bytes() == before


async def test_a_store_in_use_is_refused(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: connect(*args, **{**options, "timeout": 0.1}))
    assert "locked" in await refusal(Path(store.path))
    assert await submit(store, CreateMatch(terms())) is None


async def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    path.touch()
    store = SqliteStore(str(path))
    await store.open()
    assert await submit(store, CreateMatch(terms())) is None
    await store.close()


async def test_memory_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = SqliteStore(":memory:")
    await store.open()
    await submit(store, CreateMatch(terms()))
    await store.close()
    assert modes(tmp_path) == {}


# Its commits


async def test_what_comes_while_it_is_busy_shares_one_commit(store: SqliteStore) -> None:
    statements: list[str] = []
    await store._run(lambda: store._database.set_trace_callback(statements.append))
    with Held(store):
        futures = [submitting(store, CreateMatch(terms(f"match{number:03}"))) for number in range(100)]
    assert await asyncio.gather(*futures) == [None] * 100
    assert statements.count("COMMIT") == 1


async def test_within_one_commit_a_conflict_hits_its_own_submission_alone(store: SqliteStore) -> None:
    with Held(store):
        futures = [
            submitting(store, CreateMatch(terms())),
            submitting(store, AppendEntry("abcdefgh", 0, 1, 5, "t")),
            submitting(store, AppendEntry("abcdefgh", 1, 1, 6, "no"), AppendEntry("abcdefgh", 0, 1, 6, "taken")),
            submitting(store, AppendEntry("abcdefgh", 0, 3, 7, "gap")),
            submitting(store, CreateMatch(terms())),
            submitting(store, AppendEntry("abcdefgh", 0, 2, 8, "hp1"), AppendEntry("abcdefgh", 1, 1, 8, "t")),
        ]
    outcomes = await asyncio.gather(*futures)
    assert [type(outcome) for outcome in outcomes] == [type(None), type(None), Conflict, Conflict, Conflict, type(None)]
    assert (await kept(store)).boards == ([(5, "t"), (8, "hp1")], [(8, "t")])


# The disk


async def test_a_full_disk_is_told_to_everyone_in_the_commit_and_the_store_goes_on(store: SqliteStore) -> None:
    await submit(store, CreateMatch(terms()))
    (pages,) = await store._run(lambda: store._database.execute("PRAGMA page_count").fetchone())
    await store._run(lambda: store._database.execute(f"PRAGMA max_page_count = {pages + 2}").fetchall())
    with Held(store):
        futures = [submitting(store, AppendEntry("abcdefgh", 0, number, number, "x" * 1000)) for number in range(1, 51)]
        futures.append(submitting(store, CreateMatch(terms("bbbbbbbb"))))
    outcomes = await asyncio.gather(*futures)
    assert {type(outcome) for outcome in outcomes} == {StoreError}
    assert "full" in str(outcomes[0])
    assert (await kept(store)).boards == ([], [])
    assert await store.load("bbbbbbbb") is None

    await store._run(lambda: store._database.execute("PRAGMA max_page_count = 100000").fetchall())
    for number in range(1, 51):
        assert await submit(store, AppendEntry("abcdefgh", 0, number, number, "x" * 1000)) is None
    assert len((await kept(store)).boards[0]) == 50


async def test_a_commit_that_fails_leaves_nothing_behind_and_the_store_goes_on(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await submit(store, CreateMatch(terms()))

    class Failing:
        """A database whose commits fail."""

        def __init__(self, database: sqlite3.Connection) -> None:
            self.database = database

        def execute(self, statement: str, *args: object) -> object:
            if statement == "COMMIT":
                raise sqlite3.OperationalError("disk I/O error")
            return self.database.execute(statement, *args)  # type: ignore[arg-type]

        def executemany(self, statement: str, rows: Any) -> object:
            return self.database.executemany(statement, rows)

    with monkeypatch.context() as patch:
        patch.setattr(store, "_database", Failing(store._database))
        outcomes = await asyncio.gather(
            *(submitting(store, AppendEntry("abcdefgh", log, 1, 5, "t")) for log in (0, 1)),
        )
        assert [str(outcome) for outcome in outcomes] == ["disk I/O error", "disk I/O error"]
    assert (await kept(store)).boards == ([], [])
    assert await submit(store, AppendEntry("abcdefgh", 0, 1, 5, "t")) is None


async def test_what_cannot_be_read_is_a_store_error(store: SqliteStore) -> None:
    await store._run(lambda: store._database.execute("DROP TABLE matches").fetchall())
    with pytest.raises(StoreError):
        await store.load("abcdefgh")
    with pytest.raises(StoreError):
        await store.open_matches()

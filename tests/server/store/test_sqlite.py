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

from server.store.port import (
    AppendEntry,
    Conflict,
    CreateMatch,
    Seeker,
    SetDue,
    StoreError,
    TakeSeat,
    UnusableStore,
    Write,
)
from server.store.sqlite import SqliteStore
from server.store.sqlite_format import FORMAT
from tests.server.store.conftest import no_news
from tests.server.store.matches import CODE, attempt, kept, make, play, terms


@pytest_asyncio.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(str(tmp_path / "matches.db"))
    await opened.open(no_news)
    yield opened
    await opened.close()


async def refusal(path: Path) -> str:
    """Why a store cannot be opened."""
    with pytest.raises(UnusableStore) as caught:
        await SqliteStore(str(path)).open(no_news)
    return str(caught.value)


def modes(folder: Path) -> dict[str, str]:
    """Who may do what with the files in a folder."""
    return {file.name: oct(stat.S_IMODE(file.stat().st_mode)) for file in folder.iterdir()}


async def run(store: SqliteStore, statement: str) -> list[Any]:
    """What the database answers to a statement."""
    return await store._thread.run(lambda database: database.execute(statement).fetchall())


class Held:
    """Keeps the store's thread busy, so that all that is written meanwhile makes one batch."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self._go = threading.Event()

    async def __aenter__(self) -> Self:
        self._busy = asyncio.create_task(self._store._thread.run(lambda _database: self._go.wait(10)))
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.sleep(0)  # so that all that has been started has reached the thread
        self._go.set()
        await self._busy


def attempting(store: SqliteStore, *writes: Write, match: str = CODE) -> "asyncio.Task[StoreError | None]":
    return asyncio.create_task(attempt(store, *writes, match=match))


# Its file


async def test_its_folder_is_made(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "deep" / "er" / "matches.db"))
    await store.open(no_news)
    await store.close()
    assert (tmp_path / "deep" / "er" / "matches.db").is_file()


async def test_nobody_but_its_owner_may_read_it_nor_what_lies_beside_it(store: SqliteStore) -> None:
    """The secrets of the matches under way are in there."""
    await make(store)
    assert modes(Path(store.path).parent) == {"matches.db": "0o600", "matches.db-wal": "0o600"}


async def test_a_file_that_others_may_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    for match in ("aaaaaaaa", "bbbbbbbb"):
        store = SqliteStore(str(path))
        await store.open(no_news)
        await make(store, match)
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
    await store.open(no_news)
    await store.close()
    with closing(sqlite3.connect(path)) as newer:
        newer.execute(f"PRAGMA user_version = {FORMAT + 1}")
    before = path.read_bytes()
    assert f"format {FORMAT + 1} is newer" in await refusal(path)
    assert path.read_bytes() == before


async def test_a_format_that_never_was_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    store = SqliteStore(str(path))
    await store.open(no_news)
    await store.close()
    with closing(sqlite3.connect(path)) as odd:
        odd.execute("PRAGMA user_version = 0")
    before = path.read_bytes()
    assert "format 0 is none of ours" in await refusal(path)
    assert path.read_bytes() == before


async def test_a_store_in_use_is_refused(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: connect(*args, **{**options, "timeout": 0.1}))
    assert "locked" in await refusal(Path(store.path))
    await make(store)


async def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    path.touch()
    store = SqliteStore(str(path))
    await store.open(no_news)
    await make(store)
    await store.close()


async def test_memory_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = SqliteStore(":memory:")
    await store.open(no_news)
    await make(store)
    await store.close()
    assert modes(tmp_path) == {}


# Its commits


async def test_what_comes_while_it_is_busy_shares_one_commit(store: SqliteStore) -> None:
    statements: list[str] = []
    await store._thread.run(lambda database: database.set_trace_callback(statements.append))
    async with Held(store):
        codes = [f"match{number:03}" for number in range(100)]
        writes = [attempting(store, CreateMatch(terms(code)), match=code) for code in codes]
    assert await asyncio.gather(*writes) == [None] * 100
    assert statements.count("COMMIT") == 1


async def test_within_one_commit_a_conflict_hits_its_own_writes_alone(store: SqliteStore) -> None:
    async with Held(store):
        writes = [
            attempting(store, CreateMatch(terms())),
            attempting(store, AppendEntry(1, 1, 5, "t")),
            attempting(store, AppendEntry(2, 1, 6, "no"), AppendEntry(1, 1, 6, "taken")),
            attempting(store, AppendEntry(1, 3, 7, "gap")),
            attempting(store, CreateMatch(terms())),
            attempting(store, AppendEntry(1, 2, 8, "hp1"), AppendEntry(2, 1, 8, "t")),
        ]
    outcomes = await asyncio.gather(*writes)
    assert [type(outcome) for outcome in outcomes] == [type(None), type(None), Conflict, Conflict, Conflict, type(None)]
    assert (await kept(store)).boards == ([(5, "t"), (8, "hp1")], [(8, "t")])


async def test_nothing_is_left_of_a_forgotten_match(store: SqliteStore) -> None:
    await asyncio.gather(*(play(store, f"match{each:03}", (f"player {each}", "ann"), ended=10) for each in range(450)))
    await store.offer("golf", Seeker("ann"), "match000")
    await store.sweep(11)
    tables = [name for (name,) in await run(store, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    assert {name for name in tables if await run(store, f"SELECT * FROM {name}")} == {"meta"}


async def test_what_was_noted_of_a_pair_long_ago_is_forgotten(store: SqliteStore) -> None:
    for match, at, player in (("aaaaaaaa", 1000, "ann"), ("bbbbbbbb", 2000, "ben"), ("cccccccc", 3000, "cid")):
        await store.note_pair((player, "dan"), match, at, 1000, 3)
    assert await run(store, "SELECT match FROM pairs ORDER BY match") == [("bbbbbbbb",), ("cccccccc",)]


# The disk


async def test_a_number_beyond_all_is_an_error(store: SqliteStore) -> None:
    await make(store)
    failed = await attempt(store, AppendEntry(1, 1, 1 << 80, "t"))
    assert isinstance(failed, StoreError)
    await store.write(CODE, [AppendEntry(1, 1, 5, "t")])


async def test_a_full_disk_is_told_to_everyone_in_the_commit_and_the_store_goes_on(store: SqliteStore) -> None:
    await make(store)
    ((pages,),) = await run(store, "PRAGMA page_count")
    await run(store, f"PRAGMA max_page_count = {pages + 2}")
    async with Held(store):
        writes = [attempting(store, AppendEntry(1, number, number, "x" * 1000)) for number in range(1, 51)]
        writes.append(attempting(store, CreateMatch(terms("bbbbbbbb")), match="bbbbbbbb"))
    outcomes = await asyncio.gather(*writes)
    assert {type(outcome) for outcome in outcomes} == {StoreError}
    assert "full" in str(outcomes[0])
    assert (await kept(store)).boards == ([], [])
    assert await store.read("bbbbbbbb") is None

    await run(store, "PRAGMA max_page_count = 100000")
    for number in range(1, 51):
        await store.write(CODE, [AppendEntry(1, number, number, "x" * 1000)])
    assert len((await kept(store)).boards[0]) == 50


async def test_a_commit_that_fails_leaves_nothing_behind_and_the_store_goes_on(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await make(store)

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

    writes = store._thread._writes
    with monkeypatch.context() as patch:
        patch.setattr(writes, "_database", Failing(writes._database))
        outcomes = await asyncio.gather(
            attempt(store, AppendEntry(1, 1, 5, "t")),
            attempt(store, AppendEntry(2, 1, 5, "t"), TakeSeat("ann", "Ann", 5), SetDue(7)),
        )
        assert [str(outcome) for outcome in outcomes] == ["disk I/O error", "disk I/O error"]
    assert (await kept(store)).boards == ([], [])
    assert await store.seats("ann") == []
    await store.write(CODE, [AppendEntry(1, 1, 5, "t")])


async def test_what_is_remembered_of_many_matches_has_a_limit_and_their_numbers_go_on(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 5
    monkeypatch.setattr("server.store.sqlite_writes.MOST_REMEMBERED", most)
    matches = [f"match{number}" for number in range(4 * most)]
    await make(store, *matches)
    for n in (1, 2, 3):
        for match in matches:
            await store.write(match, [AppendEntry(1, n, n, "t")])
            assert len(store._thread._writes._last) <= most + 1
    for match in matches:
        assert isinstance(await attempt(store, AppendEntry(1, 3, 9, "again"), match=match), Conflict)
        assert isinstance(await attempt(store, AppendEntry(1, 5, 9, "gap"), match=match), Conflict)
        assert [n for n, _ in (await kept(store, match)).boards[0]] == [1, 2, 3]


async def test_what_cannot_be_read_is_a_store_error(store: SqliteStore) -> None:
    await run(store, "DROP TABLE matches")
    with pytest.raises(StoreError):
        await store.read(CODE)
    with pytest.raises(StoreError):
        await store.open_matches()


async def test_moves_are_on_the_disk_at_once_and_beats_are_not(store: SqliteStore) -> None:
    levels: list[tuple[str, int]] = []

    def watch(database: sqlite3.Connection) -> None:
        def note(statement: str) -> None:
            if statement.startswith(("PRAGMA", "--")):
                return
            (level,) = database.execute("PRAGMA synchronous").fetchone()
            levels.append((" ".join(statement.split()[:4]), level))

        database.set_trace_callback(note)

    await store._thread.run(watch)
    await store.beat("one", 1_000, [])
    await make(store)
    normal, full = 1, 2
    assert [statement for statement, level in levels if level == normal] == ["INSERT OR REPLACE INTO"]
    assert {level for statement, level in levels if statement == "COMMIT"} == {full}

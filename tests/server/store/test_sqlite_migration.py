"""A file of an older format becomes one of this format, whole or not at all."""

import asyncio
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from server.store.port import AppendEntry, Seeker, StoreError, UnusableStore
from server.store.sqlite import SqliteStore
from server.store.sqlite_format import FORMAT
from tests.server.store.conftest import no_news
from tests.server.store.matches import kept
from tests.server.store.older import FORMAT_1, FORMAT_2, FORMAT_3, OlderFile

FINISHED, AGAINST_BOT, UNDER_WAY, WAITING = "jecqaa68", "gjk77qcp", "ypzuujdy", "mbg949hp"
"""What a server that wrote format 1 left behind when it was killed: one match finished, two under way, one waiting."""
ANN = "feef1967506d61d3a5934a9e1dbc8a0ecb226e4d68d4a0e60cbdbbb7493e72eb"
BEN = "f85499a3cd3543f226060db3c629363a5ea06a208badb4d6e9b0d6a299442961"
BOT = "d0d021612e06022ed491a0085e056324a7febec1e42274d852594fd75926e878"
BEAT = 1_796_035_970_970

Rows = list[tuple[object, ...]]


@pytest.fixture(params=[FORMAT_1, FORMAT_2, FORMAT_3], ids=["format 1", "format 2", "format 3"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return OlderFile(tmp_path / "matches.db", request.param).path


@pytest.fixture(params=[FORMAT_1, FORMAT_2], ids=["format 1", "format 2"])
def rewritten(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """One whose entries are all written anew."""
    return OlderFile(tmp_path / "matches.db", request.param).path


@pytest.fixture
def first(tmp_path: Path) -> Path:
    return OlderFile(tmp_path / "matches.db", FORMAT_1).path


def rows(path: Path, query: str) -> Rows:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(query).fetchall()


def everything(path: Path) -> dict[str, Rows]:
    """All there is in a file."""
    schema = rows(path, "SELECT type, name, sql FROM sqlite_master ORDER BY name")
    tables = {str(name): rows(path, f"SELECT * FROM {name}") for kind, name, _ in schema if kind == "table"}
    return {**tables, "schema": schema, "format": rows(path, "PRAGMA user_version")}


async def opened(path: Path) -> SqliteStore:
    store = SqliteStore(str(path))
    await store.open(no_news)
    return store


async def migrate(path: Path) -> None:
    await (await opened(path)).close()


# Format 1, which kept less


async def events(path: Path, match: str) -> list[tuple[int, dict[str, object]]]:
    store = await opened(path)
    found = [(at, json.loads(text)) for at, text in (await kept(store, match)).events]
    await store.close()
    return found


async def test_all_entries_of_format_1_are_there_and_only_bots_and_places_are_told_otherwise(first: Path) -> None:
    query = "SELECT match, log, n, at, text FROM entries"
    before = rows(first, query)
    await migrate(first)
    after = [row for row in rows(first, query) if '"came"' not in str(row[-1])]
    assert len(after) == len(before) == 46

    def told(text: object) -> object:
        person, bot = '"bot":null,"level":null,"paired":false', '"bot":"tommy","level":"normal","paired":false'
        places = str(text).replace('"reason":"resigned"}', '"reason":"resigned","places":[2,1]}')  # the one there is
        return places.replace('"bot":false', person).replace('"bot":true', bot)

    number = {2: 0, 0: 1, 1: 2}
    assert after == sorted((match, number[log], n, at, told(text)) for match, log, n, at, text in before)  # type: ignore[index]


async def test_the_seats_of_open_matches_of_format_1_are_held_by_the_server_that_is_gone(first: Path) -> None:
    def came(seat: int) -> dict[str, object]:
        return {"event": "came", "seat": seat, "connection": f"format-1-{seat}"}

    for match in (AGAINST_BOT, UNDER_WAY):
        assert (await events(first, match))[-2:] == [(BEAT, came(0)), (BEAT, came(1))]
    ((at, _), last) = await events(first, WAITING)
    assert last == (at, came(0))
    assert at > BEAT
    assert "came" not in str(await events(first, FINISHED))


async def test_everything_of_format_1_is_found_again(first: Path) -> None:
    store = await opened(first)
    assert sorted(await store.due(BEAT)) == sorted(await store.open_matches()) == [AGAINST_BOT, WAITING, UNDER_WAY]
    assert [match async for match in store.ended_matches()] == [FINISHED]
    assert sorted(await store.seats(ANN)) == [AGAINST_BOT, UNDER_WAY]
    assert sorted(await store.seats(BEN)) == [WAITING, UNDER_WAY]
    assert await store.seats(BOT) == [AGAINST_BOT]
    assert await store.history(ANN, 9) == await store.history(BEN, 9) == [FINISHED]
    assert await store.player(ANN) == ("Ann", 1_796_035_956_843, 1_796_035_968_097)
    assert await store.player(BOT) == ("House bot", 1_796_035_959_853, 1_796_035_959_853)
    assert await store.pair("numerica", Seeker("somebody", bots=True), None) is None
    assert (await store.beat("one", 0, [])).now == BEAT, "nothing has passed since"
    assert (await store.house_secret()).hex().startswith("85b06b0b31713f7b")
    await store.close()


async def test_the_matches_of_format_1_go_on(first: Path) -> None:
    store = await opened(first)
    assert (await kept(store, AGAINST_BOT)).numbers == (9, 5, 12)
    await store.write(AGAINST_BOT, [AppendEntry(1, 6, 5000, "hp3"), AppendEntry(0, 10, BEAT + 9, "next")])
    await store.close()


# Both


async def test_opening_it_again_changes_nothing(path: Path) -> None:
    await migrate(path)
    once = everything(path)
    assert once["format"] == [(FORMAT,)]
    await migrate(path)
    assert everything(path) == once


async def test_it_is_like_a_new_one(path: Path, tmp_path: Path) -> None:
    def columns(file: Path) -> Rows:
        return rows(file, "SELECT m.name, c.* FROM sqlite_master m, pragma_table_info(m.name) c ORDER BY m.name, cid")

    def indexes(file: Path) -> Rows:
        return rows(file, "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name")

    await migrate(path)
    await migrate(tmp_path / "new.db")
    assert columns(path) == columns(tmp_path / "new.db")
    assert indexes(path) == indexes(tmp_path / "new.db")


@pytest.mark.parametrize("match", ["22222222", "m2222222", "zzzzzzzz"], ids=["early", "later", "last"])
async def test_one_that_fails_leaves_the_file_as_it_was(rewritten: Path, match: str) -> None:
    with closing(sqlite3.connect(rewritten)) as broken:
        broken.execute("INSERT INTO matches (match, terms) SELECT ?, terms FROM matches LIMIT 1", (match,))
        broken.execute('INSERT INTO entries VALUES (?, 2, 1, 1, \'{"event":"seated","seat":0,\')', (match,))
        broken.commit()
    before = everything(rewritten)
    with pytest.raises(UnusableStore, match=r"matches\.db"):
        await migrate(rewritten)
    assert everything(rewritten) == before

    with closing(sqlite3.connect(rewritten)) as mended:
        mended.execute("DELETE FROM entries WHERE match = ?", (match,))
        mended.execute("DELETE FROM matches WHERE match = ?", (match,))
        mended.commit()
    await migrate(rewritten)
    assert everything(rewritten)["format"] == [(FORMAT,)]


class Counted(sqlite3.Connection):
    """A database that fails at one statement. Those that take a transaction back do not count."""

    done = 0
    fails_at = 1 << 30

    def execute(self, *args: Any) -> sqlite3.Cursor:
        if args[0] != "ROLLBACK":
            Counted.done += 1
            if Counted.done == Counted.fails_at:
                raise sqlite3.OperationalError("disk I/O error")
        return super().execute(*args)


async def statements(path: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int) -> int:
    """Open a file in which so manieth statement fails, and count them."""
    connect: Any = sqlite3.connect
    Counted.done, Counted.fails_at = 0, fails_at
    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", lambda *args, **options: connect(*args, **options, factory=Counted))
        await migrate(path)
    return Counted.done


async def test_whichever_statement_fails_the_file_is_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = everything(path)
    fails_at = 1
    while True:
        try:
            done = await statements(path, monkeypatch, fails_at)
        except (UnusableStore, StoreError):
            assert everything(path) == before, f"statement {fails_at} failed"
            fails_at += 1
        else:
            assert done == fails_at - 1 > 10
            break
    assert everything(path)["format"] == [(FORMAT,)]


@pytest.mark.parametrize("left", [1, 2, 5, 12, 20], ids=lambda left: f"{left} to go")
async def test_a_server_that_is_killed_leaves_the_file_as_it_was(
    rewritten: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: int
) -> None:
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(rewritten)) as database:
        database.execute("VACUUM INTO ?", (str(other),))
    steps = await statements(other, monkeypatch, 1 << 30)
    before = everything(rewritten)
    command = [sys.executable, "-m", "tests.server.store.killed", f"sqlite:{rewritten}", str(steps - left)]
    killed = await asyncio.to_thread(subprocess.run, command, check=False, capture_output=True, timeout=60)
    assert killed.returncode == -9, killed.stderr.decode()
    assert everything(rewritten) == before
    await migrate(rewritten)
    assert everything(rewritten)["format"] == [(FORMAT,)]


async def test_a_disk_that_fills_up_leaves_the_file_as_it_was(rewritten: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = everything(rewritten)
    connect = sqlite3.connect

    def small(*args: object, **options: object) -> sqlite3.Connection:
        database: sqlite3.Connection = connect(*args, **options)  # type: ignore[call-overload]
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        database.execute(f"PRAGMA max_page_count = {pages}")
        return database

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", small)
        with pytest.raises((UnusableStore, StoreError), match="full"):
            await migrate(rewritten)
    assert everything(rewritten) == before

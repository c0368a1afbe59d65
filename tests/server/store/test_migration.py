"""A file of an older format becomes one of this format, whole or not at all."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from server.store.port import AppendEntry, StoreError, UnusableStore
from server.store.sqlite import SqliteStore
from server.store.sqlite_format import FORMAT
from tests.server.store.conftest import no_news
from tests.server.store.matches import kept

SAMPLE = Path(__file__).with_name("format-1.sql")
"""What a server that wrote format 1 left behind when it was killed: one match finished, two under way, one waiting."""
FINISHED, AGAINST_BOT, UNDER_WAY, WAITING = "jecqaa68", "gjk77qcp", "ypzuujdy", "mbg949hp"
ANN = "feef1967506d61d3a5934a9e1dbc8a0ecb226e4d68d4a0e60cbdbbb7493e72eb"
BEN = "f85499a3cd3543f226060db3c629363a5ea06a208badb4d6e9b0d6a299442961"
BOT = "d0d021612e06022ed491a0085e056324a7febec1e42274d852594fd75926e878"
BEAT = 1_796_035_970_970

Rows = list[tuple[object, ...]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "matches.db"
    with closing(sqlite3.connect(path)) as old:
        old.executescript(SAMPLE.read_text())
        old.execute("PRAGMA journal_mode = WAL")
    return path


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


async def events(path: Path, match: str) -> list[tuple[int, dict[str, object]]]:
    store = await opened(path)
    found = [(at, json.loads(text)) for at, text in (await kept(store, match)).events]
    await store.close()
    return found


async def test_all_entries_are_there_and_only_bots_are_told_otherwise(path: Path) -> None:
    query = "SELECT match, log, n, at, text FROM entries ORDER BY match, log, n"
    before = rows(path, query)
    await migrate(path)
    after = [row for row in rows(path, query) if '"came"' not in str(row[-1])]
    assert len(after) == len(before) == 46

    def told(text: object) -> object:
        return str(text).replace('"bot":false', '"bot":null').replace('"bot":true', '"bot":"normal"')

    assert after == [(*row, told(text)) for *row, text in before]
    assert after != before


async def test_the_seats_of_open_matches_are_held_by_the_server_that_is_gone(path: Path) -> None:
    def came(seat: int) -> dict[str, object]:
        return {"event": "came", "seat": seat, "connection": f"format-1-{seat}"}

    for match in (AGAINST_BOT, UNDER_WAY):
        assert (await events(path, match))[-2:] == [(BEAT, came(0)), (BEAT, came(1))]
    ((at, _), last) = await events(path, WAITING)
    assert last == (at, came(0))
    assert at > BEAT
    assert "came" not in str(await events(path, FINISHED))


async def test_everything_is_found_again(path: Path) -> None:
    store = await opened(path)
    assert sorted(await store.due(BEAT)) == sorted(await store.open_matches()) == [AGAINST_BOT, WAITING, UNDER_WAY]
    assert [match async for match in store.ended_matches()] == [FINISHED]
    assert sorted(await store.seats(ANN)) == [AGAINST_BOT, UNDER_WAY]
    assert sorted(await store.seats(BEN)) == [WAITING, UNDER_WAY]
    assert await store.seats(BOT) == [AGAINST_BOT]
    assert await store.history(ANN, 9) == await store.history(BEN, 9) == [FINISHED]
    assert await store.player(ANN) == ("Ann", 1_796_035_956_843, 1_796_035_968_097)
    assert await store.player(BOT) == ("House bot", 1_796_035_959_853, 1_796_035_959_853)
    assert await store.pair("numerica", "somebody", None) is None
    assert list((await store.beat("one", BEAT + 1, [])).outages) == [(1, BEAT, BEAT + 1)]
    assert (await store.house_secret()).hex().startswith("85b06b0b31713f7b")
    await store.close()


async def test_the_matches_go_on(path: Path) -> None:
    store = await opened(path)
    numbers = (await kept(store, AGAINST_BOT)).numbers
    assert numbers == (5, 12, 9)
    await store.write(AGAINST_BOT, [AppendEntry(0, 6, 5000, "hp3"), AppendEntry(2, 10, BEAT + 9, "next")])
    await store.close()


async def test_opening_it_again_changes_nothing(path: Path) -> None:
    await migrate(path)
    once = everything(path)
    assert once["format"] == [(FORMAT,)]
    await migrate(path)
    assert everything(path) == once


async def test_it_is_like_a_new_one(path: Path, tmp_path: Path) -> None:
    def columns(file: Path) -> Rows:
        return rows(file, "SELECT m.name, c.* FROM sqlite_master m, pragma_table_info(m.name) c ORDER BY m.name, cid")

    await migrate(path)
    await migrate(tmp_path / "new.db")
    assert columns(path) == columns(tmp_path / "new.db")


@pytest.mark.parametrize("match", [AGAINST_BOT, WAITING, "zzzzzzzz"], ids=["early", "later", "last"])
async def test_one_that_fails_leaves_the_file_as_it_was(path: Path, match: str) -> None:
    with closing(sqlite3.connect(path)) as broken:
        broken.execute("INSERT OR IGNORE INTO matches SELECT 'zzzzzzzz', terms, NULL FROM matches LIMIT 1")
        broken.execute("INSERT INTO entries VALUES (?, 2, 99, 1, 'no JSON')", (match,))
        broken.commit()
    before = everything(path)
    with pytest.raises(UnusableStore, match=r"matches\.db"):
        await migrate(path)
    assert everything(path) == before

    with closing(sqlite3.connect(path)) as mended:
        mended.execute("DELETE FROM entries WHERE n = 99")
        mended.execute("DELETE FROM matches WHERE match = 'zzzzzzzz'")
        mended.commit()
    await migrate(path)
    assert everything(path)["format"] == [(FORMAT,)]


async def test_a_disk_that_fills_up_leaves_the_file_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = everything(path)
    connect = sqlite3.connect

    def small(*args: object, **options: object) -> sqlite3.Connection:
        database: sqlite3.Connection = connect(*args, **options)  # type: ignore[call-overload]
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        database.execute(f"PRAGMA max_page_count = {pages}")
        return database

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", small)
        with pytest.raises((UnusableStore, StoreError), match="full"):
            await migrate(path)
    assert everything(path) == before

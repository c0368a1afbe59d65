"""The embedded store: one SQLite file, or memory. Nobody else can write to it."""

from collections.abc import AsyncIterator, Callable, Sequence
from sqlite3 import Connection
from typing import Any

from server.clock import wall_clock
from server.events import parse_terms
from server.store import sqlite_ratings
from server.store.port import Numbers, Player, Pulse, Rated, Seeker, StoredMatch, StoreError, UnusableStore, Write
from server.store.sqlite_thread import MEMORY, SqliteThread

MOST_DUE = 1000
PAGE = 200
"""How many matches one step of a long walk takes: meanwhile nobody can write."""


class SqliteStore:
    """Matches in an SQLite database at `path`, a file or `MEMORY`."""

    keep: int | None = None

    def __init__(self, path: str) -> None:
        self.path = path
        self.address = "memory:" if path == MEMORY else f"sqlite:{path}"
        self._thread = SqliteThread(path)

    async def open(self, news: Callable[[str], None]) -> None:  # noqa: ARG002 - nobody else writes, so there is none
        try:
            await self._thread.open()
        except (StoreError, OSError, ValueError) as error:
            raise UnusableStore(f"cannot use the store {self.address}: {error}") from error

    async def close(self) -> None:
        await self._thread.close()

    async def ready(self) -> bool:
        return self._thread.alive

    # Matches

    async def write(self, match: str, writes: Sequence[Write]) -> None:
        if writes:
            await self._thread.write(match, writes)

    async def read(self, match: str, after: Numbers = ()) -> StoredMatch | None:
        return await self._thread.run(lambda database: _read(database, match, after))

    async def follow(self, match: str) -> None:
        pass

    async def unfollow(self, match: str) -> None:
        pass

    # Finding them again

    async def due(self, by: int) -> list[str]:
        query = "SELECT match FROM matches WHERE ended IS NULL AND due <= ? ORDER BY due LIMIT ?"
        return await self._column(query, by, MOST_DUE)

    async def open_matches(self) -> list[str]:
        return await self._column("SELECT match FROM matches WHERE ended IS NULL")

    async def ended_matches(self) -> AsyncIterator[str]:
        query = """
            SELECT ended, match FROM matches WHERE ended IS NOT NULL AND (ended, match) > (?, ?)
            ORDER BY ended, match LIMIT ?
        """
        rows = await self._rows(query, -1, "", PAGE)
        while rows:
            for _, match in rows:
                yield match
            rows = await self._rows(query, *rows[-1], PAGE)

    async def seats(self, player: str) -> list[str]:
        query = "SELECT match FROM seats JOIN matches USING (match) WHERE player = ? AND ended IS NULL"
        return await self._column(query, player)

    async def history(self, player: str, most: int) -> list[str]:
        query = """
            SELECT match FROM seats JOIN matches USING (match) WHERE player = ? AND ended IS NOT NULL
            ORDER BY ended DESC LIMIT ?
        """
        return await self._column(query, player, most)

    async def player(self, player: str) -> Player | None:
        rows = await self._rows("SELECT name, first, last FROM players WHERE player = ?", player)
        return Player(*rows[0]) if rows else None

    # Ratings

    async def ratings(self, family: str, players: Sequence[str]) -> list[Rated | None]:
        return await self._thread.run(lambda database: sqlite_ratings.ratings(database, family, players))

    async def rate(
        self,
        match: str,
        family: str,
        at: int,  # noqa: ARG002 - that it counts is forgotten with the match
        before: Sequence[Rated | None],
        after: Sequence[Rated],
    ) -> bool:
        return await self._thread.run(lambda database: sqlite_ratings.rate(database, match, family, before, after))

    async def note_pair(self, players: Sequence[str], match: str, at: int, within: int, most: int) -> bool:
        return await self._thread.run(
            lambda database: sqlite_ratings.note_pair(database, players, match, at, within, most)
        )

    async def unrated(self, families: Sequence[str], since: int) -> list[str]:  # noqa: ARG002 - all are in one place
        return await self._thread.run(lambda database: sqlite_ratings.unrated(database, since))

    async def top(self, family: str, most: int) -> list[Rated]:
        return await self._thread.run(lambda database: sqlite_ratings.top(database, family, most))

    # Waiting for a rival

    async def pair(self, game: str, seeker: Seeker, match: str | None) -> str | None:
        return await self._thread.run(lambda database: _pair(database, game, seeker, match))

    async def offer(self, game: str, seeker: Seeker, match: str) -> None:
        await self._thread.run(lambda database: _offer(database, game, seeker, match))

    async def withdraw(self, game: str, match: str) -> None:
        await self._rows("DELETE FROM waiting WHERE game = ? AND match = ?", game, match)

    # Servers

    async def beat(self, node: str, vouched: int, races: Sequence[str]) -> Pulse:  # noqa: ARG002 - no other server asks
        return Pulse(frozenset((node,)), await self._thread.run(lambda database: _beat(database, vouched)))

    async def silence(self, node: str) -> None:
        pass

    async def races(self, node: str) -> list[str]:  # noqa: ARG002 - there is no other server
        return []

    async def sweep(self, before: int) -> None:
        while matches := await self._column("SELECT match FROM matches WHERE ended < ? LIMIT ?", before, PAGE):
            await self._thread.forget(matches)

    async def house_secret(self) -> bytes:
        (secret,) = await self._column("SELECT value FROM meta WHERE key = 'house_secret'")
        return bytes.fromhex(secret)

    async def _column(self, query: str, *values: object) -> list[str]:
        return [value for (value,) in await self._rows(query, *values)]

    async def _rows(self, query: str, *values: object) -> list[Any]:
        return await self._thread.run(lambda database: database.execute(query, values).fetchall())


# Done by the thread


def _read(database: Connection, match: str, after: Numbers) -> StoredMatch | None:
    row = database.execute("SELECT terms FROM matches WHERE match = ?", (match,)).fetchone()
    if row is None:
        return None
    terms = parse_terms(row[0])
    known = dict(enumerate(after))
    entries = "SELECT at, text FROM entries WHERE match = ? AND log = ? AND n > ? ORDER BY n"
    logs = tuple(database.execute(entries, (match, log, known.get(log, 0))).fetchall() for log in range(terms.logs))
    last = "SELECT ifnull(max(n), 0) FROM entries WHERE match = ? AND log = ?"
    numbers = tuple(database.execute(last, (match, log)).fetchone()[0] for log in range(terms.logs))
    return StoredMatch(terms, logs, numbers)


def _pair(database: Connection, game: str, seeker: Seeker, match: str | None) -> str | None:
    query = "SELECT match, player, bot, bots FROM waiting WHERE game = ? ORDER BY since"
    for found, *waiting in database.execute(query, (game,)):
        if seeker.suits(Seeker(*waiting)):
            return str(found)
    if match is not None:
        _offer(database, game, seeker, match)
    return None


def _offer(database: Connection, game: str, seeker: Seeker, match: str) -> None:
    waits = "INSERT OR IGNORE INTO waiting (game, match, player, bot, bots) VALUES (?, ?, ?, ?, ?)"
    database.execute(waits, (game, match, *seeker))


def _beat(database: Connection, vouched: int) -> int:
    """A beat that is lost with the machine's power only sets the clock back a little, so the disk may rest."""
    found = database.execute("SELECT value FROM meta WHERE key = 'clock'").fetchone()
    now = max(vouched, wall_clock() if found is None else int(found[0]))
    database.execute("PRAGMA synchronous = NORMAL")
    try:
        database.execute("INSERT OR REPLACE INTO meta VALUES ('clock', ?)", (now,))
    finally:
        database.execute("PRAGMA synchronous = FULL")
    return now

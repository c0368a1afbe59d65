"""Ratings in an SQLite database that nobody else writes to."""

from collections.abc import Sequence
from sqlite3 import Connection

from server.store.port import MOST_UNRATED, Conflict, Rated
from server.store.sqlite_transaction import transaction

_COLUMNS = "player, name, rating, deviation, volatility, matches, at, bot"


def ratings(database: Connection, family: str, players: Sequence[str]) -> list[Rated | None]:
    query = f"SELECT {_COLUMNS} FROM ratings WHERE family = ? AND player = ?"  # noqa: S608 - the columns are ours
    rows = [database.execute(query, (family, player)).fetchone() for player in players]
    return [None if row is None else Rated(*row) for row in rows]


def rate(database: Connection, match: str, family: str, before: Sequence[Rated | None], after: Sequence[Rated]) -> bool:
    run = database.execute
    with transaction(database):
        fresh = run("INSERT OR IGNORE INTO rated VALUES (?)", (match,)).rowcount == 1
        if fresh:
            if ratings(database, family, [each.player for each in after]) != list(before):
                raise Conflict(f"the ratings are others by now ({match})")
            for each in after:
                run("INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (family, *each))
    return fresh


def note_pair(database: Connection, players: Sequence[str], match: str, at: int, within: int, most: int) -> bool:
    run = database.execute
    pair = " ".join(sorted(players))
    with transaction(database):
        run("DELETE FROM pairs WHERE at <= ?", (at - 2 * within,))
        noted = dict(run("SELECT match, at FROM pairs WHERE players = ?", (pair,)).fetchall())
        if match not in noted:
            if sum(abs(other - at) < within for other in noted.values()) >= most:
                return False
            run("INSERT INTO pairs VALUES (?, ?, ?)", (pair, match, at))
    return True


def unrated(database: Connection, since: int) -> list[str]:
    query = """
        SELECT match FROM matches WHERE ended >= ? AND NOT EXISTS (SELECT 1 FROM rated WHERE rated.match = matches.match)
        ORDER BY ended, match LIMIT ?
    """
    return [match for (match,) in database.execute(query, (since, MOST_UNRATED))]


def top(database: Connection, family: str, most: int) -> list[Rated]:
    query = f"""
        SELECT {_COLUMNS} FROM ratings WHERE family = ? ORDER BY rating - 2 * deviation DESC, player DESC LIMIT ?
    """  # noqa: S608 - the columns are ours
    return [Rated(*row) for row in database.execute(query, (family, most))]

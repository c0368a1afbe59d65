"""What the SQLite store's database looks like, and how one of an older format is brought to this one."""

import json
import secrets
import sqlite3

from server.store.sqlite_transaction import transaction

FORMAT = 2
APPLICATION = 0x746F6D79
"""What SQLite's `application_id` says of a database of ours, "tomy": others number their formats from 1, too."""

_MATCHES_AND_ENTRIES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE matches (
    match TEXT PRIMARY KEY, terms TEXT NOT NULL, ended INTEGER, due INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE entries (
    match TEXT NOT NULL, log INTEGER NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (match, log, n)
) WITHOUT ROWID;
"""
_FINDING = """
CREATE INDEX due_matches ON matches (due) WHERE ended IS NULL;
CREATE INDEX ended_matches ON matches (ended) WHERE ended IS NOT NULL;
CREATE TABLE seats (player TEXT NOT NULL, match TEXT NOT NULL, PRIMARY KEY (player, match)) WITHOUT ROWID;
CREATE INDEX seats_of_match ON seats (match);
CREATE TABLE players (
    player TEXT PRIMARY KEY, name TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE outages (number INTEGER PRIMARY KEY, since INTEGER NOT NULL, until INTEGER NOT NULL);
CREATE TABLE waiting (since INTEGER PRIMARY KEY, game TEXT NOT NULL, match TEXT NOT NULL UNIQUE, player TEXT NOT NULL,
    bot INTEGER NOT NULL, bots INTEGER NOT NULL
);
CREATE TABLE ratings (
    family TEXT NOT NULL, player TEXT NOT NULL, name TEXT NOT NULL,
    rating REAL NOT NULL, deviation REAL NOT NULL, volatility REAL NOT NULL, matches INTEGER NOT NULL, at INTEGER NOT NULL,
    bot TEXT,
    PRIMARY KEY (family, player)
) WITHOUT ROWID;
CREATE INDEX ranking ON ratings (family, rating - 2 * deviation DESC);
CREATE TABLE rated (match TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE pairs (players TEXT NOT NULL, match TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (players, match)) WITHOUT ROWID;
CREATE INDEX old_pairs ON pairs (at);
"""
SEEN = """
INSERT INTO players VALUES (:player, :name, :at, :at)
ON CONFLICT DO UPDATE SET name = :name, first = min(first, :at), last = max(last, :at)
"""
"""Note that a player was seen."""


def bring_to_format(database: sqlite3.Connection) -> None:
    """Make the tables, or bring those of an older format to this one: all of it or nothing.

    Leaves alone what is not ours. Raises `ValueError`.
    """
    run = database.execute
    (tables,) = run("SELECT count(*) FROM sqlite_master").fetchone()
    (application,) = run("PRAGMA application_id").fetchone()
    (found,) = run("PRAGMA user_version").fetchone()
    if tables and application != APPLICATION:
        raise ValueError("it is another program's database")
    if tables and found > FORMAT:
        raise ValueError(f"its format {found} is newer than this program's {FORMAT}: use a newer tommy-server")
    run("PRAGMA journal_mode = WAL")
    run("PRAGMA synchronous = FULL")
    with transaction(database):  # find out now, not at the first move, whether it can be written to
        if not tables:
            _create(database)
        elif found == 1:
            _from_format_1(database)
        run(f"PRAGMA application_id = {APPLICATION}")
        run(f"PRAGMA user_version = {FORMAT}")


def _create(database: sqlite3.Connection) -> None:
    _run_all(database, _MATCHES_AND_ENTRIES + _FINDING)
    database.execute("INSERT INTO meta VALUES ('house_secret', ?)", (secrets.token_hex(32),))


def _run_all(database: sqlite3.Connection, statements: str) -> None:
    """As `executescript`, which would commit first."""
    for statement in statements.split(";"):
        database.execute(statement)


def _from_format_1(database: sqlite3.Connection) -> None:
    """Format 1 kept matches and entries alone, and of a bot only that it was one."""
    run = database.execute
    run("ALTER TABLE matches ADD COLUMN due INTEGER NOT NULL DEFAULT 0")  # so that all are looked at
    run("DROP INDEX open_matches")
    _run_all(database, _FINDING)
    beat = run("SELECT value FROM meta WHERE key = 'beat'").fetchone()
    for match, ended in run("SELECT match, ended FROM matches").fetchall():
        entries = run("SELECT n, at, text FROM entries WHERE match = ? AND log = 2 ORDER BY n", (match,)).fetchall()
        seats = _fill_seats(database, match, entries)
        if ended is None and entries:
            n, at, _ = entries[-1]
            _hold_connected(database, match, seats, n, max(at, beat[0] if beat else 0))


def _fill_seats(database: sqlite3.Connection, match: str, entries: list[tuple[int, int, str]]) -> list[int]:
    """Bring the `seated` events of a match to what they say now, and note the seats; return their numbers."""
    seats = []
    for n, at, text in entries:
        event = json.loads(text)
        if event["event"] != "seated":
            continue
        seats.append(event["seat"])
        event["bot"] = "normal" if event["bot"] else None
        text = _event_text(event)
        database.execute("UPDATE entries SET text = ? WHERE match = ? AND log = 2 AND n = ?", (text, match, n))
        database.execute("INSERT OR IGNORE INTO seats VALUES (?, ?)", (event["player"], match))
        database.execute(SEEN, {"player": event["player"], "name": event["name"], "at": at})
    return seats


def _hold_connected(database: sqlite3.Connection, match: str, seats: list[int], n: int, at: int) -> None:
    """Say of the seats of an open match that they were connected to the server that wrote format 1.

    It is gone, and with it the connections: whoever serves the match now gives each seat its whole grace period.
    """
    for number, seat in enumerate(seats, n + 1):
        text = _event_text({"event": "came", "seat": seat, "connection": f"format-1-{seat}"})
        database.execute("INSERT INTO entries VALUES (?, 2, ?, ?, ?)", (match, number, at, text))


def _event_text(event: dict[str, object]) -> str:
    return json.dumps(event, separators=(",", ":"), ensure_ascii=False)

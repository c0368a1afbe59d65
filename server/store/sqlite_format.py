"""What the SQLite store's database looks like, and how one of an older format is brought to this one.

Format 1 kept matches and entries alone. Format 2 numbered the boards' logs from 0 and the match's own 2, and said of a
bot only its level. Format 3 went by the wall clock, and kept the times in which nobody served to make them good. Each becomes
this one in a single transaction: after a crash in the middle the file is what it was.
"""

import json
import secrets
import sqlite3

import structlog

from engine.record import HOUSE_PROGRAM
from engine.result import PLACES_OF_TWO, Reason, Result
from protocol.messages import Level
from server.events import MATCH_LOG, Came, Finished, Seated, event_text
from server.store.sqlite_transaction import transaction

FORMAT = 4
APPLICATION = 0x746F6D79
"""What SQLite's `application_id` says of a database of ours, "tomy": others number their formats from 1, too."""
OLD_MATCH_LOG = 2

log = structlog.get_logger()

_MATCHES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE matches (
    match TEXT PRIMARY KEY, terms TEXT NOT NULL, ended INTEGER, due INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
"""
_ENTRIES = """
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
"""
_WAITING = """
CREATE TABLE waiting (
    since INTEGER PRIMARY KEY, game TEXT NOT NULL, match TEXT NOT NULL UNIQUE,
    player TEXT NOT NULL, bot INTEGER NOT NULL, bots INTEGER NOT NULL
);
"""
_RATINGS = """
CREATE TABLE ratings (
    family TEXT NOT NULL, player TEXT NOT NULL, name TEXT NOT NULL,
    rating REAL NOT NULL, deviation REAL NOT NULL, volatility REAL NOT NULL, matches INTEGER NOT NULL, at INTEGER NOT NULL,
    bot TEXT, PRIMARY KEY (family, player)
) WITHOUT ROWID;
CREATE INDEX ranking ON ratings (family, rating - 2 * deviation DESC);
CREATE TABLE rated (match TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_PAIRS = """
CREATE TABLE pairs (
    players TEXT NOT NULL, match TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (players, match)
) WITHOUT ROWID;
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
    if tables and found < FORMAT and found not in _OLDER:
        raise ValueError(f"its format {found} is none of ours")
    run("PRAGMA journal_mode = WAL")
    run("PRAGMA synchronous = FULL")
    with transaction(database):  # find out now, not at the first move, whether it can be written to
        if not tables:
            _create(database)
        elif found < FORMAT:
            log.info("the store is brought to a new format", found=found, format=FORMAT)
            for step in _OLDER[found]:
                step(database)
        run(f"PRAGMA application_id = {APPLICATION}")
        run(f"PRAGMA user_version = {FORMAT}")


def _create(database: sqlite3.Connection) -> None:
    _run_all(database, _MATCHES + _ENTRIES + _FINDING + _WAITING + _RATINGS + _PAIRS)
    database.execute("INSERT INTO meta VALUES ('house_secret', ?)", (secrets.token_hex(32),))


def _run_all(database: sqlite3.Connection, statements: str) -> None:
    """As `executescript`, which would commit first."""
    for statement in statements.split(";"):
        database.execute(statement)


def _from_format_1(database: sqlite3.Connection) -> None:
    """Format 1 kept nothing by which matches are found, and not who was connected."""
    run = database.execute
    _renumber(database)
    run("ALTER TABLE matches ADD COLUMN due INTEGER NOT NULL DEFAULT 0")  # so that all are looked at
    run("DROP INDEX open_matches")
    _run_all(database, _FINDING + _WAITING + _RATINGS + _PAIRS)
    beat = run("SELECT value FROM meta WHERE key = 'beat'").fetchone()
    last_beat = beat[0] if beat else 0
    entries = "SELECT n, at, text FROM entries WHERE match = ? AND log = ? ORDER BY n"
    for match, ended in run("SELECT match, ended FROM matches").fetchall():
        events = run(entries, (match, MATCH_LOG)).fetchall()
        seats = _fill_seats(database, match, events)
        if ended is None and events:
            n, at, _ = events[-1]
            _hold_connected(database, match, seats, n, max(at, last_beat))


def _from_format_2(database: sqlite3.Connection) -> None:
    """Format 2 knew no bots but the house's, and paired whoever waited.

    The queue is left empty: those who wait on it were other players, and cannot come back.
    """
    _renumber(database)
    database.execute("ALTER TABLE ratings ADD COLUMN bot TEXT")
    database.execute("DROP TABLE waiting")
    _run_all(database, _WAITING + _PAIRS)


def _from_wall_clock(database: sqlite3.Connection) -> None:
    """All that format 3 lacks. The matches' clock goes on from the last time at which the older version said that it was alive."""
    database.execute("UPDATE meta SET key = 'clock' WHERE key = 'beat'")
    database.execute("DELETE FROM meta WHERE key = 'node'")
    database.execute("DROP TABLE IF EXISTS outages")


def _renumber(database: sqlite3.Connection) -> None:
    """Number the logs from the match's own on, and bring its events to what they say now.

    The entries are written anew in their new order: to number them where they are would be to move each one twice.
    """
    run = database.execute
    run("ALTER TABLE entries RENAME TO old_entries")
    _run_all(database, _ENTRIES)
    renumber = """
        INSERT INTO entries SELECT match, CASE log WHEN ? THEN ? ELSE log + 1 END, n, at, text FROM old_entries ORDER BY 1, 2, 3
    """
    run(renumber, (OLD_MATCH_LOG, MATCH_LOG))
    old = "SELECT match, n, text FROM old_entries WHERE log = ? AND text LIKE ?"
    for event, as_now in (("seated", _seated), ("finished", _finished)):
        for match, n, text in run(old, (OLD_MATCH_LOG, f'{{"event":"{event}"%')):
            run(
                "UPDATE entries SET text = ? WHERE match = ? AND log = ? AND n = ?", (as_now(text), match, MATCH_LOG, n)
            )
    run("DROP TABLE old_entries")


def _seated(text: str) -> str:
    """A `seated` event of an older format as it is told now.

    Who had brought two players together was not kept: in a public match somebody may have had its code. So nobody is
    said to have been paired, and an old match that has not been rated yet will not be.
    """
    event = json.loads(text)
    level: Level | None = "normal" if event["bot"] is True else event["bot"] or None  # format 1 did not say which
    bot = HOUSE_PROGRAM if level else None
    return event_text(Seated(event["seat"], event["player"], event["name"], bot, level))


def _finished(text: str) -> str:
    """A `finished` event of an older format, which told of the winner alone, as it is told now."""
    result = json.loads(text)["result"]
    return event_text(Finished(Result(result["winner"], Reason(result["reason"]), PLACES_OF_TWO[result["winner"]])))


def _fill_seats(database: sqlite3.Connection, match: str, events: list[tuple[int, int, str]]) -> list[int]:
    """Note the seats of a match; return their numbers."""
    seats = []
    for _, at, text in events:
        event = json.loads(text)
        if event["event"] == "seated":
            seats.append(event["seat"])
            database.execute("INSERT OR IGNORE INTO seats VALUES (?, ?)", (event["player"], match))
            database.execute(SEEN, {"player": event["player"], "name": event["name"], "at": at})
    return seats


def _hold_connected(database: sqlite3.Connection, match: str, seats: list[int], n: int, at: int) -> None:
    """Say of the seats of an open match that they were connected to the server that wrote format 1.

    It is gone, and with it the connections: whoever serves the match now gives each seat its whole grace period.
    """
    for number, seat in enumerate(seats, n + 1):
        text = event_text(Came(seat, f"format-1-{seat}"))
        database.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", (match, MATCH_LOG, number, at, text))


_OLDER = {1: (_from_format_1, _from_wall_clock), 2: (_from_format_2, _from_wall_clock), 3: (_from_wall_clock,)}

"""How the writes of many matches become one commit of an SQLite database."""

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence

from server.events import MATCH_LOG, board_log, event_text, parse_terms
from server.store.port import AppendEntry, Conflict, CreateMatch, EndMatch, SetDue, StoreError, TakeSeat, Write
from server.store.sqlite_format import SEEN
from server.store.sqlite_transaction import transaction

MOST_REMEMBERED = 50_000
"""Matches of whose logs the last entries are kept in memory."""

_ENTRY = "INSERT INTO entries VALUES (?, ?, ?, ?, ?)"


class SqliteWrites:
    """Writes to a database that nobody else writes to."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._last: dict[str, dict[int, int]] = {}
        """The last entries of the logs that are being written, by match and log."""

    def commit(self, submissions: Sequence[tuple[str, Sequence[Write]]]) -> list[StoreError | None]:
        """Write each of these whole or not at all, and say why not. If it raises, none of them is kept."""
        with self._transaction():
            return self._write_all(submissions)

    def forget(self, matches: Sequence[str]) -> None:
        """Keep nothing of these matches, nor of the players that have no other."""
        run = self._database.execute
        with self._transaction():
            for match in matches:
                self._ask_again(match)
                players = run("SELECT player FROM seats WHERE match = ?", (match,)).fetchall()
                for table in ("matches", "entries", "seats", "waiting", "rated"):
                    run(f"DELETE FROM {table} WHERE match = ?", (match,))  # noqa: S608 - the tables' names are ours
                for player in players:
                    run(
                        "DELETE FROM players WHERE player = ?1 AND NOT EXISTS (SELECT 1 FROM seats WHERE player = ?1)",
                        player,
                    )

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            with transaction(self._database):
                yield
        except BaseException:
            self._last.clear()
            raise

    def _write_all(self, submissions: Sequence[tuple[str, Sequence[Write]]]) -> list[StoreError | None]:
        """Write the submissions in order. Lone entries, which nearly all are, go in together: that costs a fifth."""
        if len(self._last) > MOST_REMEMBERED:
            self._last.clear()
        outcomes: list[StoreError | None] = []
        rows: list[tuple[str, int, int, int, str]] = []
        for match, writes in submissions:
            first = writes[0]
            if len(writes) == 1 and isinstance(first, AppendEntry):
                follows = self._follows(match, first)
                if follows:
                    rows.append((match, *first))
                outcomes.append(None if follows else Conflict(_cannot_follow(match, first)))
                continue
            self._write_rows(rows)
            outcomes.append(self._write(match, writes))
        self._write_rows(rows)
        return outcomes

    def _write_rows(self, rows: list[tuple[str, int, int, int, str]]) -> None:
        self._database.executemany(_ENTRY, rows)
        rows.clear()

    def _follows(self, match: str, entry: AppendEntry) -> bool:
        """Whether the entry is the next of its log; from then on it is the last.

        Nobody else writes here, so a log is asked only once how far it goes.
        """
        known = self._last.setdefault(match, {})
        last = known.get(entry.log)
        if last is None:
            query = """
                SELECT terms, (SELECT ifnull(max(n), 0) FROM entries WHERE match = ?1 AND log = ?2)
                FROM matches WHERE match = ?1 AND (ended IS NULL OR ?2 = ?3)
            """
            row = self._database.execute(query, (match, entry.log, MATCH_LOG)).fetchone()
            if row is None or entry.log not in range(parse_terms(row[0]).logs):
                return False
            last = row[1]
        follows: bool = entry.n == last + 1
        known[entry.log] = entry.n if follows else last
        return follows

    def _write(self, match: str, writes: Sequence[Write]) -> StoreError | None:
        """Write one submission whole, or not at all."""
        run = self._database.execute
        several = len(writes) > 1
        if several:
            run("SAVEPOINT submission")
        try:
            for write in writes:
                self._write_one(match, write)
        except (sqlite3.IntegrityError, Conflict) as error:
            if several:
                run("ROLLBACK TO submission")
                self._ask_again(match)
            return Conflict(str(error))
        finally:
            if several:
                run("RELEASE submission")
        return None

    def _write_one(self, match: str, write: Write) -> None:
        run = self._database.execute
        match write:
            case AppendEntry():
                if not self._follows(match, write):
                    raise Conflict(_cannot_follow(match, write))
                run(_ENTRY, (match, *write))
            case CreateMatch(terms):
                run("INSERT INTO matches VALUES (?, ?, NULL, ?)", (match, event_text(terms), terms.since))
            case TakeSeat(player, name, at):
                self._check_known(match)
                run("INSERT OR IGNORE INTO seats VALUES (?, ?)", (player, match))
                run(SEEN, {"player": player, "name": name, "at": at})
            case SetDue(at):
                self._check_known(match)
                run("UPDATE matches SET due = ? WHERE match = ?", (at, match))
            case EndMatch(at, boards):
                self._check_known(match)
                if boards is not None:
                    self._check_boards(match, boards)
                run("UPDATE matches SET ended = ? WHERE match = ? AND ended IS NULL", (at, match))
                run("DELETE FROM waiting WHERE match = ?", (match,))
                self._ask_again(match)

    def _check_known(self, match: str) -> None:
        if self._database.execute("SELECT 1 FROM matches WHERE match = ?", (match,)).fetchone() is None:
            raise Conflict(f"there is no match {match}")

    def _check_boards(self, match: str, boards: Sequence[int]) -> None:
        (terms,) = self._database.execute("SELECT terms FROM matches WHERE match = ?", (match,)).fetchone()
        if len(boards) != parse_terms(terms).seats:
            raise Conflict(f"{match} does not have {len(boards)} boards")
        query = "SELECT ifnull(max(n), 0) FROM entries WHERE match = ? AND log = ?"
        for log, n in enumerate(boards, start=board_log(0)):
            if self._database.execute(query, (match, log)).fetchone() != (n,):
                raise Conflict(f"log {log} of {match} does not end with entry {n}")

    def _ask_again(self, match: str) -> None:
        """Ask the database again how far the match's logs go."""
        self._last.pop(match, None)


def _cannot_follow(match: str, entry: AppendEntry) -> str:
    return f"entry {entry.n} cannot come next in log {entry.log} of {match}"

"""The embedded store: one SQLite file, or memory.

A thread of its own owns the database. What is submitted while it is busy goes into its next commit, so that the cost
of making things durable is shared by all matches that move at the same time.
"""

import asyncio
import contextlib
import queue
import secrets
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from server.events import event_text, parse_terms
from server.store.port import (
    AppendEntry,
    Conflict,
    CreateMatch,
    Done,
    EndMatch,
    StoredMatch,
    StoreError,
    UnusableStore,
    Write,
)

FORMAT = 1
APPLICATION = 0x746F6D79
"""What SQLite's `application_id` says of a database of ours, "tomy": others number their formats from 1, too."""
LARGEST_BATCH = 512
MOST_REMEMBERED = 100_000
"""Logs whose last entry is kept in memory."""
MEMORY = ":memory:"

_SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE matches (match TEXT PRIMARY KEY, terms TEXT NOT NULL, ended INTEGER) WITHOUT ROWID;
CREATE TABLE entries (
    match TEXT NOT NULL, log INTEGER NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (match, log, n)
) WITHOUT ROWID;
CREATE INDEX open_matches ON matches (match) WHERE ended IS NULL;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
"""
_ENTRY = "INSERT INTO entries VALUES (?, ?, ?, ?, ?)"

Result = TypeVar("Result")


class SqliteStore:
    """Matches in an SQLite database at `path`, a file or `MEMORY`."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.address = "memory:" if path == MEMORY else f"sqlite:{path}"
        self._jobs: queue.SimpleQueue[_Submission | _Task | None] = queue.SimpleQueue()
        self._last: dict[tuple[str, int], int] = {}
        """The last entries of the logs that are being written."""
        self._thread = threading.Thread(target=self._work, name="sqlite", daemon=True)

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread.start()
        try:
            await self._run(self._connect)
        except (StoreError, OSError, ValueError) as error:
            self._jobs.put(None)
            raise UnusableStore(f"cannot use the store {self.address}: {error}") from error

    async def close(self) -> None:
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def submit(self, writes: Sequence[Write], done: Done) -> None:
        self._jobs.put(_Submission(writes, done))

    def beat(self, now: int) -> None:
        self._jobs.put(_Task(lambda: self._set("beat", now), lambda _result, _error: None))

    async def last_beat(self) -> int:
        return int(await self._run(lambda: self._get("beat") or 0))

    async def house_secret(self) -> bytes:
        return bytes.fromhex(await self._run(lambda: self._get("house_secret")))

    async def load(self, match: str) -> StoredMatch | None:
        return await self._run(lambda: self._load(match))

    async def open_matches(self) -> list[str]:
        query = "SELECT match FROM matches WHERE ended IS NULL"
        return await self._run(lambda: [match for (match,) in self._database.execute(query)])

    async def _run(self, work: "Callable[[], Result]") -> Result:
        """Have the thread do some work, and wait for what comes of it."""
        future: asyncio.Future[Result] = self._loop.create_future()

        def done(result: Result | None, error: Exception | None) -> None:
            if future.cancelled():
                return
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(result)  # type: ignore[arg-type]

        self._jobs.put(_Task(work, done))
        try:
            return await future
        except sqlite3.Error as error:
            raise StoreError(str(error)) from error

    def _report(self, reports: "list[Callable[[], None]]") -> None:
        for report in reports:
            try:
                report()
            except Exception as error:  # noqa: BLE001 - one listener's fault must not keep the others waiting
                self._loop.call_exception_handler({"message": "a store's listener failed", "exception": error})

    # From here on, all is done by the thread

    def _work(self) -> None:
        closing = False
        while not closing:
            batch = [self._jobs.get()]
            with contextlib.suppress(queue.Empty):
                while len(batch) < LARGEST_BATCH:
                    batch.append(self._jobs.get_nowait())
            closing = None in batch
            jobs = [job for job in batch if job is not None]
            with contextlib.suppress(RuntimeError):  # the loop may be gone when a server is torn down
                self._loop.call_soon_threadsafe(self._report, self._carry_out(jobs))
        with contextlib.suppress(AttributeError):
            self._database.close()

    def _carry_out(self, jobs: "list[_Submission | _Task]") -> "list[Callable[[], None]]":
        """Do some jobs in order, all submissions between two tasks in one commit; return what is to be reported."""
        reports: list[Callable[[], None]] = []
        submissions: list[_Submission] = []
        for job in jobs:
            if isinstance(job, _Submission):
                submissions.append(job)
                continue
            reports += self._commit(submissions)
            submissions = []
            reports.append(job.carried_out())
        return reports + self._commit(submissions)

    def _commit(self, submissions: "list[_Submission]") -> "list[Callable[[], None]]":
        if not submissions:
            return []
        outcomes: list[StoreError | None] = []
        try:
            self._database.execute("BEGIN IMMEDIATE")
            outcomes = self._write_all([submission.writes for submission in submissions])
            self._database.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - whatever it is, everyone is told, and the thread lives on
            self._last.clear()
            with contextlib.suppress(sqlite3.Error):
                self._database.execute("ROLLBACK")
            outcomes = [StoreError(str(error))] * len(submissions)
        return [submission.reported(outcome) for submission, outcome in zip(submissions, outcomes, strict=True)]

    def _write_all(self, submissions: Sequence[Sequence[Write]]) -> list[StoreError | None]:
        """Write the submissions in order. Lone entries, which nearly all are, go in together: that costs a fifth."""
        if len(self._last) > MOST_REMEMBERED:
            self._last.clear()
        outcomes: list[StoreError | None] = []
        entries: list[AppendEntry] = []
        for writes in submissions:
            first = writes[0]
            if len(writes) == 1 and isinstance(first, AppendEntry):
                follows = self._follows(first)
                if follows:
                    entries.append(first)
                outcomes.append(None if follows else Conflict(_cannot_follow(first)))
                continue
            self._write_entries(entries)
            outcomes.append(self._write(writes))
        self._write_entries(entries)
        return outcomes

    def _write_entries(self, entries: list[AppendEntry]) -> None:
        self._database.executemany(_ENTRY, entries)
        entries.clear()

    def _follows(self, entry: AppendEntry) -> bool:
        """Whether the entry is the next of its log; from then on it is the last.

        Nobody else writes here, so a log is asked only once how far it goes.
        """
        log = (entry.match, entry.log)
        if log not in self._last:
            query = "SELECT max(n) FROM entries WHERE match = ? AND log = ?"
            (last,) = self._database.execute(query, log).fetchone()
            self._last[log] = last or 0
        if entry.n != self._last[log] + 1:
            return False
        self._last[log] = entry.n
        return True

    def _write(self, writes: Sequence[Write]) -> StoreError | None:
        """Write one submission whole, or not at all."""
        run = self._database.execute
        several = len(writes) > 1
        if several:
            run("SAVEPOINT submission")
        try:
            for write in writes:
                self._write_one(write)
        except sqlite3.IntegrityError as error:
            if several:
                run("ROLLBACK TO submission")
                for write in writes:
                    self._forget(write.terms.match if isinstance(write, CreateMatch) else write.match)
            return Conflict(str(error))
        finally:
            if several:
                run("RELEASE submission")
        return None

    def _write_one(self, write: Write) -> None:
        run = self._database.execute
        match write:
            case AppendEntry():
                if not self._follows(write):
                    raise sqlite3.IntegrityError(_cannot_follow(write))
                run(_ENTRY, write)
            case CreateMatch(terms):
                run("INSERT INTO matches VALUES (?, ?, NULL)", (terms.match, event_text(terms)))
            case EndMatch():
                run("UPDATE matches SET ended = ? WHERE match = ? AND ended IS NULL", (write.at, write.match))
                self._forget(write.match)

    def _forget(self, match: str) -> None:
        """Ask the database again how far the match's logs go."""
        for log in range(3):
            self._last.pop((match, log), None)

    def _connect(self) -> None:
        file = None if self.path == MEMORY else Path(self.path)
        if file is not None and not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch(mode=0o600)
        self._database = sqlite3.connect(self.path, isolation_level=None, cached_statements=32)
        run = self._database.execute
        run("PRAGMA locking_mode = EXCLUSIVE")
        (tables,) = run("SELECT count(*) FROM sqlite_master").fetchone()
        if tables:
            self._check_format()
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        if not tables:
            self._database.executescript(f"BEGIN IMMEDIATE;{_SCHEMA}")
            self._set("house_secret", secrets.token_hex(32))
            run("COMMIT")
        run("BEGIN IMMEDIATE")  # find out now, not at the first move, whether it can be written to
        run("COMMIT")
        if file is not None:
            for each in (file, Path(f"{file}-wal")):  # the secrets of the matches under way are in both
                if each.exists():
                    each.chmod(0o600)

    def _check_format(self) -> None:
        """Leave alone what is not ours. Raises `ValueError`."""
        (application,) = self._database.execute("PRAGMA application_id").fetchone()
        (found,) = self._database.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION:
            raise ValueError("it is another program's database")
        if found > FORMAT:
            raise ValueError(f"its format {found} is newer than this program's {FORMAT}: use a newer tommy-server")

    def _set(self, key: str, value: object) -> None:
        self._database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def _get(self, key: str) -> "str":
        row = self._database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else ""

    def _load(self, match: str) -> StoredMatch | None:
        row = self._database.execute("SELECT terms FROM matches WHERE match = ?", (match,)).fetchone()
        if row is None:
            return None
        logs: tuple[list[tuple[int, str]], ...] = ([], [], [])
        for log, at, text in self._database.execute(
            "SELECT log, at, text FROM entries WHERE match = ? ORDER BY log, n", (match,)
        ):
            logs[log].append((at, text))
        return StoredMatch(parse_terms(row[0]), events=logs[2], boards=(logs[0], logs[1]))


def _cannot_follow(entry: AppendEntry) -> str:
    return f"entry {entry.n} cannot come next in log {entry.log} of {entry.match}"


class _Submission:
    """Some writes that belong together, and whom to tell."""

    def __init__(self, writes: Sequence[Write], done: Done) -> None:
        self.writes = writes
        self.done = done

    def reported(self, outcome: StoreError | None) -> Callable[[], None]:
        return lambda: self.done(outcome)


class _Task:
    """Some other work for the thread, and whom to tell."""

    def __init__(self, work: Callable[[], object], done: Callable[..., None]) -> None:
        self.work = work
        self.done = done

    def carried_out(self) -> Callable[[], None]:
        try:
            result = self.work()
        except Exception as error:  # noqa: BLE001 - whoever asked gets it
            return lambda error=error: self.done(None, error)  # type: ignore[misc]
        return lambda: self.done(result, None)

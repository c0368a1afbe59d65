"""The thread that owns an SQLite database.

What is to be written while it is busy goes into its next commit, so that the cost of making things durable is shared by
all matches that move at the same time.
"""

import asyncio
import contextlib
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from server.store.port import StoreError, Write
from server.store.sqlite_format import bring_to_format
from server.store.sqlite_writes import SqliteWrites

LARGEST_BATCH = 512
MEMORY = ":memory:"

Result = TypeVar("Result")


class SqliteThread:
    """Does what is asked of it in order: writes that come together in one commit, all else between two commits."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._jobs: queue.SimpleQueue[_Submission | _Task[object] | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="sqlite", daemon=True)

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread.start()
        try:
            await self._do(self._connect)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        self._closed = True
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    async def write(self, match: str, writes: Sequence[Write]) -> None:
        """All or none of these, durably."""
        future: asyncio.Future[None] = self._loop.create_future()
        self._put(_Submission(match, writes, future))
        await future

    async def forget(self, matches: Sequence[str]) -> None:
        """Keep nothing of these matches, nor of the players that have no other."""
        await self._do(lambda: self._writes.forget(matches))

    async def run(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Have the thread do some other work, and wait for what comes of it."""
        return await self._do(lambda: work(self._database))

    async def _do(self, work: Callable[[], Result]) -> Result:
        future: asyncio.Future[Result] = self._loop.create_future()
        self._put(_Task(work, future))
        try:
            return await future
        except sqlite3.Error as error:
            raise StoreError(str(error)) from error

    def _put(self, job: "_Submission | _Task[Result]") -> None:
        if self._closed:
            raise StoreError("the store is closed")
        self._jobs.put(job)  # type: ignore[arg-type]

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
                self._loop.call_soon_threadsafe(_report, self._carry_out(jobs))
        with contextlib.suppress(AttributeError):  # it may be that it could not be opened
            self._database.close()

    def _carry_out(self, jobs: "Sequence[_Submission | _Task[object]]") -> "list[_Report]":
        """Do some jobs in order, all submissions between two tasks in one commit."""
        reports: list[_Report] = []
        submissions: list[_Submission] = []
        for job in jobs:
            if isinstance(job, _Submission):
                submissions.append(job)
                continue
            reports += self._commit(submissions)
            submissions = []
            reports.append(job.carry_out())
        return reports + self._commit(submissions)

    def _commit(self, submissions: "Sequence[_Submission]") -> "list[_Report]":
        if not submissions:
            return []
        outcomes: Sequence[StoreError | None]
        try:
            outcomes = self._writes.commit([(submission.match, submission.writes) for submission in submissions])
        except Exception as error:  # noqa: BLE001 - whatever it is, everyone is told, and the thread lives on
            outcomes = [StoreError(str(error)) for _ in submissions]
        return [
            _Report(submission.future, None, outcome) for submission, outcome in zip(submissions, outcomes, strict=True)
        ]

    def _connect(self) -> None:
        file = None if self._path == MEMORY else Path(self._path)
        if file is not None and not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch(mode=0o600)
        self._database = sqlite3.connect(self._path, isolation_level=None, cached_statements=64)
        self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
        bring_to_format(self._database)
        self._writes = SqliteWrites(self._database)
        if file is not None:
            for each in (file, Path(f"{file}-wal")):  # the secrets of the matches under way are in both
                if each.exists():
                    each.chmod(0o600)


class _Submission:
    """Some writes that belong together, and who waits for them."""

    def __init__(self, match: str, writes: Sequence[Write], future: asyncio.Future[None]) -> None:
        self.match = match
        self.writes = writes
        self.future = future


class _Task(Generic[Result]):
    """Some other work for the thread, and who waits for it."""

    def __init__(self, work: Callable[[], Result], future: asyncio.Future[Result]) -> None:
        self.work = work
        self.future = future

    def carry_out(self) -> "_Report":
        try:
            return _Report(self.future, self.work(), None)
        except Exception as error:  # noqa: BLE001 - whoever asked gets it
            return _Report(self.future, None, error)


class _Report:
    """What came of a job."""

    def __init__(self, future: asyncio.Future[Any], result: object, error: Exception | None) -> None:
        self.future = future
        self.result = result
        self.error = error


def _report(reports: Sequence[_Report]) -> None:
    """Tell everyone who still waits."""
    for report in reports:
        if report.future.done():
            continue
        if report.error is None:
            report.future.set_result(report.result)
        else:
            report.future.set_exception(report.error)

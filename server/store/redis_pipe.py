"""Commands for a Redis, sent together: what is asked for while others wait for their answers goes with the next batch."""

import asyncio
import math
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from redis.asyncio import Connection, ConnectionPool, Redis
from redis.exceptions import NoScriptError, ResponseError

from server.store.port import StoreError
from server.store.redis_address import ANSWER_TIMEOUT, Client
from server.store.redis_scripts import Script

LARGEST_BATCH = 512

Value = str | int
Command = Sequence[Value]
Packed = list[bytes]


class Call(NamedTuple):
    """A script to be run."""

    script: Script
    keys: Sequence[str]
    values: Sequence[Value] = ()


class _Job(NamedTuple):
    """Commands whose order matters, and who waits for the answers."""

    commands: Sequence[Packed]
    scripts: dict[bytes, bytes]
    """The texts of the scripts among them, by name: Redis may not have them, or no longer."""
    answers: "asyncio.Future[list[Any]]"


class RedisPipe:
    """A way to a Redis on which one batch is under way at a time. A command that fails is not tried again."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._jobs: deque[_Job] = deque()
        self._sending: asyncio.Task[None] | None = None
        self._closed = False

    async def run(self, *steps: Command | Call) -> list[Any]:
        """Have these done one after the other, and return the answers. Raises `StoreError`.

        In a Redis Cluster they may be for different servers: none is sent before the one ahead of it is answered. If
        Redis does not know one of the scripts, those that it does know are run twice.
        """
        return await self._put(steps)

    async def run_each(self, steps: Iterable[Command | Call]) -> list[Any]:
        """Have these done in any order, and return the answers in theirs."""
        return [answer for (answer,) in await asyncio.gather(*[self._put((step,)) for step in steps])]

    def _put(self, steps: Sequence[Command | Call]) -> "asyncio.Future[list[Any]]":
        if self._closed:
            raise StoreError("the store is closed")
        scripts: dict[bytes, bytes] = {}
        try:
            commands = [_packed(step, scripts) for step in steps]
        except UnicodeEncodeError as error:
            raise StoreError(f"this text cannot be kept: {error}") from error
        job = _Job(commands, scripts, asyncio.get_running_loop().create_future())
        self._jobs.append(job)
        if self._sending is None:
            self._sending = asyncio.create_task(self._send_all())
        return job.answers

    async def close(self) -> None:
        """Wait for what is under way, and take no more."""
        self._closed = True
        while self._sending is not None:
            await self._sending

    async def _send_all(self) -> None:
        try:
            while self._jobs:
                batch = [self._jobs.popleft() for _ in range(min(len(self._jobs), LARGEST_BATCH))]
                try:
                    await self._send(batch)
                except Exception as error:  # noqa: BLE001 - whatever it is, everyone is told
                    # What has queued up meanwhile fails with it, so that nobody waits for one timeout after the other.
                    self._fail([*batch, *self._jobs], error)
                    self._jobs.clear()
        finally:
            self._sending = None

    async def _send(self, jobs: Sequence[_Job]) -> None:
        answers = await self._ask([job.commands for job in jobs])
        unknown = [at for at, job in enumerate(jobs) if any(isinstance(each, NoScriptError) for each in answers[at])]
        if unknown:  # nothing of a script that is not there has been done
            again = await self._ask([_with_texts(jobs[at]) for at in unknown])
            for at, each in zip(unknown, again, strict=True):
                answers[at] = each
        for job, each in zip(jobs, answers, strict=True):
            if job.answers.done():
                continue
            error = next((answer for answer in each if isinstance(answer, Exception)), None)
            if error is None:
                job.answers.set_result(each)
            else:
                job.answers.set_exception(StoreError(str(error)))

    async def _ask(self, jobs: Sequence[Sequence[Packed]]) -> list[list[Any]]:
        """The answers to all these commands, errors among them."""
        if isinstance(self._client, Redis):
            answers = iter(await self._exchange([command for commands in jobs for command in commands]))
            return [[next(answers) for _ in commands] for commands in jobs]
        results: list[list[Any]] = [[] for _ in jobs]
        for step in range(max(map(len, jobs))):
            todo = [at for at, commands in enumerate(jobs) if step < len(commands) and not _failed(results[at])]
            answers = iter(await self._exchange([jobs[at][step] for at in todo]))
            for at in todo:
                results[at].append(next(answers))
        return results

    async def _exchange(self, commands: Sequence[Packed]) -> list[Any]:
        if isinstance(self._client, Redis):
            return await _talk(self._client.connection_pool, commands)
        pipeline = self._client.pipeline(transaction=False)
        for name, *values in commands:
            pipeline.execute_command(name.decode(), *values)
        return await pipeline.execute(raise_on_error=False)

    @staticmethod
    def _fail(jobs: Iterable[_Job], error: Exception) -> None:
        for job in jobs:
            if not job.answers.done():
                job.answers.set_exception(StoreError(str(error) or "Redis does not answer in time"))


async def _talk(pool: ConnectionPool, commands: Sequence[Packed]) -> list[Any]:
    """As a pipeline of redis-py, which spends as much again on a deadline for each answer and the like."""
    connection: Connection = await pool.get_connection()  # type: ignore[no-untyped-call]
    answers: list[Any] = []
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT) as deadline:
            await connection.send_packed_command(b"".join(map(_on_the_wire, commands)), check_health=False)
            if (
                deadline.when() or 0
            ) <= asyncio.get_running_loop().time():  # Python 3.11's `wait_for` may have missed it
                raise TimeoutError
            for _ in commands:
                try:
                    answers.append(await connection.read_response(timeout=math.inf))
                except ResponseError as error:
                    answers.append(error)
    except BaseException:
        await connection.disconnect(nowait=True)  # nobody may get the answers that are still to come
        raise
    finally:
        await pool.release(connection)
    return answers


def _on_the_wire(command: Packed) -> bytes:
    parts = [b"$%d\r\n%b\r\n" % (len(part), part) for part in command]
    return b"*%d\r\n%b" % (len(parts), b"".join(parts))


def _failed(answers: Sequence[Any]) -> bool:
    return bool(answers) and isinstance(answers[-1], Exception)


def _packed(step: Command | Call, scripts: dict[bytes, bytes]) -> Packed:
    """A command as bytes, here and not in the batch, where a text that is none would stop the others."""
    if isinstance(step, Call):
        scripts[step.script.sha.encode()] = step.script.text.encode()
        step = ("EVALSHA", step.script.sha, len(step.keys), *step.keys, *step.values)
    return [str(part).encode() for part in step]


def _with_texts(job: _Job) -> list[Packed]:
    """The commands of a job with the texts of the scripts in place of their names."""
    return [
        [b"EVAL", job.scripts[command[1]], *command[2:]] if command[0] == b"EVALSHA" else command
        for command in job.commands
    ]

"""A process that opens a store of an older format, and is killed on the way, as by a power cut.

python -m tests.server.store.killed STORE STEP
"""

import asyncio
import os
import signal
import sqlite3
import sys
from functools import partial
from typing import Any

import server.store.redis
from server.settings import store_at
from server.store.redis_pipe import RedisPipe
from tests.server.store.conftest import no_news


class Steps:
    """Counts what is done, and ends the process before the step with this number."""

    def __init__(self, last: int) -> None:
        self._left = last

    def __call__(self) -> None:
        self._left -= 1
        if self._left < 0:
            os.kill(os.getpid(), signal.SIGKILL)


def main(address: str, last: int) -> None:
    steps = Steps(last)

    class Database(sqlite3.Connection):
        def execute(self, *args: Any) -> sqlite3.Cursor:
            steps()
            return super().execute(*args)

    class Pipe(RedisPipe):
        async def _exchange(self, commands: Any) -> list[Any]:
            steps()
            return await super()._exchange(commands)

    connect = sqlite3.connect
    vars(sqlite3)["connect"] = partial(connect, factory=Database)
    vars(server.store.redis)["RedisPipe"] = Pipe

    async def open_and_close() -> None:
        store = store_at(address)
        await store.open(no_news)
        await store.close()

    asyncio.run(open_and_close())


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

"""What servers of the version before left behind when they were killed, and where each thing is in it.

The same happened on an SQLite file (`format-2.sql`) and on a Redis (`redis-format-1.jsonl`, the commands that make it): Ann
and Ben met in a quick match that Ben resigned, have their rematch under way, and drew a match of Lucas in which both
stood at once; Ann plays a house bot; Cid gave a match up before it began, and waits in a quick match.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from server.events import Entries
from server.store.port import Store
from server.store.redis import RedisStore
from server.store.sqlite import SqliteStore
from tests.server.store.conftest import no_news
from tests.server.store.redis_process import ClusterProcesses, RedisProcess

ANN = "c5adf604f3742b70df70cf19e48fe1bfc9851a11c08757908d1502b9ece861ba"
BEN = "3d4bc16ba92c0fc3e9617cf5422cfbc211e28a297be7600e52484f244666fdd6"
CID = "02cdaf4e3aa6a102193389d0b395e5591b8a3e147f675b47b97a91b55dd3c2c9"
BENS_NAME = 'B","bot":null}\\'

FOLDER = Path(__file__).parent
FORMAT_1, FORMAT_2, FORMAT_3 = (FOLDER / f"format-{each}.sql" for each in (1, 2, 3))
REDIS_FORMAT_1, REDIS_FORMAT_2 = (FOLDER / f"redis-format-{each}.jsonl" for each in (1, 2))
LATER = 101_000
"""Milliseconds after the last beat in format 2, or in Redis 1, at which a server beat last that had brought it to the next format."""


@dataclass(frozen=True)
class Scene:
    """The codes of the matches, and who the house bot is."""

    quick: str
    rematch: str
    draw: str
    against_bot: str
    aborted: str
    waiting: str
    bot: str
    secret: str
    """Of the house."""
    beat: int
    """The last."""

    @property
    def open(self) -> list[str]:
        return [self.rematch, self.against_bot, self.waiting]

    @property
    def ended(self) -> list[str]:
        return [self.quick, self.draw, self.aborted]


IN_SQLITE = Scene(
    quick="89yy3jzk",
    rematch="8q5bm94r",
    draw="77x9r6ve",
    against_bot="y6cavxsj",
    aborted="k2672t5y",
    waiting="fxbgf5zb",
    bot="78993af29661dd76d94a77ae7f6451b7da7dec59624a0260f36f7cbc0b374d98",
    secret="650a2ad76e92c5a3c56cbd80d5e6d9af5f99e49710522fbdc522c1e08b118e39",
    beat=1_796_078_690_234,
)
IN_REDIS = Scene(
    quick="bc3k5r7e",
    rematch="7hmmns54",
    draw="mcpk3wdh",
    against_bot="ehhj6cyh",
    aborted="9unygrmx",
    waiting="y9avwb26",
    bot="f0ab3ad50801654c6a911743ceb1421effba2fe22e649a194be12b676e29d63b",
    secret="010a48c6868a280bc6684638413f5da4bba213e1726669c6c4d32d8c3222a2e5",
    beat=1_796_078_719_274,
)


class Older(Protocol):
    """A store of an older format."""

    scene: Scene

    async def open(self) -> Store:
        """Open it as a server of this version does."""

    def log(self, match: str, log: int) -> Entries:
        """A log as the old format has it."""

    def rating(self, family: str, player: str) -> list[Any]:
        """A rating as the old format has it."""


class OlderFile:
    """An SQLite file of an older format."""

    scene = IN_SQLITE

    def __init__(self, path: Path, sample: Path = FORMAT_2) -> None:
        self.path = path
        with closing(sqlite3.connect(path)) as old:
            old.executescript(sample.read_text())
            old.execute("PRAGMA journal_mode = WAL")
        self._old = sqlite3.connect(":memory:")
        self._old.executescript(sample.read_text())

    async def open(self) -> SqliteStore:
        store = SqliteStore(str(self.path))
        await store.open(no_news)
        return store

    def log(self, match: str, log: int) -> Entries:
        query = "SELECT at, text FROM entries WHERE match = ? AND log = ? ORDER BY n"
        return self._old.execute(query, (match, log)).fetchall()

    def rating(self, family: str, player: str) -> list[Any]:
        query = "SELECT * FROM ratings WHERE family = ? AND player = ?"
        return list(self._old.execute(query, (family, player)).fetchone()[1:])


def old_commands(sample: Path = REDIS_FORMAT_1) -> Iterator[list[Any]]:
    for line in sample.read_text().splitlines():
        yield json.loads(line)


class OlderRedis:
    """A Redis, or a Redis Cluster, of an older format."""

    scene = IN_REDIS

    def __init__(self, redis: RedisProcess | ClusterProcesses, sample: Path = REDIS_FORMAT_1) -> None:
        self.redis = redis
        self.address = redis.address
        self._old: dict[str, list[Any]] = {}
        with redis.client() as client:
            for name, key, *values in old_commands(sample):
                client.execute_command(name, key, *values)
                self._old.setdefault(key, values)

    async def open(self) -> RedisStore:
        store = RedisStore(self.address)
        await store.open(no_news)
        return store

    def log(self, match: str, log: int) -> Entries:
        parts = [entry.split(" ", 1) for entry in self._old.get(f"tommy:{{{match}}}:{log}", [])]
        return [(int(at), text) for at, text in parts]

    def rating(self, family: str, player: str) -> list[Any]:
        values = self._old[f"tommy:{{rating:{family}}}"]
        found: list[Any] = json.loads(values[values.index(player) + 1])
        return found

    def contents(self) -> dict[str, object]:
        """All there is, and under which key."""
        read = {"string": "GET", "hash": "HGETALL", "set": "SMEMBERS"}
        found: dict[str, object] = {}
        with self.redis.client() as client:
            for key in sorted(self.redis.keys()):
                kind = str(client.type(key))
                if kind in read:
                    found[key] = client.execute_command(read[kind], key)
                elif kind == "list":
                    found[key] = client.lrange(key, 0, -1)
                else:
                    found[key] = client.zrange(key, 0, -1, withscores=True)
        return found

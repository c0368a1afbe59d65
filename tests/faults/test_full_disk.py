"""A disk that is full under SQLite: moves are refused, nothing acknowledged is lost, and there may be room again."""

import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from protocol import messages as wire
from tests.faults.checks import ended_well
from tests.faults.guests import Party, everyone
from tests.faults.nodes import Node, running
from tests.faults.racer import Racer, pairs
from tests.faults.test_kill import burst, one_end_in_file
from tests.server.driver import visitors


class Disk:
    """Where a server keeps its file. `fill` leaves no room in it, until `clear`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self, node: Node) -> None:
        """No file of the server's may grow any more: what it writes fails, as when there is no room."""
        longest = max(file.stat().st_size for file in self.folder.iterdir())
        _, hard = resource.prlimit(node.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(node.process.pid, resource.RLIMIT_FSIZE, (longest, hard))

    def clear(self, node: Node) -> None:
        _, hard = resource.prlimit(node.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(node.process.pid, resource.RLIMIT_FSIZE, (hard, hard))


class SmallDisk(Disk):
    """A disk of its own, which something else fills up."""

    def fill(self, node: Node) -> None:
        with (self.folder / "ballast").open("wb", buffering=0) as ballast:
            try:
                while True:
                    ballast.write(bytes(1024))
            except OSError:
                pass

    def clear(self, node: Node) -> None:
        (self.folder / "ballast").unlink()


@contextmanager
def small_disk(folder: Path) -> Iterator[SmallDisk | None]:
    """A file system of 4 MB, if this machine lets us have one."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    mounted = os.geteuid() == 0 and subprocess.run(mount, check=False, capture_output=True).returncode == 0
    try:
        yield SmallDisk(folder) if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture(params=["limit", "small"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    """A disk that can be full, where possible a real one."""
    with small_disk(tmp_path / "disk") as small:
        yield Disk(tmp_path / "disk") if request.param == "limit" or small is None else small


async def test_moves_are_refused_and_made_when_there_is_room_again(tmp_path: Path, disk: Disk, people: Party) -> None:
    node = Node(tmp_path, "node", f"sqlite:{disk.folder / 'matches.db'}")
    async with running(node):
        racers = await pairs(people, 4, [node.url], [node.url], leash=0, pace=0.005)
        await burst(racers, 100)
        disk.fill(node)
        await all_refused(racers)
        async with visitors(node.url) as guests:
            late = await guests.guest("Zoe")
            assert (await late.refused(wire.Create(game="sir-tommy"))).code == "store-failed"
        disk.clear(node)
        await ended_well(node.url, racers)
        assert all(racer.arrivals == 1 for racer in racers)
    one_end_in_file(disk.folder / "matches.db", {racer.match for racer in racers})


async def test_what_was_acknowledged_before_the_disk_was_full_is_there_after_a_kill(
    tmp_path: Path, disk: Disk, people: Party
) -> None:
    node = Node(tmp_path, "node", f"sqlite:{disk.folder / 'matches.db'}")
    async with running(node):
        racers = await pairs(people, 4, [node.url], [node.url], leash=0, ahead=3, pace=0.005)
        await burst(racers, 100)
        disk.fill(node)
        await all_refused(racers)
        disk.clear(node)
        node.kill()
        await node.start()
        await ended_well(node.url, racers)
    one_end_in_file(disk.folder / "matches.db", {racer.match for racer in racers})


async def all_refused(racers: list[Racer]) -> None:
    """Wait until every move is refused because it cannot be kept."""
    await everyone(racers, lambda racer: "store-failed" in racer.refusals or racer.finished)
    assert not all(racer.finished for racer in racers)

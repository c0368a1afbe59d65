"""`tommy-server` as a host runs it: a process of its own, its words, its signals and its exits."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

import pytest

from engine.verify import verify
from protocol import messages as wire
from protocol.players import player_of
from server.settings import DEFAULT_PORT
from tests.server.driver import NONCE, Client, begin, visitors

ROOT = Path(__file__).parents[2]
WITHIN = 20.0


class Process:
    """A running server. `url` is where it serves."""

    def __init__(self, *options: str, **environment: str) -> None:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("TOMMY_")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "server.main", *options],
            cwd=ROOT,
            env={"TOMMY_HEALTH": "off", **clean, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.first = self._line(self.process.stdout)
        self.url = self.first.rpartition(" ")[2].strip()

    def _line(self, stream: IO[str] | None) -> str:
        assert stream is not None
        ready, _, _ = select.select([stream], [], [], WITHIN)
        assert ready, "the server says nothing"
        return stream.readline()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str, str]:
        """Send a signal; the exit status, and what was said after the first line, to either stream."""
        self.process.send_signal(number)
        status = self.process.wait(WITHIN)
        return status, *self.last_words()

    def last_words(self) -> tuple[str, str]:
        """What a server that has ended has said since its first line, on both streams."""
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        with self.process.stdout as out, self.process.stderr as err:
            return out.read(), err.read()


@contextmanager
def served(*options: str, **environment: str) -> Iterator[Process]:
    """A server for the time of a block, killed in the end if it still runs."""
    process = Process(*options, **environment)
    try:
        yield process
    finally:
        if process.process.returncode is None:
            process.process.kill()
            process.process.wait(WITHIN)
            process.last_words()


def refused(*options: str, **environment: str) -> str:
    """A server that does not start: the one line it says, without its name."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TOMMY_")}
    done = subprocess.run(
        [sys.executable, "-m", "server.main", *options],
        cwd=ROOT,
        env={**clean, **environment},
        capture_output=True,
        text=True,
        timeout=WITHIN,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    name, _, why = line.partition(": ")
    assert name == "tommy-server"
    return why


LOCAL = ("--host", "127.0.0.1", "--port", "0", "--store", "memory:", "--bots", "0")


# It starts and stops


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_it_says_where_it_serves_and_stops_in_order_when_told_to(number: signal.Signals) -> None:
    with served(*LOCAL) as server:
        assert server.first.startswith("tommy-server ")
        assert server.url.startswith("ws://127.0.0.1:")
        assert not server.url.endswith(":0")
        async with visitors(server.url) as people:
            ann, bob = await people.guest("Ann"), await people.guest("Bob")
            await ann.play()
            await bob.play()
            server.process.send_signal(number)
            for client in (ann, bob):
                assert (await client.closed()).code == 1012
        status, out, err = server.stop(number)
    assert status == 0
    assert "memory:" in out
    assert "tommy play --server" in out
    assert "tommy watch --server" in out
    assert "Traceback" not in err


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "::1"])
async def test_the_address_it_names_is_one_to_reach_it_at(host: str) -> None:
    if ":" in host and not has_ipv6():
        pytest.skip("this machine has no IPv6")
    with served("--host", host, "--port", "0", "--store", "memory:", "--bots", "0") as server:
        async with visitors(server.url) as people:
            await people.guest()
        assert server.stop()[0] == 0


def has_ipv6() -> bool:
    try:
        with closing(socket.socket(socket.AF_INET6)) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def test_an_impatient_host_gets_no_more_than_an_orderly_end() -> None:
    with served(*LOCAL) as server:
        for _ in range(3):
            server.process.send_signal(signal.SIGINT)
        status, _, err = server.stop(signal.SIGINT)
    assert status == 0
    assert "Traceback" not in err


def test_help_tells_a_host_what_can_be_set() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "server.main", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=WITHIN,
    )
    for words in (
        "--host",
        "--port",
        "--store",
        "--bots",
        "--log-level",
        "--log-json",
        "TOMMY_PORT",
        "SIGTERM",
        str(DEFAULT_PORT),
    ):
        assert words in done.stdout
    assert all(len(line) <= 100 for line in done.stdout.splitlines())


# It does not start


def test_a_port_in_use() -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        why = refused("--host", "127.0.0.1", "--port", port, "--store", "memory:")
    assert port in why
    assert "in use" in why


def test_an_address_that_is_not_this_machines() -> None:
    assert "192.0.2.1" in refused("--host", "192.0.2.1", "--port", "0", "--store", "memory:")


def test_a_store_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    why = refused("--port", "0", "--store", f"sqlite:{tmp_path / 'file' / 'matches.db'}")
    assert str(tmp_path / "file" / "matches.db") in why


def test_a_store_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Tommy, " * 100)
    assert "not a database" in refused("--port", "0", "--store", f"sqlite:{tmp_path / 'letter.txt'}")


def test_a_store_of_an_unknown_kind() -> None:
    assert "use memory:, sqlite:PATH or redis://HOST:PORT" in refused("--store", "mysql://localhost")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--prot", "7777"], "--prot"),
        (["--port", "70000"], "--port"),
        (["--port", "-1"], "--port"),
        (["--port"], "--port"),
        (["--bots", "many"], "--bots"),
        (["--log-level", "loud"], "--log-level"),
        (["serve"], "serve"),
    ],
    ids=" ".join,
)
def test_a_bad_option(options: list[str], named: str) -> None:
    assert named in refused(*options)


def test_a_game_to_offer_that_there_is_not() -> None:
    assert "did you mean calculation" in refused(*LOCAL, "--games", "sir-tommy,calculaton")
    assert "did you mean lucas" in refused(*LOCAL, TOMMY_GAMES="lucus")


def test_a_bad_option_in_the_environment() -> None:
    assert "--port" in refused(TOMMY_PORT="often")


# Its settings come from the environment too


async def test_every_setting_can_be_set_in_the_environment() -> None:
    environment = {"TOMMY_HOST": "127.0.0.1", "TOMMY_PORT": "0", "TOMMY_STORE": "memory:", "TOMMY_BOTS": "0"}
    environment["TOMMY_GAMES"] = "sir-tommy,lucas"
    with served(**environment, TOMMY_LOG_JSON="1", TOMMY_LOG_LEVEL="info") as server:
        async with visitors(server.url) as people:
            ann = await people.stranger()
            assert [game.name for game in (await ann.hello()).games] == ["sir-tommy", "lucas"]
            assert (await ann.refused(wire.Create(game="sir-tommy", level="normal"))).code == "no-bots"
        status, out, err = server.stop()
    assert status == 0
    assert "memory:" in out
    assert [json.loads(line)["event"] for line in err.splitlines()] == ["serving", "closed"]


# Its log


async def test_log_lines_are_json_and_keep_every_secret() -> None:
    with served(*LOCAL, "--log-json", "--log-level", "debug") as server:
        async with visitors(server.url) as people:
            ann, bob = await people.race()
            await ann.play_on(5)
            await ann.refused(wire.Move(match=ann.match, n=77, move="t"))
            await ann.socket.send(b"\xc1")
            await bob.move("resign")
            over = await ann.state("over")
            third = await people.guest("Ann", key=ann.key)
            await third.resume(ann.match)
            keys = [client.key for client in (ann, bob)]
        status, _, err = server.stop()
    assert status == 0
    events = [json.loads(line) for line in err.splitlines()]
    assert {"serving", "match created", "match ended", "closed"} <= {event["event"] for event in events}
    assert all({"event", "level", "timestamp"} <= event.keys() for event in events)
    secrets = [*keys, *map(player_of, keys), NONCE, over.secret or "?"]
    assert not [secret for secret in secrets if secret in err]


async def test_a_quiet_log_says_nothing() -> None:
    with served(*LOCAL, "--log-level", "error") as server:
        async with visitors(server.url) as people:
            await people.race()
        status, _, err = server.stop()
    assert (status, err) == (0, "")


# It dies, and another goes on


async def test_after_a_kill_every_acknowledged_move_is_there_and_the_race_goes_on(tmp_path: Path) -> None:
    options = ("--host", "127.0.0.1", "--port", "0", "--store", f"sqlite:{tmp_path / 'matches.db'}", "--bots", "0")
    with served(*options) as server:
        async with visitors(server.url) as people:
            ann, bob = await people.race("puss-in-the-corner")
            await ann.play_on(20)
            await bob.play_on(10)
            await send_until_killed(ann, server)
            await bob.closed()
    acknowledged = ann.entries
    with served(*options) as server:
        async with visitors(server.url) as people:
            ann_again = await people.stranger("Ann", key=ann.key)
            assert (await ann_again.hello()).seats == [ann.match]
            assert (await ann_again.resume(ann.match)).state == "playing"
            assert (await ann_again.next(wire.BoardState)).n >= acknowledged >= 20
            bob_again = await people.guest("Bob", key=bob.key)
            await bob_again.resume(bob.match, last=0)
            assert (await bob_again.next(wire.BoardState)).n == 10
            await ann_again.move("stand")
            await bob_again.move("stand")
            record = (await bob_again.ask(wire.GetRecord(match=ann.match), wire.MatchRecord)).record
        status, _, _ = server.stop()
    assert status == 0
    assert [finding for finding in verify(record) if not finding.fits] == []
    told = [(moved.at, moved.move) for moved in ann.all(wire.Moved)]
    assert record.seats[0].entries[: len(told)] == told


async def send_until_killed(player: Client, server: Process) -> None:
    """Send moves without waiting, and kill the server while they are being answered."""
    for number in range(player.entries + 1, player.entries + 40):
        await player.send(wire.Move(match=player.match, n=number, move="t" if number % 2 else "hp1"))
    await player.next(wire.ServerMessage)
    server.process.kill()
    await player.closed()


async def test_a_second_server_does_not_touch_a_store_in_use(tmp_path: Path) -> None:
    options = ("--host", "127.0.0.1", "--port", "0", "--store", f"sqlite:{tmp_path / 'matches.db'}", "--bots", "0")
    with served(*options) as server:
        async with visitors(server.url) as people:
            ann, bob = await people.pair()
            started = time.monotonic()
            assert "locked" in refused(*options)
            assert time.monotonic() - started < WITHIN
            await begin(ann, bob)
        assert server.stop()[0] == 0

"""A whole match on this machine: a server, two house bots, a spectator, the record and its verification.

Everything runs as processes of its own, talking over real sockets, just as it would on several machines.
"""

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

BIN = Path(sys.executable).parent
PLAYERS = (("Ada", "strong"), ("Ben", "normal"))
"""Who races, and how well each of them plays."""
PACE = "0.33"
"""Seconds a turn: slow enough to be followed, and a match in half a minute."""
LIMIT = 90.0


class RaceError(Exception):
    """The race could not be run; the text says what failed."""


async def start(*command: str, folder: Path, player: str = "", quiet: bool = True) -> asyncio.subprocess.Process:
    """Start one of our commands; `quiet` keeps its output from the screen."""
    pipe = asyncio.subprocess.PIPE if quiet else None
    return await asyncio.create_subprocess_exec(
        BIN / command[0],
        *command[1:],
        stdin=asyncio.subprocess.DEVNULL,
        stdout=pipe,
        stderr=pipe,
        env={
            "PATH": "/usr/bin:/bin",
            "LC_ALL": "C.UTF-8",
            "TOMMY_KEY_FILE": str(folder / f"{player or 'nobody'}.key"),
            # What the spectator saw is what the record is held against in the end.
            "TOMMY_RECEIPTS": "off" if player else str(folder / "receipts"),
        },
    )


async def finish(process: asyncio.subprocess.Process, what: str) -> None:
    """Wait for a process to end well."""
    out, err = await process.communicate()
    if process.returncode:
        said = (err or out or b"").decode().strip() or "nothing"
        raise RaceError(f"{what} ended with {process.returncode}, and said: {said}")


async def next_event(server: asyncio.subprocess.Process, event: str) -> dict[str, str]:
    """The next line of that kind in the server's log."""
    assert server.stderr is not None
    while line := await server.stderr.readline():
        entry: dict[str, str] = json.loads(line)
        if entry.get("event") == event:
            return entry
    raise RaceError(f"the server ended before {event!r}")


async def race(folder: Path) -> None:
    """Run the match, and check its record."""
    server = await start(
        "tommy-server", "--host=127.0.0.1", "--port=0", f"--store=sqlite:{folder}/race.db", "--log-json", folder=folder
    )
    try:
        serving = await next_event(server, "serving")
        address = f"--server=ws://127.0.0.1:{serving['port']}"
        print(f"A server is up on port {serving['port']}; two house bots race one shuffled deck.\n", flush=True)
        bots = [
            await start(
                "tommy",
                address,
                "--name",
                name,
                "bot",
                "--quick",
                "--level",
                level,
                "--pace",
                PACE,
                folder=folder,
                player=name,
            )
            for name, level in PLAYERS
        ]
        code = (await next_event(server, "match created"))["match"]
        await finish(await start("tommy", address, "watch", code, folder=folder, quiet=False), "the spectator")
        await asyncio.gather(*(finish(bot, "a bot") for bot in bots))
        record = f"race-{code}.json"
        print(flush=True)
        await finish(
            await start("tommy", address, "record", code, "-o", record, folder=folder, quiet=False), "tommy record"
        )
        await finish(await start("tommy", "verify", record, folder=folder, quiet=False), "tommy verify")
    finally:
        if server.returncode is None:
            server.terminate()
        await server.wait()
    if server.returncode:
        raise RaceError(f"the server ended with {server.returncode}")


def main() -> int:
    """Run the race; 0 when all of it went well."""
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="tommy-race-") as folder:
            asyncio.run(asyncio.wait_for(race(Path(folder)), LIMIT))
    except (RaceError, OSError) as error:
        print(f"race: {error}", file=sys.stderr)
        return 1
    except TimeoutError:
        print(f"race: not over after {LIMIT:.0f} s", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(f"\nThe whole race took {time.monotonic() - began:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

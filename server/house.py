"""House bots: each is a client process of its own, so that its thinking never slows the server."""

import asyncio
import contextlib
import hmac
import os
import sys
from collections import Counter
from typing import ClassVar

import structlog

from protocol.messages import Level
from protocol.players import player_of, public_key

PACE = "1.2"
"""Seconds a house bot takes for a turn."""

PATIENT = 10
"""How far a bot stands back behind its server, as `nice` counts it."""

SENT_AT_MOST = 3
"""How often a server sends a bot to one match: the first may have failed."""

log = structlog.get_logger()


class House:
    """Seats bots, at most `limit` at a time. Their secret keys follow from the store's secret, so they can come back."""

    NAMES: ClassVar[dict[Level, str]] = {"easy": "Easy house bot", "normal": "House bot", "strong": "Strong house bot"}

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.server = ""
        """The address that bots connect to."""
        self.secret = b""
        """What their keys are made from."""
        self._running: dict[str, asyncio.Task[None]] = {}
        self._players: dict[str, str] = {}
        """Who the bots are that are on their way or there, by their matches."""
        self._sent: Counter[str] = Counter()

    @property
    def has_room(self) -> bool:
        """Whether another bot may be seated."""
        return len(self._running) < self.limit

    def player(self, match: str) -> str:
        """The player, as a hash of the key, that is the house in a match."""
        return player_of(public_key(self._key(match)))

    def has_sent(self, player: str) -> bool:
        """Whether a bot of this server's own, which is on its way or there, is this player."""
        return player in self._players.values()

    def send(self, match: str, level: Level) -> None:
        """Send a bot of this level to its seat in a match, if none is on its way or there, a few times at most."""
        if match not in self._running and self._sent[match] < SENT_AT_MOST:
            self._sent[match] += 1
            self._players[match] = self.player(match)
            self._running[match] = asyncio.create_task(self._run(match, level))

    def dismiss(self, match: str) -> None:
        """The match has ended: there is nothing to be remembered of it."""
        self._sent.pop(match, None)

    async def close(self) -> None:
        """Call all bots off."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _key(self, match: str) -> str:
        return hmac.digest(self.secret, f"house bot {match}".encode(), "sha256").hex()

    async def _run(self, match: str, level: Level) -> None:
        process = None
        try:
            process = await asyncio.create_subprocess_exec(
                *(
                    sys.executable,
                    "-m",
                    "client_cli",
                    "--server",
                    self.server,
                    "bot",
                    "--resume",
                    match,
                    "--level",
                    level,
                    "--pace",
                    PACE,
                ),
                env={**os.environ, "TOMMY_KEY": self._key(match), "TOMMY_RECEIPTS": "off"},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )
            _give_way(process.pid)
            status = await process.wait()
            if status:
                log.warning("house bot failed", match=match, status=status)
        except OSError as error:
            log.warning("house bot could not be started", match=match, error=str(error))
        finally:
            self._running.pop(match, None)
            self._players.pop(match, None)
            if process is not None and process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.terminate()
                await process.wait()


def _give_way(process: int) -> None:
    """Let a process think only when this server and its players need no time, where the system can do that."""
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):  # it has ended already
            os.setpriority(os.PRIO_PROCESS, process, os.getpriority(os.PRIO_PROCESS, 0) + PATIENT)

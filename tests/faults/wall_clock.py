"""A wall clock that a test sets, for the servers that it starts: libfaketime shows it to them, and lets seconds pass as they do.

On Debian and Ubuntu the package `faketime` brings the library. A redis-server does not run with it; what its scripts know of
the time of day is what it was at the last beat, so that is what is changed there.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest

from server.store.redis_scripts import CLOCK
from tests.server.store.redis_process import RedisProcess

PLACES = ("/usr/lib", "/usr/lib64", "/usr/local/lib")
HOUR = 3_600


def library() -> Path | None:
    """Where libfaketime is; None if it is nowhere."""
    found = [path for place in PLACES for path in Path(place).glob("**/faketime/libfaketimeMT.so.1")]
    return found[0] if found else None


class WallClock:
    """What some processes see as the time of day. Skips the test where there is no libfaketime."""

    def __init__(self, folder: Path) -> None:
        self.redis: RedisProcess | None = None
        """One that has the same."""
        self._ahead = 0
        found = library()
        if found is None:
            pytest.skip("libfaketime is not there: install the package faketime")
        self._file = folder / "time-of-day"
        self.set(0)
        self.environment: Mapping[str, str] = {
            "LD_PRELOAD": str(found),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": "1",
            "NO_FAKE_STAT": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",  # as older ones call it
        }

    def set(self, seconds: int) -> None:
        """Within a second it is so far ahead of the real one."""
        if self.redis is not None:
            self.redis.run("HINCRBY", CLOCK, "wall", (self._ahead - seconds) * 1000)
        self._ahead = seconds
        new = self._file.with_suffix(".new")
        new.write_text(f"{seconds:+}s")
        new.replace(self._file)

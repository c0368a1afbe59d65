"""The clock that all matches go by: milliseconds that have really passed while they were served.

It stands still while no server is alive, while the process does not run and while the store cannot be reached, and it
knows nothing of the wall clock, which may be set to anything at any moment. All servers of a store have the same: the
store keeps it, and each server goes on from there by a clock that nobody can set. It began as the wall clock of the
store's first server, so its numbers look like that, and are behind it by all the time in which nobody was served.
"""

import time
from collections.abc import Callable

LONGEST_PAUSE = 4_000
"""Milliseconds for which a store may be silent. After more nobody was served since it last answered."""
STANDSTILL = 1_000
"""Milliseconds without a look at the clock after which the process has stood still."""
LOOK_EVERY = 0.25
"""Seconds between two looks at the clock that are taken for nothing else."""
DRIFT = 50
"""Milliseconds by which a server may be behind the others of its store."""


def wall_clock() -> int:
    """What the wall clock shows, in milliseconds: for people to read, and for nothing else."""
    return time.time_ns() // 1_000_000


class Clock:
    """The matches' clock, as it is here. `read` gives seconds that nobody can set."""

    def __init__(self, read: Callable[[], float] = time.monotonic) -> None:
        self._read = read
        self._read_at = read()
        self._now = 0.0
        self._answered: float | None = None
        """What it was when the store last answered."""
        self._floor = 0
        """The latest time that is written somewhere."""
        self.corrections = 0
        """How often it was found to be other than others may have taken it to be."""

    def now(self) -> int:
        """What it is. The time of a standstill does not count."""
        read = self._read()
        passed = (read - self._read_at) * 1000
        self._read_at = read
        if passed <= STANDSTILL:
            self._now += passed
        else:
            self.corrections += 1
        return round(self._now)

    @property
    def in_doubt(self) -> bool:
        """Whether the store has been silent for so long that the time since may not count."""
        return self._answered is None or self.now() - self._answered > LONGEST_PAUSE

    def vouched(self) -> int:
        """How far this server can vouch that matches were served; 0 if it has served none yet."""
        now = self.now()
        return max(round(self._answered or 0), self._floor) if self.in_doubt else now

    def reach(self, at: int) -> None:
        """What happened `at` that time is written, so it is no earlier, and never will be."""
        self._floor = max(self._floor, at)
        if self.now() < at:
            self.corrections += 1
            self._now = at

    def answer(self, now: int) -> None:
        """The store says that it was `now` when it answered. However long that was on its way, it is no earlier."""
        if self.in_doubt or now - self.now() > DRIFT:
            self.corrections += 1
            self._now = max(now, self._floor)
        self._answered = self._now

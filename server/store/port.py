"""What every store can do: the one door between the matches and whatever keeps them.

A store keeps, for each match, its terms and three append-only logs. Entry n of a log can be written once, and only
after entry n - 1: whoever comes second gets a `Conflict`. That is what keeps a board from ever being forked.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from server.events import Terms


class StoreError(Exception):
    """The store could not do what was asked; nothing of the submission has been kept."""


class Conflict(StoreError):
    """The log has that entry already, or lacks the one before it; or there is such a match already."""


class UnusableStore(StoreError):
    """The store cannot be opened at all; the text says why, for the host."""


class CreateMatch(NamedTuple):
    """A new match. Its code must not have been used before."""

    terms: Terms


class AppendEntry(NamedTuple):
    """Entry `n` of log `log` of a match, with its time in milliseconds."""

    match: str
    log: int
    n: int
    at: int
    text: str


class EndMatch(NamedTuple):
    """The match has ended at `at`, wall-clock time: it is no longer among the open ones."""

    match: str
    at: int


Write = CreateMatch | AppendEntry | EndMatch
Done = Callable[[StoreError | None], None]


class StoredMatch(NamedTuple):
    """Everything kept of one match: terms, the match log and both boards' logs, entries as (time, text)."""

    terms: Terms
    events: list[tuple[int, str]]
    boards: tuple[list[tuple[int, str]], list[tuple[int, str]]]


class Store(Protocol):
    """A place that keeps matches. All methods belong to the event loop that opened it."""

    address: str
    """How a host names it, as in `--store`."""

    async def open(self) -> None:
        """Make it ready. Raises `UnusableStore`."""

    async def close(self) -> None:
        """Write what has been submitted, and let go."""

    def submit(self, writes: Sequence[Write], done: Done) -> None:
        """Write all or none of these, durably. `done` is called on the loop, in the order of the submissions, with
        None or with what went wrong.
        """

    def beat(self, now: int) -> None:
        """Note that a server is serving matches at wall-clock time `now`."""

    async def last_beat(self) -> int:
        """The newest time noted by `beat`; 0 if there is none."""

    async def load(self, match: str) -> StoredMatch | None:
        """Everything about a match, or None if it is not known."""

    async def open_matches(self) -> list[str]:
        """The codes of all matches that have not ended."""

    async def house_secret(self) -> bytes:
        """Thirty-two random bytes, made once with the store and kept with it."""

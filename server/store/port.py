"""What every store can do: the one door between the matches and whatever keeps them.

A store keeps, for each match, its terms and its append-only logs: 0 is the match's own, k the board's of seat k - 1.
Entry n of a log can be written once, and only after entry n - 1: whoever comes second gets a `Conflict`. That is what
keeps a board from ever being forked, however many servers write to the store.

Beside the matches it keeps what finds them again: when each is due, who has seats in it, who waits for a rival.
These follow the matches and never lead them. After a crash one of them may name a match too many, or a time too early;
whoever comes by looks at the match itself.

Times are milliseconds of the clock that matches go by (`server.clock`), and come from outside. How far that clock has come
the store knows as well: it is what the servers have told it.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import NamedTuple, Protocol

from server.events import Numbers, StoredMatch, Terms

__all__ = [
    "MOST_UNRATED",
    "AppendEntry",
    "Conflict",
    "CreateMatch",
    "EndMatch",
    "Numbers",
    "Player",
    "Pulse",
    "Rated",
    "Seeker",
    "SetDue",
    "Store",
    "StoreError",
    "StoredMatch",
    "TakeSeat",
    "UnusableStore",
    "Write",
]


class StoreError(Exception):
    """The store could not do what was asked. Of a write, nothing has been kept, or all of it: who needs to know reads."""


class Conflict(StoreError):
    """The log has that entry already, or lacks the one before it; or there is such a match already. Nothing is kept."""


class UnusableStore(StoreError):
    """The store cannot be opened at all; the text says why, for the host."""


class CreateMatch(NamedTuple):
    """The match is new. Its code must not have been used before."""

    terms: Terms


class AppendEntry(NamedTuple):
    """Entry `n` of log `log`, with its time: for a board since the start of the race.

    A log that the match does not have is a `Conflict`.
    """

    log: int
    n: int
    at: int
    text: str


class TakeSeat(NamedTuple):
    """A player has a seat in the match: it is one of theirs from now on. `at` is when they were last seen, as `name`."""

    player: str
    name: str
    at: int


class SetDue(NamedTuple):
    """The match has to be looked at by `at`, whoever serves it then. Until this is said, that is when it was created."""

    at: int


class EndMatch(NamedTuple):
    """The match has ended at `at`: it is no longer among the open ones, nor on a queue. Of two ends, the first counts.

    `boards` are the numbers of the boards' last entries, seat 0 first: if there are others by then, or another number of
    boards, it is a `Conflict`. From now on the boards take no entries. So whoever is told of the end is told of the same
    boards.
    """

    at: int
    boards: Sequence[int] | None = None


Write = CreateMatch | AppendEntry | TakeSeat | SetDue | EndMatch


class Player(NamedTuple):
    """What is known of a player: the name last used, and when the first and the last seat were taken."""

    name: str
    first: int
    last: int


class Seeker(NamedTuple):
    """Somebody who looks for a rival."""

    player: str
    bot: bool = False
    """Whether the seeker is a bot."""
    bots: bool = False
    """Whether the rival may be one."""

    def suits(self, other: "Seeker") -> bool:
        """Whether these two can be paired: nobody with themselves, and nobody with a bot without having asked for it."""
        return self.player != other.player and self.bots >= other.bot and other.bots >= self.bot


MOST_UNRATED = 1000
"""Matches that `unrated` names at a time."""


class Rated(NamedTuple):
    """A player's rating in a family of games, after so many matches; `at` is when the last of them ended.

    The name is the one of that match, `bot` the program that played the newest match of all, None for a person. All of it
    is kept as long as the store is, whatever is kept of matches.
    """

    player: str
    name: str
    rating: float
    deviation: float
    volatility: float
    matches: int
    at: int
    bot: str | None = None

    @property
    def floor(self) -> float:
        """Weaker than that the player is not, as good as certainly: by this the players are ranked."""
        return self.rating - 2 * self.deviation


class Pulse(NamedTuple):
    """What a server learns by noting that it is alive."""

    nodes: frozenset[str]
    """The servers that are alive, this one among them."""
    now: int
    """What it is by the matches' clock."""


class Store(Protocol):
    """A place that keeps matches. All methods belong to the event loop that opened it; all may raise `StoreError`."""

    address: str
    """How a host names it, as in `--store`, without its password."""
    keep: int | None
    """For how many milliseconds ended matches are kept in such a store, unless the host says otherwise; None is for ever."""

    async def open(self, news: Callable[[str], None]) -> None:
        """Make it ready. `news` is called on the loop with the code of a followed match that another server may have
        written to. Raises `UnusableStore`.
        """

    async def close(self) -> None:
        """Write what is being written, and let go."""

    async def ready(self) -> bool:
        """Whether it can be reached, and hears of what other servers write."""

    # Matches

    async def write(self, match: str, writes: Sequence[Write]) -> None:
        """Write all or none of these, durably. What several tasks write at a time is written together.

        Raises `Conflict`, and then nothing is kept; so it does for a match that is not known, unless it is created here.
        After any other `StoreError` it may be that all of it is kept.
        """

    async def read(self, match: str, after: Numbers = ()) -> StoredMatch | None:
        """A match, with the entries that come after these numbers, log by log; None if it is not known.

        Of logs for which there is no number all entries come.
        """

    async def follow(self, match: str) -> None:
        """From when this returns on, call `news` for whatever another server writes to the match.

        It may be called for what was written before, too, and once for many entries.
        """

    async def unfollow(self, match: str) -> None:
        """Call `news` for the match no more."""

    # Finding them again

    async def due(self, by: int) -> list[str]:
        """Open matches that are due at `by` or before, the earliest first; not more than a thousand at a time."""

    async def open_matches(self) -> list[str]:
        """All matches that have not ended."""

    async def ended_matches(self) -> AsyncIterator[str]:
        """All matches that have ended and are still kept, the oldest end first."""
        yield ""

    async def seats(self, player: str) -> list[str]:
        """The open matches in which a player has a seat."""

    async def history(self, player: str, most: int) -> list[str]:
        """The matches of a player that have ended, the newest end first."""

    async def player(self, player: str) -> Player | None:
        """What is known of a player; None for nobody known."""

    # Ratings

    async def ratings(self, family: str, players: Sequence[str]) -> list[Rated | None]:
        """What these players' ratings are in a family of games; None for one who has none."""

    async def rate(
        self, match: str, family: str, at: int, before: Sequence[Rated | None], after: Sequence[Rated]
    ) -> bool:
        """Have a match of this family that ended at `at` count: these players' ratings, which were that, are now this.

        A match counts once: False if it does already, and then nothing changes. Raises `Conflict` if the ratings are
        others by now, and then nothing changes either. A match that changes no ratings is noted all the same.
        """

    async def note_pair(self, players: Sequence[str], match: str, at: int, within: int, most: int) -> bool:
        """Note a match of these players that ended at `at`, unless `most` others did less than `within` before or after it.

        Whether it is noted, in one step; so it stays when it is asked for again. Matches may come in another order than
        that in which they ended. What ended twice as long before is forgotten.
        """

    async def unrated(self, families: Sequence[str], since: int) -> list[str]:
        """Matches that ended at `since` or later and count in none of these families, the oldest end first.

        Not more than `MOST_UNRATED` at a time.
        """

    async def top(self, family: str, most: int) -> list[Rated]:
        """The players of a family with the highest floors."""

    # Waiting for a rival

    async def pair(self, game: str, seeker: Seeker, match: str | None) -> str | None:
        """The match in which somebody who suits has waited longest for this game. It stays on the queue until withdrawn.

        If nobody waits who suits, the seeker's own `match` is put on the queue, and None returned. All in one step, so that
        of two players who come at the same time one finds the other.
        """

    async def offer(self, game: str, seeker: Seeker, match: str) -> None:
        """Put a seeker's match on the queue, if it is not there already, whoever else waits."""

    async def withdraw(self, game: str, match: str) -> None:
        """Take a match off the queue, if it is there."""

    # Servers

    async def beat(self, node: str, vouched: int, races: Sequence[str]) -> Pulse:
        """Note that server `node` is alive, that matches were served until `vouched`, and which public races it serves, a line
        each. A server that has served nothing yet vouches for 0.

        The matches' clock goes on to what has been vouched for. Where several servers are alive it goes on between their beats
        as well, as long as they come in time. It begins as the wall clock, and never goes back.
        """

    async def silence(self, node: str) -> None:
        """Note that a server is gone: it is no longer among the nodes, nor are its races."""

    async def races(self, node: str) -> list[str]:
        """The lines of the races that all servers but `node` serve."""

    async def sweep(self, before: int) -> None:
        """Forget all matches that ended before this time, and everything that only they needed."""

    async def house_secret(self) -> bytes:
        """Thirty-two random bytes, made once with the store and kept with it."""

"""Announcements about what lies behind: a match stepped through, a player's past, a server's ranking."""

from typing import Any

import msgspec

from client_cli.announcements import Announcement
from engine.games import View
from protocol.messages import Level, Rank

# A match stepped through


class ReplayOpened(Announcement, frozen=True):
    """Which match is stepped through, and in how many steps."""

    match: str
    game: str
    created: str
    names: list[str]
    steps: int


class ReplayStep(Announcement, frozen=True):
    """Both boards after `step` of the `steps`. What that step was is missing before the first."""

    step: int
    steps: int
    at: int
    names: list[str]
    views: list[View]
    counts: list[int]
    total: int
    seat: int | None = None
    move: str | None = None
    card: str | None = None
    before: int = 0
    status: str = "playing"


class ReplaySpeed(Announcement, frozen=True):
    """How fast the match runs: so many times as fast as it was played."""

    speed: float
    running: bool


class ReplayHelp(Announcement, frozen=True):
    """What can be typed is to be told."""


class ReplayEdge(Announcement, frozen=True):
    """There is no step further on, or further back."""

    last: bool


# A player's past


class PastListed(Announcement, frozen=True):
    """A line in the list of a player's own matches. `outcome` is won, lost, drawn, or why the match was aborted.

    `bot` is the program that was raced, `level` how well it played if it was one of the server's.
    """

    match: str
    game: str
    ended: int
    outcome: str
    count: int
    rival: str | None
    rival_tag: str | None
    rival_count: int
    bot: str | None
    level: Level | None


class NoPast(Announcement, frozen=True):
    """The player has no match behind them."""


class Recent(msgspec.Struct, frozen=True):
    """So many of the last deals, and what came of them. `finished` is how many boards came to their own end."""

    deals: int
    won: int
    solved: int
    finished: int


class GameStats(Announcement, frozen=True):
    """A player's figures in one game. `counts`, `wins` and `finished` are those of each deal, the oldest first.

    `finished` says whether the board came to its own end, and was not cut short by the end of the race; `mean` is the mean
    count of those that did, missing if there is none. `streak` is how many races were won in a row until now, `longest` the most ever; `bots` is how many of the deals were
    against bots, `bots_won` how many of those were won.
    """

    game: str
    deals: int
    won: int
    solved: int
    total: int
    mean: float | None
    recent: list[Recent]
    streak: int
    longest: int
    bots: int
    bots_won: int
    counts: list[int]
    wins: list[bool]
    finished: list[bool]


class CountPlot(Announcement, frozen=True):
    """The counts of a player's last deals of a game, to be drawn."""

    game: str
    total: int
    counts: list[int]
    wins: list[bool]
    finished: list[bool]


# A server's ranking


class Ranked(Announcement, frozen=True):
    """A line in the ranking of a family of games."""

    family: str
    rank: Rank
    you: bool


class NoRanking(Announcement, frozen=True):
    """Nobody has a rating in this family yet."""

    family: str


class RatingNow(Announcement, frozen=True):
    """One's own rating in a family of games."""

    family: str
    rank: Rank


# What is kept on this machine


class NameKept(Announcement, frozen=True):
    """The name the player goes by. `kept`: it is one kept on this machine; `changed`: since now."""

    name: str
    kept: bool
    changed: bool


class KeyKept(Announcement, frozen=True):
    """Where the player's key is, the public one that others know the player by, and if it is to be shown, the key."""

    file: str
    tag: str
    public: str
    key: str | None


class KeyImported(Announcement, frozen=True):
    """A key from elsewhere is this machine's now. `aside` is where the one is that was there before."""

    file: str
    tag: str
    aside: str | None


class KeyExported(Announcement, frozen=True):
    """The key was written into another file."""

    file: str
    tag: str


class KeyReplaced(Announcement, frozen=True):
    """What was in the key file is no key any more, so a new one was made: `why` it is none, and where it is now."""

    file: str
    why: str
    aside: str | None
    tag: str


class NoKey(Announcement, frozen=True):
    """What was to be imported is no key, and `why`."""

    why: str


# What `tommy doctor` finds


class Examined(Announcement, frozen=True):
    """One thing that was looked at, and whether it is as it should be. `facts` holds what a sentence about it needs."""

    check: str
    fits: bool
    facts: dict[str, Any]


class Examination(Announcement, frozen=True):
    """The whole of it: how many things are not as they should be."""

    unfit: int

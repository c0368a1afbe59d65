"""How a Redis finds matches again: which are open, and when due; which have ended; whose they are.

In a Redis Cluster these lists cannot be changed in one step with the matches. So a list names a match before the match
says so, and drops it after: what a crash leaves behind is a name too many or a time too early. Whoever reads a list looks
at the matches themselves, and puts right what is wrong.
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import NamedTuple

from server.events import parse_terms
from server.store.port import Player
from server.store.redis_pipe import Call, Command, RedisPipe
from server.store.redis_scripts import (
    CLOCK,
    DROP,
    ENDED,
    FILE,
    FORGET,
    MOVE_LATER,
    OPEN,
    SEE,
    WITHDRAW,
    history_key,
    match_key,
    match_keys,
    player_key,
    seats_key,
    waiting_key,
)

MOST_DUE = 1000
PAGE = 200
PATIENCE = 300_000
"""A match that is named in a list and does not exist may be about to be made: so long, in milliseconds."""
LONGEST_OPEN = 30 * 24 * 3_600_000
"""Nobody plays longer than that: what only open matches need is dropped then, if it is still there."""


class Named(NamedTuple):
    """A match as a list names it."""

    match: str
    at: str


class Looked(NamedTuple):
    """What a match says of itself, and the list that named it."""

    match: str
    at: str
    due: int | None
    """None if there is no such match."""
    ended: int | None
    seated: bool
    """Whether the player who was asked for has a seat in it."""

    @property
    def is_open(self) -> bool:
        return self.due is not None and self.ended is None

    def is_due(self, by: int) -> bool:
        return self.due is not None and self.ended is None and self.due <= by

    def is_lost(self, now: int) -> bool:
        """Whether the list named it for something that has not come about, and will not."""
        return not self.is_open and self.ended is None and float(self.at) < now - PATIENCE


class RedisIndex:
    """The lists."""

    def __init__(self, pipe: RedisPipe) -> None:
        self._pipe = pipe

    # When a match is written

    @staticmethod
    def name_open(match: str, due: int) -> Command:
        """Have the match among the open ones, and looked at by then."""
        return ("ZADD", OPEN, "LT", due, match)

    @staticmethod
    def name_seat(match: str, player: str, at: int) -> Iterator[Command]:
        """Have the match among the player's."""
        yield ("ZADD", seats_key(player), at, match)
        yield ("PEXPIRE", seats_key(player), LONGEST_OPEN)

    async def see(self, match: str, player: str, name: str, at: int) -> None:
        """A player has taken a seat."""
        await self._pipe.run(Call(SEE, (player_key(player), seats_key(player)), (match, name, at, LONGEST_OPEN)))

    async def file(self, match: str) -> None:
        """Bring the lists to what a match says of itself, if it has ended."""
        key = match_key(match)
        (terms, ended), fields = await self._pipe.run(("HMGET", key, "terms", "ended"), ("HKEYS", key))
        if ended is None:
            return
        steps: list[Command | Call] = [
            Call(FILE, (player_key(player), seats_key(player), history_key(player)), (match, ended))
            for player in players_in(fields)
        ]
        steps.append(("ZADD", ENDED, ended, match))
        steps.append(Call(WITHDRAW, (waiting_key(parse_terms(terms).game),), (match,)))
        steps.append(("ZREM", OPEN, match))  # the last: until here, whoever looks for open matches would do all this
        await self._pipe.run(*steps)

    async def undo(self, match: str, players: Iterable[str]) -> None:
        """Take out what was named for something that has not come about.

        Whoever is about to write the same names it once more when it has.
        """
        key = match_key(match)
        ((due, ended),) = await self._pipe.run(("HMGET", key, "due", "ended"))
        if due is None:
            await self._pipe.run(("ZREM", OPEN, match))
        for player in players:
            (seated,) = await self._pipe.run(("HEXISTS", key, f"seat:{player}"))
            if not seated:
                await self._pipe.run(("ZREM", seats_key(player), match))
        if ended is not None:
            await self.file(match)

    # When one is looked for

    async def due(self, by: int) -> list[str]:
        found: list[tuple[int, str]] = []
        passed = 0
        while len(found) < MOST_DUE:
            looked = await self._look(await self._range(OPEN, "-inf", str(by), passed, MOST_DUE))
            await self._move_later([match for match in looked if match.is_open and not match.is_due(by)])
            await self._repair(OPEN, looked, by)
            found += [(match.due, match.match) for match in looked if match.due is not None and match.is_due(by)]
            passed += sum(match.is_due(by) or (match.due is None and not match.is_lost(by)) for match in looked)
            if len(looked) < MOST_DUE:
                break
        return [match for _, match in sorted(found)[:MOST_DUE]]

    async def open_matches(self) -> list[str]:
        return [match.match for match in await self._list_open(OPEN, None)]

    async def seats(self, player: str) -> list[str]:
        return [match.match for match in await self._list_open(seats_key(player), player) if match.seated]

    async def ended_matches(self) -> AsyncIterator[str]:
        at, passed = "-inf", 0
        while named := await self._range(ENDED, at, "+inf", passed, PAGE):
            for match in await self._look(named):
                if match.ended is not None:
                    yield match.match
            last = named[-1].at
            passed = (passed if last == at else 0) + sum(each.at == last for each in named)
            at = last

    async def history(self, player: str, most: int) -> list[str]:
        key = history_key(player)
        found: list[str] = []
        gone: list[str] = []
        while len(found) < most:
            start = len(found) + len(gone)
            (answer,) = await self._pipe.run(("ZREVRANGE", key, start, start + PAGE - 1, "WITHSCORES"))
            for match in await self._look(_named(answer)):
                (found if match.ended is not None else gone).append(match.match)
            if len(answer) < 2 * PAGE:
                break
        if gone:
            await self._pipe.run(("ZREM", key, *gone))
        return found[:most]

    async def player(self, player: str) -> Player | None:
        ((name, first, last),) = await self._pipe.run(("HMGET", player_key(player), "name", "first", "last"))
        return None if name is None else Player(name, int(first), int(last))

    # When nothing is to be left of one

    async def forget(self, before: int) -> None:
        """Keep nothing of the matches that ended before this time, nor of the players that have no other."""
        while named := await self._range(ENDED, "-inf", f"({before}", 0, PAGE):
            matches = [each.match for each in named]
            seats = await self._pipe.run_each([("HKEYS", match_key(match)) for match in matches])
            await self._pipe.run_each(
                Call(FORGET, (player_key(player), seats_key(player), history_key(player)), (match,))
                for match, fields in zip(matches, seats, strict=True)
                for player in players_in(fields)
            )
            await self._pipe.run_each(("DEL", *match_keys(match)) for match in matches)
            await self._pipe.run(("ZREM", OPEN, *matches), ("ZREM", ENDED, *matches))

    async def _list_open(self, key: str, player: str | None) -> list[Looked]:
        """The open matches of a list, which is put right on the way."""
        answer, clock = await self._pipe.run(("ZRANGE", key, 0, -1, "WITHSCORES"), ("HGET", CLOCK, "now"))
        now = int(clock or 0)
        found: list[Looked] = []
        named = _named(answer)
        for start in range(0, len(named), PAGE):
            looked = await self._look(named[start : start + PAGE], player)
            await self._repair(key, looked, now)
            found += [match for match in looked if match.is_open]
        return found

    async def _range(self, key: str, low: str, high: str, offset: int, most: int) -> list[Named]:
        limited = ("ZRANGEBYSCORE", key, low, high, "WITHSCORES", "LIMIT", offset, most)
        (answer,) = await self._pipe.run(limited)
        return _named(answer)

    async def _look(self, named: Sequence[Named], player: str | None = None) -> list[Looked]:
        """What these matches say of themselves."""
        answers = await self._pipe.run_each(
            ("HMGET", match_key(each.match), "due", "ended", f"seat:{player or ''}") for each in named
        )
        return [
            Looked(*each, None if due is None else int(due), None if ended is None else int(ended), seat is not None)
            for each, (due, ended, seat) in zip(named, answers, strict=True)
        ]

    async def _repair(self, key: str, looked: Iterable[Looked], now: int) -> None:
        """Bring the lists to what the matches say that one of them names as open."""
        for match in looked:
            if match.ended is not None:
                await self.file(match.match)
            elif match.is_lost(now):
                await self._pipe.run(Call(DROP, (key,), (match.match, match.at)))

    async def _move_later(self, looked: Sequence[Looked]) -> None:
        """Have these looked at when they say they are due.

        That may change while it is done here: then whoever changed it puts the earlier time into the list, or it is
        found here when they are looked at once more.
        """
        await self._pipe.run_each(
            Call(MOVE_LATER, (OPEN,), (match.match, match.at, match.due)) for match in looked if match.due is not None
        )
        for match in await self._look([Named(match.match, match.at) for match in looked]):
            if match.due is not None:
                await self._pipe.run(self.name_open(match.match, match.due))


def _named(answer: Sequence[str]) -> list[Named]:
    """Members and scores, which Redis gives in one row."""
    return [Named(*pair) for pair in zip(answer[::2], answer[1::2], strict=True)]


def players_in(fields: Iterable[str]) -> list[str]:
    """Who has a seat in a match, by the fields of its hash."""
    return [field.removeprefix("seat:") for field in fields if field.startswith("seat:")]

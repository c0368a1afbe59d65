"""Ratings in a Redis. All that a family of games has lies together, so that one script changes it; so does all of a pair."""

import json
from collections.abc import Sequence

from server.store.port import MOST_UNRATED, Conflict, Rated
from server.store.redis_pipe import Call, RedisPipe, Value
from server.store.redis_scripts import ENDED, NOTE_PAIR, RATE, TOP, pair_key, rating_keys

PAGE = 200
REMEMBERED = 30 * 24 * 3_600_000
"""For so long, in milliseconds, it is known of a match that it counts. Nobody asks later."""


class RedisRatings:
    """The ratings of all families."""

    def __init__(self, pipe: RedisPipe) -> None:
        self._pipe = pipe

    async def ratings(self, family: str, players: Sequence[str]) -> list[Rated | None]:
        if not players:
            return []
        (found,) = await self._pipe.run(("HMGET", rating_keys(family)[0], *players))
        return [None if text is None else _rated(text) for text in found]

    async def rate(
        self, match: str, family: str, at: int, before: Sequence[Rated | None], after: Sequence[Rated]
    ) -> bool:
        values: list[Value] = [match, at, at - REMEMBERED]
        for old, new in zip(before, after, strict=True):
            values += [new.player, "" if old is None else _text(old), _text(new), repr(new.floor)]
        (answer,) = await self._pipe.run(Call(RATE, rating_keys(family), values))
        if isinstance(answer, str):
            raise Conflict(f"{answer} ({match})")
        return bool(answer)

    async def note_pair(self, players: Sequence[str], match: str, at: int, within: int, most: int) -> bool:
        values = (match, at, at - 2 * within, at - within, at + within, most, 2 * within)
        (noted,) = await self._pipe.run(Call(NOTE_PAIR, (pair_key(players),), values))
        return bool(noted)

    async def unrated(self, families: Sequence[str], since: int) -> list[str]:
        found: list[str] = []
        passed = 0
        while len(found) < MOST_UNRATED:
            (codes,) = await self._pipe.run(("ZRANGEBYSCORE", ENDED, since, "+inf", "LIMIT", passed, PAGE))
            if not codes:
                break
            passed += len(codes)
            times = await self._pipe.run_each(("ZMSCORE", rating_keys(family)[2], *codes) for family in families)
            found += [code for code, *at in zip(codes, *times, strict=True) if not any(each is not None for each in at)]
        return found[:MOST_UNRATED]

    async def top(self, family: str, most: int) -> list[Rated]:
        (found,) = await self._pipe.run(Call(TOP, rating_keys(family)[:2], (most,)))
        return [_rated(text) for text in found]


def _text(rated: Rated) -> str:
    return json.dumps(rated, ensure_ascii=False)


def _rated(text: str) -> Rated:
    return Rated(*json.loads(text))

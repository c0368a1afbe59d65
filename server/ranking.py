"""The ranking: what each match between two people does to their ratings, and who stands where.

Each family of games has ratings of its own. The server that has written a match's end rates it; should it die before,
the keeper of another does. The store sees to it that no match counts twice, and that no rating is worked out from one
that has changed meanwhile.
"""

import structlog

from engine.games import variant
from engine.result import Reason
from protocol.messages import FAMILIES, Family, Rank, Ranking
from protocol.players import tag_of
from server.course import Course
from server.events import StoredMatch
from server.rating import Bout, Rating, updated
from server.store.port import Conflict, Rated, Store

LONGEST_RANKING = 100
PERIOD = 5 * 24 * 3_600_000
"""Milliseconds of a rating period: in so long without a match a rating becomes a step less certain."""
PROVISIONAL = 110
"""With a deviation above this, a rating says little yet: some ten matches bring it below."""
ATTEMPTS = 10
"""How often ratings are worked out anew that others change at the same time."""

log = structlog.get_logger()


def family_of(game: str) -> Family:
    """The family that a game belongs to. Raises `UnknownGame`."""
    return variant(game).rules.family


class Rater:
    """Rates matches in a store, and reads its rankings."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._passed_over: set[str] = set()
        """Matches that cannot be rated, such as those of games that this version does not know."""

    async def rate(self, match: Course) -> None:
        """Have a match that has ended count, unless it does already. Raises `StoreError`."""
        family, at = family_of(match.terms.game), match.ended or 0
        if not counts(match):
            await self.store.rate(match.terms.match, family, at, [], [])
            return
        for attempt in range(1, ATTEMPTS + 1):
            before = await self.store.ratings(family, [seat.player for seat in match.seats])
            try:
                await self.store.rate(match.terms.match, family, at, before, rated(match, before))
            except Conflict:
                if attempt == ATTEMPTS:
                    raise
            else:
                return

    async def rate_missed(self, since: int) -> None:
        """Have all matches count that have ended since then and were forgotten. Raises `StoreError`."""
        while codes := [code for code in await self.store.unrated(FAMILIES, since) if code not in self._passed_over]:
            for code in codes:
                stored = await self.store.read(code)
                course = None if stored is None else self._course(stored)
                if course is None:
                    self._passed_over.add(code)
                else:
                    await self.rate(course)

    def _course(self, stored: StoredMatch) -> Course | None:
        """What has happened to a match; None if it cannot be read."""
        try:
            return Course.of(stored.terms, stored.events)
        except Exception:
            log.exception("match cannot be rated", match=stored.terms.match)
            return None

    async def ranking(self, family: Family, player: str, re: int | None) -> Ranking:
        """The ranking of a family, for a player. Raises `StoreError`."""
        top = await self.store.top(family, LONGEST_RANKING)
        ranks = [_rank(each, place) for place, each in enumerate(top, start=1)]
        you = next((rank for rank, each in zip(ranks, top, strict=True) if each.player == player), None)
        if you is None:
            (mine,) = await self.store.ratings(family, [player])
            you = None if mine is None else _rank(mine, None)
        return Ranking(re=re, family=family, ranks=ranks, you=you)


def counts(match: Course) -> bool:
    """Whether a match counts: a race took place, between two people."""
    reason = None if match.result is None else match.result.reason
    return reason not in (None, Reason.ABORTED) and len(match.seats) == 2 and not any(seat.bot for seat in match.seats)


def rated(match: Course, before: list[Rated | None]) -> list[Rated]:
    """What a match makes of its players' ratings; None is the rating of somebody who has none yet."""
    ended = match.ended or 0
    ratings = [Rating() if each is None else Rating(each.rating, each.deviation, each.volatility) for each in before]
    after = []
    for seat, known, own in zip(match.seats, before, ratings, strict=True):
        new = updated(own, [Bout(ratings[1 - seat.number], _score(match, seat.number))], _idle(known, ended))
        matches, at = (0, 0) if known is None else (known.matches, known.at)
        after.append(Rated(seat.player, seat.name, *new, matches + 1, max(at, ended)))
    return after


def _idle(known: Rated | None, at: int) -> float:
    """For how many rating periods nothing has been heard of a player."""
    return 0.0 if known is None else max(0, at - known.at) / PERIOD


def _score(match: Course, number: int) -> float:
    winner = None if match.result is None else match.result.winner
    return 0.5 if winner is None else float(winner == number)


def _rank(rated: Rated, place: int | None) -> Rank:
    return Rank(
        place=place,
        name=rated.name,
        tag=tag_of(rated.player),
        rating=round(rated.rating),
        deviation=round(rated.deviation),
        matches=rated.matches,
        provisional=rated.deviation > PROVISIONAL,
    )

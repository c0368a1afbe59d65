"""The ranking: what each match between two people does to their ratings, and who stands where.

Each family of games has ratings of its own. The server that has written a match's end rates it; should it die before,
the keeper of another does. The store sees to it that no match counts twice, and that no rating is worked out from one
that has changed meanwhile.

A rating is worth nothing if who wants it can make the rival. So only matches count that the server has paired, a few a day
between the same two; and where a board was given up before anything could be decided, somebody may lose but nobody gains.
"""

from collections.abc import Sequence
from typing import NamedTuple

import structlog

from engine.board import ENDINGS
from engine.games import variant
from engine.moves import TURN
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
DAY = 24 * 3_600_000
MOST_A_DAY = 3
"""Matches between the same two that change ratings, in all families together, in any 24 hours."""
EARLY = 10
"""A board is given up early that has turned less than one in so many of its game's cards."""

Boards = Sequence[Sequence[str]]
"""The entries of each board of a match, seat 0 first."""

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
        await self._rate(match, [[entry.text for entry in seat.entries] for seat in match.seats])

    async def rate_missed(self, since: int) -> None:
        """Have all matches count that have ended since then and were forgotten. Raises `StoreError`."""
        while codes := [code for code in await self.store.unrated(FAMILIES, since) if code not in self._passed_over]:
            for code in codes:
                stored = await self.store.read(code)
                course = None if stored is None else self._course(stored)
                if stored is None or course is None:
                    self._passed_over.add(code)
                else:
                    await self._rate(course, [[text for _, text in log] for log in stored.boards])

    async def _rate(self, match: Course, boards: Boards) -> None:
        family, at = family_of(match.terms.game), match.ended or 0
        for attempt in range(1, ATTEMPTS + 1):
            known = await self.store.ratings(family, [seat.player for seat in match.seats])
            changes = await self._changes(match, boards, known)
            before, after = [change.before for change in changes], [change.after for change in changes]
            try:
                await self.store.rate(match.terms.match, family, at, before, after)
            except Conflict:
                if attempt == ATTEMPTS:
                    raise
            else:
                return

    async def _changes(self, match: Course, boards: Boards, known: Sequence[Rated | None]) -> "list[Change]":
        """What a match does to its players' ratings, which are known; nothing, if it does not count.

        It is noted as one between these two before it is rated. If that fails, it is rated later, and is noted already.
        """
        if not took_place(match):
            return []
        if any(seat.bot for seat in match.seats):
            return marked(match, known)
        changes = rated(match, boards, known) if is_paired(match) else []
        if all(change.before == change.after for change in changes):
            return []
        players = [seat.player for seat in match.seats]
        counts = await self.store.note_pair(players, match.terms.match, match.ended or 0, DAY, MOST_A_DAY)
        return changes if counts else []

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


class Change(NamedTuple):
    """A rating, and what a match makes of it: the same, perhaps."""

    before: Rated | None
    after: Rated


def took_place(match: Course) -> bool:
    """Whether there was a race."""
    return match.result is not None and match.result.reason is not Reason.ABORTED


def is_paired(match: Course) -> bool:
    """Whether the server has brought the two together."""
    return len(match.seats) == 2 and match.seats[1].paired


def gave_up(entries: Sequence[str], cards: int, *, lost: bool) -> bool:
    """Whether a board was given up early: few cards were turned when its player resigned, stood, left, ran out of time, or
    lost to somebody who had played on.
    """
    ended_by_a_word = bool(entries) and entries[-1] in ENDINGS
    return (ended_by_a_word or lost) and EARLY * entries.count(str(TURN)) < cards


def rated(match: Course, boards: Boards, known: Sequence[Rated | None]) -> list[Change]:
    """What a match between two people makes of their ratings; None is that of somebody who has none yet.

    If a board was given up early, whichever it is, only the rating of who has lost changes.
    """
    ended = match.ended or 0
    cards = len(match.variant.cards)
    early = any(gave_up(log, cards, lost=_score(match, number) == 0) for number, log in enumerate(boards))
    ratings = [Rating() if each is None else Rating(each.rating, each.deviation, each.volatility) for each in known]
    changes = []
    for seat, before, own in zip(match.seats, known, ratings, strict=True):
        score = _score(match, seat.number)
        if not early or score == 0:
            new = updated(own, [Bout(ratings[1 - seat.number], score)], _idle(before, ended))
            matches, at = (0, 0) if before is None else (before.matches, before.at)
            changes.append(Change(before, Rated(seat.player, seat.name, *new, matches + 1, max(at, ended))))
        elif before is not None:
            changes.append(Change(before, before))
    return changes


def marked(match: Course, known: Sequence[Rated | None]) -> list[Change]:
    """A match with a bot in it says of a rating that a bot plays under it now; until a match counts that a person plays."""
    return [
        Change(before, before._replace(bot=seat.bot))
        for seat, before in zip(match.seats, known, strict=True)
        if seat.bot is not None and before is not None and before.at <= (match.ended or 0)
    ]


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
        bot=rated.bot,
        provisional=rated.deviation > PROVISIONAL,
    )

"""Asking a server for what a player has behind them."""

from collections.abc import AsyncIterator

from client_cli.announcements import Announcement
from client_cli.connection import Connection
from client_cli.offers import check_offer
from client_cli.player_names import called
from client_cli.reports import NoRanking, PastListed, Ranked, RatingNow
from client_cli.troubles import ClientError, Garbled
from protocol.messages import (
    FAMILIES,
    HISTORY,
    MOST_PAST,
    RANKINGS,
    Family,
    History,
    Past,
    PastMatch,
    Ranking,
    Top,
)

MOST_LOOKED_AT = 1000
"""Matches that figures are made of at most: as far back as a server looks."""


async def past_matches(connection: Connection, most: int) -> list[PastMatch]:
    """The player's own matches that have ended, the newest first: as many as there are, or `most`."""
    async with connection:
        check_offer(connection.welcome, HISTORY)
        return [match async for match in _pages(connection, most)]


async def ranking(connection: Connection, family: Family) -> Ranking:
    """The server's ranking of a family of games."""
    async with connection:
        check_offer(connection.welcome, RANKINGS)
        return await _ranking(connection, family)


async def past_and_ratings(connection: Connection) -> tuple[list[PastMatch], list[Ranking]]:
    """All that the player's figures are made of; no ratings, where the server has none."""
    async with connection:
        check_offer(connection.welcome, HISTORY)
        matches = [match async for match in _pages(connection, MOST_LOOKED_AT)]
        families = FAMILIES if RANKINGS in connection.welcome.offers else ()
        return matches, [await _ranking(connection, family) for family in families]


async def _ranking(connection: Connection, family: Family) -> Ranking:
    answer = await connection.request(Top(family=family))
    if not isinstance(answer, Ranking):
        raise ClientError(Garbled("wrong-answer"))
    return answer


async def _pages(connection: Connection, most: int) -> AsyncIterator[PastMatch]:
    before: str | None = None
    while most > 0:
        answer = await connection.request(History(most=min(most, MOST_PAST), before=before))
        if not isinstance(answer, Past):
            raise ClientError(Garbled("wrong-answer"))
        for match in answer.matches:
            yield match
        if not answer.more or not answer.matches:
            return
        most -= len(answer.matches)
        before = answer.matches[-1].match


def listed(match: PastMatch) -> PastListed:
    """A match's line in the list."""
    rival = next((seat for number, seat in enumerate(match.seats) if number != match.you), None)
    return PastListed(
        match=match.match,
        game=match.game,
        ended=match.ended,
        outcome=_outcome(match),
        count=match.seats[match.you].count,
        rival=None if rival is None else called(rival.name, rival.bot, rival.level),
        rival_tag=None if rival is None else rival.tag,
        rival_count=0 if rival is None else rival.count,
        bot=None if rival is None else rival.bot,
        level=None if rival is None else rival.level,
    )


def ranks(ranking: Ranking) -> list[Announcement]:
    """The ranking, a line for each player, and where oneself stands if that is not among them."""
    lines: list[Announcement] = [Ranked(ranking.family, rank, you=rank == ranking.you) for rank in ranking.ranks]
    if ranking.you is not None and ranking.you.place is None:
        lines.append(Ranked(ranking.family, ranking.you, you=True))
    return lines or [NoRanking(ranking.family)]


def ratings(rankings: list[Ranking]) -> list[Announcement]:
    """One's own rating in each family that one has raced in."""
    return [RatingNow(ranking.family, ranking.you) for ranking in rankings if ranking.you is not None]


def _outcome(match: PastMatch) -> str:
    if match.result is None:
        return match.aborted or ""
    if match.result.winner is None:
        return "drawn"
    return "won" if match.result.winner == match.you else "lost"

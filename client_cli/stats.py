"""What a player's past matches come to, game by game. It does no input or output.

Races won go over all deals. The mean count and the deals solved go over finished boards: those that came to their own end.
Which these are, the server does not tell; it follows from the result (`is_finished`).
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from client_cli.reports import GameStats, Recent
from engine.errors import UnknownGame
from engine.games import variant
from engine.result import Reason
from protocol.messages import PastMatch

RECENT = (50, 100)
"""Over how many of the last deals a player's percentages are worked out."""


def stats(matches: Sequence[PastMatch]) -> list[GameStats]:
    """The figures of every game among these matches, which stand with the newest first; the game played most comes first.

    A match that did not take place counts for nothing, nor does one of a game that this program does not know.
    """
    played: dict[str, list[PastMatch]] = {}
    for match in matches:
        if match.result is not None and _is_known(match.game):
            played.setdefault(match.game, []).append(match)
    return sorted((_of_game(game, past) for game, past in played.items()), key=lambda each: -each.deals)


def is_finished(match: PastMatch, total: int) -> bool:
    """Whether the player's board in a race surely came to its own end, in a game of so many cards.

    A board ends when it is solved, stuck, stood, out of time, abandoned or resigned. A race that was decided by the count
    is over when all boards have ended. One that somebody has won by solving the deal, or because everybody else resigned,
    may have cut the other boards short: they may have ended before, but nothing tells.
    """
    if match.seats[match.you].count == total:
        return True
    if match.result is not None and match.result.reason is Reason.RESIGNED:
        return match.result.winner != match.you
    return all(seat.count != total for seat in match.seats)


def _is_known(game: str) -> bool:
    try:
        variant(game)
    except UnknownGame:
        return False
    return True


def _of_game(game: str, matches: Sequence[PastMatch]) -> GameStats:
    total = len(variant(game).cards)
    counts = [match.seats[match.you].count for match in matches]
    wins = [match.result is not None and match.result.winner == match.you for match in matches]
    finished = [is_finished(match, total) for match in matches]
    ends = [count for count, is_end in zip(counts, finished, strict=True) if is_end]
    bots = [any(seat.bot for seat in match.seats[: match.you] + match.seats[match.you + 1 :]) for match in matches]
    return GameStats(
        game=game,
        deals=len(matches),
        won=sum(wins),
        solved=counts.count(total),
        total=total,
        mean=round(sum(ends) / len(ends), 1) if ends else None,
        recent=[
            Recent(
                deals=len(wins[:number]),
                won=sum(wins[:number]),
                solved=counts[:number].count(total),
                finished=sum(finished[:number]),
            )
            for number in RECENT
        ],
        streak=_streak(wins),
        longest=longest_streak(wins),
        bots=sum(bots),
        bots_won=sum(won and bot for won, bot in zip(wins, bots, strict=True)),
        counts=counts[::-1],
        wins=wins[::-1],
        finished=finished[::-1],
    )


def _streak(wins: Sequence[bool]) -> int:
    """How many of the first there are before one that is not won."""
    return next((number for number, won in enumerate(wins) if not won), len(wins))


def longest_streak(wins: Iterable[bool]) -> int:
    """The most wins in a row."""
    return max((len(list(run)) for won, run in groupby(wins) if won), default=0)

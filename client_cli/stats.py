"""What a player's past matches come to, game by game. It does no input or output."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from client_cli.reports import GameStats, Recent
from engine.games import CATALOGUE, variant
from protocol.messages import PastMatch

RECENT = (50, 100)
"""Over how many of the last deals a player's percentages are worked out."""


def stats(matches: Sequence[PastMatch]) -> list[GameStats]:
    """The figures of every game among these matches, which stand with the newest first; the game played most comes first.

    A match that did not take place counts for nothing, nor does one of a game that this program does not know.
    """
    played: dict[str, list[PastMatch]] = {}
    for match in matches:
        if match.result is not None and match.game.split("+")[0] in CATALOGUE:
            played.setdefault(match.game, []).append(match)
    return sorted((_of_game(game, past) for game, past in played.items()), key=lambda each: -each.deals)


def _of_game(game: str, matches: Sequence[PastMatch]) -> GameStats:
    total = len(variant(game).cards)
    counts = [match.seats[match.you].count for match in matches]
    wins = [match.result is not None and match.result.winner == match.you for match in matches]
    solved = [count == total for count in counts]
    bots = [any(seat.bot for seat in match.seats[: match.you] + match.seats[match.you + 1 :]) for match in matches]
    return GameStats(
        game=game,
        deals=len(matches),
        won=sum(wins),
        solved=sum(solved),
        total=total,
        mean=round(sum(counts) / len(counts), 1),
        recent=[
            Recent(deals=len(wins[:number]), won=sum(wins[:number]), solved=sum(solved[:number])) for number in RECENT
        ],
        streak=_streak(wins),
        longest=longest_streak(wins),
        bots=sum(bots),
        bots_won=sum(won and bot for won, bot in zip(wins, bots, strict=True)),
        counts=counts[::-1],
        wins=wins[::-1],
    )


def _streak(wins: Sequence[bool]) -> int:
    """How many of the first there are before one that is not won."""
    return next((number for number, won in enumerate(wins) if not won), len(wins))


def longest_streak(wins: Iterable[bool]) -> int:
    """The most wins in a row."""
    return max((len(list(run)) for won, run in groupby(wins) if won), default=0)

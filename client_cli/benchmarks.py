"""What there is to compare one's figures with: what the books say of a game, and how often house bots solve it.

The books' figures are their authors' opinion; those of the bots were measured (docs/bots.md), and differ widely from them.
A figure belongs to one game with its options, and says nothing of others.
"""

from client_cli.language import joined, say
from engine.games import Variant

BOTS: dict[str, tuple[float | None, float, float]] = {
    "sir-tommy": (0.6, 15.4, 56.9),
    "strategy": (100, 100, 100),
    "numerica": (0.6, 17, 58.4),
    "calculation": (3, 9.2, 82.2),
    "puss-in-the-corner": (6.4, 45, 87.8),
    "sir-tommy+redeal": (None, 98.6, 98.2),
    "forty-thieves": (0, 0.2, 22.2),
    "lucas": (0, 21.4, 98.6),
    "limited": (0, 5.2, 83.8),
    "maria": (0, 0, 20.4),
    "josephine": (0, 22.6, 43.2),
}
"""The percentage of deals that each level solves: easy, normal, strong. None where nobody has measured it."""


def books(game: str) -> list[str]:
    """What the books say of a game, spelled with its options, in the words of this program."""
    return {
        "sir-tommy": [
            say("{low}-{high} % solved in 50-100 deals is above average", low=8, high=10),
            say("{low}-{high} % of deals can be solved with best play", low=7, high=10),
        ],
        "sir-tommy+redeal": [say("about {percent} % of deals are solved", percent=30)],
        "forty-thieves": [_one_in(10)],
        "lucas": [_one_in(3)],
        "limited": [_one_in(5)],
    }.get(game, [])


def _one_in(number: int) -> str:
    return say("about one deal in {number} is solved", number=number)


def measured(game: str) -> str:
    """How often house bots solve a game, by their levels; empty if nobody has measured it."""
    if game not in BOTS:
        return ""
    easy, normal, strong = BOTS[game]
    levels = ((say("easy"), easy), (say("normal"), normal), (say("strong"), strong))
    known = [(level, f"{share:g}") for level, share in levels if share is not None]
    shares = [say("{level} {percent} %", level=level, percent=percent) for level, percent in known]
    return say("measured: {shares}", shares=joined(", ", shares))


def rows(game: str) -> list[tuple[str, str]]:
    """Both, as rows of a table. The first column says whose figures they are."""
    said = [(say("The books"), told) for told in books(game)[:1]] + [("", told) for told in books(game)[1:]]
    found = measured(game)
    return said + ([(say("House bots"), found)] if found else [])


def spellings(chosen: Variant) -> list[str]:
    """The games whose figures belong to a game explained: itself, and with each option that was not chosen."""
    more = [option for option in chosen.game.options if option not in chosen.options]
    return [chosen.spelling, *(f"{chosen.spelling}+{option}" for option in more)]

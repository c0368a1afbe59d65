"""The catalogue: every game there is to race, a row for each.

A game and its options are spelled as one text, "sir-tommy" or "sir-tommy+redeal": on the wire, in the deal's
commitment, in records and on the screen.
"""

from dataclasses import dataclass, replace
from typing import Any

from engine.board import Board
from engine.cards import DECK, KING, QUEEN, Card, rank
from engine.deal import Deal
from engine.errors import UnknownGame
from engine.forty_thieves import FortyThievesRules, FortyThievesView
from engine.sir_tommy import SirTommyRules, SirTommyView
from engine.spelling import near

Rules = SirTommyRules | FortyThievesRules
View = SirTommyView | FortyThievesView

ASCENDING = tuple(range(1, KING + 1))
TWO_DECKS = 2 * DECK
TO_THE_QUEEN = tuple(range(1, QUEEN + 1))


def _steps_of(step: int) -> tuple[int, ...]:
    """Thirteen ranks from `step` on, `step` apart, counted modulo 13, with the king last."""
    return tuple((step * number - 1) % KING + 1 for number in range(1, KING + 1))


@dataclass(frozen=True)
class Game:
    """A row of the catalogue: a name, the cards before the shuffle, and the rules without any option."""

    name: str
    cards: tuple[Card, ...]
    rules: Rules

    @property
    def options(self) -> tuple[str, ...]:
        """The options the game can be played with, freely combined."""
        return tuple(self.rules.OPTIONS)

    @property
    def stock(self) -> int:
        """How many cards there are to be turned when the game begins."""
        return len(self.cards) - self.rules.laid_out


CATALOGUE = {
    game.name: game
    for game in (
        Game("sir-tommy", DECK, SirTommyRules(sequences=4 * (ASCENDING,))),
        Game("strategy", DECK, SirTommyRules(sequences=4 * (ASCENDING,), pile_to_pile=True)),
        Game("numerica", DECK, SirTommyRules(sequences=4 * (ASCENDING,), leftmost=True)),
        Game(
            "calculation",
            DECK,
            SirTommyRules(sequences=tuple(_steps_of(step) for step in (1, 2, 3, 4)), starters=True),
        ),
        Game(
            "puss-in-the-corner",
            tuple(card for card in DECK if rank(card) != KING),
            SirTommyRules(sequences=4 * (TO_THE_QUEEN,), starters=True),
        ),
        Game("forty-thieves", TWO_DECKS, FortyThievesRules(columns=10, rows=4)),
        Game("lucas", TWO_DECKS, FortyThievesRules(columns=13, rows=3, aces_first=True)),
        Game("limited", TWO_DECKS, FortyThievesRules(columns=12, rows=3)),
        Game("maria", TWO_DECKS, FortyThievesRules(columns=9, rows=4, alternating=True)),
        Game("josephine", TWO_DECKS, FortyThievesRules(columns=10, rows=4, whole_sequences=True)),
    )
}


class Variant:
    """A game together with the options chosen for it: all that is needed to deal and to play."""

    def __init__(self, game: Game, options: tuple[str, ...]) -> None:
        changes: dict[str, Any] = {}
        for option in options:
            changes |= game.rules.OPTIONS[option]
        self.game = game
        self.options = options
        self.rules: Rules = replace(game.rules, **changes)
        self.spelling = "+".join((game.name, *options))

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the game, before the shuffle."""
        return self.game.cards

    def board(self, dealt: Deal) -> Board:
        """A fresh board of this deal, all cards known."""
        return self.rules.board(dealt)

    def board_from(self, view: View) -> Board:
        """The board that a view of this game shows, with its stock face down."""
        return self.rules.board_from(view)


def variant(spelling: str) -> Variant:
    """The game and options that a text such as "sir-tommy+redeal" names.

    Raises `UnknownGame`, with the names that are near, or else all there are.
    """
    name, *options = spelling.split("+")
    game = CATALOGUE.get(name)
    if game is None:
        meant = " or ".join(near(name, CATALOGUE))
        hint = f"did you mean {meant}?" if meant else f"the games are {', '.join(CATALOGUE)}"
        raise UnknownGame(f"there is no game {name[:40]!r}: {hint}")
    for option in options:
        if option not in game.options:
            raise UnknownGame(f"{name} has no option {option[:40]!r}: it has {', '.join(game.options)}")
    if len(set(options)) < len(options):
        raise UnknownGame(f"an option is named twice in {spelling[:60]!r}")
    return Variant(game, tuple(option for option in game.options if option in options))

"""The catalogue: every game there is to race, a row for each.

A game and its options are spelled as one text, "sir-tommy" or "sir-tommy+redeal": on the wire, in the deal's
commitment, in records and on the screen.
"""

from dataclasses import dataclass, replace
from difflib import get_close_matches

from engine.board import Board
from engine.cards import DECK, KING, QUEEN, Card, rank
from engine.deal import Deal
from engine.errors import UnknownGame
from engine.sir_tommy import SirTommyBoard, SirTommyRules, SirTommyView

ASCENDING = tuple(range(1, KING + 1))
TO_THE_QUEEN = tuple(range(1, QUEEN + 1))


def _steps_of(step: int) -> tuple[int, ...]:
    """Thirteen ranks from `step` on, `step` apart, counted modulo 13, with the king last."""
    return tuple((step * number - 1) % KING + 1 for number in range(1, KING + 1))


@dataclass(frozen=True)
class Game:
    """A row of the catalogue: its cards before the shuffle, its rules, and the options it can be played with."""

    name: str
    cards: tuple[Card, ...]
    rules: SirTommyRules
    options: tuple[str, ...] = ("redeal",)

    def spelled(self, chosen: tuple[str, ...]) -> str:
        """The game with the chosen options, as one text."""
        return "+".join((self.name, *chosen))


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
    )
}


class Variant:
    """A game together with the options chosen for it: all that is needed to deal and to play."""

    def __init__(self, game: Game, options: tuple[str, ...]) -> None:
        self.game = game
        self.options = options
        self.rules = replace(game.rules, redeals=1) if "redeal" in options else game.rules
        self.spelling = game.spelled(options)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the game, before the shuffle."""
        return self.game.cards

    def board(self, dealt: Deal) -> Board:
        """A fresh board of this deal, all cards known."""
        return SirTommyBoard(self.rules, dealt)

    def board_from(self, view: SirTommyView) -> Board:
        """The board that a view shows, with its stock face down."""
        return SirTommyBoard.from_view(self.rules, view)


def variant(spelling: str) -> Variant:
    """The game and options that a text such as "sir-tommy+redeal" names.

    Raises `UnknownGame`, with the nearest names there are.
    """
    name, *options = spelling.split("+")
    game = CATALOGUE.get(name)
    if game is None:
        near = get_close_matches(name, CATALOGUE, n=3) or list(CATALOGUE)
        raise UnknownGame(f"there is no game {name[:40]!r}: did you mean {' or '.join(near)}?")
    for option in options:
        if option not in game.options:
            raise UnknownGame(f"{name} has no option {option[:40]!r}: it has {', '.join(game.options)}")
    if len(set(options)) < len(options):
        raise UnknownGame(f"an option is named twice in {spelling[:60]!r}")
    return Variant(game, tuple(option for option in game.options if option in options))

"""Moves and the places they name, in one notation for the wire, the log, the record and the screen.

    t       turn the next card of the stock
    r       redeal: gather the piles into a new stock
    hf2     the card in hand to foundation 2
    hp3     the card in hand to pile 3
    p3f1    the top card of pile 3 to foundation 1
    p1p2    the top card of pile 1 to pile 2

A move names places, never cards: two decks have two of every card (rules.md, section 6).
"""

from enum import StrEnum
from typing import NamedTuple

from engine.errors import BadMove


class Area(StrEnum):
    """A kind of place on the table, and its letter in the notation."""

    NOWHERE = ""
    STOCK = "s"
    HAND = "h"
    PILE = "p"
    FOUNDATION = "f"


class Place(NamedTuple):
    """One place: an area and, where it has several places, the number counted from 1."""

    area: Area
    number: int = 0

    def __str__(self) -> str:
        return f"{self.area}{self.number or ''}"


class Move(NamedTuple):
    """A card goes from `source` to `target`."""

    source: Place
    target: Place

    def __str__(self) -> str:
        return _WORDS.get(self) or f"{self.source}{self.target}"


HAND = Place(Area.HAND)
TURN = Move(Place(Area.STOCK), Place(Area.NOWHERE))
REDEAL = Move(Place(Area.NOWHERE), Place(Area.STOCK))

_WORDS = {TURN: "t", REDEAL: "r"}


def pile(number: int) -> Place:
    """Pile 1, 2, 3 ..."""
    return Place(Area.PILE, number)


def foundation(number: int) -> Place:
    """Foundation 1, 2, 3 ..."""
    return Place(Area.FOUNDATION, number)


def _notation() -> dict[str, Move]:
    """Every move that can be written down, by its text: places are numbered from 1 to 9."""
    numbers = range(1, 10)
    sources = [HAND, *map(pile, numbers)]
    targets = [*map(pile, numbers), *map(foundation, numbers)]
    moves = [TURN, REDEAL, *(Move(source, target) for source in sources for target in targets)]
    return {str(move): move for move in moves}


MOVES = _notation()
"""All there is in the notation; whether a move is legal is for a board to say."""


def parse_move(text: str) -> Move:
    """The move a text means. Raises `BadMove`; whether it is legal is for a board to say."""
    move = MOVES.get(text)
    if move is None:
        raise BadMove(f"{text[:20]!r} is not a move: moves are written t, r, hp2, hf1, p3f1 or p1p2")
    return move

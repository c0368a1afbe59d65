"""Moves and the places they name, in one notation for the wire, the log, the record and the screen.

    t       turn the next card of the stock
    r       redeal: gather the piles into a new stock
    hf2     the card in hand to foundation 2
    hp3     the card in hand to pile 3
    p3f1    the top card of pile 3 to foundation 1
    p1p2    the top card of pile 1 to pile 2
    wf8     the top card of the waste to foundation 8
    wc10    the top card of the waste to column 10
    c4f1    the last card of column 4 to foundation 1
    c4c12   the last card of column 4 to column 12
    c4c12x3 the last three cards of column 4 to column 12

A move names places, never cards: two decks have two of every card (rules.md, section 6).
"""

import re
from enum import StrEnum
from typing import NamedTuple

from engine.errors import BadMove


class Area(StrEnum):
    """A kind of place on the table, and its letter in the notation."""

    NOWHERE = ""
    STOCK = "s"
    HAND = "h"
    WASTE = "w"
    PILE = "p"
    COLUMN = "c"
    FOUNDATION = "f"


class Place(NamedTuple):
    """One place: an area and, where it has several places, the number counted from 1."""

    area: Area
    number: int = 0

    def __str__(self) -> str:
        return f"{self.area}{self.number or ''}"


class Move(NamedTuple):
    """A card goes from `source` to `target`, or the last `cards` cards of a column do."""

    source: Place
    target: Place
    cards: int = 1

    def __str__(self) -> str:
        group = f"x{self.cards}" if self.cards > 1 else ""
        return _WORDS.get(self) or f"{self.source}{self.target}{group}"


HAND = Place(Area.HAND)
WASTE = Place(Area.WASTE)
TURN = Move(Place(Area.STOCK), Place(Area.NOWHERE))
REDEAL = Move(Place(Area.NOWHERE), Place(Area.STOCK))

_WORDS = {TURN: "t", REDEAL: "r"}


def pile(number: int) -> Place:
    """Pile 1, 2, 3 ..."""
    return Place(Area.PILE, number)


def foundation(number: int) -> Place:
    """Foundation 1, 2, 3 ..."""
    return Place(Area.FOUNDATION, number)


def column(number: int) -> Place:
    """Column 1, 2, 3 ..."""
    return Place(Area.COLUMN, number)


def _notation() -> dict[str, Move]:
    """Every move that can be written down, by its text: columns and their cards go up to 13, other places to 9."""
    piles, foundations = [[place(number) for number in range(1, 10)] for place in (pile, foundation)]
    columns = [column(number) for number in range(1, 14)]
    moves = [
        TURN,
        REDEAL,
        *(Move(source, target) for source in (HAND, *piles) for target in (*piles, *foundations)),
        *(Move(source, target) for source in (WASTE, *columns) for target in (*columns, *foundations)),
        *(Move(source, target, cards) for source in columns for target in columns for cards in range(2, 14)),
    ]
    return {str(move): move for move in moves}


MOVES = _notation()
"""All there is in the notation; whether a move is legal is for a board to say."""

Way = str
"""What kind of move it is: its letters, such as hf, pp or cc. A game has some of these, and not the others."""
WAYS: dict[str, Way] = {text: re.sub(r"\d+(x\d+)?", "", text) for text in MOVES}
"""The way of each move."""


def parse_move(text: str) -> Move:
    """The move a text means. Raises `BadMove`; whether it is legal is for a board to say."""
    move = MOVES.get(text)
    if move is None:
        raise BadMove(f"{text[:20]!r} is not a move: moves are written like t, hp2, p3f1, wc10 or c4c12x3")
    return move

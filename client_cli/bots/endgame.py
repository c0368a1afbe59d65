"""The end of a Sir Tommy board, when the stock is empty and every card lies open: no chance is left, only a search.

What remains is which top card goes up to which foundation first.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.cards import rank
from engine.moves import Move, foundation, pile
from engine.sir_tommy import SirTommyBoard

BUDGET = 20_000
"""How many positions are looked at before the first move known is taken."""

Piles = tuple[tuple[int, ...], ...]
Heights = tuple[int, ...]
Sequences = Sequence[Sequence[int]]


class _Way(NamedTuple):
    """A way from the board to a position."""

    piles: Piles
    heights: Heights
    moves: tuple[Move, ...]


def finish(board: SirTommyBoard) -> Move:
    """The first of the moves that put most cards up. There must be one that puts a card up."""
    best: dict[tuple[Piles, Heights], int] = {}

    def reach(way: _Way) -> int:
        """How many cards can be up at the end."""
        known = best.get((way.piles, way.heights))
        if known is None:
            known = sum(way.heights)
            if len(best) < BUDGET:
                known = max([known, *map(reach, _raised(board.rules.sequences, way))])
            best[way.piles, way.heights] = known
        return known

    return max(_raised(board.rules.sequences, _start(board)), key=reach).moves[0]


def _start(board: SirTommyBoard) -> _Way:
    piles = tuple(tuple(rank(card) for card in cards) for cards in board.piles)
    return _Way(piles, tuple(map(len, board.foundations)), ())


def _raised(sequences: Sequences, way: _Way) -> Iterator[_Way]:
    """Every way to put one top card up; to the leftmost of like foundations, which every rule allows."""
    for number, cards in enumerate(way.piles):
        tried = set()
        for to, (sequence, height) in enumerate(zip(sequences, way.heights, strict=True)):
            if cards and height < len(sequence) and sequence[height] == cards[-1] and (sequence, height) not in tried:
                tried.add((sequence, height))
                piles = (*way.piles[:number], cards[:-1], *way.piles[number + 1 :])
                heights = (*way.heights[:to], height + 1, *way.heights[to + 1 :])
                yield _Way(piles, heights, (*way.moves, Move(pile(number + 1), foundation(to + 1))))

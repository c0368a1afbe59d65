"""The cards of a Forty Thieves board that lie open: between two turns nothing is unknown, and all can be thought out.

A position is made of bytes and tuples, so that thousands can be looked at in the time of one move. A step here is what
a player has in mind, a built sequence carried to another column; where the game moves single cards only, it takes
several moves, with the empty columns as resting places.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.cards import DECK, KING, Card, rank, suit
from engine.forty_thieves import FortyThievesBoard, FortyThievesRules
from engine.moves import WASTE, Area, Move, column, foundation

FROM_WASTE = -1
UP = -1
"""The numbers of the waste as a source and of the foundations as a target; columns are numbered from 0."""

REMEMBERED = 1 << 16
"""How many columns, those looked at last, something is remembered of; one deal has fewer."""


class Step(NamedTuple):
    """The last cards of a column, or the waste's top card, go to a column or up."""

    source: int
    target: int
    cards: int = 1


class Position(NamedTuple):
    """The open cards. `heights` are those of the eight foundations."""

    columns: tuple[bytes, ...]
    waste: bytes
    heights: tuple[int, ...]

    @property
    def put_up(self) -> int:
        """How many cards lie on the foundations."""
        return sum(self.heights)

    @property
    def looks(self) -> object:
        """The same for positions that differ only in the order of columns or of like foundations."""
        heights = self.heights
        pairs = [tuple(sorted(heights[at : at + 2])) for at in range(0, len(heights), 2)]
        return tuple(sorted(self.columns)), len(self.waste), tuple(pairs)

    def wants(self, card: Card) -> int | None:
        """The foundation that takes a card now, numbered from 0; the first of two."""
        first = 2 * suit(card)
        for at in (first, first + 1):
            if self.heights[at] == rank(card) - 1:
                return at
        return None

    def after(self, step: Step) -> "Position":
        """The position when a step is done."""
        columns, waste = list(self.columns), self.waste
        if step.source == FROM_WASTE:
            moved, waste = waste[-1:], waste[:-1]
        else:
            cards = columns[step.source]
            moved, columns[step.source] = cards[-step.cards :], cards[: -step.cards]
        if step.target != UP:
            columns[step.target] += moved
            return Position(tuple(columns), waste, self.heights)
        heights = list(self.heights)
        at = self.wants(moved[0])
        assert at is not None
        heights[at] += 1
        return Position(tuple(columns), waste, tuple(heights))


def position_of(board: FortyThievesBoard) -> Position:
    """The open cards of a board."""
    return Position(tuple(map(bytes, board.columns)), bytes(board.waste), tuple(map(len, board.foundations)))


def step_of(move: Move) -> Step:
    """A move that is not a turn as a step."""
    target = move.target.number - 1 if move.target.area is Area.COLUMN else UP
    return Step(move.source.number - 1, target, move.cards)


def unseen(board: FortyThievesBoard) -> list[Card]:
    """The cards that the stock must hold: all there are without the visible ones."""
    cards = sorted(2 * DECK)
    for place in (board.waste, *board.columns, *board.foundations):
        for card in place:
            cards.remove(card)
    return cards


class Ways:
    """What can be done with open cards by the rules of one game."""

    def __init__(self, rules: FortyThievesRules) -> None:
        self._whole = rules.whole_sequences
        self._at_once = rules.at_once
        self._lies_on = tuple(frozenset(on for on in DECK if rules.builds(card, on)) for card in DECK)
        self.built = lru_cache(REMEMBERED)(self._built)
        """How many cards at the end of a column are built on each other."""

    def _built(self, cards: bytes) -> int:
        size = min(1, len(cards))
        while size < len(cards) and cards[-size - 1] in self._lies_on[cards[-size]]:
            size += 1
        return size

    def steps(self, position: Position) -> Iterator[Step]:
        """Everything that could be done, those that put a card up first."""
        columns, waste = position.columns, position.waste
        empty = [at for at, cards in enumerate(columns) if not cards]
        to_card = KING if self._whole else 1 << len(empty)
        to_empty = KING if self._whole else to_card >> 1
        ends = [(at, cards[-1]) for at, cards in enumerate(columns) if cards]
        for at, end in ends:
            if position.wants(end) is not None:
                yield Step(at, UP)
        if waste:
            top = waste[-1]
            if position.wants(top) is not None:
                yield Step(FROM_WASTE, UP)
            lies_on = self._lies_on[top]
            for to, on in ends:
                if on in lies_on:
                    yield Step(FROM_WASTE, to)
            if empty:
                yield Step(FROM_WASTE, empty[0])
        for at, _ in ends:
            cards = columns[at]
            for size in range(1, self.built(cards) + 1):
                if size > to_card:
                    break
                lies_on = self._lies_on[cards[-size]]
                for to, on in ends:
                    if on in lies_on and to != at:
                        yield Step(at, to, size)
                if empty and size <= to_empty and size < len(cards):
                    yield Step(at, empty[0], size)

    def moves(self, position: Position, step: Step) -> list[Move]:
        """The moves that a step takes."""
        source = WASTE if step.source == FROM_WASTE else column(step.source + 1)
        if step.target == UP:
            cards = position.waste if step.source == FROM_WASTE else position.columns[step.source]
            at = position.wants(cards[-1])
            assert at is not None
            return [Move(source, foundation(at + 1))]
        target = column(step.target + 1)
        empty = [at for at, left in enumerate(position.columns) if not left]
        if step.cards <= self._at_once(len(empty), to_empty=step.target in empty):
            return [Move(source, target, step.cards)]
        return _carried(step, [at for at in empty if at != step.target])


def _carried(step: Step, resting: Sequence[int]) -> list[Move]:
    """The moves that carry cards one by one: the last of them rest in an empty column, the others go first."""
    if step.cards == 1:
        return [Move(column(step.source + 1), column(step.target + 1))]
    *others, rest = resting
    last = min(step.cards - 1, 1 << len(others))
    return [
        *_carried(Step(step.source, rest, last), others),
        *_carried(Step(step.source, step.target, step.cards - last), others),
        *_carried(Step(rest, step.target, last), others),
    ]

"""Playing many games of the Forty Thieves family at once, by one greedy rule, to judge positions to turn from.

A single such game means little and many of them a lot, so they are played side by side, as numpy arrays.
Wherever cards lie, the last one is the one that may move; the waste is the place after the last column.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from client_cli.bots.open_cards import Position
from engine.cards import DECK, KING, card_of, is_red, rank
from engine.forty_thieves import FortyThievesRules

Ints = NDArray[np.intp]
Cards = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Sets = NDArray[np.uint64]
"""Sets of cards or of kinds of cards, a bit for each."""

NOTHING = 63
"""No card: what is seen where a place is empty."""
CARDS = NOTHING + 1
"""Length of an array indexed by card."""
DEPTH = 96
"""Length of an array indexed by a card's depth; the last cells always hold nothing, as more cards lie nowhere."""
RED = 16
"""What the number of a red kind has over that of a black one, where colours alternate."""

UP, BUILT, FILLED, NEVER = 1000.0, 500.0, 100.0, -1000.0
"""Worths of kinds of moves, far apart: what fits goes up before anything is built, and empty columns are filled last."""


class Weights(NamedTuple):
    """What the greedy rule minds among moves of one kind. The numbers in `GREEDY` were found by trying."""

    emptied: float
    """What it is worth that a column becomes empty,"""
    goes_up: float
    """that the card below fits a foundation,"""
    joins: float
    """that it can be built on another or another on it,"""
    shallow: float
    """and, for each card fewer that is left, that a column is nearer to being empty."""
    from_waste: float
    """What it is worth that a card leaves the waste."""
    last_empty: float
    """The cost of filling the last empty column."""
    least: float
    """An empty column is filled only by what is worth more."""


GREEDY = Weights(emptied=4.6, goes_up=14.0, joins=8.8, shallow=0.77, from_waste=3.8, last_empty=3.2, least=0.4)
"""One set for the whole family: by itself it solves 93 % of Lucas, 54 % of Limited, 32 % of Josephine and 6 % of Forty
Thieves."""


class Tables:
    """The rules of a game as sets, so that one operation tells for many games which cards may lie on others.

    Cards are of one kind when they lie on the same cards: where colours alternate, that is a rank in a colour.
    """

    def __init__(self, rules: FortyThievesRules) -> None:
        self.columns = rules.columns
        self.whole_sequences = rules.whole_sequences
        self.itself: Sets = np.zeros(CARDS, np.uint64)
        """By card: the set of just this card. For `NOTHING` it is empty, like all the others."""
        self.kind: Sets = np.zeros(CARDS, np.uint64)
        """By card: the set of just its kind."""
        self.lies_on: Sets = np.zeros(CARDS, np.uint64)
        """By card: the set of just the kind that it may lie on, if there is one."""
        for card in DECK:
            self.itself[card] = 1 << card
            self.kind[card] = 1 << (rank(card) + RED * is_red(card) if rules.alternating else card)
        for card in DECK:
            for on in DECK:
                if rules.builds(card, on):
                    self.lies_on[card] = self.kind[on]


class _Sight(NamedTuple):
    """What lies at the end of each place, by place and game."""

    last: Cards
    """The last card,"""
    run: Ints
    """how many cards at the end are built on each other,"""
    first: Cards
    """the first of those,"""
    below: Cards
    """and the card below them."""


class Games:
    """Every position with every order of the stock, the next card first; position after position."""

    def __init__(self, tables: Tables, positions: Sequence[Position], orders: Cards) -> None:
        self._tables = tables
        each, shape = len(orders), (len(positions), tables.columns + 1, DEPTH)
        cards, runs = np.full(shape, NOTHING, np.uint8), np.ones(shape, np.uint8)
        sizes = np.zeros((shape[1], shape[0]), np.intp)
        wanted, twice = np.zeros((2, len(positions)), np.uint64)
        for number, position in enumerate(positions):
            for at, height in enumerate(position.heights):
                if height < KING:
                    card = tables.itself[card_of(height + 1, at // 2)]
                    twice[number] |= wanted[number] & card
                    wanted[number] |= card
            for place, column in enumerate((*position.columns, position.waste)):
                sizes[place, number] = len(column)
                cards[number, place, : len(column)] = list(column)
                for depth in range(1, len(column) if place < tables.columns else 0):
                    if tables.lies_on[column[depth]] & tables.kind[column[depth - 1]]:
                        runs[number, place, depth] = runs[number, place, depth - 1] + 1
        self._cards = np.repeat(cards, each, 0)
        self._runs = np.repeat(runs, each, 0)
        """By game, place and depth: how many cards up to this one are built on each other; in the waste none are."""
        self._sizes = np.repeat(sizes, each, 1)
        """By place and game."""
        self._wanted, self._twice = np.repeat(wanted, each), np.repeat(twice, each)
        """By game: the cards that a foundation takes now, and those that two take."""
        self._counts = np.repeat([position.put_up for position in positions], each)
        self._orders = np.tile(orders, (len(positions), 1))
        self._turned = np.zeros(len(self._orders), np.intp)

    def play(self) -> Ints:
        """Turn a card in every game, and play it to its end. Returns the counts."""
        ends, playing = self._counts.copy(), np.arange(len(self._counts))
        if self._orders.shape[1]:
            self._turn(playing)
        while len(playing):
            over = self._move()
            if 4 * np.count_nonzero(over) > len(playing):  # only then is it worth while to leave them out
                ends[playing] = self._counts
                playing = playing[~over]
                self._keep(~over)
        return ends

    def _keep(self, games: Flags) -> None:
        self._cards, self._runs, self._sizes = self._cards[games], self._runs[games], self._sizes[:, games]
        self._wanted, self._twice, self._counts = self._wanted[games], self._twice[games], self._counts[games]
        self._orders, self._turned = self._orders[games], self._turned[games]

    def _move(self) -> Flags:
        """Make the best move of every game. Returns which games have none left."""
        sight = self._sight()
        worth = self._worth(sight)
        source, best = worth.argmax(0), worth.max(0)
        turns, ups, builds = best <= NEVER / 2, best > (UP + BUILT) / 2, best > (BUILT + FILLED) / 2
        over = turns & (self._turned == self._orders.shape[1])
        self._turn(np.flatnonzero(turns & ~over))
        self._put_up(games := np.flatnonzero(ups), source[games], sight)
        across = np.flatnonzero(~turns & ~ups)
        self._put_down(across, source[across], self._targets(across, source[across], builds[across], sight), sight)
        return np.asarray(over)

    def _sight(self) -> _Sight:
        places, games = self._sizes.shape
        start = (np.arange(games) * places + np.arange(places)[:, None]) * DEPTH
        cards, runs = self._cards.reshape(-1), self._runs.reshape(-1)
        end = start + self._sizes - 1  # where a place is empty, the last cell of the place before
        run = runs.take(end).astype(np.intp)
        first = end - run
        return _Sight(cards.take(end), run, cards.take(first + 1), cards.take(first))

    def _worth(self, sight: _Sight) -> Floats:
        """By place and game: what it is worth to move the cards at its end in the best way; NEVER when there is none."""
        tables, left = self._tables, self._sizes - sight.run
        lie_on = tables.lies_on.take(sight.first)
        open_ends = np.bitwise_or.reduce(tables.kind.take(sight.last[:-1]), 0)
        looked_for = np.bitwise_or.reduce(lie_on, 0)
        joins = tables.lies_on.take(sight.below) & open_ends
        joins |= tables.kind.take(sight.below) & looked_for
        goes_up = tables.itself.take(sight.below) & self._wanted
        frees = np.where(goes_up, GREEDY.goes_up, GREEDY.joins * (joins != 0))
        worth = np.where(left == 0, GREEDY.emptied, frees - GREEDY.shallow * left)
        worth[-1] = frees[-1] + GREEDY.from_waste
        empty = (self._sizes[:-1] == 0).sum(0)
        fill = worth - GREEDY.last_empty * (empty == 1)
        fills = fill > GREEDY.least
        fills[:-1] &= left[:-1] > 0
        builds = (lie_on & open_ends) != 0
        if tables.whole_sequences:
            fills &= empty > 0
        else:
            builds &= sight.run <= 1 << empty
            fills &= sight.run <= (1 << empty) >> 1
        across = np.where(builds, BUILT + worth, np.where(fills, FILLED + fill, NEVER))
        worth = np.where(tables.itself.take(sight.last) & self._wanted, UP + worth, across)
        return np.where(self._sizes > 0, worth, NEVER)

    def _targets(self, games: Ints, source: Ints, builds: Flags, sight: _Sight) -> Ints:
        """The column that takes the cards at the end of one place each: the first that they can be built on, or an empty one."""
        kinds = self._tables.kind.take(sight.last[:-1, games])
        fits = kinds & self._tables.lies_on.take(sight.first[source, games]) != 0
        targets: Ints = np.where(builds, fits, self._sizes[:-1, games] == 0).argmax(0)
        return targets

    def _turn(self, games: Ints) -> None:
        self._cards[games, -1, self._sizes[-1, games]] = self._orders[games, self._turned[games]]
        self._sizes[-1, games] += 1
        self._turned[games] += 1

    def _put_up(self, games: Ints, source: Ints, sight: _Sight) -> None:
        card = sight.last[source, games].astype(np.intp)
        self._sizes[source, games] -= 1
        self._counts[games] += 1
        wanted, twice, itself = self._wanted[games], self._twice[games], self._tables.itself
        taken = itself[card]
        wanted &= ~taken | twice
        twice &= ~taken
        follows = np.where(card < card_of(KING, 0), itself.take(card + card_of(2, 0), mode="clip"), 0)
        self._twice[games] = twice | wanted & follows
        self._wanted[games] = wanted | follows

    def _put_down(self, games: Ints, source: Ints, target: Ints, sight: _Sight) -> None:
        """Carry the cards at the end of one place each to the end of another."""
        many = sight.run[source, games]
        taken, put = self._sizes[source, games] - many, self._sizes[target, games]
        below = np.where(put > 0, sight.run[target, games], 0)
        for number in range(int(many.max(initial=0))):
            more = number < many
            row, place, depth = games[more], target[more], put[more] + number
            self._cards[row, place, depth] = self._cards[row, source[more], taken[more] + number]
            self._runs[row, place, depth] = below[more] + number + 1
        self._sizes[source, games] -= many
        self._sizes[target, games] += many

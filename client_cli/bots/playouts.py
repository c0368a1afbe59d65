"""Playing many games of the Sir Tommy family at once, by one greedy rule, to judge a position.

The stock is face down, so a bot cannot search it. What it can do (rules.md, section 5): lay the unseen cards out in
many random orders, play each of those games to its end by a simple rule, and see how they went. A single such game
means little and a hundred of them a lot, so they are played side by side, as numpy arrays with one row per game.

Cards are ranks here, 1 to 13, because suits never matter in this family; 0 is no card.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.sir_tommy import PILES, SirTommyRules

Ints = NDArray[np.intp]
Ranks = NDArray[np.int8]
Floats = NDArray[np.floating]

RANKS = 14
"""Length of an array indexed by rank."""
STOCK = PILES
"""The number of the stock among the piles, which are numbered from 0 here."""


class Weights(NamedTuple):
    """What the greedy rule minds. The numbers in `GREEDY` were found by trying, on random deals of several games."""

    buried: float
    """The cost of laying a card on a pile: for each card of the pile that is needed sooner ..."""
    delay: float
    """... and for each place in the sequences by which it is needed sooner."""
    gap: float
    """For each place by which the pile's top card is needed later: that much room is lost."""
    equal: float
    """For each card of the same rank in the pile."""
    follows: float
    """Taken off when the pile's top card follows in some sequence: the two will go up together."""
    empty: float
    """For using an empty pile ..."""
    soon: float
    """... and for each place the card is from being needed."""
    tall: float
    """How much rather a card goes up from a pile, for each card in the pile ..."""
    low: float
    """... and to a foundation, for each card that is not yet on it."""


GREEDY = Weights(
    buried=0.2, delay=2.05, gap=0.236, equal=-2.98, follows=5.69, empty=0.86, soon=0.097, tall=2.2, low=1.7
)
"""One set for the whole family: by itself it solves 19 % of Sir Tommy, 24 % of Calculation and 50 % of Puss in the
Corner (bench.strength, level normal). A set for one game alone gains about a point there and loses as much elsewhere."""


class Position(NamedTuple):
    """A board in ranks: the piles, and how many cards lie on each foundation."""

    piles: list[list[int]]
    heights: list[int]


class Tables:
    """The rules of a game as arrays."""

    def __init__(self, rules: SirTommyRules) -> None:
        foundations, length = len(rules.sequences), max(map(len, rules.sequences))
        states = np.arange((length + 1) ** foundations)[:, None]
        total = np.zeros((len(states), RANKS), np.float32)
        takers = np.zeros_like(total)
        self.foundations = foundations
        self.cards: Ranks = np.array([card for sequence in rules.sequences for card in sequence], np.int8)
        """Every card of the game."""
        self.takes: Ranks = np.full((foundations, length + 1), -1, np.int8)
        """By foundation and number of cards on it: the rank it takes next; -1 when it is complete."""
        self.place: Ints = np.full((foundations, RANKS), -1)
        """By foundation and rank: where the rank comes in the sequence; -1 when it does not."""
        self.follower: Ranks = np.full((foundations, RANKS), -1, np.int8)
        """By foundation and rank: the next rank of the sequence; -1 when there is none."""
        self.strides: Ints = (length + 1) ** np.arange(foundations)
        """What one more card on each foundation adds to the number of a state of all foundations."""
        for number, sequence in enumerate(rules.sequences):
            self.takes[number, : len(sequence)] = sequence
            self.place[number, list(sequence)] = range(len(sequence))
            self.follower[number, list(sequence[:-1])] = sequence[1:]
            away = self.place[number] - states // self.strides[number] % (length + 1)
            total += np.maximum(away, 0)
            takers += away >= 0
        self.wait: Floats = total / np.maximum(takers, 1)
        """By that number and rank: how many cards, on average, are to go up before a foundation takes the rank."""

    def waits(self, heights: Sequence[int]) -> Floats:
        """`wait` for foundations with so many cards."""
        row: Floats = self.wait[int(np.dot(self.strides, heights))]
        return row


@lru_cache(maxsize=8)
def tables_of(rules: SirTommyRules) -> Tables:
    """The tables of a game. They take a moment to make."""
    return Tables(rules)


class Games:
    """Games side by side, a row each. The stock is one more pile, from which cards may also go to the other piles."""

    def __init__(self, tables: Tables, positions: Sequence[Position], orders: Ranks, weights: Weights) -> None:
        """Every position with every order of the stock (a row of `orders`, its top card last), position by position."""
        self.tables, self.weights = tables, weights
        copies, turns = orders.shape
        foundations = tables.foundations
        heights = np.array([position.heights for position in positions]).reshape(-1, foundations)
        depth = np.array([[*map(len, position.piles), turns] for position in positions])
        cards = np.zeros((len(positions), PILES + 1, len(tables.cards) + 1), np.int8)
        held = np.zeros((len(positions), PILES + 1, RANKS), np.float32)
        for row, position in enumerate(positions):
            for number, ranks in enumerate(position.piles):
                cards[row, number, 1 : len(ranks) + 1] = ranks
                held[row, number] = np.bincount(np.array(ranks, int), minlength=RANKS)
        self.heights, self.depth, self.cards, self.held = (
            np.repeat(array, copies, axis=0) for array in (heights, depth, cards, held)
        )
        self.cards[:, STOCK, 1 : turns + 1] = np.tile(orders, (len(positions), 1))
        for card in range(RANKS):
            self.held[:, STOCK, card] = np.tile((orders == card).sum(axis=1), len(positions))
        self.state = self.heights @ tables.strides
        self.needs = tables.takes[np.arange(foundations), self.heights]
        rows, piles = np.indices(self.depth.shape)
        self.tops = self.cards[rows, piles, self.depth]

    @property
    def counts(self) -> Ints:
        """How many cards each row has on its foundations."""
        counts: Ints = self.heights.sum(axis=1)
        return counts

    def play(self) -> None:
        """Play every row until its stock is empty and nothing fits: one card in each row at a time."""
        # Every pile with every foundation: flat arrays, because numpy is slow with short inner ones.
        source, target = np.divmod(np.arange((PILES + 1) * self.tables.foundations), self.tables.foundations)
        rows = np.arange(len(self.heights))
        while len(rows):
            piles = 1000 + self.weights.tall * self.depth.take(rows, 0)
            piles[:, STOCK] = 500
            low = self.weights.low * self.heights.take(rows, 0)
            fits = self.tops.take(rows, 0).take(source, 1) == self.needs.take(rows, 0).take(target, 1)
            chosen = ((piles.take(source, 1) - low.take(target, 1)) * fits).argmax(axis=1)
            up = fits[np.arange(len(rows)), chosen]
            self._raise(rows[up], source[chosen[up]], target[chosen[up]])
            turning = rows[~up]
            left = self.depth[turning, STOCK] > 0
            self._lay(turning[left])
            if not left.all():
                up[~up] = left
                rows = rows[up]

    def redeal(self, orders: Ranks) -> None:
        """Gather the piles of every row into its stock, which has been played out.

        An order is one of all cards of the game. Equal ranks are as good as each other, so that the gathered cards
        may be taken to be the first of their rank in it.
        """
        earlier = np.tril(orders[:, :, None] == orders[:, None, :], -1).sum(axis=2)
        copies = len(self.heights) // len(orders)
        orders, earlier = np.tile(orders, (copies, 1)), np.tile(earlier, (copies, 1))
        left = self.held.sum(axis=1)
        gathered = earlier < np.take_along_axis(left, orders.astype(np.intp), axis=1)
        stacked = np.take_along_axis(orders, np.argsort(~gathered, axis=1, kind="stable"), axis=1)
        self.cards[:, STOCK, 1:] = stacked
        self.depth[:] = 0
        self.depth[:, STOCK] = gathered.sum(axis=1)
        self.held[:] = 0
        self.held[:, STOCK] = left
        self.tops[:] = 0
        self.tops[:, STOCK] = self.cards[np.arange(len(self.cards)), STOCK, self.depth[:, STOCK]]

    def _take(self, rows: Ints, piles: Ints | int) -> Ranks:
        """Take the top card of one pile of each of these rows."""
        taken: Ranks = self.tops[rows, piles]
        depth = self.depth[rows, piles] - 1
        self.held[rows, piles, taken] -= 1
        self.depth[rows, piles] = depth
        self.tops[rows, piles] = self.cards[rows, piles, depth]
        return taken

    def _raise(self, rows: Ints, piles: Ints, foundations: Ints) -> None:
        """The top card of a pile goes to a foundation in each of these rows."""
        self._take(rows, piles)
        height = self.heights[rows, foundations] + 1
        self.heights[rows, foundations] = height
        self.needs[rows, foundations] = self.tables.takes[foundations, height]
        self.state[rows] += self.tables.strides[foundations]

    def _lay(self, rows: Ints) -> None:
        """Turn a card in each of these rows and lay it on the pile that it spoils least."""
        turned = self._take(rows, STOCK)
        piles = self._cost(rows, turned).argmin(axis=1)
        depth = self.depth[rows, piles] + 1
        self.depth[rows, piles] = depth
        self.cards[rows, piles, depth] = turned
        self.tops[rows, piles] = turned
        self.held[rows, piles, turned] += 1

    def _cost(self, rows: Ints, turned: Ranks) -> Floats:
        """What it costs to lay each row's card on each of its piles."""
        weights, each = self.weights, np.arange(len(rows))
        wait = self.tables.wait.take(self.state[rows], 0)
        own = wait[each, turned][:, None]
        tops = self.tops[rows, :STOCK]
        delay = own - wait
        price = (weights.buried + weights.delay * delay) * (delay > 0)
        price[each, turned] = weights.equal
        cost: Floats = np.matmul(self.held[rows, :STOCK], price[:, :, None])[:, :, 0]
        gap = wait[each[:, None], tops] - own
        cost += np.where(tops == 0, weights.empty + weights.soon * own, weights.gap * np.maximum(gap, 0))
        takes = self.heights[rows] <= self.tables.place[:, turned].T
        following = np.where(takes, self.tables.follower[:, turned].T, -1)
        cost -= weights.follows * (following[:, None, :] == tops[:, :, None]).any(axis=2)
        return cost

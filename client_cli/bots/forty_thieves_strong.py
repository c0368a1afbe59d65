"""The strong house bot of the Forty Thieves family: it thinks the open cards out, and plays the unseen ones out.

It sees what a player sees: the board with its stock face down. Between two turns nothing is unknown, so it makes a plan
that ends with the next turn: of the positions it could turn from it takes the promising ones, and then the one from
which games with many orders of the unseen cards go best. With the stock empty, it plans for the greatest count.

A plan is remembered and followed to its end. That is why the bot never goes round in circles: each plan ends with a
card turned or with a greater count, and there are only so many cards.
"""

from collections.abc import Sequence
from functools import cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from client_cli.bots.forty_thieves_playouts import Games, Tables
from client_cli.bots.open_cards import Position, Step, Ways, position_of, step_of, unseen
from client_cli.bots.open_search import Way, reached
from client_cli.bots.outlook import Outlook
from engine.cards import Card, parse_card
from engine.forty_thieves import FortyThievesBoard, FortyThievesRules
from engine.moves import TURN, Move

LOOKED_AT = 2000
"""How many positions are looked at before a turn,"""
LOOKED_AT_LAST = 5000
"""and how many when there is nothing left to turn."""

ROUNDS = ((24, 32), (6, 160))
"""How many positions are tried, and with how many orders of the stock; those that did best go into the next round."""

COUNTS = 0.5
"""What a full count is worth beside solving the deal: it settles races that nobody solves (rules.md, section 1)."""

REMEMBERED = 2000
"""How many positions of plans are remembered, those of several boards perhaps; a plan has a few dozen at most."""


def strong(board: FortyThievesBoard, whim: Random | None = None) -> Move | None:
    """The next move of the plan; None when no more cards can be put up. Chance comes from `whim`."""
    return mind(board.rules).choose(board, whim)


class Mind:
    """What the bot knows of one game, and the plans it made."""

    def __init__(self, rules: FortyThievesRules) -> None:
        self._ways = Ways(rules)
        self._outlook = Outlook(self._ways)
        self._tables = Tables(rules)
        self._planned: dict[tuple[int, Position], Move] = {}

    def choose(self, board: FortyThievesBoard, whim: Random | None) -> Move | None:
        """The next move on a board."""
        start = position_of(board)
        if (board.stock, start) not in self._planned:
            moves = self._plan(board, start, whim)
            if not moves:
                return None
            self._remember(board.stock, start, moves)
        return self._planned[board.stock, start]

    def _plan(self, board: FortyThievesBoard, start: Position, whim: Random | None) -> list[Move]:
        if not board.stock:
            return self._moves(start, self._highest(start))
        chance = np.random.default_rng(whim.getrandbits(64) if whim else 0)
        return [*self._moves(start, self._best(board, start, chance)), TURN]

    def _moves(self, start: Position, steps: Sequence[Step]) -> list[Move]:
        moves, position = [], start
        for step in steps:
            moves += self._ways.moves(position, step)
            position = position.after(step)
        return moves

    def _remember(self, stock: int, start: Position, moves: Sequence[Move]) -> None:
        """Where a plan comes past a position twice, the second time counts: nothing is done for nothing."""
        position = start
        for move in moves:
            self._planned.pop((stock, position), None)
            self._planned[stock, position] = move
            if move != TURN:
                position = position.after(step_of(move))
        while len(self._planned) > max(REMEMBERED, len(moves)):
            del self._planned[next(iter(self._planned))]

    def _highest(self, start: Position) -> Sequence[Step]:
        """The way to the greatest count found."""
        found = reached(self._ways, self._outlook, start, LOOKED_AT_LAST)
        return max(found, key=lambda way: way.position.put_up).steps

    def _best(self, board: FortyThievesBoard, start: Position, chance: np.random.Generator) -> Sequence[Step]:
        """The way to the position from which to turn."""
        found = reached(self._ways, self._outlook, start, LOOKED_AT)
        tried = sorted(found, key=lambda way: way.worth, reverse=True)
        worths: dict[Way, NDArray[np.float64]] = {}
        for most, orders in ROUNDS:
            tried = tried[:most]
            if len(tried) == 1:
                break
            stocks = _stocks(board, orders, chance)
            counts = Games(self._tables, [way.position for way in tried], stocks).play()
            share = counts / board.total
            for way, row in zip(tried, ((share == 1) + COUNTS * share).reshape(len(tried), -1), strict=True):
                worths[way] = np.append(worths.get(way, ()), row)
            tried.sort(key=lambda way: float(worths[way].mean()), reverse=True)
        return tried[0].steps


mind = cache(Mind)


def _stocks(board: FortyThievesBoard, size: int, chance: np.random.Generator) -> NDArray[np.uint8]:
    """Orders that the stock may have, as many as asked for, the next card first."""
    cards = unseen(board)
    known: list[Card] = [] if board.peek is None else [parse_card(board.peek)]
    for card in known:
        cards.remove(card)
    rest = chance.permuted(np.tile(np.array(cards, np.uint8), (size, 1)), axis=1)
    return np.hstack([np.tile(np.array(known, np.uint8), (size, 1)), rest])

"""Ways to play a board of the Forty Thieves family: habits of players, and how a test plays by them."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from hypothesis import strategies as st

from engine.board import Board
from engine.forty_thieves import FortyThievesBoard
from engine.moves import Area, Move

Habit = Callable[[list[Move], Random], Move]


def careless(legal: list[Move], chance: Random) -> Move:
    """Any move."""
    return chance.choice(legal)


def upwards(legal: list[Move], chance: Random) -> Move:
    """To a foundation if possible, else any move, the next card as often as not."""
    if legal[0].target.area is Area.FOUNDATION:
        return legal[0]
    return legal[-1] if chance.random() < 0.5 else chance.choice(legal)


def sideways(legal: list[Move], chance: Random) -> Move:
    """As many cards as possible from column to column, or now and then the next card."""
    across = [move for move in legal if move.target.area is Area.COLUMN]
    if not across or chance.random() < 0.2:
        return legal[-1]
    most = max(move.cards for move in across)
    return chance.choice([move for move in across if move.cards == most or chance.random() < 0.2] or across)


def onwards(legal: list[Move], chance: Random) -> Move:
    """The whole stock first; then as it comes."""
    return legal[-1] if legal[-1].target.area is Area.NOWHERE else upwards(legal, chance)


def thrifty(legal: list[Move], chance: Random) -> Move:
    """Up, else from the waste, else the next card: columns are left to become empty or not."""
    for wanted in (Area.FOUNDATION, Area.COLUMN):
        moves = [move for move in legal if move.target.area is wanted]
        if wanted is Area.COLUMN:
            moves = [move for move in moves if move.source.area is Area.WASTE]
        if moves and chance.random() < 0.9:
            return chance.choice(moves)
    return legal[-1]


HABITS: tuple[Habit, ...] = (upwards, careless, sideways, onwards, thrifty)

plays = st.tuples(st.sampled_from(HABITS), st.integers(0, 2**32 - 1), st.integers(0, 150))
"""Whose habit, whose luck, and for how many moves."""

Play = tuple[Any, int, int]


def play(board: Board, habit: Habit, chance: Random, longest: int = 200) -> Iterator[Move]:
    """Play the board until it is finished, or so many moves; gives each move once it is made."""
    for _ in range(longest):
        legal = board.legal_moves()
        if not legal:
            return
        move = habit(legal, chance)
        board.apply(move)
        yield move


def played(board: FortyThievesBoard, way: Play) -> FortyThievesBoard:
    habit, luck, moves = way
    for _ in play(board, habit, Random(luck), moves):
        pass
    return board

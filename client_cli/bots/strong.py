"""The strong house bot of the Sir Tommy family: it plays the unseen cards out in its mind (rules.md, section 5).

It sees what a player sees: the board with its stock face down. What it does not see it counts: the cards of the game
without the visible ones are the stock, in an order that nobody knows; after a redeal as well.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from random import Random

import numpy as np
from numpy.typing import NDArray

from client_cli.bots import sir_tommy
from client_cli.bots.endgame import finish
from client_cli.bots.playouts import GREEDY, Games, Position, tables_of
from engine.cards import rank
from engine.moves import Area, Move
from engine.sir_tommy import SirTommyBoard

ROUNDS = (24, 48, 96)
"""How many orders of the stock are tried, again and again, for the moves that may still be the best."""

DOUBT = 2.0
"""A move is given up when it is behind by more than this many standard errors."""

COUNTS = 0.5
"""What a full count is worth beside solving the deal: it settles races that nobody solves (rules.md, section 1)."""

PERMUTED = 4
"""With so few cards unseen, every order of theirs is tried instead of a sample."""


def strong(board: SirTommyBoard, whim: Random | None = None) -> Move | None:
    """The move that does best in playouts; chance comes from `whim`."""
    moves = [move for move in board.legal_moves() if not _between_piles(move)]
    up = [move for move in moves if move.target.area is Area.FOUNDATION]
    if board.hand is None:
        if not up:  # the next card is turned, or the piles are gathered or dug through
            return sir_tommy.normal(board, None)
        # A card that fits is put up before the next is turned. With one in hand, leaving it is tried as well.
        moves = up
    different = _different(board, moves)
    if len(different) == 1:
        return moves[0]
    if board.hand is None and not board.stock and not board.redeals_left and not board.rules.pile_to_pile:
        return finish(board)
    return _best(board, different, np.random.default_rng(whim.getrandbits(64) if whim else 0))


def _best(board: SirTommyBoard, different: dict[Move, Position], chance: np.random.Generator) -> Move:
    """The move after which the playouts are worth most. All moves meet the same orders of the stock."""
    tables = tables_of(board.rules)
    unseen = np.array(_unseen(board), np.int8)
    every_order = len(unseen) <= PERMUTED and not board.redeals_left
    worths: dict[Move, NDArray[np.float64]] = {move: np.zeros(0) for move in different}
    best = next(iter(different))
    for size in ROUNDS:
        if every_order:
            orders = np.array(list(permutations(unseen)), np.int8)
        else:
            orders = chance.permuted(np.tile(unseen, (size, 1)), axis=1)
        games = Games(tables, [different[move] for move in worths], orders, GREEDY)
        games.play()
        if board.redeals_left:
            games.redeal(chance.permuted(np.tile(tables.cards, (size, 1)), axis=1))
            games.play()
        share = games.counts / len(tables.cards)
        worth = ((share == 1) + COUNTS * share).reshape(len(worths), -1)
        worths = {move: np.append(worths[move], row) for move, row in zip(worths, worth, strict=True)}
        best = max(worths, key=lambda move: float(worths[move].mean()))
        worths = {move: row for move, row in worths.items() if move == best or _may_win(worths[best] - row)}
        if every_order or len(worths) == 1:
            break
    return best


def _may_win(behind: NDArray[np.float64]) -> bool:
    """Whether a move that was so much behind in each playout may yet come out on top; not if it is always equal."""
    return bool(behind.any() and behind.mean() <= DOUBT * behind.std() / len(behind) ** 0.5)


def _between_piles(move: Move) -> bool:
    return move.source.area is move.target.area is Area.PILE


def _position(board: SirTommyBoard) -> Position:
    piles = [[rank(card) for card in cards] for cards in board.piles]
    return Position(piles, [len(cards) for cards in board.foundations])


def _unseen(board: SirTommyBoard) -> list[int]:
    """The ranks of the cards in the stock: each sequence takes one card of each of its ranks."""
    cards = Counter(card for sequence in board.rules.sequences for card in sequence)
    cards.subtract(rank(card) for place in (*board.piles, *board.foundations) for card in place)
    if board.hand is not None:
        cards[rank(board.hand)] -= 1
    return sorted(cards.elements())


def _different(board: SirTommyBoard, moves: Sequence[Move]) -> dict[Move, Position]:
    """The positions after the moves, without those that differ only in the order of piles or of like foundations."""
    seen, different = set(), {}
    for move in moves:
        piles, heights = _position(board)
        card = rank(board.hand) if board.hand is not None else piles[move.source.number - 1].pop()
        if move.target.area is Area.FOUNDATION:
            heights[move.target.number - 1] += 1
        else:
            piles[move.target.number - 1].append(card)
        looks = (tuple(sorted(map(tuple, piles))), tuple(sorted(zip(board.rules.sequences, heights, strict=True))))
        if looks not in seen:
            seen.add(looks)
            different[move] = Position(piles, heights)
    return different

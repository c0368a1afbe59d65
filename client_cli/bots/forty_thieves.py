"""A house bot's play in the Forty Thieves family: greedy, one step at a time, never looking into the stock.

What fits a foundation goes there; then cards are built on each other in the columns, and an empty column is filled only
where that frees something. Every move between columns either joins two cards that belong together, or fills an empty
column and parts none; so the bot never goes round in circles.
"""

from collections.abc import Iterator, Sequence
from random import Random

from engine.cards import Card
from engine.forty_thieves import FortyThievesBoard
from engine.moves import TURN, WASTE, Area, Move

WHIM = 0.5
"""How much better a move may seem to a bot with a mind of its own; two of them do not play alike."""
SEEN = 0.25
"""How often a careless bot sees that a card could be built on another."""

EMPTIED = 6.0
"""What it is worth that a column becomes empty,"""
GOES_UP = 8.0
"""that the card below fits a foundation,"""
JOINS = 6.0
"""that it can be built on another or another on it,"""
SHALLOW = 0.4
"""and, for each card fewer that is left, that a column is nearer to being empty."""
FROM_WASTE = 2.0
"""What it is worth that a card leaves the waste."""


def normal(board: FortyThievesBoard, whim: Random | None = None) -> Move | None:
    """The bot's move on a board; None when nothing is left that is of use, and it stands.

    Without a `whim` it is the same move every time.
    """
    moves = board.legal_moves()
    return _best(board, _up(moves), whim) or _best(board, _built(board, moves), whim) or _next(board, moves, whim)


def easy(board: FortyThievesBoard, whim: Random | None = None) -> Move | None:
    """The same by a bot that takes what fits a foundation, and misses most of the rest."""
    chance, moves = whim or Random(board.turned), board.legal_moves()
    built = [move for move in _built(board, moves) if chance.random() < SEEN]
    return _best(board, _up(moves), whim) or _best(board, built, whim) or (TURN if TURN in moves else None)


def _up(moves: Sequence[Move]) -> list[Move]:
    return [move for move in moves if move.target.area is Area.FOUNDATION]


def _built(board: FortyThievesBoard, moves: Sequence[Move]) -> list[Move]:
    """The moves that put a card on one that it belongs on, and part it from none."""
    return [move for move in moves if _cards(board, move, target=True) and not _parts(board, move)]


def _next(board: FortyThievesBoard, moves: Sequence[Move], whim: Random | None) -> Move | None:
    """With nothing to build: fill an empty column where that is worth it, or else turn the next card."""
    fills = [move for move in moves if _fills(board, move) and not _parts(board, move)]
    worth_it = [move for move in fills if len(_cards(board, move)) > move.cards and _worth(board, move) > 0]
    return _best(board, worth_it, whim) or (TURN if TURN in moves else None)


def _fills(board: FortyThievesBoard, move: Move) -> bool:
    return move.target.area is Area.COLUMN and not _cards(board, move, target=True)


def _best(board: FortyThievesBoard, moves: Sequence[Move], whim: Random | None) -> Move | None:
    """The move that frees most, the first of equal ones."""
    if not moves:
        return None
    return max(moves, key=lambda move: _worth(board, move) + (whim.uniform(0, WHIM) if whim else 0.0))


def _cards(board: FortyThievesBoard, move: Move, *, target: bool = False) -> list[Card]:
    """The cards of the column, or the waste, that a move takes from or goes to; none for other places."""
    place = move.target if target else move.source
    if place == WASTE:
        return board.waste
    return board.columns[place.number - 1] if place.area is Area.COLUMN else []


def _parts(board: FortyThievesBoard, move: Move) -> bool:
    """Whether a move takes a card off one that it is built on. In the waste nothing is."""
    cards = _cards(board, move)
    if move.source == WASTE or len(cards) == move.cards:
        return False
    return board.rules.builds(cards[-move.cards], cards[-move.cards - 1])


def _worth(board: FortyThievesBoard, move: Move) -> float:
    """What a move frees where the card lies."""
    cards = _cards(board, move)
    left = cards[: len(cards) - move.cards]
    worth = FROM_WASTE if move.source == WASTE else -SHALLOW * len(left)
    if not left:
        return worth + EMPTIED * (move.source != WASTE)
    freed = left[-1]
    if board.fitting(freed):
        return worth + GOES_UP
    return worth + JOINS * any(
        board.rules.builds(freed, end) or board.rules.builds(end, freed) for end in _ends(board, move)
    )


def _ends(board: FortyThievesBoard, move: Move) -> Iterator[Card]:
    """The cards at the ends of the columns that a move leaves alone."""
    for number, cards in enumerate(board.columns, start=1):
        if cards and number not in (move.source.number, move.target.number):
            yield cards[-1]

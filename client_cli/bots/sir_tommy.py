"""A house bot's play in the Sir Tommy family: greedy, one step at a time, never looking into the stock.

A card that fits a foundation goes there. Any other card in hand goes to the pile where it does least harm, and harm is
order: a card that is wanted late on top of one that is wanted early. When a card is wanted is told by the game's own
sequences, so every game of the family is played by the same few lines.
"""

from collections.abc import Sequence
from random import Random

from engine.cards import KING, Card, rank
from engine.moves import HAND, REDEAL, TURN, Area, Move, pile
from engine.sir_tommy import SirTommyBoard

# Tuned on 6,000 deals of Sir Tommy; on 24,000 others about one in six came out, with a mean count of 39.
BURIED = 1.0
"""The price of lying on a card that is wanted earlier, for each step of the difference."""
FRESHLY_BURIED = 3.6
"""The same in addition, where nothing above that card was in its way until now."""
ROOM = 0.28
"""The price of a pile that takes fewer cards without harm than before, for each step lost."""
EMPTY = -0.44
"""An empty pile is there to be used."""


WHIM = 0.5
"""How much dearer a pile may seem to a bot with a mind of its own; two of them do not play alike."""


CARELESS = 40.0
"""The same for a bot that plays badly."""


def normal(board: SirTommyBoard, whim: Random | None = None) -> Move | None:
    """The bot's move on a board; None when nothing is left that is of use, and it stands.

    Without a `whim` it is the same move every time.
    """
    return _chosen(board, whim, WHIM)


def easy(board: SirTommyBoard, whim: Random | None = None) -> Move | None:
    """The same by a bot that takes what fits, and does not look closely where it puts the rest."""
    return _chosen(board, whim or Random(board.turned), CARELESS)


def _chosen(board: SirTommyBoard, whim: Random | None, most: float) -> Move | None:
    moves = board.legal_moves()
    up = [move for move in moves if move.target.area is Area.FOUNDATION]
    if up:
        return max(up, key=lambda move: _relief(board, move))
    if board.hand is not None:
        return _placed(board, board.hand, whim, most)
    if TURN in moves:
        return TURN
    return _dug(board) or (REDEAL if REDEAL in moves else None)


def _placed(board: SirTommyBoard, card: Card, whim: Random | None, most: float) -> Move:
    """The card in hand goes where it costs least, the leftmost of equal piles."""
    wanted = _wanted(board)
    costs = [_cost(wanted[rank(card)], [wanted[rank(below)] for below in cards]) for cards in board.piles]
    if whim is not None:
        costs = [cost + whim.uniform(0, most) for cost in costs]
    return Move(HAND, pile(costs.index(min(costs)) + 1))


def _relief(board: SirTommyBoard, move: Move) -> float:
    """What a card has cost where it lies: of several that fit, the one that lies worst goes first."""
    if move.source == HAND:
        return 0.0
    wanted = _wanted(board)
    *below, top = [wanted[rank(card)] for card in board.piles[move.source.number - 1]]
    return _cost(top, below)


def _cost(card: int, below: Sequence[int]) -> float:
    """The price of a card on a pile; cards are given by when they are wanted."""
    if not below:
        return EMPTY + ROOM * (KING - card)
    cost, covered_by = 0.0, 0
    for other in reversed(below):
        if other < card:
            cost += (card - other) * (BURIED + FRESHLY_BURIED * (covered_by <= other))
        covered_by = max(covered_by, other)
    return cost + ROOM * max(0, min(below) - card)


def _wanted(board: SirTommyBoard) -> dict[int, int]:
    """For each rank when it is wanted: its place in the sequence of the foundation that will take it soonest."""
    wanted: dict[int, int] = {}
    for cards, sequence in zip(board.foundations, board.rules.sequences, strict=True):
        for step in range(len(cards), len(sequence)):
            wanted[sequence[step]] = min(step, wanted.get(sequence[step], step))
    return wanted


def _dug(board: SirTommyBoard) -> Move | None:
    """Where piles may move to piles: lift the top card off the pile that soonest gives a card for a foundation.

    Every such move brings that card nearer, so the bot does not go round in circles.
    """
    if not board.rules.pile_to_pile:
        return None
    depths = {}
    for number, cards in enumerate(board.piles, start=1):
        for depth, card in enumerate(reversed(cards)):
            if board.fitting(card):
                depths[number] = depth
                break
    if not depths:
        return None
    source = min(depths, key=lambda number: depths[number])
    wanted = _wanted(board)
    top, costs = wanted[rank(board.piles[source - 1][-1])], {}
    for number, cards in enumerate(board.piles, start=1):
        if number != source:
            costs[number] = _cost(top, [wanted[rank(card)] for card in cards])
    return Move(pile(source), pile(min(costs, key=lambda number: costs[number])))

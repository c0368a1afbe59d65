"""How moves are named: the shortest word for each, the cards it is about, and the rule that an illegal one breaks."""

from collections.abc import Hashable, Sequence
from functools import singledispatch

from client_cli.answers import Illegal, MoveChoice
from engine.board import Board
from engine.cards import Card, card_text
from engine.errors import IllegalMove
from engine.forty_thieves import FortyThievesBoard
from engine.moves import HAND, TURN, WASTE, Area, Move, Place
from engine.sir_tommy import SirTommyBoard

# What differs between the families


@singledispatch
def heap(board: Board, _place: Place) -> Sequence[Card] | None:
    """The cards at a place, the one that may be taken last; None where the board has no such place."""
    raise TypeError(type(board))


@heap.register
def _(board: SirTommyBoard, place: Place) -> Sequence[Card] | None:
    hand = [] if board.hand is None else [board.hand]
    return _numbered({Area.HAND: [hand], Area.PILE: board.piles, Area.FOUNDATION: board.foundations}, place)


@heap.register
def _(board: FortyThievesBoard, place: Place) -> Sequence[Card] | None:
    heaps = {Area.WASTE: [board.waste], Area.COLUMN: board.columns, Area.FOUNDATION: board.foundations}
    return _numbered(heaps, place)


def _numbered(heaps: dict[Area, list[list[Card]]], place: Place) -> Sequence[Card] | None:
    """Of the heaps in an area the one with the place's number; where there is but one, it has none."""
    there, at = heaps.get(place.area, []), max(place.number, 1) - 1
    return there[at] if at < len(there) else None


@singledispatch
def kind(board: Board, _move: Move) -> Hashable:
    """What is equal for legal moves that make no difference."""
    raise TypeError(type(board))


@kind.register
def _(board: SirTommyBoard, move: Move) -> Hashable:
    """Foundations with equal sequences, equally high, are equally good."""
    if move.target.area is not Area.FOUNDATION:
        return move
    at = move.target.number - 1
    return move.source, board.rules.sequences[at], len(board.foundations[at])


@kind.register
def _(board: FortyThievesBoard, move: Move) -> Hashable:
    """The two foundations of a suit are equally good for a card that fits both, and so are empty columns."""
    return (
        move
        if heap(board, move.target) and move.target.area is Area.COLUMN
        else (
            move.source,
            move.target.area,
            move.cards,
        )
    )


@singledispatch
def typed_form(board: Board, _move: Move) -> str:
    """The shortest word for a legal move."""
    raise TypeError(type(board))


@typed_form.register
def _(board: SirTommyBoard, move: Move) -> str:
    if move.source.area not in (Area.HAND, Area.PILE):
        return str(move)
    source = str(move.source.number or "")
    if move.target.area is Area.PILE:
        return f"{source}{move.target.number}"
    if [kind[0] for kind in alike(board, to_foundations(board, move.source))] == [move]:
        return f"{source}f"
    return f"{source}f{move.target.number}"


@typed_form.register
def _(board: FortyThievesBoard, move: Move) -> str:
    if move == TURN:
        return str(move)
    source = "w" if move.source == WASTE else str(move.source.number)
    if move.target.area is Area.FOUNDATION:
        return f"{source}f" if move == to_foundations(board, move.source)[0] else str(move)
    if move.source == WASTE:
        return f"{source}{move.target.number}"
    size = f"x{move.cards}" if len(between(board, move.source, move.target)) > 1 else ""
    return f"{source}-{move.target.number}{size}"


# What they share


def to_foundations(board: Board, source: Place) -> list[Move]:
    """The legal moves from a place to foundations."""
    return [move for move in board.legal_moves() if move.source == source and move.target.area is Area.FOUNDATION]


def between(board: Board, source: Place, target: Place) -> list[Move]:
    """The legal moves from a place to another: several, where they move more cards or fewer."""
    return [move for move in board.legal_moves() if (move.source, move.target) == (source, target)]


def alike(board: Board, moves: Sequence[Move]) -> list[list[Move]]:
    """Legal moves, those together that make no difference."""
    kinds: dict[Hashable, list[Move]] = {}
    for move in moves:
        kinds.setdefault(kind(board, move), []).append(move)
    return list(kinds.values())


def choices(board: Board) -> list[MoveChoice]:
    """The legal moves, of those that make no difference one."""
    return [choice(board, moves[0]) for moves in alike(board, board.legal_moves())]


def choice(board: Board, move: Move) -> MoveChoice:
    """A legal move, with its word and the cards it is about."""
    return MoveChoice(typed_form(board, move), str(move), card_at(board, move.source, move.cards), _onto(board, move))


def card_at(board: Board, place: Place, depth: int = 1) -> str | None:
    """The card so deep at a place, as text; None where there is none."""
    cards = heap(board, place) or ()
    return card_text(cards[-depth]) if depth <= len(cards) else None


def _onto(board: Board, move: Move) -> str | None:
    """The card that a move would cover, foundations left out: what lies there is told by what fits."""
    return None if move.target.area is Area.FOUNDATION else card_at(board, move.target)


def illegal(word: str, move: Move, board: Board, *, anywhere: bool = False) -> Illegal:
    """Which rule an illegal move breaks; `anywhere` when the word named no target."""
    try:
        board.apply(move)
    except IllegalMove as error:
        code = error.code
    else:
        raise AssertionError(f"{move} is legal")
    nowhere = code == "no-such-place" and heap(board, move.source) is None
    return Illegal(
        word=word,
        code=code,
        card=card_at(board, move.source, move.cards),
        hand=card_at(board, HAND),
        source=str(move.source) or None,
        target=None if anywhere or nowhere else str(move.target) or None,
        onto=_onto(board, move),
        cards=move.cards,
    )

"""From places to moves: first where a card comes from, then where it goes.

A place is named by a key or a click, and both mean the same. What a move is called, whether it is legal and what is
wrong with it, is settled where typed words are: `words.take_move`.
"""

from collections.abc import Iterator

from client_cli.announcements import Announcement
from client_cli.answers import Ambiguous
from client_cli.foresight import unseen
from client_cli.naming import alike, heap, to_foundations
from client_cli.words import WordError, take_move
from engine.board import Board, Status
from engine.games import Rules
from engine.moves import HAND, REDEAL, TURN, WASTE, Area, Move, Place, column, parse_move, pile


class Picking:
    """What has been picked so far in a game with these rules."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._moves_across = getattr(rules, "pile_to_pile", True)
        """Whether a card may go from one pile or column to another; else all a pile's card can do is go up."""
        self.source: Place | None = None
        self.asked: list[Move] = []
        """The moves that were meant, when a number has to say which."""
        self.problem: Announcement | None = None

    def cancel(self) -> None:
        """Forget what was picked."""
        self.source, self.asked, self.problem = None, [], None

    def number(self, board: Board, number: int) -> Move | None:
        """A number was pressed: a pile or column, or which one of the moves in question."""
        if self.asked:
            return self._answer(number)
        place = numbered(board, number)
        return None if place is None else self.place(board, place)

    def place(self, board: Board, place: Place) -> Move | None:
        """A place was named. Returns the move that this makes, if it makes one."""
        self.asked, self.problem = [], None
        if place.area is Area.STOCK:
            return self.turn(board)
        if place.area is Area.FOUNDATION:
            return self.up(board, place)
        source = HAND if heap(board, HAND) else self.source
        if source is None and (place.area is Area.HAND or (self._moves_across and heap(board, place))):
            self.source = place if heap(board, place) else None
            return None
        self.source = None
        if source is None or place == source:
            return self._said(_upward(place), board)
        return self._said(_across(source, place), board)

    def up(self, board: Board, to: Place | None = None) -> Move | None:
        """A foundation was named: for the card in hand, else for what was picked, else for the card turned last."""
        self.asked, self.problem = [], None
        source = HAND if heap(board, HAND) else self.source or (WASTE if heap(board, WASTE) is not None else None)
        self.source = None
        if source is None:
            fits = {move.source for move in board.legal_moves() if move.target.area is Area.FOUNDATION}
            source = fits.pop() if len(fits) == 1 else HAND
        numbered = to is not None and heap(board, WASTE) is None
        return self._said(_upward(source) + (str(to.number) if to is not None and numbered else ""), board)

    def turn(self, board: Board) -> Move | None:
        """The next card, or the redeal when that is what is left."""
        self.cancel()
        return self._said(str(REDEAL if REDEAL in board.legal_moves() else TURN), board)

    def targets(self, board: Board) -> frozenset[Place]:
        """Where the card in hand, or the one picked, may go."""
        source = HAND if heap(board, HAND) else self.source
        if self.asked or source is None or unseen(board):
            return frozenset()
        legal = {move.target for move in board.legal_moves() if move.source == source}
        piles = {place for place in legal if place.area is Area.PILE}
        return frozenset(legal - piles if source == HAND else legal)

    def _said(self, word: str, board: Board) -> Move | None:
        try:
            return take_move([word], board, self._rules)
        except WordError as error:
            self.problem = error.problem
            if isinstance(error.problem, Ambiguous):
                self.asked = [parse_move(choice.move) for choice in error.problem.choices]
            return None

    def _answer(self, number: int) -> Move | None:
        """Which of the moves in question: so many cards, or to the foundation with this number."""
        asked, self.asked, self.problem = self.asked, [], None
        sizes = len({move.cards for move in asked}) > 1
        return next((move for move in asked if number == (move.cards if sizes else move.target.number)), None)


def numbered(board: Board, number: int) -> Place | None:
    """The pile or column with this number, if the board has it."""
    return next((place for place in (pile(number), column(number)) if heap(board, place) is not None), None)


def _upward(source: Place) -> str:
    """The word that sends a card to its foundation."""
    return {HAND: "", WASTE: "w"}.get(source, str(source.number or "")) + "f"


def _across(source: Place, target: Place) -> str:
    """The word that takes a card to another pile or column: without a number of cards, where it could have one."""
    if source.area is Area.COLUMN and target.area is Area.COLUMN:
        return f"{source.number}-{target.number}"
    return f"{source}{target}"


def all_up(board: Board) -> Iterator[Move]:
    """Move after move that sends a card to a foundation, until none fits. The board is changed on the way."""
    board.settle(Status.PLAYING)
    while ups := [move for move in board.legal_moves() if move.target.area is Area.FOUNDATION]:
        board.retrace(str(ups[0]))
        board.settle(Status.PLAYING)
        yield ups[0]


def keyed(move: Move, board: Board, rules: Rules) -> list[str]:
    """The actions that make a legal move, by their names in the table of keys."""
    if move in (TURN, REDEAL):
        return ["turn"]
    across = getattr(rules, "pile_to_pile", True)
    source = {HAND: [], WASTE: ["waste"]}.get(move.source, [f"pick-{move.source.number}"])
    if move.target.area is not Area.FOUNDATION:
        several = {each.cards for each in board.legal_moves() if (each.source, each.target) == move[:2]}
        return [*source, f"pick-{move.target.number}", *([f"pick-{move.cards}"] if len(several) > 1 else [])]
    several_foundations = alike(board, to_foundations(board, move.source))
    which = [f"pick-{move.target.number}"] if len(several_foundations) > 1 else []
    by_itself = move.source.area is Area.PILE and not across
    return [*source, *([] if by_itself else ["foundation"]), *which]

"""A board as a client has seen it."""

from msgspec.structs import replace

from engine.board import Board
from engine.cards import UNKNOWN, parse_card
from engine.deal import Deal
from engine.forty_thieves import FortyThievesView
from engine.games import Variant, View
from engine.moves import TURN
from engine.sir_tommy import SirTommyView
from protocol.messages import BoardState, Moved


class Mirror:
    """A board as this client has seen it: what the server showed of it, and every entry since."""

    def __init__(self, chosen: Variant, shown: BoardState) -> None:
        """Raises `EngineError` or `TypeError` for what is no board of this game."""
        self.board: Board = chosen.board_from(shown.view)
        if _shape(self.board.view()) != _shape(chosen.board(Deal((), ())).view()):
            raise TypeError("this board has not the places of this game")
        self.board.settle(shown.status)
        self.n = shown.n
        self.status = shown.status
        self.count = shown.count
        self.entries: list[Moved] | None = [] if shown.n == 0 else None
        """All entries, when this client has seen them all."""

    def enter(self, moved: Moved) -> None:
        """Take the next entry. Raises `EngineError` when the rules do not allow it."""
        card = UNKNOWN if moved.card is None else parse_card(moved.card)
        if moved.move == str(TURN):
            self.board.learn(moved.card)  # whatever was shown as the next card before
        self.board.retrace(moved.move, card)
        self.board.learn(moved.peek)
        self.board.settle(moved.status)
        self.n, self.status, self.count = moved.n, moved.status, moved.count
        if self.entries is not None:
            self.entries.append(moved)

    def shows(self, shown: BoardState, *, own: bool) -> bool:
        """Whether the server shows this board as it is here, after the same entry."""
        view = self.board.view() if own else self.board.view_of_others()
        shown_view = shown.view if own else _without_peek(shown.view)
        return (shown.n, shown.status, shown.count, shown_view) == (self.n, self.status, self.count, view)


def _shape(view: View) -> tuple[int, int]:
    """How many places a view has: foundations, and piles or columns."""
    heaps = view.piles if isinstance(view, SirTommyView) else view.columns
    return len(view.foundations), len(heaps)


def _without_peek(view: View) -> View:
    """A view as others see it."""
    return replace(view, peek=None) if isinstance(view, FortyThievesView) else view

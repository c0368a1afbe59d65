"""One's own board as it will be once the server has answered: so a move is on the screen when its key is pressed.

Nothing is kept here. A move that is refused is no longer among the unanswered ones, and so is taken back by itself.
"""

from client_cli.naming import card_at
from client_cli.race import Race
from engine.board import Board, Status
from engine.cards import UNKNOWN, card_text
from engine.errors import EngineError
from engine.moves import HAND, WASTE


def foreseen(race: Race) -> Board | None:
    """The board with every unanswered entry made; a card turned and not yet told lies face down on it."""
    own = race.own
    if own is None:
        return None
    if not race.unanswered:
        return own.board
    board = race.variant.board_from(own.board.view())
    for _, entry in sorted(race.unanswered.items()):
        try:
            board.retrace(entry)
        except EngineError:
            break
    board.settle(Status.PLAYING)  # until the server says something else
    return board


def unseen(board: Board) -> bool:
    """Whether the card turned last has not been told yet, so that nobody can say what to do with it."""
    return card_text(UNKNOWN) in (card_at(board, HAND), card_at(board, WASTE))

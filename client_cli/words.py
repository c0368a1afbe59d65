"""What a player can type: one table, which is both what the words do and the help about them.

Three things can be wrong with a word, and they are told apart: it is none (`Unparsable`), it is a move that the rules
do not allow now (`Illegal`), or it could be one of several moves that differ (`Ambiguous`).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from functools import partial

from client_cli.announcements import Announcement
from client_cli.answers import Ambiguous, Illegal, MoveChoice, Unparsable, WordHelp
from client_cli.language import say
from engine.cards import card_text
from engine.errors import IllegalMove
from engine.moves import HAND, REDEAL, TURN, Area, Move, Place, foundation, parse_move, pile
from engine.sir_tommy import SirTommyBoard, SirTommyRules


class Command(StrEnum):
    """A word that is not a move."""

    READY = "ready"
    MOVES = "?"
    BOARD = "b"
    RIVAL = "rival"
    TIME = "time"
    STAND = "done"
    RESIGN = "resign"
    AGAIN = "again"
    HELP = "help"
    QUIT = "quit"


class Stage(Enum):
    """When a word has its time."""

    BEFORE = auto()
    RACE = auto()
    AFTER = auto()
    ANY = auto()


class WordError(Exception):
    """A word that cannot be carried out, and what to say about it."""

    def __init__(self, problem: Unparsable | Illegal | Ambiguous) -> None:
        super().__init__(problem)
        self.problem: Announcement = problem


Reader = Callable[["Typed"], Move]


@dataclass(frozen=True)
class Word:
    """A row of the table. `read` makes a move of it; a row without is a command."""

    form: str
    pattern: re.Pattern[str]
    meaning: str
    stage: Stage
    read: Reader | None = None
    command: Command | None = None
    needs: str = ""
    """The rule without which the game has no such move."""
    spectator: bool = False
    """Whether it is for spectators too."""

    def belongs_to(self, rules: SirTommyRules) -> bool:
        """Whether the word means something in this game."""
        return not self.needs or bool(getattr(rules, self.needs))


@dataclass
class Typed:
    """A word as it was typed, its numbers, what follows it on the line, and the board it is typed for."""

    word: str
    numbers: list[int]
    rest: list[str]
    board: SirTommyBoard


def _to_pile(typed: Typed) -> Move:
    """2: the card in hand; with an empty hand and a second number, pile to pile."""
    (number,) = typed.numbers
    between = typed.board.hand is None and typed.board.rules.pile_to_pile
    if between and typed.rest and re.fullmatch("[1-9]", typed.rest[0], re.ASCII):
        return Move(pile(number), pile(int(typed.rest.pop(0))))
    return Move(HAND, pile(number))


def _pile_to_pile(typed: Typed) -> Move:
    source, target = typed.numbers
    return Move(pile(source), pile(target))


def _to_foundation(typed: Typed, source: Area) -> Move:
    """f, 3f: the foundation that takes the card, if it makes no difference which."""
    board = typed.board
    place = HAND if source is Area.HAND else pile(typed.numbers[0])
    fits = [kind[0] for kind in alike(board, place)]
    if not fits:
        raise WordError(_illegal(typed.word, Move(place, foundation(1)), board, anywhere=True))
    if len(fits) > 1:
        card = _top(board, place) or ""
        raise WordError(Ambiguous(word=typed.word, card=card, choices=[_choice(move, board) for move in fits]))
    return fits[0]


def _named_foundation(typed: Typed, source: Area) -> Move:
    *number, target = typed.numbers
    return Move(HAND if source is Area.HAND else pile(number[0]), foundation(target))


def _notation(typed: Typed) -> Move:
    return parse_move(typed.word)


def _always(move: Move) -> Reader:
    return lambda _typed: move


def _move(form: str, pattern: str, meaning: str, read: Reader, needs: str = "") -> Word:
    return Word(form, re.compile(pattern, re.ASCII), meaning, Stage.RACE, read, needs=needs)


def _command(command: Command, others: str, meaning: str, stage: Stage, *, spectator: bool = False) -> Word:
    names = (command.value, *others.split())
    pattern = re.compile("|".join(map(re.escape, names)), re.ASCII)
    return Word(", ".join(names), pattern, meaning, stage, command=command, spectator=spectator)


TABLE: tuple[Word, ...] = (
    _move("t", "t|turn", say("turn the next card"), _always(TURN)),
    _move("2", "[1-9]", say("card in hand to pile 2"), _to_pile),
    _move("f", "f", say("card in hand to a foundation"), partial(_to_foundation, source=Area.HAND)),
    _move("3f", "[1-9]f", say("top card of pile 3 to a foundation"), partial(_to_foundation, source=Area.PILE)),
    _move("f2", "f[1-9]", say("... to foundation 2, where it matters"), partial(_named_foundation, source=Area.HAND)),
    _move("3f2", "[1-9]f[1-9]", say("... from pile 3 to foundation 2"), partial(_named_foundation, source=Area.PILE)),
    _move("12", "[1-9][1-9]", say("top card of pile 1 to pile 2, also 1 2"), _pile_to_pile, "pile_to_pile"),
    _move("r", "r|redeal", say("redeal: gather the piles into a new stock"), _always(REDEAL), "redeals"),
    _move("hp2", "h[pf][1-9]|p[1-9][pf][1-9]", say("any move in full, as in a record"), _notation),
    _command(Command.MOVES, "moves", say("the moves you can make now"), Stage.RACE),
    _command(Command.BOARD, "board", say("the whole board"), Stage.RACE, spectator=True),
    _command(Command.RIVAL, "", say("how the other player comes along"), Stage.RACE),
    _command(Command.TIME, "", say("what is left on the clock"), Stage.ANY, spectator=True),
    _command(Command.STAND, "stand", say("stop here: your count stands"), Stage.RACE),
    _command(Command.RESIGN, "", say("give the match up: the other player wins"), Stage.RACE),
    _command(Command.READY, "", say("be ready to race; Enter does the same"), Stage.BEFORE),
    _command(Command.AGAIN, "rematch", say("ask for a rematch"), Stage.AFTER),
    _command(Command.HELP, "h", say("these words"), Stage.ANY, spectator=True),
    _command(Command.QUIT, "q", say("leave"), Stage.ANY, spectator=True),
)


def find(word: str, *, spectator: bool = False) -> Word:
    """The row that a word belongs to. Raises `WordError`."""
    for row in TABLE:
        if row.pattern.fullmatch(word.lower()) and (row.spectator or not spectator):
            return row
    raise WordError(Unparsable(word=word))


def helped(rules: SirTommyRules, *, spectator: bool = False) -> list[WordHelp]:
    """The words of a game and what they do."""
    rows = [row for row in TABLE if row.belongs_to(rules) and (row.spectator or not spectator)]
    return [WordHelp(row.form, row.meaning) for row in rows]


def take_move(words: list[str], board: SirTommyBoard) -> Move:
    """The move that the next of the words mean, which are taken off. Raises `WordError` unless it is legal."""
    word = words.pop(0).lower()
    row = find(word)
    assert row.read is not None
    typed = Typed(word, [int(digit) for digit in word if digit.isdigit()], words, board)
    move = row.read(typed)
    _check(word, move, board)
    return move


def typed_form(move: Move, board: SirTommyBoard) -> str:
    """The shortest word for a legal move."""
    if move.source.area not in (Area.HAND, Area.PILE):
        return str(move)
    source = str(move.source.number or "")
    if move.target.area is Area.PILE:
        return f"{source}{move.target.number}"
    kinds = alike(board, move.source)
    if len(kinds) == 1 and move == kinds[0][0]:
        return f"{source}f"
    return f"{source}f{move.target.number}"


def choices(board: SirTommyBoard) -> list[MoveChoice]:
    """The legal moves, of those that make no difference one."""
    moves = board.legal_moves()
    shadowed = {
        move for source in {move.source for move in moves} for kind in alike(board, source) for move in kind[1:]
    }
    return [_choice(move, board) for move in moves if move not in shadowed]


def alike(board: SirTommyBoard, source: Place) -> list[list[Move]]:
    """The moves from a place to foundations, those together that make no difference: equal sequences, equally high."""
    kinds: dict[tuple[tuple[int, ...], int], list[Move]] = {}
    for move in board.legal_moves():
        if move.source == source and move.target.area is Area.FOUNDATION:
            at = move.target.number - 1
            kinds.setdefault((board.rules.sequences[at], len(board.foundations[at])), []).append(move)
    return list(kinds.values())


def _choice(move: Move, board: SirTommyBoard) -> MoveChoice:
    return MoveChoice(typed_form(move, board), str(move), _top(board, move.source), _top(board, move.target))


def _top(board: SirTommyBoard, place: Place) -> str | None:
    """The card that can be taken from a place, as text; None where there is none."""
    if place == HAND:
        return None if board.hand is None else card_text(board.hand)
    on_board = place.area is Area.PILE and place.number <= len(board.piles)
    heap = board.piles[place.number - 1] if on_board else []
    return card_text(heap[-1]) if heap else None


def _check(word: str, move: Move, board: SirTommyBoard) -> None:
    """Refuse a move that the rules do not allow."""
    if move not in board.legal_moves():
        raise WordError(_illegal(word, move, board))


def _illegal(word: str, move: Move, board: SirTommyBoard, *, anywhere: bool = False) -> Illegal:
    """Which rule an illegal move breaks; `anywhere` when the word named no target."""
    try:
        board.apply(move)
    except IllegalMove as error:
        code = error.code
    else:
        raise AssertionError(f"{move} is legal")
    return Illegal(
        word=word,
        code=code,
        card=_top(board, move.source),
        hand=_top(board, HAND),
        source=str(move.source) or None,
        target=None if anywhere else str(move.target) or None,
    )

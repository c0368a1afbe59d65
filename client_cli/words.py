"""What a player can type: one table, which is both what the words do and the help about them.

A row belongs to every game, or to one family of games; so the same word can mean one thing here and another there.

Four things can be wrong with a word, and they are told apart: it is none (`Unparsable`), it is half a move
(`Incomplete`), it is a move that the rules do not allow now (`Illegal`), or it could be one of several moves that differ
(`Ambiguous`).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from functools import partial

from client_cli.announcements import Announcement
from client_cli.answers import Ambiguous, Illegal, Incomplete, Unparsable, WordHelp
from client_cli.language import say
from client_cli.naming import alike, between, card_at, choice, heap, illegal, to_foundations
from engine.board import Board
from engine.forty_thieves import FortyThievesBoard, FortyThievesRules
from engine.games import Rules
from engine.moves import HAND, REDEAL, TURN, WASTE, Area, Move, Place, column, foundation, parse_move, pile
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

    def __init__(self, problem: Unparsable | Incomplete | Illegal | Ambiguous) -> None:
        super().__init__(problem)
        self.problem: Announcement = problem


Reader = Callable[["Typed"], Move]
Family = type[SirTommyRules] | type[FortyThievesRules]

NUMBER = "(1[0-3]|[1-9])"
"""A column, or a number of cards."""


@dataclass(frozen=True)
class Word:
    """A row of the table. `read` makes a move of it; a row without is a command.

    The groups of the pattern are the numbers in the word.
    """

    form: str
    pattern: re.Pattern[str]
    meaning: str
    stage: Stage
    read: Reader | None = None
    command: Command | None = None
    family: Family | None = None
    """The family whose games know the word; without one all do."""
    needs: tuple[str, ...] = ()
    """The rules without which the game has no such move: one of them is enough."""
    spectator: bool = False
    """Whether it is for spectators too."""

    def is_known_in(self, rules: Rules | None) -> bool:
        """Whether the word is one of this game's family."""
        return self.family is None or isinstance(rules, self.family)

    def belongs_to(self, rules: Rules) -> bool:
        """Whether the word means something in this game."""
        return self.is_known_in(rules) and (not self.needs or any(getattr(rules, need) for need in self.needs))


@dataclass
class Typed:
    """A word as it was typed, its numbers, what follows it on the line, and the board it is typed for."""

    word: str
    numbers: list[int]
    rest: list[str]
    board: Board

    def follows(self, pattern: str) -> re.Match[str] | None:
        """Take the next word of the line, if it is such a one."""
        found = re.fullmatch(pattern, self.rest[0].lower(), re.ASCII) if self.rest else None
        if found:
            self.word += " " + self.rest.pop(0).lower()
        return found


# The Sir Tommy family


def _to_pile(typed: Typed) -> Move:
    """2: the card in hand; with an empty hand and a second number, pile to pile."""
    board = typed.board
    assert isinstance(board, SirTommyBoard)
    (number,) = typed.numbers
    if board.hand is None and board.rules.pile_to_pile and (second := typed.follows("[1-9]")):
        return Move(pile(number), pile(int(second[0])))
    return Move(HAND, pile(number))


def _pile_to_pile(typed: Typed) -> Move:
    source, target = typed.numbers
    return Move(pile(source), pile(target))


def _named_foundation(typed: Typed, source: Area) -> Move:
    *number, target = typed.numbers
    return Move(HAND if source is Area.HAND else pile(number[0]), foundation(target))


# The Forty Thieves family


def _from_waste(typed: Typed) -> Move:
    """w5, w 5, w f."""
    if not typed.numbers and typed.follows("f"):
        return _to_foundation(typed, Area.WASTE)
    return Move(WASTE, column(_target(typed)))


def _from_column(typed: Typed) -> Move:
    """4-7, 4 7, 4 7 x3, 4 f: without a size as many cards as fit, if that is one number only."""
    number, *_ = typed.numbers
    if len(typed.numbers) == 1 and typed.follows("f"):
        return _to_foundation(typed, Area.COLUMN)
    source, target = column(number), column(_target(typed, typed.numbers[1:]))
    if size := typed.follows("x" + NUMBER):
        return Move(source, target, int(size[1]))
    fits = between(typed.board, source, target)
    if len(fits) > 1:
        raise WordError(_ambiguous(typed, source, fits))
    return fits[0] if fits else Move(source, target, _size(typed.board, source, target))


def _target(typed: Typed, given: list[int] | None = None) -> int:
    """The column that the word names, or else the next one on the line."""
    numbers = typed.numbers if given is None else given
    if numbers:
        return numbers[0]
    following = typed.follows(NUMBER)
    if following is None:
        raise WordError(Incomplete(word=typed.word))
    return int(following[1])


def _size(board: Board, source: Place, target: Place) -> int:
    """How many cards must have been meant that may not move: those down to the one that the target would take."""
    assert isinstance(board, FortyThievesBoard)
    cards, on = heap(board, source) or (), heap(board, target) or ()
    sizes = range(1, board.rules.sequence(cards) + 1)
    return next((size for size in sizes if on and board.rules.builds(cards[-size], on[-1])), 1)


def _sized(typed: Typed) -> Move:
    source, target, size = typed.numbers
    return Move(column(source), column(target), size)


# Both


def _to_foundation(typed: Typed, source: Area) -> Move:
    """f, 3f, wf: the foundation that takes the card, if it makes no difference which."""
    board, place = typed.board, Place(source, typed.numbers[0] if typed.numbers else 0)
    fits = [moves[0] for moves in alike(board, to_foundations(board, place))]
    if not fits:
        raise WordError(illegal(typed.word, Move(place, foundation(1)), board, anywhere=True))
    if len(fits) > 1:
        raise WordError(_ambiguous(typed, place, fits))
    return fits[0]


def _ambiguous(typed: Typed, source: Place, moves: list[Move]) -> Ambiguous:
    board = typed.board
    card = card_at(board, source) or ""
    return Ambiguous(word=typed.word, card=card, choices=[choice(board, move) for move in moves])


def _notation(typed: Typed) -> Move:
    return parse_move(typed.word)


def _always(move: Move) -> Reader:
    return lambda _typed: move


def _move(
    form: str, pattern: str, meaning: str, read: Reader, family: Family | None = None, needs: tuple[str, ...] = ()
) -> Word:
    return Word(form, re.compile(pattern, re.ASCII), meaning, Stage.RACE, read, family=family, needs=needs)


_sir_tommy = partial(_move, family=SirTommyRules)
_forty_thieves = partial(_move, family=FortyThievesRules)


def _command(command: Command, others: str, meaning: str, stage: Stage, *, spectator: bool = False) -> Word:
    names = (command.value, *others.split())
    pattern = re.compile("|".join(map(re.escape, names)), re.ASCII)
    return Word(", ".join(names), pattern, meaning, stage, command=command, spectator=spectator)


_C, _F, _X = "c(?:1[0-3]|[1-9])", "f[1-9]", "x(?:1[0-3]|[2-9])"
_IN_FULL = f"w(?:{_C}|{_F})|{_C}(?:{_F}|{_C}(?:{_X})?)"

TABLE: tuple[Word, ...] = (
    _move("t", "t|turn", say("turn the next card"), _always(TURN)),
    _sir_tommy("2", "([1-9])", say("card in hand to pile 2"), _to_pile),
    _sir_tommy("f", "f", say("card in hand to a foundation"), partial(_to_foundation, source=Area.HAND)),
    _sir_tommy("3f", "([1-9])f", say("top card of pile 3 to a foundation"), partial(_to_foundation, source=Area.PILE)),
    _sir_tommy(
        "f2", "f([1-9])", say("... to foundation 2, where it matters"), partial(_named_foundation, source=Area.HAND)
    ),
    _sir_tommy(
        "3f2",
        "([1-9])f([1-9])",
        say("... from pile 3 to foundation 2"),
        partial(_named_foundation, source=Area.PILE),
    ),
    _sir_tommy(
        "12", "([1-9])([1-9])", say("top card of pile 1 to pile 2, also 1 2"), _pile_to_pile, needs=("pile_to_pile",)
    ),
    _sir_tommy("r", "r|redeal", say("redeal: gather the piles into a new stock"), _always(REDEAL), needs=("redeals",)),
    _sir_tommy("hp2", "h[pf][1-9]|p[1-9][pf][1-9]", say("any move in full, as in a record"), _notation),
    _forty_thieves("w5", f"w{NUMBER}?", say("top card of the waste to column 5, also w 5"), _from_waste),
    _forty_thieves(
        "wf", "wf", say("top card of the waste to its foundation"), partial(_to_foundation, source=Area.WASTE)
    ),
    _forty_thieves(
        "4f", f"{NUMBER}f", say("last card of column 4 to its foundation"), partial(_to_foundation, source=Area.COLUMN)
    ),
    _forty_thieves("4-7", f"{NUMBER}(?:-{NUMBER})?", say("column 4 to column 7, also 4 7"), _from_column),
    _forty_thieves(
        "4-7x3",
        f"{NUMBER}-{NUMBER}x{NUMBER}",
        say("... three cards at once, also 4 7 x3"),
        _sized,
        needs=("groups", "whole_sequences"),
    ),
    _forty_thieves("wc5", _IN_FULL, say("any move in full, as in a record"), _notation),
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


def find(word: str, rules: Rules | None = None, *, spectator: bool = False) -> Word:
    """The row that a word belongs to in a game. Raises `WordError`."""
    for row in TABLE:
        known = row.spectator if spectator else row.is_known_in(rules)
        if known and row.pattern.fullmatch(word.lower()):
            return row
    raise WordError(Unparsable(word=word))


def helped(rules: Rules, *, spectator: bool = False) -> list[WordHelp]:
    """The words of a game and what they do."""
    rows = [row for row in TABLE if row.belongs_to(rules) and (row.spectator or not spectator)]
    return [WordHelp(row.form, row.meaning) for row in rows]


def take_move(words: list[str], board: Board, rules: Rules) -> Move:
    """The move that the next of the words mean, which are taken off. Raises `WordError` unless it is legal."""
    word = words.pop(0).lower()
    row = find(word, rules)
    found = row.pattern.fullmatch(word)
    assert row.read is not None
    assert found is not None
    typed = Typed(word, [int(number) for number in found.groups() if number], words, board)
    move = row.read(typed)
    if move not in board.legal_moves():
        raise WordError(illegal(typed.word, move, board))
    return move

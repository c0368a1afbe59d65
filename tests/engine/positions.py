"""Deals, boards of the Sir Tommy family and ways to play them, for the tests of the engine."""

import ast
import hashlib
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from hypothesis import strategies as st

import engine
from engine.board import Board
from engine.cards import Card, card_text, parse_card, rank
from engine.deal import Deal, deal
from engine.errors import IllegalMove
from engine.games import CATALOGUE, variant
from engine.moves import Area, Move
from engine.sir_tommy import SirTommyBoard, SirTommyRules

SIR_TOMMY = [name for name, game in CATALOGUE.items() if isinstance(game.rules, SirTommyRules)]
SPELLINGS = [name + option for name in SIR_TOMMY for option in ("", "+redeal")]
"""Every game of the family with every option."""

NOTATION = [
    "t",
    "r",
    *(
        source + area + target
        for source in ("h", *(f"p{number}" for number in range(1, 10)))
        for area in "pf"
        for target in "123456789"
    ),
]
"""Every text that is a move in the family, legal or not."""

spellings = st.sampled_from(SPELLINGS)
seeds = st.integers(0, 2**32 - 1)
choices = st.builds(
    lambda habit, length: (habit * length)[:length], st.binary(min_size=1, max_size=40), st.integers(0, 300)
)
"""A way to play: a byte for each move (see `chosen`), long enough for a whole game as often as not."""


def dealt(spelling: str, seed: int) -> Deal:
    """A deal of the game, another one for each seed."""
    secret = hashlib.sha256(str(seed).encode()).digest()
    return deal(variant(spelling).cards, secret, (secret[:16], secret[16:]), "test")


def stacked(spelling: str, top: str = "", second: str = "") -> Deal:
    """A deal whose shuffles begin with the cards named; the others follow in the order of the deck."""

    def order(texts: str) -> tuple[Card, ...]:
        named = [parse_card(text) for text in texts.split()]
        return (*named, *(card for card in variant(spelling).cards if card not in named))

    return Deal(order(top), order(second))


def rules_of(spelling: str) -> SirTommyRules:
    rules = variant(spelling).rules
    assert isinstance(rules, SirTommyRules)
    return rules


def texts(cards: list[Card]) -> str:
    return " ".join(map(card_text, cards))


def sir_tommy_board(spelling: str, cards: Deal) -> SirTommyBoard:
    board = variant(spelling).board(cards)
    assert isinstance(board, SirTommyBoard)
    return board


def fresh(spelling: str, top: str = "", second: str = "") -> SirTommyBoard:
    """A fresh board of a deal that is `stacked`."""
    return sir_tommy_board(spelling, stacked(spelling, top, second))


def turn(board: SirTommyBoard) -> str:
    """Turn a card, and say which."""
    card = board.enter("t")
    assert card is not None
    return card_text(card)


def played(board: SirTommyBoard, moves: str) -> SirTommyBoard:
    """The board after these moves."""
    for move in moves.split():
        board.enter(move)
    return board


def everything_on_piles(board: SirTommyBoard, pile: Callable[[int], int] = lambda turn: turn % 4 + 1) -> SirTommyBoard:
    """The board with its stock turned to the end and no card played to a foundation."""
    for turn in range(board.stock):
        board.enter("t")
        board.enter(f"hp{pile(turn)}")
    return board


def chosen(byte: int, legal: list[Move]) -> Move:
    """One of the legal moves. Half of all bytes choose the first, which goes to a foundation if any can."""
    return legal[0] if byte < 128 else legal[byte % len(legal)]


def play_on(board: Board, ways: bytes) -> Iterator[Move]:
    """Play one move for each byte, until the board is finished; gives each move once it is made."""
    for byte in ways:
        legal = board.legal_moves()
        if not legal:
            return
        move = chosen(byte, legal)
        board.apply(move)
        yield move


def board_after(spelling: str, seed: int, ways: bytes) -> SirTommyBoard:
    board = sir_tommy_board(spelling, dealt(spelling, seed))
    for _ in play_on(board, ways):
        pass
    return board


def tidy(board: SirTommyBoard, chance: Random) -> Move:
    """A move a fair player would make: up if possible, else on the pile where the card buries least."""

    def cost(move: Move) -> tuple[int, float]:
        if move.target.area is not Area.PILE or board.hand is None:
            return (-1 if move.target.area is Area.FOUNDATION else 0), 0.0
        under = board.piles[move.target.number - 1]
        return 1 + sum(rank(card) < rank(board.hand) for card in under), chance.random()

    return min(board.legal_moves(), key=cost)


def all_of(board: Board) -> Any:
    """Everything that can be known of a board from outside."""
    return (
        msgspec.to_builtins(board.view()),
        board.status,
        board.count,
        board.turned,
        board.position,
        board.passed,
        [str(move) for move in board.legal_moves()],
    )


def can_gain(board: Board) -> bool:
    """Whether some sequence of moves puts one more card on a foundation: every move tried, every position reached."""
    waiting, seen = [board], {str(board.view())}
    while waiting:
        here = waiting.pop()
        for text in NOTATION:
            there = deepcopy(here)
            try:
                there.enter(text)
            except IllegalMove:
                continue
            if there.count > board.count:
                return True
            if str(there.view()) not in seen:
                seen.add(str(there.view()))
                waiting.append(there)
    return False


def codes_of_illegal_moves(pattern: str = "*") -> set[str]:
    """The code of every `IllegalMove` that is raised in these modules of the engine, read from their source."""
    codes = set()
    for file in Path(engine.__file__).parent.glob(f"{pattern}.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "IllegalMove":
                code = node.args[1] if len(node.args) > 1 else None
                assert isinstance(code, ast.Constant), f"{file.name}:{node.lineno} names no rule"
                codes.add(str(code.value))
    return codes

"""A move that the game does not have is named so, whatever else is wrong with it, and no other move is (docs/protocol.md)."""

import re
from collections.abc import Callable, Iterator
from random import Random

import pytest

from engine.board import Board
from engine.errors import IllegalMove
from engine.games import CATALOGUE, variant
from engine.moves import MOVES, parse_move
from tests.engine.habits import HABITS, play
from tests.engine.layouts import FORTY_THIEVES
from tests.engine.positions import SPELLINGS, dealt
from tests.protocol.page import rows_of, under

FAMILIES = under("Games, moves and boards")


def letters(move: str) -> str:
    """A move without its numbers."""
    return re.sub(r"\d+(x\d+)?", "", move)


def described(spelling: str) -> set[str]:
    """The kinds of moves that the page says this game has."""
    game, *options = spelling.split("+")
    for row in rows_of(FAMILIES["The Sir Tommy family"]):
        if row[0] == f"`{game}`":
            assert "With `redeal` there\nis the move `r` too." in FAMILIES["The Sir Tommy family"]
            return {*re.findall(r"`(\w+)`", row[3]), *["r"] * ("redeal" in options)}
    _, table = FAMILIES["The Forty Thieves family"].split("| move | what it does")
    return {letters(move) for move in re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)}


def positions(spelling: str) -> Iterator[Board]:
    """A board as it is dealt, in the midst of the game, at the end of its stock, and however it is finished."""
    chance, board = Random(spelling), variant(spelling).board(dealt(spelling, 1))
    yield board
    stages = [lambda: board.turned == 1, lambda: board.turned > 20, lambda: not getattr(board, "stock", 0)]
    for _ in play(board, HABITS[3], chance, 400):
        if stages and stages[0]():
            stages.pop(0)
            yield board
    assert not stages
    yield board
    if not board.finished:
        board.enter("stand")
        yield board


def refusals(board: Board, text: str) -> tuple[str, str]:
    """The codes with which a board refuses a move as an entry, and as a move."""
    return refusal(lambda: board.enter(text)), refusal(lambda: board.apply(parse_move(text)))


def refusal(action: Callable[[], object]) -> str:
    """The code with which this is refused; `pytest.raises` takes longer than a board."""
    try:
        action()
    except IllegalMove as error:
        return error.code
    raise AssertionError("this was no legal move, and was made")


@pytest.mark.parametrize("spelling", [*SPELLINGS, *FORTY_THIEVES])
def test_a_move_is_not_in_this_game_exactly_if_the_page_says_so(spelling: str) -> None:
    kinds, seen = described(spelling), set[str]()
    for board in positions(spelling):
        legal = {str(move) for move in board.legal_moves()}
        assert {letters(move) for move in legal} <= kinds
        for text in MOVES.keys() - legal:
            entered, applied = refusals(board, text)
            assert entered == applied
            assert (entered == "not-in-this-game") == (letters(text) not in kinds)
            seen.add(entered)
    assert {"not-in-this-game", "no-such-place", "board-finished"} <= seen


def test_the_page_describes_every_game() -> None:
    assert {spelling.partition("+")[0] for spelling in (*SPELLINGS, *FORTY_THIEVES)} == set(CATALOGUE)
    assert described("strategy+redeal") == {"t", "hf", "hp", "pf", "pp", "r"}
    assert described("sir-tommy") == {"t", "hf", "hp", "pf"}
    assert described("lucas+peek") == {"t", "wf", "wc", "cf", "cc"}


@pytest.mark.parametrize("move", ["p1p2", "r", "wf1", "c1c2x3"])
def test_a_move_of_other_games_is_one_with_a_card_in_hand_too(move: str) -> None:
    board = variant("sir-tommy").board(dealt("sir-tommy", 1))
    board.enter("t")
    assert refusals(board, move) == ("not-in-this-game", "not-in-this-game")

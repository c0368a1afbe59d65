"""The bots see what a player sees: what lies face down makes no difference to what they do, in any game or level."""

import random
from collections.abc import Callable, Iterator
from copy import copy
from typing import Any

import pytest

from client_cli.bots import LEVELS, choose, forty_thieves_strong, strong
from engine.board import Board
from engine.deal import Deal
from engine.forty_thieves import FortyThievesRules
from engine.games import Variant, variant
from engine.moves import HAND, TURN, Move, pile
from engine.sir_tommy import SirTommyBoard
from protocol.messages import Level
from tests.client_cli.test_bots import GAMES

STRIDE: dict[Level, int] = {"easy": 13, "normal": 13, "strong": 63}
"""After so many moves a bot is asked again."""
MOVES = 180
"""How many moves of a deal are played, about."""
HIDDEN = 2
"""How many orders the cards that lie face down are put in."""


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that think less."""
    monkeypatch.setattr(forty_thieves_strong, "LOOKED_AT", 30)
    monkeypatch.setattr(forty_thieves_strong, "LOOKED_AT_LAST", 60)
    monkeypatch.setattr(forty_thieves_strong, "ROUNDS", ((3, 2),))
    monkeypatch.setattr(strong, "ROUNDS", (4,))


def with_other_hidden_cards(board: Any, chance: random.Random) -> Any:
    """The same board to look at; what its player cannot know is in another order."""
    other = copy(board)
    known = 1 if board.peek else 0
    below = board._stock[: len(board._stock) - known]
    cards = chance.sample([card for _, card in below], len(below))
    other._stock = [(place, card) for (place, _), card in zip(below, cards, strict=True)]
    other._stock += board._stock[len(below) :]
    if isinstance(board, SirTommyBoard):
        first, second = board._deal
        other._deal = Deal(first, tuple(chance.sample(second, len(second))))
    return other


def positions(chosen: Variant, level: Level, chance: random.Random) -> Iterator[Board]:
    """Positions all through a deal, from the first turn on, that is played well or badly by turns."""
    cards = chosen.cards
    board = chosen.board(Deal(tuple(chance.sample(cards, len(cards))), tuple(chance.sample(cards, len(cards)))))
    board.apply(TURN)
    for _ in range(0, MOVES, STRIDE[level]):
        yield board
        for _ in range(STRIDE[level]):
            if board.finished:
                return
            sensible = choose(chosen.board_from(board.view())) if chance.random() < 0.8 else None
            board.apply(sensible or chance.choice(board.legal_moves()))


def choices(chosen: Variant, board: Board, level: Level, chance: random.Random) -> set[Move | None]:
    """What a bot does, whatever lies face down, and when it has no more than the view."""
    found, whim = set(), chance.random()
    boards = [with_other_hidden_cards(board, chance) for _ in range(HIDDEN)]
    for each in (*boards, chosen.board_from(board.view())):
        assert each.view() == board.view()
        if isinstance(chosen.rules, FortyThievesRules):
            forty_thieves_strong.mind(chosen.rules)._planned.clear()
        found.add(choose(each, random.Random(whim), level))
    return found


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", LEVELS)
def test_the_cards_that_lie_face_down_make_no_difference(game: str, level: Level) -> None:
    chosen, chance = variant(game), random.Random(game)
    found = [choices(chosen, board, level, chance) for board in positions(chosen, level, chance)]
    assert len(found) * STRIDE[level] >= MOVES // 2
    assert {len(moves) for moves in found} == {1}


def cheat(board: Any, _whim: random.Random | None) -> Move:
    """One of the moves, as the last card of the stock says."""
    moves = board.legal_moves()
    return moves[board._stock[0][1] % len(moves)] if board.stock else TURN


def cheat_after_a_redeal(board: SirTommyBoard, _whim: random.Random | None) -> Move:
    """The same by the second shuffle."""
    return Move(HAND, pile(board._deal.second[0] % 4 + 1)) if board._deal.second else TURN


@pytest.mark.parametrize(
    ("game", "bot"),
    [*((game, cheat) for game in GAMES), *((game, cheat_after_a_redeal) for game in GAMES if "redeal" in game)],
)
def test_a_bot_that_looks_is_caught(
    game: str, bot: Callable[[Any, random.Random | None], Move], monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen, chance = variant(game), random.Random(game)
    monkeypatch.setitem(LEVELS, "easy", dict.fromkeys(LEVELS["easy"], bot))
    assert any(len(choices(chosen, board, "easy", chance)) > 1 for board in positions(chosen, "easy", chance))

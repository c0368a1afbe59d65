"""How long the strong bots think is bounded by work that is counted, whatever lies on the board, and not by a clock."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from client_cli.bots import choose, endgame, forty_thieves_playouts, forty_thieves_strong, open_search, playouts, strong
from engine.board import Board
from engine.cards import KING, card_of, card_text
from engine.deal import Deal
from engine.forty_thieves import FortyThievesBoard, FortyThievesRules
from engine.games import CATALOGUE, Variant, variant
from engine.moves import TURN
from engine.sir_tommy import PILES, SirTommyBoard, SirTommyRules, SirTommyView
from tests.client_cli.test_bots import GAMES

SIR_TOMMY = [game for game in GAMES if isinstance(variant(game).rules, SirTommyRules)]
FORTY_THIEVES = [name for name, game in CATALOGUE.items() if isinstance(game.rules, FortyThievesRules)]


def fresh(chosen: Variant, chance: random.Random) -> Board:
    cards = chosen.cards
    return chosen.board(Deal(tuple(chance.sample(cards, len(cards))), tuple(chance.sample(cards, len(cards)))))


class Work:
    """What the strong bots do to choose one move, counted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.looked_at: list[int] = []
        """How many positions were reached, each time that some were looked for,"""
        self.played: list[int] = []
        """and how many games were played out side by side, positions times orders of the stock."""
        self.raised = 0
        """How often an endgame's next positions were made."""
        reached, raised, work = open_search.reached, endgame._raised, self

        def looking(*args: Any) -> Any:
            found = reached(*args)
            self.looked_at.append(len(found))
            return found

        def raising(*args: Any) -> Any:
            self.raised += 1
            return raised(*args)

        class SirTommyGames(playouts.Games):
            def __init__(self, tables: Any, positions: Sequence[Any], orders: Any, weights: Any) -> None:
                super().__init__(tables, positions, orders, weights)
                self.size = len(positions) * len(orders)

            def play(self) -> None:
                work.played.append(self.size)
                super().play()

        class FortyThievesGames(forty_thieves_playouts.Games):
            def __init__(self, tables: Any, positions: Sequence[Any], orders: Any) -> None:
                super().__init__(tables, positions, orders)
                work.played.append(len(positions) * len(orders))

        monkeypatch.setattr(forty_thieves_strong, "reached", looking)
        monkeypatch.setattr(endgame, "_raised", raising)
        monkeypatch.setattr(strong, "Games", SirTommyGames)
        monkeypatch.setattr(forty_thieves_strong, "Games", FortyThievesGames)

    def choosing(self, chosen: Variant, board: Board) -> "Work":
        """The work of one choice."""
        self.looked_at, self.played, self.raised = [], [], 0
        choose(chosen.board_from(board.view()), random.Random(1), "strong")
        return self


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    return Work(monkeypatch)


@pytest.mark.parametrize("game", SIR_TOMMY)
def test_a_card_in_hand_is_thought_about_for_so_many_games(game: str, work: Work) -> None:
    chosen, chance = variant(game), random.Random(game)
    board = fresh(chosen, chance)
    assert isinstance(board, SirTommyBoard)
    times = 2 if board.redeals_left else 1
    most = times * (PILES + len(board.foundations)) * sum(strong.ROUNDS)
    played: list[int] = []
    while board.stock:
        board.apply(TURN)
        if board.turned % 8 == 1:
            played.append(sum(work.choosing(chosen, board).played))
        board.apply(chance.choice(board.legal_moves()))
    assert most // 8 < max(played) <= most


def test_the_end_of_a_board_is_thought_about_for_so_many_positions(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endgame, "BUDGET", 500)
    piles = [[card_text(card_of(rank, suit)) for rank in range(KING, 0, -1)] for suit in range(PILES)]
    foundations: list[list[str]] = [[piles[0].pop()], [], [], []]
    chosen = variant("sir-tommy")
    work.choosing(chosen, chosen.board_from(SirTommyView(0, None, piles, foundations, 0)))
    assert endgame.BUDGET <= work.raised <= endgame.BUDGET + len(chosen.cards)
    assert work.played == []


@pytest.mark.parametrize("game", FORTY_THIEVES)
def test_a_turn_is_thought_about_for_so_many_positions_and_games(
    game: str, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forty_thieves_strong, "LOOKED_AT", 40)
    monkeypatch.setattr(forty_thieves_strong, "LOOKED_AT_LAST", 70)
    monkeypatch.setattr(forty_thieves_strong, "ROUNDS", ((6, 2), (2, 5)))
    chosen, chance = variant(game), random.Random(game)
    board = fresh(chosen, chance)
    assert isinstance(board, FortyThievesBoard)
    looked_at: list[int] = []
    played: list[int] = []
    while not board.finished and board.stock:
        if board.stock % 12 == 1:
            forty_thieves_strong.mind(board.rules)._planned.clear()
            work.choosing(chosen, board)
            looked_at += work.looked_at
            played.append(sum(work.played))
        moves = board.legal_moves()
        board.apply(TURN if chance.random() < 0.7 else chance.choice(moves))
    assert max(looked_at) <= forty_thieves_strong.LOOKED_AT
    most = sum(many * orders for many, orders in forty_thieves_strong.ROUNDS)
    assert most // 2 < max(played) <= most
    if not board.finished:
        work.choosing(chosen, board)
        assert work.looked_at[0] <= forty_thieves_strong.LOOKED_AT_LAST
        assert work.played == []

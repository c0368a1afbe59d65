"""The strong bot of the Forty Thieves family: it sees what a player sees, keeps the rules, and comes to an end."""

import random

import numpy as np
import pytest

from client_cli.bots import choose, forty_thieves_strong, open_search
from client_cli.bots.forty_thieves_playouts import Games, Tables
from client_cli.bots.open_cards import Position, Step, Ways, position_of, unseen
from client_cli.bots.outlook import Outlook
from engine.board import Status
from engine.cards import DECK, KING, card_of, card_text
from engine.deal import Deal
from engine.forty_thieves import FortyThievesBoard, FortyThievesRules, FortyThievesView
from engine.games import variant
from protocol.messages import Level

GAMES = ["forty-thieves+groups", "lucas+peek", "limited", "maria", "josephine+peek+groups"]
MOST_MOVES = 1000


def board_of(game: str, seed: int, *, hidden: int = 0) -> FortyThievesBoard:
    """A fresh board; `hidden` shuffles its stock once more."""
    chosen, chance = variant(game), random.Random(seed)
    cards = chance.sample(chosen.cards, len(chosen.cards))
    board = chosen.board(Deal(tuple(cards), ()))
    assert isinstance(board, FortyThievesBoard)
    if hidden:
        random.Random(hidden).shuffle(board._stock)
    return board


def seen(board: FortyThievesBoard) -> FortyThievesBoard:
    return FortyThievesBoard.from_view(board.rules, board.view())


def ending(game: str, columns: list[list[str]], heights: list[int], waste: list[str]) -> FortyThievesBoard:
    """A board whose stock is empty."""
    chosen = variant(game)
    up = [[card_text(card_of(rank, at // 2)) for rank in range(1, height + 1)] for at, height in enumerate(heights)]
    assert isinstance(chosen.rules, FortyThievesRules)
    empty: list[list[str]] = [[] for _ in range(chosen.rules.columns - len(columns))]
    return chosen.rules.board_from(FortyThievesView(0, waste, [*columns, *empty], up))


def played(board: FortyThievesBoard, whim: random.Random | None = None) -> list[str]:
    """The bot's moves to the end of a board; each must be legal."""
    moves: list[str] = []
    while not board.finished:
        move = choose(seen(board), whim, "strong")
        moves.append("stand" if move is None else str(move))
        board.enter(moves[-1])
        assert len(moves) < MOST_MOVES, "the bot goes round in circles"
    return moves


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that thinks less, so that whole deals are played in a moment."""
    monkeypatch.setattr(forty_thieves_strong, "LOOKED_AT", 60)
    monkeypatch.setattr(forty_thieves_strong, "LOOKED_AT_LAST", 300)
    monkeypatch.setattr(forty_thieves_strong, "ROUNDS", ((3, 2),))
    forty_thieves_strong.mind.cache_clear()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_by_the_rules_and_comes_to_an_end(game: str) -> None:
    for seed in range(2):
        board = board_of(game, seed)
        played(board, random.Random(seed))
        assert board.finished


@pytest.mark.usefixtures("quick")
def test_without_a_whim_a_deal_is_played_the_same_way_every_time() -> None:
    first = played(board_of("forty-thieves", 3))
    forty_thieves_strong.mind.cache_clear()
    assert played(board_of("forty-thieves", 3)) == first


@pytest.mark.usefixtures("quick")
def test_a_plan_that_was_forgotten_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forty_thieves_strong, "REMEMBERED", 0)
    played(board_of("josephine", 4))


@pytest.mark.parametrize("game", ["forty-thieves", "lucas"])
def test_the_order_of_the_stock_makes_no_difference(game: str) -> None:
    moves = set()
    for hidden in (1, 2, 3):
        forty_thieves_strong.mind.cache_clear()
        board = board_of(game, 5, hidden=hidden)
        assert seen(board).view() == board.view()
        moves.add(choose(board, None, "strong"))
    assert len(moves) == 1


def test_what_is_not_seen_is_counted() -> None:
    board = board_of("limited", 6)
    hidden = sorted(card for _, card in board._stock)
    assert unseen(seen(board)) == hidden


def test_the_card_shown_comes_first_in_every_order() -> None:
    board = seen(board_of("lucas+peek", 7))
    stocks = forty_thieves_strong._stocks(board, 10, np.random.default_rng(0))
    assert {card_text(card) for card in stocks[:, 0]} == {board.peek}
    assert all(sorted(stock) == unseen(board) for stock in stocks)


def test_a_won_ending_is_taken_home() -> None:
    columns = [["Kc", "Jc", "Qc"], ["Kd", "Qd"], ["Kh"], ["Ks"]]
    board = ending("forty-thieves", columns, [13, 10, 13, 11, 13, 12, 13, 12], [])
    played(board)
    assert board.status is Status.SOLVED


def test_a_card_is_moved_out_of_the_way_where_that_helps() -> None:
    board = ending("maria", [["2c", "Kd", "9h"], ["3c", "10s"], *[["Kh"]] * 6], [1, 0, 0, 0, 0, 0, 0, 0], [])
    assert played(board)[-1] == "stand" or board.status is Status.STUCK
    assert board.count == 2


def test_it_stands_when_nothing_is_left() -> None:
    board = ending("lucas", [["2c", "Kd"], ["2d", "Kd"]], [1, 1, 1, 1, 1, 1, 1, 1], ["2h", "Ks"])
    board.columns[2:] = [[card_of(KING, 0)] for _ in board.columns[2:]]
    assert choose(seen(board), None, "strong") is None


@pytest.mark.parametrize("game", ["forty-thieves", "josephine"])
def test_a_sequence_is_carried_as_the_rules_allow(game: str) -> None:
    columns = [["As", "5h", "4h", "3h", "2h"], ["9s", "6h"], *[["Kc"]] * 6]
    board = ending(game, columns, [0, 0, 0, 0, 0, 0, 0, 0], [])
    ways, before = Ways(board.rules), position_of(board)
    step = Step(0, 1, 4)
    assert step in set(ways.steps(before))
    for move in ways.moves(before, step):
        board.enter(str(move))
    assert position_of(board) == before.after(step)


@pytest.mark.parametrize("game", GAMES)
def test_every_step_is_legal(game: str) -> None:
    ways = Ways(board_of(game, 8).rules)
    board = board_of(game, 8)
    chance = random.Random(8)
    for _ in range(40):
        before = position_of(board)
        for step in ways.steps(before):
            after = seen(board)
            for move in ways.moves(before, step):
                after._apply(move, 0)
            assert position_of(after).columns == before.after(step).columns
        board._apply(chance.choice(board._moves()), 0)


def test_thinking_is_bounded_by_positions() -> None:
    columns = [[card] for card in DECK[:8]]
    board = ending("forty-thieves", [[card_text(card) for card in cards] for cards in columns], [0] * 8, [])
    ways = Ways(board.rules)
    found = open_search.reached(ways, Outlook(ways), position_of(board), 200)
    assert len(found) == 200
    assert len({way.position.looks for way in found}) == 200
    assert max(many * orders for many, orders in forty_thieves_strong.ROUNDS) <= 1000


@pytest.mark.parametrize("game", ["forty-thieves", "lucas", "maria", "josephine"])
def test_playouts_lose_no_card(game: str) -> None:
    board = board_of(game, 9)
    start: Position = position_of(board)
    stocks = forty_thieves_strong._stocks(seen(board), 20, np.random.default_rng(9))
    games = Games(Tables(board.rules), [start, start], stocks)
    games._turn(np.arange(40))
    over = np.zeros(40, bool)
    while not over.all():
        over = games._move()
        left = stocks.shape[1] - games._turned
        assert (games._counts + games._sizes.sum(0) + left == board.total).all()
    assert (games._counts >= board.count).all()


@pytest.mark.usefixtures("quick")
def test_strong_plays_better_than_normal() -> None:
    counts: dict[Level, int] = {"normal": 0, "strong": 0}
    for level in counts:
        for seed in range(4):
            board, chance = board_of("forty-thieves", 20 + seed), random.Random(seed)
            while not board.finished:
                move = choose(seen(board), chance, level)
                board.enter("stand" if move is None else str(move))
            counts[level] += board.count
    assert counts["strong"] > counts["normal"] + 4 * 3

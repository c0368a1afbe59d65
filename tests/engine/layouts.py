"""Boards of the Forty Thieves family for the tests: fresh, near their end, or laid out by hand; and what lies on them."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from random import Random

from hypothesis import strategies as st

from engine.cards import Card, card_text, parse_card
from engine.deal import Deal
from engine.forty_thieves import FortyThievesBoard, FortyThievesRules, stuck_search
from engine.games import variant
from tests.engine.positions import dealt
from tests.engine.referee_forty_thieves import (
    COLUMNS_AND_ROWS,
    SUITS_OF_FOUNDATIONS,
    FortyThievesReferee,
    two_decks,
)

OPTIONS = ("", "+peek", "+groups", "+peek+groups")
FORTY_THIEVES = [name + options for name, options in product(COLUMNS_AND_ROWS, OPTIONS)]
"""Every game of the family with every set of options."""
WITHOUT_PEEK = [spelling for spelling in FORTY_THIEVES if "peek" not in spelling]

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

forty_thieves = st.sampled_from(FORTY_THIEVES)
starts = st.tuples(st.sampled_from(["fresh", "late"]), st.integers(0, 2**32 - 1))
"""A fresh deal or a board near its end, and which."""

Start = tuple[str, int]


@dataclass
class Layout:
    """Where every card lies, as texts; of the stock the first is the next to be turned."""

    columns: list[list[str]]
    waste: list[str] = field(default_factory=list)
    stock: list[str] = field(default_factory=list)
    foundations: list[list[str]] = field(default_factory=lambda: [[] for _ in SUITS_OF_FOUNDATIONS])

    @classmethod
    def of(cls, columns: str, *, waste: str = "", stock: str = "", foundations: str = "0 0 0 0 0 0 0 0") -> "Layout":
        """A layout written down: columns with " / " between them ("-" has no card), foundations by their heights.

        Cards that are named nowhere are not on the table: what is tested does not need them.
        """
        return cls(
            [column.split() if column.strip() != "-" else [] for column in columns.split("/")],
            waste.split(),
            stock.split(),
            [built(suit, int(height)) for suit, height in zip(SUITS_OF_FOUNDATIONS, foundations.split(), strict=True)],
        )


def built(suit: str, height: int) -> list[str]:
    """A foundation with so many cards."""
    return [rank + suit for rank in RANKS[:height]]


def rules_of(spelling: str) -> FortyThievesRules:
    rules = variant(spelling).rules
    assert isinstance(rules, FortyThievesRules)
    return rules


def fresh(spelling: str, cards: Deal) -> FortyThievesBoard:
    board = variant(spelling).board(cards)
    assert isinstance(board, FortyThievesBoard)
    return board


def stacked(spelling: str, top: str) -> FortyThievesBoard:
    """A fresh board of a shuffle that begins with the cards named; the others follow in the order of two decks."""
    rest = two_decks()
    for card in top.split():
        rest.remove(card)
    order = tuple(map(parse_card, [*top.split(), *rest]))
    return fresh(spelling, Deal(order, order))


def laid_out(spelling: str, layout: Layout) -> FortyThievesBoard:
    """The engine's board with these cards on it, and with no verdict known; columns that the layout lacks are empty."""
    stuck_search.cache_clear()
    board = FortyThievesBoard(rules_of(spelling), Deal((), ()))
    assert len(layout.columns) <= len(board.columns)
    for column, texts in zip(board.columns, layout.columns, strict=False):
        column += map(parse_card, texts)
    for foundation, texts in zip(board.foundations, layout.foundations, strict=True):
        foundation += map(parse_card, texts)
    board.waste += map(parse_card, layout.waste)
    board._stock = [(position, parse_card(text)) for position, text in enumerate(layout.stock, start=1)][::-1]
    return board


def referee_of(spelling: str, layout: Layout) -> FortyThievesReferee:
    """The referee's board with these cards on it."""
    referee = referee_at(spelling, two_decks())
    referee.columns = [list(column) for column in layout.columns]
    referee.columns += [[] for _ in range(COLUMNS_AND_ROWS[referee.game][0] - len(layout.columns))]
    referee.foundations = [list(foundation) for foundation in layout.foundations]
    referee.waste, referee.stock = list(layout.waste), list(layout.stock)
    return referee


def referee_at(spelling: str, deck: list[str]) -> FortyThievesReferee:
    """The referee's fresh board of this shuffle."""
    name, *options = spelling.split("+")
    return FortyThievesReferee(name, deck, set(options))


def layout_of(board: FortyThievesBoard) -> Layout:
    """Where the cards of a board lie."""
    view = board.view()
    stock = [card_text(card) for _, card in reversed(board._stock)]
    return Layout(view.columns, view.waste, stock, view.foundations)


def near_the_end(spelling: str, chance: Random, most_stock: int = 6) -> Layout:
    """A random layout of all 104 cards: much built, some columns empty, the stock short or passed through."""
    builds = rules_of(spelling).builds
    highest, apart = chance.choice([(13, 3), (13, 4), (13, 7), (11, 6), (8, 6), (4, 4)])
    heights = [highest - chance.randrange(apart) for _ in SUITS_OF_FOUNDATIONS]
    foundations = [built(suit, height) for suit, height in zip(SUITS_OF_FOUNDATIONS, heights, strict=True)]
    rest = two_decks()
    for foundation in foundations:
        for card in foundation:
            rest.remove(card)
    chance.shuffle(rest)
    stock = [rest.pop() for _ in range(min(len(rest), chance.choice([0, 0, chance.randint(0, most_stock)])))]
    waste = [rest.pop() for _ in range(min(len(rest), chance.choice([0, 1, 5, 20])))]
    if chance.random() < 0.7:
        rest.sort(key=lambda card: -RANKS.index(card[:-1]))
    columns: list[list[str]] = [[] for _ in range(COLUMNS_AND_ROWS[spelling.partition("+")[0]][0])]
    used = chance.sample(columns, chance.randint(max(1, len(columns) - 4), len(columns)))
    for card in rest:
        fitting = [column for column in used if column and builds(parse_card(card), parse_card(column[-1]))]
        chance.choice(fitting if fitting and chance.random() < 0.7 else used).append(card)
    return Layout(columns, waste, stock, foundations)


def start(spelling: str, where: Start) -> FortyThievesBoard:
    kind, seed = where
    if kind == "late":
        return laid_out(spelling, near_the_end(spelling, Random(seed)))
    return fresh(spelling, dealt(spelling, seed))


def after(board: FortyThievesBoard, moves: str) -> FortyThievesBoard:
    for move in moves.split():
        board.enter(move)
    return board


def legal(board: FortyThievesBoard) -> set[str]:
    return {str(move) for move in board.legal_moves()}


def lying(board: FortyThievesBoard) -> Counter[Card]:
    """Every card that lies anywhere on the board, the stock's included."""
    places = [board.waste, *board.columns, *board.foundations, [card for _, card in board._stock]]
    return Counter(card for cards in places for card in cards)

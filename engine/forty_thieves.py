"""The Forty Thieves family (rules.md, section 3): two decks, columns, a stock, a waste and eight foundations.

A game of the family is a `FortyThievesRules`, nothing else: `engine.games` has one row for each. Foundations 1 and 2
are the clubs', 3 and 4 the diamonds', 5 and 6 the hearts', 7 and 8 the spades'.
"""

from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal, Self

import msgspec

from engine.board import EVERYTHING, Board, Steps
from engine.cards import ACE, DECK, KING, UNKNOWN, Card, card_of, card_text, is_red, parse_card, rank, suit
from engine.deal import Deal
from engine.errors import EngineError, IllegalMove
from engine.moves import TURN, WASTE, Area, Move, Way, column, foundation
from engine.stuck import StuckSearch

FOUNDATIONS = 8

_COLUMNS = [column(number) for number in range(1, 14)]


@dataclass(frozen=True)
class FortyThievesRules:
    """What distinguishes one game of the family from the next."""

    columns: int
    rows: int
    aces_first: bool = False
    """Whether the eight aces lie on the foundations before the first turn."""
    alternating: bool = False
    """Whether columns are built in alternating colours instead of one suit."""
    whole_sequences: bool = False
    """Whether a properly built sequence may move as a whole, on the same terms as its highest card."""
    groups: bool = False
    """Whether a sequence may move at once when the empty columns would allow moving it card by card."""
    peek: bool = False
    """Whether the player always sees the next card of the stock."""

    OPTIONS: ClassVar[dict[str, dict[str, object]]] = {"peek": {"peek": True}, "groups": {"groups": True}}
    """The options of the family, and what each changes."""
    family: ClassVar[Literal["forty-thieves"]] = "forty-thieves"
    ways: ClassVar[frozenset[Way]] = frozenset(["t", "wf", "wc", "cf", "cc"])
    """The kinds of moves that every game of the family has."""
    piles: ClassVar[int] = 0
    foundations: ClassVar[int] = FOUNDATIONS

    @property
    def laid_out(self) -> int:
        """How many cards lie on the table before the first turn."""
        return self.columns * self.rows + (FOUNDATIONS if self.aces_first else 0)

    def board(self, dealt: Deal) -> "FortyThievesBoard":
        """A fresh board of this deal."""
        return FortyThievesBoard(self, dealt)

    def board_from(self, view: object) -> "FortyThievesBoard":
        """The board that a view shows, its stock face down. Raises `TypeError` for another family's view."""
        if not isinstance(view, FortyThievesView):
            raise TypeError("this is a view of another family")
        return FortyThievesBoard.from_view(self, view)

    def builds(self, card: Card, on: Card) -> bool:
        """Whether `card` may lie on `on` in a column; a card not seen lies on none."""
        if card == UNKNOWN or rank(card) + 1 != rank(on):
            return False
        return is_red(card) != is_red(on) if self.alternating else suit(card) == suit(on)

    def sequence(self, cards: Sequence[Card], most: int = KING) -> int:
        """How many cards at the end of a column are properly built on each other; no more than `most` are counted."""
        most = min(most, len(cards))
        length = min(1, most)
        while length < most and self.builds(cards[-length], cards[-length - 1]):
            length += 1
        return length

    def at_once(self, empty: int, *, to_empty: bool) -> int:
        """How many cards of a sequence may move at once, with so many empty columns, the target counted."""
        if self.whole_sequences:
            return KING
        if not self.groups:
            return 1
        most = 1 << empty  # one, and twice as many with each empty column
        return most // 2 if to_empty else most


class FortyThievesView(msgspec.Struct, tag=FortyThievesRules.family, tag_field="family", forbid_unknown_fields=True):
    """A board as its player sees it. Cards are texts; the last card of each list may move.

    `peek` is the next card of the stock, in games that show it.
    """

    stock: int
    waste: list[str]
    columns: list[list[str]]
    foundations: list[list[str]]
    peek: str | None = None


class FortyThievesBoard(Board):
    """One player's board in a game of the Forty Thieves family."""

    def __init__(self, rules: FortyThievesRules, dealt: Deal) -> None:
        super().__init__()
        self.rules = rules
        self.ways = rules.ways
        self.waste: list[Card] = []
        self.columns: list[list[Card]] = [[] for _ in range(rules.columns)]
        self.foundations: list[list[Card]] = [[] for _ in range(FOUNDATIONS)]
        self._stock = self._lay_out(dealt.first)
        self._lies_on = _lies_on(rules)
        self._search = stuck_search(rules)

    def _lay_out(self, order: Sequence[Card]) -> list[tuple[int, Card]]:
        """Deal the columns row by row; the rest is the stock: deal position and card, the top card last."""
        stock = []
        dealt = 0
        for position, card in enumerate(order, start=1):
            if self.rules.aces_first and rank(card) == ACE:
                self.foundations[self.fitting(card)[0] - 1].append(card)
            elif dealt < self.rules.columns * self.rules.rows:
                self.columns[dealt % self.rules.columns].append(card)
                dealt += 1
            else:
                stock.append((position, card))
        return stock[::-1]

    @classmethod
    def from_view(cls, rules: FortyThievesRules, view: FortyThievesView) -> Self:
        """The board that a view shows, its stock face down."""
        board = cls(rules, Deal((), ()))
        board.waste = [parse_card(text) for text in view.waste]
        board.columns = [[parse_card(text) for text in cards] for cards in view.columns]
        board.foundations = [[parse_card(text) for text in cards] for cards in view.foundations]
        board._stock = [(0, UNKNOWN)] * view.stock
        board.learn(view.peek)
        return board

    def view(self) -> FortyThievesView:
        return FortyThievesView(
            stock=len(self._stock),
            waste=[card_text(card) for card in self.waste],
            columns=[[card_text(card) for card in cards] for cards in self.columns],
            foundations=[[card_text(card) for card in cards] for cards in self.foundations],
            peek=self.peek,
        )

    def view_of_others(self) -> FortyThievesView:
        view = self.view()
        view.peek = None
        return view

    @property
    def peek(self) -> str | None:
        """The next card of the stock, in games that show it."""
        return card_text(self._stock[-1][1]) if self.rules.peek and self._stock else None

    def learn(self, peek: str | None) -> None:
        """The next card of the stock has become known."""
        if peek is not None and self._stock:
            self._stock[-1] = (self._stock[-1][0], parse_card(peek))

    @property
    def stock(self) -> int:
        """How many cards are still to be turned."""
        return len(self._stock)

    @property
    def face_down(self) -> list[int]:
        return [position for position, _ in self._stock]

    @property
    def count(self) -> int:
        return sum(map(len, self.foundations))

    @property
    def total(self) -> int:
        return FOUNDATIONS * KING

    def next_rank(self, number: int) -> int | None:
        """The rank that foundation `number` (from 1) takes next; None when it is complete."""
        height = len(self.foundations[number - 1])
        return height + 1 if height < KING else None

    def fitting(self, card: Card) -> list[int]:
        """The numbers of the foundations that a card may go to now."""
        first = 2 * suit(card) + 1
        return [number for number in (first, first + 1) if self.next_rank(number) == rank(card)]

    def _moves(self) -> list[Move]:
        ends: dict[Card, list[int]] = {}
        empty: list[int] = []
        for number, cards in enumerate(self.columns, start=1):
            (ends.setdefault(cards[-1], []) if cards else empty).append(number)
        to_card, to_empty = self._at_once(to_empty=False), self._at_once(to_empty=True)
        up, across = [], []
        for place, cards in [(WASTE, self.waste), *zip(_COLUMNS, self.columns, strict=False)]:
            if not cards:
                continue
            up += [Move(place, foundation(to)) for to in self.fitting(cards[-1])]
            longest = 1 if place == WASTE else self.rules.sequence(cards, max(to_card, to_empty))
            for size in range(1, longest + 1):
                targets: list[int] = []
                if size <= to_card:
                    for on in self._lies_on[cards[-size]]:
                        targets += ends.get(on, ())
                if size <= to_empty:
                    targets += empty
                across += [Move(place, _COLUMNS[to - 1], size) for to in targets]
        return up + across + ([TURN] if self._stock else [])

    def _at_once(self, *, to_empty: bool) -> int:
        """How many cards of a sequence may move at once to a column of this kind."""
        return self.rules.at_once(sum(not cards for cards in self.columns), to_empty=to_empty)

    def _apply(self, move: Move, card: Card) -> Card | None:
        if move == TURN:
            return self._turn(card)
        source = self._source(move)
        target = self._target(move, source)
        target += source[-move.cards :]
        del source[-move.cards :]
        return None

    def _turn(self, card: Card) -> Card:
        """The stock's top card goes face up on the waste."""
        if not self._stock:
            raise IllegalMove("the stock is empty, and is passed through once", "stock-empty")
        self.position, known = self._stock.pop()
        self.waste.append(card if known == UNKNOWN else known)
        self.turned += 1
        return self.waste[-1]

    def _source(self, move: Move) -> list[Card]:
        """The waste or the column that the move takes its cards from."""
        cards = self.waste if move.source == WASTE else self.place(move.source, self.columns)
        if not cards:
            raise IllegalMove(f"there is no card at {move.source}", "pile-empty")
        if move.cards > len(cards):
            raise IllegalMove(f"column {move.source.number} has no {move.cards} cards", "not-a-sequence")
        return cards

    def _target(self, move: Move, source: list[Card]) -> list[Card]:
        """The foundation or the column that the move puts its cards on."""
        if move.target.area is Area.FOUNDATION:
            cards = self.place(move.target, self.foundations)
            if move.target.number not in self.fitting(source[-1]):
                raise IllegalMove(
                    f"{card_text(source[-1])} does not fit foundation {move.target.number}", "does-not-fit"
                )
            return cards
        cards = self.place(move.target, self.columns)
        if cards is source:
            raise IllegalMove("source and target are the same column", "same-place")
        if move.cards > self.rules.sequence(source):
            raise IllegalMove(f"the last {move.cards} cards are not built on each other", "not-a-sequence")
        if cards and not self.rules.builds(source[-move.cards], cards[-1]):
            high, on = card_text(source[-move.cards]), card_text(cards[-1])
            raise IllegalMove(f"{high} cannot be built on {on}", "does-not-build")
        if move.cards > (most := self._at_once(to_empty=not cards)):
            raise IllegalMove(f"no more than {most} cards may move there at once", "too-many-cards")
        return cards

    def _is_stuck(self) -> bool:
        return self._all_seen() and self._search.proves(self.columns, self.waste, self._wanted())

    def _all_seen(self) -> bool:
        """Whether no card lies face down, in the stock or where it was put unseen."""
        return not self._stock and not any(UNKNOWN in cards for cards in (self.waste, *self.columns))

    def _wanted(self) -> frozenset[Card]:
        """The cards that the foundations take now."""
        return frozenset(
            card_of(len(cards) + 1, at // 2) for at, cards in enumerate(self.foundations) if len(cards) < KING
        )

    def think(self) -> Steps[None]:
        if self._ending is None and self._all_seen():
            yield from self._search.steps(self.columns, self.waste, self._wanted())

    def foresee(self, entry: str) -> Steps[None]:
        if len(self._stock) > 1:
            return
        ahead = copy(self)
        ahead.waste, ahead._stock = self.waste[:], self._stock[:]
        ahead.columns, ahead.foundations = [c[:] for c in self.columns], [f[:] for f in self.foundations]
        with suppress(EngineError):
            ahead.retrace(entry)
            yield from ahead.think()

    def _passed(self) -> int:
        return self.position - 1 if self._stock else EVERYTHING


@cache
def _lies_on(rules: FortyThievesRules) -> tuple[frozenset[Card], ...]:
    """For each card the cards that it may lie on in a column; the last is `UNKNOWN`."""
    return tuple(frozenset(on for on in DECK if rules.builds(card, on)) for card in (*DECK, UNKNOWN))


@cache
def stuck_search(rules: FortyThievesRules) -> StuckSearch:
    """The search for the boards of one game: what it has found out on one of them, it need not on another."""
    return StuckSearch(rules.columns, _lies_on(rules), whole_sequences=rules.whole_sequences)

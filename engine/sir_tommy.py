"""The Sir Tommy family (rules.md, section 2): a stock, a card in hand, piles and foundations.

A game of the family is a `SirTommyRules`, nothing else: `engine.games` has one row for each.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import msgspec

from engine.board import EVERYTHING, Board
from engine.cards import UNKNOWN, Card, card_text, parse_card, rank
from engine.deal import Deal
from engine.errors import IllegalMove
from engine.moves import HAND, REDEAL, TURN, Area, Move, Way, foundation, pile

PILES = 4


@dataclass(frozen=True)
class SirTommyRules:
    """What distinguishes one game of the family from the next."""

    sequences: tuple[tuple[int, ...], ...]
    """For each foundation the ranks it takes, from its first card to its last."""
    starters: bool = False
    """Whether the first card of every foundation lies there before the first turn."""
    leftmost: bool = False
    """Whether a card that fits several foundations must go to the leftmost of them."""
    pile_to_pile: bool = False
    """Whether a pile's top card may move to another pile."""
    redeals: int = 0
    """How often the piles may be gathered into a new stock."""

    OPTIONS: ClassVar[dict[str, dict[str, object]]] = {"redeal": {"redeals": 1}}
    """The options of the family, and what each changes."""
    family: ClassVar[Literal["sir-tommy"]] = "sir-tommy"
    piles: ClassVar[int] = PILES
    columns: ClassVar[int] = 0

    @property
    def foundations(self) -> int:
        """How many foundations there are."""
        return len(self.sequences)

    @property
    def laid_out(self) -> int:
        """How many cards lie on the table before the first turn."""
        return self.foundations if self.starters else 0

    @property
    def ways(self) -> frozenset[Way]:
        """The kinds of moves that the game has."""
        return frozenset(["t", "hf", "hp", "pf", *["pp"] * self.pile_to_pile, *["r"] * self.redeals])

    def board(self, dealt: Deal) -> "SirTommyBoard":
        """A fresh board of this deal."""
        return SirTommyBoard(self, dealt)

    def board_from(self, view: object) -> "SirTommyBoard":
        """The board that a view shows, its stock face down. Raises `TypeError` for another family's view."""
        if not isinstance(view, SirTommyView):
            raise TypeError("this is a view of another family")
        return SirTommyBoard.from_view(self, view)


class SirTommyView(msgspec.Struct, tag=SirTommyRules.family, tag_field="family", forbid_unknown_fields=True):
    """A board as its player sees it. Cards are texts; in piles and foundations the last card is the top one."""

    stock: int
    hand: str | None
    piles: list[list[str]]
    foundations: list[list[str]]
    redeals: int


class SirTommyBoard(Board):
    """One player's board in a game of the Sir Tommy family."""

    def __init__(self, rules: SirTommyRules, dealt: Deal) -> None:
        super().__init__()
        self.rules = rules
        self.ways = rules.ways
        self.hand: Card | None = None
        self.piles: list[list[Card]] = [[] for _ in range(PILES)]
        self.foundations: list[list[Card]] = [[] for _ in rules.sequences]
        self.redeals_left = rules.redeals
        self._total = sum(map(len, rules.sequences))
        self._deal = dealt
        self._stock = self._lay_out(dealt.first)

    def _lay_out(self, order: Sequence[Card]) -> list[tuple[int, Card]]:
        """Lay the starters out; the rest is the stock: deal position and card, the top card last."""
        stock = []
        for position, card in enumerate(order, start=1):
            begun = self._to_begin_with(card) if self.rules.starters else None
            if begun is None:
                stock.append((position, card))
            else:
                begun.append(card)
        return stock[::-1]

    def _to_begin_with(self, card: Card) -> list[Card] | None:
        """The empty foundation that begins with a card of this rank; None if there is none."""
        for cards, sequence in zip(self.foundations, self.rules.sequences, strict=True):
            if not cards and sequence[0] == rank(card):
                return cards
        return None

    @classmethod
    def from_view(cls, rules: SirTommyRules, view: SirTommyView) -> Self:
        """The board that a view shows, its stock face down.

        A view tells neither deal positions nor how many cards were turned, nor an ending that is not a move:
        `turned` counts from here, `position` and `passed` mean nothing, and who builds it keeps the ending.
        """
        board = cls(rules, Deal((), ()))
        board.hand = None if view.hand is None else parse_card(view.hand)
        board.piles = [[parse_card(text) for text in cards] for cards in view.piles]
        board.foundations = [[parse_card(text) for text in cards] for cards in view.foundations]
        board.redeals_left = view.redeals
        board._stock = [(0, UNKNOWN)] * view.stock
        return board

    def view(self) -> SirTommyView:
        return SirTommyView(
            stock=len(self._stock),
            hand=None if self.hand is None else card_text(self.hand),
            piles=[[card_text(card) for card in cards] for cards in self.piles],
            foundations=[[card_text(card) for card in cards] for cards in self.foundations],
            redeals=self.redeals_left,
        )

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
        return self._total

    @property
    def _has_redealt(self) -> bool:
        """Whether the stock is, or was, that of a redeal."""
        return self.redeals_left < self.rules.redeals

    def next_rank(self, number: int) -> int | None:
        """The rank that foundation `number` (from 1) takes next; None when it is complete."""
        sequence = self.rules.sequences[number - 1]
        height = len(self.foundations[number - 1])
        return sequence[height] if height < len(sequence) else None

    def fitting(self, card: Card) -> list[int]:
        """The numbers of the foundations that a card may go to now."""
        numbers = range(1, len(self.foundations) + 1)
        fits = [number for number in numbers if self.next_rank(number) == rank(card)]
        return fits[:1] if self.rules.leftmost else fits

    def _moves(self) -> list[Move]:
        if self.hand is not None:
            up = [Move(HAND, foundation(number)) for number in self.fitting(self.hand)]
            return up + [Move(HAND, pile(number)) for number in range(1, PILES + 1)]
        moves = []
        for number, cards in enumerate(self.piles, start=1):
            if cards:
                moves += [Move(pile(number), foundation(to)) for to in self.fitting(cards[-1])]
        if self.rules.pile_to_pile:
            numbers = range(1, PILES + 1)
            moves += [
                Move(pile(number), pile(to))
                for number in numbers
                if self.piles[number - 1]
                for to in numbers
                if to != number
            ]
        if self._stock:
            moves.append(TURN)
        elif self.redeals_left:
            moves.append(REDEAL)
        return moves

    def _apply(self, move: Move, card: Card) -> Card | None:
        if move == TURN:
            return self._turn(card)
        if move == REDEAL:
            self._redeal()
        else:
            self._place(move)
        return None

    def _turn(self, card: Card) -> Card:
        """The stock's top card is turned up and is now in hand."""
        if self.hand is not None:
            raise IllegalMove(f"place {card_text(self.hand)} first: a card is in hand", "card-in-hand")
        if not self._stock:
            raise IllegalMove("the stock is empty", "stock-empty")
        self.position, known = self._stock.pop()
        self.hand = card if known == UNKNOWN else known
        self.turned += 1
        self.turned_again += self._has_redealt
        return self.hand

    def _place(self, move: Move) -> None:
        """The card in hand, or a pile's top card, goes to a foundation or a pile."""
        source = self._source(move)
        target = self._target(move, source[-1])
        target.append(source.pop())
        if move.source == HAND:
            self.hand = None

    def _source(self, move: Move) -> list[Card]:
        """The cards that the move takes its card from: it takes the last one."""
        if move.source == HAND:
            if self.hand is None:
                raise IllegalMove("no card is in hand: turn one first", "no-card-in-hand")
            return [self.hand]
        if self.hand is not None:
            raise IllegalMove(f"place {card_text(self.hand)} first: a card is in hand", "card-in-hand")
        cards = self.place(move.source, self.piles)
        if not cards:
            raise IllegalMove(f"pile {move.source.number} is empty", "pile-empty")
        return cards

    def _target(self, move: Move, card: Card) -> list[Card]:
        """The cards that the move puts its card on."""
        if move.target.area is Area.PILE:
            if move.source == move.target:
                raise IllegalMove("source and target are the same pile", "same-place")
            return self.place(move.target, self.piles)
        cards = self.place(move.target, self.foundations)
        fits = self.fitting(card)
        if move.target.number not in fits:
            if self.next_rank(move.target.number) == rank(card):
                raise IllegalMove(f"{card_text(card)} must go to foundation {fits[0]}, the leftmost", "not-leftmost")
            raise IllegalMove(f"{card_text(card)} does not fit foundation {move.target.number}", "does-not-fit")
        return cards

    def _redeal(self) -> None:
        """Gather the piles into a new stock, stacked as the deal's second shuffle says."""
        if self.hand is not None:
            raise IllegalMove(f"place {card_text(self.hand)} first: a card is in hand", "card-in-hand")
        if self._stock:
            raise IllegalMove("there is no redeal before the stock is empty", "stock-not-empty")
        if not self.redeals_left:
            raise IllegalMove("the redeal has been used", "no-redeal-left")
        gathered = {card for cards in self.piles for card in cards}
        shuffled = enumerate(self._deal.second, start=len(self._deal.first) + 1)
        stock = [(position, card) for position, card in shuffled if card in gathered]
        self._stock = stock[::-1] if self._deal.second else [(0, UNKNOWN)] * len(gathered)
        self.piles = [[] for _ in range(PILES)]
        self.redeals_left -= 1

    def _is_stuck(self) -> bool:
        if self.hand is not None or self._stock or self.redeals_left or self.rules.pile_to_pile:
            return False
        return not any(cards and self.fitting(cards[-1]) for cards in self.piles)

    def _passed(self) -> int:
        first_shuffle = len(self._deal.first)
        no_turn_is_open = self.hand is None and not self._stock
        if no_turn_is_open and not self.redeals_left:
            return EVERYTHING
        if no_turn_is_open:
            return first_shuffle
        if self._has_redealt:
            # The first shuffle is over, even before a card of the second is turned.
            return max(first_shuffle, self.position - 1)
        return self.position - 1

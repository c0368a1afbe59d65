"""A second, deliberately naive referee for the Sir Tommy family.

It is written from the text of rules.md alone (sections 1, 2, 4 and 6) and shares nothing with the
engine, so that the two can be played against each other. It is meant to read like the rule book:
everything is a list of card texts, and every answer is worked out again from the board as it lies.

Cards: rank then suit, "Ac", "10s", "Kh".
Moves: "t" turn, "r" redeal, otherwise source and target place: "hp2", "hf1", "p3f1", "p1p2".
"""

from copy import deepcopy
from functools import cache

RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K"
SUITS = "c d h s"
FOUR = [1, 2, 3, 4]

# Section 2: the order in which the ranks of foundations 1, 2, 3 and 4 are built.
ACE_TO_KING = ["A 2 3 4 5 6 7 8 9 10 J Q K"] * 4
ACE_TO_QUEEN = ["A 2 3 4 5 6 7 8 9 10 J Q"] * 4
BY_ONES_TWOS_THREES_FOURS = [
    "A 2 3 4 5 6 7 8 9 10 J Q K",
    "2 4 6 8 10 Q A 3 5 7 9 J K",
    "3 6 9 Q 2 5 8 J A 4 7 10 K",
    "4 8 Q 3 7 J 2 6 10 A 5 9 K",
]
BUILDING_ORDERS = {
    "sir-tommy": ACE_TO_KING,
    "strategy": ACE_TO_KING,
    "numerica": ACE_TO_KING,
    "calculation": BY_ONES_TWOS_THREES_FOURS,
    "puss-in-the-corner": ACE_TO_QUEEN,
}


def rank_of(card: str) -> str:
    """The rank of a card. Suits never matter (section 2)."""
    return card[:-1]


@cache
def cards_of(game: str) -> tuple[str, ...]:
    """The cards a game uses (section 2, column "deck"): 52, without the kings 48."""
    cards = [rank + suit for rank in RANKS.split() for suit in SUITS.split()]
    if game == "puss-in-the-corner":
        return tuple(card for card in cards if rank_of(card) != "K")
    return tuple(cards)


@cache
def building_order(game: str, number: int) -> tuple[str, ...]:
    """Section 2: the ranks that foundation `number` takes, one after the other."""
    return tuple(BUILDING_ORDERS[game][number - 1].split())


class Referee:
    """One board of one player (section 1: nothing a player does touches the other board)."""

    def __init__(self, game: str, deck: list[str], second: list[str], redeal: bool = False) -> None:
        """Lay out the board (section 2): all but the stock is empty unless a variant says not.

        `deck` is the shuffled order of the game's cards, `second` the deal's second shuffle of
        the same cards, `redeal` the house rule of that name.
        """
        if game not in BUILDING_ORDERS:
            raise ValueError(f"unknown game: {game}")
        if sorted(deck) != sorted(cards_of(game)):
            raise ValueError(f"deck is not the {len(cards_of(game))} cards of {game}")
        if sorted(second) != sorted(deck):
            raise ValueError("second is not a shuffle of the same cards")
        self.game = game
        self.second = list(second)
        self.stock: list[str] = list(deck)
        self.hand: str | None = None
        self.piles: list[list[str]] = [[], [], [], []]
        self.foundations: list[list[str]] = [[], [], [], []]
        self.redeal_left: bool = redeal
        if game == "calculation":
            self._lay_out(["A", "2", "3", "4"])
        if game == "puss-in-the-corner":
            self._lay_out(["A", "A", "A", "A"])

    def _lay_out(self, starters: list[str]) -> None:
        """Section 2: the first card of each starter's rank, in shuffled order, starts f1 to f4."""
        for foundation, rank in zip(self.foundations, starters, strict=True):
            starter = next(card for card in self.stock if rank_of(card) == rank)
            self.stock.remove(starter)
            foundation.append(starter)

    def _next_rank(self, number: int) -> str | None:
        """Section 2: the rank that foundation `number` takes next.

        None when the foundation is complete: section 6, in calculation the ace pile must not
        take another ace after its king.
        """
        order = building_order(self.game, number)
        foundation = self.foundations[number - 1]
        if len(foundation) == len(order):
            return None
        return order[len(foundation)]

    def _fitting(self, card: str) -> list[int]:
        """Section 2: the numbers of the foundations that a player may put the card on.

        Numerica, from left to right: only the leftmost of those that the card fits. For an ace
        these are the empty ones.
        """
        rank = rank_of(card)
        fitting = [number for number in FOUR if self._next_rank(number) == rank]
        if self.game == "numerica":
            return fitting[:1]
        return fitting

    def _moves(self) -> set[str]:
        """The table of moves in section 2, whether or not the board is finished."""
        moves: set[str] = set()

        # A card in hand must be placed before anything else is done. Any pile will always do.
        if self.hand is not None:
            for target in self._fitting(self.hand):
                moves.add(f"hf{target}")
            for target in FOUR:
                moves.add(f"hp{target}")
            return moves

        # Turn: no card is in hand and the stock is not empty.
        if self.stock:
            moves.add("t")

        # Redeal: once, when the stock is empty and no card is in hand.
        if self.redeal_left and not self.stock:
            moves.add("r")

        for source in FOUR:
            pile = self.piles[source - 1]
            if not pile:
                continue
            # Pile to foundation: the top card.
            for target in self._fitting(pile[-1]):
                moves.add(f"p{source}f{target}")
            # Pile to pile: only strategy, to any other pile, empty ones included.
            if self.game == "strategy":
                for target in FOUR:
                    if target != source:
                        moves.add(f"p{source}p{target}")
        return moves

    def _do(self, move: str) -> None:
        """Carry out one move of the table in section 2."""
        if move == "t":
            self.hand = self.stock.pop(0)
        elif move == "r":
            gathered = [card for pile in self.piles for card in pile]
            self.stock = [card for card in self.second if card in gathered]
            self.piles = [[], [], [], []]
            self.redeal_left = False
        else:
            self._put(self._take(move[:-2]), move[-2:])

    def _take(self, source: str) -> str:
        """Take the card in hand ("h") or the top card of a pile ("p1" to "p4")."""
        if source == "h":
            assert self.hand is not None
            card = self.hand
            self.hand = None
            return card
        return self.piles[int(source[1]) - 1].pop()

    def _put(self, card: str, target: str) -> None:
        """Put a card on top of a pile ("p1" to "p4") or a foundation ("f1" to "f4")."""
        if target[0] == "p":
            self.piles[int(target[1]) - 1].append(card)
        else:
            self.foundations[int(target[1]) - 1].append(card)

    def count(self) -> int:
        """The count, at the head of rules.md: the cards on the foundations.

        Section 6: from the board's state, and cards laid out before the first turn count.
        """
        return sum(len(foundation) for foundation in self.foundations)

    def status(self) -> str:
        """How the board stands: "solved" (section 1), "stuck" (section 4) or else "playing"."""
        if self.count() == len(cards_of(self.game)):
            return "solved"
        # With a card in hand, a stock that is not empty, or a redeal left: never stuck.
        if self.hand is not None or self.stock or self.redeal_left:
            return "playing"
        # Strategy is never stuck before it is solved.
        if self.game == "strategy":
            return "playing"
        # The others: stuck when no pile's top card fits a foundation.
        if any(self._fitting(pile[-1]) for pile in self.piles if pile):
            return "playing"
        return "stuck"

    def legal(self) -> set[str]:
        """Every legal move (section 2); none once the board is solved or stuck (section 1)."""
        if self.status() != "playing":
            return set()
        return self._moves()

    def play(self, move: str) -> None:
        """Make a legal move. A move that is not legal changes nothing (section 1): ValueError."""
        if move not in self.legal():
            raise ValueError(f"not a legal move: {move}")
        self._do(move)

    def can_gain(self) -> bool:
        """Section 1: whether any sequence of moves can put one more card on a foundation.

        Brute force from the table of moves alone; it does not ask status(), which follows the
        shorter wording of section 4. Strategy has its answer from section 4: yes until solved.
        Only for a board whose stock and hand are empty and that has no redeal left.
        """
        if self.count() == len(cards_of(self.game)):
            return False
        if self.hand is not None or self.stock or self.redeal_left:
            raise ValueError("can_gain is only for boards without stock, hand and redeal")
        if self.game == "strategy":
            return True
        for move in self._moves():
            after = deepcopy(self)
            after._do(move)
            if after.count() > self.count() or after.can_gain():
                return True
        return False

"""A second, deliberately naive referee for the Forty Thieves family.

It is written from the text of rules.md alone (sections 1, 3, 4 and 6) and shares nothing with the
engine, so that the two can be played against each other. It is meant to read like the rule book:
everything is a list of card texts, and every answer is worked out again from the board as it lies.

Cards: rank then suit, "Ac", "10s", "Kh"; there are two of each.
Moves: "t" turn, otherwise source and target place: "wf3", "wc10", "c4f1", "c4c12", and for a group
of cards their number: "c4c12x3".

What the rules leave open is settled like this:

- Foundations 1 and 2 are the clubs', 3 and 4 the diamonds', 5 and 6 the hearts', 7 and 8 the spades'.
- Columns are dealt row by row, from left to right.
- Lucas' aces are taken out of the shuffled order wherever they are, each to the first free foundation
  of its suit; the columns are dealt from the rest.
- Every empty column, and each of two foundations that take a card, is a target of its own. A column of
  which every card may move may go to an empty column, though that gains nothing.
- In Josephine any properly built tail of a column may move, not only the longest.
"""

from functools import cache
from itertools import pairwise

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
ONE_HIGHER = dict(pairwise(RANKS))
RED = "dh"

COLUMNS_AND_ROWS = {
    "forty-thieves": (10, 4),
    "lucas": (13, 3),
    "limited": (12, 3),
    "maria": (9, 4),
    "josephine": (10, 4),
}
SUITS_OF_FOUNDATIONS = "ccddhhss"

Lying = tuple[tuple[str, ...], ...]


def rank_of(card: str) -> str:
    return card[:-1]


def suit_of(card: str) -> str:
    return card[-1]


def two_decks() -> list[str]:
    """Section 3: two decks shuffled together, 104 cards."""
    return [rank + suit for rank in RANKS for suit in "cdhs"] * 2


@cache
def is_one_rank_higher(higher: str, lower: str) -> bool:
    """The ranks of rules.md: ace low, no wrap-around, so that nothing is higher than a king."""
    return ONE_HIGHER.get(lower[:-1]) == higher[:-1]


@cache
def may_lie_on(game: str, lower: str, higher: str) -> bool:
    """Section 3: columns are built down in the same suit, Maria's in alternating colours."""
    if not is_one_rank_higher(higher, lower):
        return False
    if game == "maria":
        return (suit_of(lower) in RED) != (suit_of(higher) in RED)
    return suit_of(lower) == suit_of(higher)


class FortyThievesReferee:
    """One board of one player (section 1: nothing a player does touches the other board)."""

    def __init__(self, game: str, deck: list[str], options: set[str]) -> None:
        """Lay out the board (section 3). `deck` is the shuffled order of the 104 cards."""
        if game not in COLUMNS_AND_ROWS:
            raise ValueError(f"unknown game: {game}")
        if sorted(deck) != sorted(two_decks()):
            raise ValueError("deck is not the cards of two decks")
        if not options <= {"peek", "groups"}:
            raise ValueError(f"unknown option among {options}")
        self.game = game
        self.options = options
        self.stock: list[str] = list(deck)
        self.waste: list[str] = []
        self.foundations: list[list[str]] = [[] for _ in SUITS_OF_FOUNDATIONS]
        if game == "lucas":
            for ace in [card for card in deck if rank_of(card) == "A"]:
                self.stock.remove(ace)
                self.foundations[self._fitting(ace)[0] - 1].append(ace)
        columns, rows = COLUMNS_AND_ROWS[game]
        self.columns: list[list[str]] = [[] for _ in range(columns)]
        for _ in range(rows):
            for column in self.columns:
                column.append(self.stock.pop(0))

    def _fitting(self, card: str) -> list[int]:
        """Section 3: the numbers of the foundations that take the card.

        An ace goes on an empty foundation, else the next rank on the same suit.
        """
        fitting = []
        for number, suit in enumerate(SUITS_OF_FOUNDATIONS, start=1):
            if suit == suit_of(card):
                cards = self.foundations[number - 1]
                if is_one_rank_higher(card, cards[-1]) if cards else rank_of(card) == "A":
                    fitting.append(number)
        return fitting

    def _takers(self, card: str) -> list[int]:
        """Section 3: the numbers of the columns that take the card; an empty one takes any."""
        return [
            number
            for number, column in enumerate(self.columns, start=1)
            if not column or may_lie_on(self.game, card, column[-1])
        ]

    def _is_properly_built(self, cards: list[str]) -> bool:
        return all(may_lie_on(self.game, lower, higher) for higher, lower in pairwise(cards))

    def _most_cards(self, target: int) -> int:
        """Section 3: the most cards that may go at once from one column to the column `target`.

        One; with the option `groups` 2^e and 2^(e - 1) with e empty columns; in Josephine any number.
        """
        if self.game == "josephine":
            return 13
        if "groups" not in self.options:
            return 1
        empty = sum(not column for column in self.columns)
        most: int = 2**empty
        return most if self.columns[target - 1] else most // 2

    def _moves(self) -> set[str]:
        """The table of moves in section 3, whether or not the board is finished."""
        moves: set[str] = set()

        # Turn: the stock is not empty. It is passed through once.
        if self.stock:
            moves.add("t")

        # The top card of the waste, and the last card of each column.
        ends = {"w": self.waste} | {f"c{number}": column for number, column in enumerate(self.columns, start=1)}
        for source, cards in ends.items():
            if not cards:
                continue
            for foundation in self._fitting(cards[-1]):
                moves.add(f"{source}f{foundation}")
            for target in self._takers(cards[-1]):
                moves.add(f"{source}c{target}")

        # More than one card of a column, on the terms of the highest of them.
        for number, column in enumerate(self.columns, start=1):
            for length in range(2, len(column) + 1):
                tail = column[-length:]
                if not self._is_properly_built(tail):
                    break
                for target in self._takers(tail[0]):
                    if length <= self._most_cards(target):
                        moves.add(f"c{number}c{target}x{length}")
        return moves

    def _do(self, move: str) -> None:
        """Carry out one move of the table in section 3."""
        if move == "t":
            self.waste.append(self.stock.pop(0))
            return
        places, _, length = move.partition("x")
        area = "f" if "f" in places else "c"
        source, _, target = places.rpartition(area)
        cards = self.waste if source == "w" else self.columns[int(source[1:]) - 1]
        moving = cards[-int(length or 1) :]
        del cards[-len(moving) :]
        (self.foundations if area == "f" else self.columns)[int(target) - 1].extend(moving)

    def count(self) -> int:
        """The count, at the head of rules.md: the cards on the foundations, Lucas' aces too."""
        return sum(len(foundation) for foundation in self.foundations)

    def can_gain(self, budget: int | None = None) -> bool | None:
        """Section 4: whether anything the player could still reach has a foundation move.

        Every position that can be reached is looked at, but of those that differ only in the order of
        the columns, one. With a budget, None where that many positions did not give the answer.
        Only for a board whose stock is empty.
        """
        if self.stock:
            raise ValueError("can_gain is only for boards without stock")
        reached = {self._lying()}
        waiting = [self]
        for here in waiting:
            moves = here._moves()
            if any("f" in move for move in moves):
                return True
            for move in moves:
                there = here._after(move)
                if there._lying() in reached:
                    continue
                if len(reached) == budget:
                    return None
                reached.add(there._lying())
                waiting.append(there)
        return False

    def _lying(self) -> tuple[tuple[str, ...], Lying]:
        """The waste, and the columns in no matter what order."""
        return tuple(self.waste), tuple(sorted(tuple(column) for column in self.columns))

    def _after(self, move: str) -> "FortyThievesReferee":
        """Another board, on which the move has been made."""
        after = FortyThievesReferee.__new__(FortyThievesReferee)
        after.game, after.options = self.game, self.options
        after.stock, after.waste = list(self.stock), list(self.waste)
        after.columns = [list(column) for column in self.columns]
        after.foundations = [list(foundation) for foundation in self.foundations]
        after._do(move)
        return after

    def status(self, budget: int | None = None) -> str:
        """How the board stands: "solved" (section 1), "stuck" (section 4) or else "playing".

        With a budget: playing also where the search for that many positions gave no answer.
        """
        if self.count() == len(two_decks()):
            return "solved"
        # With a stock that is not empty: never stuck.
        if self.stock:
            return "playing"
        return "stuck" if self.can_gain(budget) is False else "playing"

    def legal(self, budget: int | None = None) -> set[str]:
        """Every legal move (section 3); none once the board is solved or stuck (section 1)."""
        if self.status(budget) != "playing":
            return set()
        return self._moves()

    def play(self, move: str, budget: int | None = None) -> None:
        """Make a legal move. A move that is not legal changes nothing (section 1): ValueError."""
        if move not in self.legal(budget):
            raise ValueError(f"not a legal move: {move}")
        self._do(move)

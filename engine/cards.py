"""Cards: small integers inside, text such as "7h", "10s" or "Ac" at the edge.

A card is `4 * (rank - 1) + suit`, with rank 1 (ace) to 13 (king) and suit 0 to 3 (clubs, diamonds, hearts,
spades). Where two decks are in play the same number simply occurs twice.
"""

from engine.errors import BadCard

Card = int

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("c", "d", "h", "s")
ACE, QUEEN, KING = 1, 12, 13

UNKNOWN: Card = -1
"""A card lying face down, in the eyes of somebody who may not see it."""

DECK: tuple[Card, ...] = tuple(range(52))
"""One deck in its order before any shuffle: Ac Ad Ah As 2c ... Ks."""

_TEXTS = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARDS = {text: card for card, text in enumerate(_TEXTS)}


def rank(card: Card) -> int:
    """1 for an ace to 13 for a king."""
    return card // 4 + 1


def suit(card: Card) -> int:
    """0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card % 4


def card_of(rank: int, suit: int) -> Card:
    """The card of this rank and suit."""
    return 4 * (rank - 1) + suit


def is_red(card: Card) -> bool:
    """Whether the card is a diamond or a heart."""
    return suit(card) in (1, 2)


def card_text(card: Card) -> str:
    """The card as text, "7h"; a card not seen is "??"."""
    return _TEXTS[card] if card >= 0 else "??"


def parse_card(text: str) -> Card:
    """The card a text names. Raises `BadCard`."""
    try:
        return _CARDS[text]
    except KeyError:
        raise BadCard(f"{text!r} is not a card: cards are written like Ac, 7h or 10s") from None

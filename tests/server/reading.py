"""A second reading of the design's words on what a board has passed (point 4): from the deal and the log alone.

Nothing here is asked of a board but what lies open before the first turn, so that no mistake in the engine's own
counting of positions can be repeated here.
"""

from collections import Counter

from engine.board import ENDINGS, EVERYTHING
from engine.cards import Card, parse_card
from engine.deal import Deal
from engine.forty_thieves import FortyThievesView
from engine.games import variant


class Reading:
    """How far a board has come. It takes the entries one after the other, with the cards that they turned."""

    def __init__(self, spelling: str, dealt: Deal) -> None:
        chosen = variant(spelling)
        view = chosen.board(dealt).view()
        lying_open = view.columns if isinstance(view, FortyThievesView) else []
        laid_out = Counter(parse_card(text) for cards in (*lying_open, *view.foundations) for text in cards)
        self.dealt = dealt
        self.place = 0
        """The place that the newest entry belongs to."""
        self._coming: list[int] = []
        """The places in the first shuffle of the cards still to be turned."""
        for place, card in enumerate(dealt.first, start=1):
            if laid_out[card]:
                laid_out[card] -= 1
            else:
                self._coming.append(place)
        self._left = len(self._coming)
        self._up = sum(map(len, view.foundations))
        self._may_redeal = "redeal" in chosen.options
        self.redealt = False
        """Whether the redeal has been made."""
        self._has_hand = not isinstance(view, FortyThievesView)
        self._holds = False
        self._ended = False

    def take(self, entry: str, card: Card | None) -> None:
        """Read the next entry."""
        first, second = self.dealt
        self._ended = entry in ENDINGS
        if entry == "t":
            assert card is not None
            self.place = len(first) + 1 + second.index(card) if self.redealt else self._coming.pop(0)
            self._left -= 1
            self._holds = self._has_hand
        elif entry == "r":
            self._may_redeal, self.redealt = False, True
            self._left = len(first) - self._up
        elif not self._ended:
            self._holds = False
            self._up += "f" in entry

    @property
    def passed(self) -> int:
        """The last place that the board has passed."""
        first = len(self.dealt.first)
        if self._ended or self._up == first:
            return EVERYTHING
        if not self._left and not self._holds:
            return first if self._may_redeal else EVERYTHING
        return max(first if self.redealt else -1, self.place - 1)

    @property
    def is_between_shuffles(self) -> bool:
        """Whether the whole first shuffle is passed, and something of the second is not."""
        return len(self.dealt.first) <= self.passed < EVERYTHING

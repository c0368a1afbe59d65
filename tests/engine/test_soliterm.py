"""The engine against an outside referee: soliterm's Forty Thieves (PyPI, MIT), in positions of random play.

Both play the same deal move by move; in every position our legal single-card moves are its, and the cards lie alike.
Its rules differ from ours in four points, which the comparison takes into account:

- An empty foundation takes any ace there, so that the suits lie in any order; ours belong to a suit each, two to two.
  Its foundations are given our numbers as they are begun, and all its empty ones stand for those of ours that are
  empty and of the ace's suit.
- A sequence of one suit may go up to a foundation in one move there; with us cards go up one by one.
- Sequences move over the empty columns there as with our option `groups`, whose limits are compared too.
- A move that starts on a foundation is left out: versions that have any allow what ours do not.

Of how a board ends only the solved one is compared: "stuck" means there that no move is left at all.
"""

from random import Random

import pytest
from soliterm.engine import Card as TheirCard
from soliterm.engine import Solitaire, new_solitaire

from engine.board import Status
from engine.cards import Card, rank, suit
from engine.forty_thieves import FortyThievesBoard
from tests.engine.habits import HABITS
from tests.engine.layouts import fresh, laid_out, near_the_end
from tests.engine.positions import dealt

POSITIONS = 10_000
LONGEST = 120


def theirs(card: Card) -> TheirCard:
    return TheirCard(rank(card), "CDHS"[suit(card)], face_up=True)


class Soliterm:
    """Its board beside ours, and its places by our names."""

    def __init__(self, board: FortyThievesBoard) -> None:
        self.game: Solitaire = new_solitaire("fortythieves", 1)
        self.stock, self.waste = self.game.ids_of("stock")[0], self.game.ids_of("waste")[0]
        self.columns = self.game.ids_of("tableau")
        begun = [number for number, cards in enumerate(board.foundations, start=1) if cards]
        self.foundations = dict(zip(self.game.ids_of("foundation"), begun, strict=False))
        """Our number for each of its foundations that is begun."""
        for slot, cards in self.cards(board).items():
            self.game.slots[slot].cards[:] = cards

    def cards(self, board: FortyThievesBoard) -> dict[int, list[TheirCard]]:
        """How the cards of our board have to lie on its places."""
        foundations = {slot: board.foundations[number - 1] for slot, number in self.foundations.items()}
        places = {self.waste: board.waste, **dict(zip(self.columns, board.columns, strict=True)), **foundations}
        face_down = [theirs(card).up(face_up=False) for _, card in board._stock]
        return {self.stock: face_down} | {slot: list(map(theirs, cards)) for slot, cards in places.items()}

    def places(self, board: FortyThievesBoard, slot: int, card: Card) -> list[str]:
        """Our names for one of its places, as the target of a card."""
        if slot == self.waste:
            return ["w"]
        if slot in self.columns:
            return [f"c{self.columns.index(slot) + 1}"]
        if slot in self.foundations:
            return [f"f{self.foundations[slot]}"]
        pair = (2 * suit(card) + 1, 2 * suit(card) + 2)
        return [f"f{number}" for number in pair if not board.foundations[number - 1]]

    def moves(self, board: FortyThievesBoard) -> set[str]:
        """Its legal moves in our notation, but for those that no rule of ours is about."""
        moves = {"t"} if self.game.can_deal() else set()
        for source, target, cards in self.game.legal_moves():
            to_foundation = self.game.kind(target) == "foundation"
            if self.game.kind(source) == "foundation" or (to_foundation and cards > 1):
                continue
            place = self.places(board, source, 0)[0]
            card = (board.waste if place == "w" else board.columns[int(place[1:]) - 1])[-1]
            group = f"x{cards}" if cards > 1 else ""
            moves |= {f"{place}{name}{group}" for name in self.places(board, target, card)}
        return moves

    def play(self, move: str) -> None:
        """Make one of our moves there."""
        if move == "t":
            assert self.game.deal()
            return
        places, _, cards = move.partition("x")
        area = "f" if "f" in places else "c"
        source, _, number = places.rpartition(area)
        target = self.columns[int(number) - 1] if area == "c" else self._foundation(int(number))
        slot = self.waste if source == "w" else self.columns[int(source[1:]) - 1]
        assert self.game.attempt_move(slot, target, int(cards or 1))

    def _foundation(self, number: int) -> int:
        """Its foundation with our number; the first that is not begun, if ours is not."""
        for slot in self.game.ids_of("foundation"):
            if self.foundations.setdefault(slot, number) == number:
                return slot
        raise AssertionError("it has no foundation left")


@pytest.mark.parametrize("spelling", ["forty-thieves", "forty-thieves+groups"])
def test_our_legal_moves_are_soliterms_in_ten_thousand_positions(spelling: str) -> None:
    compared = seed = 0
    while compared < POSITIONS // 2:
        seed += 1
        chance = Random(seed)
        late = laid_out(spelling, near_the_end(spelling, chance))
        board = fresh(spelling, dealt(spelling, seed)) if seed % 3 == 0 else late
        soliterm = Soliterm(board)
        for _ in range(LONGEST):
            moves = soliterm.moves(board)
            groups = {move for move in moves if "x" in move}
            ours = {str(move) for move in board._moves()}
            assert ours == (moves if spelling.endswith("groups") else moves - groups)
            for slot, cards in soliterm.cards(board).items():
                assert soliterm.game.cards(slot) == cards
            compared += 1
            legal = board.legal_moves()
            if not legal:
                break
            move = str(HABITS[seed % len(HABITS)](legal, chance))
            board.enter(move)
            soliterm.play(move)
        assert soliterm.game.is_won() == (board.status is Status.SOLVED)

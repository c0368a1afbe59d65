"""The costliest positions that could be constructed: a made-up deal of Josephine, and a player who makes the most of it.

Once the stock is empty, the server has to find out after every move whether the board is stuck. In this deal the columns
are runs of a suit that can be laid together and apart again in very many ways, the aces lie below everything else on the
waste, and over them are cards that fit nowhere: so the search looks at up to 20,000 positions each time, and finds no
ace. The order of the cards was found by changing it a little, again and again, as long as the searches along random
moves became dearer. In a real server nobody can choose the deal; there a player can play many, and go on with the worst.
"""

import random
from collections.abc import Iterable, Sequence

from bench.racer import Seat
from engine.cards import Card, parse_card
from engine.deal import Deal, deal
from engine.forty_thieves import FortyThievesBoard
from engine.moves import Area, Move

GAME = "josephine"
_DECK = """
Kc 9c Kc 9c Kd 9d Kd 9d Kh 9h Qc 8c Qc 8c Qd 8d 2d 8d Qh 8h
Jc 7c Jc 7c Jd 7d 6d 7d Jh 7h 10c 6c 10c 6c 10d Jd 2h 6d 10h 6h
Ac Ad Ah As Ac Ad Ah As Ks Kh Ks Qs Qh Qs Js Jh Js 10s 10h 10s 9s 9h 9s 8s 8h 8s 7s 7h 7s 6s 6h 6s
5c 5d 5h 5s 5c 5d 5h 5s 4c 4d 4h 4s 4c 4d 4h 4s 3c 3d 3h 3s 3c 3d 3h 3s 2c Qd 2h 2s 2c 2d 10d 2s
"""
ORDER = tuple(map(parse_card, _DECK.split()))

Columns = tuple[bytes, ...]
"""In which order columns lie makes no difference to what has to be thought about."""


def costly_deal(cards: Sequence[Card], secret: bytes, nonces: Sequence[bytes], match: str) -> Deal:
    """What is dealt instead of a fair shuffle, where there are two decks."""
    return Deal(ORDER, ORDER) if len(cards) == len(ORDER) else deal(cards, secret, nonces, match)


class Thinker:
    """Has the server think: moves as soon as the last move is answered, and to where no thinker's board has been."""

    def __init__(self, seat: Seat, been: set[Columns], seed: int) -> None:
        """`been` is where the boards of all thinkers have been: what the server has found out once, it remembers."""
        self.seat = seat
        self.goes_on = False
        self._been = been
        self._chance = random.Random(seed)
        been.add(_columns(self._board.columns))
        seat.on_answer = lambda _: self._go_on()

    @property
    def idle(self) -> bool:
        """Whether everything has been answered, and the stock is empty."""
        return self.seat.answered == self.seat.sent and not self._board.stock

    def turn(self) -> None:
        """Turn the whole stock: there is nothing to think about before that."""
        self.seat.move("t")

    def move(self) -> None:
        """Make a move that has to be thought about."""
        self.seat.move(str(self._choice()))

    def _go_on(self) -> None:
        if self._board.stock:
            self.turn()
        elif self.goes_on:
            self.move()

    @property
    def _board(self) -> FortyThievesBoard:
        assert isinstance(self.seat.board, FortyThievesBoard)
        return self.seat.board

    def _choice(self) -> Move:
        """A move that can be taken back, so that the board never comes to its end: to a new place, if there is one."""
        moves = [move for move in self._board.legal_moves() if self._goes_back(move)]
        self._chance.shuffle(moves)
        chosen = next((move for move in moves if self._after(move) not in self._been), moves[0])
        self._been.add(self._after(chosen))
        return chosen

    def _goes_back(self, move: Move) -> bool:
        """Whether the cards come from a column, and could lie there again."""
        if move.source.area is not Area.COLUMN or move.target.area is not Area.COLUMN:
            return False
        left = self._board.columns[move.source.number - 1][: -move.cards]
        moved = self._board.columns[move.source.number - 1][-move.cards]
        return not left or self._board.rules.builds(moved, left[-1])

    def _after(self, move: Move) -> Columns:
        """The columns after a move."""
        columns = [bytes(cards) for cards in self._board.columns]
        source, target = move.source.number - 1, move.target.number - 1
        columns[target] += columns[source][-move.cards :]
        columns[source] = columns[source][: -move.cards]
        return _columns(columns)


def _columns(columns: Iterable[Iterable[Card]]) -> Columns:
    return tuple(sorted(map(bytes, columns)))

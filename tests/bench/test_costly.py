"""The deal that is made up to cost much thought does, and its players go on for ever."""

from bench.costly import GAME, ORDER, Thinker, costly_deal
from bench.engine_speed import Counted
from bench.racer import Racer, Seat
from engine.board import Status
from engine.forty_thieves import FortyThievesBoard
from engine.games import variant
from engine.stuck import BUDGET

NONCES = bytes(16), bytes(16)


class Silent(Seat):
    """A seat whose moves go no further than its own board, which stays as it is told: playing."""

    def __init__(self) -> None:
        super().__init__(Racer(), "nowhere")
        self.board = variant(GAME).board(costly_deal(variant(GAME).cards, bytes(32), NONCES, "nowhere"))

    def move(self, text: str) -> None:
        assert self.board is not None
        self.sent += 1
        self.board.retrace(text)
        self.board.settle(Status.PLAYING)


def searched(board: FortyThievesBoard) -> int:
    """How many positions are looked at to find out whether the board is stuck."""
    search = Counted(len(board.columns), board._lies_on, whole_sequences=board.rules.whole_sequences)
    assert not search.proves(board.columns, board.waste, board._wanted())
    return search.looked_at


def test_the_deal_is_one_of_two_whole_decks() -> None:
    assert sorted(ORDER) == sorted(variant(GAME).cards)


def test_other_games_are_dealt_as_ever() -> None:
    cards = variant("sir-tommy").cards
    one, other = (costly_deal(cards, secret, NONCES, "match") for secret in (bytes(32), bytes(31) + b"1"))
    assert sorted(one.first) == sorted(cards)
    assert one != other


def test_thinkers_have_almost_as_much_searched_as_there_may_be_and_never_the_same() -> None:
    been: set[tuple[bytes, ...]] = set()
    for seed in (1, 2):
        seat = Silent()
        board = seat.board
        assert isinstance(board, FortyThievesBoard)
        thinker = Thinker(seat, been, seed)
        while board.stock:
            thinker.turn()
        before = len(been)
        for _ in range(30):
            thinker.move()
        assert len(been) == before + 30
        assert searched(board) > 0.9 * BUDGET


def test_a_thinker_goes_on_until_it_is_told_to_stop() -> None:
    seat = Silent()
    thinker = Thinker(seat, set(), 1)
    thinker.turn()
    for turned in range(2, 65):
        seat.on_answer(seat)
        assert seat.sent == turned
    seat.on_answer(seat)
    assert seat.sent == 64
    thinker.goes_on = True
    seat.on_answer(seat)
    assert seat.sent == 65
    thinker.goes_on = False
    seat.on_answer(seat)
    assert seat.sent == 65

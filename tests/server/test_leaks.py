"""The test of non-interference has eyes: a server that shows too much is caught, in every game that it could."""

from collections.abc import Callable, Sequence

import pytest
from _pytest.mark import ParameterSet
from msgspec.structs import replace

import server.seat
from engine.board import EVERYTHING, Board
from engine.forty_thieves import FortyThievesBoard, FortyThievesView
from engine.games import variant
from engine.sight import Live, shown
from engine.sir_tommy import SirTommyBoard
from protocol.messages import BoardState, Moved, Progress
from server.seat import Seat
from tests.server.comparing import MATCHES, compare
from tests.server.desk import spellings

Leak = Callable[..., object]


def everything(positions: Sequence[int], _passed: int) -> int:
    return len(positions)


def one_turn_more(positions: Sequence[int], passed: int) -> int:
    return shown(positions, passed + 1)


def a_fixed_delay(positions: Sequence[int], _passed: int) -> int:
    return max(0, len(positions) - 12)


def live_count(self: Seat) -> Progress:
    return replace(honest_progress(self), count=self.last.count)


def all_turns_live(board: Board) -> Live:
    return Live(board.turned, board.finished)


def peek_in_moves(self: Seat, number: int, re: int | None = None, *, own: bool = False) -> Moved:
    return honest_moved(self, number, re, own=True)


def peek_in_boards(self: Seat) -> BoardState:
    told = honest_shown_board(self)
    if isinstance(told.view, FortyThievesView):
        told.view.peek = self._shadow.peek
    return told


def places_among_the_gathered(self: SirTommyBoard) -> None:
    honest_redeal(self)
    first = len(self._deal.first)
    self._stock = [(first + place, card) for place, (_, card) in enumerate(self._stock[::-1], start=1)][::-1]


def everything_of_the_second_shuffle(first: int) -> Leak:
    """All is shown to who has passed the first shuffle."""

    def everything_past_the_first(positions: Sequence[int], passed: int) -> int:
        return len(positions) if passed >= first else shown(positions, passed)

    return everything_past_the_first


def everything_once_the_stock_was_empty(self: SirTommyBoard) -> int:
    passed = honest_passed(self)
    return EVERYTHING if passed >= len(self._deal.first) else passed


def the_turn_begun(self: SirTommyBoard) -> int:
    return max(honest_passed(self), self.position)


def the_turn_begun_on_columns(self: FortyThievesBoard) -> int:
    return max(honest_passed_on_columns(self), self.position)


honest_progress, honest_moved, honest_shown_board = Seat.progress, Seat.moved, Seat.shown_board
honest_redeal, honest_passed, honest_passed_on_columns = (
    SirTommyBoard._redeal,
    SirTommyBoard._passed,
    FortyThievesBoard._passed,
)

PEEKS = [spelling for spelling in spellings() if "peek" in spelling]
REDEALS = [spelling for spelling in spellings() if "redeal" in spelling]

LEAKS: list[tuple[object, str, object, list[str]]] = [
    (server.seat, "shown", everything, ["sir-tommy", "lucas+peek"]),
    (server.seat, "shown", one_turn_more, ["sir-tommy", "lucas+peek"]),
    (server.seat, "shown", a_fixed_delay, ["sir-tommy", "lucas+peek"]),
    (Seat, "progress", live_count, ["sir-tommy", "lucas+peek"]),
    (Seat, "shown_board", Seat.own_board, ["sir-tommy", "lucas+peek"]),
    (Seat, "shown_count", property(lambda self: self.last.count), ["sir-tommy", "lucas+peek"]),
    (Seat, "moved", peek_in_moves, PEEKS),
    (Seat, "shown_board", peek_in_boards, PEEKS),
    (SirTommyBoard, "_passed", the_turn_begun, ["sir-tommy", "calculation"]),
    (FortyThievesBoard, "_passed", the_turn_begun_on_columns, ["forty-thieves", "lucas+peek"]),
]
"""What is put in the place of what, and the games in which it must be found out."""

LATE_LEAKS: list[tuple[object, str, object, list[str]]] = [
    *(
        (server.seat, "shown", everything_of_the_second_shuffle(len(variant(spelling).cards)), [spelling])
        for spelling in REDEALS
    ),
    (server.seat, "shown", one_turn_more, REDEALS),
    (server.seat, "live", all_turns_live, REDEALS),
    (SirTommyBoard, "_redeal", places_among_the_gathered, ["calculation+redeal", "puss-in-the-corner+redeal"]),
    (SirTommyBoard, "_passed", everything_once_the_stock_was_empty, REDEALS),
    (SirTommyBoard, "_passed", the_turn_begun, [each for each in REDEALS if "strategy" not in each]),
]
"""The same for what comes after a redeal. In Strategy a card begun rarely can be another: it soon moves about."""


def cases(leaks: list[tuple[object, str, object, list[str]]]) -> list[ParameterSet]:
    return [
        pytest.param(where, name, leak, spelling, id=f"{name} {getattr(leak, '__name__', 'live')} {spelling}")
        for where, name, leak, spellings in leaks
        for spelling in spellings
    ]


@pytest.mark.parametrize(("where", "name", "leak", "spelling"), cases(LEAKS))
def test_a_server_that_shows_too_much_is_caught(
    where: object, name: str, leak: object, spelling: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, leak)
    assert any(compare(spelling, seed).different for seed in range(MATCHES))


@pytest.mark.parametrize(("where", "name", "leak", "spelling"), cases(LATE_LEAKS))
def test_a_server_that_shows_too_much_after_a_redeal_is_caught(
    where: object, name: str, leak: object, spelling: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, leak)
    assert any(compare(spelling, seed, late=True).different for seed in range(MATCHES))

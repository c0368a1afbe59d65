"""Nobody sees ahead (design.md, point 4), down to the bytes.

The test is non-interference. A whole match is played; at some moment everything that one player and the spectators have
been sent about the other board is set beside what they are sent in a second world, where the cards that the player has
not passed yet are others. The second world's other player makes the same moves, or quite different ones with these
cards; only how many cards are turned, and when, and whether the board is finished, stays the same. Every byte must be.
"""

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace

import server.seat
from engine.forty_thieves import FortyThievesView
from protocol.messages import BoardState, Moved, Progress
from server.seat import Seat
from server.sight import shown
from tests.server.desk import spellings
from tests.server.worlds import compare


@pytest.mark.parametrize("spelling", spellings())
def test_not_a_byte_depends_on_what_the_other_player_has_still_to_come_to(spelling: str) -> None:
    matches = 8 if "+" in spelling else 12
    outcomes = [compare(spelling, seed) for seed in range(matches)]
    assert [seed for seed, outcome in enumerate(outcomes) if outcome.different] == []
    assert sum(outcome.with_other_cards for outcome in outcomes) >= matches // 2
    assert sum(outcome.with_other_moves for outcome in outcomes) >= matches // 2


def everything(positions: Sequence[int], _passed: int) -> int:
    return len(positions)


def one_turn_more(positions: Sequence[int], passed: int) -> int:
    return shown(positions, passed + 1)


def a_fixed_delay(positions: Sequence[int], _passed: int) -> int:
    return max(0, len(positions) - 12)


def live_count(self: Seat) -> Progress:
    return replace(honest_progress(self), count=self.last.count)


honest_progress = Seat.progress


def peek_for_all(self: Seat, number: int, re: int | None = None, *, own: bool = False) -> Moved:
    return honest_moved(self, number, re, own=True)


def board_with_peek(self: Seat) -> BoardState:
    told = honest_shown_board(self)
    if isinstance(told.view, FortyThievesView):
        told.view.peek = self.board.peek if self.board else None
    return told


honest_moved, honest_shown_board = Seat.moved, Seat.shown_board

LEAKS: list[tuple[object, str, Callable[..., object]]] = [
    (server.seat, "shown", everything),
    (server.seat, "shown", one_turn_more),
    (server.seat, "shown", a_fixed_delay),
    (Seat, "progress", live_count),
    (Seat, "shown_board", Seat.own_board),
    (Seat, "shown_count", property(lambda self: self.last.count)),  # type: ignore[list-item]
]


@pytest.mark.parametrize(("where", "name", "leak"), LEAKS, ids=lambda part: getattr(part, "__name__", None))
def test_a_server_that_shows_too_much_is_caught(
    where: object, name: str, leak: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, leak)
    assert any(compare("sir-tommy", seed).different for seed in range(16))
    assert any(compare("lucas+peek", seed).different for seed in range(16))


@pytest.mark.parametrize(("name", "leak"), [("moved", peek_for_all), ("shown_board", board_with_peek)])
def test_a_server_that_shows_the_next_card_of_the_stock_is_caught(
    name: str, leak: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Seat, name, leak)
    assert any(compare("forty-thieves+peek", seed).different for seed in range(24))

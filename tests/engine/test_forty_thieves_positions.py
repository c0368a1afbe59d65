"""Deal positions of the Forty Thieves family, and what a board has passed (design, point 4)."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from engine.board import ENDINGS, EVERYTHING
from engine.cards import rank
from tests.engine.habits import Play, play, plays
from tests.engine.layouts import Layout, after, forty_thieves, fresh, laid_out, rules_of, stacked
from tests.engine.positions import dealt


@given(forty_thieves, st.integers(0, 2**32 - 1), plays, st.sampled_from([None, *ENDINGS]))
def test_a_board_has_passed_the_positions_that_the_design_says_and_never_fewer_than_before(
    spelling: str, seed: int, way: Play, ending: str | None
) -> None:
    cards = dealt(spelling, seed)
    board = fresh(spelling, cards)
    places = [place for place, card in enumerate(cards.first, start=1) if spelling[:5] != "lucas" or rank(card) != 1]
    to_come = places[rules_of(spelling).columns * rules_of(spelling).rows :]
    begun: list[int] = []
    before = board.passed

    def check() -> None:
        assert board.turned == len(begun)
        assert board.position == (begun[-1] if begun else 0)
        passed = {
            position
            for position in range(105)
            if board.finished or not board.stock or any(later > position for later in begun)
        }
        assert {position for position in range(105) if position <= board.passed} == passed
        assert board.passed >= before

    check()
    habit, luck, moves = way
    for move in play(board, habit, Random(luck), moves):
        if str(move) == "t":
            begun.append(to_come[len(begun)])
        check()
        before = board.passed
    if ending is not None and not board.finished:
        board.enter(ending)
        assert board.passed == EVERYTHING
        check()


def test_lucas_aces_keep_their_places_in_the_shuffle_so_that_positions_have_gaps() -> None:
    columns = "2h 2h 3h 3h 4h 4h 5h 5h 6h 6h 7h 7h 8h 8h 9h 9h 10h 10h Jh Jh Qh Qh Kh Kh 2s 2s 3s 3s 4s 4s 5s 5s 6s 6s"
    board = stacked("lucas", f"{columns} 7s 7s 8s 8s 9s 5c Ah Ah 6c")
    assert board.passed < 0
    after(board, "t")
    assert (board.position, board.passed) == (40, 39)
    after(board, "t")
    assert (board.position, board.passed) == (43, 42)


def test_the_last_card_turned_passes_everything() -> None:
    board = laid_out("limited", Layout.of("Ah", stock="Ac"))
    assert board.passed < 0
    assert after(board, "t").passed == EVERYTHING

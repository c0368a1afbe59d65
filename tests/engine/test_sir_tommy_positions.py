"""Deal positions of the Sir Tommy family, and what a board has passed (design, point 4)."""

from hypothesis import given
from hypothesis import strategies as st

from engine.board import ENDINGS, EVERYTHING
from engine.sir_tommy import SirTommyBoard
from tests.engine.positions import (
    choices,
    dealt,
    everything_on_piles,
    fresh,
    play_on,
    played,
    seeds,
    sir_tommy_board,
    spellings,
)


def naively_passed(board: SirTommyBoard, begun: list[int], emptied: bool) -> set[int]:
    """Every position that a board has passed, by the words of the design.

    `begun` are the positions of the turns begun so far; `emptied` is whether the first stock has run out with no card
    in hand, after which only the second shuffle's positions can still be ahead.
    """
    size = board.total
    can_never_turn = board.hand is None and not board.stock and not board.redeals_left
    return {
        position
        for position in range(2 * size + 1)
        if board.finished or can_never_turn or max(begun, default=0) > position or (emptied and position <= size)
    }


@given(spellings, seeds, choices, st.sampled_from([None, *ENDINGS]))
def test_a_board_has_passed_the_positions_that_the_design_says_and_never_fewer_than_before(
    spelling: str, seed: int, ways: bytes, ending: str | None
) -> None:
    cards = dealt(spelling, seed)
    board = sir_tommy_board(spelling, cards)
    size = len(cards.first)
    begun: list[int] = []
    emptied = redealt = False
    before = board.passed
    assert board.position == 0

    def check() -> None:
        assert board.position == (begun[-1] if begun else 0)
        assert {position for position in range(2 * size + 1) if position <= board.passed} == naively_passed(
            board, begun, emptied
        )
        assert board.passed >= before

    check()
    for move in play_on(board, ways):
        if str(move) == "t":
            assert board.hand is not None
            place = (cards.second if redealt else cards.first).index(board.hand) + 1
            begun.append(size + place if redealt else place)
        redealt = redealt or str(move) == "r"
        emptied = emptied or (board.hand is None and not board.stock)
        check()
        before = board.passed
    if ending is not None and not board.finished:
        board.enter(ending)
        assert board.passed == EVERYTHING
        check()


@given(spellings, seeds, choices)
def test_positions_never_decrease_and_turns_are_counted_one_by_one(spelling: str, seed: int, ways: bytes) -> None:
    board = sir_tommy_board(spelling, dealt(spelling, seed))
    position = turned = 0
    for move in play_on(board, ways):
        turned += str(move) == "t"
        assert board.turned == turned
        assert board.position > position if str(move) == "t" else board.position == position
        position = board.position


def test_starters_keep_their_places_in_the_shuffle_so_that_the_first_turn_may_be_at_a_later_one() -> None:
    board = played(fresh("puss-in-the-corner", "As Ah 5c Ac 7d"), "t")
    assert (board.position, board.passed) == (3, 2)
    played(board, "hp1 t")
    assert (board.position, board.passed) == (5, 4)


def test_a_turn_is_passed_when_the_next_one_begins_and_not_when_its_card_is_placed() -> None:
    board = fresh("sir-tommy")
    assert board.passed < 0
    played(board, "t hp1")
    assert board.passed == 0
    played(board, "t")
    assert board.passed == 1


def test_with_a_redeal_to_come_the_first_shuffle_is_passed_and_the_second_is_not() -> None:
    board = everything_on_piles(fresh("sir-tommy+redeal", second="9d Kc 4h"))
    assert board.passed == 52
    played(board, "r")
    assert (board.position, board.passed) == (52, 52)
    played(board, "t hp1")
    assert (board.position, board.passed) == (53, 52)
    played(board, "t hp1")
    assert (board.position, board.passed) == (54, 53)


def test_a_redealt_cards_position_is_its_place_in_the_whole_second_shuffle() -> None:
    board = played(fresh("sir-tommy+redeal", "Ah 2d", second="Ah 9d 2d Kc"), "t hf1 t hf1")
    everything_on_piles(board)
    played(board, "r t hp1 t")
    assert board.position == 52 + 4


def test_without_a_redeal_the_last_card_placed_passes_everything() -> None:
    board = fresh("strategy")
    everything_on_piles(board)
    assert not board.finished
    assert board.passed == EVERYTHING


def test_the_last_card_in_hand_is_still_ahead() -> None:
    board = fresh("strategy")
    while board.stock > 1:
        played(board, "t hp1")
    played(board, "t")
    assert (board.position, board.passed) == (52, 51)

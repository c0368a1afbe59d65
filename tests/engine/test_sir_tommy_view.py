"""The board of somebody who sees only what is shown, in the Sir Tommy family."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import ENDINGS
from engine.cards import UNKNOWN, parse_card
from engine.errors import IllegalMove
from engine.games import variant
from engine.moves import parse_move
from tests.engine.positions import NOTATION, all_of, board_after, choices, chosen, fresh, played, seeds, spellings


@given(spellings, seeds, choices, st.integers(0, 280), st.sampled_from([None, *ENDINGS]))
def test_a_board_made_from_a_view_and_told_the_turned_cards_always_shows_what_the_true_one_shows(
    spelling: str, seed: int, ways: bytes, start: int, ending: str | None
) -> None:
    board = board_after(spelling, seed, ways[:start])
    mirror = variant(spelling).board_from(board.view())

    def enter(entry: str) -> None:
        card = board.enter(entry)
        assert mirror.enter(entry, UNKNOWN if card is None else card) == card

    def check() -> None:
        assert mirror.view() == board.view()
        assert (mirror.status, mirror.count, mirror.total) == (board.status, board.count, board.total)
        assert mirror.legal_moves() == board.legal_moves()

    check()
    for byte in ways[start:]:
        if board.finished:
            return
        enter(str(chosen(byte, board.legal_moves())))
        check()
    if ending is not None and not board.finished:
        enter(ending)
        check()


def test_a_board_made_from_a_view_refuses_what_the_true_one_refuses() -> None:
    board = played(fresh("numerica", "Ah As"), "t hp1 t")
    mirror = variant("numerica").board_from(board.view())
    known = all_of(mirror)
    for text in set(NOTATION) - {str(move) for move in board.legal_moves()}:
        with pytest.raises(IllegalMove) as refused:
            board.enter(text)
        with pytest.raises(IllegalMove) as mirrored:
            mirror.enter(text)
        assert (mirrored.value.code, str(mirrored.value)) == (refused.value.code, str(refused.value))
        assert all_of(mirror) == known


def test_a_card_turned_unseen_is_face_down_in_the_hand_and_fits_nothing() -> None:
    mirror = variant("sir-tommy").board_from(fresh("sir-tommy").view())
    assert mirror.apply(parse_move("t")) == UNKNOWN
    assert mirror.view().hand == "??"
    assert [str(move) for move in mirror.legal_moves()] == ["hp1", "hp2", "hp3", "hp4"]


def test_the_card_that_a_board_knows_counts_and_not_the_one_it_is_told() -> None:
    board = fresh("sir-tommy", "7h")
    assert board.enter("t", parse_card("Ks")) == parse_card("7h")

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadMove, IllegalMove
from engine.moves import HAND, REDEAL, TURN, Area, Move, Place, foundation, parse_move, pile
from tests.engine.positions import NOTATION, all_of, played, sir_tommy_board, stacked


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("t", TURN),
        ("r", REDEAL),
        ("hf2", Move(HAND, foundation(2))),
        ("hp3", Move(HAND, pile(3))),
        ("p3f1", Move(pile(3), foundation(1))),
        ("p1p2", Move(pile(1), pile(2))),
    ],
)
def test_a_move_is_written_as_where_from_and_where_to(text: str, move: Move) -> None:
    assert parse_move(text) == move
    assert str(move) == text


def test_every_move_of_the_notation_is_written_as_it_was_read() -> None:
    assert [str(parse_move(text)) for text in NOTATION] == NOTATION


def test_different_texts_are_different_moves() -> None:
    assert len({parse_move(text) for text in NOTATION}) == len(NOTATION)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "T",
        "tt",
        "t ",
        " t",
        "h",
        "hp",
        "hp0",
        "hp10",
        "hf",
        "hh1",
        "p1",
        "p0f1",
        "p1f0",
        "f1p1",
        "p1h",
        "hp1\n",
        "hp\N{ARABIC-INDIC DIGIT ONE}",
        "stand",
        "undo",
    ],
)
def test_a_text_that_is_nearly_a_move_is_none(text: str) -> None:
    with pytest.raises(BadMove) as caught:
        parse_move(text)
    assert caught.value.code == "bad-move"


@given(st.text() | st.text("thprf123456789", max_size=5))
def test_a_text_is_a_move_of_the_notation_or_a_bad_move_and_raises_nothing_else(text: str) -> None:
    if text in NOTATION:
        assert str(parse_move(text)) == text
    else:
        with pytest.raises(BadMove) as caught:
            parse_move(text)
        assert len(str(caught.value)) < 400


def test_no_move_at_all_a_move_of_other_games_and_a_move_not_now_are_three_different_errors() -> None:
    board = played(sir_tommy_board("sir-tommy", stacked("sir-tommy", "7h")), "t hp1")
    with pytest.raises(BadMove) as no_move:
        board.enter("p1-p2")
    with pytest.raises(IllegalMove) as other_game:
        board.enter("p1p2")
    with pytest.raises(IllegalMove) as not_now:
        board.enter("p1f2")
    assert [caught.value.code for caught in (no_move, other_game, not_now)] == [
        "bad-move",
        "not-in-this-game",
        "does-not-fit",
    ]


@pytest.mark.parametrize("in_hand", [False, True])
def test_a_move_that_cannot_even_be_written_is_illegal_on_a_board(in_hand: bool) -> None:
    board = played(sir_tommy_board("strategy+redeal", stacked("strategy", "Kh Ah")), "t hp1 t" if in_hand else "t hp1")
    known = all_of(board)
    places = [Place(area, number) for area in Area for number in range(-1, 11)]
    for source, target in product(places, places):
        if Move(source, target) not in board.legal_moves():
            with pytest.raises(IllegalMove):
                board.apply(Move(source, target))
    assert all_of(board) == known

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadMove, IllegalMove
from engine.moves import HAND, MOVES, REDEAL, TURN, WASTE, Area, Move, Place, column, foundation, parse_move, pile
from tests.engine.positions import NOTATION, all_of, played, sir_tommy_board, stacked

COLUMNS = range(1, 14)
WRITTEN = [
    *NOTATION,
    *(f"{source}f{target}" for source in ("w", *(f"c{number}" for number in COLUMNS)) for target in range(1, 10)),
    *(f"{source}c{target}" for source in ("w", *(f"c{number}" for number in COLUMNS)) for target in COLUMNS),
    *(f"c{source}c{target}x{cards}" for source in COLUMNS for target in COLUMNS for cards in range(2, 14)),
]
"""Every text that is a move in some game."""


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("t", TURN),
        ("r", REDEAL),
        ("hf2", Move(HAND, foundation(2))),
        ("hp3", Move(HAND, pile(3))),
        ("p3f1", Move(pile(3), foundation(1))),
        ("p1p2", Move(pile(1), pile(2))),
        ("wf8", Move(WASTE, foundation(8))),
        ("wc10", Move(WASTE, column(10))),
        ("c4f1", Move(column(4), foundation(1))),
        ("c13c12", Move(column(13), column(12))),
        ("c4c12x3", Move(column(4), column(12), 3)),
        ("c1c2x13", Move(column(1), column(2), 13)),
    ],
)
def test_a_move_is_written_as_where_from_and_where_to(text: str, move: Move) -> None:
    assert parse_move(text) == move
    assert str(move) == text


def test_every_move_of_the_notation_is_written_as_it_was_read() -> None:
    assert [str(parse_move(text)) for text in WRITTEN] == WRITTEN


def test_different_texts_are_different_moves() -> None:
    assert len({parse_move(text) for text in WRITTEN}) == len(WRITTEN)
    assert set(WRITTEN) == MOVES.keys()


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
        "w",
        "wc",
        "wc0",
        "wc14",
        "wf10",
        "ww",
        "w1c2",
        "c1",
        "c0c1",
        "c1c14",
        "c01c2",
        "c1f2x2",
        "wc1x2",
        "c1c2x1",
        "c1c2x0",
        "c1c2x14",
        "c1c2x",
        "c1c2x03",
        "c1p2",
        "f1c1",
        "stand",
        "undo",
    ],
)
def test_a_text_that_is_nearly_a_move_is_none(text: str) -> None:
    with pytest.raises(BadMove) as caught:
        parse_move(text)
    assert caught.value.code == "bad-move"


@given(st.text() | st.text("thprf123456789", max_size=5) | st.text("cwxf123", min_size=3, max_size=7))
def test_a_text_is_a_move_of_the_notation_or_a_bad_move_and_raises_nothing_else(text: str) -> None:
    if text in WRITTEN:
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

"""What breaks a rule of the Forty Thieves family, and which."""

import pytest

from engine.board import ENDINGS
from engine.errors import IllegalMove
from engine.moves import WASTE, Area, Move, Place, column, foundation, parse_move
from tests.engine.layouts import Layout, after, laid_out
from tests.engine.positions import all_of, codes_of_illegal_moves

BROKEN_RULES = [
    ("turning from an empty stock", "limited", Layout.of("Ah"), "t", "stock-empty"),
    ("a redeal", "limited", Layout.of("Ah"), "r", "not-in-this-game"),
    ("a card in hand", "limited", Layout.of("Ah"), "hf1", "not-in-this-game"),
    ("a pile", "limited", Layout.of("Ah"), "p1f5", "not-in-this-game"),
    ("from a pile to a pile", "limited", Layout.of("Ah"), "p1p2", "not-in-this-game"),
    ("from an empty waste", "limited", Layout.of("Ah"), "wc2", "pile-empty"),
    ("from an empty waste to a foundation", "limited", Layout.of("Ah"), "wf1", "pile-empty"),
    ("from an empty column", "limited", Layout.of("Ah / -"), "c2c1", "pile-empty"),
    ("from an empty column to a foundation", "limited", Layout.of("Ah / -"), "c2f1", "pile-empty"),
    ("to the same column", "limited", Layout.of("Ah"), "c1c1", "same-place"),
    ("a column too many", "forty-thieves", Layout.of("Ah"), "c11c1", "no-such-place"),
    ("to a column too many", "maria", Layout.of("Ah"), "c1c10", "no-such-place"),
    ("from the waste to a column too many", "limited", Layout.of("Ah", waste="5s"), "wc13", "no-such-place"),
    ("a ninth foundation", "lucas", Layout.of("Ah"), "c1f9", "no-such-place"),
    ("a two on an empty foundation", "limited", Layout.of("Ah / 2h"), "c2f5", "does-not-fit"),
    ("an ace on another suit's foundation", "limited", Layout.of("Ah"), "c1f4", "does-not-fit"),
    ("an ace on a king", "limited", Layout.of("Ah", foundations="0 0 0 0 13 0 0 0"), "c1f5", "does-not-fit"),
    ("a card of the waste on the wrong foundation", "limited", Layout.of("Ah", waste="5s"), "wf7", "does-not-fit"),
    ("on a card of another suit", "limited", Layout.of("7h / 8d / Ac"), "c1c2", "does-not-build"),
    ("on a card two ranks higher", "limited", Layout.of("7h / 9h / Ac"), "c1c2", "does-not-build"),
    ("on a card one rank lower", "limited", Layout.of("7h / 6h / Ac"), "c1c2", "does-not-build"),
    ("a king on an ace", "limited", Layout.of("Kh / Ah"), "c1c2", "does-not-build"),
    ("on a card of the same colour in maria", "maria", Layout.of("7h / 8d / Ac"), "c1c2", "does-not-build"),
    ("on a card of the same suit in maria", "maria", Layout.of("7h / 8h / Ac"), "c1c2", "does-not-build"),
    ("the waste's on a wrong card", "limited", Layout.of("8d / Ac", waste="7h"), "wc1", "does-not-build"),
    ("a group on a wrong card", "josephine", Layout.of("7h 6h / 8d / Ac"), "c1c2x2", "does-not-build"),
    ("cards not built on each other", "josephine", Layout.of("9d 7h / 10d / Ac"), "c1c2x2", "not-a-sequence"),
    ("more cards than there are", "josephine", Layout.of("7h 6h / 8h / Ac"), "c1c2x3", "not-a-sequence"),
    ("a group where one card moves", "limited", Layout.of("7h 6h / 8h / Ac / -"), "c1c2x2", "too-many-cards"),
    ("a group with no empty column", "maria+groups", Layout.of("7h 6s / 8s" + 7 * " / Ac"), "c1c2x2", "too-many-cards"),
    ("a group to the one empty column", "maria+groups", Layout.of("7h 6s" + 7 * " / Ac"), "c1c9x2", "too-many-cards"),
]


@pytest.mark.parametrize(
    ("spelling", "layout", "move", "code"), [row[1:] for row in BROKEN_RULES], ids=[row[0] for row in BROKEN_RULES]
)
def test_a_refusal_names_the_rule_that_the_move_breaks(spelling: str, layout: Layout, move: str, code: str) -> None:
    board = laid_out(spelling, layout)
    assert not board.finished
    known = all_of(board)
    with pytest.raises(IllegalMove) as caught:
        board.enter(move)
    assert caught.value.code == code
    assert all_of(board) == known


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_finished_board_takes_no_more_entries(ending: str) -> None:
    board = after(laid_out("limited", Layout.of("Ah")), ending)
    assert board.status is ENDINGS[ending]
    for entry in ("c1f5", *ENDINGS):
        with pytest.raises(IllegalMove, match="finished") as caught:
            board.enter(entry)
        assert caught.value.code == "board-finished"
    with pytest.raises(IllegalMove, match="finished"):
        board.apply(parse_move("c1f5"))


def test_every_rule_that_a_move_can_break_is_broken_above() -> None:
    codes = codes_of_illegal_moves("board") | codes_of_illegal_moves("forty_thieves")
    assert {row[-1] for row in BROKEN_RULES} | {"board-finished"} == codes


@pytest.mark.parametrize(
    "move",
    [
        Move(column(1), foundation(5), 2),
        Move(WASTE, column(2), 2),
        Move(column(0), foundation(5)),
        Move(column(-1), column(2)),
        Move(column(1), column(0)),
        Move(column(1), column(2), 0),
        Move(column(1), column(2), -1),
        Move(Place(Area.WASTE, 1), column(2)),
        Move(foundation(5), column(2)),
        Move(Place(Area.STOCK), column(2)),
    ],
    ids=repr,
)
def test_a_move_that_cannot_even_be_written_is_illegal(move: Move) -> None:
    board = laid_out("josephine", Layout.of("2h Ah / - / -", waste="3h 2h"))
    known = all_of(board)
    with pytest.raises(IllegalMove):
        board.apply(move)
    assert all_of(board) == known

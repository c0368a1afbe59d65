"""What breaks a rule of the Sir Tommy family, and which."""

import pytest

from engine.errors import IllegalMove
from tests.engine.positions import all_of, codes_of_illegal_moves, everything_on_piles, fresh

BROKEN_RULES = [
    ("turning with a card in hand", "sir-tommy", "7h", "t", "t", "card-in-hand"),
    ("playing from a pile with a card in hand", "sir-tommy", "Ah", "t hp1 t", "p1f1", "card-in-hand"),
    ("moving between piles with a card in hand", "strategy", "7h", "t hp1 t", "p1p2", "card-in-hand"),
    ("redealing with a card in hand", "sir-tommy+redeal", "7h", "t", "r", "card-in-hand"),
    ("placing no card", "sir-tommy", "", "", "hp1", "no-card-in-hand"),
    ("playing no card up", "sir-tommy", "", "", "hf1", "no-card-in-hand"),
    ("turning from an empty stock", "strategy", "", "ALL", "t", "stock-empty"),
    ("redealing before the stock is empty", "sir-tommy+redeal", "7h", "t hp1", "r", "stock-not-empty"),
    ("redealing twice", "strategy+redeal", "", "ALL r ALL", "r", "no-redeal-left"),
    ("redealing without the house rule", "strategy", "", "ALL", "r", "not-in-this-game"),
    ("moving between piles where there is no such move", "sir-tommy", "7h", "t hp1", "p1p2", "not-in-this-game"),
    ("playing from a waste that the game does not have", "sir-tommy", "", "", "wf1", "not-in-this-game"),
    ("moving between columns that the game does not have", "strategy", "", "", "c1c2x2", "not-in-this-game"),
    ("playing from an empty pile", "sir-tommy", "", "", "p1f1", "pile-empty"),
    ("moving from an empty pile", "strategy", "", "", "p1p2", "pile-empty"),
    ("moving to the same pile", "strategy", "7h", "t hp1", "p1p1", "same-place"),
    ("a seven to an empty foundation", "sir-tommy", "7h", "t", "hf1", "does-not-fit"),
    ("a seven of a pile to an empty foundation", "sir-tommy", "7h", "t hp1", "p1f1", "does-not-fit"),
    ("an ace on an ace", "sir-tommy", "Ah Ad", "t hf1 t", "hf1", "does-not-fit"),
    ("numerica's ace beside the leftmost empty foundation", "numerica", "Ah", "t", "hf2", "not-leftmost"),
    ("numerica's two beside the leftmost it fits", "numerica", "Ah As 2c", "t hf1 t hf2 t", "hf2", "not-leftmost"),
    ("a fifth pile", "sir-tommy", "7h", "t", "hp5", "no-such-place"),
    ("a card of a fifth pile", "sir-tommy", "", "", "p9f1", "no-such-place"),
    ("a fifth foundation", "sir-tommy", "Ah", "t", "hf5", "no-such-place"),
    ("moving on a finished board", "sir-tommy", "7h", "t stand", "hp1", "board-finished"),
    ("standing on a finished board", "sir-tommy", "7h", "t resign", "stand", "board-finished"),
]


@pytest.mark.parametrize(
    ("spelling", "top", "before", "move", "code"),
    [row[1:] for row in BROKEN_RULES],
    ids=[row[0] for row in BROKEN_RULES],
)
def test_a_refusal_names_the_rule_that_the_move_breaks(
    spelling: str, top: str, before: str, move: str, code: str
) -> None:
    board = fresh(spelling, top)
    for word in before.split():
        if word == "ALL":
            everything_on_piles(board)
        else:
            board.enter(word)
    known = all_of(board)
    with pytest.raises(IllegalMove) as caught:
        board.enter(move)
    assert caught.value.code == code
    assert all_of(board) == known


def test_every_rule_that_a_move_can_break_is_broken_above() -> None:
    assert {row[-1] for row in BROKEN_RULES} == codes_of_illegal_moves("board") | codes_of_illegal_moves("sir_tommy")

"""The next card of the stock in the Forty Thieves family, which a game with peek shows."""

from hypothesis import given
from hypothesis import strategies as st

from engine.cards import parse_card
from tests.engine.habits import Play, played, plays
from tests.engine.layouts import FORTY_THIEVES, WITHOUT_PEEK, Layout, Start, laid_out, start, starts
from tests.engine.positions import all_of


@given(st.sampled_from(FORTY_THIEVES), starts, plays)
def test_the_next_card_of_the_stock_is_seen_with_peek_and_only_with_peek(
    spelling: str, where: Start, way: Play
) -> None:
    board = played(start(spelling, where), way)
    if "peek" not in spelling or not board.stock:
        assert board.peek is board.view().peek is None
    else:
        assert board.peek == board.view().peek
        if not board.finished:
            assert parse_card(board.peek or "") == board.enter("t")


@given(st.sampled_from(WITHOUT_PEEK), starts, plays)
def test_peek_changes_no_legal_move(spelling: str, where: Start, way: Play) -> None:
    name, _, options = spelling.partition("+")
    board, peeking = start(spelling, where), start("+".join(filter(None, (name, "peek", options))), where)
    played(board, way)
    played(peeking, way)
    assert board.legal_moves() == peeking.legal_moves()
    assert board.columns == peeking.columns


def test_learning_a_card_of_a_stock_that_is_empty_changes_nothing() -> None:
    board = laid_out("limited+peek", Layout.of("As"))
    known = all_of(board)
    board.learn("7h")
    board.learn(None)
    assert all_of(board) == known

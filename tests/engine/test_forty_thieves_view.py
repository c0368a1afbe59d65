"""The board of somebody who sees only what is shown, in the Forty Thieves family."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board import ENDINGS, Status
from engine.cards import UNKNOWN, parse_card
from engine.errors import IllegalMove
from engine.games import CATALOGUE, variant
from engine.moves import MOVES, Area, parse_move
from tests.engine.habits import Play, played, plays
from tests.engine.layouts import Layout, Start, forty_thieves, laid_out, legal, start, starts
from tests.engine.positions import dealt


@given(forty_thieves, starts, plays, plays, st.sampled_from([None, *ENDINGS]))
def test_a_board_made_from_a_view_and_told_the_turned_cards_always_shows_what_the_true_one_shows(
    spelling: str, where: Start, before: Play, way: Play, ending: str | None
) -> None:
    board = played(start(spelling, where), before)
    mirror = variant(spelling).board_from(board.view())

    def check() -> None:
        assert mirror.view() == board.view()
        assert (mirror.status, mirror.count, mirror.total) == (board.status, board.count, board.total)
        assert mirror.legal_moves() == board.legal_moves()
        assert mirror.peek == board.peek

    check()
    habit, luck, moves = way
    chance = Random(luck)
    for _ in range(moves):
        if board.finished:
            return
        entry = str(habit(board.legal_moves(), chance))
        card = board.enter(entry)
        assert mirror.enter(entry, UNKNOWN if card is None else card) == card
        mirror.learn(board.peek)
        check()
    if ending is not None and not board.finished:
        assert board.enter(ending) is mirror.enter(ending) is None
        check()


@settings(max_examples=20)
@given(forty_thieves, starts, plays)
def test_a_board_made_from_a_view_refuses_what_the_true_one_refuses(spelling: str, where: Start, way: Play) -> None:
    board = played(start(spelling, where), way)
    mirror = variant(spelling).board_from(board.view())
    for text in MOVES.keys() - legal(board):
        with pytest.raises(IllegalMove) as refused:
            board.enter(text)
        with pytest.raises(IllegalMove) as mirrored:
            mirror.enter(text)
        assert (mirrored.value.code, str(mirrored.value)) == (refused.value.code, str(refused.value))
    assert mirror.view() == board.view()


@pytest.mark.parametrize("game", CATALOGUE)
def test_a_view_of_another_family_makes_no_board(game: str) -> None:
    here, there = variant(game), variant("sir-tommy" if "groups" in CATALOGUE[game].options else "lucas")
    with pytest.raises(TypeError, match="another family"):
        here.board_from(there.board(dealt(there.spelling, 1)).view())


@pytest.mark.parametrize("game", ["forty-thieves", "maria"])
def test_a_card_turned_unseen_lies_face_down_on_the_waste_fits_nothing_and_proves_nothing(game: str) -> None:
    board = laid_out(game, Layout.of("As / Ad / 3h / -", stock="7h"))
    mirror = variant(game).board_from(board.view())
    assert mirror.apply(parse_move("t")) == UNKNOWN
    assert mirror.view().waste == ["??"]
    assert [str(move) for move in mirror.legal_moves() if move.source.area is Area.WASTE][:1] == ["wc4"]
    with pytest.raises(IllegalMove):
        mirror.enter("wc1")
    mirror.enter("wc4")
    assert list(mirror.foresee("c1f7")) == []
    mirror.enter("c1f7")
    mirror.enter("c2f3")
    assert mirror.status is Status.PLAYING


def test_the_card_that_a_board_knows_counts_and_not_the_one_it_is_told() -> None:
    board = laid_out("limited", Layout.of("As", stock="7h"))
    assert board.enter("t", parse_card("Ks")) == parse_card("7h")

"""What can be typed: every legal move has its word, and what is wrong with a word is told apart."""

import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client_cli.announcements import Announcement
from client_cli.answers import Ambiguous, Illegal, Unparsable
from client_cli.words import TABLE, Command, WordError, alike, choices, find, helped, take_move, typed_form
from engine.deal import Deal
from engine.games import CATALOGUE, variant
from engine.sir_tommy import SirTommyBoard, SirTommyView

GAMES = [game + option for game in CATALOGUE for option in ("", "+redeal")]


@st.composite
def positions(draw: st.DrawFn) -> SirTommyBoard:
    """A board some way into a game."""
    chosen = variant(draw(st.sampled_from(GAMES)))
    chance = random.Random(draw(st.integers(0, 2**32)))
    cards = chosen.cards
    board = chosen.board(Deal(tuple(chance.sample(cards, len(cards))), tuple(chance.sample(cards, len(cards)))))
    assert isinstance(board, SirTommyBoard)
    for _ in range(draw(st.integers(0, 120))):
        if board.finished:
            break
        board.apply(chance.choice(board.legal_moves()))
    return board


def board_of(game: str, **places: object) -> SirTommyBoard:
    """A board laid out by hand."""
    empty: list[list[str]] = [[], [], [], []]
    view = SirTommyView(**{"stock": 10, "hand": None, "piles": empty, "foundations": empty, "redeals": 0} | places)  # type: ignore[arg-type]
    board = variant(game).board_from(view)
    assert isinstance(board, SirTommyBoard)
    return board


def problem(words: str, board: SirTommyBoard) -> Announcement:
    with pytest.raises(WordError) as caught:
        take_move(words.split(), board)
    return caught.value.problem


@given(positions())
def test_every_legal_move_has_a_word_that_means_it(board: SirTommyBoard) -> None:
    for move in board.legal_moves():
        assert take_move([typed_form(move, board)], board) == move
        assert take_move([str(move)], board) == move
        assert take_move([str(move).upper()], board) == move


@given(positions())
def test_the_choices_are_the_legal_moves_up_to_what_makes_no_difference(board: SirTommyBoard) -> None:
    words = [choice.word for choice in choices(board)]
    assert len(set(words)) == len(words)
    legal = board.legal_moves()
    listed = {str(take_move([word], board)) for word in words}
    same = {
        str(move) for source in {move.source for move in legal} for kind in alike(board, source) for move in kind[1:]
    }
    assert listed == {str(move) for move in legal} - same


@given(positions(), st.text("tfrh123459p?x", min_size=1, max_size=5))
def test_a_word_means_a_legal_move_or_is_told_to_be_wrong(board: SirTommyBoard, word: str) -> None:
    before = board.view()
    with suppress(WordError):
        if find(word).command is None:
            assert take_move([word], board) in board.legal_moves()
    assert board.view() == before


def test_two_numbers_go_from_pile_to_pile() -> None:
    board = board_of("strategy", piles=[["2c"], [], [], []])
    words = ["1", "2", "t"]
    assert str(take_move(words, board)) == "p1p2"
    assert words == ["t"]
    assert str(take_move(["12"], board)) == "p1p2"


def test_a_number_places_the_card_in_hand() -> None:
    for game in ("sir-tommy", "strategy"):
        words = ["1", "2"]
        assert str(take_move(words, board_of(game, hand="2c"))) == "hp1"
        assert words == ["2"]


def test_equal_foundations_are_not_asked_about() -> None:
    assert str(take_move(["f"], board_of("sir-tommy", hand="Ac"))) == "hf1"


def test_different_foundations_are_asked_about() -> None:
    board = board_of(
        "calculation", hand="6c", foundations=[["Ac", "2c", "3c", "4c", "5c"], ["2d", "4d"], ["3h"], ["4s"]]
    )
    asked = problem("f", board)
    assert isinstance(asked, Ambiguous)
    assert [(choice.word, choice.move) for choice in asked.choices] == [("f1", "hf1"), ("f2", "hf2"), ("f3", "hf3")]
    assert str(take_move(["f2"], board)) == "hf2"


@pytest.mark.parametrize("word", ["x", "tt", "123", "f0", "0", "3g", "hp", "²", "-1", "p1", "hp10"])
def test_what_is_no_word_is_unparsable(word: str) -> None:
    assert problem(word, board_of("sir-tommy")) == Unparsable(word=word)


@pytest.mark.parametrize(
    ("word", "places", "code"),
    [
        ("t", {"hand": "2c"}, "card-in-hand"),
        ("3f", {"hand": "2c"}, "card-in-hand"),
        ("2", {}, "no-card-in-hand"),
        ("f", {}, "no-card-in-hand"),
        ("t", {"stock": 0, "piles": [["Ac"], [], [], []]}, "stock-empty"),
        ("1f", {}, "pile-empty"),
        ("f", {"hand": "2c"}, "does-not-fit"),
        ("f3", {"hand": "2c"}, "does-not-fit"),
        ("5", {"hand": "2c"}, "no-such-place"),
        ("f5", {"hand": "2c"}, "no-such-place"),
        ("9f", {}, "no-such-place"),
        ("12", {"piles": [["2c"], [], [], []]}, "not-in-this-game"),
        ("r", {}, "not-in-this-game"),
        ("t", {"stock": 0, "piles": [["2c"], [], [], []]}, "board-finished"),
    ],
)
def test_a_move_that_is_not_allowed_names_its_rule(word: str, places: dict[str, object], code: str) -> None:
    found = problem(word, board_of("sir-tommy", **places))
    assert isinstance(found, Illegal)
    assert found.code == code


def test_numerica_names_the_leftmost_rule() -> None:
    found = problem("f2", board_of("numerica", hand="Ac"))
    assert isinstance(found, Illegal)
    assert found.code == "not-leftmost"


def test_a_general_f_blames_no_foundation_in_particular() -> None:
    found = problem("f", board_of("sir-tommy", hand="2c"))
    assert found == Illegal(word="f", code="does-not-fit", card="2c", hand="2c", source="h", target=None)


def test_every_row_of_the_table_understands_its_own_example() -> None:
    for row in TABLE:
        for form in row.form.split(", "):
            assert find(form) is row


def test_every_command_is_in_the_table_once() -> None:
    assert [row.command for row in TABLE if row.command] == list(
        dict.fromkeys(row.command for row in TABLE if row.command)
    )
    assert {row.command for row in TABLE} >= set(Command)


def test_help_leaves_out_what_a_game_has_not() -> None:
    plain = {word.form for word in helped(variant("sir-tommy").rules)}
    assert {word.form for word in helped(variant("strategy+redeal").rules)} - plain == {"12", "r"}


def test_spectators_make_no_moves() -> None:
    with pytest.raises(WordError):
        find("t", spectator=True)
    assert find("b", spectator=True).command is Command.BOARD
    assert all(find(word.form.split(",")[0]).read is None for word in helped(variant("strategy").rules, spectator=True))

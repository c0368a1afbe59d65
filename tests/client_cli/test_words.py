"""What can be typed: every legal move has its word, and what is wrong with a word is told apart."""

import random
from contextlib import suppress
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client_cli.announcements import Announcement
from client_cli.answers import Ambiguous, Illegal, Incomplete, Unparsable
from client_cli.naming import alike, choices, typed_form
from client_cli.words import TABLE, Command, WordError, find, helped, take_move
from engine.board import Board
from engine.deal import Deal
from engine.forty_thieves import FortyThievesRules, FortyThievesView
from engine.games import CATALOGUE, Variant, variant
from engine.sir_tommy import SirTommyRules, SirTommyView

GAMES = [
    "+".join((name, *options))
    for name, game in CATALOGUE.items()
    for size in range(len(game.options) + 1)
    for options in combinations(game.options, size)
]
Position = tuple[Board, Variant]


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A board some way into a game."""
    chosen = variant(draw(st.sampled_from(GAMES)))
    chance = random.Random(draw(st.integers(0, 2**32)))
    cards = chosen.cards
    board = chosen.board(Deal(tuple(chance.sample(cards, len(cards))), tuple(chance.sample(cards, len(cards)))))
    for _ in range(draw(st.integers(0, 150))):
        if board.finished:
            break
        board.apply(chance.choice(board.legal_moves()))
    return board, chosen


def board_of(game: str, **places: object) -> Position:
    """A board laid out by hand."""
    empty: list[list[str]] = [[], [], [], []]
    view = SirTommyView(**{"stock": 10, "hand": None, "piles": empty, "foundations": empty, "redeals": 0} | places)  # type: ignore[arg-type]
    chosen = variant(game)
    return chosen.board_from(view), chosen


def columns_of(
    game: str, *columns: str, waste: str = "", up: dict[int, str] | None = None, stock: int = 10
) -> Position:
    """A board of the other family; the columns not given are empty."""
    chosen = variant(game)
    assert isinstance(chosen.rules, FortyThievesRules)
    heaps = [text.split() for text in columns]
    heaps += [[] for _ in range(chosen.rules.columns - len(heaps))]
    foundations = [(up or {}).get(number, "").split() for number in range(1, 9)]
    return chosen.board_from(FortyThievesView(stock, waste.split(), heaps, foundations)), chosen


def take(words: list[str], position: Position) -> str:
    board, chosen = position
    return str(take_move(words, board, chosen.rules))


def problem(words: str, position: Position) -> Announcement:
    with pytest.raises(WordError) as caught:
        take(words.split(), position)
    return caught.value.problem


@given(positions())
def test_every_legal_move_has_a_word_that_means_it(position: Position) -> None:
    board, _ = position
    for move in board.legal_moves():
        assert take([typed_form(board, move)], position) == str(move)
        assert take([str(move)], position) == str(move)
        assert take([str(move).upper()], position) == str(move)


@given(positions())
def test_the_choices_are_the_legal_moves_up_to_what_makes_no_difference(position: Position) -> None:
    board, _ = position
    words = [choice.word for choice in choices(board)]
    assert len(set(words)) == len(words)
    legal = board.legal_moves()
    same = {str(move) for moves in alike(board, legal) for move in moves[1:]}
    assert {take([word], position) for word in words} == {str(move) for move in legal} - same


@given(positions(), st.text("tfrhwc123459p?x- ", min_size=1, max_size=7).filter(lambda line: bool(line.strip())))
def test_a_word_means_a_legal_move_or_is_told_to_be_wrong(position: Position, line: str) -> None:
    board, chosen = position
    before = board.view()
    with suppress(WordError):
        if find(line.split(maxsplit=1)[0], chosen.rules).command is None:
            assert take(line.split(), position) in map(str, board.legal_moves())
    assert board.view() == before


def test_two_numbers_go_from_pile_to_pile() -> None:
    board = board_of("strategy", piles=[["2c"], [], [], []])
    words = ["1", "2", "t"]
    assert take(words, board) == "p1p2"
    assert words == ["t"]
    assert take(["12"], board) == "p1p2"


def test_a_number_places_the_card_in_hand() -> None:
    for game in ("sir-tommy", "strategy"):
        words = ["1", "2"]
        assert take(words, board_of(game, hand="2c")) == "hp1"
        assert words == ["2"]


def test_equal_foundations_are_not_asked_about() -> None:
    assert take(["f"], board_of("sir-tommy", hand="Ac")) == "hf1"


def test_different_foundations_are_asked_about() -> None:
    board = board_of(
        "calculation", hand="6c", foundations=[["Ac", "2c", "3c", "4c", "5c"], ["2d", "4d"], ["3h"], ["4s"]]
    )
    asked = problem("f", board)
    assert isinstance(asked, Ambiguous)
    assert [(choice.word, choice.move) for choice in asked.choices] == [("f1", "hf1"), ("f2", "hf2"), ("f3", "hf3")]
    assert take(["f2"], board) == "hf2"


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
    for rules in (variant("strategy+redeal").rules, variant("lucas+groups").rules):
        for row in TABLE:
            for form in row.form.split(", ") if row.is_known_in(rules) else ():
                assert find(form, rules) is row


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
    assert all(
        find(word.form.split(",")[0], spectator=True).read is None
        for word in helped(variant("strategy").rules, spectator=True)
    )


def test_a_word_is_one_of_its_family_only() -> None:
    assert problem("w5", board_of("sir-tommy")) == Unparsable(word="w5")
    assert problem("f", columns_of("lucas", waste="Ac")) == Unparsable(word="f")
    assert isinstance(variant("sir-tommy").rules, SirTommyRules)


@pytest.mark.parametrize(
    ("words", "move"),
    [
        ("t", "t"),
        ("w 2", "wc2"),
        ("w2", "wc2"),
        ("wf", "wf1"),
        ("w f", "wf1"),
        ("wf2", "wf2"),
        ("2f", "c2f3"),
        ("2 f", "c2f3"),
        ("1-2", "c1c2"),
        ("1 2", "c1c2"),
        ("1 10", "c1c10"),
        ("c1c10", "c1c10"),
        ("1 10 x1", "c1c10"),
    ],
)
def test_words_of_forty_thieves(words: str, move: str) -> None:
    position = columns_of("forty-thieves", "9d 3h", "Kc 4h", waste="5h Ac")
    if words in {"w 2", "w2"}:
        position = columns_of("forty-thieves", "9d", "Kc 4h", waste="5h 3h")
    elif words in {"2f", "2 f"}:
        position = columns_of("forty-thieves", "9d", "Kc Ad")
    typed = words.split()
    assert take(typed, position) == move
    assert typed == []


def test_the_words_after_a_move_are_left() -> None:
    words = ["1", "2", "3", "4"]
    assert take(words, columns_of("lucas", "9d 3h", "Kc 4h")) == "c1c2"
    assert words == ["3", "4"]


def test_how_many_cards_is_asked_where_it_matters() -> None:
    position = columns_of("josephine", "Kd 5h 4h 3h", "6h")
    assert take(["1", "2"], position) == "c1c2x3"
    asked = problem("1 10", position)
    assert isinstance(asked, Ambiguous)
    assert [(choice.word, choice.move, choice.card) for choice in asked.choices] == [
        ("1-10x1", "c1c10", "3h"),
        ("1-10x2", "c1c10x2", "4h"),
        ("1-10x3", "c1c10x3", "5h"),
    ]
    assert take(["1-10x2"], position) == "c1c10x2"
    assert take(["1", "10", "x2"], position) == "c1c10x2"


@pytest.mark.parametrize(
    ("game", "words", "found"),
    [
        ("lucas", "4", Incomplete(word="4")),
        ("lucas", "w", Incomplete(word="w")),
        ("lucas", "1 2 x3", Illegal("1 2 x3", "not-a-sequence", "Kd", None, "c1", "c2", "6h", 3)),
        ("lucas", "1 2", Illegal("1 2", "too-many-cards", "5h", None, "c1", "c2", "6h", 2)),
        ("lucas", "1-3", Illegal("1-3", "does-not-build", "4h", None, "c1", "c3", "9c")),
        ("lucas", "1f", Illegal("1f", "does-not-fit", "4h", None, "c1", None)),
        ("lucas", "4f", Illegal("4f", "pile-empty", None, None, "c4", None)),
        ("lucas", "wf", Illegal("wf", "pile-empty", None, None, "w", None)),
        ("lucas", "1 1", Illegal("1 1", "same-place", "4h", None, "c1", "c1", "4h")),
        ("maria", "1 12", Illegal("1 12", "no-such-place", "4h", None, "c1", "c12")),
        ("maria", "12 1", Illegal("12 1", "no-such-place", None, None, "c12", None, "4h")),
        ("lucas", "14", Unparsable(word="14")),
        ("lucas", "hp1", Unparsable(word="hp1")),
    ],
)
def test_what_is_wrong_in_forty_thieves(game: str, words: str, found: Announcement) -> None:
    assert problem(words, columns_of(game, "Kd 5h 4h", "6h", "9c")) == found


def test_help_names_a_number_of_cards_where_several_may_move() -> None:
    plain = {word.form for word in helped(variant("maria").rules)}
    for game in ("maria+groups", "josephine"):
        assert {word.form for word in helped(variant(game).rules)} - plain == {"4-7x3"}


WAY_OF_FORM = {
    "t": "t",
    "2": "hp",
    "f": "hf",
    "3f": "pf",
    "f2": "hf",
    "3f2": "pf",
    "12": "pp",
    "r": "r",
    "w5": "wc",
    "wf": "wf",
    "4f": "cf",
    "4-7": "cc",
    "4-7x3": "cc",
}
ANY_MOVE = {"hp2", "wc5"}


@pytest.mark.parametrize("game", GAMES)
def test_the_help_lists_exactly_the_kinds_of_moves_that_the_game_has(game: str) -> None:
    rules = variant(game).rules
    forms = {word.form for word in helped(rules)} - ANY_MOVE - {row.form for row in TABLE if row.command}
    assert {WAY_OF_FORM[form] for form in forms} == rules.ways
    several = isinstance(rules, FortyThievesRules) and (rules.groups or rules.whole_sequences)
    assert ("4-7x3" in forms) == several

"""The rules of the Forty Thieves family, as examples, and as what holds on any board however it is played."""

from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board import ENDINGS, EVERYTHING, Status
from engine.cards import UNKNOWN, Card, card_text, parse_card, rank
from engine.errors import EngineError, IllegalMove
from engine.forty_thieves import FortyThievesBoard
from engine.games import CATALOGUE, variant
from engine.moves import MOVES, WASTE, Area, Move, Place, column, foundation, parse_move
from tests.engine.layouts import (
    FORTY_THIEVES,
    HABITS,
    WITHOUT_PEEK,
    Layout,
    fresh,
    laid_out,
    near_the_end,
    play,
    rules_of,
    stacked,
)
from tests.engine.positions import all_of, codes_of_illegal_moves, dealt

spellings = st.sampled_from(FORTY_THIEVES)
starts = st.tuples(st.sampled_from(["fresh", "late"]), st.integers(0, 2**32 - 1))
"""A fresh deal or a board near its end, and which."""
plays = st.tuples(st.sampled_from(HABITS), st.integers(0, 2**32 - 1), st.integers(0, 150))
"""Whose habit, whose luck, and for how many moves."""

Start = tuple[str, int]
Play = tuple[Any, int, int]


def start(spelling: str, where: Start) -> FortyThievesBoard:
    kind, seed = where
    if kind == "late":
        return laid_out(spelling, near_the_end(spelling, Random(seed)))
    return fresh(spelling, dealt(spelling, seed))


def played(board: FortyThievesBoard, way: Play) -> FortyThievesBoard:
    habit, luck, moves = way
    for _ in play(board, habit, Random(luck), moves):
        pass
    return board


def after(board: FortyThievesBoard, moves: str) -> FortyThievesBoard:
    for move in moves.split():
        board.enter(move)
    return board


def texts(cards: list[Card]) -> str:
    return " ".join(map(card_text, cards))


def legal(board: FortyThievesBoard) -> set[str]:
    return {str(move) for move in board.legal_moves()}


def lying(board: FortyThievesBoard) -> Counter[Card]:
    """Every card that lies anywhere on the board, the stock's included."""
    places = [board.waste, *board.columns, *board.foundations, [card for _, card in board._stock]]
    return Counter(card for cards in places for card in cards)


def cards_of(board: FortyThievesBoard) -> Any:
    """A copy of all places, quickly made."""
    return board.waste[:], [*map(tuple, board.columns)], [*map(tuple, board.foundations)], board._stock[:]


# The games, one by one

FIGURES = [
    # game, columns, rows, stock, count at the start
    ("forty-thieves", 10, 4, 64, 0),
    ("lucas", 13, 3, 57, 8),
    ("limited", 12, 3, 68, 0),
    ("maria", 9, 4, 68, 0),
    ("josephine", 10, 4, 64, 0),
]


@pytest.mark.parametrize(("game", "columns", "rows", "stock", "count"), FIGURES)
@pytest.mark.parametrize("options", ["", "+peek", "+groups", "+peek+groups"])
def test_each_game_is_dealt_in_its_figures(
    game: str, columns: int, rows: int, stock: int, count: int, options: str
) -> None:
    board = fresh(game + options, dealt(game, 1))
    assert [len(cards) for cards in board.columns] == [rows] * columns
    assert (board.stock, board.count, len(board.foundations), board.total) == (stock, count, 8, 104)
    assert board.waste == []
    assert lying(board) == Counter(variant(game).cards)
    assert set(lying(board).values()) == {2}


def test_the_figures_are_of_every_game_of_the_family() -> None:
    family = [name for name, game in CATALOGUE.items() if "groups" in game.options]
    assert [row[0] for row in FIGURES] == family


def test_columns_are_dealt_row_by_row_and_the_rest_is_the_stock_in_the_order_of_the_shuffle() -> None:
    cards = dealt("forty-thieves", 3)
    board = fresh("forty-thieves", cards)
    rows = [[column[row] for column in board.columns] for row in range(4)]
    assert [card for row in rows for card in row] == list(cards.first[:40])
    assert [board.enter("t") for _ in range(64)] == list(cards.first[40:])
    assert board.waste == list(cards.first[40:])


def test_lucas_takes_the_aces_out_wherever_they_are_and_deals_on_as_if_they_had_not_been_there() -> None:
    cards = dealt("lucas", 3)
    board = fresh("lucas", cards)
    assert [texts(foundation) for foundation in board.foundations] == ["Ac", "Ac", "Ad", "Ad", "Ah", "Ah", "As", "As"]
    others = [card for card in cards.first if rank(card) != 1]
    assert [board.columns[at % 13][at // 13] for at in range(39)] == others[:39]
    assert [board.enter("t") for _ in range(57)] == others[39:]


def test_each_suit_has_two_foundations_of_its_own() -> None:
    board = laid_out("limited", Layout.of("Ac / Ad / Ah / As"))
    assert legal(board) >= {"c1f1", "c1f2", "c2f3", "c2f4", "c3f5", "c3f6", "c4f7", "c4f8"}
    assert len([move for move in legal(board) if "f" in move]) == 8


def test_foundations_are_built_up_in_suit_and_each_of_two_that_take_a_card_is_a_target() -> None:
    board = laid_out("limited", Layout.of("3h / 3d / 4h", waste="2h", foundations="0 0 2 0 2 2 0 0"))
    assert {move for move in legal(board) if "f" in move} == {"c1f5", "c1f6", "c2f3"}
    after(board, "c1f6")
    assert texts(board.foundations[5]) == "Ah 2h 3h"
    assert "c3f6" in legal(board)
    assert "c3f5" not in legal(board)


def test_a_complete_foundation_takes_nothing_more() -> None:
    board = laid_out("limited", Layout.of("Ah / Kh", waste="Ah", foundations="0 0 0 0 13 12 0 0"))
    assert {move for move in legal(board) if "f" in move} == {"c2f6"}
    assert [board.next_rank(number) for number in (1, 5, 6)] == [1, None, 13]


def test_columns_are_built_down_in_suit_by_the_last_card_of_a_column_or_the_top_of_the_waste() -> None:
    board = laid_out("limited", Layout.of("8h 2c / Kd 7h / 9c 8h / 8d / 8h" + 7 * " / 5s", waste="7h", stock="Kc"))
    assert {move for move in legal(board) if "c" in move} == {"c2c3", "c2c5", "wc3", "wc5"}


def test_maria_is_built_down_in_alternating_colours() -> None:
    board = laid_out("maria", Layout.of("7h / 7c / 8h / 8d / 8s / 8c / Kd / Kd / Kd", waste="7s", stock="Kc"))
    assert {move for move in legal(board) if "c" in move} == {"c1c5", "c1c6", "c2c3", "c2c4", "wc3", "wc4"}


@pytest.mark.parametrize("game", ["forty-thieves", "maria"])
def test_ranks_do_not_wrap_around(game: str) -> None:
    board = laid_out(game, Layout.of("Kh / Ah / Ks / As", waste="Kc"))
    full = [f"c{source}c{target}" for source in range(1, 5) for target in range(1, 5)]
    assert legal(board).isdisjoint(full)


def test_an_empty_column_takes_any_card_and_every_empty_column_is_a_target() -> None:
    board = laid_out("forty-thieves", Layout.of("3h / - / 9d 5s / -", waste="Kc", stock="Ks"))
    assert legal(board) >= {"c1c2", "c1c4", "c3c2", "c3c4", "wc2", "wc4"}
    assert texts(after(board, "wc4").columns[3]) == "Kc"


def test_the_stock_is_passed_through_once_and_what_lies_under_the_top_of_the_waste_comes_free() -> None:
    board = laid_out("forty-thieves", Layout.of("Ah / - / 10h", stock="9h 7h"))
    after(board, "t t")
    assert "t" not in legal(board)
    assert "wc3" not in legal(board)
    after(board, "wc2 wc3")
    assert [texts(cards) for cards in board.columns[:3]] == ["Ah", "7h", "10h 9h"]
    assert board.waste == []


def test_cards_stay_on_the_foundations() -> None:
    assert not [move for move in MOVES if move.startswith("f")]


# Sequences


RUN = "Kh Qh Jh 10h 9h 8h 7h 6h 5h 4h 3h 2h Ah"


def lengths(board: FortyThievesBoard, target: int) -> list[int]:
    """How many cards may go at once from column 1 to this one."""
    moves = [move for move in board.legal_moves() if (move.source, move.target) == (column(1), column(target))]
    return sorted(move.cards for move in moves)


def with_empty(game: str, first: str, second: str, empty: int) -> FortyThievesBoard:
    """Two columns, and so many empty ones; the others are in the way."""
    columns = rules_of(game).columns
    return laid_out(
        game, Layout.of(" / ".join([first, second, *["2s"] * (columns - 2 - empty), *["-"] * empty]), stock="Ks")
    )


@pytest.mark.parametrize("empty", range(5))
@pytest.mark.parametrize("game", ["forty-thieves", "lucas", "limited"])
def test_groups_move_up_to_two_to_the_number_of_empty_columns_and_half_as_many_to_an_empty_one(
    game: str, empty: int
) -> None:
    longest = 2**empty
    for size in range(1, 13):
        run = RUN.split()[13 - size :]
        board = with_empty(f"{game}+groups", " ".join(run), card_over(run[0]), empty)
        assert lengths(board, 2) == ([size] if size <= longest else [])
    board = with_empty(f"{game}+groups", RUN, "4c", empty)
    if empty:
        assert lengths(board, rules_of(game).columns) == list(range(1, min(13, longest // 2) + 1))


def card_over(card: str) -> str:
    """The card of the same suit and one rank higher."""
    return card_text(parse_card(card) + 4)


def test_groups_of_maria_alternate_in_colour() -> None:
    board = with_empty("maria+groups", "Kh Qs Jh Jd 10s 9h", "Jh", 1)
    assert lengths(board, 2) == [2]
    assert lengths(board, 9) == [1]
    assert legal(with_empty("maria+groups", "10s 9s", "Jh", 1)).isdisjoint({"c1c2", "c1c2x2"})


@pytest.mark.parametrize("empty", [0, 1, 2])
def test_any_properly_built_tail_moves_as_a_whole_in_josephine_however_few_columns_are_empty(empty: int) -> None:
    for options in ("", "+groups"):
        assert lengths(with_empty(f"josephine{options}", "2c 9h 8h 7h 6h", "8h", empty), 2) == [2]
        assert lengths(with_empty(f"josephine{options}", "2c 9h 8h 7h 6h", "9h", empty), 2) == [3]
        assert lengths(with_empty(f"josephine{options}", "2c 9h 8h 7h 6h", "10h", empty), 2) == [4]
    if empty:
        assert lengths(with_empty("josephine", RUN, "4c", empty), 10) == list(range(1, 14))


@pytest.mark.parametrize("game", ["forty-thieves", "lucas", "limited", "maria"])
def test_without_groups_cards_move_one_by_one(game: str) -> None:
    board = with_empty(game, RUN, "4c", 3)
    assert {move.cards for move in board.legal_moves()} == {1}


def move_one_by_one(board: FortyThievesBoard, source: int, target: int, cards: int, spare: list[int]) -> None:
    """Move some cards from column to column with single moves over the spare columns, which are empty again then."""
    if cards == 1:
        board.enter(f"c{source}c{target}")
        return
    aside, *spare = spare
    half = min(cards - 1, 2 ** len(spare))
    move_one_by_one(board, source, aside, half, spare)
    move_one_by_one(board, source, target, cards - half, spare)
    move_one_by_one(board, aside, target, half, spare)


@pytest.mark.parametrize("game", ["forty-thieves", "lucas", "limited", "maria"])
def test_whatever_moves_at_once_could_have_been_moved_card_by_card(game: str) -> None:
    tried = 0
    for seed in range(60):
        layout = near_the_end(game, Random(seed))
        at_once = laid_out(f"{game}+groups", layout)
        for move in at_once.legal_moves():
            if move.cards > 1:
                board, singly = deepcopy(at_once), laid_out(game, layout)
                empty = [number for number, cards in enumerate(singly.columns, start=1) if not cards]
                spare = [number for number in empty if number != move.target.number]
                board.apply(move)
                move_one_by_one(singly, move.source.number, move.target.number, move.cards, spare)
                assert singly.columns == board.columns
                tried += 1
    assert tried > 50


# Peeking


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


# What breaks a rule, and which

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


# On any board, however it is played


@given(spellings, starts, plays)
def test_no_card_is_ever_lost_or_made(spelling: str, where: Start, way: Play) -> None:
    board = start(spelling, where)
    cards = Counter(variant(spelling).cards)
    assert lying(board) == cards
    habit, luck, moves = way
    for _ in play(board, habit, Random(luck), moves):
        assert lying(board) == cards


@given(spellings, starts, plays)
def test_the_count_is_the_number_of_cards_on_the_foundations_and_never_falls(
    spelling: str, where: Start, way: Play
) -> None:
    board = start(spelling, where)
    before = board.count
    habit, luck, moves = way
    for move in play(board, habit, Random(luck), moves):
        assert board.count == sum(map(len, board.view().foundations))
        assert board.count == before + (move.target.area is Area.FOUNDATION)
        before = board.count


@settings(max_examples=50)
@given(spellings, starts, plays)
def test_the_legal_moves_are_exactly_those_that_a_board_takes_and_all_others_change_nothing(
    spelling: str, where: Start, way: Play
) -> None:
    board = played(start(spelling, where), way)
    allowed = [str(move) for move in board.legal_moves()]
    assert len(set(allowed)) == len(allowed)
    known, cards = all_of(board), cards_of(board)
    for text in MOVES:
        if text in allowed:
            deepcopy(board).enter(text)
        else:
            with pytest.raises(IllegalMove):
                board.enter(text)
            assert cards_of(board) == cards
    assert all_of(board) == known


@given(spellings, starts, plays, st.text() | st.text("twcfx0123456789", max_size=7), st.sampled_from([None, *ENDINGS]))
def test_nothing_else_changes_a_board(spelling: str, where: Start, way: Play, text: str, ending: str | None) -> None:
    board = played(start(spelling, where), way)
    if ending is not None and not board.finished:
        board.enter(ending)
    known = all_of(board)
    if text not in legal(board):
        with pytest.raises(EngineError):
            board.enter(text)
        assert all_of(board) == known


@given(spellings, starts, plays)
def test_a_board_is_solved_exactly_when_every_card_is_on_the_foundations(
    spelling: str, where: Start, way: Play
) -> None:
    board = played(start(spelling, where), way)
    assert (board.status is Status.SOLVED) == (board.count == 104)
    assert board.finished == (board.legal_moves() == [])


@pytest.mark.parametrize("spelling", FORTY_THIEVES)
def test_the_last_card_up_solves_the_board(spelling: str) -> None:
    board = laid_out(spelling, Layout.of("Kh", waste="Ks", foundations="13 13 13 13 12 13 13 12"))
    assert after(board, "c1f5").status is Status.PLAYING
    assert after(board, "wf8").status is Status.SOLVED
    assert board.passed == EVERYTHING


# Deal positions and what a board has passed (design, point 4)


@given(spellings, st.integers(0, 2**32 - 1), plays, st.sampled_from([None, *ENDINGS]))
def test_a_board_has_passed_the_positions_that_the_design_says_and_never_fewer_than_before(
    spelling: str, seed: int, way: Play, ending: str | None
) -> None:
    cards = dealt(spelling, seed)
    board = fresh(spelling, cards)
    places = [place for place, card in enumerate(cards.first, start=1) if spelling[:5] != "lucas" or rank(card) != 1]
    to_come = places[rules_of(spelling).columns * rules_of(spelling).rows :]
    begun: list[int] = []
    before = board.passed

    def check() -> None:
        assert board.turned == len(begun)
        assert board.position == (begun[-1] if begun else 0)
        passed = {
            position
            for position in range(105)
            if board.finished or not board.stock or any(later > position for later in begun)
        }
        assert {position for position in range(105) if position <= board.passed} == passed
        assert board.passed >= before

    check()
    habit, luck, moves = way
    for move in play(board, habit, Random(luck), moves):
        if str(move) == "t":
            begun.append(to_come[len(begun)])
        check()
        before = board.passed
    if ending is not None and not board.finished:
        board.enter(ending)
        assert board.passed == EVERYTHING
        check()


def test_lucas_aces_keep_their_places_in_the_shuffle_so_that_positions_have_gaps() -> None:
    columns = "2h 2h 3h 3h 4h 4h 5h 5h 6h 6h 7h 7h 8h 8h 9h 9h 10h 10h Jh Jh Qh Qh Kh Kh 2s 2s 3s 3s 4s 4s 5s 5s 6s 6s"
    board = stacked("lucas", f"{columns} 7s 7s 8s 8s 9s 5c Ah Ah 6c")
    assert board.passed < 0
    after(board, "t")
    assert (board.position, board.passed) == (40, 39)
    after(board, "t")
    assert (board.position, board.passed) == (43, 42)


def test_the_last_card_turned_passes_everything() -> None:
    board = laid_out("limited", Layout.of("Ah", stock="Ac"))
    assert board.passed < 0
    assert after(board, "t").passed == EVERYTHING


# The board of somebody who sees only what is shown


@given(spellings, starts, plays, plays, st.sampled_from([None, *ENDINGS]))
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
@given(spellings, starts, plays)
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
    assert list(mirror.foresee(["c1f7"])) == []
    mirror.enter("c1f7")
    mirror.enter("c2f3")
    assert mirror.status is Status.PLAYING


def test_the_card_that_a_board_knows_counts_and_not_the_one_it_is_told() -> None:
    board = laid_out("limited", Layout.of("As", stock="7h"))
    assert board.enter("t", parse_card("Ks")) == parse_card("7h")


def test_learning_a_card_of_a_stock_that_is_empty_changes_nothing() -> None:
    board = laid_out("limited+peek", Layout.of("As"))
    known = all_of(board)
    board.learn("7h")
    board.learn(None)
    assert all_of(board) == known


@given(spellings, starts, plays)
def test_retracing_entries_gives_the_same_board_as_entering_them(spelling: str, where: Start, way: Play) -> None:
    board, again = start(spelling, where), start(spelling, where)
    habit, luck, moves = way
    for move in play(board, habit, Random(luck), moves):
        again.retrace(str(move))
    assert all_of(again) == all_of(board)

"""The rules of the Sir Tommy family, as examples, and as what holds on any board however it is played."""

from collections import Counter
from copy import deepcopy
from itertools import count as numbers_from
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board import ENDINGS, EVERYTHING, Status
from engine.cards import UNKNOWN, Card, card_text, parse_card, rank
from engine.errors import EngineError, IllegalMove
from engine.games import variant
from engine.moves import parse_move
from engine.sir_tommy import SirTommyBoard
from tests.engine.positions import (
    NOTATION,
    SIR_TOMMY,
    SPELLINGS,
    all_of,
    board_after,
    can_gain,
    choices,
    chosen,
    codes_of_illegal_moves,
    dealt,
    everything_on_piles,
    play_on,
    played,
    rules_of,
    seeds,
    sir_tommy_board,
    spellings,
    stacked,
    tidy,
)

REDEALS = [spelling for spelling in SPELLINGS if spelling.endswith("+redeal")]

RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K"
ONES_TWOS_THREES_FOURS = [
    "A 2 3 4 5 6 7 8 9 10 J Q K",
    "2 4 6 8 10 Q A 3 5 7 9 J K",
    "3 6 9 Q 2 5 8 J A 4 7 10 K",
    "4 8 Q 3 7 J 2 6 10 A 5 9 K",
]


def fresh(spelling: str, top: str = "", second: str = "") -> SirTommyBoard:
    return sir_tommy_board(spelling, stacked(spelling, top, second))


def texts(cards: list[Card]) -> str:
    return " ".join(map(card_text, cards))


def turn(board: SirTommyBoard) -> str:
    card = board.enter("t")
    assert card is not None
    return card_text(card)


def lying(board: SirTommyBoard) -> Counter[Card]:
    """Every card that lies anywhere on the board, the stock's included."""
    places = [*board.piles, *board.foundations, [card for _, card in board._stock]]
    return Counter([card for cards in places for card in cards] + ([] if board.hand is None else [board.hand]))


def accepted(board: SirTommyBoard) -> set[str]:
    """The moves that a board takes, found by trying every one there is."""
    taken = set()
    for text in NOTATION:
        try:
            deepcopy(board).enter(text)
        except IllegalMove:
            continue
        taken.add(text)
    return taken


# The games, one by one


@pytest.mark.parametrize("name", ["sir-tommy", "strategy", "numerica"])
def test_all_but_the_stock_is_empty_at_the_start(name: str) -> None:
    board = fresh(name)
    view = board.view()
    assert (view.stock, view.hand, view.piles, view.foundations) == (52, None, [[]] * 4, [[]] * 4)
    assert (board.count, board.total) == (0, 52)


def test_the_stock_is_turned_in_the_order_of_the_shuffle_and_only_the_turned_card_is_seen() -> None:
    board = fresh("sir-tommy", "7h Ks 2d")
    assert board.enter("t") == parse_card("7h")
    assert board.view().hand == "7h"
    assert board.enter("hp2") is None
    assert turn(board) == "Ks"


def test_foundations_are_built_from_ace_to_king_whatever_the_suits() -> None:
    board = fresh("sir-tommy", "Ah 2c 3s")
    played(board, "t hf3 t hf3 t hf3")
    assert texts(board.foundations[2]) == "Ah 2c 3s"


def test_a_player_may_choose_a_pile_although_a_foundation_would_take_the_card() -> None:
    board = played(fresh("sir-tommy", "Ah"), "t")
    assert {"hf1", "hp1"} <= {str(move) for move in board.legal_moves()}


def test_in_strategy_any_piles_top_card_goes_to_any_other_pile_even_an_empty_one() -> None:
    board = played(fresh("strategy", "7h 9s"), "t hp1 t hp2 p1p2 p2p4")
    assert [texts(cards) for cards in board.piles] == ["", "9s", "", "7h"]


def test_in_numerica_an_ace_starts_the_leftmost_empty_foundation_and_a_card_goes_to_the_leftmost_it_fits() -> None:
    board = played(fresh("numerica", "Ah As 2c"), "t")
    assert [str(move) for move in board.legal_moves() if str(move).startswith("hf")] == ["hf1"]
    played(board, "hf1 t")
    assert [str(move) for move in board.legal_moves() if str(move).startswith("hf")] == ["hf2"]
    played(board, "hf2 t")
    assert [str(move) for move in board.legal_moves() if str(move).startswith("hf")] == ["hf1"]


def test_calculations_foundations_take_the_ranks_that_the_rules_list() -> None:
    ranks = RANKS.split()
    listed = [tuple(ranks.index(text) + 1 for text in line.split()) for line in ONES_TWOS_THREES_FOURS]
    assert list(rules_of("calculation").sequences) == listed


def test_calculation_lays_out_the_first_ace_two_three_and_four_of_the_shuffle_and_counts_them() -> None:
    board = fresh("calculation", "4s 9d Ah Ac 3d 4c 2h")
    assert [texts(cards) for cards in board.foundations] == ["Ah", "2h", "3d", "4s"]
    assert (board.count, board.stock) == (4, 48)
    assert turn(board) == "9d"
    board.enter("hp1")
    assert turn(board) == "Ac"


def test_calculations_ace_pile_takes_no_second_ace_after_its_king() -> None:
    board = fresh("calculation")
    while board.next_rank(1) is not None:
        board.foundations[0].append(4 * ((board.next_rank(1) or 0) - 1))
    assert len(board.foundations[0]) == 13
    assert 1 not in board.fitting(parse_card("Ad"))


def test_puss_in_the_corner_has_48_cards_and_no_king() -> None:
    board = fresh("puss-in-the-corner")
    assert board.total == 48
    assert max(map(rank, variant("puss-in-the-corner").cards)) == 12


def test_puss_in_the_corner_lays_the_aces_into_the_corners_as_they_come_and_counts_them() -> None:
    board = fresh("puss-in-the-corner", "As 5c Ah Ac Ad")
    assert [texts(cards) for cards in board.foundations] == ["As", "Ah", "Ac", "Ad"]
    assert (board.count, board.stock) == (4, 44)


def test_puss_in_the_corners_foundations_are_complete_at_the_queen() -> None:
    assert {sequence[-1] for sequence in rules_of("puss-in-the-corner").sequences} == {12}


@pytest.mark.parametrize("name", SIR_TOMMY)
def test_every_card_of_a_game_has_one_place_on_its_foundations(name: str) -> None:
    wanted = Counter(each for sequence in rules_of(name).sequences for each in sequence)
    assert wanted == Counter(map(rank, variant(name).cards))


@pytest.mark.parametrize("spelling", ["puss-in-the-corner", "puss-in-the-corner+redeal", "sir-tommy+redeal"])
def test_a_board_is_solved_when_every_card_is_on_the_foundations_and_not_before(spelling: str) -> None:
    for seed in numbers_from():
        board, chance = sir_tommy_board(spelling, dealt(spelling, seed)), Random(seed)
        while not board.finished:
            assert board.count < board.total
            board.apply(tidy(board, chance))
        if board.status is Status.SOLVED:
            assert board.count == board.total == len(variant(spelling).cards)
            return


# What breaks a rule, and which

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


# On any board, however it is played


@given(spellings, seeds, choices)
def test_no_card_is_ever_lost_or_made(spelling: str, seed: int, ways: bytes) -> None:
    board = sir_tommy_board(spelling, dealt(spelling, seed))
    cards = Counter(variant(spelling).cards)
    assert lying(board) == cards
    for _ in play_on(board, ways):
        assert lying(board) == cards


@given(spellings, seeds, choices)
def test_the_count_is_the_number_of_cards_on_the_foundations_and_never_falls(
    spelling: str, seed: int, ways: bytes
) -> None:
    board = sir_tommy_board(spelling, dealt(spelling, seed))
    before = board.count
    for move in play_on(board, ways):
        assert board.count == sum(map(len, board.view().foundations))
        assert board.count == before + (str(move)[-2:-1] == "f")
        before = board.count


@settings(max_examples=60)
@given(spellings, seeds, choices)
def test_the_legal_moves_are_exactly_those_that_a_board_takes(spelling: str, seed: int, ways: bytes) -> None:
    board = board_after(spelling, seed, ways)
    legal = [str(move) for move in board.legal_moves()]
    assert len(set(legal)) == len(legal)
    assert set(legal) == accepted(board)


@given(spellings, seeds, choices, st.sampled_from([None, *ENDINGS]))
def test_an_illegal_move_changes_nothing(spelling: str, seed: int, ways: bytes, ending: str | None) -> None:
    board = board_after(spelling, seed, ways)
    if ending is not None and not board.finished:
        board.enter(ending)
    known = all_of(board)
    for text in {*NOTATION, "junk", ""} - {str(move) for move in board.legal_moves()}:
        with pytest.raises(EngineError):
            board.enter(text)
        assert all_of(board) == known


@given(spellings, seeds, choices, st.sampled_from(list(ENDINGS)))
def test_a_player_may_end_an_unfinished_board_at_any_time_and_the_count_stands(
    spelling: str, seed: int, ways: bytes, ending: str
) -> None:
    board = board_after(spelling, seed, ways)
    before = board.count
    if board.finished:
        with pytest.raises(IllegalMove, match="finished"):
            board.enter(ending)
    else:
        board.enter(ending)
        assert board.status is ENDINGS[ending]
    assert board.finished
    assert board.legal_moves() == []
    assert board.count == before


# Stuck


def at_the_end(spelling: str, seed: int) -> SirTommyBoard:
    """A board that has turned its last card, after play in which chance and neatness take turns."""
    board, chance = sir_tommy_board(spelling, dealt(spelling, seed)), Random(seed)
    while not board.finished and (board.stock or board.redeals_left or board.hand is not None):
        turn_or_redeal = [move for move in board.legal_moves() if str(move) in "tr"]
        if turn_or_redeal and chance.random() < 0.7:
            board.apply(turn_or_redeal[0])
        else:
            board.apply(chosen(chance.randrange(256), board.legal_moves()))
    return board


@pytest.mark.parametrize("spelling", [spelling for spelling in SPELLINGS if not spelling.startswith("strategy")])
def test_a_board_that_has_turned_its_last_card_is_stuck_exactly_when_no_moves_can_raise_its_count(
    spelling: str,
) -> None:
    seen = set()
    for seed in range(12):
        board = at_the_end(spelling, seed)
        while True:
            seen.add(board.status)
            assert (board.status is Status.PLAYING) == can_gain(board)
            if board.finished:
                break
            board.apply(board.legal_moves()[0])
    assert seen >= {Status.PLAYING, Status.STUCK}


@pytest.mark.parametrize("spelling", ["strategy", "strategy+redeal"])
def test_strategy_is_never_stuck_since_the_next_card_can_always_be_dug_out(spelling: str) -> None:
    for seed in range(12):
        board = at_the_end(spelling, seed)
        while not board.finished:
            before = board.count
            number, height = next(
                (number, height)
                for number, cards in enumerate(board.piles, start=1)
                for height, card in enumerate(cards)
                if board.fitting(card)
            )
            for _ in board.piles[number - 1][height + 1 :]:
                board.enter(f"p{number}p{number % 4 + 1}")
            top = board.piles[number - 1][-1]
            board.enter(f"p{number}f{board.fitting(top)[0]}")
            assert board.count == before + 1
        assert board.status is Status.SOLVED


@given(spellings, seeds, choices)
def test_a_board_with_a_card_in_hand_a_stock_or_a_redeal_left_is_never_stuck(
    spelling: str, seed: int, ways: bytes
) -> None:
    board = sir_tommy_board(spelling, dealt(spelling, seed))
    for _ in play_on(board, ways):
        if board.hand is not None or board.stock or board.redeals_left:
            assert board.status is not Status.STUCK


# The redeal


def turned_to_the_end(board: SirTommyBoard) -> str:
    cards = []
    while board.stock:
        cards.append(turn(board))
        board.enter("hp1")
    return " ".join(cards)


@pytest.mark.parametrize("spelling", REDEALS)
def test_players_who_redeal_the_same_cards_get_them_in_the_same_order_whatever_their_piles(spelling: str) -> None:
    for seed in range(5):
        orders = []
        for way in range(5):
            chance = Random(way)
            board = everything_on_piles(
                sir_tommy_board(spelling, dealt(spelling, seed)),
                lambda turn, chance=chance: chance.randint(1, 4),  # type: ignore[misc]
            )
            board.enter("r")
            orders.append(turned_to_the_end(board))
        assert len(set(orders)) == 1


@given(st.sampled_from(REDEALS), seeds, choices)
def test_a_redeal_stacks_the_gathered_cards_by_their_place_in_the_second_shuffle(
    spelling: str, seed: int, ways: bytes
) -> None:
    board = board_after(spelling, seed, ways[:80])
    if board.hand is not None:
        board.enter("hp1")
    everything_on_piles(board)
    gathered = {card for cards in board.piles for card in cards}
    board.enter("r")
    assert board.view().piles == [[]] * 4
    assert turned_to_the_end(board) == texts([card for card in dealt(spelling, seed).second if card in gathered])


def test_there_is_one_redeal_and_it_leaves_the_foundations_alone() -> None:
    board = played(fresh("sir-tommy+redeal", "Ah"), "t hf2")
    everything_on_piles(board)
    assert board.view().redeals == 1
    board.enter("r")
    assert (board.view().redeals, board.stock, texts(board.foundations[1])) == (0, 51, "Ah")


# Deal positions and what a board has passed (design, point 4)


def naively_passed(board: SirTommyBoard, begun: list[int], emptied: bool) -> set[int]:
    """Every position that a board has passed, by the words of the design.

    `begun` are the positions of the turns begun so far; `emptied` is whether the first stock has run out with no card
    in hand, after which only the second shuffle's positions can still be ahead.
    """
    size = board.total
    can_never_turn = board.hand is None and not board.stock and not board.redeals_left
    return {
        position
        for position in range(2 * size + 1)
        if board.finished or can_never_turn or max(begun, default=0) > position or (emptied and position <= size)
    }


@given(spellings, seeds, choices, st.sampled_from([None, *ENDINGS]))
def test_a_board_has_passed_the_positions_that_the_design_says_and_never_fewer_than_before(
    spelling: str, seed: int, ways: bytes, ending: str | None
) -> None:
    cards = dealt(spelling, seed)
    board = sir_tommy_board(spelling, cards)
    size = len(cards.first)
    begun: list[int] = []
    emptied = redealt = False
    before = board.passed
    assert board.position == 0

    def check() -> None:
        assert board.position == (begun[-1] if begun else 0)
        assert {position for position in range(2 * size + 1) if position <= board.passed} == naively_passed(
            board, begun, emptied
        )
        assert board.passed >= before

    check()
    for move in play_on(board, ways):
        if str(move) == "t":
            assert board.hand is not None
            place = (cards.second if redealt else cards.first).index(board.hand) + 1
            begun.append(size + place if redealt else place)
        redealt = redealt or str(move) == "r"
        emptied = emptied or (board.hand is None and not board.stock)
        check()
        before = board.passed
    if ending is not None and not board.finished:
        board.enter(ending)
        assert board.passed == EVERYTHING
        check()


@given(spellings, seeds, choices)
def test_positions_never_decrease_and_turns_are_counted_one_by_one(spelling: str, seed: int, ways: bytes) -> None:
    board = sir_tommy_board(spelling, dealt(spelling, seed))
    position = turned = 0
    for move in play_on(board, ways):
        turned += str(move) == "t"
        assert board.turned == turned
        assert board.position > position if str(move) == "t" else board.position == position
        position = board.position


def test_starters_keep_their_places_in_the_shuffle_so_that_the_first_turn_may_be_at_a_later_one() -> None:
    board = played(fresh("puss-in-the-corner", "As Ah 5c Ac 7d"), "t")
    assert (board.position, board.passed) == (3, 2)
    played(board, "hp1 t")
    assert (board.position, board.passed) == (5, 4)


def test_a_turn_is_passed_when_the_next_one_begins_and_not_when_its_card_is_placed() -> None:
    board = fresh("sir-tommy")
    assert board.passed < 0
    played(board, "t hp1")
    assert board.passed == 0
    played(board, "t")
    assert board.passed == 1


def test_with_a_redeal_to_come_the_first_shuffle_is_passed_and_the_second_is_not() -> None:
    board = everything_on_piles(fresh("sir-tommy+redeal", second="9d Kc 4h"))
    assert board.passed == 52
    played(board, "r")
    assert (board.position, board.passed) == (52, 52)
    played(board, "t hp1")
    assert (board.position, board.passed) == (53, 52)
    played(board, "t hp1")
    assert (board.position, board.passed) == (54, 53)


def test_a_redealt_cards_position_is_its_place_in_the_whole_second_shuffle() -> None:
    board = played(fresh("sir-tommy+redeal", "Ah 2d", second="Ah 9d 2d Kc"), "t hf1 t hf1")
    everything_on_piles(board)
    played(board, "r t hp1 t")
    assert board.position == 52 + 4


def test_without_a_redeal_the_last_card_placed_passes_everything() -> None:
    board = fresh("strategy")
    everything_on_piles(board)
    assert not board.finished
    assert board.passed == EVERYTHING


def test_the_last_card_in_hand_is_still_ahead() -> None:
    board = fresh("strategy")
    while board.stock > 1:
        played(board, "t hp1")
    played(board, "t")
    assert (board.position, board.passed) == (52, 51)


# The board of somebody who sees only what is shown


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

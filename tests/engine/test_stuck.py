"""The search that decides whether a Forty Thieves board is stuck, held against the referee's brute force."""

from collections.abc import Iterator
from random import Random

import pytest

import engine.stuck
from engine.board import Status
from engine.cards import parse_card
from engine.forty_thieves import FortyThievesBoard, FortyThievesRules, stuck_search
from engine.moves import Area
from engine.stuck import STEP, Columns, Position, StuckSearch
from tests.engine.habits import HABITS, play
from tests.engine.layouts import (
    FORTY_THIEVES,
    WITHOUT_PEEK,
    Layout,
    fresh,
    laid_out,
    layout_of,
    near_the_end,
    referee_of,
)
from tests.engine.positions import dealt

SHUFFLING = Layout.of("Jh 9h 8h / 9h / 2c 3s / 2c Jd / 2d Jd / 2d Js / 2s Js / 2s Kd / 3d Kd / 3d Ks / 3c Ks / 3c Jh")
"""Twelve columns in which the eight of hearts may go from nine to nine for ever, and nothing more is won."""


def without_stock(spelling: str, seed: int) -> Iterator[Layout]:
    """Layouts whose stock has been passed through: one with much built, and those a careless player comes to."""
    yield near_the_end(spelling, Random(seed), most_stock=0)
    board = fresh(spelling, dealt(spelling, seed))
    for number, _ in enumerate(play(board, HABITS[seed % len(HABITS)], Random(seed))):
        if not board.stock and (board.finished or number % 8 == 0):
            yield layout_of(board)


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[Position]:
    """Every position from which the search looks further, in turn."""
    positions = []
    look = StuckSearch._reached

    def note(self: StuckSearch, position: Position, waste: bytes) -> Iterator[tuple[Columns, int]]:
        positions.append(position)
        return look(self, position, waste)

    monkeypatch.setattr(StuckSearch, "_reached", note)
    return positions


@pytest.mark.parametrize("spelling", WITHOUT_PEEK)
def test_a_board_is_stuck_exactly_when_brute_force_finds_no_foundation_move(spelling: str) -> None:
    seen = set()
    for seed in range(20):
        for layout in without_stock(spelling, seed):
            board = laid_out(spelling, layout)
            can_gain = referee_of(spelling, layout).can_gain()
            assert (board.status is Status.STUCK) == (not can_gain and board.count < board.total)
            seen.add(board.status)
    assert seen >= {Status.PLAYING, Status.STUCK}


def test_a_board_with_legal_moves_that_lead_nowhere_is_stuck() -> None:
    board = laid_out("limited", SHUFFLING)
    assert [str(move) for move in board._moves()] == ["c1c2"]
    assert reachable("limited", SHUFFLING) == 2
    assert board.status is Status.STUCK
    assert board.legal_moves() == []


def test_a_board_is_not_stuck_while_a_longer_way_leads_to_a_foundation() -> None:
    layout = Layout.of("9h 8h / 9h Ac / 8h / 2c 3s / 2c Jd / 2d Jd / 2d Js / 2s Js / 2s Kd / 3d Kd / 3d Ks / 3c Ks")
    assert laid_out("limited", layout).status is Status.PLAYING
    layout = Layout.of("9h 8h / Kh 9h / As 8h / 2c 3s / 2c Jd / 2d Jd / 2d Js / 2s Js / 2s Kd / 3d Kd / 3d Ks / 3c Ks")
    board = laid_out("limited", layout)
    assert not [move for move in board.legal_moves() if move.target.area is Area.FOUNDATION]
    board.enter("c3c2")
    assert "c3f7" in map(str, board.legal_moves())


def test_a_board_with_a_stock_is_never_stuck() -> None:
    layout = Layout(SHUFFLING.columns, stock=["Kc"])
    board = laid_out("limited", layout)
    assert not board.finished
    board.enter("t")
    assert board.status is Status.STUCK


def test_only_josephines_sequences_move_as_a_whole_in_the_search() -> None:
    rest = " / 2c 3s / 2c Jd / 2d Jd / 2d Js / 2s Js / 2s Kd / 3d Kd / 3d Ks"
    layout = Layout.of("As 8h 7h / 9h" + rest)
    assert laid_out("josephine", layout).status is Status.PLAYING
    assert laid_out("forty-thieves", layout).status is Status.STUCK
    assert laid_out("forty-thieves+groups", layout).status is Status.STUCK


def test_the_verdict_is_the_same_with_the_columns_in_any_order() -> None:
    for seed in range(20):
        for layout in without_stock("limited", seed):
            status = laid_out("limited", layout).status
            for number in range(3):
                Random(number).shuffle(layout.columns)
                assert laid_out("limited", layout).status == status


# The budget


def reachable(spelling: str, layout: Layout, most: int = 400) -> int | None:
    """How many positions can be reached from a stuck board, by brute force; None for other boards and where too many."""
    referee = referee_of(spelling, layout)
    if referee.can_gain(most) is not False:
        return None
    return next(number for number in range(1, most + 1) if referee.can_gain(number) is False)


@pytest.mark.parametrize("game", ["forty-thieves", "lucas", "limited", "maria", "josephine"])
def test_a_stuck_board_is_stuck_with_a_budget_of_all_that_can_be_reached_and_not_with_less(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = 0
    for seed in range(15):
        *_, layout = without_stock(game, seed)
        positions = reachable(game, layout)
        if positions is None or laid_out(game, layout).status is Status.SOLVED:
            continue
        for budget, status in ((positions, Status.STUCK), (positions - 1, Status.PLAYING)):
            with monkeypatch.context() as patch:
                patch.setattr(engine.stuck, "BUDGET", budget)
                assert laid_out(game, layout).status is status
        tried += 1
    assert tried > 5


def test_a_board_whose_search_runs_out_of_its_budget_is_not_stuck_and_its_player_may_stand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine.stuck, "BUDGET", 1)
    board = laid_out("limited", SHUFFLING)
    assert not board.finished
    board.enter("c1c2")
    board.enter("stand")
    assert board.status is Status.STOOD


def test_the_budget_is_never_exceeded_by_more_than_one_positions_moves(
    looked_at: list[Position], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine.stuck, "BUDGET", 50)
    empty = Layout.of("Kh Qh Jh / Ks Qs Js / Kd Qd Jd / Kc Qc Jc 3c 5c 7c / 2c 4c 6c 8c")
    assert laid_out("limited", empty).status is Status.PLAYING
    assert len(looked_at) <= 50


# Again, in a replay, in steps, ahead


@pytest.mark.parametrize("spelling", WITHOUT_PEEK)
def test_a_replay_comes_to_the_same_verdict_after_every_move(spelling: str) -> None:
    for seed in range(4):
        layout = near_the_end(spelling, Random(seed))
        board, replay = laid_out(spelling, layout), laid_out(spelling, layout)
        for move in play(board, HABITS[seed % len(HABITS)], Random(seed), 40):
            replay.retrace(str(move))
            assert laid_out(spelling, layout_of(board)).status == board.status
        assert replay.status == board.status


def steps_of(board: FortyThievesBoard) -> Iterator[None]:
    return board._search.steps(board.columns, board.waste, board._wanted())


@pytest.mark.parametrize("spelling", WITHOUT_PEEK)
def test_a_search_in_steps_comes_to_the_same_verdict(spelling: str, looked_at: list[Position]) -> None:
    for seed in range(15):
        for layout in without_stock(spelling, seed):
            board = laid_out(spelling, layout)
            for _ in steps_of(board):
                pass
            looked_at.clear()
            status = board.status
            assert looked_at == []
            assert laid_out(spelling, layout).status == status


def test_no_step_looks_at_more_than_a_few_positions(looked_at: list[Position]) -> None:
    steps = 0
    for spelling in WITHOUT_PEEK:
        for layout in (layout for seed in range(15) for layout in without_stock(spelling, seed)):
            looked_at.clear()
            for _ in steps_of(laid_out(spelling, layout)):
                assert len(looked_at) <= STEP
                looked_at.clear()
                steps += 1
            assert len(looked_at) <= STEP
    assert steps > 200


@pytest.mark.parametrize("spelling", FORTY_THIEVES)
def test_what_was_foreseen_needs_no_search_when_it_is_entered(spelling: str, looked_at: list[Position]) -> None:
    searched = 0
    for seed in range(30):
        board = laid_out(spelling, near_the_end(spelling, Random(seed), most_stock=2))
        while board.stock and len(board.columns) < seed:
            board.enter("t")
        chance = Random(seed)
        for _ in range(12):
            legal = board.legal_moves()
            if not legal:
                break
            entry = str(HABITS[seed % len(HABITS)](legal, chance))
            before = layout_of(board)
            for _ in board.foresee(entry):
                pass
            assert layout_of(board) == before
            searched += len(looked_at)
            looked_at.clear()
            board.enter(entry)
            assert board.finished == (board.status is not Status.PLAYING)
            assert board.legal_moves() == [] or not board.finished
            assert looked_at == []
    assert searched > 0


@pytest.mark.parametrize("entry", ["junk", "", "r", "stand", "c1c1", "c1c13", "wf1", "hp1", "c9f9"])
def test_nothing_is_foreseen_of_what_is_no_move(entry: str, looked_at: list[Position]) -> None:
    board = laid_out("limited", Layout.of("Ah / 2h / -"))
    assert list(board.foresee(entry)) == []
    assert looked_at == []


def test_with_a_stock_there_is_nothing_to_foresee(looked_at: list[Position]) -> None:
    board = fresh("forty-thieves", dealt("forty-thieves", 1))
    assert list(board.foresee("t")) == []
    assert looked_at == []


def test_the_turn_of_the_last_card_is_foreseen(looked_at: list[Position]) -> None:
    board = laid_out("limited", Layout(SHUFFLING.columns, stock=["Kc"]))
    for _ in board.foresee("t"):
        pass
    assert len(looked_at) == 2
    board.enter("t")
    assert board.status is Status.STUCK
    assert len(looked_at) == 2


def test_a_board_thinks_about_itself_in_steps(looked_at: list[Position]) -> None:
    board = laid_out("limited", Layout(SHUFFLING.columns, stock=["Kc"]))
    assert list(board.think()) == []
    board.retrace("t")
    for _ in board.think():
        pass
    assert len(looked_at) == 2
    assert board.status is Status.STUCK
    board = laid_out("limited", Layout(SHUFFLING.columns))
    board.retrace("stand")
    assert list(board.think()) == []
    assert len(looked_at) == 2


def test_a_board_whose_status_is_told_does_not_think(looked_at: list[Position]) -> None:
    board = laid_out("limited", Layout(SHUFFLING.columns, waste=["Kc"]))
    board.settle(Status.PLAYING)
    assert not board.finished
    assert board.legal_moves()
    board.settle(Status.STUCK)
    assert board.legal_moves() == []
    assert looked_at == []


def test_what_is_told_ends_with_the_next_entry_and_changes_no_ending() -> None:
    board = laid_out("limited", Layout(SHUFFLING.columns, stock=["Kc"]))
    board.settle(Status.PLAYING)
    board.enter("t")
    assert board.status is Status.STUCK
    board = laid_out("limited", Layout(SHUFFLING.columns, stock=["Kc"]))
    board.enter("resign")
    board.settle(Status.PLAYING)
    assert board.status is Status.RESIGNED


def test_what_one_board_has_found_out_another_need_not(looked_at: list[Position]) -> None:
    one, other = (fresh("forty-thieves", dealt("forty-thieves", 1)) for _ in range(2))
    for _ in range(one.stock):
        one.retrace("t")
    for _ in one.think():
        pass
    searched = len(looked_at)
    assert searched > 0
    for _ in range(other.stock):
        other.enter("t")
    assert not other.stock
    assert other.status in {Status.PLAYING, Status.STUCK}
    assert len(looked_at) == searched


def test_verdicts_are_remembered_but_not_for_ever() -> None:
    board = laid_out("limited", Layout.of("9h 8h / 9h / As / -"))
    for _ in range(3 * engine.stuck.REMEMBERED):
        board.columns[3].append(0)
        assert not board._is_stuck()
    assert len(board._search._verdicts) <= engine.stuck.REMEMBERED


def test_what_was_foreseen_again_is_remembered_longest(
    looked_at: list[Position], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move is made a moment after it was foreseen, and must not be held up by a search because others moved meanwhile."""
    monkeypatch.setattr(engine.stuck, "REMEMBERED", 3)
    board = laid_out("limited", Layout(SHUFFLING.columns))

    def searched(kings: int) -> bool:
        board.waste = kings * [parse_card("Kc")]
        looked_at.clear()
        for _ in steps_of(board):
            pass
        return bool(looked_at)

    assert [searched(kings) for kings in (1, 2, 3)] == [True, True, True]
    assert [searched(kings) for kings in (1, 4, 5)] == [False, True, True]
    assert not searched(1)


def test_copies_that_go_separate_ways_mix_up_no_verdicts() -> None:
    layout = Layout(SHUFFLING.columns, waste=["Kc"])
    stuck, playing = laid_out("limited", layout), laid_out("limited", layout)
    playing._search = stuck._search
    playing.waste = [parse_card("As")]
    assert [stuck._is_stuck(), playing._is_stuck(), stuck._is_stuck()] == [True, False, True]
    playing.waste = [parse_card("Kc")]
    playing.foundations[5] += map(parse_card, ["Ah", "2h", "3h", "4h", "5h", "6h", "7h"])
    assert [stuck._is_stuck(), playing._is_stuck(), stuck._is_stuck()] == [True, False, True]


@pytest.mark.parametrize(("columns", "stuck"), [(3, True), (4, False)])
def test_the_example_of_the_module_is_right(columns: int, stuck: bool) -> None:
    rules = FortyThievesRules(columns=columns, rows=1)
    cards = [[parse_card(text) for text in column] for column in (["9h", "8h"], ["9h"], ["Ah", "Js"])]
    empty: list[list[int]] = [[] for _ in range(columns - 3)]
    assert stuck_search(rules).proves([*cards, *empty], [], frozenset([parse_card("Ah")])) is stuck

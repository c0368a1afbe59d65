"""A board that has much to think about: while it does, everybody else is served."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

import engine.stuck
import server.thinking
from engine.board import Steps
from engine.cards import Card
from engine.forty_thieves import FortyThievesBoard
from engine.sir_tommy import SirTommyBoard
from engine.stuck import STEP, Columns, Position, StuckSearch
from protocol import messages as wire
from server.app import RaceServer
from server.match import Match
from server.past import line_of
from server.seat import AT_ONCE
from server.thinking import Thinking
from tests.engine.layouts import Layout, laid_out
from tests.server.desk import ANN, BOB, Desk
from tests.server.driver import Client, Visitors

LONG = Layout.of("Kh Qh Jh 2s / Ks Qs Js / Kd Qd Jd / Kc Qc Jc 3c 5c 7c / 2c 4c 6c 8c 10c / 3h 5h 7h 9h", stock="Kc")
"""With an empty stock, far more can be reached from here than the search looks at."""


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step always takes longer than others may be held up for."""
    monkeypatch.setattr(server.thinking, "LONGEST_TURN", -1.0)


def lay(race_server: RaceServer, player: Client, layout: Layout) -> FortyThievesBoard:
    """Put other cards on a player's board."""
    board = laid_out(player.game, layout)
    race_server.hub.tables[player.match].match.seats[player.seat].board = board
    return board


@pytest.mark.usefixtures("impatient")
async def test_a_search_goes_on_only_while_others_are_served(people: Visitors, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search waits for the answers of another match, and would never come to an end if it held the server up."""
    ann, _ = await people.race("limited")
    carl, dora = await people.race("sir-tommy")
    steps = 0

    def foresee(_board: FortyThievesBoard, _entry: str) -> Iterator[None]:
        nonlocal steps
        while dora.entries < 10 and steps < 200_000:
            steps += 1
            yield

    monkeypatch.setattr(FortyThievesBoard, "foresee", foresee)
    await ann.send(wire.Move(match=ann.match, n=1, move="t"))
    await asyncio.gather(carl.play_on(10), dora.play_on(10))
    assert (await ann.next(wire.Moved)).n == 1
    assert 0 < steps < 200_000


@pytest.mark.usefixtures("impatient")
async def test_a_long_search_is_done_in_steps_and_not_again_when_the_move_is_made(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine.stuck, "BUDGET", 2_000)
    ann, _ = await people.race("limited")
    board = lay(race_server, ann, LONG)
    looked_at, at_once, most_at_once, turns = 0, 0, 0, 0
    look, take_turn = StuckSearch._reached, Thinking._take_turn

    def note(self: StuckSearch, position: Position, waste: bytes) -> Iterator[tuple[Columns, int]]:
        nonlocal looked_at, at_once, most_at_once
        looked_at, at_once = looked_at + 1, at_once + 1
        most_at_once = max(most_at_once, at_once)
        return look(self, position, waste)

    def turn(thinking: Thinking, loop: asyncio.AbstractEventLoop) -> None:
        nonlocal at_once, turns
        at_once, turns = 0, turns + 1
        take_turn(thinking, loop)

    monkeypatch.setattr(StuckSearch, "_reached", note)
    monkeypatch.setattr(Thinking, "_take_turn", turn)
    await ann.send(wire.Move(match=ann.match, n=1, move="t"))
    moved = await ann.next(wire.Moved)
    assert (moved.n, moved.card, board.stock) == (1, "Kc", 0)
    assert looked_at > 10 * STEP
    assert most_at_once <= STEP
    assert turns >= looked_at // STEP


@pytest.mark.usefixtures("impatient")
async def test_a_board_that_is_laid_anew_thinks_while_others_are_served(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = await people.race("limited")
    carl, dora = await people.race("sir-tommy")
    await ann.move("t")
    await ann.move("t")
    steps = 0

    def think(_board: FortyThievesBoard) -> Iterator[None]:
        nonlocal steps
        while dora.entries < 10 and steps < 200_000:
            steps += 1
            yield

    monkeypatch.setattr(FortyThievesBoard, "think", think)
    table = race_server.hub.tables[ann.match]
    board = table.match.seats[ann.seat].board
    table.stale = True  # as when the store has failed
    await ann.send(wire.Move(match=ann.match, n=3, move="resign"))
    await asyncio.gather(carl.play_on(10), dora.play_on(10))
    assert (await ann.next(wire.Moved, lambda moved: moved.n == 3)).status == "resigned"
    assert table.match.seats[ann.seat].board is not board
    assert 0 < steps < 200_000


@pytest.mark.usefixtures("impatient")
async def test_a_player_who_comes_back_while_the_board_thinks_makes_the_move_once(
    people: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await people.race("limited")
    again = await people.guest("Ann", key=ann.key)
    steps = 0

    def foresee(_board: FortyThievesBoard, _entry: str) -> Iterator[None]:
        nonlocal steps
        while not again.all(wire.BoardState) and steps < 200_000:
            steps += 1
            yield

    monkeypatch.setattr(FortyThievesBoard, "foresee", foresee)
    await ann.send(wire.Move(match=ann.match, n=1, move="t"))
    await ann.send(wire.Matches())
    again.match, again.seat, again.game = ann.match, ann.seat, ann.game
    await again.resume(ann.match)
    await again.next(wire.BoardState)
    await ann.closed()
    assert ann.all(wire.Moved) == []
    assert (await again.move("t")).n == 1
    assert (await bob.next(wire.Progress, lambda news: news.turned == 1)).seat == ann.seat


async def test_who_loses_the_seat_in_the_last_step_of_a_long_search_makes_no_move(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection is still there then: only the seat tells that another one plays now."""
    ann, bob = await people.race("limited")
    again = await people.guest("Ann", key=ann.key)
    table = race_server.hub.tables[ann.match]
    await again.watch(ann.match)
    (newer,) = table.watching

    def foresee(_board: FortyThievesBoard, _entry: str) -> Iterator[None]:
        yield
        race_server.hub.take_seat(table, ann.seat, newer)

    with monkeypatch.context() as patch:
        patch.setattr(FortyThievesBoard, "foresee", foresee)
        await ann.send(wire.Move(match=ann.match, n=1, move="t"))
        assert (await ann.closed()).code == 4000
    assert ann.all(wire.Moved) == []
    await again.resume(ann.match)
    board = await again.next(wire.BoardState)
    assert (board.seat, board.n) == (ann.seat, 0)
    assert not [news for news in bob.all(wire.Progress) if news.turned]


async def test_a_move_that_is_not_the_next_is_not_thought_about(
    people: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = await people.race("limited")
    await ann.move("t")
    asked: list[str] = []

    def foresee(_board: FortyThievesBoard, entry: str) -> Iterator[None]:
        asked.append(entry)
        return iter(())

    monkeypatch.setattr(FortyThievesBoard, "foresee", foresee)
    await ann.ask(wire.Move(match=ann.match, n=1, move="t"), wire.Moved)
    for number in (0, 1, 3):
        await ann.refused(wire.Move(match=ann.match, n=number, move="c1c1"))
    await ann.move("stand")
    await ann.refused(wire.Move(match=ann.match, n=3, move="t"))
    assert asked == ["stand"]


async def test_what_takes_no_step_is_done_at_once() -> None:
    def work() -> Steps[str]:
        yield from ()
        return "done"

    thinking = Thinking()
    with pytest.raises(StopIteration) as done:
        thinking.done(work()).send(None)
    assert done.value.value == "done"


@pytest.mark.usefixtures("impatient")
async def test_boards_think_by_turns_and_one_step_at_a_time() -> None:
    thinking, turn, steps = Thinking(), 0, []
    thought = 0

    def work(name: str) -> Steps[str]:
        for _ in range(20):
            yield
            steps.append((turn, name))
        return name

    async def think(name: str) -> str:
        nonlocal thought
        outcome = await thinking.done(work(name))
        thought += 1
        return outcome

    async def others() -> None:
        nonlocal turn
        while thought < 3:
            turn += 1
            await asyncio.sleep(0)

    outcomes = await asyncio.gather(think("a"), think("b"), think("c"), others())
    assert list(outcomes) == ["a", "b", "c", None]
    assert len({turn for turn, _ in steps}) == len(steps) == 60
    assert {name for _, name in steps[:6]} == {"a", "b", "c"}


def long_logs() -> Desk:
    """A match whose players move cards to and fro, and that is over."""
    desk = Desk("strategy").playing()
    for seat in (ANN, BOB):
        desk.move(seat, "t", "hp1", *("p1p2", "p2p1") * 300)
    desk.move(ANN, "resign")
    return desk


def test_long_logs_are_carried_out_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = long_logs()
    entries = at_once = 0
    retrace = SirTommyBoard.retrace

    def note(board: SirTommyBoard, *entry: Any) -> Card | None:
        nonlocal entries, at_once
        entries, at_once = entries + 1, at_once + 1
        return retrace(board, *entry)

    monkeypatch.setattr(SirTommyBoard, "retrace", note)
    for steps in (
        Match.served(desk.stored),
        Desk("strategy").match.catch_up(desk.now, desk.stored),
        line_of(desk.stored),
    ):
        entries = at_once = 0
        for _ in steps:
            assert at_once <= 2 * AT_ONCE
            at_once = 0
        assert at_once <= 2 * AT_ONCE
        assert entries > 1200


def test_it_is_asked_only_of_the_last_entry_of_a_long_log_whether_the_board_is_stuck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It can take long to find out, and what came before the last entry was not stuck."""
    desk, asked = long_logs(), 0
    is_stuck = SirTommyBoard._is_stuck

    def note(board: SirTommyBoard) -> bool:
        nonlocal asked
        asked += 1
        return is_stuck(board)

    monkeypatch.setattr(SirTommyBoard, "_is_stuck", note)
    for steps in (Match.served(desk.stored), Desk("strategy").match.catch_up(desk.now, desk.stored)):
        asked = 0
        for _ in steps:
            pass
        assert asked <= 6  # of each of the two boards: as it was dealt, as others see it, and as it is


def test_what_others_see_of_a_long_log_is_brought_up_in_steps() -> None:
    seat = long_logs().match.seats[ANN]
    steps = list(seat.keep_up())
    assert len(steps) == len(seat.entries) // AT_ONCE > 10
    assert list(seat.keep_up()) == []
    assert seat.shown_board().n == len(seat.entries)

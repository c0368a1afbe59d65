"""Stepping through a match: what is typed, and what time does."""

import asyncio
import io
import json

import pytest

from client_cli import viewer as viewers
from client_cli.announcements import Announcement, Over
from client_cli.answers import BoardShown, Unparsable
from client_cli.replay import Replay
from client_cli.reports import ReplayEdge, ReplayHelp, ReplayOpened, ReplaySpeed, ReplayStep
from client_cli.terminal import EndOfInput, Line, Screen
from client_cli.troubles import Exit
from client_cli.viewer import LONGEST_PAUSE, SPEEDS, Viewer, attend, view
from tests.client_cli.table import Table


def replayed() -> Replay:
    """A match of six steps, half a second apart."""
    table = Table().started()
    for seat, entry in ((0, "t"), (1, "t"), (0, "hp1"), (1, "hp2"), (0, "stand"), (1, "stand")):
        table.play(seat, entry)
    return Replay(table.record())


class Sitting:
    """A viewer, who has been greeted, and what time it is."""

    def __init__(self) -> None:
        self.viewer = Viewer(replayed())
        self.greeting = self.viewer.to_tell()
        self.now = 0.0

    def type(self, *lines: str) -> list[Announcement]:
        for line in lines:
            self.viewer.typed(line, self.now)
        return self.viewer.to_tell()

    def wait(self) -> list[Announcement]:
        """Let pass what is to pass until the next tick."""
        delay = self.viewer.next_tick(self.now)
        assert delay is not None
        self.now += delay
        self.viewer.tick(self.now)
        return self.viewer.to_tell()

    def steps(self, *lines: str) -> list[int]:
        return [told.step for told in self.type(*lines) if isinstance(told, ReplayStep)]


@pytest.fixture
def sitting() -> Sitting:
    return Sitting()


def test_who_comes_is_told_which_match_it_is(sitting: Sitting) -> None:
    (opened,) = sitting.greeting
    assert isinstance(opened, ReplayOpened)
    assert (opened.names, opened.steps) == (["Ada", "Bo"], 6)


def test_steps_forwards_and_backwards(sitting: Sitting) -> None:
    assert sitting.steps("", "n", "next") == [1, 2, 3]
    assert sitting.steps("b", "back", "B ") == [2, 1, 0]
    assert sitting.type("b") == [ReplayEdge(last=False)]


def test_a_step_has_both_boards_and_what_was_done(sitting: Sitting) -> None:
    sitting.type("g 3")
    (step,) = sitting.type("n")
    assert isinstance(step, ReplayStep)
    assert (step.seat, step.move, step.at, step.counts) == (1, "hp2", 2000, [0, 0])
    assert step.card is not None
    assert step.views == [board.view() for board in sitting.viewer.replay.boards]


def test_a_step_by_its_number(sitting: Sitting) -> None:
    assert sitting.steps("g 4", "go 2", "5", "0") == [4, 2, 5, 0]
    assert sitting.steps("g 999") == [6]
    assert sitting.type("g x") == [Unparsable(word="g x")]
    assert sitting.type("g") == [Unparsable(word="g")]


def test_the_end_tells_the_result(sitting: Sitting) -> None:
    sitting.type("5")
    step, over = sitting.type("n")
    assert isinstance(step, ReplayStep)
    assert step.status == "stood"
    assert isinstance(over, Over)
    assert (over.winner, over.reason, over.you) == (None, "draw", None)
    assert sitting.type("n") == [ReplayEdge(last=True)]


def test_both_boards_with_all_cards(sitting: Sitting) -> None:
    first, second = sitting.type("o")
    assert isinstance(first, BoardShown)
    assert isinstance(second, BoardShown)
    assert (first.name, second.name) == ("Ada", "Bo")


def test_other_words(sitting: Sitting) -> None:
    assert sitting.type("?", "help") == [ReplayHelp(), ReplayHelp()]
    assert sitting.type("fly") == [Unparsable(word="fly")]
    assert not sitting.viewer.done
    sitting.type("q")
    assert sitting.viewer.done


def test_it_runs_by_itself_until_the_end(sitting: Sitting) -> None:
    assert sitting.viewer.next_tick(0) is None
    assert sitting.type("p") == [ReplaySpeed(speed=4.0, running=True)]
    told = [each for _ in range(6) for each in sitting.wait()]
    assert [each.step for each in told if isinstance(each, ReplayStep)] == [1, 2, 3, 4, 5, 6]
    assert isinstance(told[-1], Over)
    assert sitting.now == pytest.approx(3.0 / 4)
    assert sitting.viewer.next_tick(sitting.now) is None
    assert sitting.type("p") == [ReplaySpeed(speed=4.0, running=False)]


def test_it_does_not_run_ahead(sitting: Sitting) -> None:
    sitting.type("p")
    sitting.viewer.tick(0.1)
    assert sitting.viewer.to_tell() == []


@pytest.mark.parametrize("word", ["p", "n", "b", "g 2"])
def test_it_stops_when_told_to_and_when_stepped_by_hand(sitting: Sitting, word: str) -> None:
    sitting.type("p")
    sitting.wait()
    sitting.type(word)
    assert sitting.viewer.next_tick(sitting.now) is None


def test_faster_and_slower(sitting: Sitting) -> None:
    sitting.type("p", "+")
    sitting.wait()
    assert sitting.now == pytest.approx(0.5 / 8)
    speeds = [told.speed for told in sitting.type(*["+"] * 9, *["-"] * 20) if isinstance(told, ReplaySpeed)]
    assert (max(speeds), min(speeds)) == (SPEEDS[-1], SPEEDS[0])


def test_nobody_waits_long_for_a_player_who_thought_long(sitting: Sitting) -> None:
    viewer = sitting.viewer
    viewer.replay.steps = tuple(
        step.__class__(step.at * 10_000, step.seat, step.n, step.entry, step.card, 0, 0, step.status)
        for step in viewer.replay.steps
    )
    sitting.type("p")
    assert viewer.next_tick(0) == LONGEST_PAUSE


async def test_without_a_terminal_every_step_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewers, "is_terminal", lambda: False)
    out = io.StringIO()
    assert await view(replayed(), Screen(as_json=True, out=out)) is Exit.FINE
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [event["event"] for event in events] == ["replay-opened", *["replay-step"] * 6, "over"]
    assert [event["step"] for event in events[1:-1]] == [1, 2, 3, 4, 5, 6]
    assert all(len(event["views"]) == 2 for event in events[1:-1])


@pytest.mark.parametrize("last", [Line("q"), EndOfInput()])
async def test_typed_lines_and_time_go_on_together(last: Line | EndOfInput) -> None:
    out = io.StringIO()
    viewer = Viewer(replayed())
    viewer.speed = SPEEDS[-1]
    inbox: asyncio.Queue[Line | EndOfInput] = asyncio.Queue()
    inbox.put_nowait(Line("p"))
    attending = asyncio.create_task(attend(viewer, Screen(out=out), inbox))
    async with asyncio.timeout(10):
        while "A draw" not in out.getvalue():  # noqa: ASYNC110 - the screen has no event for it
            await asyncio.sleep(0.001)
        inbox.put_nowait(last)
        assert await attending is Exit.FINE
    assert "Step 6 of 6, 3 s: Bo stands at 0 of 52.\n" in out.getvalue()


async def test_at_a_terminal_the_words_are_told_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewers, "is_terminal", lambda: True)
    monkeypatch.setattr(viewers, "read_lines", lambda take: take(EndOfInput()))
    out = io.StringIO()
    assert await view(replayed(), Screen(out=out)) is Exit.FINE
    assert "Enter, n" in out.getvalue()

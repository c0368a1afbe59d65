"""Stepping through a match line by line: what is typed moves a replay, and time does while it runs.

A viewer does no input or output: lines and times come in by its methods, what it wants to say collects in `to_tell`.
`view` does the rest.
"""

import asyncio
import time

from client_cli.announcements import Announcement, Over
from client_cli.answers import BoardShown, Unparsable
from client_cli.replay import Replay
from client_cli.reports import ReplayEdge, ReplayHelp, ReplayOpened, ReplaySpeed, ReplayStep
from client_cli.terminal import EndOfInput, Line, Screen, is_terminal, read_lines
from client_cli.troubles import Exit
from engine.result import Reason

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
USUAL_SPEED = 4.0
LONGEST_PAUSE = 3.0
"""Seconds for which nothing happens at most, however long the players thought."""


class Viewer:
    """Somebody who looks at a replay. `done` once they have seen enough."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.done = False
        self.speed = USUAL_SPEED
        self.running = False
        self._due = 0.0
        record = replay.record
        self._told: list[Announcement] = [
            ReplayOpened(record.match, record.game, record.created, replay.names, len(replay.steps))
        ]

    def typed(self, line: str, now: float) -> None:
        """Take a line that was typed."""
        word, _, number = line.strip().lower().partition(" ")
        if word in ("g", "go") or word.isdecimal():
            self._go_to(number if word in ("g", "go") else word, line)
        elif word in ("n", "next", ""):
            self._stop()
            self._forward()
        elif word in ("b", "back"):
            self._stop()
            self._back()
        elif word in ("+", "-"):
            self._change_speed(1 if word == "+" else -1, now)
        elif word in ("p", "play", "pause"):
            self.running = not self.running and not self.replay.at_end
            self._told.append(ReplaySpeed(self.speed, self.running))
            self._wind_up(now)
        elif word in ("o", "boards"):
            self._show_boards()
        elif word in ("q", "quit"):
            self.done = True
        elif word in ("?", "h", "help"):
            self._told.append(ReplayHelp())
        else:
            self._told.append(Unparsable(word=word))

    def _go_to(self, number: str, line: str) -> None:
        if not number.strip().isdecimal():
            self._told.append(Unparsable(word=line.strip()))
            return
        self._stop()
        self.replay.go_to(int(number))
        self._show()

    def _change_speed(self, by: int, now: float) -> None:
        at = SPEEDS.index(self.speed) + by
        self.speed = SPEEDS[min(max(at, 0), len(SPEEDS) - 1)]
        self._told.append(ReplaySpeed(self.speed, self.running))
        self._wind_up(now)

    def _stop(self) -> None:
        self.running = False

    def tick(self, now: float) -> None:
        """Go on if it is time to."""
        if self.running and now >= self._due:
            self._forward()
            self.running = not self.replay.at_end
            self._wind_up(now)

    def next_tick(self, now: float) -> float | None:
        """When to call `tick`, in seconds from now; None while nothing runs."""
        return max(0.0, self._due - now) if self.running else None

    def _wind_up(self, now: float) -> None:
        """The pause before the next step begins now."""
        self._due = now + min((self.replay.pause or 0) / 1000 / self.speed, LONGEST_PAUSE)

    def _forward(self) -> None:
        if self.replay.forward():
            self._show()
        else:
            self._told.append(ReplayEdge(last=True))

    def _back(self) -> None:
        if self.replay.back():
            self._show()
        else:
            self._told.append(ReplayEdge(last=False))

    def _show(self) -> None:
        replay, last = self.replay, self.replay.last
        self._told.append(
            ReplayStep(
                step=replay.position,
                steps=len(replay.steps),
                at=last.at if last else 0,
                names=replay.names,
                views=[board.view() for board in replay.boards],
                counts=[board.count for board in replay.boards],
                total=replay.total,
                seat=last.seat if last else None,
                move=last.entry if last else None,
                card=last.card if last else None,
                before=last.before if last else 0,
                status=last.status if last else "playing",
            )
        )
        if replay.at_end:
            self._show_end()

    def _show_end(self) -> None:
        record = self.replay.record
        if record.result.reason is not Reason.ABORTED:
            counts = [board.count for board in self.replay.boards]
            winner, reason = record.result.winner, record.result.reason
            self._told.append(
                Over(record.match, winner, reason, self.replay.names, counts, self.replay.total, None, record.digest)
            )

    def _show_boards(self) -> None:
        for name, board in zip(self.replay.names, self.replay.boards, strict=True):
            self._told.append(BoardShown(name, board.view(), board.count, board.total))

    def to_tell(self) -> list[Announcement]:
        """What there is to tell; each announcement is given out once."""
        told, self._told = self._told, []
        return told


async def view(replay: Replay, screen: Screen) -> Exit:
    """Let the user step through a match; who cannot type is shown all of it."""
    viewer = Viewer(replay)
    if not is_terminal():
        _tell(viewer, screen)
        while not replay.at_end:
            viewer.typed("next", 0.0)
            _tell(viewer, screen)
        return Exit.FINE
    viewer.typed("help", time.monotonic())
    inbox: asyncio.Queue[Line | EndOfInput] = asyncio.Queue()
    read_lines(inbox.put_nowait)
    return await attend(viewer, screen, inbox)


async def attend(viewer: Viewer, screen: Screen, inbox: "asyncio.Queue[Line | EndOfInput]") -> Exit:
    """Bring a viewer what is typed, and the time, until the viewer has seen enough."""
    while True:
        _tell(viewer, screen)
        if viewer.done:
            return Exit.FINE
        try:
            async with asyncio.timeout(viewer.next_tick(time.monotonic())):
                event = await inbox.get()
        except TimeoutError:
            viewer.tick(time.monotonic())
            continue
        if isinstance(event, EndOfInput):
            return Exit.FINE
        viewer.typed(event.text, time.monotonic())


def _tell(viewer: Viewer, screen: Screen) -> None:
    for told in viewer.to_tell():
        screen.show(told)

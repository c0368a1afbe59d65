"""Boards that have much to think about: in some games a move needs a search for whether the board is stuck.

All thinking is done by the event loop's thread, in turns so short that nobody feels one. Many of them, one after another,
would be felt all the same: on one core, the thread that writes to the store gets hold of the processor only when this one
has nothing to do. So between two turns the loop rests while anybody waits for the store.
"""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any

from engine.board import Outcome, Steps
from server.turns import Party, Turns

LONGEST_TURN = 0.0003
"""Seconds after which whoever is thinking lets others have their turn; a step takes about as long again at most."""
REST = 0.001
"""Seconds for which the loop rests between two turns while somebody waits for the store."""
NOBODY: Party = None
"""The party of what nobody in particular has asked for, such as catching up with another server."""


def _always() -> None:
    """It is wanted, whatever happens."""


class _Thought:
    """Something that is thought about, for somebody who waits for the outcome."""

    def __init__(self, work: Steps[Any], wanted: Callable[[], None], outcome: asyncio.Future[Any]) -> None:
        self.work = work
        self.wanted = wanted
        self.outcome = outcome

    def go_on(self) -> None:
        """Think a little."""
        until = monotonic() + LONGEST_TURN
        try:
            self.wanted()
            next(self.work)
            while monotonic() < until:
                next(self.work)
        except StopIteration as end:
            self.outcome.set_result(end.value)
        except Exception as error:  # noqa: BLE001 - it is for whoever waits
            self.outcome.set_exception(error)


class Writing:
    """A context in which somebody waits for the store, as often as it is entered."""

    def __init__(self) -> None:
        self.writers = 0

    def __enter__(self) -> None:
        self.writers += 1

    def __exit__(self, *_: object) -> None:
        self.writers -= 1


class Thinking:
    """Has boards think by turns, each party for the same share of the time."""

    def __init__(self) -> None:
        self._turns: Turns[_Thought] = Turns()
        self._going_on = False
        self.writing = Writing()

    async def done(self, work: Steps[Outcome], party: Party = NOBODY, wanted: Callable[[], None] = _always) -> Outcome:
        """Do something in steps, in the turns of a party. `wanted` is asked before each, and raises what stops it.

        What has nothing to think about is done at once: its first step is its last.
        """
        try:
            next(work)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome
        loop = asyncio.get_running_loop()
        thought = _Thought(work, wanted, loop.create_future())
        self._turns.join(party, thought)
        if not self._going_on:
            self._going_on = True
            loop.call_soon(self._take_turn, loop)
        try:
            outcome = await thought.outcome
        finally:
            self._turns.leave(party, thought)
            work.close()  # a search that is given up takes much memory
        return outcome

    def _take_turn(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._turns:
            self._going_on = False
            return
        party, thought = self._turns.next()
        if not thought.outcome.done():  # whoever waited for it may have given up just now
            began = monotonic()
            thought.go_on()
            self._turns.took(party, monotonic() - began)
        if self.writing.writers:
            loop.call_later(REST, self._take_turn, loop)
        else:
            loop.call_soon(self._take_turn, loop)

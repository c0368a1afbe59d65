"""Thinking the open cards of a Forty Thieves board out: which positions can be reached, the promising ones first."""

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from client_cli.bots.open_cards import Position, Step, Ways
from client_cli.bots.outlook import Outlook

HASTE = 0.1
"""How much less promising a position is for each step that it is away."""


class Way(NamedTuple):
    """A way to a position, and what that is worth."""

    worth: float
    steps: tuple[Step, ...]
    position: Position


def reached(ways: Ways, outlook: Outlook, start: Position, budget: int) -> Sequence[Way]:
    """Ways to positions from here, this one first; those that differ only in the order of columns count as one.

    The budget is a number of positions, never a time, so that the same board gives the same move.
    """
    found = [Way(outlook.worth(start), (), start)]
    seen = {start.looks}
    waiting = [(-found[0].worth, 0)]
    while waiting:
        _, number = heappop(waiting)
        _, steps, position = found[number]
        for step in ways.steps(position):
            after = position.after(step)
            if (looks := after.looks) in seen:
                continue
            seen.add(looks)
            worth = outlook.worth(after)
            heappush(waiting, (HASTE * len(steps) - worth, len(found)))
            found.append(Way(worth, (*steps, step), after))
            if len(found) == budget:
                return found
    return found

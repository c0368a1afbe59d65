"""Whose turn it is to think: all who wait get the same share of the time, however much they have to think about.

A party is whoever something is thought about for. Next is always the party that has had the least time. Whoever comes,
or comes back, starts level with the one that has had the most: it gets nothing for the time before, and overtakes nobody.
So of two parties that both wait, neither is ever ahead of the other by more than one turn. What is thought about for one
party takes turns within its share, a few at a time. No clock in here: the time that a turn took comes in.
"""

from collections import deque
from collections.abc import Hashable
from typing import Generic, TypeVar

AT_A_TIME = 4
"""Thoughts of one party that take turns; the others wait until one of these is done. Each can take 4 MB of memory."""

Party = Hashable
Thought = TypeVar("Thought")


class _Waiting(Generic[Thought]):
    """A party that waits: the seconds it has had, and what there is to think about."""

    def __init__(self, had: float) -> None:
        self.had = had
        self.thoughts: deque[Thought] = deque()


class Turns(Generic[Thought]):
    """Everything that is being thought about, and how much time each party has had."""

    def __init__(self) -> None:
        self._waiting: dict[Party, _Waiting[Thought]] = {}
        """Of those who have had the same time, the first is next."""
        self._most = 0.0
        """The most that anybody has had."""

    def __len__(self) -> int:
        """How many parties wait."""
        return len(self._waiting)

    def join(self, party: Party, thought: Thought) -> None:
        """There is something to think about for a party."""
        if party not in self._waiting:
            self._waiting[party] = _Waiting(self._most)
        self._waiting[party].thoughts.append(thought)

    def leave(self, party: Party, thought: Thought) -> None:
        """It has been thought about, or need not be any more."""
        waiting = self._waiting[party]
        waiting.thoughts.remove(thought)
        if not waiting.thoughts:
            del self._waiting[party]

    def next(self) -> tuple[Party, Thought]:
        """Whose turn it is, and what to think about."""
        party = min(self._waiting, key=lambda party: self._waiting[party].had)
        waiting = self._waiting[party] = self._waiting.pop(party)
        thought = waiting.thoughts.popleft()
        waiting.thoughts.insert(AT_A_TIME - 1, thought)
        return party, thought

    def took(self, party: Party, seconds: float) -> None:
        """The party's turn took so long."""
        waiting = self._waiting[party]
        waiting.had += seconds
        self._most = max(self._most, waiting.had)

"""The search that decides whether a Forty Thieves board is stuck (rules.md, section 4).

Cards can be moved back and forth for ever, so a board with legal moves may still be stuck: it is, when nothing that can
be reached from it puts one more card on a foundation. Two positions that differ only in the order of their columns
count as one. The budget is a number of positions, never a time, so that a replay decides the same; a board whose
search runs out of it is not stuck.

A board is stuck, then, when all that can be reached from it is within the budget and without a foundation move. In
which order the positions are looked at makes no difference to that, only to how soon a foundation move is found.

An example, with the ace of hearts wanted and an empty stock: three columns, 9♥ 8♥ and 9♥ and A♥ J♠. The eight may go to
the other nine and back, and that is all, as nothing takes the jack. Both positions are the same but for the order of the
columns, so one was reached, without a foundation move: the board is stuck. With a fourth column that is empty, the
jack may go there, and the ace is free: the search ends, and the board is not stuck.
"""

from collections.abc import Generator, Sequence

from engine.cards import Card

BUDGET = 20_000
"""Positions; careless play ends in positions from which a few hundred can be reached at most."""
STEP = 2
"""Positions looked at between two pauses of a search that is done in steps."""
PARTS = 64
"""Sets that the positions reached are spread over."""
REMEMBERED = 1_000
"""Verdicts, of 1.5 KB at most, for each game with its options; a server thinks about many boards by turns."""
NEVER = 1 << 10
"""How deep a card lies that is not there."""
_BETWEEN = b"\xff"
"""No card, and more than there are."""

Columns = Sequence[bytes]
"""The columns that are not empty, sorted."""
Position = bytes
"""How many cards are left on the waste, and the columns: one object, as there are many and a search must not pause
for the garbage collector to look into each."""
Question = tuple[tuple[bytes, ...], bytes, frozenset[Card]]
"""The columns, the waste, and the cards that the foundations take: all that a verdict depends on."""


class StuckSearch:
    """The search for the boards of a game. It remembers the verdicts it came to last."""

    def __init__(self, columns: int, lies_on: Sequence[frozenset[Card]], *, whole_sequences: bool) -> None:
        """`lies_on` says for each card which cards it may lie on."""
        self._columns = columns
        self._lies_on = lies_on
        self._whole_sequences = whole_sequences
        self._verdicts: dict[Question, bool] = {}

    def proves(self, columns: Sequence[Sequence[Card]], waste: Sequence[Card], wanted: frozenset[Card]) -> bool:
        """Whether a board whose stock is empty is proved stuck; `wanted` are the cards its foundations take now."""
        for _ in self.steps(columns, waste, wanted):
            pass
        return self._verdicts[_columns(columns), bytes(waste), wanted]

    def steps(
        self, columns: Sequence[Sequence[Card]], waste: Sequence[Card], wanted: frozenset[Card]
    ) -> Generator[None, None, None]:
        """Do the same in steps of a fraction of a millisecond; `proves` answers at once when they are done."""
        question = _columns(columns), bytes(waste), wanted
        if question in self._verdicts:
            self._verdicts[question] = self._verdicts.pop(question)  # it is needed in a moment, so it is forgotten last
            return
        yield
        seen = _Seen()
        verdict = yield from self._search(*question, seen)
        yield from seen.forget()
        if len(self._verdicts) >= REMEMBERED:
            del self._verdicts[next(iter(self._verdicts))]
        self._verdicts[question] = verdict

    def _search(
        self, columns: Columns, waste: bytes, wanted: frozenset[Card], seen: "_Seen"
    ) -> Generator[None, None, bool]:
        """Look at all that can be reached, and first at positions in which a wanted card has few cards over it."""
        depths = _Depths(wanted)
        start = _packed(columns, len(waste))
        seen.add(start)
        waiting = {depths.least(columns, waste): [start]}
        """The positions to look at, by the least depth of a wanted card."""
        looked_at = 0
        while waiting:
            depth = min(waiting)
            if depth == 0:
                return False
            position = waiting[depth].pop()
            if not waiting[depth]:
                del waiting[depth]
            for others, wasted in self._reached(position, waste):
                reached = _packed(others, wasted)
                if seen.add(reached):
                    waiting.setdefault(depths.least(others, waste[:wasted]), []).append(reached)
            if seen.size > BUDGET:
                return False
            looked_at += 1
            if looked_at % STEP == 0:
                yield
        return True

    def _reached(self, position: Position, waste: bytes) -> Generator[tuple[Columns, int], None, None]:
        """Every position one move away. Moving a whole column to an empty one changes nothing."""
        columns, wasted = _unpacked(position)
        ends: dict[Card, list[bytes]] = {}
        for cards in columns:
            ends.setdefault(cards[-1], []).append(cards)
        may_start = len(columns) < self._columns
        for cards in columns:
            for size in range(1, self._movable(cards) + 1):
                left, moved = cards[:-size], cards[-size:]
                for on in self._lies_on[moved[0]]:
                    for target in ends.get(on, ()):
                        yield _changed(columns, (cards, target), (left, target + moved)), wasted
                if may_start and left:
                    yield _changed(columns, (cards,), (left, moved)), wasted
        if wasted:
            top = waste[wasted - 1 : wasted]
            for on in self._lies_on[top[0]]:
                for target in ends.get(on, ()):
                    yield _changed(columns, (target,), (target + top,)), wasted - 1
            if may_start:
                yield _changed(columns, (), (top,)), wasted - 1

    def _movable(self, cards: bytes) -> int:
        """How many cards at the end of a column may move."""
        size = 1
        if self._whole_sequences:
            while size < len(cards) and cards[-size - 1] in self._lies_on[cards[-size]]:
                size += 1
        return size


class _Seen:
    """The positions that have been reached: in many sets, as a large one holds everything up when it grows or goes."""

    def __init__(self) -> None:
        self.size = 0
        self._parts: list[set[Position]] = [set() for _ in range(PARTS)]

    def add(self, position: Position) -> bool:
        """Add a position; whether it is new."""
        part = self._parts[hash(position) % PARTS]
        before = len(part)
        part.add(position)
        self.size += len(part) - before
        return len(part) > before

    def forget(self) -> Generator[None, None, None]:
        """Give the memory back in steps."""
        while self._parts:
            self._parts.pop()
            yield


class _Depths:
    """How many cards lie over a wanted card, worked out once for each column."""

    def __init__(self, wanted: frozenset[Card]) -> None:
        self._wanted = wanted
        self._known: dict[bytes, int] = {}

    def least(self, columns: Columns, waste: bytes) -> int:
        """How many cards lie over the wanted card with the fewest; 0 when it may go to a foundation."""
        return min(map(self._depth, (*columns, waste)))

    def _depth(self, cards: bytes) -> int:
        depth = self._known.get(cards)
        if depth is None:
            at = max(map(cards.rfind, self._wanted), default=-1)
            depth = self._known[cards] = NEVER if at < 0 else len(cards) - 1 - at
        return depth


def _columns(columns: Sequence[Sequence[Card]]) -> tuple[bytes, ...]:
    return tuple(sorted(bytes(cards) for cards in columns if cards))


def _packed(columns: Columns, wasted: int) -> Position:
    return _BETWEEN.join((bytes((wasted,)), *columns))


def _unpacked(position: Position) -> tuple[Columns, int]:
    wasted, *columns = position.split(_BETWEEN)
    return columns, wasted[0]


def _changed(columns: Columns, out: tuple[bytes, ...], put: tuple[bytes, ...]) -> Columns:
    """The columns with some taken out and others put in."""
    changed = list(columns)
    for cards in out:
        changed.remove(cards)
    changed += [cards for cards in put if cards]
    changed.sort()
    return changed

"""How a heap of cards is folded where it is longer than the room for it: the last cards are always there in full."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.cards import Card, card_text


class Row(NamedTuple):
    """A line of a heap: a card, or a text that stands for several."""

    card: str | None
    text: str


def packed(cards: Sequence[Card], rows: int, width: int) -> list[Row]:
    """The oldest cards as ranks, several in a line: for piles whose suits do not matter."""
    for lines in range(rows):
        deep = len(cards) - (rows - lines)
        ranks = _wrapped([card_text(card)[:-1] for card in cards[: max(deep, 0)]], width)
        if len(ranks) <= lines:
            return [Row(None, line) for line in ranks] + [_row(card) for card in cards[max(deep, 0) :]]
    return _hidden(cards, rows)


def _wrapped(ranks: Sequence[str], width: int) -> list[str]:
    lines: list[str] = []
    for rank in ranks:
        if lines and len(lines[-1]) + 1 + len(rank) <= width:
            lines[-1] += f" {rank}"
        else:
            lines.append(rank)
    return lines


def collapsed(cards: Sequence[Card], rows: int, builds: Callable[[Card, Card], bool]) -> list[Row]:
    """The inside of built runs as a number, the longest run first: what lies between its ends is no secret."""
    runs = _runs(cards, builds)
    folded: set[int] = set()
    height = len(cards)
    for at in sorted(range(len(runs)), key=lambda at: -len(runs[at])):
        if height <= rows or len(runs[at]) < 4:
            break
        folded.add(at)
        height -= len(runs[at]) - 3
    if height > rows:
        return _hidden(cards, rows)
    lines: list[Row] = []
    for at, run in enumerate(runs):
        middle = [Row(None, f"⋮{len(run) - 2}")] if at in folded else [_row(card) for card in run[1:-1]]
        lines += [_row(run[0]), *middle, *([_row(run[-1])] if len(run) > 1 else [])]
    return lines


def _runs(cards: Sequence[Card], builds: Callable[[Card, Card], bool]) -> list[list[Card]]:
    """The cards, those together that are built on one another."""
    runs: list[list[Card]] = []
    for card in cards:
        if runs and builds(card, runs[-1][-1]):
            runs[-1].append(card)
        else:
            runs.append([card])
    return runs


def _hidden(cards: Sequence[Card], rows: int) -> list[Row]:
    """Only the number of the oldest cards."""
    if len(cards) <= rows:
        return [_row(card) for card in cards]
    shown = max(rows - 1, 1)
    return [Row(None, f"+{len(cards) - shown}"), *(_row(card) for card in cards[-shown:])]


def _row(card: Card) -> Row:
    text = card_text(card)
    return Row(text, text)

"""A sheet of letters, each with the roles that decide its colour, and with the places of the table that lie on it.

Everything on the full screen is drawn here first. So a test can read it, and a click can be told from it.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from rich.cells import cell_len

from client_cli.foreign import LONGEST, shown
from engine.moves import Place


class Area(NamedTuple):
    """A rectangle of the sheet."""

    x: int
    y: int
    width: int
    height: int

    def holds(self, x: int, y: int) -> bool:
        """Whether a point is in it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def inner(self, x: int = 1, y: int = 1) -> "Area":
        """What is left of it inside a margin."""
        return Area(self.x + x, self.y + y, self.width - 2 * x, self.height - 2 * y)


class Canvas:
    """A sheet of this size. A role is a word, or several with spaces between; `look` says how they are painted."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._letters = [[" "] * width for _ in range(height)]
        self._roles = [[""] * width for _ in range(height)]
        self._places: list[tuple[Area, Place]] = []

    @property
    def area(self) -> Area:
        """The whole sheet."""
        return Area(0, 0, self.width, self.height)

    def put(self, x: int, y: int, text: str, role: str = "") -> int:
        """Write a text; what does not fit on the sheet is cut off. Returns where it ends."""
        for letter in shown(text, max(self.width, LONGEST)):
            wide = cell_len(letter)
            if wide and 0 <= y < self.height and 0 <= x <= self.width - wide:
                row, end = self._letters[y], x + wide
                # Of a wide letter that is half covered nothing stays: it would push the rest of its row aside.
                if not row[x]:
                    row[x - 1] = " "
                if end < self.width and not row[end]:
                    row[end] = " "
                row[x:end] = [letter, *[""] * (wide - 1)]
                self._roles[y][x : x + wide] = [role] * wide
            x += wide
        return x

    def put_in(self, area: Area, text: str, role: str = "", *, align: str = "<", row: int = 0) -> None:
        """Write a text into a row of an area, at its left, right or middle; shortened where it is too long."""
        text = shortened(text, area.width)
        space = area.width - cell_len(text)
        self.put(area.x + {"<": 0, ">": space, "^": space // 2}[align], area.y + row, text, role)

    def fill(self, area: Area, role: str, letter: str = " ") -> None:
        """Fill an area with a letter."""
        for y in range(area.y, area.y + area.height):
            self.put(area.x, y, letter * area.width, role)

    def box(self, area: Area, role: str = "", fill: str | None = None) -> None:
        """Draw a frame, and fill it."""
        self.fill(area, role if fill is None else fill)
        line = "─" * (area.width - 2)
        self.put(area.x, area.y, f"╭{line}╮", role)
        for y in range(area.y + 1, area.y + area.height - 1):
            self.put(area.x, y, "│", role)
            self.put(area.x + area.width - 1, y, "│", role)
        self.put(area.x, area.y + area.height - 1, f"╰{line}╯", role)

    def rule(self, y: int, role: str = "line") -> None:
        """A line from side to side."""
        self.put(0, y, "─" * self.width, role)

    def claim(self, area: Area, place: Place) -> None:
        """A click in this area means this place."""
        self._places.append((area, place))

    def place_at(self, x: int, y: int) -> Place | None:
        """The place at a point; of several the one drawn last."""
        return next((place for area, place in reversed(self._places) if area.holds(x, y)), None)

    def lines(self) -> list[str]:
        """What is written, line by line."""
        return ["".join(row) for row in self._letters]

    def runs(self, y: int) -> Iterator[tuple[str, str]]:
        """The letters of a row that are painted alike, with their role."""
        cells = zip(self._letters[y], self._roles[y], strict=True)
        for role, letters in groupby(cells, key=lambda cell: cell[1]):
            yield "".join(letter for letter, _ in letters), role


def shortened(text: str, width: int) -> str:
    """A text that takes no more than so many cells, without anything in it that cannot be seen."""
    text = shown(text, max(width, LONGEST))
    if cell_len(text) <= width:
        return text
    while text and cell_len(text) >= width:
        text = text[:-1]
    return text + "…" if width > 0 else ""

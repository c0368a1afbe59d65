"""What a benchmark gives: tables of figures, printed plainly."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Table:
    """Named rows of figures under named columns, and what has to be said about them."""

    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[float, ...]]
    notes: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        head = ("", *self.columns)
        body = [(name, *map(_text, figures)) for name, figures in self.rows.items()]
        widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
        lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in (head, *body)]
        return "\n".join(
            [self.title, *(f"  {line}".rstrip() for line in lines), *(f"  ({note})" for note in self.notes)]
        )


def _text(figure: float) -> str:
    """Three digits that matter, and no exponent."""
    if abs(figure) >= 100:
        return f"{figure:,.0f}"
    return f"{figure:.1f}" if abs(figure) >= 10 else f"{figure:.2f}"

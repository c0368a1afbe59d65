"""A window over the picture: a title and rows of two columns."""

from collections.abc import Sequence

from rich.cells import cell_len

from client_cli.screen.canvas import Area, Canvas


def window(canvas: Canvas, title: str, rows: Sequence[tuple[str, str]]) -> None:
    """Draw it in the middle; in two columns, where it would be too high."""
    room = canvas.height - 6
    halves = [rows[at : at + room] for at in range(0, len(rows), room)][:2] or [[]]
    widths = [
        (max((cell_len(first) for first, _ in half), default=0), max((cell_len(text) for _, text in half), default=0))
        for half in halves
    ]
    width = min(canvas.width - 4, max(sum(first + text + 4 for first, text in widths) + 2, cell_len(title) + 6))
    height = min(room, max(map(len, halves), default=0)) + 2
    there = Area((canvas.width - width) // 2, (canvas.height - height) // 2, width, height)
    canvas.box(there, "window")
    canvas.put(there.x + 2, there.y, f" {title} ", "window strong")
    x = there.x + 2
    for half, (first_width, text_width) in zip(halves, widths, strict=True):
        for at, (first, text) in enumerate(half, start=1):
            canvas.put_in(Area(x, there.y + at, first_width, 1), first, "window key")
            space = Area(x + first_width + 2, there.y + at, min(text_width, there.x + width - x - first_width - 3), 1)
            canvas.put_in(space, text, "window")
        x += first_width + text_width + 4

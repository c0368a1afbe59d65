"""Players' names where there is little room: what is cut off is never the mark that somebody is a bot."""

from collections.abc import Sequence

from rich.cells import cell_len

from client_cli import phrases
from client_cli.player_names import called
from client_cli.screen.canvas import shortened
from protocol.messages import SeatInfo, Side

LEAST = 6
"""Cells of a name that are worth more than the name of a program."""


def label(name: str, seat: SeatInfo | Side, width: int) -> str:
    """What the player of a seat is called, in so many cells."""
    if cell_len(name) <= width or seat.bot is None or seat.level is not None:
        return shortened(name, width)
    long, short = (width - cell_len(called("", bot)) for bot in (seat.bot, True))
    if long >= LEAST:
        return called(shortened(seat.name, long), seat.bot)
    return called(shortened(seat.name, short), True)


def versus(names: Sequence[str], seats: Sequence[SeatInfo | Side], width: int) -> str:
    """Who plays against whom, in so many cells: who has a short name leaves room to the others."""
    room, labels = width - cell_len(phrases.versus([""] * len(names))), [""] * len(names)
    for done, seat in enumerate(sorted(range(len(names)), key=lambda seat: cell_len(names[seat]))):
        labels[seat] = label(names[seat], seats[seat], room // (len(names) - done))
        room -= cell_len(labels[seat])
    return phrases.versus(labels)

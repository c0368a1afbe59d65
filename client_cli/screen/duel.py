"""Both boards, side by side or one above the other: for who watches, and when the race is over."""

from collections.abc import Mapping

from rich.cells import cell_len

from client_cli import phrases
from client_cli.language import say
from client_cli.race import Race
from client_cli.reasons import statuses
from client_cli.screen.boards import Marks, draw_board, narrowest
from client_cli.screen.canvas import Area, Canvas
from client_cli.screen.labels import label
from client_cli.screen.panel import bar, turned
from engine.board import Status
from engine.moves import Place

MOST_NAMED = 20
"""Cells that a name may take where there is a bar beside it."""


def draw_duel(
    canvas: Canvas, area: Area, race: Race, fresh: Mapping[int, Place | None], away: Mapping[int, int]
) -> None:
    """Draw them into an area, each with its player's name and count. `away` says who is gone, and for how long yet."""
    half = (area.width - 2) // 2
    beside = all(narrowest(mirror.board) <= half for mirror in race.mirrors.values())
    high = (area.height - 1) // 2
    for seat in range(len(race.names)):
        if beside:
            there = Area(area.x + seat * (half + 2), area.y, half, area.height)
        else:
            there = Area(area.x, area.y + seat * (high + 1), area.width, high)
        _draw_seat(canvas, there, race, seat, fresh.get(seat), away.get(seat))
    if beside:
        for y in range(area.y, area.y + area.height):
            canvas.put(area.x + half, y, "│", "line")


def _draw_seat(canvas: Canvas, area: Area, race: Race, seat: int, fresh: Place | None, away: int | None) -> None:
    """One player: name, count, how it stands, and the board."""
    role, named = "own" if seat == (race.you or 0) else "rival", _named(race, area.width)
    high = area.height > 11
    bars = Area(area.x + named + 1, area.y, (area.width if high else 37) - named - 2, 1)
    canvas.put(area.x, area.y, label(race.names[seat], race.state.seats[seat], named), role)
    bar(canvas, bars, race.count(seat), race.total, role)
    standing = area._replace(y=area.y + 1) if high else Area(area.x + 40, area.y, area.width - 40, 1)
    canvas.put_in(standing, _standing(race, seat, away), "dim" if away is None else "bad")
    if (mirror := race.mirrors.get(seat)) is not None:
        used = 3 if high else 1
        there = area._replace(y=area.y + used, height=area.height - used)
        draw_board(mirror.board, canvas, there, Marks(fresh=fresh))


def _named(race: Race, width: int) -> int:
    """How many cells the names take, so that the bars behind them begin alike."""
    return max(min(14, width // 3), min(MOST_NAMED, width // 2, max(map(cell_len, race.names), default=0)))


def _standing(race: Race, seat: int, away: int | None) -> str:
    """How a board stands, or why no more of it is shown."""
    progress, mirror = race.progress.get(seat), race.mirrors.get(seat)
    if away is not None:
        return say("away: {left} to come back", left=phrases.duration(away))
    status = progress.status if progress is not None else Status.PLAYING
    if mirror is not None and mirror.status is not Status.PLAYING:
        status = mirror.status
    if status is not Status.PLAYING:
        return statuses()[status]
    if progress is None:
        return ""
    shown = turned(race, seat)
    if progress.turned > shown:
        return say("shown up to card {shown} of {turned}", shown=shown, turned=progress.turned)
    return say("{cards} cards turned", cards=progress.turned)

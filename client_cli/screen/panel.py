"""The race beside the board: the clock, both counts as bars, how the other player comes along, and the connection."""

from textwrap import wrap

from client_cli import phrases
from client_cli.language import say
from client_cli.race import Race
from client_cli.reasons import endings
from client_cli.screen.canvas import Area, Canvas
from client_cli.screen.labels import label
from engine.board import Board, Status

LOW = 60_000
"""When the clock begins to matter."""


def clock_text(left: int | None) -> str:
    """14:07; empty while the clock does not run."""
    if left is None:
        return ""
    minutes, seconds = divmod(-(-left // 1000), 60)
    return f"{minutes}:{seconds:02}"


def bar(canvas: Canvas, area: Area, part: int, whole: int, role: str) -> None:
    """A bar with its number behind it, and as much of it filled as there is."""
    number = f" {part}/{whole}"
    width = area.width - len(f" {whole}/{whole}")
    filled = width if part >= whole else min(-(-part * width // whole), width - 1)
    canvas.put(area.x, area.y, "█" * filled, role)
    canvas.put(area.x + filled, area.y, "░" * (width - filled), "rest")
    canvas.put_in(area, number, "strong", align=">")


def draw_panel(canvas: Canvas, area: Area, race: Race, board: Board, away: int | None, waiting: str) -> None:
    """Draw it. `away` is what is left to a player who is gone, `waiting` what the own connection waits for."""
    you = race.you or 0
    canvas.put_in(area, say("You"), "own")
    bar(canvas, area._replace(y=area.y + 1), board.count, race.total, "own")
    y = area.y + 3
    for seat, progress in race.progress.items():
        if seat == you:
            continue
        rival = area._replace(y=y)
        canvas.put_in(rival, label(race.names[seat], race.state.seats[seat], area.width), "rival")
        bar(canvas, area._replace(y=y + 1), progress.count, race.total, "rival")
        lines = wrap(_told(race, seat), area.width)
        if away is not None:
            lines.append(say("away: {left} to come back", left=phrases.duration(away)))
        for at, line in enumerate(lines, start=2):
            canvas.put_in(rival, line, "bad" if away is not None and at == len(lines) + 1 else "dim", row=at)
        y += len(lines) + 3
        _track(canvas, area._replace(y=y), race, progress.turned)
        y += 3
    if waiting:
        for at, line in enumerate(wrap(waiting, area.width)):
            canvas.put_in(area._replace(y=y + at), line, "bad")


def _track(canvas: Canvas, area: Area, race: Race, theirs: int) -> None:
    """How far both have got through the stock."""
    yours, whole = turned(race, race.you or 0), race.variant.game.stock
    canvas.put(area.x, area.y, "─" * area.width, "rest")
    for number, sign, role in ((theirs, "○", "rival"), (yours, "●", "own")):
        canvas.put(area.x + min(number, whole) * (area.width - 1) // whole, area.y, sign, role)
    x = canvas.put(area.x, area.y + 1, f"● {yours}", "own")
    x = canvas.put(x + 2, area.y + 1, f"○ {theirs}", "rival")
    canvas.put_in(Area(x + 1, area.y + 1, area.x + area.width - x - 1, 1), say("cards turned"), "dim")


def turned(race: Race, seat: int) -> int:
    """How many cards a board has turned, as far as it has been shown."""
    mirror = race.mirrors.get(seat)
    if mirror is None:
        return 0
    if mirror.entries is not None:
        return sum(moved.card is not None for moved in mirror.entries)
    before = race.variant.game.stock
    redealt = getattr(race.variant.rules, "redeals", 0) > getattr(mirror.board, "redeals_left", 0)
    return before + mirror.board.turned if redealt else before - int(mirror.board.view().stock)


def _told(race: Race, seat: int) -> str:
    """Why the other count is not the newest, or how that board has ended."""
    progress = race.progress[seat]
    if progress.status is not Status.PLAYING:
        ending = endings(you=False)[progress.status]
        return ending.format(name=race.names[seat], count=progress.count, total=race.total)
    if progress.finished:
        return say("Finished. The count is hidden until you are, too.")
    racing = race.own is not None and race.own.status is Status.PLAYING
    if racing and progress.turned > turned(race, race.you or 0):
        return say("Ahead of you: counted only up to where you are.")
    may_redeal = getattr(race.variant.rules, "redeals", 0) > 0
    if racing and may_redeal and progress.turned >= race.variant.game.stock:
        # Cards turned after a redeal are told no sooner than the count, so nobody knows who is ahead.
        return say("Counted at least up to where you are.")
    return say("Counted up to now.")

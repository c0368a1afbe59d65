"""Before the race: who plays whom, what the match waits for, and the countdown."""

from client_cli import phrases, reasons, sentences
from client_cli.announcements import Waiting
from client_cli.language import say
from client_cli.race import Race
from client_cli.screen.canvas import Area, Canvas
from client_cli.screen.labels import versus


def draw_lobby(canvas: Canvas, race: Race, gone: int, *, bot_comes: bool) -> None:
    """Draw it; `gone` are the milliseconds since the match was told."""
    state, middle = race.state, canvas.area._replace(y=canvas.height // 2 - 7)
    canvas.put_in(middle, versus(race.names, state.seats, canvas.width - 2), "strong", align="^")
    terms = sentences.terms(Waiting(race.code, state.game, state.clock, state.grace, race.names, race.you))
    canvas.put_in(middle, terms, "dim", align="^", row=1)
    card = Area(canvas.width // 2 - 3, middle.y + 3, 7, 3)
    starts = None if state.starts is None else -(-max(0, state.starts - gone) // 1000)
    canvas.box(card, "back" if starts is None else "face")
    canvas.put_in(
        card.inner(), "░" * 5 if starts is None else str(starts), "back" if starts is None else "face top", align="^"
    )
    for at, (line, role) in enumerate(_lines(race, gone, bot_comes=bot_comes), start=7):
        canvas.put_in(middle, line, role, align="^", row=at)


def _lines(race: Race, gone: int, *, bot_comes: bool) -> list[tuple[str, str]]:
    """What the match waits for, and who is ready."""
    state = race.state
    if state.state == "aborted":
        why = reasons.aborts().get(state.aborted or "", state.aborted or "")
        return [(say("Match {code} did not take place: {why}.", code=race.code, why=why), "bad")]
    if state.state in ("revealing", "countdown"):
        return [(reasons.states()[state.state], "strong")]
    if state.state == "waiting" and bot_comes:
        return [(say("The house bot is on its way."), "strong")]
    if state.state == "waiting":
        return [
            (say("Waiting for an opponent. They can type:"), "dim"),
            (f"tommy join {race.code}", "key"),
        ]
    lines = [
        (f"{name}: " + (say("ready") if seat.ready else say("not ready yet")), "good" if seat.ready else "dim")
        for name, seat in zip(race.names, state.seats, strict=True)
    ]
    if race.you is not None and not state.seats[race.you].ready:
        left = phrases.duration(max(0, (state.waits or 0) - gone))
        lines += [("", ""), (say("Press Enter when you are ready: within {waits}.", waits=left), "key")]
    return lines

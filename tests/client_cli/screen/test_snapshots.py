"""How the screens look: each as text, compared with a file of `snapshots`.

SNAPSHOTS=write writes the files anew; look at what has changed before you keep it.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from client_cli.screen.choosing import Choosing
from client_cli.screen.face import Face
from client_cli.screen.look import SIGNS, Look, style
from protocol.messages import ListedMatch, Side
from tests.client_cli.lies import CHANGES
from tests.client_cli.screen.desk import Desk, Stand, text_of
from tests.client_cli.stand_in import sides

FOLDER = Path(__file__).with_name("snapshots")
SIZES = {"80x24": (80, 24), "120x40": (120, 40)}
LETTERS = Look(ascii=True)


def begun(game: str, moves: int = 0, look: Look = LETTERS) -> Desk:
    desk = Desk(game, look=look)
    desk.table.seated()
    return desk.begin().play(moves)


def lobby() -> Face:
    desk = Desk()
    desk.table.seated()
    desk.table.commit(1)
    desk.hear(desk.table.match())
    return desk.face


def listing() -> Face:
    games = ("sir-tommy", "lucas+peek", "calculation+redeal")
    face = Choosing(Look(), {})
    face.show(
        [
            ListedMatch(match=f"abcdefg{at + 2}", game=game, seats=sides("Ada", "Bo", (at, 12)), left=60_000 * at)
            for at, game in enumerate(games)
        ]
    )
    face.step(1)
    return face


def against_a_bot() -> Desk:
    desk = Desk()
    desk.table.seated("Robo")
    desk.table.bots[1] = "tommy"
    desk.hear(desk.table.match())
    return desk


def listed_bots() -> Face:
    face = Choosing(Look(), {})
    sides = [
        Side(name="Ada", tag="00ad", count=31),
        Side(name="Robo", tag="00b0", count=28, bot="tommy"),
        Side(name="House bot", tag="0000", count=30, bot="tommy", level="strong"),
        Side(name="House bot", tag="00ee", count=29),
    ]
    pairs = [(0, 1), (0, 2), (0, 3), (1, 1)]
    face.show(
        [
            ListedMatch(match=f"abcdefg{at + 2}", game="sir-tommy", seats=[sides[one], sides[other]], left=60_000)
            for at, (one, other) in enumerate(pairs)
        ]
    )
    return face


def away() -> Face:
    desk = begun("forty-thieves", 30, Look())
    desk.table.away[1] = 30_000
    desk.hear(desk.table.match())
    return desk.face


def doubted(desk: Desk, lie: str) -> Desk:
    """A desk whose server shows something else of what everybody is bound to."""
    tell, _ = CHANGES[lie]
    desk.hear(tell(desk.table.match()))
    return desk


def doubted_before_the_race() -> Face:
    desk = Desk()
    desk.table.seated()
    desk.hear(desk.table.match())
    desk.press("enter")
    desk.table.bound()
    return doubted(desk, "rival's missing").face


def false() -> Face:
    """The end of a match that was false in many ways."""
    desk = begun("lucas", 60, Look())
    for lie in ("server's replaced", "own replaced", "rival's a copy of one's own"):
        doubted(desk, lie)
    return desk.end().face


SCREENS: dict[str, Callable[[], Face]] = {
    "lobby": lobby,
    "sir-tommy": lambda: begun("sir-tommy", 80, Look()).face,
    "calculation": lambda: begun("calculation", 81, Look()).face,
    "strategy-picked": lambda: begun("strategy", 20, Look()).press("2").face,
    "forty-thieves-away": away,
    "lucas": lambda: begun("lucas", 70, Look()).press("3").face,
    "lucas-peek": lambda: begun("lucas+peek", 60, Look()).face,
    "josephine": lambda: begun("josephine", 80, Look()).face,
    "moves": lambda: begun("limited", 40, Look()).press("?").face,
    "help": lambda: begun("maria", 10, Look()).press("h").face,
    "question": lambda: begun("numerica", 10, Look()).press("x").face,
    "result": lambda: begun("puss-in-the-corner", 60, Look()).end().face,
    "result-lucas": lambda: begun("lucas", 60, Look()).end().face,
    "watching": lambda: Stand("sir-tommy", moves=60).face,
    "result-false": false,
    "doubted": lambda: doubted(begun("sir-tommy", 20, Look()), "rival's replaced").face,
    "doubted-before-the-race": doubted_before_the_race,
    "watching-over": lambda: Stand("sir-tommy", moves=60).end().face,
    "watching-forty-thieves": lambda: Stand("forty-thieves", moves=60).face,
    "list": listing,
    "bot-lobby": lambda: against_a_bot().face,
    "bot-sir-tommy": lambda: against_a_bot().begin().play(40).face,
    "bot-result": lambda: against_a_bot().begin().play(40).end().face,
    "bot-list": listed_bots,
    "ascii-sir-tommy": lambda: begun("sir-tommy", 80).face,
    "ascii-lucas": lambda: begun("lucas", 70).press("w").face,
    "ascii-watching": lambda: Stand("forty-thieves", look=LETTERS, moves=60).face,
}


def compare(name: str, text: str) -> None:
    file = FOLDER / f"{name}.txt"
    if os.environ.get("SNAPSHOTS") == "write":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen(screen: str, size: str) -> None:
    text = text_of(SCREENS[screen](), *SIZES[size], 2.0)
    if screen.startswith("ascii"):
        assert text.isascii()
    compare(f"{screen}-{size}", text)


def test_without_colour_weight_and_reversal_say_the_same() -> None:
    """Below each line with letters that stand out: b for bold, r for reversed."""
    look = Look(color=False)
    canvas = begun("lucas", 70, look).press("3").face.picture(80, 24, 2.0)
    lines = []
    for y, line in enumerate(canvas.lines()):
        painted = [(letters, style(look, role)) for letters, role in canvas.runs(y)]
        assert all(paint.color is None and paint.bgcolor is None and not paint.dim for _, paint in painted)
        marks = "".join(("r" if paint.reverse else "b" if paint.bold else " ") * len(text) for text, paint in painted)
        lines += [line.rstrip(), *([marks.rstrip()] if marks.strip() else [])]
    compare("no-colour-lucas-80x24", "\n".join(lines) + "\n")


def test_every_game_fits_in_every_state() -> None:
    for game in ("sir-tommy", "strategy", "numerica", "calculation", "puss-in-the-corner", "forty-thieves", "lucas",
                 "limited", "maria", "josephine"):  # fmt: skip
        desk = begun(game)
        for _ in range(12):
            desk.play(14)
            for width, height in ((80, 24), (100, 30), (200, 60)):
                desk.text(width, height)


def test_a_window_that_is_too_small_says_so() -> None:
    assert "needs 80 by 24" in begun("lucas").text(79, 24)
    assert "needs 80 by 24" in begun("lucas").text(80, 23)


def test_the_signs_have_letters() -> None:
    assert "".join(map(chr, SIGNS)).translate(SIGNS).isascii()


def test_every_role_has_its_paint() -> None:
    for look in (Look(), Look(light=True), Look(four_colors=True), Look(color=False)):
        for role in ("", "face hearts top", "bar key", "picked", "window strong"):
            assert style(look, role) is not None
    assert style(Look(four_colors=True), "clubs") != style(Look(), "clubs")


TEXT = (
    *("", "bar", "title", "dim", "strong", "good", "bad", "bar bad", "bar key", "key", "own", "rival", "back"),
    *("back strong", "empty", "target", "picked", "window", "window key", "window strong"),
    *(f"face {suit} {mark}" for suit in ("clubs", "diamonds", "hearts", "spades") for mark in ("", "old", "fresh")),
)
"""The roles of what has to be read."""


@pytest.mark.parametrize("light", [False, True])
@pytest.mark.parametrize("four", [False, True])
def test_what_has_to_be_read_stands_out(*, light: bool, four: bool) -> None:
    """A contrast of 4.5 to 1 at least, as the accessibility guidelines for the web have it."""
    for role in TEXT:
        paint = style(Look(light=light, four_colors=four), role)
        assert paint.color is not None
        assert paint.bgcolor is not None
        front, back = (brightness(*colour.get_truecolor()) for colour in (paint.color, paint.bgcolor))
        assert (max(front, back) + 0.05) / (min(front, back) + 0.05) >= 4.5, role


def brightness(*parts: int) -> float:
    """The relative luminance of a colour."""
    red, green, blue = (part / 3294.6 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

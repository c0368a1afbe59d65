"""A window that is too small for the picture: what is not drawn takes no key and no click."""

from collections.abc import Callable

import pytest

from client_cli import language
from client_cli.screen.choosing import Choosing
from client_cli.screen.face import Face
from client_cli.screen.keys import CONFIRMING
from client_cli.screen.look import Look
from engine.moves import Area, Place, pile
from protocol.messages import Ready, Rematch
from tests.client_cli.screen.desk import Desk, Stand, text_of
from tests.client_cli.stand_in import ONE_MATCH

SMALL = [(79, 24), (80, 23), (60, 20), (20, 10)]
WHOLE = (80, 24)


def begun(game: str = "sir-tommy", *, slow: bool = False) -> Desk:
    desk = Desk(game, slow=slow)
    desk.table.seated()
    return desk.begin()


def lobby() -> Desk:
    desk = Desk()
    desk.table.seated()
    desk.hear(desk.table.match())
    return desk


def listing() -> Face:
    face = Choosing(Look(), {})
    face.show(ONE_MATCH)
    return face


FACES: dict[str, Callable[[], Face]] = {
    "lobby": lambda: lobby().face,
    "race": lambda: begun().face,
    "card in hand": lambda: begun().press("space").face,
    "lucas": lambda: begun("lucas").face,
    "result": lambda: begun().end().face,
    "watching": lambda: Stand(moves=5).face,
    "watching the end": lambda: Stand(moves=5).end().face,
    "list": listing,
}


def everything(face: Face) -> set[str]:
    """Every key that does something somewhere."""
    return {*CONFIRMING, "escape", *(key for row in face.rows for key in row.keys)}


@pytest.mark.parametrize("size", SMALL)
@pytest.mark.parametrize("name", FACES)
def test_no_key_and_no_click_does_anything_in_a_small_window(name: str, size: tuple[int, int]) -> None:
    face = FACES[name]()
    before = text_of(face, *WHOLE, 1.0)
    nudges: list[str] = []
    face.nudged = lambda: nudges.append(name)
    face.picture(*size, 1.0)
    for key in sorted(everything(face)):
        face.press(key)
        face.press(key)
        assert face.question is None
        assert face.window is None
    for place in (Place(Area.STOCK), pile(1), pile(2)):
        face.click(place, twice=False)
        face.click(place, twice=True)
    assert nudges == []
    assert not face.left.is_set()
    assert text_of(face, *WHOLE, 1.0) == before


@pytest.mark.parametrize("spoken", ["en", "de", "es"])
@pytest.mark.parametrize("size", SMALL)
def test_the_small_window_says_how_to_leave(spoken: str, size: tuple[int, int]) -> None:
    language.choose(spoken)
    text = text_of(begun().face, *size, 1.0)
    assert {"en": "Ctrl+C", "de": "Strg+C", "es": "Ctrl+C"}[spoken] in text
    assert str(size[0]) in text
    assert "│" not in text


@pytest.mark.parametrize("spoken", ["en", "de", "es"])
def test_where_there_is_room_for_one_row_that_is_the_way_out(spoken: str) -> None:
    language.choose(spoken)
    leave = {"en": "Ctrl+C leaves.", "de": "Strg+C beendet.", "es": "Ctrl+C sale."}[spoken]
    for width in (20, 30, 79, 200):
        for height in range(1, 9):
            rows = text_of(begun().face, width, height, 1.0).split("\n")
            assert any(leave in row for row in rows), (width, height)


def test_a_question_does_not_outlive_its_picture() -> None:
    for key in ("s", "x", "q"):
        desk = begun().press(key)
        assert "Enter: yes" in desk.text()
        desk.text(60, 20)
        assert "Enter: yes" not in desk.text()
        desk.press("enter")
        assert desk.moves == []
        assert not desk.face.left.is_set()


def test_a_window_over_the_picture_does_not_either() -> None:
    desk = begun().press("?")
    desk.text(60, 20)
    assert "─ Moves ─" not in desk.text()


def test_a_key_that_waits_for_its_card_makes_no_move_out_of_sight() -> None:
    desk = begun(slow=True).press("space", "2")
    desk.text(60, 20)
    desk.answer()
    assert desk.moves == ["t"]
    desk.text()
    desk.press("3")
    assert desk.moves == ["t", "hp3"]


def test_what_was_picked_is_forgotten_out_of_sight() -> None:
    desk = begun("lucas").press("1")
    desk.text(60, 20)
    desk.text()
    assert "[1]" not in desk.text()


def test_in_a_large_window_everything_works_again() -> None:
    desk = begun()
    desk.text(60, 20)
    desk.press("space")
    desk.text()
    desk.press("space", "2")
    assert desk.moves == ["t", "hp2"]
    waiting = lobby()
    waiting.text(60, 20)
    waiting.press("enter")
    assert waiting.sent == []
    waiting.text()
    waiting.press("enter")
    assert [type(message) for message in waiting.sent] == [Ready]
    over = begun().end()
    over.text(60, 20)
    over.press("n")
    assert not any(isinstance(message, Rematch) for message in over.sent)
    over.text()
    over.press("n")
    assert isinstance(over.sent[-1], Rematch)


def test_a_click_beside_a_question_is_a_no() -> None:
    desk = begun().press("s")
    desk.face.click(Place(Area.STOCK), twice=False)
    assert desk.face.question is None
    assert desk.moves == []

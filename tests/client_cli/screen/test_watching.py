"""What a spectator sees and presses, and the list to choose from."""

from client_cli.screen.choosing import Choosing
from client_cli.screen.look import Look
from client_cli.screen.opening import next_match
from protocol.messages import ListedMatch
from tests.client_cli.screen.desk import Stand, text_of
from tests.client_cli.stand_in import sides
from tests.client_cli.table import Table


def test_both_boards_and_what_happens() -> None:
    stand = Stand()
    stand.hear(stand.table.play(0, "t"), stand.table.play(0, "hp2"), stand.table.progress(0))
    text = stand.text()
    assert "Ada against Bo · Sir Tommy" in text
    assert "to pile 2 (0)" in text
    assert text.count("stock") == 2


def test_who_is_ahead_is_shown_so_far_only() -> None:
    stand = Stand()
    for entry in ("t", "hp1", "t"):
        stand.table.play(1, entry)
    stand.hear(stand.table.progress(1, count=0))
    assert "shown up to card 0 of 2" in stand.text()


def test_nothing_to_see_before_the_start() -> None:
    stand = Stand()
    stand.spectator.race.mirrors.clear()
    assert "Nothing to see yet" in stand.text()


def test_the_result_stays() -> None:
    stand = Stand()
    stand.hear(stand.table.play(0, "resign"), stand.table.match(None))
    text = stand.text()
    assert "Bo wins: Ada has resigned." in text
    assert "Ada has resigned." in text
    assert not stand.face.left.is_set()


def test_keys_lead_on() -> None:
    for key, where in (("n", "next"), ("l", "list"), ("q", None)):
        stand = Stand()
        stand.face.press(key)
        assert stand.face.left.is_set()
        assert stand.face.where == where


def listed(*codes: str) -> list[ListedMatch]:
    return [ListedMatch(match=code, game="lucas", seats=sides("Ada", "Bo"), left=61_000) for code in codes]


def test_the_list_keeps_its_line() -> None:
    face = Choosing(Look(), {})
    assert "Asking the server" in text_of(face, 80, 24, 0.0)
    face.show([])
    assert "No match is being raced now." in text_of(face, 80, 24, 0.0)
    face.press("down")
    face.press("enter")
    assert not face.left.is_set()
    face.show(listed("abcdefgh", "bcdefghj", "cdefghjk"))
    face.press("down")
    face.show(listed("bcdefghj", "abcdefgh"))
    assert face.line == 0
    face.press("up")
    assert face.line == 1
    face.press("enter")
    assert face.chosen == "abcdefgh"


def test_a_line_has_its_number() -> None:
    face = Choosing(Look(), {})
    face.show(listed("abcdefgh", "bcdefghj"))
    face.press("3")
    assert face.chosen is None
    face.press("2")
    assert face.chosen == "bcdefghj"


def test_a_long_list_goes_with_its_line() -> None:
    face = Choosing(Look(), {})
    face.show(listed(*(f"{'abcdefgh'[at % 8]}bcdefg{2 + at // 8}" for at in range(40))))
    for _ in range(30):
        face.press("j")
    assert "→" in text_of(face, 80, 24, 0.0)


def test_the_next_match_of_the_list() -> None:
    matches = listed("abcdefgh", "bcdefghj")
    assert next_match(matches, "abcdefgh") == "bcdefghj"
    assert next_match(matches, "bcdefghj") == "abcdefgh"
    assert next_match(matches, "gone") == "abcdefgh"
    assert next_match([], Table().code) is None

"""What cannot be taken back is asked first: the key that says yes does nothing else where it is asked."""

import pytest

from client_cli import language
from client_cli.screen.keys import CONFIRMING, PLAYING, confirming, rebound, spelled
from client_cli.words import Stage
from tests.client_cli.screen.desk import Desk

CHOSEN = {"stand": ("enter",), "resign": ("y", "f9")}
"""Keys of a user that are those which say yes elsewhere."""


def waiting(chosen: dict[str, tuple[str, ...]]) -> Desk:
    return Desk(keys=chosen)


def seated(chosen: dict[str, tuple[str, ...]]) -> Desk:
    desk = Desk(keys=chosen)
    desk.table.seated()
    desk.hear(desk.table.match())
    return desk


def racing(chosen: dict[str, tuple[str, ...]]) -> Desk:
    desk = Desk(keys=chosen)
    desk.table.seated()
    return desk.begin()


def lucas(chosen: dict[str, tuple[str, ...]]) -> Desk:
    desk = Desk("lucas", keys=chosen)
    desk.table.seated()
    return desk.begin()


PLACES = {"waiting": waiting, "seated": seated, "racing": racing, "lucas": lucas}
ASKING = {"waiting": {"quit"}, "seated": {"quit"}, "racing": {"quit", "stand", "resign"}}
ASKING["lucas"] = ASKING["racing"]


@pytest.mark.parametrize("chosen", [{}, CHOSEN], ids=["usual keys", "chosen keys"])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("spoken", ["en", "de", "es"])
def test_the_key_that_confirms_does_nothing_else_there(
    spoken: str, place: str, chosen: dict[str, tuple[str, ...]]
) -> None:
    language.choose(spoken)
    yes = {"en": "yes", "de": "ja", "es": "sí"}[spoken]
    asked = set()
    for row in PLACES[place](chosen).face.available():
        for opener in row.keys:
            desk = PLACES[place](chosen)
            desk.press(opener)
            question = desk.face.question
            if question is None:
                continue
            asked.add(row.name)
            bound = {key for each in desk.face.rows if each.stage in (Stage.ANY, desk.face.stage) for key in each.keys}
            assert question.key not in bound
            assert f"  {spelled(question.key)}: {yes}   " in desk.text()
            for key in {*bound, "j", "s"} - {question.key}:
                desk.press(*[opener] * (desk.face.question is None), key)
                assert desk.face.question is None
                assert desk.moves == []
                assert not desk.face.left.is_set()
            desk.press(opener, question.key)
            assert desk.moves or desk.face.left.is_set()
    assert asked == ASKING[place]


def test_enter_confirms_in_a_race_and_where_it_means_ready_y_does() -> None:
    assert spelled(confirming(row for row in PLAYING if row.stage in (Stage.ANY, Stage.RACE))) == "Enter"
    assert spelled(confirming(row for row in PLAYING if row.stage in (Stage.ANY, Stage.BEFORE))) == "y"


def test_a_key_is_found_whatever_others_were_chosen() -> None:
    free = CONFIRMING[-1]
    rows = rebound(PLAYING, {"turn": tuple(key for key in CONFIRMING if key != free)})
    assert confirming(rows) == free
    assert confirming(rebound(PLAYING, {"turn": CONFIRMING})) == ""

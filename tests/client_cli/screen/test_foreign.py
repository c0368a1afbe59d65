"""On the full screen, too, nobody else's text does more than stand where it was put."""

from collections.abc import Iterator

import msgspec
import pytest
from rich.cells import cell_len

from client_cli.screen.choosing import Choosing
from client_cli.screen.face import Face
from client_cli.screen.look import Look
from protocol.messages import ListedMatch, MatchState, Refused, Side
from tests.client_cli.hostile import FORGED, LONG, NASTY, tricks
from tests.client_cli.screen.desk import Desk, Stand
from tests.client_cli.table import CODE

TEXTS = (NASTY, LONG, "愛" * 3000, "e\u0301" * 3000)


def fair(face: Face) -> None:
    """Nothing of the tricks is in the picture, however large it is; and nothing foreign is at its left margin."""
    for width, height in ((80, 24), (120, 40)):
        lines = face.picture(width, height, 1.0).lines()
        assert [cell_len(line) for line in lines] == [width] * height
        assert not tricks("\n".join(lines))
        assert not [line for line in lines if line[1:].startswith(FORGED)]


def everywhere(state: MatchState, text: str) -> MatchState:
    """A match with the text in all of it that is shown."""
    seats = [msgspec.structs.replace(seat, name=text, tag=text) for seat in state.seats]
    return msgspec.structs.replace(state, seats=seats, aborted=state.aborted and text, digest=text)


def scenes(text: str) -> Iterator[Face]:
    """What a player and a spectator see in the course of a match."""
    desk = Desk()
    desk.hear(everywhere(desk.table.match(), text))
    yield desk.face
    desk.table.seated()
    desk.hear(everywhere(desk.table.match(), text))
    yield desk.face
    desk.table.aborted, desk.table.state = "left", "aborted"
    desk.hear(everywhere(desk.table.match(), text))
    yield desk.face
    desk = Desk().begin().play(12)
    desk.table.away[1] = 30_000
    desk.hear(everywhere(desk.table.match(), text), Refused(code="new", why=text, match=CODE))
    yield desk.face
    desk.table.away[1] = None
    desk.hear(everywhere(desk.table.match(), text), Refused(code=text, why="", match=CODE))
    desk.rival("resign")
    yield desk.face
    desk.hear(desk.table.board(1), everywhere(desk.table.match(), text))
    yield desk.face
    stand = Stand(moves=9)
    stand.hear(everywhere(stand.table.match(None), text), stand.table.play(0, "resign"))
    yield stand.face
    stand.hear(everywhere(stand.table.match(None), text))
    yield stand.face
    choosing = Choosing(Look(), {})
    choosing.show(
        [
            ListedMatch(
                match=text, game=text, seats=[Side(name=text, tag=text, count=n, bot=text) for n in (1, 2)], left=61_000
            )
        ]
    )
    yield choosing


@pytest.mark.parametrize("text", TEXTS, ids=["nasty", "long", "wide", "narrow"])
def test_whatever_a_server_says(text: str) -> None:
    for face in scenes(text):
        fair(face)

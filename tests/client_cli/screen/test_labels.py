"""Names where there is little room: the mark of a bot is never what is cut off."""

import pytest
from rich.cells import cell_len

from client_cli.player_names import called
from client_cli.screen.choosing import Choosing
from client_cli.screen.labels import label, versus
from client_cli.screen.look import Look
from client_cli.screen.watching import Watching
from client_cli.spectator import Spectator
from protocol.messages import ListedMatch, Side
from tests.client_cli.screen.desk import Desk, text_of
from tests.client_cli.table import NONCES, Table

LONG, PROGRAM = "Maximiliane von Beispiel", "a-program-of-a-long-name"
SIZES = [(80, 24), (100, 30), (120, 40), (200, 60)]


def side(name: str, bot: str | None = None) -> Side:
    return Side(name=name, tag="0000", count=0, bot=bot)


@pytest.mark.parametrize("width", range(12, 60))
@pytest.mark.parametrize("name", ["Robo", LONG, "名" * 24])
@pytest.mark.parametrize("program", ["tommy", PROGRAM, "名" * 24])
def test_a_bot_is_marked_in_any_room(width: int, name: str, program: str) -> None:
    shown = label(called(name, program), side(name, program), width)
    assert cell_len(shown) <= width
    assert shown.endswith(("[bot]", f"[bot {program}]"))
    assert shown[0] == name[0]


def test_whoever_has_the_room_is_shown_whole() -> None:
    assert label("Robo [bot tommy]", side("Robo", "tommy"), 16) == "Robo [bot tommy]"
    assert label("Robo [bot tommy]", side("Robo", "tommy"), 15) == "Robo [bot]"
    assert label(LONG, side(LONG), 10) == "Maximilia…"
    sides = [side(LONG, "tommy"), side("Bo")]
    names = [called(each.name, each.bot) for each in sides]
    assert versus(names, sides, 47) == f"{LONG} [bot tommy] against Bo"
    assert versus(names, sides, 40) == "Maximiliane von … [bot tommy] against Bo"


def test_two_bots_share_the_room() -> None:
    sides = [side(LONG, PROGRAM), side(LONG, PROGRAM)]
    names = [called(each.name, each.bot) for each in sides]
    for width in range(33, 120):
        shown = versus(names, sides, width)
        assert cell_len(shown) <= width
        assert shown.count("[bot") == 2


def against_a_bot(game: str) -> Table:
    table = Table(game).seated(LONG)
    table.bots[1] = PROGRAM
    return table


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["sir-tommy", "forty-thieves"])
def test_every_picture_of_a_match_marks_its_bots(game: str, size: tuple[int, int]) -> None:
    desk = Desk(game)
    desk.table.seated(LONG)
    desk.table.bots[1] = PROGRAM
    desk.hear(desk.table.match())
    assert "[bot" in desk.text(*size)
    desk.begin()
    assert "[bot" in desk.text(*size)
    desk.end()
    picture = desk.text(*size).split("\n")
    assert "[bot" in picture[1]
    assert picture[1].rstrip().endswith(f"{desk.board.count} to {desk.board.count}.")
    assert sum("[bot" in line for line in picture) >= 2
    spectator = Spectator(desk.table.match(None), lambda: NONCES[0], 1.0)
    face = Watching(spectator, Look(), {})
    for seat in (0, 1):
        spectator.heard(desk.table.board(seat), 1.0)
        spectator.heard(desk.table.progress(seat), 1.0)
    picture = text_of(face, *size, 1.0).split("\n")
    assert "[bot" in picture[0]
    assert sum("[bot" in line for line in picture) >= 2


@pytest.mark.parametrize("size", SIZES)
def test_the_list_marks_its_bots_and_no_person(size: tuple[int, int]) -> None:
    face = Choosing(Look(), {})
    seats = [[side("Robo", "tommy"), side(LONG, PROGRAM)], [side("House bot"), side(LONG)]]
    face.show([ListedMatch(match=f"abcdefg{at}", game="lucas", seats=pair, left=1) for at, pair in enumerate(seats)])
    bots, people = text_of(face, *size, 0.0).split("\n")[2:4]
    assert bots.count("[bot") == 2
    assert '"House' in people
    assert "[bot" not in people

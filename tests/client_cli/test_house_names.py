"""The house bots' names in the user's language."""

from pathlib import Path

import pytest

from client_cli import house_names, language
from client_cli.past import listed
from client_cli.player import Player
from client_cli.replay import seat_names
from protocol.messages import PastMatch, PastSeat
from tests.client_cli.table import Table


@pytest.fixture(autouse=True)
def _german() -> None:
    language.choose("de")


def test_they_are_those_that_the_server_gives_its_bots() -> None:
    source = (Path(__file__).parents[2] / "server" / "house.py").read_text(encoding="utf-8")
    assert all(f'"{level}": "{name}"' in source for level, name in house_names.ENGLISH.items())


def test_a_player_is_told_the_name_by_the_level() -> None:
    table = Table().seated()
    state = table.match()
    state.seats[1].bot, state.seats[1].name = "easy", "Easy house bot"
    player = Player(state, lambda: bytes(16), 0.0, always_ready=False, terminal=False)
    assert player.race.names == ["Ada", "Leichter Hausbot"]
    player.heard(state, 1.0)
    assert player.race.names == ["Ada", "Leichter Hausbot"]


def test_so_are_the_past_and_records() -> None:
    seats = [PastSeat("Ada", "00ad", 3), PastSeat("Strong house bot", "0000", 4, "strong")]
    past = PastMatch(match="abcdefgh", game="sir-tommy", ended=0, you=0, seats=seats)
    assert listed(past).rival == "Starker Hausbot"
    table = Table().started()
    for seat in (0, 1):
        table.play(seat, "stand")
    record = table.record()
    record.seats[1].name = "House bot"
    assert seat_names(record) == ["Ada", "House bot"]
    record.seats[1].bot, record.seats[1].level = "tommy", "normal"
    assert seat_names(record) == ["Ada", "Hausbot"]


def test_a_name_that_is_none_of_theirs_is_left_alone() -> None:
    assert [house_names.known(name) for name in ("House bot", "Ada", "quit")] == ["Hausbot", "Ada", "quit"]

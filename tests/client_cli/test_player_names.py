"""What players are called: who is a bot is marked in every language, and who is none is not."""

from pathlib import Path

import pytest

from client_cli import language
from client_cli.past import listed
from client_cli.player import Player
from client_cli.player_names import called, house_name
from client_cli.replay import seat_names
from client_cli.reports import Ranked
from client_cli.spectator import Spectator
from client_cli.verdict import judged, record_in
from client_cli.wording import words
from engine.record import Record, sealed, write_record
from protocol.messages import Level, PastMatch, Rank, Side
from tests.client_cli.table import Table

HOUSE: dict[str, dict[Level, str]] = {
    "en": {"easy": "Easy house bot", "normal": "House bot", "strong": "Strong house bot"},
    "de": {"easy": "Leichter Hausbot", "normal": "Hausbot", "strong": "Starker Hausbot"},
    "es": {"easy": "Bot fácil de la casa", "normal": "Bot de la casa", "strong": "Bot fuerte de la casa"},
}
EVERY = [(spoken, level) for spoken in HOUSE for level in HOUSE["en"]]


@pytest.mark.parametrize(("spoken", "level"), EVERY)
def test_a_house_bot_is_called_by_its_level_whatever_it_says_its_name_is(spoken: str, level: Level) -> None:
    language.choose(spoken)
    assert called("Ada", "tommy", level) == house_name(level) == HOUSE[spoken][level]


@pytest.mark.parametrize(("spoken", "level"), EVERY)
def test_a_person_of_that_name_is_never_taken_for_one(spoken: str, level: Level) -> None:
    for other in HOUSE:
        language.choose(spoken)
        name = HOUSE[other][level]
        assert called(name) in (name, f'"{name}"')
        assert called(name) != house_name(level)
        assert called(name.upper()) != house_name(level)


def test_a_bot_is_marked_with_its_program() -> None:
    assert called("Robo", "stockfish") == "Robo [bot stockfish]"
    assert called("House bot", "tommy") == "House bot [bot tommy]"
    assert called("Robo", True) == "Robo [bot]"
    assert called("Robo", False) == called("Robo", None) == "Robo"


def against(name: str, bot: str | None, level: Level | None = None) -> Table:
    table = Table().seated(name)
    table.bots[1], table.level = bot, level
    return table


SIDES = [("House bot", None, None), ("House bot", "stockfish", None), ("House bot", "tommy", "normal")]
"""The same name: a person's, a bot's, a house bot's."""
SIDES_TOLD = list(zip(SIDES, ['"House bot"', "House bot [bot stockfish]", "House bot"], strict=True))


@pytest.mark.parametrize(("side", "name"), SIDES_TOLD)
def test_so_they_are_told_in_a_match(side: tuple[str, str | None, Level | None], name: str) -> None:
    table = against(*side)
    player = Player(table.match(), lambda: bytes(16), 0.0, always_ready=False, terminal=False)
    assert player.race.names == ["Ada", name]
    seated, _, *_ = player.to_tell()
    assert f"you race {name}." in words(seated)
    table.commit(1)
    player.heard(table.match(), 1.0)
    assert words(player.to_tell()[0]) == f"{name} is ready."
    spectator = Spectator(table.match(None), lambda: bytes(16), 0.0)
    assert f"Ada against {name}" in words(spectator.to_tell()[0])


@pytest.mark.parametrize(("side", "name"), SIDES_TOLD)
def test_so_they_are_told_in_the_past(side: tuple[str, str | None, Level | None], name: str) -> None:
    seats = [Side("Ada", "00ad", 3), Side(side[0], "00b0", 4, side[1], side[2])]
    line = listed(PastMatch(match="abcdefgh", game="sir-tommy", ended=0, you=0, seats=seats))
    assert line.rival == name
    # Whoever is no house bot has a tag.
    assert f"{name} (00b0)" in words(line) or side[2] is not None
    assert (line.bot, line.level) == side[1:]


def test_so_they_are_told_in_the_ranking() -> None:
    robo = Rank(name="Robo", tag="00b0", rating=1600, deviation=50, matches=30, bot="stockfish", place=1)
    assert words(Ranked("sir-tommy", robo, you=False)).startswith("  1.  Robo [bot stockfish] (00b0) · 1600")


def record(name: str, *, bot: str | None) -> Record:
    table = Table().started()
    for seat in (0, 1):
        table.play(seat, "stand")
    found = table.record()
    found.seats[1].name, found.seats[1].bot = name, bot
    return found


@pytest.mark.parametrize("spoken", HOUSE)
def test_a_record_says_of_a_seat_what_it_is_and_the_name_does_not(spoken: str) -> None:
    language.choose(spoken)
    assert seat_names(record("House bot", bot="robo"))[1].casefold() == "house bot [bot robo]"
    assert seat_names(record("House bot", bot=None))[1] in ("House bot", '"House bot"')
    found = record("Ada", bot="tommy")
    found.seats[1].level = "easy"
    assert seat_names(found)[1] == HOUSE[spoken]["easy"]


def test_what_verify_finds_names_them_as_they_are_called(tmp_path: Path) -> None:
    found = record("Robo", bot="robo")
    file = tmp_path / "record.json"
    file.write_text(write_record(sealed(found)))
    told = "\n".join(map(words, judged(record_in(file), None)))
    assert "Ada against Robo [bot robo]" in told
    assert "Robo [bot robo]'s nonce" in told
    assert "Robo [bot robo]'s board" in told
    assert told.count("Robo") == told.count("Robo [bot robo]")
    found.seats[0].name = "Robo"
    file.write_text(write_record(sealed(found)))
    told = "\n".join(map(words, judged(record_in(file), None)))
    assert "Robo against Robo [bot robo]" in told
    assert told.count("[bot robo]") == 1


def test_players_of_the_same_name_are_told_apart_by_their_tags_and_bots_by_their_marks() -> None:
    table = against("Ada", None)
    assert Player(table.match(), lambda: bytes(16), 0.0).race.names == ["Ada (0000)", "Ada (0001)"]
    table.bots = ["tommy", "tommy"]
    names = ["Ada [bot tommy] (0000)", "Ada [bot tommy] (0001)"]
    assert Player(table.match(), lambda: bytes(16), 0.0).race.names == names
    table.bots = [None, "tommy"]
    assert Player(table.match(), lambda: bytes(16), 0.0).race.names == ["Ada", "Ada [bot tommy]"]


def test_facts_in_a_name_are_none() -> None:
    assert called("{program}", "{name}") == "{program} [bot {name}]"


@pytest.mark.parametrize("name", ["Robo [bot tommy]", "Robo [Bot tommy]", "Ada [bot]"])
def test_a_person_who_names_herself_like_a_bot_is_told_from_one(name: str) -> None:
    assert called(name) == f'"{name}"'
    assert called("Robo", "tommy") == "Robo [bot tommy]"

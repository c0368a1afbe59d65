"""The help about the keys and the words: it names what can be done in this game, and nothing else."""

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from client_cli.screen import keys
from client_cli.screen.picking import keyed
from engine.board import Status
from engine.deal import Deal
from engine.games import variant
from engine.moves import WAYS
from tests.client_cli.screen.desk import Desk
from tests.client_cli.test_words import GAMES

ROOT = Path(__file__).parents[3]
MOVES = 120
PRINTED = """
import json, sys
from client_cli import language
language.choose(sys.argv[1])  # before the modules are imported that word something at once
from client_cli import words
from client_cli.screen import keys
from engine.games import variant
from tests.client_cli.screen.desk import Desk

told = {}
for game in sys.argv[2:]:
    desk = Desk(game)
    desk.table.seated()
    face = desk.begin().face
    pressed = [meaning for _, meaning in keys.helped(face.helpful())]
    bottom = [label for _, label in keys.hints(face.available())]
    typed = [word.meaning for word in words.helped(variant(game).rules)]
    told[game] = ["\\n".join(pressed), "\\n".join(bottom), "\\n".join(typed)]
print(json.dumps(told))
"""
NAMED = {
    "en": {"redeal": "r", "waste": "wf", "column": "cc", "pile": "pf", "hand": "hf"},
    "de": {"neu mischen": "r", "Abwurf": "wf", "Spalte": "cc", "Stapel": "pf", "Hand": "hf"},
    "es": {"nuevo reparto": "r", "descarte": "wf", "columna": "cc", "pila": "pf", "mano": "hf"},
}
"""What a help can speak of, and a kind of move of the games that have it."""
ACROSS = {"en": "where from", "de": "woher", "es": "de dónde"}


@pytest.mark.parametrize("spoken", NAMED)
def test_help_speaks_of_what_the_game_has_and_of_nothing_else(spoken: str) -> None:
    """In the window, and in the words of the plain mode; and the bottom line of nothing that the game lacks."""
    done = subprocess.run(
        [sys.executable, "-c", PRINTED, spoken, *GAMES], cwd=ROOT, capture_output=True, check=True, encoding="utf-8"
    )
    told = json.loads(done.stdout)
    assert set(told) == set(GAMES)
    for game, (pressed, bottom, typed) in told.items():
        ways = variant(game).rules.ways
        for text in (pressed, typed):
            named = {way for name, way in NAMED[spoken].items() if re.search(rf"\b{name}", text, re.IGNORECASE)}
            assert named == ways & {*NAMED[spoken].values()}, (game, text)
        assert (ACROSS[spoken] in pressed) == bool(ways & {"pp", "cc"}), game
        for name, way in NAMED[spoken].items():
            assert way in ways or not re.search(rf"\b{name}", bottom, re.IGNORECASE), (game, bottom)


@pytest.mark.parametrize("game", GAMES)
def test_the_rows_of_a_game_are_for_exactly_the_kinds_of_moves_that_it_has(game: str) -> None:
    rules = variant(game).rules
    rows = keys.of_a_race(keys.PLAYING, rules)
    assert frozenset[str]().union(*(row.ways for row in rows)) == rules.ways
    for name in {row.name for row in rows if row.ways} - {"turn"}:
        assert sum(row.name == name for row in rows) == 1


@pytest.mark.parametrize("game", GAMES)
def test_every_move_is_made_by_keys_that_the_help_of_its_game_names(game: str) -> None:
    chosen, chance = variant(game), Random(game)
    board = chosen.board(Deal(*(tuple(chance.sample(chosen.cards, len(chosen.cards))) for _ in range(2))))
    rows = keys.of_a_race(keys.PLAYING, chosen.rules)
    helped = {row.name for row in rows}
    for _ in range(MOVES):
        board.settle(Status.PLAYING)
        legal = board.legal_moves()
        if not legal:
            break
        move = chance.choice(legal)
        named = keyed(move, board, chosen.rules)
        assert named[0] in helped
        way = WAYS[str(move)]
        assert any(way in row.ways for row in rows if row.name in named), (move, named)
        board.apply(move)


@pytest.mark.parametrize("game", ["sir-tommy", "sir-tommy+redeal", "lucas"])
def test_the_window_shows_the_help_of_its_game(game: str) -> None:
    desk = Desk(game)
    desk.table.seated()
    text = desk.begin().press("h").text(120, 40)
    assert ("at the end of the stock, redeal" in text) == ("redeal" in game)
    assert ("the top card of the waste" in text) == (game == "lucas")
    assert ("1…4 " in text) == (game != "lucas")


def test_keys_chosen_anew_are_named_for_every_move_that_they_make() -> None:
    rows = keys.of_a_race(keys.rebound(keys.PLAYING, {"turn": ("g",)}), variant("sir-tommy+redeal").rules)
    assert keys.helped(rows)[:2] == [("g", "turn the next card"), ("g", "at the end of the stock, redeal")]

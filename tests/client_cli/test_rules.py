"""The games explained."""

import pytest

from client_cli.rules import explained
from client_cli.wording import words
from engine.games import CATALOGUE


@pytest.mark.parametrize("game", CATALOGUE)
def test_every_game_is_explained(game: str) -> None:
    text = words(explained(game))
    for part in ("Goal:", "Layout:", "Moves:", "End:", "The race:", "How to play it here:", f"--game {game}"):
        assert part in text
    assert not set("{}") & set(text)
    assert "redeal: gather" not in text


def test_what_is_special_is_told() -> None:
    assert "to any other pile" in words(explained("strategy"))
    assert "leftmost takes it" in words(explained("numerica"))
    assert "4 8 Q 3 7 J 2 6 10 A 5 9 K" in words(explained("calculation"))
    assert "all 48 cards" in words(explained("puss-in-the-corner"))
    assert "from A to Q" in words(explained("puss-in-the-corner"))
    assert "newly shuffled" in words(explained("sir-tommy+redeal"))


def test_each_text_is_its_own() -> None:
    assert len({explained(game).paragraphs[0] for game in CATALOGUE}) == len(CATALOGUE)

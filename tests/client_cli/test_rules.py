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


def test_the_forty_thieves_family_is_told_apart() -> None:
    assert "10 columns of 4 cards, face up; a stock of 64 cards" in words(explained("forty-thieves"))
    assert "13 columns of 3 cards, face up; a stock of 57 cards" in words(explained("lucas"))
    assert "The eight aces lie" in words(explained("lucas"))
    assert "of the other colour" in words(explained("maria"))
    assert "together, as one" in words(explained("josephine"))
    assert "half as many" in words(explained("limited+groups"))
    assert "You always see the next card" in words(explained("limited+peek"))


@pytest.mark.parametrize("game", CATALOGUE)
def test_options_not_chosen_are_offered(game: str) -> None:
    for option in CATALOGUE[game].options:
        assert f"  - {option}: " in words(explained(game))
        assert f"  - {option}: " not in words(explained(f"{game}+{option}"))

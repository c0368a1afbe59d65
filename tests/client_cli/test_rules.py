"""The games explained."""

import pytest

from client_cli import language
from client_cli.rules import explained
from client_cli.screen import keys
from client_cli.wording import words
from engine.games import CATALOGUE, variant


@pytest.mark.parametrize("game", CATALOGUE)
def test_every_game_is_explained(game: str) -> None:
    text = words(explained(game))
    for part in ("Goal:", "Cards:", "Layout:", "Moves:", "End:", "The race:", "How to play it here:", f"--game {game}"):
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


def end(spelling: str) -> str:
    """What is said of how a board of this game ends."""
    (paragraph,) = (text for text in explained(spelling).paragraphs if text.startswith("End:"))
    return paragraph


def test_with_a_redeal_left_no_board_is_called_stuck() -> None:
    assert "the stock is empty, and no top card fits" in end("sir-tommy")
    assert "the stock is empty, the redeal is used, and no top card fits" in end("sir-tommy+redeal")
    assert "stuck" not in end("strategy+redeal")
    assert "stuck" in end("lucas+peek+groups")


@pytest.mark.parametrize("game", CATALOGUE)
def test_every_way_to_end_is_told(game: str) -> None:
    for way in ("solved", "you stand", "clock runs out", "longer than the grace period", "resign"):
        assert way in end(game)


def test_who_gathers_the_same_cards_gets_them_in_the_same_order() -> None:
    assert "gathers the same cards as the other player" in words(explained("calculation+redeal"))
    assert "gathers the same cards" not in words(explained("calculation"))


def test_the_letters_of_the_cards_are_explained() -> None:
    for spoken, jack in (("en", "J the jack"), ("de", "J der Bube"), ("es", "J la jota")):
        language.choose(spoken)
        assert jack in words(explained("sir-tommy"))


@pytest.mark.parametrize(
    ("game", "picks"),
    [
        ("sir-tommy", "1…4 "),
        ("maria", "1…9 "),
        ("josephine", "1…9 0 "),
        ("limited", "1…9 0 - = "),
        ("lucas", "1…9 0 - = +"),
    ],
)
def test_the_keys_of_the_full_screen_are_told_as_their_table_has_them(game: str, picks: str) -> None:
    text = words(explained(game))
    assert f"  {picks}" in text
    assert ("the top card of the waste\n" in text) == (game != "sir-tommy")
    for row in keys.PLAYING:
        assert (f"  {row.meaning}\n" in text + "\n") == row.belongs_to(variant(game).rules)


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

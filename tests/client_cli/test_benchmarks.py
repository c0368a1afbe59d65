"""What the books and the house bots have to say: each figure at its game, and marked as whose it is."""

import re
from pathlib import Path

import pytest

from client_cli import benchmarks, language
from client_cli.rules import explained
from client_cli.stats import stats
from client_cli.terminal import wrapped
from client_cli.wording import words
from engine.games import CATALOGUE, variant
from tests.client_cli.pasts import past

PAGE = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")


def cells(game: str) -> list[str]:
    """The line of a game on the page about the bots."""
    (line,) = (line for line in PAGE.splitlines() if line.startswith(f"| {game} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def leading(cell: str) -> float | None:
    found = re.match(r"([0-9.]+) %", cell)
    return None if found is None else float(found[1])


@pytest.mark.parametrize("game", benchmarks.BOTS)
def test_the_bots_figures_are_those_that_were_measured(game: str) -> None:
    assert benchmarks.BOTS[game] == tuple(map(leading, cells(game)[1:4]))
    assert variant(game).spelling == game


def test_every_game_has_its_bots_measured() -> None:
    assert set(CATALOGUE) <= set(benchmarks.BOTS)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (
            "sir-tommy",
            ["8-10 % solved in 50-100 deals is above average", "7-10 % of deals can be solved with best play"],
        ),
        ("sir-tommy+redeal", ["about 30 % of deals are solved"]),
        ("forty-thieves", ["about one deal in 10 is solved"]),
        ("lucas", ["about one deal in 3 is solved"]),
        ("limited", ["about one deal in 5 is solved"]),
    ],
)
def test_the_books_figures_belong_to_these_games(game: str, said: list[str]) -> None:
    assert benchmarks.books(game) == said
    text = words(explained(game))
    assert f"  The books   {said[0]}\n" in text
    assert all(sentence in text for sentence in said)
    assert text.index("The books ") < text.index("House bots  measured: ") < text.index("what was measured may be far")


@pytest.mark.parametrize("game", ["strategy", "numerica", "calculation", "puss-in-the-corner", "maria", "josephine"])
def test_and_to_no_other(game: str) -> None:
    for spelling in benchmarks.spellings(variant(game)):
        assert benchmarks.books(spelling) == []
    text = words(explained(game))
    assert "The books" not in text
    assert "House bots  measured: " in text


def test_what_a_redeal_does_is_told_before_it_is_chosen() -> None:
    text = words(explained("sir-tommy"))
    assert "Sir Tommy with a redeal, how often it is solved:\n  The books   about 30 % of deals are solved\n" in text
    assert "8-10 %" not in words(explained("sir-tommy+redeal"))


@pytest.mark.parametrize("spoken", ["en", "de", "es"])
@pytest.mark.parametrize("game", benchmarks.BOTS)
def test_the_figures_stand_in_their_lines_at_80_columns(game: str, spoken: str) -> None:
    language.choose(spoken)
    for paragraph in explained(game).paragraphs:
        if benchmarks.measured(game) in paragraph:
            *table, _note = paragraph.split("\n")
            assert wrapped("\n".join(table), 79) == "\n".join(table)
            break
    else:
        pytest.fail("there are no figures")


@pytest.mark.parametrize("spoken", ["en", "de", "es"])
@pytest.mark.parametrize("game", benchmarks.BOTS)
def test_and_so_do_a_players_own_in_their_lines_at_80_columns(game: str, spoken: str) -> None:
    language.choose(spoken)
    (told,) = stats([past(number, "30-28", game=game) for number in range(100)] * 10)
    assert len(told.finished) == sum(told.finished) == 1000
    assert wrapped(words(told), 79) == words(told)

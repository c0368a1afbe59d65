import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.deal import Deal
from engine.errors import UnknownGame
from engine.games import CATALOGUE, Variant, variant
from tests.engine.layouts import FORTY_THIEVES
from tests.engine.positions import SIR_TOMMY, SPELLINGS
from tests.engine.referee_forty_thieves import COLUMNS_AND_ROWS


def test_the_catalogue_has_the_games_of_both_families() -> None:
    assert list(CATALOGUE) == [*SIR_TOMMY, *COLUMNS_AND_ROWS]
    assert SIR_TOMMY == ["sir-tommy", "strategy", "numerica", "calculation", "puss-in-the-corner"]
    assert list(COLUMNS_AND_ROWS) == ["forty-thieves", "lucas", "limited", "maria", "josephine"]
    assert all(game.name == name for name, game in CATALOGUE.items())


@pytest.mark.parametrize("spelling", [*SPELLINGS, *FORTY_THIEVES])
def test_the_figures_of_a_game_are_those_of_a_fresh_board(spelling: str) -> None:
    chosen = variant(spelling)
    order = tuple(random.Random(spelling).sample(chosen.cards, len(chosen.cards)))
    view: Any = chosen.board(Deal(order, order)).view()
    rules = chosen.rules
    assert chosen.game.stock == view.stock
    assert rules.foundations == len(view.foundations)
    assert (rules.piles, rules.columns) == (len(getattr(view, "piles", [])), len(getattr(view, "columns", [])))
    assert len(chosen.cards) - view.stock == sum(map(len, [*view.foundations, *getattr(view, "columns", [])]))


@pytest.mark.parametrize("spelling", [*SPELLINGS, *FORTY_THIEVES])
def test_a_spelling_names_its_game_and_options_and_is_written_as_it_was_read(spelling: str) -> None:
    chosen = variant(spelling)
    assert chosen.spelling == spelling
    assert [chosen.game.name, *chosen.options] == spelling.split("+")


def test_an_option_belongs_to_the_variant_and_leaves_the_catalogue_as_it_is() -> None:
    for option, change in (("redeal", {"redeals": 1}), ("peek", {"peek": True}), ("groups", {"groups": True})):
        name = "sir-tommy" if option == "redeal" else "lucas"
        plain: Any = CATALOGUE[name].rules
        assert variant(f"{name}+{option}").rules == replace(plain, **change) != plain
        assert variant(name).rules == CATALOGUE[name].rules == plain


def test_options_are_spelled_in_one_order_whatever_order_they_are_named_in() -> None:
    assert variant("lucas+groups+peek").spelling == "lucas+peek+groups"
    assert variant("lucas+groups+peek").rules == variant("lucas+peek+groups").rules


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("sirtommy", "sir-tommy"),
        ("sir_tommy", "sir-tommy"),
        ("Strategy", "strategy"),
        ("numerika", "numerica"),
        ("calcuation+redeal", "calculation"),
        ("puss", "puss-in-the-corner"),
        ("calc", "calculation"),
        ("thieves", "forty-thieves"),
        ("fortythieves+peek", "forty-thieves"),
        ("josephina", "josephine"),
    ],
)
def test_a_misspelled_game_is_unknown_and_the_nearest_is_named(wrong: str, meant: str) -> None:
    with pytest.raises(UnknownGame, match=f"did you mean .*{meant}") as caught:
        variant(wrong)
    assert caught.value.code == "unknown-game"


def test_for_a_name_like_no_other_all_games_are_named() -> None:
    with pytest.raises(UnknownGame) as caught:
        variant("xyzzy")
    assert str(caught.value) == f"there is no game 'xyzzy': the games are {', '.join(CATALOGUE)}"


@pytest.mark.parametrize("wrong", ["sir-tommy+peek", "sir-tommy+", "sir-tommy+REDEAL", "sir-tommy+redeal+peek"])
def test_an_option_that_the_game_has_not_is_refused_and_those_it_has_are_named(wrong: str) -> None:
    with pytest.raises(UnknownGame, match=r"no option .*: it has redeal"):
        variant(wrong)


@pytest.mark.parametrize("wrong", ["lucas+redeal", "maria+", "josephine+peek+hint", "limited+Peek"])
def test_the_families_have_options_of_their_own(wrong: str) -> None:
    with pytest.raises(UnknownGame, match=r"no option .*: it has peek, groups"):
        variant(wrong)


@pytest.mark.parametrize("wrong", ["sir-tommy+redeal+redeal", "lucas+peek+groups+peek"])
def test_an_option_named_twice_is_refused(wrong: str) -> None:
    with pytest.raises(UnknownGame, match="named twice"):
        variant(wrong)


@given(st.text() | st.text("+sirtomy-edal", max_size=20) | st.sampled_from(["lucas+groups+peek", "maria+peek"]))
def test_any_text_is_a_variant_or_an_unknown_game_and_raises_nothing_else(text: str) -> None:
    name, *options = text.split("+")
    if "+".join([name, *sorted(options, reverse=True)]) in {*SPELLINGS, *FORTY_THIEVES}:
        assert isinstance(variant(text), Variant)
    else:
        with pytest.raises(UnknownGame) as caught:
            variant(text)
        assert len(str(caught.value)) < 1000


def test_a_very_long_name_is_refused_in_a_short_sentence() -> None:
    with pytest.raises(UnknownGame) as caught:
        variant("sir-tommy" * 10_000)
    assert len(str(caught.value)) < 250

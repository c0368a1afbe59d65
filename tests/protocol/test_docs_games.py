"""docs/protocol.md describes the games, the moves and the cards that the engine has."""

import re

import pytest

import engine.stuck
from engine.cards import RANKS, SUITS, parse_card
from engine.deal import Deal
from engine.forty_thieves import FortyThievesBoard, FortyThievesRules
from engine.games import CATALOGUE, TWO_DECKS, variant
from engine.moves import MOVES, Area, parse_move
from engine.sir_tommy import PILES, SirTommyRules
from tests.protocol.page import SECTIONS, rows_of, under


def _games(family: str) -> dict[str, list[str]]:
    """The rows of a family's table, by the name of the game."""
    return {row[0].strip("`"): row[1:] for row in rows_of(under("Games, moves and boards")[f"The {family} family"])}


def test_the_games_are_those_of_the_catalogue() -> None:
    assert [*_games("Sir Tommy"), *_games("Forty Thieves")] == list(CATALOGUE)


def test_the_games_of_the_sir_tommy_family_are_as_the_catalogue_has_them() -> None:
    for name, (options, cards, moves, foundations) in _games("Sir Tommy").items():
        game = CATALOGUE[name]
        assert isinstance(game.rules, SirTommyRules)
        assert tuple(options.replace("`", "").split()) == game.options
        assert int(cards) == len(game.cards)
        assert moves.replace("`", "").split() == ["t", "hf", "hp", "pf"] + ["pp"] * game.rules.pile_to_pile
        sequences = [" ".join(RANKS[rank - 1] for rank in sequence) for sequence in game.rules.sequences]
        if len(set(sequences)) > 1:
            assert foundations == "; ".join(f"{number}: {each}" for number, each in enumerate(sequences, start=1))
        else:
            assert foundations == sequences[0] + "; the leftmost that takes the card" * game.rules.leftmost
        assert (PILES, len(sequences)) == (4, 4)


def test_the_games_of_the_forty_thieves_family_are_as_the_catalogue_has_them() -> None:
    for name, (options, cards, layout, stock, foundations, built) in _games("Forty Thieves").items():
        game = CATALOGUE[name]
        rules, board = game.rules, game.rules.board(Deal(game.cards, game.cards))
        assert isinstance(rules, FortyThievesRules)
        assert isinstance(board, FortyThievesBoard)
        assert tuple(options.replace("`", "").split()) == game.options
        assert int(cards) == len(game.cards) == board.total
        assert layout == f"{rules.columns} x {rules.rows}"
        assert [len(column) for column in board.columns] == [rules.rows] * rules.columns
        assert int(stock) == board.stock
        assert foundations == f"{len(board.foundations)}" + ", the aces there" * rules.aces_first
        assert board.count == 8 * rules.aces_first
        expected = "in alternating colours" if rules.alternating else "in suit"
        assert built == expected + "; a sequence moves as a whole" * rules.whole_sequences


def test_the_suits_of_the_foundations_are_those_of_the_engine() -> None:
    body = " ".join(under("Games, moves and boards")["The Forty Thieves family"].split())
    board = variant("forty-thieves").board(Deal(TWO_DECKS, TWO_DECKS))
    assert isinstance(board, FortyThievesBoard)
    for suit, name in zip("cdhs", ("clubs", "diamonds", "hearts", "spades"), strict=True):
        one, other = board.fitting(parse_card(f"A{suit}"))
        assert f"{one} and {other} in {name}" in body
    assert f"there are {engine.stuck.BUDGET:,} such positions at most, the one on the table included" in body
    assert f"With {engine.stuck.BUDGET + 1:,} or more it is not stuck" in body


def test_the_games_with_starters_are_named() -> None:
    named = re.search(
        r"In (`[^|]*?)\s+the first card of each foundation lies there", SECTIONS["Games, moves and boards"], re.DOTALL
    )
    assert named is not None
    with_starters = {name for name in _games("Sir Tommy") if getattr(CATALOGUE[name].rules, "starters", False)}
    assert set(re.findall("`([a-z-]+)`", named[1])) == with_starters


@pytest.mark.parametrize(
    ("family", "expected"),
    [
        ("Sir Tommy", ["t", "hf2", "hp3", "p3f1", "p1p2", "r"]),
        ("Forty Thieves", ["t", "wf8", "wc10", "c4f1", "c4c12", "c4c12x3"]),
    ],
)
def test_every_move_of_the_notation_can_be_read(family: str, expected: list[str]) -> None:
    body = under("Games, moves and boards")[f"The {family} family"].split("| move | what it does")[1]
    moves = re.findall(r"^\| `(\w+)` \|", body, flags=re.MULTILINE)
    assert moves == expected
    for move in moves:
        assert str(parse_move(move)) == move


def test_the_cards_are_those_of_the_engine() -> None:
    body = " ".join(SECTIONS["Games, moves and boards"].split())
    assert f"`{' '.join(RANKS)}`, and a suit, `{' '.join(SUITS)}`" in body


def test_the_largest_numbers_of_places_are_those_of_the_notation() -> None:
    body = " ".join(SECTIONS["Games, moves and boards"].split())
    largest = {
        area: max(place.number for move in MOVES.values() for place in (move.source, move.target) if place.area is area)
        for area in (Area.PILE, Area.FOUNDATION, Area.COLUMN)
    }
    assert largest[Area.PILE] == largest[Area.FOUNDATION]
    assert max(move.cards for move in MOVES.values()) == largest[Area.COLUMN]
    assert f"up to {largest[Area.PILE]} can be written for piles and foundations" in body
    assert f"up to {largest[Area.COLUMN]} for columns and for the cards of a sequence" in body

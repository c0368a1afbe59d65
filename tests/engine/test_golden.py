"""The engine against the golden data, which the naive referees made: counted trees and whole matches."""

import json
from collections import Counter
from collections.abc import Hashable
from copy import copy
from pathlib import Path
from typing import Any

import pytest

from engine.board import Board
from engine.cards import card_text, parse_card
from engine.deal import Deal, deal
from engine.games import CATALOGUE, variant
from engine.record import RECORD_VERSION, digest_of, read_record, write_record
from engine.result import MOST_SEATS, Reason
from engine.verify import verify

GOLDEN = Path(__file__).parent.parent / "golden"
TREES = json.loads((GOLDEN / "trees.json").read_text(encoding="utf-8"))
OF_MANY = (GOLDEN / "one-to-eight.jsonl").read_text(encoding="utf-8").splitlines()
MATCHES = {game: (GOLDEN / f"{game}.jsonl").read_text(encoding="utf-8").splitlines() for game in CATALOGUE}


def spellings_of(game: str) -> list[str]:
    """The game with every set of its options."""
    sets = [""]
    for option in CATALOGUE[game].options:
        sets += [f"{chosen}+{option}" for chosen in sets]
    return [variant(game + chosen).spelling for chosen in sets]


def twin(board: Board) -> Board:
    """A board with the same cards, to be changed on its own."""
    other = copy(board)
    for name, value in vars(board).items():
        if isinstance(value, list):
            setattr(other, name, [each[:] if isinstance(each, list) else each for each in value])
    return other


def lying(board: Board) -> Hashable:
    """The cards at every place."""
    return tuple(
        tuple(tuple(each) if isinstance(each, list) else each for each in value) if isinstance(value, list) else value
        for name, value in vars(board).items()
        if name in ("_stock", "hand", "piles", "foundations", "redeals_left", "waste", "columns")
    )


def counts(board: Board, depth: int) -> list[list[int]]:
    """For each depth the number of ways and the number of boards they lead to."""
    boards = {lying(board): (1, board)}
    found = []
    for _ in range(depth):
        deeper: dict[Hashable, tuple[int, Board]] = {}
        for ways, here in boards.values():
            for move in here.legal_moves():
                there = twin(here)
                there.apply(move)
                before, _ = deeper.get(lying(there), (0, there))
                deeper[lying(there)] = before + ways, there
        found.append([sum(ways for ways, _ in deeper.values()), len(deeper)])
        boards = deeper
    return found


@pytest.mark.parametrize("tree", TREES["trees"], ids=lambda tree: f"{tree['game']}-{tree['deck']}")
def test_moves_lead_to_as_many_boards_in_as_many_ways_as_the_referee_counted(tree: dict[str, Any]) -> None:
    deck = TREES["decks"][tree["game"].partition("+")[0]][tree["deck"]]
    first, second = (tuple(map(parse_card, deck[order].split())) for order in ("first", "second"))
    board = variant(tree["game"]).board(Deal(first, second))
    for move in tree["moves"].split():
        board.enter(move)
    assert counts(board, len(tree["counts"])) == tree["counts"]


@pytest.mark.parametrize("game", CATALOGUE)
def test_the_decks_are_those_that_the_secret_and_the_nonces_deal(game: str) -> None:
    first, second = map(bytes.fromhex, TREES["nonces"])
    for name, deck in TREES["decks"][game].items():
        cards = deal(CATALOGUE[game].cards, bytes.fromhex(TREES["secret"]), (first, second), name)
        assert deck == {
            "first": " ".join(map(card_text, cards.first)),
            "second": " ".join(map(card_text, cards.second)),
        }


def test_every_game_has_trees_with_every_option_that_changes_a_move() -> None:
    trees = Counter(tree["game"] for tree in TREES["trees"])
    wanted = {spelling for game in CATALOGUE for spelling in spellings_of(game) if "peek" not in spelling}
    assert trees.keys() == wanted
    assert min(trees.values()) >= 3
    assert all(depth for depth in (len(tree["counts"]) > 2 for tree in TREES["trees"]))


@pytest.mark.parametrize("game", CATALOGUE)
def test_matches_that_the_referee_played_fit_in_every_part(game: str) -> None:
    for line in MATCHES[game]:
        assert [finding for finding in verify(read_record(line)) if not finding.fits] == []


@pytest.mark.parametrize("game", CATALOGUE)
def test_every_game_has_three_whole_matches_with_every_set_of_options(game: str) -> None:
    records = [read_record(line) for line in MATCHES[game]]
    played = Counter(record.game for record in records)
    assert played == dict.fromkeys(spellings_of(game), 3)
    assert {record.result.reason for record in records} <= {Reason.SOLVED, Reason.COUNT, Reason.DRAW}
    assert all(seat.entries for record in records for seat in record.seats)


def test_the_matches_end_in_every_way_that_the_cards_can_end_them() -> None:
    records = [read_record(line) for lines in MATCHES.values() for line in lines]
    assert {record.result.reason for record in records} == {Reason.SOLVED, Reason.COUNT, Reason.DRAW}
    assert {seat.status for record in records for seat in record.seats} == {"playing", "solved", "stuck", "stood"}
    assert {record.game for record in records if record.result.reason is Reason.SOLVED} >= {
        "numerica",
        "strategy",
        "calculation+redeal",
        "puss-in-the-corner",
        "lucas",
        "limited",
        "josephine",
    }


@pytest.mark.parametrize("game", CATALOGUE)
def test_these_matches_are_of_version_1_and_written_as_they_were(game: str) -> None:
    for line in MATCHES[game]:
        record = read_record(line)
        assert record.version == 1
        assert json.loads(write_record(record)) == json.loads(line)
        assert digest_of(record) == json.loads(line)["digest"]


@pytest.mark.parametrize("line", OF_MANY, ids=lambda line: json.loads(line)["game"])
def test_matches_of_one_to_eight_players_that_the_referee_played_fit_in_every_part(line: str) -> None:
    record = read_record(line)
    assert [finding for finding in verify(record) if not finding.fits] == []
    assert record.version == RECORD_VERSION
    assert json.loads(write_record(record)) == json.loads(line)


def test_there_is_a_match_of_every_game_and_every_number_of_players_with_either_way_to_fix_the_cards() -> None:
    records = [read_record(line) for line in OF_MANY]
    assert {record.game.partition("+")[0] for record in records} == set(CATALOGUE)
    assert {len(record.seats) for record in records} == set(range(1, MOST_SEATS + 1))
    assert {record.fixed_by for record in records} == {"players", "server"}
    assert {record.result.reason for record in records} == {Reason.SOLVED, Reason.COUNT, Reason.RESIGNED}
    assert any(len(set(record.result.places)) < len(record.seats) for record in records)

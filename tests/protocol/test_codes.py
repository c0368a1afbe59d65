"""The codes of refusals: one meaning each, and none that is not in the list."""

import ast
import re
from pathlib import Path

import pytest

import protocol.codec
from engine.errors import BadMove, UnknownGame
from protocol.codes import CODES, HANDSHAKE, MOVES, REQUESTS, STRIKES
from tests.engine.positions import codes_of_illegal_moves

OF_THE_LOG = {"stale", "gap", "log-full"}
"""The refusals of a move that the server makes before a board is asked."""


def test_every_code_of_an_illegal_move_in_the_engine_is_listed_and_every_listed_one_is_raised() -> None:
    assert codes_of_illegal_moves() | {BadMove.code} | OF_THE_LOG == MOVES.keys()


def test_an_unknown_game_has_the_same_code_in_the_engine_and_on_the_wire() -> None:
    assert UnknownGame.code in REQUESTS


def test_every_code_of_the_codec_is_a_strike_and_every_strike_is_one_of_the_codec() -> None:
    source = ast.parse(Path(protocol.codec.__file__).read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(source) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    codes = [call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "WireError"]
    assert {code.value for code in codes if isinstance(code, ast.Constant)} == STRIKES.keys()
    assert all(isinstance(code, ast.Constant) for code in codes)


def test_no_code_stands_in_two_lists() -> None:
    assert len(CODES) == sum(map(len, (STRIKES, HANDSHAKE, REQUESTS, MOVES)))


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_lower_case_words_with_a_sentence_of_its_own(code: str) -> None:
    assert re.fullmatch("[a-z]+(-[a-z]+)*", code)
    assert CODES[code]
    assert list(CODES.values()).count(CODES[code]) == 1

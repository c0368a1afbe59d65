"""The number of an entry decides, not whether the board would allow the move: here every move would be legal."""

import pytest

from protocol.messages import Moved
from server.course import State
from server.effects import SPECTATORS
from server.events import board_log
from tests.server.desk import ANN, BOB, Desk, at_once

GAMES = ["lucas", "forty-thieves+peek"]
"""Games in which one may turn a card whatever there is to do, so that `t` is legal before and after itself."""


def made(desk: Desk, seat: int = ANN) -> list[str]:
    return [text for _, text in desk.logs[board_log(seat)]]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("number", [4, 5, 100])
def test_an_entry_that_leaves_a_gap_is_refused_though_the_move_is_legal(game: str, number: int) -> None:
    desk = Desk(game).playing()
    desk.move(ANN, "t", "t")
    with desk.refuses("gap", n=2):
        desk.do("move", ANN, number, "t")
    desk.do("move", ANN, 3, "t")
    assert made(desk) == ["t"] * 3


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_an_entry_that_is_sent_again_is_made_once_though_the_move_is_legal(game: str, number: int) -> None:
    desk = Desk(game).playing()
    desk.move(ANN, "t", "t", "t")
    first = [message for message in desk.new(ANN) if isinstance(message, Moved)][number - 1]
    desk.forget()
    desk.do("move", ANN, number, "t")
    assert made(desk) == ["t"] * 3
    assert desk.new(ANN) == [first]
    assert desk.new(BOB) == desk.new(SPECTATORS) == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("word", ["stand", "resign"])
def test_another_entry_under_a_used_number_is_refused_though_it_is_legal(game: str, number: int, word: str) -> None:
    desk = Desk(game).playing()
    desk.move(ANN, "t", "t")
    with desk.refuses("stale", n=2):
        desk.do("move", ANN, number, word)
    assert desk.state() is State.PLAYING


@pytest.mark.parametrize("word", ["stand", "resign"])
def test_a_word_that_leaves_a_gap_ends_nothing(word: str) -> None:
    desk = Desk().playing()
    with desk.refuses("gap", n=0):
        desk.do("move", ANN, 2, word)


def test_what_was_sent_without_waiting_is_refused_after_a_refusal_though_the_moves_are_legal() -> None:
    desk = Desk("lucas").playing()
    with desk.refuses("bad-move", n=0):
        desk.do("move", ANN, 1, "nonsense")
    for number in (2, 3):
        with desk.refuses("gap", n=0):
            desk.do("move", ANN, number, "t")


def test_a_number_is_used_on_the_own_board_only() -> None:
    desk = Desk("lucas").playing()
    desk.move(ANN, "t", "t")
    with desk.refuses("gap", n=0):
        desk.do("move", BOB, 3, "t")
    desk.move(BOB, "t")
    assert (made(desk), made(desk, BOB)) == (["t"] * 2, ["t"])


def test_another_servers_entries_that_are_known_here_are_not_made_twice() -> None:
    """It is told of the whole logs, as it may be after a lost connection to the store."""
    desk = Desk("lucas").playing()
    desk.move(ANN, "t", "t")
    second = desk.restored()
    desk.move(ANN, "t")
    for _ in range(2):
        at_once(second.catch_up(desk.now, desk.stored))
    assert [entry.text for entry in second.seats[ANN].entries] == ["t"] * 3
    assert second.seats[ANN].own_board() == desk.match.seats[ANN].own_board()

"""A match of more than two: the wire and the stores settle it already, and the match itself carries it out."""

import pytest

from engine.result import Reason, Result
from protocol.messages import Moved
from server.course import State
from server.effects import SPECTATORS
from server.events import MATCH_LOG, Terms, board_log
from server.match import Match
from tests.server.desk import CODE, CREATED, Desk, at_once, committed, last_state, moves_seen, solve, verified

PLAYERS = ("aa" * 32, "bb" * 32, "cc" * 32)
NAMES = ("Ann", "Bob", "Cy")
ANN, BOB, CY = range(3)


class Three(Desk):
    """A desk with three chairs."""

    def __init__(self, game: str = "sir-tommy") -> None:
        super().__init__(game)
        self.terms = Terms(
            match=CODE, game=game, clock=600_000, grace=30_000, listed=True, secret="5e" * 32, created=CREATED, seats=3
        )
        self.match = Match(self.terms)
        self.logs = ([], [], [], [])
        self._told = dict.fromkeys((ANN, BOB, CY, SPECTATORS), 0)

    def playing(self) -> "Three":
        for player, name in zip(PLAYERS, NAMES, strict=True):
            assert self.state() is State.WAITING
            self.sit(player, name)
        nonces = [f"{seat:02x}" * 16 for seat in range(3)]
        for seat, nonce in enumerate(nonces):
            assert self.state() is State.SEATED
            self.do("ready", seat, committed(seat, nonce))
        for seat, nonce in enumerate(nonces):
            assert self.state() is State.REVEALING
            self.do("reveal", seat, nonce)
        self.wait_for_due()
        assert self.state() is State.PLAYING
        return self


@pytest.fixture
def desk() -> Three:
    return Three().playing()


def test_a_fourth_player_finds_no_seat(desk: Three) -> None:
    fresh = Three()
    for player, name in zip(PLAYERS, NAMES, strict=True):
        fresh.sit(player, name)
    with fresh.refuses("match-full"):
        fresh.sit("dd" * 32, "Dan")


def test_each_board_has_a_log_of_its_own_after_the_matchs(desk: Three) -> None:
    for seat, moves in ((CY, 3), (ANN, 1), (BOB, 2)):
        desk.move(seat, *("t", "hp1", "t")[:moves])
    assert [len(desk.logs[board_log(seat)]) for seat in (ANN, BOB, CY)] == [1, 2, 3]
    assert desk.match.numbers == (len(desk.logs[MATCH_LOG]), 1, 2, 3)
    assert at_once(Match.served(desk.stored)).numbers == desk.match.numbers


def test_an_entry_is_shown_when_all_others_have_passed_its_place(desk: Three) -> None:
    desk.match.spectators = 1
    desk.move(ANN, "t", "hp1", "t", "hp2")
    desk.move(BOB, "t", "hp1", "t")
    assert moves_seen(desk.new(SPECTATORS), ANN) == []
    desk.move(CY, "t", "hp1", "t")
    assert moves_seen(desk.new(SPECTATORS), ANN) == [(1, "t"), (2, "hp1")]
    for rival in (BOB, CY):
        assert not [message for message in desk.new(rival) if isinstance(message, Moved) and message.seat != rival]


def test_the_race_goes_on_for_the_second_place(easy_cards: None) -> None:
    desk = Three().playing()
    desk.forget()
    solve(desk, BOB)
    assert desk.state() is State.PLAYING
    desk.oversleep(1_000)
    solve(desk, CY)
    assert desk.match.result == Result(BOB, Reason.SOLVED, [3, 1, 2])
    verified(desk)


def test_who_is_left_when_the_others_resign_wins(desk: Three) -> None:
    desk.move(ANN, "resign")
    assert desk.state() is State.PLAYING
    desk.oversleep(1_000)
    desk.move(CY, "resign")
    assert desk.match.result == Result(BOB, Reason.RESIGNED, [3, 1, 2])
    verified(desk)


def test_the_players_are_shown_all_boards_in_the_end(desk: Three) -> None:
    desk.forget()
    for seat in (ANN, BOB, CY):
        desk.move(seat, "stand")
    assert desk.match.result == Result(None, Reason.DRAW, [1, 1, 1])
    for seat in (ANN, BOB, CY):
        told = desk.new(seat)
        boards = {message.seat for message in told if message.__struct_config__.tag == "board"}  # type: ignore[attr-defined]
        assert boards == {ANN, BOB, CY} - {seat}
        assert last_state(told).state == "over"
    verified(desk)

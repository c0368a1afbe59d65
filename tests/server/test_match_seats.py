"""A match that waits for its players: who takes which seat, who finds none, and how long it waits."""

from engine.deal import commitment
from server.course import NEVER, State
from server.effects import SPECTATORS
from server.match import WAITING_LIMIT
from tests.server.desk import ANN, BOB, CODE, CREATED, GRACE, PLAYERS, Desk, last_state, verified


def test_a_new_match_waits_with_no_seat_taken() -> None:
    desk = Desk()
    assert desk.state() is State.WAITING
    assert desk.match.seats == []
    assert desk.match.due == NEVER


def test_the_commitment_to_the_secret_is_public_from_the_first_and_the_secret_is_not() -> None:
    desk = Desk()
    desk.sit(PLAYERS[ANN], "Ann")
    state = last_state(desk.new(SPECTATORS))
    assert state.commitment == commitment(bytes.fromhex(desk.terms.secret), CODE, "sir-tommy")
    assert state.secret is None


def test_the_first_to_come_gets_seat_0_and_the_match_waits_on() -> None:
    desk = Desk()
    desk.sit(PLAYERS[ANN], "Ann", re=7)
    assert desk.state() is State.WAITING
    told = last_state(desk.new(ANN))
    assert (told.state, told.you, told.re, told.waits) == ("waiting", ANN, 7, WAITING_LIMIT)
    assert [seat.name for seat in told.seats] == ["Ann"]


def test_the_second_to_come_gets_seat_1_and_both_are_told() -> None:
    desk = Desk()
    desk.sit(PLAYERS[ANN], "Ann")
    desk.forget()
    desk.sit(PLAYERS[BOB], "Bob", re=8)
    for audience, you, re in ((ANN, ANN, None), (BOB, BOB, 8), (SPECTATORS, None, None)):
        told = last_state(desk.new(audience))
        assert (told.state, told.you, told.re) == ("seated", you, re)
        assert [seat.name for seat in told.seats] == ["Ann", "Bob"]


def test_players_of_one_name_are_told_apart_by_their_tags() -> None:
    desk = Desk()
    for player in PLAYERS:
        desk.sit(player, "Ann")
    first, second = last_state(desk.new(SPECTATORS)).seats
    assert first.name == second.name
    assert first.tag != second.tag


def test_a_player_takes_no_second_seat() -> None:
    desk = Desk()
    desk.sit(PLAYERS[ANN], "Ann")
    with desk.refuses("already-seated"):
        desk.sit(PLAYERS[ANN], "Ann again")


def test_a_third_player_finds_no_seat() -> None:
    desk = Desk().seated()
    with desk.refuses("match-full"):
        desk.sit("cc" * 32, "Carl")


def test_nobody_sits_down_in_a_race_that_is_on() -> None:
    desk = Desk().playing()
    with desk.refuses("match-full"):
        desk.sit("cc" * 32, "Carl")


def test_nobody_sits_down_in_a_match_that_has_ended() -> None:
    desk = Desk()
    desk.sit(PLAYERS[ANN], "Ann")
    desk.do("leave", ANN)
    with desk.refuses("has-started"):
        desk.sit(PLAYERS[BOB], "Bob")


def test_a_match_nobody_joins_is_given_up_after_half_an_hour() -> None:
    desk = Desk()
    desk.sit(PLAYERS[ANN], "Ann")
    assert desk.match.due == CREATED + WAITING_LIMIT
    desk.wait(WAITING_LIMIT - 1)
    assert desk.state() is State.WAITING
    desk.wait(1)
    assert desk.state() is State.ABORTED
    assert last_state(desk.new(ANN)).aborted == "nobody-came"
    verified(desk)


def test_a_match_is_given_up_when_the_only_player_stays_away() -> None:
    desk = Desk()
    desk.sit(PLAYERS[ANN], "Ann")
    desk.drop(ANN)
    desk.wait(GRACE)
    assert desk.match.aborted == "left"
    verified(desk)


def test_a_player_who_comes_back_in_time_keeps_the_match_waiting() -> None:
    desk = Desk()
    desk.sit(PLAYERS[ANN], "Ann")
    desk.drop(ANN)
    desk.wait(GRACE - 1)
    desk.resume(ANN, 0)
    desk.wait(GRACE)
    assert desk.state() is State.WAITING

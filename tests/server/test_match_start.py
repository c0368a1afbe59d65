"""A match up to its start: seats, commitments, nonces, the countdown, and every way to give it up."""

from collections.abc import Callable

import pytest

from engine.board import Status
from engine.cards import DECK
from engine.deal import commitment
from protocol.messages import BoardState, MatchState, Progress
from server.course import NEVER, State
from server.effects import SPECTATORS
from server.match import COUNTDOWN, READY_LIMIT, REVEAL_LIMIT, WAITING_LIMIT
from tests.server.desk import (
    ANN,
    BOB,
    CLOCK,
    CODE,
    CREATED,
    GRACE,
    NONCES,
    PLAYERS,
    Desk,
    committed,
    last_state,
    verified,
)

# Waiting for players


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


# Ready


def test_a_player_who_is_ready_is_seen_to_be() -> None:
    desk = Desk().seated()
    desk.forget()
    desk.do("ready", ANN, committed(ANN), re=3)
    assert desk.state() is State.SEATED
    told = last_state(desk.new(ANN))
    assert (told.re, told.seats[ANN].ready, told.seats[BOB].ready) == (3, True, False)
    assert last_state(desk.new(BOB)).seats[ANN].nonce_commitment == committed(ANN)


def test_a_player_may_be_ready_before_the_other_one_comes() -> None:
    desk = Desk()
    desk.sit(PLAYERS[ANN], "Ann")
    desk.do("ready", ANN, committed(ANN))
    assert desk.state() is State.WAITING
    desk.sit(PLAYERS[BOB], "Bob")
    assert desk.state() is State.SEATED
    desk.do("ready", BOB, committed(BOB))
    assert desk.state() is State.REVEALING


def test_when_both_are_ready_both_are_asked_for_their_nonces() -> None:
    desk = Desk().revealing()
    assert last_state(desk.new(ANN)).state == "revealing"
    assert last_state(desk.new(BOB)).waits == REVEAL_LIMIT


def test_being_ready_twice_in_the_same_way_is_answered_and_changes_nothing() -> None:
    desk = Desk().seated()
    desk.do("ready", ANN, committed(ANN))
    before, logged = desk.picture(), len(desk.history)
    desk.do("ready", ANN, committed(ANN), re=4)
    assert desk.picture() == before
    assert len(desk.history) == logged
    assert last_state(desk.new(ANN)).re == 4


def test_a_player_is_bound_to_the_first_commitment() -> None:
    desk = Desk().seated()
    desk.do("ready", ANN, committed(ANN))
    with desk.refuses("already-ready"):
        desk.do("ready", ANN, committed(ANN, "12" * 16))


def test_nobody_gets_ready_for_a_match_that_was_given_up() -> None:
    desk = Desk().seated()
    desk.do("leave", BOB)
    with desk.refuses("has-started"):
        desk.do("ready", ANN, committed(ANN))


def test_a_match_whose_players_do_not_get_ready_is_given_up_after_two_minutes() -> None:
    desk = Desk().seated()
    desk.do("ready", ANN, committed(ANN))
    desk.wait(READY_LIMIT - 1)
    assert desk.state() is State.SEATED
    desk.wait(1)
    assert desk.match.aborted == "not-ready"
    verified(desk)


def test_the_two_minutes_begin_when_the_second_player_comes() -> None:
    desk = Desk()
    desk.sit(PLAYERS[ANN], "Ann")
    desk.wait(WAITING_LIMIT - 1)
    desk.sit(PLAYERS[BOB], "Bob")
    desk.wait(READY_LIMIT - 1)
    assert desk.state() is State.SEATED


# Revealing


def test_no_nonce_is_taken_before_both_are_bound() -> None:
    desk = Desk().seated()
    desk.do("ready", ANN, committed(ANN))
    with desk.refuses("not-revealing"):
        desk.do("reveal", ANN, NONCES[ANN])


def test_a_nonce_is_kept_back_until_both_are_there() -> None:
    desk = Desk().revealing()
    desk.forget()
    desk.do("reveal", ANN, NONCES[ANN])
    told = [*desk.new(ANN), *desk.new(BOB), *desk.new(SPECTATORS)]
    assert [seat.nonce for state in told if isinstance(state, MatchState) for seat in state.seats] == 6 * [None]


def test_a_nonce_must_fit_the_commitment() -> None:
    desk = Desk().revealing()
    with desk.refuses("bad-nonce"):
        desk.do("reveal", ANN, "12" * 16)


def test_the_other_players_nonce_does_not_fit_although_it_was_committed_to() -> None:
    desk = Desk().seated()
    desk.do("ready", ANN, committed(ANN))
    desk.do("ready", BOB, committed(ANN))
    desk.do("reveal", ANN, NONCES[ANN])
    with desk.refuses("bad-nonce"):
        desk.do("reveal", BOB, NONCES[ANN])


def test_revealing_twice_is_answered_and_changes_nothing() -> None:
    desk = Desk().revealing()
    desk.do("reveal", ANN, NONCES[ANN])
    before, logged = desk.picture(), len(desk.history)
    desk.do("reveal", ANN, NONCES[ANN], re=5)
    assert desk.picture() == before
    assert len(desk.history) == logged
    assert last_state(desk.new(ANN)).re == 5


def test_another_nonce_after_the_first_is_refused() -> None:
    desk = Desk().revealing()
    desk.do("reveal", ANN, NONCES[ANN])
    with desk.refuses("bad-nonce"):
        desk.do("reveal", ANN, "12" * 16)


def test_a_match_whose_nonces_are_not_revealed_is_given_up_after_twenty_seconds() -> None:
    desk = Desk().revealing()
    desk.do("reveal", ANN, NONCES[ANN])
    desk.wait(REVEAL_LIMIT - 1)
    assert desk.state() is State.REVEALING
    desk.wait(1)
    assert desk.match.aborted == "not-revealed"
    verified(desk)


def test_the_cards_follow_from_the_secret_both_nonces_and_the_match() -> None:
    deals = set()
    for secret, nonces in (
        ("5e", NONCES),
        ("5f", NONCES),
        ("5e", (NONCES[0], "12" * 16)),
        ("5e", ("12" * 16, NONCES[1])),
    ):
        desk = Desk(secret=secret * 32).seated()
        for seat in (ANN, BOB):
            desk.do("ready", seat, committed(seat, nonces[seat]))
        for seat in (ANN, BOB):
            desk.do("reveal", seat, nonces[seat])
        assert desk.match.deal is not None
        assert sorted(desk.match.deal.first) == list(DECK)
        deals.add(desk.match.deal)
    assert len(deals) == 4


# The countdown


def test_both_nonces_start_the_countdown_and_are_shown() -> None:
    desk = Desk().counting_down()
    told = last_state(desk.new(BOB))
    assert (told.state, told.starts, told.left) == ("countdown", COUNTDOWN, None)
    assert [seat.nonce for seat in told.seats] == list(NONCES)
    assert told.secret is None


def test_no_card_and_no_board_is_seen_before_the_start() -> None:
    desk = Desk().counting_down()
    assert {type(message) for _, message in desk.said} == {MatchState}
    assert desk.match.watched() == []


def test_no_move_is_made_before_the_start() -> None:
    desk = Desk().counting_down()
    desk.wait(COUNTDOWN - 1)
    with desk.refuses("not-started", n=0):
        desk.do("move", ANN, 1, "t")


@pytest.mark.parametrize("far", [Desk.seated, Desk.revealing])
def test_no_move_is_made_before_there_are_cards(far: Callable[[Desk], Desk]) -> None:
    desk = far(Desk())
    with desk.refuses("not-started", n=0):
        desk.do("move", ANN, 1, "t")


def test_the_race_starts_when_the_countdown_is_over() -> None:
    desk = Desk().counting_down()
    desk.forget()
    desk.wait(COUNTDOWN)
    assert desk.state() is State.PLAYING
    for audience, boards in ((ANN, [ANN]), (BOB, [BOB]), (SPECTATORS, [ANN, BOB])):
        state, *rest = desk.new(audience)
        assert isinstance(state, MatchState)
        assert (state.state, state.left) == ("playing", CLOCK)
        shown = [message for message in rest if isinstance(message, BoardState)]
        assert [(board.seat, board.n, board.count, board.view.stock) for board in shown] == [
            (seat, 0, 0, 52) for seat in boards
        ]
        others = [message.seat for message in rest if isinstance(message, Progress)]
        assert others == [seat for seat in (ANN, BOB) if seat != audience]


def test_a_move_that_comes_with_the_end_of_the_countdown_is_made() -> None:
    desk = Desk().counting_down()
    desk.oversleep(COUNTDOWN)
    desk.do("move", ANN, 1, "t")
    assert desk.logs[ANN] == [(0, "t")]


def test_the_clock_runs_from_the_end_of_the_countdown_however_late_the_server_is() -> None:
    desk = Desk().counting_down()
    desk.oversleep(COUNTDOWN + 250)
    desk.do("move", ANN, 1, "t")
    assert desk.logs[ANN] == [(250, "t")]
    assert last_state(desk.new(ANN)).left == CLOCK - 250


def test_who_is_away_when_the_race_starts_has_the_rest_of_the_grace_period() -> None:
    desk = Desk().counting_down()
    desk.drop(BOB)
    desk.wait(GRACE - 1)
    assert desk.board(BOB).status is Status.PLAYING
    desk.wait(1)
    assert desk.board(BOB).status is Status.ABANDONED


# Leaving before the start


@pytest.mark.parametrize("far", [Desk.seated, Desk.revealing, Desk.counting_down])
def test_whoever_leaves_before_the_start_ends_the_match_for_both(far: Callable[[Desk], Desk]) -> None:
    desk = far(Desk())
    desk.do("leave", BOB, re=9)
    told = last_state(desk.new(BOB))
    assert (told.state, told.aborted, told.re) == ("aborted", "left", 9)
    told = last_state(desk.new(ANN))
    assert (told.state, told.aborted, told.result) == ("aborted", "left", None)
    assert told.secret == desk.terms.secret
    assert told.digest == desk.match.record.digest
    verified(desk)


@pytest.mark.parametrize("far", [Desk.seated, Desk.revealing])
def test_whoever_stays_away_before_the_start_ends_the_match(far: Callable[[Desk], Desk]) -> None:
    desk = far(Desk(grace=5_000))
    desk.drop(ANN)
    assert desk.match.due == desk.now + 5_000
    desk.wait(5_000)
    assert desk.match.aborted == "left"
    verified(desk)


def test_leaving_a_match_that_was_given_up_changes_nothing() -> None:
    desk = Desk().seated()
    desk.do("leave", BOB)
    before = desk.picture()
    desk.do("leave", ANN)
    assert desk.picture() == before


def test_nobody_leaves_a_race_that_is_on() -> None:
    desk = Desk().playing()
    with desk.refuses("has-started"):
        desk.do("leave", ANN)


def test_nothing_falls_due_in_a_match_that_was_given_up() -> None:
    desk = Desk().seated()
    desk.do("leave", BOB)
    assert desk.match.due == NEVER
    before = desk.picture()
    desk.wait(10 * WAITING_LIMIT)
    assert desk.match.tick(desk.now) == []
    assert desk.picture() == before

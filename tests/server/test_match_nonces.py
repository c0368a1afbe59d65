"""Players get ready with a commitment and reveal their nonces, from which the cards follow."""

from engine.cards import DECK
from protocol.messages import MatchState
from server.course import State
from server.effects import SPECTATORS
from server.match import READY_LIMIT, REVEAL_LIMIT, WAITING_LIMIT
from tests.server.desk import ANN, BOB, NONCES, PLAYERS, Desk, committed, last_state, verified

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

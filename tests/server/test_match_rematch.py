"""After the end: a rematch, who may have one, and leaving."""

import pytest

from server.events import Followed
from tests.server.desk import ANN, BOB, NONCES, PLAYERS, Desk, committed, last_state, over


def test_a_wish_for_a_rematch_is_told_to_the_other() -> None:
    desk = over()
    desk.do("again", ANN, re=31)
    told = last_state(desk.new(ANN))
    assert (told.re, told.seats[ANN].rematch, told.seats[BOB].rematch) == (31, True, False)
    assert last_state(desk.new(BOB)).seats[ANN].rematch
    assert not desk.wants_rematch()


def test_when_both_wish_for_a_rematch_one_is_to_be_made_and_only_one() -> None:
    desk = over()
    desk.do("again", ANN)
    desk.do("again", BOB)
    assert desk.wants_rematch()
    desk.do("follow", "stuvwxyz")
    assert not desk.wants_rematch()
    assert last_state(desk.new(BOB)).next == "stuvwxyz"
    assert desk.events[-1] == Followed("stuvwxyz")


def test_wishing_twice_is_answered_and_noted_once() -> None:
    desk = over()
    desk.do("again", ANN)
    logged = len(desk.history)
    desk.do("again", ANN)
    assert len(desk.history) == logged
    assert not desk.wants_rematch()


def test_a_house_bot_always_wants_a_rematch() -> None:
    desk = Desk()
    desk.sit(PLAYERS[ANN], "Ann")
    desk.sit(PLAYERS[BOB], "House bot", bot="tommy", level="normal")
    for seat in (ANN, BOB):
        desk.do("ready", seat, committed(seat))
    for seat in (ANN, BOB):
        desk.do("reveal", seat, NONCES[seat])
    desk.wait_for_due()
    desk.move(ANN, "resign")
    assert not desk.wants_rematch()
    desk.do("again", ANN)
    assert desk.wants_rematch()
    assert [(seat.bot, seat.level) for seat in last_state(desk.new(ANN)).seats] == [(None, None), ("tommy", "normal")]
    assert [(seat.bot, seat.level) for seat in desk.match.record.seats] == [(None, None), ("tommy", "normal")]


def test_there_is_no_rematch_of_a_race_that_is_on() -> None:
    desk = Desk().playing()
    with desk.refuses("not-over"):
        desk.do("again", ANN)


def test_there_is_no_rematch_of_a_match_that_was_given_up() -> None:
    desk = Desk().seated()
    desk.do("leave", BOB)
    with desk.refuses("not-over"):
        desk.do("again", ANN)


@pytest.mark.parametrize("asking", [ANN, BOB])
def test_there_is_no_rematch_once_somebody_has_left(asking: int) -> None:
    desk = over()
    desk.do("leave", BOB, re=41)
    told = last_state(desk.new(BOB))
    assert (told.re, told.seats[BOB].left) == (41, True)
    assert last_state(desk.new(ANN)).seats[BOB].left
    with desk.refuses("no-rematch"):
        desk.do("again", asking)


def test_leaving_twice_is_noted_once() -> None:
    desk = over()
    desk.do("leave", BOB)
    logged = len(desk.history)
    desk.do("leave", BOB)
    assert len(desk.history) == logged


def test_the_record_is_the_same_whatever_happens_after_the_end() -> None:
    desk = over()
    before = desk.match.record
    desk.do("again", ANN)
    desk.do("again", BOB)
    desk.do("follow", "stuvwxyz")
    desk.do("leave", BOB)
    assert desk.match.record == desk.restored().record == before

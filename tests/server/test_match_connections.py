"""Which connection holds a seat: the newest. What an older one still does, and coming again, change nothing."""

from collections.abc import Callable

import pytest

import server.match
from server.course import Course, State
from server.events import Came, Seated, Went, event_text
from tests.server.desk import ANN, BOB, GRACE, PLAYERS, Desk, committed, last_state, over

FAR = [Desk.seated, Desk.revealing, Desk.counting_down, Desk.playing]


def held_by(desk: Desk, seat: int) -> str | None:
    return desk.match.seats[seat].connection


# A late close


@pytest.mark.parametrize("far", FAR)
def test_a_late_close_of_an_older_connection_changes_nothing(far: Callable[[Desk], Desk]) -> None:
    desk = far(Desk())
    older = held_by(desk, ANN)
    desk.resume(ANN, 0)
    before, logged, said = desk.picture(), len(desk.history), len(desk.said)
    desk.do("part", ANN, older)
    assert (desk.picture(), len(desk.history), len(desk.said)) == (before, logged, said)
    assert held_by(desk, ANN) not in (None, older)
    state = desk.state()
    desk.wait(GRACE if state is State.PLAYING else 1)
    assert desk.match.aborted is None
    assert desk.logs[1] == []  # nobody has abandoned the board


def test_an_older_connection_that_closes_after_the_newer_one_gives_no_new_grace_period() -> None:
    desk = Desk().playing()
    older = held_by(desk, ANN)
    desk.resume(ANN, 0)
    desk.drop(ANN)
    desk.wait(GRACE - 1)
    desk.do("part", ANN, older)
    assert desk.match.due == desk.now + 1
    desk.wait(1)
    assert [text for _, text in desk.logs[1]] == ["abandon"]


def test_the_close_of_one_players_connection_frees_no_seat_of_the_other() -> None:
    desk = Desk().playing()
    before = desk.picture()
    desk.do("part", ANN, held_by(desk, BOB))
    assert desk.picture() == before


def test_a_log_that_has_a_late_close_says_the_same() -> None:
    """Two servers may each know of one of the connections."""
    events = [Seated(ANN, PLAYERS[ANN], "Ann"), Came(ANN, "older"), Came(ANN, "newer"), Went(ANN, "older")]
    course = Course.of(Desk().terms, [(at, event_text(event)) for at, event in enumerate(events)])
    (seat,) = course.seats
    assert (seat.connection, seat.away_since) == ("newer", None)


# Coming again


@pytest.mark.parametrize("far", [*FAR, lambda _: over()])
def test_coming_again_on_the_same_connection_adds_nothing_to_the_log(far: Callable[[Desk], Desk]) -> None:
    """Else the log grows as often as a client likes."""
    desk = far(Desk())
    before, logged = desk.picture(), len(desk.history)
    for number in range(5):
        desk.do("resume", ANN, held_by(desk, ANN), 0, number)
        assert last_state(desk.new(ANN)).re == number
    assert (desk.picture(), len(desk.history)) == (before, logged)


def test_after_the_end_those_who_come_and_go_add_no_more_than_so_much_to_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = over()
    most = desk.match.events + 5
    monkeypatch.setattr(server.match, "MOST_EVENTS", most)
    for _ in range(4):
        desk.drop(ANN)
        desk.resume(ANN, 0)
    assert desk.match.events == most
    desk.forget()
    desk.resume(ANN, 0, re=9)
    assert last_state(desk.new(ANN)).re == 9


def test_before_the_end_those_who_come_and_go_are_always_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.match, "MOST_EVENTS", 1)
    desk = Desk().playing()
    desk.drop(ANN)
    assert last_state(desk.new(BOB)).seats[ANN].away == GRACE
    desk.resume(ANN, 0)
    assert last_state(desk.new(BOB)).seats[ANN].away is None


# A player who may not know of the seat


def sit_again(desk: Desk, seat: int, connection: str = "another", *, alive: bool = False) -> None:
    desk.do("sit_again", seat, connection, alive=lambda _: alive, re=3)


def waiting(desk: Desk) -> Desk:
    desk.sit(PLAYERS[ANN], "Ann")
    return desk


@pytest.mark.parametrize("far", [waiting, Desk.seated])
@pytest.mark.parametrize("gone", [True, False], ids=["gone", "gone, and nobody has noticed"])
def test_who_asks_again_takes_the_seat_of_a_connection_that_is_gone(far: Callable[[Desk], Desk], gone: bool) -> None:
    desk = far(Desk())
    if gone:
        desk.drop(ANN)
    sit_again(desk, ANN)
    told = last_state(desk.new(ANN))
    assert (told.re, told.you, told.seats[ANN].away) == (3, ANN, None)
    assert held_by(desk, ANN) == "another"
    desk.wait(GRACE)
    assert desk.state() in (State.WAITING, State.SEATED)


def test_who_holds_the_seat_on_another_connection_does_not_take_it_twice() -> None:
    desk = Desk().seated()
    with desk.refuses("already-seated"):
        sit_again(desk, ANN, alive=True)


@pytest.mark.parametrize("alone", [True, False], ids=["waiting", "seated"])
def test_who_has_committed_to_a_nonce_knows_of_the_seat(alone: bool) -> None:
    """Another nonce would not be taken: who takes such a seat for a new one could never begin."""
    desk = waiting(Desk()) if alone else Desk().seated()
    desk.do("ready", ANN, committed(ANN))
    desk.drop(ANN)
    with desk.refuses("has-started"):
        sit_again(desk, ANN)
    if not alone:
        desk.drop(BOB)
        sit_again(desk, BOB)  # who has not may well have it back
        assert held_by(desk, BOB) == "another"


def aborted(desk: Desk) -> Desk:
    desk.seated().do("leave", BOB)
    return desk


@pytest.mark.parametrize("far", [Desk.revealing, Desk.counting_down, Desk.playing, lambda _: over(), aborted])
def test_nobody_asks_for_a_seat_again_once_the_match_is_under_way_or_has_ended(far: Callable[[Desk], Desk]) -> None:
    desk = far(Desk())
    desk.drop(ANN)
    with desk.refuses("has-started"):
        sit_again(desk, ANN)

"""Matches whose boards differ at the end: one far ahead of the other, one that nobody has touched."""

from collections.abc import Callable

import pytest

from protocol.messages import BoardState
from server.course import State
from server.effects import SPECTATORS
from server.match import Match
from tests.server.desk import ANN, BOB, CLOCK, GRACE, Desk, moves_seen, solve, spellings, verified


def ahead_resigns(desk: Desk) -> None:
    desk.move(ANN, "resign")


def behind_resigns(desk: Desk) -> None:
    desk.move(BOB, "resign")


def the_clock_runs_out(desk: Desk) -> None:
    desk.wait(CLOCK)


def ahead_stands_and_behind_stays_away(desk: Desk) -> None:
    desk.move(ANN, "stand")
    desk.drop(BOB)
    desk.wait(GRACE)


def shows_all(match: Match) -> None:
    """Who comes to watch now is shown both boards as they are."""
    assert match.watched() == [
        *(seat.own_board() for seat in match.seats),
        *(seat.progress() for seat in match.seats),
    ]
    assert [seat.progress().count for seat in match.seats] == [seat.last.count for seat in match.seats]


@pytest.mark.parametrize("behind", [0, 1, 4])
@pytest.mark.parametrize("end", [ahead_resigns, behind_resigns, the_clock_runs_out, ahead_stands_and_behind_stays_away])
@pytest.mark.parametrize("game", ["sir-tommy", "calculation", "lucas+peek"])
def test_spectators_have_every_entry_of_both_boards_in_the_end(
    game: str, end: Callable[[Desk], None], behind: int
) -> None:
    desk = Desk(game).playing()
    desk.match.spectators = 1
    desk.play(ANN, 30)
    desk.play(BOB, behind)
    end(desk)
    assert desk.state() is State.OVER
    told = desk.new(SPECTATORS)
    for seat in desk.match.seats:
        made = [(number, entry.text) for number, entry in enumerate(seat.entries, start=1)]
        assert moves_seen(told, seat.number) == made
    shows_all(desk.match)
    shows_all(desk.restored_and_served())
    verified(desk)


def test_spectators_have_every_entry_of_a_board_that_is_solved_before_the_other_has_turned_a_card(
    easy_cards: None,
) -> None:
    desk = Desk().playing()
    desk.match.spectators = 1
    solve(desk, ANN)
    assert desk.state() is State.OVER
    assert len(moves_seen(desk.new(SPECTATORS), ANN)) == 104
    shows_all(desk.match)


@pytest.mark.parametrize("resigning", [ANN, BOB])
@pytest.mark.parametrize("game", spellings())
def test_a_board_without_an_entry_has_the_count_of_its_first_cards(game: str, resigning: int) -> None:
    """In some games cards lie on the foundations from the start, and count."""
    desk = Desk(game).playing()
    untouched = 1 - resigning
    first = desk.board(untouched).count
    desk.move(resigning, "resign")
    record = desk.match.record
    assert (record.seats[untouched].entries, record.seats[untouched].count) == ([], first)
    verified(desk)
    shown = [message for message in desk.new(resigning) if isinstance(message, BoardState)][-1]
    assert (shown.seat, shown.n, shown.count) == (untouched, 0, first)


def test_there_are_games_in_which_the_first_cards_count() -> None:
    counts = {game: Desk(game).playing().match.seats[ANN].last.count for game in spellings()}
    assert (counts["sir-tommy"], counts["forty-thieves"]) == (0, 0)
    assert (counts["calculation"], counts["puss-in-the-corner"], counts["lucas"]) == (4, 4, 8)

"""Figures from past matches."""

import pytest

from client_cli.past import listed, past_matches
from client_cli.stats import is_finished, longest_streak, stats
from engine.board import Status
from engine.result import Reason, Standing, decide
from protocol.messages import PastMatch
from tests.client_cli.pasts import past
from tests.client_cli.stand_in import StandIn, standing_in
from tests.client_cli.test_past import connection


def played(*scores: str, game: str = "sir-tommy") -> list[PastMatch]:
    """Matches with these scores, the newest first."""
    return [past(number, score, game=game) for number, score in enumerate(scores)]


def test_nothing_played_has_no_figures() -> None:
    assert stats([]) == []
    assert stats(played("left", "nobody-came")) == []


def test_the_figures_of_a_game() -> None:
    (game,) = stats(played("31-28", "52-20", "10-20", "left", "30-30", "40-39"))
    assert (game.game, game.deals, game.won, game.solved, game.total) == ("sir-tommy", 5, 3, 1, 52)
    assert game.mean == 32.6
    assert (game.streak, game.longest) == (2, 2)
    assert game.counts == [40, 30, 10, 52, 31]
    assert game.wins == [True, False, False, True, True]


def test_boards_that_the_rivals_end_cut_short_count_as_played_and_won_or_lost_and_no_more() -> None:
    """The rival solves the deal at 9, or resigns at 11: where the player would have come to, nobody knows."""
    (game,) = stats(played("9-52", "11-20x", "40-30", "52-30", "20-20"))
    assert (game.deals, game.won, game.solved) == (5, 3, 1)
    assert game.finished == [True, True, True, False, False]
    assert game.mean == 37.3
    assert game.counts == [20, 52, 40, 11, 9]
    assert [(recent.deals, recent.won, recent.solved, recent.finished) for recent in game.recent] == [(5, 3, 1, 3)] * 2


def test_without_a_finished_board_there_is_no_mean_count() -> None:
    (game,) = stats(played("9-52", "11-20x"))
    assert (game.deals, game.won, game.solved, game.mean, game.finished) == (2, 1, 0, None, [False, False])


def test_who_resigns_has_ended_their_own_board() -> None:
    (game,) = stats(played("11x-20", "52-48"))
    assert (game.finished, game.mean) == ([True, True], 31.5)


ENDS = [Status.PLAYING, Status.STUCK, Status.STOOD, Status.TIMED_OUT, Status.ABANDONED, Status.RESIGNED, Status.SOLVED]


@pytest.mark.parametrize("own", ENDS)
@pytest.mark.parametrize("other", ENDS)
def test_no_board_that_was_still_played_is_called_finished(own: Status, other: Status) -> None:
    """And of those that had ended only those are left out whose race was decided by the other's end."""
    standings = [Standing(status, 52 if status is Status.SOLVED else 20, at) for at, status in enumerate((own, other))]
    result = decide(standings)
    if result is None:
        return
    match = past(0, "{}-{}".format(*(standing.count for standing in standings)))
    match.result = result
    decided = result.reason in (Reason.SOLVED, Reason.RESIGNED) and own not in (Status.SOLVED, Status.RESIGNED)
    assert is_finished(match, 52) == (own is not Status.PLAYING and not decided)


@pytest.mark.parametrize("number", [1, 2, 70])
def test_the_streak_of_who_has_won_everything_is_everything(number: int) -> None:
    (game,) = stats(played(*["31-28"] * number))
    assert (game.won, game.streak, game.longest) == (number, number, number)


@pytest.mark.parametrize("you", [0, 1])
def test_deals_against_bots_are_told_apart(you: int) -> None:
    matches = [past(number, score, you=you) for number, score in enumerate(("31-28", "28-31", "52-20", "30-28"))]
    matches[0].seats[1 - you].bot = "stockfish"
    matches[1].seats[1 - you].bot, matches[1].seats[1 - you].level = "tommy", "strong"
    for match in matches:
        match.seats[you].bot = "tommy"  # the player's own program is none of the rivals
    (game,) = stats(matches)
    assert (game.deals, game.won, game.bots, game.bots_won) == (4, 3, 2, 1)


def test_the_last_50_and_100_are_the_newest() -> None:
    (game,) = stats(played(*["31-28"] * 50, *["52-20"] * 30, *["1-2"] * 40))
    figures = [(recent.deals, recent.won, recent.solved, recent.finished) for recent in game.recent]
    assert figures == [(50, 50, 0, 50), (100, 80, 30, 100)]
    assert (game.deals, game.won, game.streak, game.longest) == (120, 80, 80, 80)


def test_each_game_for_itself_the_one_played_most_first() -> None:
    games = stats([*played("1-2", game="lucas"), *played("1-2", "2-1", game="sir-tommy+redeal"), *played("3-4")])
    assert [(game.game, game.deals) for game in games] == [("sir-tommy+redeal", 2), ("lucas", 1), ("sir-tommy", 1)]
    assert [game.total for game in games] == [52, 104, 52]


def test_a_game_that_is_not_known_counts_for_nothing() -> None:
    assert stats(played("1-2", game="whist")) == []


def test_nor_does_one_with_an_option_that_is_not_known() -> None:
    assert stats(played("1-2", game="sir-tommy+whist")) == []


def test_the_seat_makes_no_difference() -> None:
    one, other = (stats([past(0, "31-28", you=you)]) for you in (0, 1))
    assert one == other


@pytest.mark.parametrize(
    ("wins", "longest"), [("", 0), ("l", 0), ("w", 1), ("wwlwwwl", 3), ("lwww", 3), ("wwwlw", 3), ("llll", 0)]
)
def test_the_longest_streak(wins: str, longest: int) -> None:
    assert longest_streak(win == "w" for win in wins) == longest


async def test_figures_of_what_a_server_has() -> None:
    async with standing_in(StandIn()) as server:
        server.past = played(*["31-28"] * 250)
        assert [game.deals for game in stats(await past_matches(connection(server), 1000))] == [250]
        assert listed(server.past[0]).outcome == "won"

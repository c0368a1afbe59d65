"""Glicko-2: Glickman's own example, and what has to hold of any rating."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.ranking import PROVISIONAL
from server.rating import FIRST_DEVIATION, Bout, Rating, updated

ratings = st.builds(Rating, st.floats(500, 3000), st.floats(30, 350), st.floats(0.02, 0.12))
scores = st.sampled_from([0.0, 0.5, 1.0])
bouts = st.builds(Bout, ratings, scores)


def test_the_example_that_glickman_works_out() -> None:
    rivals = ((1400, 30, 1), (1550, 100, 0), (1700, 300, 0))
    after = updated(Rating(1500, 200, 0.06), [Bout(Rating(*rival), score) for *rival, score in rivals])
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_win_raises_a_rating_and_a_loss_lowers_it_by_as_much() -> None:
    won, lost = (updated(Rating(), [Bout(Rating(), score)], 0) for score in (1.0, 0.0))
    assert won.rating > 1500 > lost.rating
    assert won.rating - 1500 == pytest.approx(1500 - lost.rating)


def test_a_draw_between_equals_changes_no_rating_and_makes_it_surer() -> None:
    after = updated(Rating(), [Bout(Rating(), 0.5)], 0)
    assert after.rating == pytest.approx(1500)
    assert after.deviation < FIRST_DEVIATION


def test_the_less_was_expected_the_more_it_counts() -> None:
    gains = [updated(Rating(), [Bout(Rating(rival, 50), 1.0)], 0).rating for rival in range(1000, 2400, 100)]
    assert all(one < other for one, other in pairwise(gains))


def test_time_makes_a_rating_less_sure_up_to_what_it_was_at_first() -> None:
    deviations = [
        updated(Rating(1500, 60), [Bout(Rating(1500, 60), 0.5)], periods).deviation
        for periods in (0, 1, 10, 1000, 1_000_000)
    ]
    assert all(one < other for one, other in pairwise(deviations))
    assert deviations[-1] < FIRST_DEVIATION


def test_some_ten_matches_make_a_rating_say_something() -> None:
    rating, matches = Rating(), 0
    while rating.deviation > PROVISIONAL:
        rating = updated(rating, [Bout(Rating(1500, 80), float(matches % 2))], 0)
        matches += 1
    assert 6 <= matches <= 12


@given(ratings, st.lists(bouts, min_size=1, max_size=5), st.floats(0, 1000))
def test_a_rating_stays_within_reason(own: Rating, played: list[Bout], periods: float) -> None:
    after = updated(own, played, periods)
    assert 0 < after.deviation <= FIRST_DEVIATION
    assert 0 < after.volatility < 1
    assert abs(after.rating - own.rating) < 3000


@given(ratings, ratings, st.floats(0, 100))
def test_a_better_score_never_makes_a_worse_rating(own: Rating, rival: Rating, periods: float) -> None:
    lost, drawn, won = (updated(own, [Bout(rival, score)], periods).rating for score in (0.0, 0.5, 1.0))
    assert lost <= drawn <= won

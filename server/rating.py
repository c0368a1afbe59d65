"""Glicko-2: how strong a player is, how sure that is, and how both change with each match.

After Mark Glickman, "Example of the Glicko-2 system" (2022), whose numbers are the test. A rating counts in points around
1500; the player's true strength lies within two deviations of it, as good as certainly. The volatility says how
steadily a player plays.
"""

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import NamedTuple

FIRST_RATING, FIRST_DEVIATION, FIRST_VOLATILITY = 1500.0, 350.0, 0.06
TAU = 0.5
"""How fast the volatility may change."""

_SCALE = 173.7178
_CLOSE_ENOUGH = 1e-6


class Rating(NamedTuple):
    """What is known of a player's strength."""

    rating: float = FIRST_RATING
    deviation: float = FIRST_DEVIATION
    volatility: float = FIRST_VOLATILITY


class Bout(NamedTuple):
    """A match, from one side: 1 is won, 0 lost, a draw half of it."""

    rival: Rating
    score: float


def updated(own: Rating, bouts: Sequence[Bout], periods: float = 1.0) -> Rating:
    """The rating after these matches, all played with the ratings given.

    The longer ago the last ones were, counted in rating periods, the less is known of a player.
    """
    mu, phi = _scaled(own)
    weights = []
    for rival, score in bouts:
        rival_mu, rival_phi = _scaled(rival)
        weight = 1 / sqrt(1 + 3 * rival_phi**2 / pi**2)
        weights.append((weight, score, 1 / (1 + exp(-weight * (mu - rival_mu)))))
    variance = 1 / sum(weight**2 * expected * (1 - expected) for weight, _, expected in weights)
    surprise = sum(weight * (score - expected) for weight, score, expected in weights)
    volatility = _volatility(phi, own.volatility, variance, variance * surprise)
    phi = min(sqrt(phi**2 + periods * volatility**2), FIRST_DEVIATION / _SCALE)
    phi = 1 / sqrt(1 / phi**2 + 1 / variance)
    return Rating(FIRST_RATING + _SCALE * (mu + phi**2 * surprise), _SCALE * phi, volatility)


def _scaled(rating: Rating) -> tuple[float, float]:
    return (rating.rating - FIRST_RATING) / _SCALE, rating.deviation / _SCALE


def _volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """The new volatility: where `f` is 0, found as Glickman does it (step 5), by the Illinois algorithm."""
    start = log(sigma**2)

    def f(x: float) -> float:
        spread = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - start) / TAU**2

    low = start
    known = phi**2 + variance
    # Else Glickman looks further down in steps of TAU until f is positive; it is after one, where it is above 1 / TAU - 0.5.
    high = log(delta**2 - known) if delta**2 > known else start - TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _CLOSE_ENOUGH:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)

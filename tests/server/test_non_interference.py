"""Nobody sees ahead (design.md, point 4), down to the bytes.

The test is non-interference. A whole match is played; at some moment everything that one player and the spectators have
been sent about the other board is set beside what they are sent in a second world, where the cards that the player has
not passed yet are others. The second world's other player makes the same moves, or quite different ones with these
cards; only how many cards of the first shuffle are turned, and when, and whether the board is finished, stays the same.
Every byte must be.
"""

import pytest

from tests.server.comparing import MATCHES, compare
from tests.server.desk import spellings


@pytest.mark.parametrize("spelling", spellings())
def test_not_a_byte_depends_on_what_the_other_player_has_still_to_come_to(spelling: str) -> None:
    outcomes = [compare(spelling, seed) for seed in range(MATCHES)]
    assert [seed for seed, outcome in enumerate(outcomes) if outcome.different] == []
    assert sum(outcome.with_other_cards for outcome in outcomes) >= MATCHES
    assert sum(outcome.with_other_moves for outcome in outcomes) >= MATCHES


@pytest.mark.parametrize("spelling", [spelling for spelling in spellings() if "redeal" in spelling])
def test_not_a_byte_depends_on_what_the_other_player_has_still_to_come_to_in_the_second_shuffle(spelling: str) -> None:
    outcomes = [compare(spelling, seed, late=True) for seed in range(MATCHES)]
    assert [seed for seed, outcome in enumerate(outcomes) if outcome.different] == []
    assert sum(outcome.between_shuffles for outcome in outcomes) >= 2 * MATCHES
    assert sum(outcome.between_shuffles > 0 for outcome in outcomes) >= MATCHES // 2

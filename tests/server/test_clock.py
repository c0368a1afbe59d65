"""The clock that matches go by counts the time in which they were served, and no other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.clock import DRIFT, LONGEST_PAUSE, STANDSTILL, Clock

START = 1_700_000_000_000


def test_what_is_a_standstill_and_what_a_silence_is_as_the_pages_say() -> None:
    """docs/architecture.md, "What time it is": hosts count on both."""
    assert (STANDSTILL, LONGEST_PAUSE) == (1_000, 4_000)


class Watch:
    """What cannot be set: seconds that pass."""

    def __init__(self) -> None:
        self.seconds = 77.0

    def __call__(self) -> float:
        return self.seconds


class Here:
    """A clock of which it can be said how much time passes, and how it is looked at meanwhile."""

    def __init__(self) -> None:
        self.watch = Watch()
        self.clock = Clock(self.watch)
        self.clock.answer(START)

    def run(self, milliseconds: int) -> None:
        """The process runs: it looks at the clock all the time."""
        for passing in [*[250] * (milliseconds // 250), milliseconds % 250]:
            self.watch.seconds += passing / 1000
            self.clock.now()

    def stand_still(self, milliseconds: int) -> None:
        """The process does not run, or the whole machine does not."""
        self.watch.seconds += milliseconds / 1000

    def beat(self, now: int | None = None) -> None:
        """The store answers that it is `now`, or that nobody but this server has gone on."""
        self.clock.answer(self.clock.vouched() if now is None else now)


@pytest.fixture
def here() -> Here:
    return Here()


def test_a_server_that_has_heard_nothing_yet_vouches_for_nothing() -> None:
    clock = Clock(Watch())
    assert clock.in_doubt
    assert clock.vouched() == 0


def test_it_goes_on_from_what_the_store_says(here: Here) -> None:
    assert here.clock.now() == START
    here.run(700)
    assert here.clock.now() == START + 700


@pytest.mark.parametrize("still", [STANDSTILL + 1, 3_000, 15_000, 3_600_000])
def test_the_time_of_a_standstill_never_counts(here: Here, still: int) -> None:
    here.run(500)
    here.stand_still(still)
    assert here.clock.now() == START + 500
    here.run(500)
    assert here.clock.now() == START + 1_000
    assert not here.clock.in_doubt, "the store was not asked, so it has kept nothing from anybody"


def test_a_busy_moment_counts(here: Here) -> None:
    here.stand_still(STANDSTILL)
    assert here.clock.now() == START + STANDSTILL


def test_a_store_may_be_silent_for_a_moment(here: Here) -> None:
    here.run(LONGEST_PAUSE)
    assert not here.clock.in_doubt
    here.beat()
    assert here.clock.now() == START + LONGEST_PAUSE


def test_after_a_longer_silence_all_of_it_is_in_doubt_and_does_not_count(here: Here) -> None:
    here.run(600)
    here.beat()
    here.run(LONGEST_PAUSE + 1)
    assert here.clock.in_doubt
    assert here.clock.vouched() == START + 600
    here.beat()
    assert here.clock.now() == START + 600
    assert not here.clock.in_doubt


def test_an_answer_that_was_long_on_its_way_says_nothing_of_the_time_since(here: Here) -> None:
    vouched = here.clock.vouched()
    here.run(LONGEST_PAUSE + 4_000)
    here.clock.answer(vouched)
    assert here.clock.now() == START


def test_if_others_were_alive_meanwhile_their_time_counts(here: Here) -> None:
    here.run(LONGEST_PAUSE + 1)
    here.beat(now=START + 60_000)
    assert here.clock.now() == START + 60_000
    here.stand_still(15_000)
    here.beat(now=START + 75_000)
    assert here.clock.now() == START + 75_000


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), min_size=1, max_size=20))
def test_a_store_that_is_far_away_makes_nobodys_clock_go_faster(ways: list[tuple[int, int]]) -> None:
    """What is vouched for takes a while to get there, and the answer to get back, and each time another."""
    here, real = Here(), START
    kept = START
    for there, back in ways:
        vouched = here.clock.vouched()
        here.run(there)
        kept = max(real + there, vouched)  # others have gone on, too
        here.run(back)
        here.clock.answer(kept)
        real += there + back
        assert real - back - DRIFT <= here.clock.now() <= real


def test_a_little_more_or_less_than_the_others_is_left_alone(here: Here) -> None:
    here.run(1_000)
    here.beat(now=START + 1_000 + DRIFT)
    assert here.clock.now() == START + 1_000
    here.beat(now=START + 1_001 + DRIFT)
    assert here.clock.now() == START + 1_001 + DRIFT


def test_a_match_may_have_been_served_after_the_last_beat_of_who_was_killed(here: Here) -> None:
    here.clock.reach(START + 900)
    assert here.clock.now() == START + 900
    here.clock.reach(START + 100)
    assert here.clock.now() == START + 900


def test_it_never_goes_back_behind_what_is_written(here: Here) -> None:
    """A write may have been under way while the store was silent; what it says it happened at is so."""
    here.run(3_000)
    written = here.clock.now()
    here.run(2_000)
    here.clock.reach(written)
    assert here.clock.vouched() == written
    here.beat(now=START)
    assert here.clock.now() == written
    here.run(LONGEST_PAUSE + 1)
    here.beat(now=START)
    here.clock.reach(here.clock.now() + 700)  # the answer to the beat was there first
    assert here.clock.now() == written + 700


def test_it_is_noted_whenever_others_may_have_counted_on_another_time(here: Here) -> None:
    before = here.clock.corrections
    here.run(900)
    here.beat()
    assert here.clock.corrections == before
    here.stand_still(5_000)
    here.clock.now()
    assert here.clock.corrections == before + 1
    here.run(LONGEST_PAUSE + 1)
    here.beat()
    assert here.clock.corrections == before + 2


HAPPENS = st.one_of(
    st.tuples(st.just("run"), st.integers(0, 12_000)),
    st.tuples(st.just("stand_still"), st.integers(0, 30_000)),
    st.tuples(st.just("beat"), st.none()),
)


@given(st.lists(HAPPENS, max_size=30))
def test_it_never_counts_more_than_has_passed_and_goes_back_only_when_in_doubt(
    happens: list[tuple[str, int | None]],
) -> None:
    here = Here()
    ran = 0
    for what, much in happens:
        before, doubtful = here.clock.now(), here.clock.in_doubt
        if what == "beat":
            here.beat()
            assert not here.clock.in_doubt
        else:
            getattr(here, what)(much)
            ran += much or 0 if what == "run" or (much or 0) <= STANDSTILL else 0
        assert here.clock.now() >= before or doubtful
        assert here.clock.now() <= START + ran

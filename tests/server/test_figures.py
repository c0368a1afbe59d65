import asyncio
from collections.abc import Callable

import pytest
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from engine.result import Reason
from protocol.codes import CODES
from server import figures
from server.course import State
from server.figures import ANSWER_BOUNDS, LAG_EVERY, Figures, Spread, Tally
from server.limits import TurnedAway


class Now:
    """What a hub would say now."""

    connections = 3
    spectators = 2
    matches: dict[str, int] = {State.PLAYING: 5, State.WAITING: 1}  # noqa: RUF012 - never changed
    overdue: tuple[int, ...] = ()


@pytest.fixture
def counted() -> Figures:
    return Figures(lambda: Now.connections, lambda: Now.spectators, lambda: Now.matches, lambda: Now.overdue)


def told(counted: Figures) -> dict[str, float]:
    """Every sample of the exposition, by its name and labels."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(counted.exposition().decode()):
        for sample in family.samples:
            labels = ",".join(f"{key}={value}" for key, value in sample.labels.items())
            name = f"{sample.name}{{{labels}}}" if labels else sample.name
            assert name not in found
            assert family.documentation
            found[name] = sample.value
    return found


def test_what_has_a_present_value_is_read_when_it_is_asked_for(
    counted: Figures, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(counted)["tommy_connections"] == 3
    monkeypatch.setattr(Now, "connections", 4)
    found = told(counted)
    assert (found["tommy_connections"], found["tommy_spectators"]) == (4, 2)
    assert {state: found[f"tommy_matches{{state={state}}}"] for state in State} == {
        state: Now.matches.get(state, 0) for state in State
    }


def test_what_happens_is_counted(counted: Figures) -> None:
    counted.refused("stale")
    counted.refused("stale")
    counted.refused("bad-frame")
    counted.match_ended(Reason.SOLVED)
    counted.match_ended("nobody-came")
    counted.turned_away(TurnedAway.SOCKETS)
    counted.dropped_slow_reader()
    found = told(counted)
    assert found["tommy_refusals_total{code=stale}"] == 2
    assert found["tommy_refusals_total{code=bad-frame}"] == 1
    assert found["tommy_refusals_total{code=gap}"] == 0
    assert found["tommy_matches_ended_total{reason=solved}"] == 1
    assert found["tommy_matches_ended_total{reason=nobody-came}"] == 1
    assert found["tommy_turned_away_total{why=sockets}"] == 1
    assert found["tommy_slow_readers_dropped_total"] == 1


def test_how_long_things_took_is_told_in_steps(counted: Figures) -> None:
    for seconds in (0.0005, 0.0006, 0.003, 7):
        counted.moved(seconds)
    counted.wrote(0.002)
    found = told(counted)
    assert found["tommy_moves_total"] == found["tommy_answer_seconds_count"] == 4
    assert found["tommy_answer_seconds_sum"] == pytest.approx(7.0041)
    steps = {step: found[f"tommy_answer_seconds_bucket{{le={step}}}"] for step in (*ANSWER_BOUNDS, "+Inf")}
    assert [steps[step] for step in (0.0005, 0.001, 0.0025, 0.005, 2.5, "+Inf")] == [1, 2, 2, 3, 3, 4]
    assert found["tommy_store_write_seconds_bucket{le=0.001}"] == 0
    assert found["tommy_store_write_seconds_bucket{le=0.0025}"] == 1


def test_no_client_can_make_up_a_label(counted: Figures) -> None:
    before = told(counted).keys()
    for number in range(1000):
        counted.refused(f"made-up-{number}")
        counted.match_ended(f"made-up-{number}")
        counted.turned_away(f"made-up-{number}")
    found = told(counted)
    assert found.keys() == before
    assert found["tommy_refusals_total{code=other}"] == 1000
    assert found["tommy_matches_ended_total{reason=other}"] == 1000
    assert found["tommy_turned_away_total{why=other}"] == 1000
    assert {name for name in found if name.startswith("tommy_refusals")} == {
        f"tommy_refusals_total{{code={code}}}" for code in [*CODES, "other"]
    }


def test_how_many_matches_are_overdue_and_by_how_much(counted: Figures, monkeypatch: pytest.MonkeyPatch) -> None:
    found = told(counted)
    assert (found["tommy_matches_overdue"], found["tommy_overdue_seconds"]) == (0, 0)
    monkeypatch.setattr(Now, "overdue", (1_600, 4_250, 1_700))
    found = told(counted)
    assert (found["tommy_matches_overdue"], found["tommy_overdue_seconds"]) == (3, 4.25)


def test_figures_are_of_one_server_and_of_no_global_registry(counted: Figures) -> None:
    another = Figures(lambda: 0, lambda: 0, dict, list)
    counted.dropped_slow_reader()
    assert told(another)["tommy_slow_readers_dropped_total"] == 0
    assert not any(family.name.startswith("tommy") for family in REGISTRY.collect())


def test_the_process_is_measured_where_that_can_be_done(counted: Figures) -> None:
    assert told(counted).get("process_resident_memory_bytes", 1) > 0


def test_a_tally_and_a_spread_are_plain_numbers() -> None:
    tally, spread = Tally(["a"]), Spread((1.0, 2.0))
    for what in "aab":
        tally.add(what)
    for seconds in (0.5, 1.0, 1.5, 3.0):
        spread.add(seconds)
    assert tally.counts == {"a": 2, "other": 1}
    assert (spread.counts, spread.total, spread.times) == ([2, 1, 1], 6.0, 4)


# How late the event loop is


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets the clock."""

    def is_now(seconds: float) -> None:
        monkeypatch.setattr(figures, "monotonic", lambda: seconds)

    return is_now


async def test_a_late_timer_is_noticed(counted: Figures, at: Callable[[float], None]) -> None:
    at(100)
    counted.start()
    first = counted._timer
    assert first is not None
    for late in (0.0, 0.03, -0.001):  # a timer that fires a moment too early is in time
        at(100 + LAG_EVERY + late)
        counted._look(100 + LAG_EVERY)
        assert counted._timer is not None
    found = told(counted)
    assert found["tommy_loop_lag_seconds_count"] == 3
    assert found["tommy_loop_lag_seconds_bucket{le=0.001}"] == 2
    assert found["tommy_loop_lag_seconds_bucket{le=0.05}"] == 3
    assert found["tommy_loop_lag_seconds_sum"] == pytest.approx(0.03)
    first.cancel()
    counted.stop()
    counted.stop()
    assert counted._timer is None


async def test_the_loop_is_looked_at_again_and_again_until_it_is_enough(
    counted: Figures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "LAG_EVERY", 0.001)
    enough = asyncio.Event()
    looks = 0
    add = counted._lag.add

    def noted(seconds: float) -> None:
        nonlocal looks
        add(seconds)
        looks += 1
        if looks == 3:
            enough.set()

    monkeypatch.setattr(counted._lag, "add", noted)
    counted.start()
    counted.start()  # does not look twice as often
    await asyncio.wait_for(enough.wait(), 5)
    counted.stop()
    assert told(counted)["tommy_loop_lag_seconds_count"] == 3

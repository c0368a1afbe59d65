"""The server's figures, for Prometheus.

A move costs some 15 us in all, so counting it may cost next to nothing: what happens is added to plain numbers here,
and they become metrics only when somebody asks. Every label has a known set of values, so clients cannot add any.
"""

import asyncio
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from time import monotonic
from typing import TypeVar

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from engine.result import Reason
from protocol.codes import CODES
from server.course import State
from server.limits import TurnedAway

ANSWER_BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
WRITE_BOUNDS = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
LAG_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds: up to where the steps of each histogram reach."""
LAG_EVERY = 0.5
"""Seconds between two looks at how late the event loop is."""
WHY_ABORTED = ("not-ready", "not-revealed", "left", "nobody-came")
OTHER = "other"

_Family = TypeVar("_Family", GaugeMetricFamily, CounterMetricFamily)


class Tally:
    """How often each of some known things happened. Anything else is counted as one more thing, `other`."""

    def __init__(self, known: Iterable[str]) -> None:
        self.counts = dict.fromkeys([*map(str, known), OTHER], 0)

    def add(self, what: str) -> None:
        self.counts[what if what in self.counts else OTHER] += 1


class Spread:
    """How long something took each time, counted in steps."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds

    @property
    def times(self) -> int:
        """How often it happened."""
        return sum(self.counts)


class Figures(Collector):
    """Counts what happens on this server. What only has a present value is read from the callables."""

    def __init__(
        self,
        connections: Callable[[], int],
        spectators: Callable[[], int],
        matches: Callable[[], Mapping[str, int]],
        overdue: Callable[[], Sequence[int]],
    ) -> None:
        self._connections = connections
        self._spectators = spectators
        self._matches = matches
        self._overdue = overdue
        self._answers = Spread(ANSWER_BOUNDS)
        self._writes = Spread(WRITE_BOUNDS)
        self._lag = Spread(LAG_BOUNDS)
        self._refusals = Tally(CODES)
        self._ends = Tally([*(reason for reason in Reason if reason is not Reason.ABORTED), *WHY_ABORTED])
        self._turned_away = Tally(TurnedAway)
        self._slow_readers = 0
        self._timer: asyncio.TimerHandle | None = None
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    # What happens

    def moved(self, seconds: float) -> None:
        """A move was accepted; its answer went out so long after it had come."""
        self._answers.add(seconds)

    def refused(self, code: str) -> None:
        """A message was refused, with one of `protocol.codes`."""
        self._refusals.add(code)

    def wrote(self, seconds: float) -> None:
        """The store made one batch of entries durable."""
        self._writes.add(seconds)

    def dropped_slow_reader(self) -> None:
        """A client that had stopped reading was dropped."""
        self._slow_readers += 1

    def match_ended(self, reason: str) -> None:
        """A match ended: the reason of its result, or why it was aborted."""
        self._ends.add(reason)

    def turned_away(self, why: str) -> None:
        """A connection, a message or a match was not let in, as `server.limits.TurnedAway` says why."""
        self._turned_away.add(why)

    # How late the event loop is

    def start(self) -> None:
        """Look from now on, and on this event loop, how late timers fire."""
        self.stop()
        self._look(None)

    def stop(self) -> None:
        """Look no longer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self, due: float | None) -> None:
        now = monotonic()  # not the loop's own clock, which uvloop stops while it is busy
        if due is not None:
            self._lag.add(max(0.0, now - due))
        self._timer = asyncio.get_running_loop().call_later(LAG_EVERY, self._look, now + LAG_EVERY)

    # What is asked

    def exposition(self) -> bytes:
        """All figures in Prometheus's text format."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """All figures but those of the process."""
        yield GaugeMetricFamily("tommy_connections", "Connections open.", self._connections())
        yield GaugeMetricFamily("tommy_spectators", "Connections that watch, once for each match.", self._spectators())
        now = self._matches()
        yield _labelled(
            GaugeMetricFamily("tommy_matches", "Matches served, by state.", labels=["state"]),
            {str(state): now.get(state, 0) for state in State},
        )
        late = self._overdue()
        yield GaugeMetricFamily("tommy_matches_overdue", "Matches that should have gone on by themselves.", len(late))
        yield GaugeMetricFamily("tommy_overdue_seconds", "How late the latest of them is.", max(late, default=0) / 1000)
        yield _labelled(
            CounterMetricFamily("tommy_matches_ended", "Matches ended, by the reason.", labels=["reason"]),
            self._ends.counts,
        )
        yield CounterMetricFamily("tommy_moves", "Moves accepted.", self._answers.times)
        yield _labelled(
            CounterMetricFamily("tommy_refusals", "Messages refused, by the code of the answer.", labels=["code"]),
            self._refusals.counts,
        )
        yield CounterMetricFamily("tommy_slow_readers_dropped", "Clients dropped for not reading.", self._slow_readers)
        yield _labelled(
            CounterMetricFamily("tommy_turned_away", "Connections, messages and matches not let in.", labels=["why"]),
            self._turned_away.counts,
        )
        yield _steps("tommy_answer_seconds", "From a move's receipt until its answer was sent.", self._answers)
        yield _steps("tommy_store_write_seconds", "One durable write of the store.", self._writes)
        yield _steps("tommy_loop_lag_seconds", "How late a timer fired.", self._lag)


def _labelled(family: _Family, values: Mapping[str, int]) -> _Family:
    for label, value in values.items():
        family.add_metric([label], value)
    return family


def _steps(name: str, meaning: str, spread: Spread) -> HistogramMetricFamily:
    buckets, sofar = [], 0
    for bound, count in zip([*map(str, spread.bounds), "+Inf"], spread.counts, strict=True):
        sofar += count
        buckets.append((bound, float(sofar)))
    return HistogramMetricFamily(name, meaning, buckets=buckets, sum_value=spread.total)

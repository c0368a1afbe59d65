"""Who gets how much of the server's thinking: every address its share, and nobody what nobody waits for."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from itertools import count, pairwise

import pytest

import server.thinking
from engine.board import Steps
from engine.forty_thieves import FortyThievesBoard
from protocol import messages as wire
from server.app import RaceServer
from server.limits import Limits
from server.settings import limits_named
from server.thinking import Thinking
from tests.server.desk import ANN, BOB
from tests.server.driver import PATIENCE, Client, Visitors, begin, eventually, held
from tests.server.test_doors import guarded
from tests.server.test_thinking import impatient

__all__ = ["impatient"]
THOUGHTS = 100
"""Steps that the board takes to think on which all others are measured."""


@pytest.fixture
def alike(monkeypatch: pytest.MonkeyPatch, impatient: None) -> None:
    """Every turn is one step, and all turns take the same time."""
    monkeypatch.setattr(server.thinking, "monotonic", count().__next__)


async def race_from(people: Visitors, *addresses: str | None) -> tuple[Client, Client]:
    """A race between two players at these addresses; None is this machine's own."""
    ann, bob = [
        await people.guest(name, additional_headers={"X-Forwarded-For": address} if address else {})
        for name, address in zip(("Ann", "Bob"), addresses, strict=True)
    ]
    await ann.create("limited")
    await bob.join(ann.match)
    await begin(ann, bob)
    return ann, bob


async def thoughts(
    running: RaceServer, monkeypatch: pytest.MonkeyPatch, thinkers: list[Client], measure: Client
) -> list[int]:
    """Have everybody think; how many steps each of them was given while `measure` thought all of its own."""
    everybody = [*thinkers, measure]
    boards = {id(running.hub.tables[each.match].match.seats[each.seat].board): each for each in everybody}
    begun: set[Client] = set()
    steps: Counter[Client] = Counter()

    def foresee(board: FortyThievesBoard, _entry: str) -> Iterator[None]:
        thinker = boards[id(board)]
        begun.add(thinker)
        yield
        while len(begun) < len(everybody):
            yield
        while steps[measure] < THOUGHTS:
            steps[thinker] += 1
            yield

    monkeypatch.setattr(FortyThievesBoard, "foresee", foresee)
    for each in everybody:
        await each.send(wire.Move(match=each.match, n=1, move="t"))
    for each in everybody:
        await each.next(wire.Moved)
    return [steps[each] for each in thinkers]


@pytest.mark.usefixtures("short_countdown", "alike")
async def test_ten_connections_of_one_address_take_no_more_of_the_thinking_than_one_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with guarded(limits_named("", "127.0.0.1")) as (running, people):
        crowd = [player for _ in range(5) for player in await race_from(people, "192.0.2.1", "192.0.2.1")]
        carl, _ = await race_from(people, "198.51.100.1", "192.0.2.1")
        assert sum(await thoughts(running, monkeypatch, crowd, carl)) <= THOUGHTS + 1


@pytest.mark.usefixtures("short_countdown", "alike")
async def test_a_household_is_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    async with guarded(limits_named("", "127.0.0.1")) as (running, people):
        crowd = list(await race_from(people, "2001:db8::1", "2001:db8::2"))
        carl, _ = await race_from(people, "2001:db8:0:1::1", "192.0.2.1")
        assert sum(await thoughts(running, monkeypatch, crowd, carl)) <= THOUGHTS + 1


@pytest.mark.usefixtures("short_countdown", "alike")
async def test_where_addresses_do_not_count_every_connection_has_a_share(monkeypatch: pytest.MonkeyPatch) -> None:
    async with guarded(Limits()) as (running, people):
        crowd = list(await race_from(people, None, None))
        carl, _ = await race_from(people, None, None)
        given = await thoughts(running, monkeypatch, crowd, carl)
        assert all(abs(steps - THOUGHTS) <= 1 for steps in given), given


@pytest.mark.usefixtures("impatient")
async def test_who_is_gone_is_not_thought_for(people: Visitors, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = await people.race("limited")
    given_up = asyncio.Event()

    def foresee(_board: FortyThievesBoard, _entry: str) -> Iterator[None]:
        try:
            for _ in range(1_000_000):
                yield
        except GeneratorExit:
            given_up.set()

    monkeypatch.setattr(FortyThievesBoard, "foresee", foresee)
    await ann.send(wire.Move(match=ann.match, n=1, move="t"))
    await ann.sent()
    ann.socket.transport.abort()
    async with asyncio.timeout(PATIENCE):
        await given_up.wait()
    news = await bob.next(wire.MatchState, lambda news: news.seats[ANN].away is not None)
    assert news.seats[BOB].away is None


@pytest.mark.usefixtures("impatient")
async def test_thinking_rests_while_somebody_waits_for_the_store(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On one core, the store's thread has the processor only when the server's loop has nothing to do."""
    monkeypatch.setattr(server.thinking, "REST", 0.05)  # long, so that it is seen on a busy machine too
    ann, _ = await people.race("limited")
    carl, _ = await people.race("sir-tommy")
    rounds, steps_at = 0, list[int]()

    def foresee(_board: FortyThievesBoard, _entry: str) -> Iterator[None]:
        for _ in range(10):
            yield
            steps_at.append(rounds)

    monkeypatch.setattr(FortyThievesBoard, "foresee", foresee)
    with held(race_server.hub.store) as holding:
        await carl.send(wire.Move(match=carl.match, n=1, move="t"))
        await eventually(lambda: holding.waiting)
        await ann.send(wire.Move(match=ann.match, n=1, move="t"))
        while len(steps_at) < 10:
            rounds += 1
            await asyncio.sleep(0)
        holding.go.set()
        await carl.next(wire.Moved)
        await ann.next(wire.Moved)
    gaps = [after - before for before, after in pairwise(steps_at[1:])]
    assert all(gap >= 5 for gap in gaps), gaps


async def test_what_goes_wrong_is_told_to_whoever_waits_and_to_nobody_else() -> None:
    def work() -> Steps[str]:
        yield
        yield
        raise ValueError("no such card")

    def other() -> Steps[str]:
        yield
        yield
        return "done"

    thinking = Thinking()
    outcomes = await asyncio.gather(thinking.done(work()), thinking.done(other()), return_exceptions=True)
    assert [str(outcome) for outcome in outcomes] == ["no such card", "done"]


@pytest.mark.usefixtures("impatient")
async def test_what_nobody_waits_for_any_more_is_not_thought_out() -> None:
    steps = 0

    def work() -> Steps[None]:
        nonlocal steps
        while True:
            steps += 1
            yield

    thinking = Thinking()
    waiting = asyncio.create_task(thinking.done(work()))
    await eventually(lambda: steps > 10)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    before = steps
    for _ in range(5):
        await asyncio.sleep(0)
    assert steps == before

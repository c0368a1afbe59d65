"""The store fails twice in a row, and then it does not: whoever asks again gets what was asked for, and only once."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from protocol import messages as wire
from server.app import RaceServer
from server.store.port import Seeker, Store, StoreError
from tests.server.driver import Client, Visitors, begin, eventually


class Failing:
    """A method of a store that fails as often as it is told. `failed` counts how often it has."""

    def __init__(
        self,
        store: Store,
        method: str,
        monkeypatch: pytest.MonkeyPatch,
        *,
        which: Callable[..., bool] = lambda *_: True,
    ) -> None:
        self.left = self.failed = 0
        self._which = which
        self._honest: Callable[..., Awaitable[Any]] = getattr(store, method)
        monkeypatch.setattr(store, method, self._call)

    async def _call(self, *arguments: Any) -> Any:
        if self.left and self._which(*arguments):
            self.left -= 1
            self.failed += 1
            raise StoreError("the connection is lost")
        return await self._honest(*arguments)


async def held(people: Visitors, player: Client) -> list[str]:
    """The seats that a player holds."""
    return (await (await people.stranger("Ann", key=player.key)).hello()).seats


async def test_a_hello_that_failed_can_be_said_again(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await people.guest("Ann")
    match = (await ann.create()).match
    store = Failing(race_server.store, "seats", monkeypatch)
    again = await people.stranger("Ann", key=ann.key)
    store.left = 2
    for _ in range(2):
        assert (await again.refused(await again.signed())).code == "store-failed"
        assert (await again.refused(wire.Matches())).code == "hello-first"
    welcome = await again.hello()
    assert (welcome.name, welcome.seats, store.failed) == ("Ann", [match], 2)
    assert (await again.refused(await again.signed())).code == "already-greeted"


@pytest.mark.parametrize("step", ["looking", "joining the queue"])
async def test_who_asks_again_after_a_failure_of_the_queue_waits_in_one_match(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    store = Failing(
        race_server.store, "pair", monkeypatch, which=lambda _game, _seeker, own: (own is None) == (step == "looking")
    )
    ann = await people.guest("Ann")
    store.left = 2
    for _ in range(2):
        assert (await ann.refused(wire.Play(game="sir-tommy"))).code == "store-failed"
    assert (await ann.play()).state == "waiting"
    assert await held(people, ann) == [ann.match]
    bob = await people.guest("Bob")
    assert (await bob.play()).match == ann.match
    await begin(ann, bob)


async def test_who_was_paired_and_not_told_because_the_store_failed_gets_that_seat(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match is in the queue though the answer was lost, and it cannot be taken back: somebody comes to it."""
    pair = race_server.store.pair

    async def fail(*_: object) -> None:
        raise StoreError("the connection is lost")

    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    with monkeypatch.context() as patch:

        async def lose_the_answer(game: str, seeker: Seeker, own: str | None) -> str | None:
            found = await pair(game, seeker, own)
            if own is not None:
                patch.setattr(race_server.store, "write", fail)
                await fail()
            return found

        patch.setattr(race_server.store, "pair", lose_the_answer)
        assert (await ann.refused(wire.Play(game="sir-tommy"))).code == "store-failed"
    assert (await bob.play()).state == "seated"
    state = await ann.play()
    assert (state.match, state.state, state.you) == (bob.match, "seated", 0)
    assert await held(people, ann) == [ann.match]
    await begin(ann, bob)


async def test_a_ranking_that_could_not_be_read_can_be_asked_for_again(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await people.guest("Ann")
    store = Failing(race_server.store, "top", monkeypatch)
    store.left = 2
    for _ in range(2):
        assert (await ann.refused(wire.Top(family="sir-tommy"))).code == "store-failed"
    assert (await ann.ask(wire.Top(family="sir-tommy"), wire.Ranking)).ranks == []


async def test_a_past_that_could_not_be_read_can_be_asked_for_again(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await people.race()
    await bob.move("resign")
    await ann.state("over")
    store = Failing(race_server.store, "read", monkeypatch)
    store.left = 2
    for _ in range(2):
        assert (await ann.refused(wire.History())).code == "store-failed"
    assert [line.match for line in (await ann.ask(wire.History(), wire.Past)).matches] == [ann.match]


async def test_a_match_whose_rating_failed_twice_counts_once_in_the_end(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Failing(race_server.store, "rate", monkeypatch)
    store.left = 2
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    await ann.play("lucas")
    await bob.play("lucas")
    await begin(ann, bob)
    await ann.move(*["t"] * 11)
    await bob.move(*["t"] * 11, "resign")
    await eventually(lambda: store.failed == 1)
    with pytest.raises(StoreError):
        await race_server.hub.rater.rate_missed(0)
    for _ in range(2):
        await race_server.hub.rater.rate_missed(0)
        ranks = (await ann.ask(wire.Top(family="forty-thieves"), wire.Ranking)).ranks
        assert [(rank.name, rank.matches) for rank in ranks] == [("Ann", 1), ("Bob", 1)]
    assert store.failed == 2


async def test_who_comes_back_is_answered_once_and_is_on_the_queue_again_though_that_failed_at_first(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await people.guest("Ann")
    await ann.play()
    await ann.close()
    await eventually(lambda: not race_server.hub.tables)
    offer, failed = race_server.store.offer, 0

    async def fail_twice(*offered: Any) -> None:
        nonlocal failed
        failed += 1
        if failed <= 2:
            raise StoreError("the connection is lost")
        await offer(*offered)

    monkeypatch.setattr(race_server.store, "offer", fail_twice)
    again = await people.guest("Ann", key=ann.key)
    await again.resume(ann.match)
    await again.up_to_date()
    assert again.all(wire.Refused) == []
    await eventually(lambda: failed == 3)
    assert (await (await people.guest("Bob")).play()).match == ann.match

"""The store fails, for a moment or for longer: what has not been written has not happened, and nobody loses more."""

from collections.abc import Sequence

import pytest

import server.hub
import server.keeper
from protocol import messages as wire
from server.app import RaceServer
from server.events import board_log
from server.store.port import AppendEntry, Conflict, SetDue, StoredMatch, StoreError, Write
from tests.server.driver import Visitors, begin, eventually, failing, held, let_pass, nothing_left


async def test_a_move_that_cannot_be_written_is_refused_and_has_not_happened(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, bob = await people.race()
    eve = await people.guest("Eve")
    await eve.watch(ann.match)
    await ann.move("t", "hp1")
    await bob.move("t")
    with failing(race_server.store):
        refused = await ann.refused(wire.Move(match=ann.match, n=3, move="t"))
        assert (refused.code, refused.n) == ("store-failed", 2)
    assert [moved.n for moved in ann.all(wire.Moved)] == [1, 2]
    assert (await ann.move("t")).n == 3
    assert (await bob.next(wire.Progress, lambda progress: progress.turned == 2)).seat == 0
    assert (await eve.next(wire.Progress, lambda progress: progress.turned == 2)).seat == 0


async def test_a_write_of_which_nobody_knows_whether_it_was_made_is_looked_up(
    people: Visitors, race_server: RaceServer
) -> None:
    """The answer of the store is lost: the move is there, and is answered as if nothing had been."""
    ann, bob = await people.race()
    store, write = race_server.store, race_server.store.write
    lost = 0

    async def lose_the_answer(match: str, writes: Sequence[Write]) -> None:
        nonlocal lost
        await write(match, writes)
        lost += 1
        raise StoreError("the connection is lost")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "write", lose_the_answer)
        await ann.move("t", "hp1", "t")
    assert lost == 3
    assert [moved.n for moved in ann.all(wire.Moved)] == [1, 2, 3]
    await bob.next(wire.Progress, lambda progress: progress.turned == 2)
    stored = await store.read(ann.match)
    assert stored is not None
    assert [text for _, text in stored.boards[0]] == ["t", "hp1", "t"]


async def test_a_store_that_fails_for_a_moment_is_asked_again(people: Visitors, race_server: RaceServer) -> None:
    ann, _ = await people.race()
    store, write, read = race_server.store, race_server.store.write, race_server.store.read
    failures = iter([True, False])

    async def fail_once(match: str, writes: Sequence[Write]) -> None:
        if next(failures):
            raise StoreError("the connection is lost")
        await write(match, writes)

    reads = iter([True, True, True, False])

    async def fail_thrice(match: str) -> StoredMatch | None:
        if next(reads):
            raise StoreError("the connection is refused")
        return await read(match)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "write", fail_once)
        patch.setattr(store, "read", fail_thrice)
        await ann.move("t")
    assert (await ann.move("hp1")).n == 2


async def test_who_could_not_move_is_told_the_last_entry_of_their_own_board(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, bob = await people.race()
    await ann.move("t")
    await bob.move("t", "hp1", "t")
    with failing(race_server.store):
        for player, last in ((ann, 1), (bob, 3)):
            refused = await player.refused(wire.Move(match=ann.match, n=last + 1, move="hp1"))
            assert (refused.code, refused.n) == ("store-failed", last)


async def test_one_match_fails_alone(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await people.race()
    store, write = race_server.store, race_server.store.write

    async def fail_this_match(match: str, writes: Sequence[Write]) -> None:
        if match == ann.match:
            raise StoreError("this one cannot be written")
        await write(match, writes)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "write", fail_this_match)
        others = await people.race()
        for player in (ann, bob):
            assert (await player.refused(wire.Move(match=ann.match, n=1, move="t"))).code == "store-failed"
        for player in others:
            await player.move("t")


async def test_when_another_has_written_the_entry_the_players_go_on_from_there(
    people: Visitors, race_server: RaceServer
) -> None:
    """A zombie, or another server on the same store: the log decides, and nobody's board is forked."""
    ann, bob = await people.race()
    await race_server.store.write(ann.match, [AppendEntry(board_log(ann.seat), 1, 5, "stand")])
    refused = await ann.refused(wire.Move(match=ann.match, n=1, move="t"))
    assert (refused.code, refused.n) == ("stale", 1)
    assert ann.all(wire.Moved)[-1].move == "stand"
    assert (await bob.next(wire.Progress)).finished


async def test_a_match_that_could_not_be_created_is_nowhere(people: Visitors, race_server: RaceServer) -> None:
    ann = await people.guest("Ann")
    with failing(race_server.store):
        assert (await ann.refused(wire.Create(game="sir-tommy"))).code == "store-failed"
    again = await people.stranger("Ann", key=ann.key)
    assert (await again.hello()).seats == []
    await eventually(lambda: not race_server.hub.tables)


async def test_when_the_end_cannot_be_written_the_match_has_not_ended(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, bob = await people.race()
    with failing(race_server.store):
        assert (await ann.refused(wire.Move(match=ann.match, n=1, move="resign"))).code == "store-failed"
    assert not [news for news in bob.all(wire.MatchState) if news.state == "over"]
    assert (await ann.move("resign")).n == 1
    assert (await bob.state("over")).result is not None


async def test_what_was_due_while_the_store_failed_is_done_when_it_can_be(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.hub, "TRY_AGAIN", 0.01)
    ann, bob = await people.race(grace=1_000)
    with failing(race_server.store):
        await ann.close()
        await eventually(lambda: race_server.hub.ledger.doubtful)
    await bob.next(wire.Progress, lambda progress: progress.finished)
    await bob.move("stand")
    assert (await bob.state("over")).result is not None


async def test_as_long_as_nothing_can_be_written_the_clock_stands_still(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.keeper, "BEAT_EVERY", 0.01)
    ann, _ = await people.race(clock=20_000)
    with failing(race_server.store):
        refused = await ann.refused(wire.Move(match=ann.match, n=1, move="t"))
        assert refused.code == "store-failed"
        let_pass(race_server, 3_600_000, answered=False)
    news = await ann.next(wire.MatchState, lambda news: news.left is not None and news.re is None)
    assert news.state == "playing"
    assert news.left is not None
    assert 10_000 < news.left <= 20_000
    assert (await ann.move("t")).n == 1


async def test_no_record_is_given_out_of_an_end_that_is_not_written(people: Visitors, race_server: RaceServer) -> None:
    """It has the server's secret, and all cards."""
    ann, bob = await people.race()
    with held(race_server.store) as store:
        await ann.send(wire.Move(match=ann.match, n=1, move="resign"))
        await ann.sent()
        await bob.send(wire.GetRecord(match=ann.match))
        await bob.sent()
        assert bob.all(wire.MatchRecord) == []
        await eventually(lambda: race_server.hub.tables[ann.match].users == 2)
        store.go.set()
        await bob.next(wire.MatchRecord)
    carl, dora = await people.race()
    with failing(race_server.store):
        assert (await carl.refused(wire.Move(match=carl.match, n=1, move="resign"))).code == "store-failed"
        assert (await dora.refused(wire.GetRecord(match=carl.match))).code in ("store-failed", "not-over")


async def test_that_the_race_has_begun_is_told_although_the_store_failed_at_it(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, bob = await people.pair()
    store, write = race_server.store, race_server.store.write
    failed = 0

    async def fail_at_the_start(match: str, writes: Sequence[Write]) -> None:
        nonlocal failed
        if [type(each) for each in writes] == [SetDue] and not failed:
            failed += 1
            raise StoreError("the connection is lost")
        await write(match, writes)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "write", fail_at_the_start)
        await begin(ann, bob)
    assert failed == 1


async def test_what_was_told_is_not_told_again_when_the_store_could_not_be_read(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, bob = await people.race()
    eve = await people.guest("Eve")
    await eve.watch(ann.match)
    await bob.move("stand")
    await ann.move("t", "hp1")

    async def fail(*_: object) -> None:
        raise StoreError("the connection is lost")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(race_server.store, "read", fail)
        race_server.hub._hear(ann.match)
        await eventually(lambda: race_server.hub.tables[ann.match].stale)
    await ann.move("t")
    await eve.next(wire.Moved, lambda moved: (moved.seat, moved.n) == (0, 3))
    assert [moved.n for moved in ann.all(wire.Moved)] == [1, 2, 3]
    assert [moved.n for moved in eve.all(wire.Moved) if moved.seat == 0] == [1, 2, 3]


async def test_a_match_that_the_store_has_lost_is_lost_here_too(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await people.race()

    async def lose(*_: object) -> None:
        return None

    async def conflict(*_: object) -> None:
        raise Conflict("there is no such match")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(race_server.store, "write", conflict)
        patch.setattr(race_server.store, "read", lose)
        await ann.send(wire.Move(match=ann.match, n=1, move="t"))
        for player in (ann, bob):
            assert (await player.closed()).code == 1011
    await eventually(lambda: nothing_left(race_server))


async def test_when_the_store_cannot_be_read_the_request_is_refused_and_the_connection_stays(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise StoreError("the file is broken")

    monkeypatch.setattr(race_server.store, "read", fail)
    ann = await people.guest()
    assert (await ann.refused(wire.Watch(match="abcdefgh"))).code == "store-failed"
    await ann.up_to_date()


async def test_a_move_that_lands_after_it_was_refused_is_there_for_whoever_looks(
    people: Visitors, race_server: RaceServer
) -> None:
    """The store has failed twice at it, and it was not known whether it is written: so nobody is told that it is not."""
    ann, _ = await people.race()
    store, write = race_server.store, race_server.store.write
    on_its_way: list[tuple[str, Sequence[Write]]] = []

    async def lose_the_answer(match: str, writes: Sequence[Write]) -> None:
        on_its_way.append((match, writes))
        raise StoreError("the connection is lost")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "write", lose_the_answer)
        assert (await ann.refused(wire.Move(match=ann.match, n=1, move="t"))).code == "store-failed"
    assert len(on_its_way) == 2
    await write(*on_its_way[-1])
    await (await people.guest("Eve")).watch(ann.match)
    assert (await ann.next(wire.Moved)).n == 1


async def test_a_match_in_which_others_are_always_first_is_given_up_for_now(
    people: Visitors, race_server: RaceServer
) -> None:
    """Nobody can be: it is the store that is wrong, and the server has other matches to see to."""
    ann, _ = await people.race()
    tried = 0

    async def conflict(*_: object) -> None:
        nonlocal tried
        tried += 1
        raise Conflict("somebody was first")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(race_server.store, "write", conflict)
        assert (await ann.refused(wire.Move(match=ann.match, n=1, move="t"))).code == "store-failed"
    assert tried < 100
    assert (await ann.move("t")).n == 1

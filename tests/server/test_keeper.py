"""The keeper goes on whatever goes wrong with one beat or one match."""

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from protocol import messages as wire
from server.app import RaceServer
from server.store.port import Numbers, StoredMatch, StoreError
from server.store.sqlite import SqliteStore
from tests.server.driver import Visitors, eventually, serving


async def test_matches_left_behind_are_looked_for_until_they_are_found(
    short_countdown: None, impatient_keeper: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that starts finds those who were connected to the one before it gone."""
    async with serving(tmp_path / "matches.db") as (_, people):
        ann, _bob = await people.race(grace=1_000)
    find, asked = SqliteStore.open_matches, 0

    async def fail_twice(self: SqliteStore) -> list[str]:
        nonlocal asked
        asked += 1
        if asked in (2, 3):  # the first is the server's own, that says how many there are
            raise StoreError("the disk is busy")
        return await find(self)

    monkeypatch.setattr(SqliteStore, "open_matches", fail_twice)
    async with serving(tmp_path / "matches.db") as (_, people):
        eve = await people.guest("Eve")
        await eventually(lambda: asked == 4)
        await eve.watch(ann.match)
        over = await eve.reached("over", ann.match)
        assert over.result is not None


async def test_a_search_that_fails_is_begun_again(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is due and served by nobody is asked for at each beat."""
    ann = await people.guest()
    await ann.play()
    searched = 0

    async def fail(*_: object) -> list[str]:
        nonlocal searched
        searched += 1
        raise StoreError("the disk is busy")

    with monkeypatch.context() as patch:
        patch.setattr(race_server.store, "unrated", fail)
        race_server.keeper._rating_at = 0
        await eventually(lambda: searched)
        await eventually(lambda: not race_server.keeper._searching)
    assert (await ann.resume(ann.match)).state == "waiting"


async def test_a_beat_that_fails_in_a_way_nobody_thought_of_is_logged_and_is_not_the_last(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = 0

    async def fail(_node: str) -> list[str]:
        nonlocal failed
        failed += 1
        raise ZeroDivisionError("a slip")

    with capture_logs() as logs, monkeypatch.context() as patch:
        patch.setattr(race_server.store, "races", fail)
        await eventually(lambda: failed > 2)
    assert "a beat failed" in {entry["event"] for entry in logs}
    ann, bob = await people.race(grace=1_000)
    await bob.close()
    await ann.next(wire.Progress, lambda progress: progress.finished)


async def test_a_match_that_the_store_fails_at_keeps_no_other_from_its_end(
    short_countdown: None, impatient_keeper: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a Redis Cluster one node may be away, and all others there. Nobody is connected to either match."""
    async with serving(tmp_path / "matches.db") as (_, people):
        ann, _bob = await people.race(grace=1_000)
        cid, _dan = await people.race(grace=1_000)
    read = SqliteStore.read
    failing, other = sorted((ann.match, cid.match))  # as they are found
    failed = failing

    async def fail_at_one(self: SqliteStore, match: str, after: Numbers = ()) -> StoredMatch | None:
        if match == failing:
            raise StoreError("one node of the cluster is down")
        return await read(self, match, after)

    monkeypatch.setattr(SqliteStore, "read", fail_at_one)
    async with serving(tmp_path / "matches.db") as (running, people):
        eve = await people.guest("Eve")
        await eventually(lambda: running.figures._ends.counts["draw"])
        await eve.watch(other)
        assert (await eve.reached("over", other)).result is not None
        assert await running.store.open_matches() == [failed]
        failing = ""
        await eve.watch(failed)
        assert (await eve.reached("over", failed)).result is not None

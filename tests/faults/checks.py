"""What must hold of a match, whatever has happened to it on the way."""

from collections.abc import Iterable, Sequence
from typing import Any

from engine.record import Record
from engine.verify import verify
from protocol import messages as wire
from server.events import MATCH_LOG, Aborted, Finished, parse_event
from server.store.redis import RedisStore
from server.store.redis_scripts import match_key
from tests.faults.guests import Guest, Watcher
from tests.faults.racer import Racer
from tests.server.driver import visitors
from tests.server.store.redis_process import RedisProcess


async def ended_well(url: str, racers: Iterable[Racer], watchers: Sequence[Watcher] = ()) -> list[Record]:
    """The matches of these racers come to their end, and everything that anybody was told of them is so.

    The records are fetched from the server at `url`.
    """
    racers = list(racers)
    for guest in (*racers, *watchers):
        await guest.ended()
    records = []
    async with visitors(url) as people:
        reader = await people.guest("Rosa")
        for match in sorted({racer.match for racer in racers}):
            record = (await reader.ask(wire.GetRecord(match=match), wire.MatchRecord)).record
            there = [guest for guest in (*racers, *watchers) if guest.match == match]
            fits(record, there)
            records.append(record)
    return records


def fits(record: Record, guests: Sequence[Guest]) -> None:
    """The record is true to itself, and everyone was told what it says."""
    assert [finding for finding in verify(record) if not finding.fits] == []
    first, *others = [result for guest in guests for result in guest.results]
    assert not [result for result in others if result != first], "one result, and the same for everyone"
    result, _, secret, digest = first
    assert (result, secret, digest) == (record.result, record.secret, record.digest)
    for guest in guests:
        for (seat, n), (move, _, at) in guest.told.items():
            assert record.seats[seat].entries[n - 1 : n] == [(at, move)], f"{guest} was told {move} as entry {n}"
        if isinstance(guest, Racer):
            holds_acknowledged(record, guest)
        if isinstance(guest, Watcher):
            shown, made = guest.entries, [len(seat.entries) for seat in record.seats]
            assert shown == made, f"{guest} was shown {shown} entries of {made}"


def holds_acknowledged(record: Record, racer: Racer) -> None:
    """Every move that was acknowledged is there, with its number."""
    entries = record.seats[racer.seat].entries
    kept = {n: text for n, (_, text) in enumerate(entries, 1)}
    lost = {n: text for n, text in racer.acknowledged.items() if kept.get(n) != text}
    assert not lost, f"acknowledged, and not there: {lost}"
    assert not racer.over or racer.entries == len(entries), f"{racer} knows {racer.entries} entries of {len(entries)}"


async def one_end_each(redis: RedisProcess, matches: Iterable[str]) -> None:
    """Each match has ended once in the logs of this Redis, and is no longer among the open ones."""
    with redis.client() as client:
        for match in sorted(set(matches)):
            texts: Any = client.lrange(f"{match_key(match)}:{MATCH_LOG}", 0, -1)
            events = [parse_event(text.partition(" ")[2]) for text in texts]
            ends = [event for event in events if isinstance(event, Finished | Aborted)]
            assert len(ends) == 1, f"{match} has ended {len(ends)} times: {ends}"
    assert not set(matches) & set(await open_matches(redis))


async def open_matches(redis: RedisProcess) -> list[str]:
    """The matches that have not ended, as a server finds them: after a crash the list alone may name some too many."""
    store = RedisStore(redis.address)
    await store.open(lambda _: None)
    try:
        return await store.open_matches()
    finally:
        await store.close()

"""A whole match over real sockets, from its start to its record, in both encodings."""

import asyncio

import pytest

from engine.record import Record, read_record, write_record
from engine.verify import verify
from protocol import messages as wire
from protocol.codec import JSON, MSGPACK, Encoding
from tests.server.driver import Visitors, begin


def checked(record: Record) -> None:
    """The record survives being written to a file, and proves itself."""
    assert read_record(write_record(record)) == record
    assert [finding for finding in verify(record) if not finding.fits] == []


@pytest.mark.parametrize(
    "encodings", [(MSGPACK, MSGPACK), (JSON, JSON), (JSON, MSGPACK)], ids=lambda pair: pair[0].subprotocol
)
@pytest.mark.parametrize("game", ["sir-tommy", "puss-in-the-corner+redeal", "lucas", "josephine+peek+groups"])
async def test_a_match_from_its_start_to_its_record(
    people: Visitors, game: str, encodings: tuple[Encoding, Encoding]
) -> None:
    ann = await people.guest("Ann", encoding=encodings[0])
    bob = await people.guest("Bob", encoding=encodings[1])
    eve = await people.guest("Eve", encoding=encodings[0])
    await ann.create(game)
    await eve.watch(ann.match)
    await bob.join(ann.match)
    await begin(ann, bob)
    await asyncio.gather(ann.play_on(), bob.play_on())
    overs = [await client.reached("over", ann.match) for client in (ann, bob, eve)]
    record = (await eve.ask(wire.GetRecord(match=ann.match), wire.MatchRecord)).record
    checked(record)
    for over in overs:
        assert (over.result, over.digest, over.secret) == (record.result, record.digest, record.secret)
    for client, seat in ((ann, 0), (bob, 1)):
        own = [(moved.n, moved.at, moved.move) for moved in client.all(wire.Moved)]
        assert own == [(n, at, move) for n, (at, move) in enumerate(record.seats[seat].entries, start=1)]
        assert {moved.seat for moved in client.all(wire.Moved)} == {seat}
        final = [board for board in client.all(wire.BoardState) if board.seat == 1 - seat]
        assert [(board.count, board.status) for board in final] == [
            (record.seats[1 - seat].count, record.seats[1 - seat].status)
        ]
    for seat in (0, 1):
        seen = [(moved.n, moved.at, moved.move) for moved in eve.all(wire.Moved) if moved.seat == seat]
        assert seen == [(n, at, move) for n, (at, move) in enumerate(record.seats[seat].entries, start=1)]

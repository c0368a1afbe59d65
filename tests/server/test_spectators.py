"""Spectators over real sockets: what they are sent, from when on and until when, and in which bytes."""

from itertools import pairwise

import msgspec

from protocol import messages as wire
from protocol.codec import JSON, MSGPACK
from server.app import RaceServer
from tests.server.driver import Client, Visitors, begin, eventually


def watched_moves(client: Client, seat: int) -> list[int]:
    return [moved.n for moved in client.all(wire.Moved) if moved.seat == seat]


async def test_who_watches_from_before_the_start_sees_the_whole_match(people: Visitors) -> None:
    ann, bob = await people.pair()
    eve = await people.guest("Eve")
    state = await eve.watch(ann.match)
    assert (state.state, state.you) == ("seated", None)
    await begin(ann, bob)
    assert [(await eve.next(wire.BoardState)).seat for _ in range(2)] == [0, 1]
    await ann.play_on(9)
    await bob.move("resign")
    assert (await eve.state("over", match=ann.match)).result is not None
    assert watched_moves(eve, 0) == list(range(1, 10))
    assert watched_moves(eve, 1) == [1]
    assert [news.state for news in eve.all(wire.MatchState)][-3:] == ["countdown", "playing", "over"]


async def test_who_comes_in_the_middle_sees_the_boards_and_then_each_move(people: Visitors) -> None:
    ann, bob = await people.race()
    await ann.move("t", "hp1", "t", "hp2", "t", "hp3")
    await bob.move("t", "hp1", "t")
    eve = await people.guest("Eve")
    await eve.watch(ann.match)
    boards = [await eve.next(wire.BoardState) for _ in range(2)]
    assert [(board.seat, board.n) for board in boards] == [(0, 2), (1, 3)]
    await bob.move("hp1", "t")
    await eve.next(wire.Progress, lambda progress: (progress.seat, progress.turned) == (1, 3))
    assert watched_moves(eve, 0) == [3, 4]
    assert watched_moves(eve, 1) == [4]


async def test_who_comes_after_the_end_sees_how_it_ended(people: Visitors) -> None:
    ann, bob = await people.race()
    await ann.play_on(9)
    await bob.move("resign")
    eve = await people.guest("Eve")
    state = await eve.watch(ann.match)
    assert (state.state, state.secret is not None, state.digest is not None) == ("over", True, True)
    boards = [await eve.next(wire.BoardState) for _ in range(2)]
    assert [(board.seat, board.n) for board in boards] == [(0, 9), (1, 1)]


async def test_who_watches_no_more_is_sent_no_more(people: Visitors) -> None:
    ann, bob = await people.race()
    eve = await people.guest("Eve")
    await eve.watch(ann.match)
    await eve.send(wire.Unwatch(match=ann.match))
    await eve.up_to_date()
    heard = len(eve.heard)
    await ann.move("t")
    await bob.move("t")
    await eve.up_to_date()
    assert len(eve.heard) == heard + 1
    await eve.send(wire.Unwatch(match=ann.match))
    await eve.send(wire.Unwatch(match="zzzzzzzz"))
    await eve.up_to_date()
    assert eve.all(wire.Refused) == []


async def test_watching_twice_counts_once(people: Visitors, race_server: RaceServer) -> None:
    ann, _ = await people.race()
    eve = await people.guest("Eve")
    for _ in range(3):
        await eve.watch(ann.match)
    match = race_server.hub.tables[ann.match].match
    assert match.spectators == 1
    await eve.send(wire.Unwatch(match=ann.match))
    await eve.up_to_date()
    assert match.spectators == 0
    await eve.watch(ann.match)
    await eve.close()
    await eventually(lambda: match.spectators == 0)


async def test_one_may_watch_several_matches(people: Visitors) -> None:
    races = [await people.race() for _ in range(3)]
    eve = await people.guest("Eve")
    for ann, _ in races:
        await eve.watch(ann.match)
    for ann, bob in races:
        await bob.move("stand")
        await ann.move("t")
        await eve.next(wire.Moved, lambda moved, ann=ann: (moved.match, moved.seat) == (ann.match, 0))  # type: ignore[misc]


async def test_a_spectators_number_of_entries_never_has_a_gap(people: Visitors) -> None:
    ann, bob = await people.race("puss-in-the-corner")
    spectators = []
    for number in range(6):
        await ann.play_on(7)
        await bob.play_on(5)
        eve = await people.guest(f"Eve {number}")
        await eve.watch(ann.match)
        spectators.append(eve)
    await ann.move("resign")
    for eve in spectators:
        await eve.state("over", match=ann.match)
        for seat in (0, 1):
            (start,) = [board.n for board in eve.all(wire.BoardState) if board.seat == seat]
            numbers = [start, *watched_moves(eve, seat)]
            assert all(after == before + 1 for before, after in pairwise(numbers))


async def test_spectators_of_one_encoding_are_sent_the_same_bytes(people: Visitors) -> None:
    ann, bob = await people.race()
    watching = [await people.guest(f"Eve {number}") for number in range(3)]
    for eve in watching:
        await eve.watch(ann.match)
        await eve.up_to_date()
    starts = [len(eve.frames) for eve in watching]
    await ann.play_on(5)
    await bob.move("resign")
    for eve in watching:
        await eve.state("over", match=ann.match)
    assert len({tuple(eve.frames[start:]) for eve, start in zip(watching, starts, strict=True)}) == 1


async def test_both_encodings_say_the_same(people: Visitors) -> None:
    ann, bob = await people.race()
    watching = [await people.guest("Eve", encoding=encoding) for encoding in (MSGPACK, JSON)]
    for eve in watching:
        await eve.watch(ann.match)
        await eve.up_to_date()
    starts = [len(eve.heard) for eve in watching]
    await ann.play_on(5)
    await bob.move("resign")
    for eve in watching:
        await eve.state("over", match=ann.match)
    said = [msgspec.to_builtins(eve.heard[start:]) for eve, start in zip(watching, starts, strict=True)]
    assert said[0] == said[1]


async def test_a_player_who_watches_the_own_match_is_sent_each_thing_once_and_knows_the_own_seat(
    people: Visitors,
) -> None:
    ann, bob = await people.race()
    state = await ann.watch(ann.match)
    assert state.you == ann.seat
    await ann.up_to_date()
    before = len(ann.heard)
    await ann.move("t", "hp1", "t")
    await bob.move("t", "hp1", "t", "hp2")
    await ann.move("hp2", "t", "hp3")
    await bob.move("resign")
    await ann.state("over")
    await ann.up_to_date()
    assert {news.you for news in ann.all(wire.MatchState)} == {ann.seat}
    moved = [(message.seat, message.n) for message in ann.all(wire.Moved)]
    assert sorted(moved) == [(ann.seat, n) for n in range(1, 7)] + [(bob.seat, n) for n in range(1, 6)]
    progress = [msgspec.msgpack.encode(told) for told in ann.heard[before:] if isinstance(told, wire.Progress)]
    assert len(progress) == len(set(progress))
    assert [board.n for board in ann.all(wire.BoardState) if board.seat == ann.seat] == [0]


async def test_a_spectator_besides_is_told_of_both_boards_as_ever(people: Visitors) -> None:
    ann, bob = await people.race()
    eve = await people.guest("Eve")
    await eve.watch(ann.match)
    await ann.watch(ann.match)
    await ann.move("t", "hp1", "t")
    await bob.move("t", "hp1", "resign")
    assert (await eve.state("over", match=ann.match)).you is None
    assert (watched_moves(eve, 0), watched_moves(eve, 1)) == ([1, 2, 3], [1, 2, 3])

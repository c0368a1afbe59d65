"""Connections: who is there, what they are sent, and what happens when they go, come back, or do not listen."""

import asyncio
import socket
from itertools import pairwise

import msgspec
import pytest

import server.session
from engine.games import CATALOGUE
from engine.record import Record, read_record, write_record
from engine.verify import verify
from protocol import messages as wire
from protocol.codec import JSON, MSGPACK, Encoding
from server.app import RaceServer
from tests.server.driver import Client, Closed, Visitors, begin, eventually

# Hello


async def test_who_says_hello_is_told_who_they_are_and_what_there_is_to_play(people: Visitors) -> None:
    ann = await people.stranger("  Ann\u00a0 of   Greengage ")
    welcome = await ann.hello()
    assert (welcome.name, welcome.seats) == ("Ann of Greengage", [])
    assert {game.name: (game.options, game.cards) for game in welcome.games} == {
        name: (list(game.options), len(game.cards)) for name, game in CATALOGUE.items()
    }
    assert welcome.server


async def test_the_tag_follows_from_the_key_and_does_not_give_it_away(people: Visitors) -> None:
    first = await (await people.stranger("Ann", key="5e" * 16)).hello()
    again = await (await people.stranger("Ann", key="5e" * 16)).hello()
    other = await (await people.stranger("Ann", key="5f" * 16)).hello()
    assert first.tag == again.tag != other.tag
    assert first.tag not in "5e" * 16


async def test_names_are_made_fit_to_be_shown_before_anybody_sees_them(people: Visitors) -> None:
    ann, bob = await people.guest("A\u200bnn\u2060 "), await people.guest("Bob")
    await ann.create()
    assert [seat.name for seat in (await bob.join(ann.match)).seats] == ["Ann", "Bob"]


# A whole match


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


# A newer connection


async def test_a_newer_connection_takes_the_seat_and_the_older_one_is_closed(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, bob = await people.race()
    await ann.move("t")
    newer = await people.guest("Ann", key=ann.key)
    assert (await newer.resume(ann.match)).you == 0
    await newer.next(wire.BoardState)
    closed = await ann.closed()
    assert (closed.code, closed.reason) == (4000, "replaced by a newer connection")
    await ann.close()
    await newer.move("hp1")
    await bob.next(wire.Progress)
    assert all(seat.away is None for news in bob.all(wire.MatchState) for seat in news.seats)
    table = race_server.hub.tables[ann.match]
    assert table.match.seats[0].away_since is None
    assert table.sessions == table.seated


async def test_the_older_connections_late_close_does_nothing(people: Visitors, race_server: RaceServer) -> None:
    """The older one is cut off from the network: its close is noticed long after the newer one has come."""
    ann, bob = await people.race()
    older = race_server.hub.tables[ann.match].seated[0]
    assert older is not None
    newer = await people.guest("Ann", key=ann.key)
    await newer.resume(ann.match)
    await newer.next(wire.BoardState)
    await ann.closed()
    await race_server.hub.part(older)
    await newer.move("t")
    await bob.next(wire.Progress)
    assert all(seat.away is None for news in bob.all(wire.MatchState) for seat in news.seats)


async def test_a_move_that_the_older_connection_had_sent_comes_too_late(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, _ = await people.race()
    older = race_server.hub.tables[ann.match].seated[0]
    assert older is not None
    newer = await people.guest("Ann", key=ann.key)
    await newer.resume(ann.match)
    await newer.next(wire.BoardState)
    frame = MSGPACK.encode(wire.Move(match=ann.match, n=1, move="t"))
    await older._receive(frame)
    assert (await newer.move("stand")).n == 1


async def test_two_connections_of_a_player_may_play_two_matches(people: Visitors) -> None:
    ann, bob = await people.race()
    second = await people.guest("Ann", key=ann.key)
    await second.create()
    carl = await people.guest("Carl")
    await carl.join(second.match)
    await begin(second, carl)
    for player in (ann, second, bob, carl):
        await player.move("t")


async def test_resuming_on_the_same_connection_is_no_replacement(people: Visitors) -> None:
    ann, _ = await people.race()
    await ann.move("t")
    for _ in range(3):
        await ann.resume(ann.match)
        assert (await ann.next(wire.BoardState)).n == 1
    await ann.move("hp1")


# Dropped, and back


async def test_a_player_who_drops_in_mid_race_goes_on_by_the_numbers(people: Visitors) -> None:
    ann, bob = await people.race()
    await ann.move("t", "hp1", "t")
    ann.socket.transport.abort()
    news = await bob.next(wire.MatchState, lambda news: news.seats[0].away is not None)
    assert news.state == "playing"
    await bob.move("t")
    back = await people.stranger("Ann", key=ann.key)
    assert (await back.hello()).seats == [ann.match]
    back.match, back.seat, back.game, back.board, back.entries = ann.match, ann.seat, ann.game, ann.board, 3
    state = await back.resume(ann.match, last=3)
    assert (state.you, [seat.away for seat in state.seats]) == (0, [None, None])
    progress = await back.next(wire.Progress)
    assert (progress.seat, progress.turned) == (1, 1)
    assert not [*back.all(wire.Moved), *back.all(wire.BoardState)]
    assert (await back.move("hp2")).n == 4
    assert (await bob.next(wire.MatchState, lambda news: news.seats[0].away is None)).state == "playing"


async def test_moves_whose_answers_were_lost_are_sent_again_without_harm(people: Visitors) -> None:
    ann, _ = await people.race()
    await ann.move("t")
    for number, move in ((2, "hp1"), (3, "t"), (4, "hp2")):
        await ann.send(wire.Move(match=ann.match, n=number, move=move))
    ann.socket.transport.abort()
    back = await people.guest("Ann", key=ann.key)
    await back.resume(ann.match, last=1)
    for number, move in ((2, "hp1"), (3, "t"), (4, "hp2"), (5, "t")):
        answer = await back.ask(wire.Move(match=ann.match, n=number, move=move), wire.Moved)
        assert (answer.n, answer.move) == (number, move)
    assert {moved.n for moved in back.all(wire.Moved)} == {2, 3, 4, 5}


async def test_all_seats_of_a_connection_wait_when_it_drops(people: Visitors) -> None:
    ann = await people.guest("Ann")
    others = []
    for number in range(3):
        await ann.create()
        other = await people.guest(f"Other {number}")
        await other.join(ann.match)
        others.append(other)
    await ann.close()
    for other in others:
        await other.next(wire.MatchState, lambda news: news.seats[0].away is not None)
    back = await people.stranger("Ann", key=ann.key)
    assert (await back.hello()).seats == sorted(other.match for other in others)


async def test_both_may_drop_and_come_back(people: Visitors) -> None:
    ann, bob = await people.race()
    for player in (ann, bob):
        await player.move("t")
        await player.close()
    for player in (ann, bob):
        back = await people.guest(player.name, key=player.key)
        assert (await back.resume(player.match)).state == "playing"
        await back.next(wire.BoardState)
        await back.move("hp1")


# Spectators


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


# Who does not listen


async def test_a_slow_reader_is_dropped_and_slows_nobody(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.session, "UNREAD_LIMIT", 16 * 1024)
    ann, bob = await people.race()
    small = socket.socket()
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    small.setblocking(False)
    host, port = people.url.removeprefix("ws://").split(":")
    await asyncio.get_running_loop().sock_connect(small, (host, int(port)))
    deaf = await people.guest("Deaf", sock=small, max_queue=1, ping_interval=None)
    await deaf.watch(ann.match)
    session = next(iter(race_server.hub.tables[ann.match].watching))
    assert session.name == "Deaf"
    session.socket.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)

    async def chatter() -> None:
        """Ask and ask, and never listen to an answer."""
        try:
            while True:
                await deaf.send(wire.Watch(match=ann.match))
                await asyncio.sleep(0)
        except Closed:
            pass

    chattering = asyncio.create_task(chatter())
    async with asyncio.timeout(10):  # unanswered pings would close it too, but only after 15 s
        while not session.socket.transport.is_closing():
            await ann.resume(ann.match)
            await bob.ask(wire.Matches(), wire.MatchList)
    await asyncio.wait_for(chattering, 10)
    await eventually(lambda: not race_server.hub.tables[ann.match].watching)
    await ann.move("t")
    await bob.next(wire.Progress, lambda progress: progress.turned == 1)


async def test_a_client_that_vanishes_in_mid_frame_is_gone_and_no_more(people: Visitors) -> None:
    ann, bob = await people.race()
    ann.socket.transport.write(b"\x82\xff\x00")
    ann.socket.transport.abort()
    await bob.next(wire.MatchState, lambda news: news.seats[0].away is not None)
    await bob.move("t")

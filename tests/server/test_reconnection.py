"""A player on a newer connection: it takes the seat, or takes it again after the older one was lost."""

from protocol import messages as wire
from protocol.codec import MSGPACK
from server.app import RaceServer
from tests.server.driver import Visitors, begin

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


async def test_a_client_that_vanishes_in_mid_frame_is_gone_and_no_more(people: Visitors) -> None:
    ann, bob = await people.race()
    ann.socket.transport.write(b"\x82\xff\x00")
    ann.socket.transport.abort()
    await bob.next(wire.MatchState, lambda news: news.seats[0].away is not None)
    await bob.move("t")

"""How players come to sit in one match: quick pairing, codes, rematches, and how many matches there may be."""

import asyncio

import pytest
from structlog.testing import capture_logs

import server.lobby
from protocol import messages as wire
from protocol.players import player_of, public_key
from server.app import RaceServer
from server.events import MATCH_LOG, Terms
from server.lobby import MATCHES_OF_A_PLAYER
from server.settings import games_named
from server.store.port import AppendEntry, CreateMatch, Seeker, StoreError, TakeSeat
from tests.server.driver import Client, Visitors, begin, eventually, failing, held

# Quick matches


async def test_two_who_want_the_same_game_are_paired(people: Visitors) -> None:
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    waiting = await ann.play("sir-tommy")
    seated = await bob.play("sir-tommy")
    assert (waiting.state, waiting.you, seated.state, seated.you) == ("waiting", 0, "seated", 1)
    assert seated.match == waiting.match
    news = await ann.state("seated")
    assert [seat.name for seat in news.seats] == ["Ann", "Bob"]
    assert (news.clock, news.grace) == (wire.DEFAULT_CLOCK, wire.DEFAULT_GRACE)


async def test_nobody_is_paired_for_another_game_or_other_options(people: Visitors) -> None:
    matches = set()
    for number, game in enumerate(("sir-tommy", "strategy", "sir-tommy+redeal", "numerica")):
        state = await (await people.guest(f"Player {number}")).play(game)
        assert (state.state, state.game) == ("waiting", game)
        matches.add(state.match)
    assert len(matches) == 4


async def test_nobody_is_paired_with_themselves(people: Visitors) -> None:
    ann = await people.guest("Ann")
    second = await people.guest("Ann", key=ann.key)
    first_match = (await ann.play()).match
    assert (await second.play()).state == "waiting"
    assert (await ann.play()).state == "waiting"
    assert ann.match != first_match


async def test_who_asks_again_after_losing_the_connection_has_one_seat(
    people: Visitors, race_server: RaceServer
) -> None:
    ann = await people.guest("Ann")
    await ann.play("strategy")
    await ann.close()
    (waiting,) = race_server.hub.tables.values()
    await eventually(lambda: waiting.match.seats[0].connection is None)
    again = await people.guest("Ann", key=ann.key)
    assert (await again.play("sir-tommy")).match != ann.match
    state = await again.play("strategy")
    assert (state.match, state.you, state.state) == (ann.match, 0, "waiting")
    assert len(race_server.hub.tables) == 2
    bob = await people.guest("Bob")
    assert (await bob.play("strategy")).match == ann.match
    await again.state("seated", match=ann.match)


async def test_who_asks_again_when_paired_meanwhile_takes_the_seat(people: Visitors) -> None:
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    await ann.play()
    await bob.play()
    await ann.close()
    await bob.next(wire.MatchState, lambda news: news.seats[0].away is not None)
    again = await people.guest("Ann", key=ann.key)
    state = await again.play()
    assert (state.match, state.you, state.state) == (bob.match, 0, "seated")
    await begin(again, bob)


async def test_who_asks_again_takes_no_seat_of_a_match_that_has_run_out(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.lobby, "DEFAULT_GRACE", 1)
    ann = await people.guest("Ann")
    await ann.play()
    (table,) = race_server.hub.tables.values()
    monkeypatch.setattr(race_server.hub, "set_timer", lambda *_: None)  # as when nobody serves the match
    await ann.close()
    await eventually(lambda: table.match.due <= race_server.hub.now())
    again = await people.guest("Ann", key=ann.key)
    state = await again.play()
    assert (state.match == table.code, state.state) == (False, "waiting")
    assert table.match.aborted == "left"


async def test_who_asks_again_takes_the_seat_of_a_connection_that_is_gone_and_nobody_knows(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, go_on, pair = asyncio.Event(), asyncio.Event(), race_server.store.pair

    async def slow(game: str, seeker: Seeker, match: str | None) -> str | None:
        if match is not None:
            asked.set()
            await go_on.wait()
        return await pair(game, seeker, match)

    monkeypatch.setattr(race_server.store, "pair", slow)
    ann = await people.guest("Ann")
    await ann.send(wire.Play(game="sir-tommy"))
    await asked.wait()
    await ann.close()
    go_on.set()
    await eventually(lambda: not race_server.hub.connections)
    (table,) = race_server.hub.tables.values()
    again = await people.guest("Ann", key=ann.key)
    assert (await again.play()).match == table.code
    bob = await people.guest("Bob")
    assert (await bob.play()).match == table.code


async def test_a_match_that_cannot_be_read_keeps_its_player_from_nothing(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, hub = await people.guest("Ann"), race_server.hub
    player = player_of(public_key(ann.key))
    for code, game in (("newergame", "newer-game"), ("newevents", "sir-tommy")):
        terms = Terms(code, game, 60_000, 60_000, listed=True, secret="00" * 32, created=hub.now())
        event = '{"event":"newer"}'
        await hub.store.write(
            code, [CreateMatch(terms), TakeSeat(player, "Ann", hub.now()), AppendEntry(MATCH_LOG, 1, hub.now(), event)]
        )
    assert (await ann.play()).state == "waiting"


async def test_nobody_is_paired_with_a_player_who_is_away(people: Visitors) -> None:
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    await ann.play()
    await ann.close()
    assert (await bob.play()).state == "waiting"


async def test_who_has_waited_longest_without_a_break_is_paired_first(people: Visitors) -> None:
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    await ann.play()
    await ann.close()
    await bob.play()
    ann_again = await people.guest("Ann", key=ann.key)
    await ann_again.resume(ann.match)
    carl, dora = await people.guest("Carl"), await people.guest("Dora")
    assert (await carl.play()).match == bob.match
    assert (await dora.play()).match == ann.match


async def test_a_waiting_match_that_was_left_pairs_nobody(people: Visitors) -> None:
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    await ann.play()
    await ann.ask(wire.Leave(match=ann.match), wire.MatchState)
    assert (await bob.play()).state == "waiting"


async def test_who_waits_is_still_found_after_somebody_could_not_be_seated(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, bob, carl = [await people.guest(name) for name in ("Ann", "Bob", "Carl")]
    await ann.play()
    with failing(race_server.store):
        assert (await bob.refused(wire.Play(game="sir-tommy"))).code == "store-failed"
    assert (await carl.play()).match == ann.match


async def test_a_match_that_is_forgotten_meanwhile_keeps_its_player_from_nothing(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stood in the list of the player's seats, and is gone when it is looked up."""
    ann, seats = await people.guest("Ann"), race_server.store.seats

    async def with_one_that_is_gone(player: str) -> list[str]:
        return ["gonegone", *await seats(player)]

    monkeypatch.setattr(race_server.store, "seats", with_one_that_is_gone)
    with capture_logs() as logs:
        assert (await ann.play()).state == "waiting"
    assert [line["event"] for line in logs] == ["match created"]  # nothing is wrong


async def test_a_match_that_cannot_be_looked_up_now_is_asked_for_again(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever had lost the connection would else get a second seat, while the store has the first."""
    ann = await people.guest("Ann")
    waiting = (await ann.play()).match
    await ann.close()
    await eventually(lambda: race_server.hub.tables[waiting].match.seats[0].connection is None)
    await eventually(lambda: not race_server.hub.tables[waiting].users)
    race_server.hub.clear(race_server.hub.tables[waiting])
    again = await people.guest("Ann", key=ann.key)

    async def fail(*_: object) -> None:
        raise StoreError("the connection is lost")

    with monkeypatch.context() as patch:
        patch.setattr(race_server.store, "read", fail)
        assert (await again.refused(wire.Play(game="sir-tommy"))).code == "store-failed"
    assert (await again.play()).match == waiting


# Private matches


async def test_a_private_match_is_joined_by_its_code(people: Visitors) -> None:
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    created = await ann.create("strategy", clock=20_000, grace=2_000)
    assert (created.state, created.you, created.game) == ("waiting", 0, "strategy")
    joined = await bob.join(created.match)
    assert (joined.state, joined.you, joined.clock, joined.grace) == ("seated", 1, 20_000, 2_000)


async def test_a_private_match_is_neither_paired_nor_listed(people: Visitors) -> None:
    ann, carl = await people.guest("Ann"), await people.guest("Carl")
    await ann.create()
    assert (await carl.play()).match != ann.match
    bob = await people.guest("Bob")
    await bob.join(ann.match)
    await begin(ann, bob)
    assert (await bob.ask(wire.Matches(), wire.MatchList)).matches == []


async def test_a_public_match_is_listed_while_it_is_raced(people: Visitors) -> None:
    ann, bob, eve = await people.guest("Ann"), await people.guest("Bob"), await people.guest("Eve")
    await ann.play()
    await bob.play()
    assert (await eve.ask(wire.Matches(), wire.MatchList)).matches == []
    await begin(ann, bob)
    await eve.watch(ann.match)
    (line,) = (await eve.ask(wire.Matches(), wire.MatchList)).matches
    assert (line.match, line.game) == (ann.match, "sir-tommy")
    assert [(side.name, side.count, side.bot, side.level) for side in line.seats] == [
        ("Ann", 0, None, None),
        ("Bob", 0, None, None),
    ]
    assert line.spectators == 1
    assert 0 < line.left <= wire.DEFAULT_CLOCK
    await ann.move("resign")
    assert (await eve.ask(wire.Matches(), wire.MatchList)).matches == []


async def test_codes_are_all_different(people: Visitors) -> None:
    codes = [(await (await people.guest(f"Player {number}")).create()).match for number in range(20)]
    assert len(set(codes)) == 20


# Not every game


@pytest.fixture
def two_games(race_server: RaceServer) -> None:
    race_server.lobby.games = games_named("sir-tommy,calculation")


@pytest.mark.usefixtures("two_games")
async def test_only_the_games_that_the_host_offers_can_be_played(people: Visitors, race_server: RaceServer) -> None:
    ann = await people.stranger("Ann")
    assert [game.name for game in (await ann.hello()).games] == ["sir-tommy", "calculation"]
    for game in ("strategy", "lucas", "lucas+peek+groups"):
        for message in (wire.Play(game=game), wire.Create(game=game), wire.Create(game=game, level="normal")):
            refused = await ann.refused(message)
            assert refused.code == "not-offered"
            assert "sir-tommy, calculation" in refused.why
            assert game.partition("+")[0] in refused.why
    assert race_server.hub.tables == {}
    assert (await ann.create("calculation+redeal")).game == "calculation+redeal"
    assert (await ann.play("sir-tommy")).state == "waiting"


async def test_a_match_of_a_game_that_is_no_longer_offered_goes_on_and_has_its_rematch(
    people: Visitors, race_server: RaceServer
) -> None:
    ann, bob = await people.race("lucas")
    race_server.lobby.games = games_named("sir-tommy")
    await ann.move("resign")
    for player in (ann, bob):
        await player.ask(wire.Rematch(match=ann.match), wire.MatchState)
    successor = (await bob.next(wire.MatchState, lambda news: news.next is not None)).next
    assert (await bob.state("seated", match=successor)).game == "lucas"


# Not too many


async def test_a_player_has_so_many_matches_at_a_time_and_no_more(people: Visitors) -> None:
    ann = await people.guest("Ann")
    for _ in range(MATCHES_OF_A_PLAYER):
        await ann.create()
    last = ann.match
    for message in (wire.Create(game="sir-tommy"), wire.Play(game="sir-tommy")):
        assert (await ann.refused(message)).code == "too-many"
    bob = await people.guest("Bob")
    await bob.create()
    assert (await ann.refused(wire.Join(match=bob.match))).code == "too-many"
    await ann.ask(wire.Leave(match=last), wire.MatchState)
    assert (await ann.join(bob.match)).state == "seated"


async def test_a_server_has_so_many_matches_at_a_time_and_no_more(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.lobby, "MOST_TABLES", 3)
    hosts = [await people.guest(f"Host {number}") for number in range(4)]
    for host in hosts[:3]:
        await host.create()
    for message in (wire.Create(game="sir-tommy"), wire.Play(game="sir-tommy")):
        assert (await hosts[3].refused(message)).code == "too-many"
    assert len(race_server.hub.tables) == 3


async def test_a_full_server_still_seats_who_joins_a_match_that_waits(
    people: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.lobby, "MOST_TABLES", 2)
    ann, bob, carl, dora = [await people.guest(name) for name in ("Ann", "Bob", "Carl", "Dora")]
    await ann.create()
    await carl.play()
    assert (await bob.join(ann.match)).state == "seated"
    assert (await dora.play()).match == carl.match


async def test_a_server_that_is_closing_makes_and_fills_no_matches(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await people.guest("Ann"), await people.guest("Bob")
    await ann.create()
    race_server.hub.draining = True
    for message in (wire.Create(game="sir-tommy"), wire.Play(game="sir-tommy"), wire.Join(match=ann.match)):
        assert (await bob.refused(message)).code == "shutting-down"


async def test_without_house_bots_there_is_no_match_against_one(people: Visitors, race_server: RaceServer) -> None:
    ann = await people.guest("Ann")
    assert (await ann.refused(wire.Create(game="sir-tommy", level="normal"))).code == "no-bots"
    assert race_server.hub.tables == {}


# A rematch


async def over(people: Visitors, **terms: int) -> tuple[Client, Client]:
    ann, bob = await people.race("strategy", **terms)
    await ann.move("resign")
    await ann.state("over")
    await bob.state("over")
    return ann, bob


async def test_when_both_ask_for_a_rematch_both_are_seated_in_it(people: Visitors) -> None:
    ann, bob = await over(people, clock=20_000, grace=2_000)
    old = ann.match
    await ann.ask(wire.Rematch(match=old), wire.MatchState)
    assert (await bob.state("over")).seats[0].rematch
    await bob.ask(wire.Rematch(match=old), wire.MatchState)
    for player, seat in ((ann, 0), (bob, 1)):
        news = await player.next(wire.MatchState, lambda news: news.match == old and news.next is not None)
        assert news.next is not None
        state = await player.state("seated", match=news.next)
        assert (state.you, state.game, state.clock, state.grace) == (seat, "strategy", 20_000, 2_000)
        assert [seat.name for seat in state.seats] == ["Ann", "Bob"]
        assert [seat.away for seat in state.seats] == [None, None]
        player.match, player.seat = news.next, seat
    assert ann.match != old
    await begin(ann, bob)
    await ann.move("t")
    await bob.move("t")


async def test_a_rematch_of_a_public_match_is_public_and_of_a_private_one_private(people: Visitors) -> None:
    ann, bob = await over(people)
    carl, dora = await people.guest("Carl"), await people.guest("Dora")
    await carl.play()
    await dora.play()
    await begin(carl, dora)
    await carl.move("resign")
    for first, second in ((ann, bob), (carl, dora)):
        for player in (first, second):
            await player.ask(wire.Rematch(match=player.match), wire.MatchState)
        for player in (first, second):
            news = await player.next(wire.MatchState, lambda news: news.next is not None)
            player.match = news.next or ""
        await begin(first, second)
    listed = await ann.ask(wire.Matches(), wire.MatchList)
    assert [line.match for line in listed.matches] == [carl.match]


async def test_who_asked_for_a_rematch_and_went_away_can_still_come(people: Visitors) -> None:
    ann, bob = await over(people)
    await ann.ask(wire.Rematch(match=ann.match), wire.MatchState)
    await ann.close()
    await bob.next(wire.MatchState, lambda news: news.seats[0].away is not None)
    await bob.ask(wire.Rematch(match=bob.match), wire.MatchState)
    successor = (await bob.next(wire.MatchState, lambda news: news.next is not None)).next
    assert successor is not None
    state = await bob.state("seated", match=successor)
    assert (state.you, [seat.away is None for seat in state.seats]) == (1, [False, True])
    ann_again = await people.stranger("Ann", key=ann.key)
    assert (await ann_again.hello()).seats == [successor]
    assert (await ann_again.resume(successor)).you == 0
    bob.match = successor
    await begin(ann_again, bob)


async def test_who_asks_twice_for_a_rematch_gets_one(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await over(people)
    await ann.ask(wire.Rematch(match=ann.match), wire.MatchState)
    with held(race_server.store) as store:
        for player in (bob, ann, bob):
            await player.send(wire.Rematch(match=ann.match))
            await player.sent()
        store.go.set()
    following = {(await player.next(wire.MatchState, lambda news: news.next is not None)).next for player in (ann, bob)}
    assert len(following) == 1
    for player in (ann, bob):
        await player.state("seated", match=following.copy().pop())
        await player.up_to_date()
    await eventually(lambda: len([table for table in race_server.hub.tables.values() if not table.over]) == 1)


async def test_a_server_that_is_closing_makes_no_rematch(people: Visitors, race_server: RaceServer) -> None:
    ann, bob = await over(people)
    race_server.hub.draining = True
    for player in (ann, bob):
        await player.ask(wire.Rematch(match=ann.match), wire.MatchState)
    await bob.up_to_date()
    assert all(news.next is None for news in bob.all(wire.MatchState))
    assert len(race_server.hub.tables) == 1

"""A bot that says that it is one is never paired with a person who did not ask for bots, and everybody is told that it is."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import product

import pytest
import pytest_asyncio

from protocol import messages as wire
from server.app import RaceServer
from server.settings import Settings
from tests.server.driver import Client, Visitors, begin, eventually, visitors
from tests.server.store.redis_process import RedisProcess

PROGRAM = "Deep Tommy"
KINDS = {
    "a person": (None, False),
    "a person who asked for bots": (None, True),
    "a bot": (PROGRAM, False),
    "a bot that asked for bots": (PROGRAM, True),
}
"""What each says in `hello` of the program that plays, and in `play` of bots."""
NOT_TOGETHER = {("a person", "a bot"), ("a person", "a bot that asked for bots")}
ALL = list(product(KINDS, KINDS))


async def guest(people: Visitors, name: str, bot: str | None = None, key: str | None = None) -> Client:
    """A client that has said hello, as a program perhaps."""
    client = await people.stranger(name, key)
    await client.ask(await client.signed(bot=bot), wire.Welcome)
    return client


async def check(first: Visitors, second: Visitors, waiting: str, coming: str) -> None:
    (anns, ann_wants), (bobs, bob_wants) = KINDS[waiting], KINDS[coming]
    ann, bob = await guest(first, "Ann", anns), await guest(second, "Bob", bobs)
    assert (await ann.play(bots=ann_wants)).state == "waiting"
    state = await bob.play(bots=bob_wants)
    if NOT_TOGETHER & {(waiting, coming), (coming, waiting)}:
        assert state.state == "waiting"
        assert [(seat.name, seat.bot) for seat in state.seats] == [("Bob", bobs)]
        assert bob.match != ann.match
    else:
        assert (state.state, bob.match) == ("seated", ann.match)
        for heard in (state, await ann.state("seated")):
            seats = [(seat.name, seat.bot, seat.level) for seat in heard.seats]
            assert seats == [("Ann", anns, None), ("Bob", bobs, None)]


@pytest.mark.parametrize(("waiting", "coming"), ALL)
async def test_who_is_paired_with_whom(people: Visitors, waiting: str, coming: str) -> None:
    await check(people, people, waiting, coming)


@pytest.fixture(scope="module")
def shared_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    with RedisProcess(tmp_path_factory.mktemp("redis")) as process:
        yield process


@pytest_asyncio.fixture
async def two_servers(short_countdown: None, shared_redis: RedisProcess) -> AsyncIterator[list[Visitors]]:
    """Those who come to two servers on one Redis."""
    shared_redis.clear()
    settings = Settings(host="127.0.0.1", port=0, store=shared_redis.address, bots=0)
    servers = [RaceServer(settings), RaceServer(settings)]
    first, second = [f"ws://127.0.0.1:{await running.open()}" for running in servers]
    async with visitors(first) as ones, visitors(second) as others:
        yield [ones, others]
    for running in servers:
        await running.close()


@pytest.mark.parametrize(("waiting", "coming"), ALL)
async def test_so_it_is_on_two_servers(two_servers: list[Visitors], waiting: str, coming: str) -> None:
    first, second = two_servers
    await check(first, second, waiting, coming)


async def test_of_many_who_wait_each_finds_who_suits(people: Visitors) -> None:
    bots = [await guest(people, f"Bot {number}", PROGRAM) for number in range(2)]
    ann, bob = await guest(people, "Ann"), await guest(people, "Bob")
    waiting = await bots[0].play()
    await ann.play()
    assert (await bob.play()).match == ann.match
    assert (await bots[1].play()).match == waiting.match


async def test_a_persons_match_is_not_given_to_the_same_key_as_a_bot(people: Visitors, race_server: RaceServer) -> None:
    """Else whoever comes next would sit with a bot in a match that says it is a person's."""
    ann = await guest(people, "Ann")
    await ann.play()
    await ann.close()
    (table,) = race_server.hub.tables.values()
    await eventually(lambda: table.match.seats[0].connection is None)
    as_bot = await guest(people, "Ann", PROGRAM, ann.key)
    state = await as_bot.play()
    assert state.match != ann.match
    assert [seat.bot for seat in state.seats] == [PROGRAM]
    bob = await guest(people, "Bob")
    assert (await bob.play()).state == "waiting"


async def test_a_match_of_somebody_who_asked_for_bots_is_not_that_of_who_does_no_more(
    people: Visitors, race_server: RaceServer
) -> None:
    ann = await guest(people, "Ann")
    await ann.play(bots=True)
    await ann.close()
    (table,) = race_server.hub.tables.values()
    await eventually(lambda: table.match.seats[0].connection is None)
    again = await guest(people, "Ann", key=ann.key)
    assert (await again.play()).match != ann.match
    bot = await guest(people, "Bot", PROGRAM)
    assert (await bot.play()).state == "waiting"


async def test_a_bots_match_stays_one_when_it_comes_back_without_saying_so(
    people: Visitors, race_server: RaceServer
) -> None:
    bot = await guest(people, "Bot", PROGRAM)
    await bot.play()
    await bot.close()
    (table,) = race_server.hub.tables.values()
    await eventually(lambda: table.match.seats[0].connection is None)
    again = await guest(people, "Bot", key=bot.key)
    state = await again.resume(bot.match)
    assert [seat.bot for seat in state.seats] == [PROGRAM]
    ann = await guest(people, "Ann")
    assert (await ann.play()).state == "waiting"
    other = await guest(people, "Other", PROGRAM)
    assert (await other.play()).match == bot.match


async def test_everybody_is_told_that_a_bot_plays(people: Visitors) -> None:
    ann, bot = await guest(people, "Ann"), await guest(people, "Bot", PROGRAM)
    await ann.play(bots=True)
    await bot.play()
    await begin(ann, bot)
    eve = await guest(people, "Eve")
    watched = await eve.watch(ann.match)
    (listed,) = (await eve.ask(wire.Matches(), wire.MatchList)).matches
    await ann.move("resign")
    over = await bot.state("over")
    (past,) = (await ann.ask(wire.History(), wire.Past)).matches
    for seats in (watched.seats, listed.seats, over.seats, past.seats):
        assert [(seat.name, seat.bot, seat.level) for seat in seats] == [("Ann", None, None), ("Bot", PROGRAM, None)]
    record = (await eve.ask(wire.GetRecord(match=ann.match), wire.MatchRecord)).record
    assert [bool(seat.bot) for seat in record.seats] == [False, True]


async def test_in_the_rematch_a_bot_is_one_again(people: Visitors) -> None:
    ann, bot = await guest(people, "Ann"), await guest(people, "Bot", PROGRAM)
    await ann.play(bots=True)
    await bot.play()
    await begin(ann, bot)
    await ann.move("resign")
    await bot.state("over")
    for player in (ann, bot):
        await player.ask(wire.Rematch(match=ann.match), wire.MatchState)
    news = await ann.next(wire.MatchState, lambda news: news.next is not None)
    state = await ann.state("seated", match=news.next)
    assert [seat.bot for seat in state.seats] == [None, PROGRAM]


async def test_many_of_all_kinds_at_once_sit_with_nobody_whom_they_did_not_ask_for(two_servers: list[Visitors]) -> None:
    """Those who come at the same time, on two servers."""
    kinds = [kind for kind in KINDS for _ in range(6)]
    clients = [await guest(two_servers[n % 2], f"Player {n}", KINDS[kind][0]) for n, kind in enumerate(kinds)]
    states = await asyncio.gather(
        *(client.play(bots=KINDS[kind][1]) for client, kind in zip(clients, kinds, strict=True))
    )
    together: dict[str, list[str]] = {}
    for state, kind in zip(states, kinds, strict=True):
        together.setdefault(state.match, []).append(kind)
    assert sum(len(pair) == 2 for pair in together.values()) > 0
    for pair in together.values():
        assert len(pair) <= 2
        assert not NOT_TOGETHER & {tuple(pair), tuple(reversed(pair))}

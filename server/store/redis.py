"""The store for several servers: a Redis, a Redis with Sentinels, or a Redis Cluster.

No server owns a match. Whoever writes to one has a script check the numbers and append in one step, and tells the others,
who then read on. `redis_scripts` says what is kept under which key, `redis_format` what becomes of an older format.
"""

import asyncio
import contextlib
import json
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from typing import Any

from redis.asyncio import RedisCluster
from redis.asyncio.sentinel import SentinelConnectionPool

from server.clock import LONGEST_PAUSE
from server.events import event_text, parse_terms
from server.store.port import (
    AppendEntry,
    Conflict,
    CreateMatch,
    EndMatch,
    Numbers,
    Player,
    Pulse,
    Rated,
    Seeker,
    SetDue,
    StoredMatch,
    StoreError,
    TakeSeat,
    UnusableStore,
    Write,
)
from server.store.redis_address import RedisAddress
from server.store.redis_format import RedisFormat
from server.store.redis_index import LONGEST_OPEN, RedisIndex
from server.store.redis_news import RedisNews
from server.store.redis_pipe import Call, Command, RedisPipe, Value
from server.store.redis_ratings import RedisRatings
from server.store.redis_scripts import (
    ALIVE,
    BEAT,
    CLOCK,
    FORMAT_KEY,
    HOUSE,
    LOGS,
    OFFER,
    PAIR,
    RACES,
    RACES_OF_ALL,
    READ,
    WITHDRAW,
    WRITE,
    match_key,
    match_keys,
    news_channel,
    waiting_key,
)

KEEP = 30 * 24 * 3_600_000
"""For how many milliseconds a match is kept after its end, unless the host says otherwise."""
OLDEST = (6, 2)
COUNTS = 5_000
"""How many milliseconds a beat counts."""
BETWEEN_BEATS = 1_500
"""Milliseconds that pass at most between two beats of several servers. After more they may all have stood still, or Redis has:
then the clock is what they vouch for.
"""
READY_WITHIN = 1.0
HAS_ENDED = 2
"""What the script answers that has written to a match which has ended, now or before."""


class RedisStore:
    """Matches in the Redis at `address`."""

    keep: int | None = KEEP

    def __init__(self, address: str) -> None:
        try:
            self._address = RedisAddress.read(address)
        except ValueError as error:
            raise UnusableStore(f"cannot use the store: {error}") from None
        self.address = str(self._address)
        self._name = secrets.token_hex(8)
        """Who writes: what this store itself has written is no news."""
        self._finishing: set[asyncio.Task[None]] = set()

    async def open(self, news: Callable[[str], None]) -> None:
        self._client = self._address.client()
        self._writes = RedisPipe(self._client)
        self._others = RedisPipe(self._client)
        self._index = RedisIndex(self._others)
        self._ratings = RedisRatings(self._others)
        self._news = RedisNews(self._client, self._name, news)
        try:
            await self._check()
            await self._news.open()
        except Exception as error:
            await self._let_go()
            raise UnusableStore(f"cannot use the store {self.address}: {str(error) or type(error).__name__}") from error

    async def close(self) -> None:
        await self._writes.close()
        await asyncio.gather(*self._finishing)
        await self._others.close()
        await self._news.close()
        await self._let_go()

    async def ready(self) -> bool:
        try:
            async with asyncio.timeout(READY_WITHIN):
                await self._others.run(("GET", FORMAT_KEY))
        except (StoreError, TimeoutError):
            return False
        return self._news.listening

    # Matches

    async def write(self, match: str, writes: Sequence[Write]) -> None:
        if not writes:
            return
        named = list(self._name_in_lists(match, writes))
        values: list[Value] = [self._name, news_channel(match)]
        for write in writes:
            values += _values(write)
        # A match that moves while others look at the lists might be put back too far: so it is named once more after.
        again = (*named, ("HEXISTS", match_key(match), "ended")) if named else ()
        answers = await self._writes.run(*named, Call(WRITE, match_keys(match, _logs(writes)), values), *again)
        why = answers[len(named)]
        if isinstance(why, str):
            await self._finish(
                self._index.undo(match, [write.player for write in writes if isinstance(write, TakeSeat)])
            )
            raise Conflict(f"{why} ({match})")
        ended = why == HAS_ENDED or bool(again and answers[-1])
        if ended or any(isinstance(write, TakeSeat) for write in writes):
            await self._finish(self._bring_lists_after(match, writes, ended=ended))

    async def read(self, match: str, after: Numbers = ()) -> StoredMatch | None:
        (found,) = await self._others.run(Call(READ, match_keys(match), after))
        if found is None:
            return None
        terms, logs, numbers = found
        return StoredMatch(parse_terms(terms), tuple([_entry(text) for text in log] for log in logs), tuple(numbers))

    async def follow(self, match: str) -> None:
        await self._news.follow(match)

    async def unfollow(self, match: str) -> None:
        await self._news.unfollow(match)

    # Finding them again

    async def due(self, by: int) -> list[str]:
        return await self._index.due(by)

    async def open_matches(self) -> list[str]:
        return await self._index.open_matches()

    async def ended_matches(self) -> AsyncIterator[str]:
        async for match in self._index.ended_matches():
            yield match

    async def seats(self, player: str) -> list[str]:
        return await self._index.seats(player)

    async def history(self, player: str, most: int) -> list[str]:
        return await self._index.history(player, most)

    async def player(self, player: str) -> Player | None:
        return await self._index.player(player)

    # Ratings

    async def ratings(self, family: str, players: Sequence[str]) -> list[Rated | None]:
        return await self._ratings.ratings(family, players)

    async def rate(
        self, match: str, family: str, at: int, before: Sequence[Rated | None], after: Sequence[Rated]
    ) -> bool:
        return await self._ratings.rate(match, family, at, before, after)

    async def note_pair(self, players: Sequence[str], match: str, at: int, within: int, most: int) -> bool:
        return await self._ratings.note_pair(players, match, at, within, most)

    async def unrated(self, families: Sequence[str], since: int) -> list[str]:
        return await self._ratings.unrated(families, since)

    async def top(self, family: str, most: int) -> list[Rated]:
        return await self._ratings.top(family, most)

    # Waiting for a rival

    async def pair(self, game: str, seeker: Seeker, match: str | None) -> str | None:
        (found,) = await self._others.run(Call(PAIR, (waiting_key(game),), _waiting(seeker, match)))
        return None if found is None else str(found)

    async def offer(self, game: str, seeker: Seeker, match: str) -> None:
        await self._others.run(Call(OFFER, (waiting_key(game),), _waiting(seeker, match)))

    async def withdraw(self, game: str, match: str) -> None:
        await self._others.run(Call(WITHDRAW, (waiting_key(game),), (match,)))

    # Servers

    async def beat(self, node: str, vouched: int, races: Sequence[str]) -> Pulse:
        values = (node, vouched, json.dumps(races), COUNTS, LONGEST_PAUSE, BETWEEN_BEATS)
        ((now, nodes),) = await self._others.run(Call(BEAT, (CLOCK, ALIVE, RACES), values))
        return Pulse(frozenset(nodes), int(now))

    async def silence(self, node: str) -> None:
        await self._others.run(("HDEL", ALIVE, node), ("HDEL", RACES, node))

    async def races(self, node: str) -> list[str]:
        (found,) = await self._others.run(Call(RACES_OF_ALL, (RACES,)))
        servers = zip(found[::2], found[1::2], strict=True)
        return [line for other, lines in servers if other != node for line in json.loads(lines)]

    async def sweep(self, before: int) -> None:
        await self._index.forget(before)

    async def house_secret(self) -> bytes:
        _, secret = await self._others.run(("SET", HOUSE, secrets.token_hex(32), "NX"), ("GET", HOUSE))
        return bytes.fromhex(secret)

    def _name_in_lists(self, match: str, writes: Sequence[Write]) -> Iterator[Command]:
        """What the lists have to name before the match says so."""
        for write in writes:
            match write:
                case CreateMatch(terms):
                    yield self._index.name_open(match, terms.since)
                case SetDue(at):
                    yield self._index.name_open(match, at)
                case TakeSeat(player, _, at):
                    yield from self._index.name_seat(match, player, at)
                case _:
                    pass

    async def _finish(self, work: Coroutine[None, None, None]) -> None:
        """Have the lists follow a match that is written, even if whoever wrote it does not wait any more."""

        async def finish() -> None:
            with contextlib.suppress(StoreError):  # they are put right by whoever looks at them next
                await work

        task = asyncio.create_task(finish())
        self._finishing.add(task)
        task.add_done_callback(self._finishing.discard)
        await asyncio.shield(task)

    async def _bring_lists_after(self, match: str, writes: Sequence[Write], *, ended: bool) -> None:
        """What the lists may say only when the match says so."""
        for write in writes:
            if isinstance(write, TakeSeat):
                await self._index.see(match, *write)
        if ended or any(isinstance(write, TakeSeat) for write in writes):
            await self._index.file(match)

    async def _check(self) -> None:
        """Raise if this is no Redis for us; otherwise bring it to our format."""
        if isinstance(self._client, RedisCluster):
            await self._client.initialize()
            info = await self._client.info(target_nodes=self._client.get_default_node())
        else:
            info = await self._client.info()
        complaint = _complaint(info, self._address.kind)
        if complaint:
            raise ValueError(complaint)
        await RedisFormat(self._client, self._others, self._index).bring()

    async def _let_go(self) -> None:
        await self._client.aclose()
        if not isinstance(self._client, RedisCluster):
            pool = self._client.connection_pool
            if isinstance(pool, SentinelConnectionPool):
                await pool.sentinel_manager.aclose()


def _values(write: Write) -> Sequence[Value]:
    """A write as the script reads it."""
    match write:
        case AppendEntry(log, n, at, text):
            return ("append", log, n, f"{at} {text}")
        case CreateMatch(terms):
            return ("create", event_text(terms), terms.since, terms.seats)
        case TakeSeat(player, _, at):
            return ("seat", player, at)
        case SetDue(at):
            return ("due", at)
        case EndMatch(at, boards):
            return ("end", at, -1) if boards is None else ("end", at, len(boards), *boards)


def _logs(writes: Sequence[Write]) -> int:
    """How many of the match's logs the script needs for these: all, if the match ends."""
    if any(isinstance(write, EndMatch) for write in writes):
        return LOGS
    return min(LOGS, max((write.log + 1 for write in writes if isinstance(write, AppendEntry)), default=0))


def _waiting(seeker: Seeker, match: str | None) -> Sequence[Value]:
    """What the scripts of the queue have to know."""
    return (LONGEST_OPEN, match or "", int(seeker.bot), int(seeker.bots), seeker.player)


def _entry(text: str) -> tuple[int, str]:
    at, _, rest = text.partition(" ")
    return int(at), rest


def _complaint(info: dict[str, Any], kind: str) -> str | None:
    """Why a Redis that says this of itself will not do."""
    version = tuple(int(part) for part in str(info["redis_version"]).split(".")[:2])
    mode = info.get("redis_mode", "standalone")
    if version < OLDEST:
        return f"its version is {info['redis_version']}, and {'.'.join(map(str, OLDEST))} is the oldest that will do"
    if mode == "sentinel":
        return "it is a Sentinel: name it as redis+sentinel://HOST:PORT/NAME"
    if mode == "cluster" and kind != "cluster":
        return "it belongs to a Redis Cluster: name it as redis+cluster://HOST:PORT"
    if info.get("role") != "master":
        return "it is a replica, and cannot be written to"
    policy = info.get("maxmemory_policy", "noeviction")
    if info.get("maxmemory") and policy.startswith("allkeys"):
        return f"it throws matches away when its memory is full (maxmemory-policy {policy}): set it to noeviction"
    return None

"""How a Redis of an older format is brought to this one: in one step, as all servers see it.

Format 2 is this one but for the clock that matches go by: it had Redis's own, and noted the times in which nobody served. So
the clock goes on from the last beat of a server that knew format 2, and no ended match runs out by itself any more.

Format 1 had its keys under `tommy:` where ours are under `tommy:2:`, the boards' logs in 0 and 1, and the match's own in 2.
Nothing changes all keys of a Redis Cluster at once. So:

1. Everything is copied under its new key, each match by a script of its own. The old keys stay as they are: if this fails
   or is killed, whoever knows format 1 goes on with them, and the next attempt begins anew.
2. `tommy:format` becomes ours. That is the step: from here on servers of the old version are refused when they start.
3. What there still is under old keys is moved: copied once more, and deleted by the same script. No server opens before that
   is done: one that finds `tommy:moving` does it first, so also after a kill.

Servers of the old version look at the format only when they start. As long as one says that it is alive, the step is not
taken. One may be frozen and say nothing: then what it has written is moved with the rest, and what it writes after that is
refused, since its matches are gone, and the keys that it needs to make others or to stay alive are `FENCES`, texts where
lists should be. So whatever it has acknowledged is there.

Several servers may do all this at the same time, and stop anywhere: of an old key that is gone nothing is copied.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from time import monotonic
from typing import Any

import structlog

from server.store.redis_address import Client
from server.store.redis_index import RedisIndex, players_in
from server.store.redis_pipe import Call, Command, RedisPipe
from server.store.redis_scripts import (
    CLOCK,
    ENDED,
    FORMAT,
    FORMAT_KEY,
    HOUSE,
    MOVING,
    SERVERS,
    Script,
    history_key,
    match_key,
    match_keys,
    player_key,
    rating_keys,
)

SILENT_AFTER = 6.0
"""Seconds after which none of the old version seems to be alive that has been killed: it is noted for five."""
ASK_AGAIN = 0.25
PAGE = 200
"""Keys that are seen to at the same time."""

log = structlog.get_logger()

OLD_SERVERS = {1: "tommy:{servers}", 2: SERVERS}
"""Where the servers of an older format are named."""
OLD_OPEN = "tommy:open"
FENCES = (OLD_OPEN, OLD_SERVERS[1])
MOVED = f"moved to format {FORMAT}"

_OLD_KEY = re.compile(
    r"tommy:(?:"
    r"\{(?P<match>(?!servers\})[^{}:]+)\}"
    r"|\{rating:(?P<family>[^{}]+)\}(?::\w+)?"
    r"|player:\{(?P<player>[^{}]+)\}"
    r"|(?P<house>house)"
    r"|(?P<list>ended|(?:seats|history|waiting):.+)"
    r")"
)
"""The keys of format 1 but for the logs, which go with their match, and those about servers."""

COPY_MATCH = Script.of("""
-- Copy a match of format 1. KEYS: the match and its logs, the new match and its logs. ARGV: 1 if it is to be moved, or 0.
-- Returns what the match says of itself; nothing if there is none.
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
redis.call('COPY', KEYS[1], KEYS[5], 'REPLACE')
redis.call('HSET', KEYS[5], 'seats', 2)
redis.call('COPY', KEYS[2], KEYS[7], 'REPLACE')
redis.call('COPY', KEYS[3], KEYS[8], 'REPLACE')
redis.call('COPY', KEYS[4], KEYS[6], 'REPLACE')
for n, entry in ipairs(redis.call('LRANGE', KEYS[6], 0, -1)) do
  local seated, level = string.match(entry, '^(%d+ {"event":"seated",.*),"bot":([^,]+)}$')
  if seated then
    local bot = level == 'null' and 'null' or '"tommy"'
    redis.call('LSET', KEYS[6], n - 1, seated .. ',"bot":' .. bot .. ',"level":' .. level .. ',"paired":false}')
  end
  local finished, winner = string.match(entry, '^(%d+ {"event":"finished","result":{"winner":([^,]+),"reason":"[^"]+")}}$')
  if finished then
    local places = ({['0'] = '[1,2]', ['1'] = '[2,1]', null = '[1,1]'})[winner]
    redis.call('LSET', KEYS[6], n - 1, finished .. ',"places":' .. places .. '}}')
  end
end
if ARGV[1] == '1' then redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4]) end
return redis.call('HGETALL', KEYS[5])
""")

COPY_RATINGS = Script.of("""
-- Copy the ratings of a family, which say nothing of bots. KEYS: ratings, top and rated, the new ones. ARGV as COPY_MATCH.
local ratings = redis.call('HGETALL', KEYS[1])
for i = 1, #ratings, 2 do
  redis.call('HSET', KEYS[4], ratings[i], string.sub(ratings[i + 1], 1, -2) .. ', null]')
end
redis.call('COPY', KEYS[2], KEYS[5], 'REPLACE')
redis.call('COPY', KEYS[3], KEYS[6], 'REPLACE')
if ARGV[1] == '1' then redis.call('DEL', KEYS[1], KEYS[2], KEYS[3]) end
return 1
""")

COPY_PLAYER = Script.of("""
-- Copy what is known of a player, which is the same now. KEYS: the player, the new one. ARGV as COPY_MATCH.
redis.call('COPY', KEYS[1], KEYS[2], 'REPLACE')
if ARGV[1] == '1' then redis.call('DEL', KEYS[1]) end
return 1
""")

ALIVE = Script.of("""
-- The servers of an older format that are alive. KEYS: the servers.
local alive = {}
if redis.call('TYPE', KEYS[1]).ok ~= 'set' then return alive end
for _, server in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if redis.call('EXISTS', KEYS[1] .. ':at:' .. server) == 1 then table.insert(alive, server) end
end
return alive
""")

FENCE_SERVERS = Script.of("""
-- From now on no server of an older format can say that it is alive; what one leaves behind when it fails at that counts for
-- nothing. KEYS: the servers, their last beat and outages. ARGV: what stands where the servers were.
if redis.call('TYPE', KEYS[1]).ok == 'string' then return 0 end
redis.call('DEL', KEYS[2], KEYS[3])
redis.call('SET', KEYS[1], ARGV[1])
return 1
""")


class RedisFormat:
    """The format of a Redis."""

    def __init__(self, client: Client, pipe: RedisPipe, index: RedisIndex) -> None:
        self._client = client
        self._pipe = pipe
        self._index = index

    async def bring(self) -> None:
        """See to it that the Redis has this format. Raises `ValueError` or `StoreError`; the next attempt finishes what is left."""
        ask: tuple[Command, ...] = (("SET", FORMAT_KEY, FORMAT, "NX"), ("GET", FORMAT_KEY), ("GET", MOVING))
        _, found, moving = await self._pipe.run(*ask)
        if not found.isdecimal():
            raise ValueError(f"its {FORMAT_KEY} is {found!r}, which is no format of ours")
        if int(found) > FORMAT:
            raise ValueError(f"its format {found} is newer than this program's {FORMAT}: use a newer tommy-server")
        if int(found) < FORMAT:
            await self._wait_for_silence(int(found))
            log.info("the store is brought to a new format", found=int(found), format=FORMAT)
            if int(found) == 1:
                await self._copy_all(move=False)
                await self._wait_for_silence(int(found))
            moving = moving or found  # somebody may have been killed on the way from an even older one
            await self._pipe.run(("SET", MOVING, moving))
            await self._pipe.run(("SET", FORMAT_KEY, FORMAT))
        if moving is not None:
            log.info("what is left of the store's old format is moved")
            for older in reversed(range(int(moving), FORMAT)):
                await self._take_over_clock(older)
            if int(moving) == 1:
                await self._pipe.run(("SET", OLD_OPEN, MOVED))
                await self._copy_all(move=True)
            await self._keep_ended()
            await self._pipe.run(("DEL", MOVING))

    async def _wait_for_silence(self, found: int) -> None:
        """Wait until no server of the old version says that it is alive. Raises `ValueError` if one goes on doing so."""
        until = monotonic() + SILENT_AFTER
        while True:
            (alive,) = await self._pipe.run(Call(ALIVE, (OLD_SERVERS[found],)))
            if not alive:
                return
            if monotonic() >= until:
                many = f"{len(alive)} of an older version"
                raise ValueError(f"other tommy-servers still use it, {many}: stop them all, then start this one again")
            await asyncio.sleep(ASK_AGAIN)

    async def _take_over_clock(self, found: int) -> None:
        """The matches' clock goes on from the last time at which a server of the old version said that it was alive."""
        servers = OLD_SERVERS[found]
        (beat,) = await self._pipe.run(("GET", f"{servers}:beat"))
        if beat is not None:
            await self._pipe.run(("HSETNX", CLOCK, "now", beat))
        await self._pipe.run(Call(FENCE_SERVERS, (servers, f"{servers}:beat", f"{servers}:outages"), (MOVED,)))

    async def _keep_ended(self) -> None:
        """Have no ended match run out by Redis's clock: they are swept by that of the matches."""
        await self._pipe.run(("PERSIST", ENDED))
        page = []
        async for match in self._index.ended_matches():
            page.append(match)
            if len(page) == PAGE:
                await self._persist(page)
                page = []
        await self._persist(page)

    async def _persist(self, matches: Sequence[str]) -> None:
        fields = await self._pipe.run_each([("HKEYS", match_key(match)) for match in matches])
        keys = [key for match in matches for key in match_keys(match)]
        players = {player for names in fields for player in players_in(names)}
        keys += [key for player in players for key in (player_key(player), history_key(player))]
        await self._pipe.run_each([("PERSIST", key) for key in keys])

    async def _copy_all(self, *, move: bool) -> None:
        """Copy all there is under old keys, and if it is moved, leave nothing there."""
        async for page in self._old_keys():
            await asyncio.gather(*(self._copy(key, found, int(move)) for key, found in page))

    async def _old_keys(self) -> AsyncIterator[list[tuple[str, dict[str, Any]]]]:
        page = []
        async for key in self._client.scan_iter(match="tommy:*", count=1000):
            found = _OLD_KEY.fullmatch(key)
            if found is not None:
                page.append((key, found.groupdict()))
            if len(page) == PAGE:
                yield page
                page = []
        yield page

    async def _copy(self, key: str, found: dict[str, Any], move: int) -> None:
        if found["match"]:
            await self._copy_match(key, found["match"], move)
        elif found["family"]:
            old = f"tommy:{{rating:{found['family']}}}"
            keys = (old, f"{old}:top", f"{old}:rated", *rating_keys(found["family"]))
            await self._pipe.run(Call(COPY_RATINGS, keys, (move,)))
        elif found["player"]:
            await self._pipe.run(Call(COPY_PLAYER, (key, player_key(found["player"])), (move,)))
        elif found["house"]:
            await self._copy_house(key, move)
        elif move:
            await self._pipe.run(("DEL", key))

    async def _copy_match(self, key: str, match: str, move: int) -> None:
        """Copy a match, and have the lists name it before it is moved. They follow from the matches.

        Only the queues do not, and are left empty: those who waited on them had other keys, and cannot come back.
        """
        keys = (key, *(f"{key}:{log}" for log in range(3)), *match_keys(match, 3))
        (answer,) = await self._pipe.run(Call(COPY_MATCH, keys, (0,)))
        if answer is None:
            return
        fields = dict(zip(answer[::2], answer[1::2], strict=True))
        steps = [self._index.name_open(match, int(fields["due"]))]
        for field, at in fields.items():
            if field.startswith("seat:"):
                steps += self._index.name_seat(match, field.removeprefix("seat:"), int(at))
        await self._pipe.run(*steps)
        if "ended" in fields:
            await self._index.file(match)
        if move:
            await self._pipe.run(Call(COPY_MATCH, keys, (1,)))

    async def _copy_house(self, key: str, move: int) -> None:
        (secret,) = await self._pipe.run(("GET", key))
        if secret is not None:
            await self._pipe.run(("SET", HOUSE, secret))
        if move:
            await self._pipe.run(("DEL", key))

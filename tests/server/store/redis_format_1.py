"""A server of the version before on a Redis, as far as that Redis notices: it writes format 1 by the scripts of its time."""

import contextlib
import json
from typing import Any

import redis

WRITE = """
local match, keep = KEYS[1], ARGV[3]
local terms, ended = unpack(redis.call('HMGET', match, 'terms', 'ended'))
local known = terms ~= false
local last = {}
local i = 4
while i <= #ARGV do
  local what = ARGV[i]
  if what == 'create' then
    if known then return 'there is such a match already' end
    known = true
    i = i + 3
  elseif not known then
    return 'there is no such match'
  elseif what == 'append' then
    local log, n = tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
    if ended and log < 2 then return 'the match has ended' end
    last[log] = (last[log] or redis.call('LLEN', KEYS[log + 2])) + 1
    if n ~= last[log] then return 'entry ' .. n .. ' cannot come next in log ' .. log end
    i = i + 4
  elseif what == 'seat' then
    i = i + 3
  end
end
i = 4
while i <= #ARGV do
  local what = ARGV[i]
  if what == 'create' then
    redis.call('HSET', match, 'terms', ARGV[i + 1], 'due', ARGV[i + 2])
    i = i + 3
  elseif what == 'append' then
    redis.call('RPUSH', KEYS[tonumber(ARGV[i + 1]) + 2], ARGV[i + 3])
    i = i + 4
  elseif what == 'seat' then
    redis.call('HSET', match, 'seat:' .. ARGV[i + 1], ARGV[i + 2])
    i = i + 3
  end
end
redis.call('PUBLISH', ARGV[2], ARGV[1])
return ended and 2 or 1
"""
BEAT_ONCE = """
local previous = redis.call('GET', KEYS[2]) or '0'
redis.call('SET', KEYS[2], ARGV[2])
if math.abs(tonumber(ARGV[2]) - tonumber(previous)) > tonumber(ARGV[5]) then
  redis.call('RPUSH', KEYS[4], previous .. ' ' .. ARGV[2])
end
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('SET', KEYS[3], ARGV[3], 'PX', ARGV[4])
return 1
"""
SERVERS = "tommy:{servers}"


class OldServer:
    """What such a server does; each answers whether it succeeded, and would be told to a player."""

    def __init__(self, client: "redis.Redis | redis.RedisCluster", alive: int = 5000) -> None:
        self.client: Any = client
        self.alive = alive

    def starts(self) -> bool:
        """It looks at the format, as it does only now."""
        found = self.client.get("tommy:format")
        if found is not None and int(found) > 1:
            return False
        self.client.set("tommy:format", 1, nx=True)
        return True

    def beats(self, now: int) -> bool:
        keys = (SERVERS, f"{SERVERS}:beat", f"{SERVERS}:at:old", f"{SERVERS}:outages")
        return self._does(BEAT_ONCE, keys, ("old", now, "[]", self.alive, 4000))

    def stops(self) -> None:
        self.client.delete(f"{SERVERS}:at:old")
        self.client.srem(SERVERS, "old")

    def appends(self, match: str, log: int, n: int, entry: str) -> bool:
        return self._writes(match, "append", log, n, entry)

    def creates(self, match: str, player: str) -> bool:
        """Somebody waits in a new match. It is named in the list of the open ones first."""
        try:
            self.client.zadd("tommy:open", {match: 7}, lt=True)
        except redis.ResponseError:
            return False
        terms = {
            "match": match,
            "game": "sir-tommy",
            "clock": 900_000,
            "grace": 60_000,
            "listed": True,
            "secret": "5e" * 32,
            "created": 7,
            "outage": 1,
        }
        seated = f'7 {{"event":"seated","seat":0,"player":"{player}","name":"Ann","bot":null}}'
        return self._writes(match, "create", json.dumps(terms), 7, "seat", player, 7, "append", 2, 1, seated)

    def _writes(self, match: str, *writes: Any) -> bool:
        key = f"tommy:{{{match}}}"
        keys = (key, *(f"{key}:{log}" for log in range(3)))
        return self._does(WRITE, keys, ("old", f"tommy:news:{match}", "", *writes))

    def _does(self, script: str, keys: tuple[str, ...], values: tuple[Any, ...]) -> bool:
        with contextlib.suppress(redis.ResponseError):
            return bool(self.client.eval(script, len(keys), *keys, *values) == 1)
        return False

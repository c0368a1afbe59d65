"""What the Redis store has done in one step, on Redis's side, and under which keys it keeps what.

All keys of a match have its code for a hash tag, all keys of a player the player, so that a script finds them together
in a Redis Cluster, too. An entry's place in its list is its number: a log cannot have gaps.

    tommy:2:{CODE}                 hash: terms, seats, due, ended, and `seat:PLAYER` for each seat
    tommy:2:{CODE}:0  :1  :2 ...   lists: the logs, the match's own and the boards', each entry `TIME TEXT`
    tommy:2:open, tommy:2:ended    sorted sets: codes of matches, by when they are due, or when they ended
    tommy:2:player:{PLAYER}        hash: name, first, last
    tommy:2:seats:{PLAYER}         sorted set: codes of open matches, by when the seat was taken
    tommy:2:history:{PLAYER}       sorted set: codes of ended matches, by when they ended
    tommy:2:{rating:FAMILY}        hash: a rating as JSON for each player
    tommy:2:{rating:FAMILY}:top    sorted set: players by how strong they are at least
    tommy:2:{rating:FAMILY}:rated  sorted set: codes of matches that count, by when they ended
    tommy:2:{pair:PLAYER PLAYER}   sorted set: codes of the rated matches of two players, by when they ended
    tommy:2:waiting:GAME           list: `CODE BOT BOTS PLAYER`, who has waited longest first
    tommy:2:{servers}:clock        hash: `now` by the matches' clock at the last beat, and what Redis's own `wall` clock showed
    tommy:2:{servers}:alive        hash: when each server was last alive
    tommy:2:{servers}:races        hash: the races of each server, lines of JSON
    tommy:2:house                  the secret of the house bots
    tommy:format, tommy:moving     the format of all this; whether something is left of an older one

The 2 is that of the format which brought these keys; format 3 only has another clock. `redis_format` says how an older format
becomes this one.

Nothing that counts goes by Redis's own clock, which anybody may set: no key runs out but for lists of names that are of no
use to anybody in a month.
"""

from collections.abc import Iterable
from hashlib import sha1
from typing import NamedTuple

from server.events import MOST_SEATS

FORMAT = 3
PREFIX = "tommy:2:"
LOGS = MOST_SEATS + 1
"""How many logs a match can have."""
OPEN = f"{PREFIX}open"
ENDED = f"{PREFIX}ended"
SERVERS = f"{PREFIX}{{servers}}"
CLOCK = f"{SERVERS}:clock"
ALIVE = f"{SERVERS}:alive"
RACES = f"{SERVERS}:races"
HOUSE = f"{PREFIX}house"
FORMAT_KEY = "tommy:format"
MOVING = "tommy:moving"


def match_key(match: str) -> str:
    return f"{PREFIX}{{{match}}}"


def match_keys(match: str, logs: int = LOGS) -> tuple[str, ...]:
    """The keys of a match: its own, and its first logs."""
    key = match_key(match)
    return key, *[f"{key}:{log}" for log in range(logs)]


def player_key(player: str) -> str:
    return f"{PREFIX}player:{{{player}}}"


def seats_key(player: str) -> str:
    return f"{PREFIX}seats:{{{player}}}"


def history_key(player: str) -> str:
    return f"{PREFIX}history:{{{player}}}"


def waiting_key(game: str) -> str:
    return f"{PREFIX}waiting:{game}"


def rating_keys(family: str) -> tuple[str, str, str]:
    key = f"{PREFIX}{{rating:{family}}}"
    return key, f"{key}:top", f"{key}:rated"


def pair_key(players: Iterable[str]) -> str:
    return f"{PREFIX}{{pair:{' '.join(sorted(players))}}}"


def news_channel(match: str) -> str:
    return f"{PREFIX}news:{match}"


class Script(NamedTuple):
    """A script, and the name that Redis knows it by."""

    text: str
    sha: str

    @classmethod
    def of(cls, text: str) -> "Script":
        return cls(text, sha1(text.encode(), usedforsecurity=False).hexdigest())


WRITE = Script.of("""
-- Write all of this to a match, or none of it. What a script has written stays when it fails, so all is checked first.
-- KEYS: the match, its logs as far as they are needed. ARGV: who writes, where to tell it, the writes.
-- Returns why nothing is written, or 1, or 2 if the match has ended.
local match = KEYS[1]
local seats, ended = unpack(redis.call('HMGET', match, 'seats', 'ended'))
seats = tonumber(seats)
local last = {}
local function length(log)
  return last[log] or redis.call('LLEN', KEYS[log + 2])
end
local i = 3
while i <= #ARGV do
  local what = ARGV[i]
  if what == 'create' then
    if seats then return 'there is such a match already' end
    seats = tonumber(ARGV[i + 3])
    i = i + 4
  elseif not seats then
    return 'there is no such match'
  elseif what == 'append' then
    local log, n = tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
    if log < 0 or log > seats then return 'there is no log ' .. log end
    if ended and log > 0 then return 'the match has ended' end
    last[log] = length(log) + 1
    if n ~= last[log] then return 'entry ' .. n .. ' cannot come next in log ' .. log end
    i = i + 4
  elseif what == 'seat' then
    i = i + 3
  elseif what == 'end' then
    local boards = tonumber(ARGV[i + 2])
    if boards >= 0 and boards ~= seats then return 'there are not ' .. boards .. ' boards' end
    for log = 1, boards do
      if tonumber(ARGV[i + 2 + log]) ~= length(log) then
        return 'log ' .. log .. ' does not end with entry ' .. ARGV[i + 2 + log]
      end
    end
    ended = true
    i = i + 3 + math.max(boards, 0)
  else
    i = i + 2
  end
end

i = 3
while i <= #ARGV do
  local what = ARGV[i]
  if what == 'create' then
    redis.call('HSET', match, 'terms', ARGV[i + 1], 'due', ARGV[i + 2], 'seats', ARGV[i + 3])
    i = i + 4
  elseif what == 'append' then
    redis.call('RPUSH', KEYS[tonumber(ARGV[i + 1]) + 2], ARGV[i + 3])
    i = i + 4
  elseif what == 'seat' then
    redis.call('HSET', match, 'seat:' .. ARGV[i + 1], ARGV[i + 2])
    i = i + 3
  elseif what == 'due' then
    redis.call('HSET', match, 'due', ARGV[i + 1])
    i = i + 2
  elseif what == 'end' then
    redis.call('HSETNX', match, 'ended', ARGV[i + 1])
    i = i + 3 + math.max(tonumber(ARGV[i + 2]), 0)
  end
end
redis.call('PUBLISH', ARGV[2], ARGV[1])
return ended and 2 or 1
""")

READ = Script.of("""
-- A match as it is at one moment. KEYS: the match, its logs. ARGV: the numbers after which to read, log by log.
local terms, seats = unpack(redis.call('HMGET', KEYS[1], 'terms', 'seats'))
if not terms then return false end
local logs, numbers = {}, {}
for log = 1, seats + 1 do
  logs[log] = redis.call('LRANGE', KEYS[log + 1], ARGV[log] or 0, -1)
  numbers[log] = redis.call('LLEN', KEYS[log + 1])
end
return {terms, logs, numbers}
""")

MOVE_LATER = Script.of("""
-- Put a match further back, unless somebody has moved it. KEYS: the open matches. ARGV: match, where it was, where to.
if redis.call('ZSCORE', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1]) end
return 1
""")

DROP = Script.of("""
-- Take a match out, unless somebody has moved it. KEYS: where from. ARGV: match, where it was.
if redis.call('ZSCORE', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('ZREM', KEYS[1], ARGV[1]) end
return 1
""")

SEE = Script.of("""
-- A player has taken a seat. KEYS: the player, their seats. ARGV: match, name, time, how long seats are kept.
local at = tonumber(ARGV[3])
local first, last = unpack(redis.call('HMGET', KEYS[1], 'first', 'last'))
if not first or at < tonumber(first) then redis.call('HSET', KEYS[1], 'first', ARGV[3]) end
if not last or at > tonumber(last) then redis.call('HSET', KEYS[1], 'last', ARGV[3]) end
redis.call('HSET', KEYS[1], 'name', ARGV[2])
redis.call('PERSIST', KEYS[1])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return 1
""")

FILE = Script.of("""
-- A match of a player has ended. KEYS: the player, their seats, their history. ARGV: match, time.
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
return 1
""")

FORGET = Script.of("""
-- Nothing is left of a match of a player, and nothing of the player who has no other. KEYS as FILE. ARGV: match.
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
if redis.call('EXISTS', KEYS[2], KEYS[3]) == 0 then redis.call('DEL', KEYS[1]) end
return 1
""")

PAIR = Script.of("""
-- Who waits for a rival that suits? KEYS: the queue. ARGV: how long to keep the queue, the player's own match or '', and of
-- the player whether it is a bot, whether the rival may be one, and who it is.
local own, bot, bots = ARGV[2], ARGV[3], ARGV[4]
local mine = own == ''
for _, entry in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  local match, other_bot, other_bots, player = string.match(entry, '^(%S+) (%d) (%d) (.*)$')
  if player ~= ARGV[5] and bots >= other_bot and other_bots >= bot then return match end
  mine = mine or match == own
end
if not mine then
  redis.call('RPUSH', KEYS[1], table.concat({own, bot, bots, ARGV[5]}, ' '))
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return false
""")

OFFER = Script.of("""
-- Wait for a rival. KEYS and ARGV as PAIR.
for _, entry in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if string.match(entry, '^%S+') == ARGV[2] then return 1 end
end
redis.call('RPUSH', KEYS[1], table.concat(ARGV, ' ', 2))
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
""")

WITHDRAW = Script.of("""
-- Wait no more. KEYS: the queue. ARGV: match.
for _, entry in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if string.match(entry, '^%S+') == ARGV[1] then redis.call('LREM', KEYS[1], 0, entry) end
end
return 1
""")

NOTE_PAIR = Script.of("""
-- Note a match of two players, unless too many are. KEYS: theirs. ARGV: match, when it ended, up to when others are
-- forgotten, after and before when others count, how many may, how long to keep all this.
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 1 end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
if redis.call('ZCOUNT', KEYS[1], '(' .. ARGV[4], '(' .. ARGV[5]) >= tonumber(ARGV[6]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[7])
return 1
""")

RATE = Script.of("""
-- A match counts, once. KEYS: the family's ratings, top, rated. ARGV: match, when it ended, up to when others that count
-- may be forgotten, and for each player: who, the rating that was read or '', the one it is now, how strong at least.
if redis.call('ZSCORE', KEYS[3], ARGV[1]) then return 0 end
for i = 4, #ARGV, 4 do
  if (redis.call('HGET', KEYS[1], ARGV[i]) or '') ~= ARGV[i + 1] then return 'the ratings are others by now' end
end
for i = 4, #ARGV, 4 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 2])
  redis.call('ZADD', KEYS[2], ARGV[i + 3], ARGV[i])
end
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', '(' .. ARGV[3])
return 1
""")

TOP = Script.of("""
-- The strongest players. KEYS: the family's ratings, top. ARGV: how many.
local players = redis.call('ZREVRANGE', KEYS[2], 0, tonumber(ARGV[1]) - 1)
local ratings = {}
for _, player in ipairs(players) do table.insert(ratings, redis.call('HGET', KEYS[1], player)) end
return ratings
""")

BEAT = Script.of("""
-- A server is alive. KEYS: the clock, the servers, their races. ARGV: server, until when it vouches that matches were
-- served, its races, for how long a server counts as alive, what is no pause, and what may pass between two beats.
local now, seen = unpack(redis.call('HMGET', KEYS[1], 'now', 'wall'))
local time = redis.call('TIME')
local wall = time[1] * 1000 + math.floor(time[2] / 1000)
local passed = wall - (seen or wall)
local vouched, paused = tonumber(ARGV[2]), passed < 0 or passed > tonumber(ARGV[5])
if vouched == 0 and paused then redis.call('DEL', KEYS[2], KEYS[3]) end  -- a new server, and nobody was there
now = tonumber(now or wall)
local alive, others = {ARGV[1]}, redis.call('HGETALL', KEYS[2])
for i = 1, #others, 2 do
  if others[i] == ARGV[1] then
    -- it is anyway
  elseif others[i + 1] + ARGV[4] >= math.max(now, vouched) then
    table.insert(alive, others[i])
  else
    redis.call('HDEL', KEYS[2], others[i])
    redis.call('HDEL', KEYS[3], others[i])
  end
end
if #alive > 1 and passed >= 0 and passed <= tonumber(ARGV[6]) then now = now + passed end
now = math.max(now, vouched)
redis.call('HSET', KEYS[1], 'now', string.format('%d', now), 'wall', string.format('%d', wall))
redis.call('HSET', KEYS[2], ARGV[1], string.format('%d', now))
redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
return {string.format('%d', now), alive}
""")

RACES_OF_ALL = Script.of("""
-- The races of all servers, which are alive or have just been. KEYS: the races.
return redis.call('HGETALL', KEYS[1])
""")

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
    tommy:2:{servers}              set: servers; `tommy:2:{servers}:at:ID` is there while one is alive, and has its races
    tommy:2:{servers}:beat         the time of the last beat
    tommy:2:{servers}:outages      list: `SINCE UNTIL` of each outage
    tommy:2:house                  the secret of the house bots
    tommy:format, tommy:moving     the format of all this; whether something is left of an older one

The 2 is that of the format. Servers that know only an older one may run when there is a new one already: what they write
is written elsewhere, and misleads nobody. `redis_format` says how one becomes the other.
"""

from collections.abc import Iterable
from hashlib import sha1
from typing import NamedTuple

from server.events import MOST_SEATS

FORMAT = 2
PREFIX = f"tommy:{FORMAT}:"
LOGS = MOST_SEATS + 1
"""How many logs a match can have."""
OPEN = f"{PREFIX}open"
ENDED = f"{PREFIX}ended"
SERVERS = f"{PREFIX}{{servers}}"
BEAT = f"{SERVERS}:beat"
OUTAGES = f"{SERVERS}:outages"
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


def server_key(node: str) -> str:
    return f"{SERVERS}:at:{node}"


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
-- KEYS: the match, its logs as far as they are needed. ARGV: who writes, where to tell it, how long to keep an ended match
-- or '', the writes. Returns why nothing is written, or 1, or 2 if the match has ended.
local match, keep = KEYS[1], ARGV[3]
local seats, ended = unpack(redis.call('HMGET', match, 'seats', 'ended'))
seats = tonumber(seats)
local last = {}
local function length(log)
  return last[log] or redis.call('LLEN', KEYS[log + 2])
end
local i = 4
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

i = 4
while i <= #ARGV do
  local what = ARGV[i]
  if what == 'create' then
    redis.call('HSET', match, 'terms', ARGV[i + 1], 'due', ARGV[i + 2], 'seats', ARGV[i + 3])
    i = i + 4
  elseif what == 'append' then
    local log = KEYS[tonumber(ARGV[i + 1]) + 2]
    redis.call('RPUSH', log, ARGV[i + 3])
    if ARGV[i + 2] == '1' then
      local left = redis.call('PTTL', match)
      if left > 0 then redis.call('PEXPIRE', log, left) end
    end
    i = i + 4
  elseif what == 'seat' then
    redis.call('HSET', match, 'seat:' .. ARGV[i + 1], ARGV[i + 2])
    i = i + 3
  elseif what == 'due' then
    redis.call('HSET', match, 'due', ARGV[i + 1])
    i = i + 2
  elseif what == 'end' then
    if redis.call('HSETNX', match, 'ended', ARGV[i + 1]) == 1 and keep ~= '' then
      for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, keep) end
    end
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

CLOCK = Script.of("""
-- What time it is, always by the same server's clock. KEYS: some key that is that server's.
return redis.call('TIME')
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
-- A match of a player has ended. KEYS: the player, their seats, their history. ARGV: match, time, and if ended matches
-- are not kept for ever, how long they are, and which of the player's are too old because of this one.
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
if ARGV[3] then
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', '(' .. ARGV[4])
  redis.call('PEXPIRE', KEYS[3], ARGV[3])
  if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
end
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

BEAT_ONCE = Script.of("""
-- A server is alive. KEYS: the servers, the last beat, this server, the outages.
-- ARGV: server, time, its races, how long it counts, what is no outage, how many outages it knows.
local previous = redis.call('GET', KEYS[2]) or '0'
redis.call('SET', KEYS[2], ARGV[2])
if math.abs(tonumber(ARGV[2]) - tonumber(previous)) > tonumber(ARGV[5]) then
  redis.call('RPUSH', KEYS[4], previous .. ' ' .. ARGV[2])
end
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('SET', KEYS[3], ARGV[3], 'PX', ARGV[4])
local alive = {}
for _, server in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if redis.call('EXISTS', KEYS[1] .. ':at:' .. server) == 1 then
    table.insert(alive, server)
  else
    redis.call('SREM', KEYS[1], server)
  end
end
return {alive, redis.call('LRANGE', KEYS[4], ARGV[6], -1)}
""")

RACES = Script.of("""
-- The races of all servers but one. KEYS: the servers. ARGV: server.
local races = {}
for _, server in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local lines = server ~= ARGV[1] and redis.call('GET', KEYS[1] .. ':at:' .. server)
  if lines then table.insert(races, lines) end
end
return races
""")

-- push.lua: add jobs of one shard.
--
-- A key that waits already keeps its run-at and takes the payload in; an equal
-- payload keeps the smaller score. A key in flight gets a waiting entry that
-- becomes due when the key is settled. The bell rings only when the new head is
-- earlier than the old one: an owner that has not caught up looks again anyway.
--
-- KEYS[1]  zset    due: key, scored by run-at in unix ms
-- KEYS[2]  hash    jobs: key -> "score;length;payload", or "*" = see more
-- KEYS[3]  hash    busy: key -> delivery in flight
-- KEYS[4]  hash    wait: key in flight -> run-at of what waits behind it
-- KEYS[5]  hash    again: key -> times delivered without a known outcome
-- KEYS[6]  prefix  more: + key is a zset, payload scored by score
-- ARGV[1]  channel that wakes the owner
-- ARGV[2]  shard number, the message on it
-- ARGV[3]  number n of jobs, at most 400
-- ARGV[4..] n times: key, run-at, "score;length;payload"; then keys to mark as redelivered
--
-- Returns the number of jobs whose key was not waiting before.

local due, jobs, busy, wait, again, more = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local channel, shard, n = ARGV[1], ARGV[2], tonumber(ARGV[3])
local first = 4

local keys = {}
for i = 1, n do
  keys[i] = ARGV[first + 3 * (i - 1)]
end
local waiting = redis.call("HMGET", jobs, unpack(keys))
local flying = redis.call("HMGET", busy, unpack(keys))

local function split(item)
  local a = string.find(item, ";", 1, true)
  local b = string.find(item, ";", a + 1, true)
  return string.sub(item, 1, a - 1), string.sub(item, b + 1)
end

local function put(key, score, payload, item)
  local old = redis.call("HGET", jobs, key)
  if not old then
    redis.call("HSET", jobs, key, item)
  elseif old == "*" then
    redis.call("ZADD", more .. key, "LT", score, payload)
  else
    local score0, payload0 = split(old)
    if payload0 ~= payload or score0 ~= score then
      redis.call("ZADD", more .. key, score0, payload0)
      redis.call("ZADD", more .. key, "LT", score, payload)
      redis.call("HSET", jobs, key, "*")
    end
  end
end

local seen, fresh, ready, later, merge, soonest = {}, {}, {}, {}, {}, nil
for i = 1, n do
  local key, at = keys[i], ARGV[first + 3 * i - 2]
  if waiting[i] or seen[key] then
    merge[#merge + 1] = i
  else
    seen[key] = true
    fresh[#fresh + 1] = key
    fresh[#fresh + 1] = ARGV[first + 3 * i - 1]
    local list, a, b = ready, at, key
    if flying[i] then
      list, a, b = later, key, at
    elseif not soonest or tonumber(at) < tonumber(soonest) then
      soonest = at
    end
    list[#list + 1] = a
    list[#list + 1] = b
  end
end

if #fresh > 0 then
  redis.call("HSET", jobs, unpack(fresh))
end
if #later > 0 then
  redis.call("HSET", wait, unpack(later))
end
if #ready > 0 then
  local before = redis.call("ZCOUNT", due, "-inf", soonest)
  redis.call("ZADD", due, unpack(ready))
  if before == 0 then
    redis.call("PUBLISH", channel, shard)
  end
end
for _, i in ipairs(merge) do
  local item = ARGV[first + 3 * i - 1]
  local score, payload = split(item)
  put(keys[i], score, payload, item)
end
for i = first + 3 * n, #ARGV do
  redis.call("HSETNX", again, ARGV[i], "1")
end
return #fresh / 2

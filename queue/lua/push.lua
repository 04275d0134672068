-- push.lua: add jobs of one shard.
--
-- A key that waits already keeps its run-at and takes the payload in; an equal
-- payload keeps the smaller score. A key in flight gets a waiting entry that
-- becomes due when the key is settled. A job for now joins the line, which keeps
-- the order of run-at, and its body says so with a "!"; any other is in due. A
-- closed shard refuses keys it does not have. The bell rings only when nothing
-- was due before: an owner that has not caught up looks again anyway. Marks and
-- places come before the payloads: what dies in between leaves places of no key,
-- which fetch drops.
--
-- KEYS[1]  zset    due: key, scored by run-at in unix ms
-- KEYS[2]  hash    jobs: key -> ["!"] "score;length;payload", or ["!"] "*" = see more
-- KEYS[3]  hash    busy: key -> delivery in flight
-- KEYS[4]  hash    wait: key in flight -> run-at of what waits behind it
-- KEYS[5]  hash    again: key -> times delivered without a known outcome
-- KEYS[6]  prefix  more: + key is a zset, payload scored by score
-- KEYS[7]  list    line: "run-at;key", rising, run-at of 13 digits
-- KEYS[8]  string  gate: "open" or "closed"
-- ARGV[1]  channel that wakes the owner
-- ARGV[2]  name of the shard, the message on it
-- ARGV[3]  what the gate is when Redis knows none: "open" or ""
-- ARGV[4]  time in unix ms
-- ARGV[5]  number n of jobs, at most 400
-- ARGV[6..] n times: key, run-at, "score;length;payload"; then keys to mark as redelivered
--
-- Returns {-2} if the shard is unknown, else {keys that did not wait before,
-- number of each job refused, from 1}.

local due, jobs, busy, wait = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local again, more, line = KEYS[5], KEYS[6], KEYS[7]
local channel, shard, now, n = ARGV[1], ARGV[2], tonumber(ARGV[4]), tonumber(ARGV[5])
local first = 6
local gate = redis.call("GET", KEYS[8]) or ARGV[3]
if gate == "" then
  return {-2}
end

local keys = {}
for i = 1, n do
  keys[i] = ARGV[first + 3 * (i - 1)]
end
local waiting = redis.call("HMGET", jobs, unpack(keys))
local flying = redis.call("EXISTS", busy) == 1 and redis.call("HMGET", busy, unpack(keys)) or {}

local last = redis.call("LINDEX", line, -1)
local idle = not last
last = last and tonumber(string.sub(last, 1, 13)) or 0
local known, fresh, ready, queued, later = {}, {}, {}, {}, {}
local f, q = 0, 0
local out, refused, soonest = {0}, {}, nil
for i = 1, n do
  local key, text, item = keys[i], ARGV[first + 3 * i - 2], ARGV[first + 3 * i - 1]
  if gate == "closed" and not waiting[i] and not flying[i] then
    out[#out + 1], refused[key] = i, true
  elseif waiting[i] or known[key] then
    known[key] = known[key] or waiting[i]
    join(key, split(item))
  else
    local at = text == ARGV[4] and now or tonumber(text)
    if flying[i] then
      later[#later + 1], later[#later + 2] = key, text
    elseif at <= now and last - at <= 100 and #text == 13 then
      if at < last then text = string.format("%.0f", last) else last = at end
      q = q + 1
      queued[q] = text .. ";" .. key
      item = "!" .. item
    else
      ready[#ready + 1], ready[#ready + 2] = text, key
      if not soonest or at < tonumber(soonest) then soonest = text end
    end
    fresh[f + 1], fresh[f + 2] = key, item
    known[key], f = item, f + 2
  end
end

local ring = idle and q > 0
if ring then
  ring = redis.call("ZCOUNT", due, "-inf", ARGV[4]) == 0
elseif idle and soonest then
  ring = redis.call("ZCOUNT", due, "-inf", soonest) == 0
end
local planned = plan(jobs, more, known)

for i = first + 3 * n, #ARGV do
  if not refused[ARGV[i]] then redis.call("HSETNX", again, ARGV[i], "1") end
end
write(later, "HSET", wait)
write(ready, "ZADD", due)
write(queued, "RPUSH", line)
write(fresh, "HSET", jobs)
store(planned, jobs, more, again)
if ring then
  redis.call("PUBLISH", channel, shard)
end
out[1] = f / 2
return out

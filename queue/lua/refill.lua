-- refill.lua: record for some keys whether the caller has more jobs.
--
-- A key with more jobs waits in limits until at most half of its limit waits. If that is already
-- true, the key stays in wanted, after all others. A key without more jobs leaves wanted. A key
-- that has refused a job since it entered wanted counts as a key with more jobs. A closed shard
-- returns the keys that it does not have, which belong to the newer layout. A key is in its next
-- place before it leaves the last one; after a crash in between, the caller reports it again.
--
-- KEYS[1]  string  gate: "open" or "closed"
-- KEYS[2]  hash    jobs: key -> ["!"] "score;length;payload", or ["!"] "*" = see payloads
-- KEYS[3]  hash    busy: key -> delivery in flight
-- KEYS[4]  prefix  payloads: + key is a zset, payload scored by score
-- KEYS[5]  hash    limits: key that has refused a job -> its limit
-- KEYS[6]  zset    wanted: key that has refused jobs and has room, scored by unix ms
-- ARGV[1]  state of a missing gate: "open" or ""
-- ARGV[2]  time in unix ms
-- ARGV[3]  channel that reports wanted keys
-- ARGV[4..] pairs to the end: key, its limit or 0 = the caller has no more jobs
--
-- Returns {0, keys of another layout ...}, or {-2} if the shard is unknown.

local jobs, busy, payloads, limits, wanted = KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local first, now = 4, ARGV[2]
local gate = redis.call("GET", KEYS[1]) or ARGV[1]
if gate == "" then
  return {-2}
end

local function waiting(key, body)
  if not body then return 0 end
  return (body == "*" or body == "!*") and redis.call("ZCARD", payloads .. key) or 1
end

local out, seen, notify = {0}, {}, false
local limited, stay, unlimited, leave = {}, {}, {}, {}
local function note(key, given)
  local body, inside = redis.call("HGET", jobs, key), redis.call("ZSCORE", wanted, key)
  if gate == "closed" and not body and redis.call("HEXISTS", busy, key) == 0 then
    out[#out + 1], leave[#leave + 1], unlimited[#unlimited + 1] = key, key, key
    return
  end
  local limit = given ~= "0" and given or redis.call("HGET", limits, key)
  if limit and waiting(key, body) <= tonumber(limit) / 2 then
    stay[#stay + 1], stay[#stay + 2] = now, key
    unlimited[#unlimited + 1] = key
    notify = notify or not inside
    return
  end
  if given ~= "0" then limited[#limited + 1], limited[#limited + 2] = key, given end
  leave[#leave + 1] = key
end
for i = first, #ARGV, 2 do
  if not seen[ARGV[i]] then note(ARGV[i], ARGV[i + 1]) end
  seen[ARGV[i]] = true
end

redis.call("HDEL", limits, "") -- removes nothing, so that a full Redis accepts the next writes
write(limited, "HSET", limits)
write(stay, "ZADD", wanted)
write(unlimited, "HDEL", limits)
write(leave, "ZREM", wanted)
if notify then
  redis.call("PUBLISH", ARGV[3], "")
end
return out

-- requeue.lua: move dead payloads back to the queue, to run now as if they had never failed.
--
-- They join the waiting payloads of their key; of equal payloads the smaller score is kept. The key
-- is due now, its retry count starts again, and it is marked as redelivered, since it has run. A
-- call moves a slice of a key with very many payloads.
--
-- KEYS[1]  zset    due: key, scored by run-at in unix ms
-- KEYS[2]  hash    jobs: key -> ["!"] "score;length;payload", or ["!"] "*" = see payloads
-- KEYS[3]  hash    busy: key -> delivery in flight
-- KEYS[4]  hash    wait: key in flight -> run-at of its waiting payloads
-- KEYS[5]  zset    retries: key, scored by retry count when not -1
-- KEYS[6]  zset    morgue: key, scored by time of its last death in unix ms
-- KEYS[7]  hash    morgue errors: key -> text of its last error
-- KEYS[8]  prefix  payloads: + key is a zset, payload scored by score
-- KEYS[9]  prefix  dead_payloads: + key is a zset, payload scored by score
-- KEYS[10] hash    redeliveries: key -> times delivered without a known outcome
-- ARGV[1]  time in unix ms
-- ARGV[2]  most keys to move, the longest dead first; 0 = the keys that follow
-- ARGV[3]  channel that wakes the owner
-- ARGV[4]  name of the shard, the message on it
-- ARGV[5..] keys to the end
--
-- Returns {keys moved, keys left for the next call}.

local due, jobs, busy, wait, retries = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local morgue, dead_errors, payloads, dead_payloads, redeliveries = KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10]
local now, budget = ARGV[1], 1000

local first = 5
local keys = chosen(morgue, tonumber(ARGV[2]), first)
local known, moved, some, whole, soon, behind = {}, {}, {}, {}, {}, {}
local back, left = 0, 0
local function rise(key)
  local list = budget > 0 and redis.call("ZRANGE", dead_payloads .. key, 0, budget - 1, "WITHSCORES") or {}
  for i = 1, #list, 2 do
    join(key, list[i + 1], list[i])
  end
  local n = #list / 2
  budget = budget - n
  if redis.call("ZCARD", dead_payloads .. key) > n then
    left = left + 1
  else
    whole[#whole + 1] = key
    if n > 0 then back = back + 1 end
  end
  if n == 0 then return end
  some[#some + 1], moved[#moved + 1] = key, {key, n}
  known[key] = redis.call("HGET", jobs, key)
  if redis.call("HEXISTS", busy, key) == 1 then
    behind[#behind + 1], behind[#behind + 2] = key, now
  elseif not known[key] or string.byte(known[key], 1) ~= 33 then -- not in the ready list, where it would be due
    soon[#soon + 1], soon[#soon + 2] = now, key
  end
end
for _, key in ipairs(keys) do
  if known[key] == nil then rise(key) end
end
local planned = plan(jobs, payloads, known)

for _, key in ipairs(some) do
  redis.call("HSETNX", redeliveries, key, "1")
end
write(behind, "HSET", wait)
write(soon, "ZADD", due)
store(planned, jobs, payloads, redeliveries)
write(some, "ZREM", retries)
for _, one in ipairs(moved) do
  redis.call("ZREMRANGEBYRANK", dead_payloads .. one[1], 0, one[2] - 1)
end
write(whole, "HDEL", dead_errors)
write(whole, "ZREM", morgue)
redis.call("PUBLISH", ARGV[3], ARGV[4])
return {back, left}

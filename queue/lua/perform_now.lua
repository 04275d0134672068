-- perform_now.lua: make those of the given keys due that wait for a later time.
--
-- KEYS[1]  zset    due: key, scored by run-at in unix ms
-- KEYS[2]  hash    wait: key in flight -> run-at of its waiting payloads
-- ARGV[1]  time in unix ms; later keys are made due
-- ARGV[2]  channel that wakes the owner
-- ARGV[3]  name of the shard, the message on it
-- ARGV[4..] keys to the end
--
-- Returns {keys made due, 0}.

local due, wait, now = KEYS[1], KEYS[2], tonumber(ARGV[1])
local first = 4

local soon, behind = {}, {}
for i = first, #ARGV do
  local key = ARGV[i]
  local at, after = redis.call("ZSCORE", due, key), redis.call("HGET", wait, key)
  if at and number(at) > now then
    soon[#soon + 1], soon[#soon + 2] = ARGV[1], key
  end
  if after and number(after) > now then
    behind[#behind + 1], behind[#behind + 2] = key, ARGV[1]
  end
end

redis.call("HDEL", wait, "") -- removes nothing, so that a full Redis accepts the next writes
write(soon, "ZADD", due)
write(behind, "HSET", wait)
local n = (#soon + #behind) / 2
if n > 0 then
  redis.call("PUBLISH", ARGV[2], ARGV[3])
end
return {n, 0}

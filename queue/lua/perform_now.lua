-- perform_now.lua: make those of the given keys due that wait for a later time.
--
-- KEYS[1]  zset    due: key, scored by run-at in unix ms
-- KEYS[2]  hash    wait: key in flight -> run-at of its waiting payloads
-- ARGV[1]  time in unix ms; later keys are made due
-- ARGV[2]  channel that wakes the owner
-- ARGV[3]  name of the shard, the message on it
-- ARGV[4]  "1" = a key is made due only if it still has the run-at that follows it
-- ARGV[5..] keys to the end, each with a run-at if ARGV[4] is "1"
--
-- Returns {keys made due, 0}.

local due, wait, now, paired = KEYS[1], KEYS[2], tonumber(ARGV[1]), ARGV[4] == "1"
local first, step = 5, paired and 2 or 1

local soon, behind = {}, {}
for i = first, #ARGV, step do
  local key = ARGV[i]
  local function later(at) return at and number(at) > now and (not paired or number(at) == number(ARGV[i + 1])) end
  if later(redis.call("ZSCORE", due, key)) then
    soon[#soon + 1], soon[#soon + 2] = ARGV[1], key
  end
  if later(redis.call("HGET", wait, key)) then
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

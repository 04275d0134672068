-- summon.lua: make the named keys due that wait for later.
--
-- KEYS[1]  zset    due: key, scored by run-at in unix ms
-- KEYS[2]  hash    wait: key in flight -> run-at of what waits behind it
-- ARGV[1]  time in unix ms: what is due later is made due
-- ARGV[2]  channel that wakes the owner
-- ARGV[3]  name of the shard, the message on it
-- ARGV[4…] keys
--
-- Returns {keys made due, 0}.

local due, wait, now = KEYS[1], KEYS[2], tonumber(ARGV[1])

local n = 0
for i = 4, #ARGV do
  local at, behind = redis.call("ZSCORE", due, ARGV[i]), redis.call("HGET", wait, ARGV[i])
  if at and tonumber(at) > now then
    redis.call("ZADD", due, ARGV[1], ARGV[i])
    n = n + 1
  end
  if behind and tonumber(behind) > now then
    redis.call("HSET", wait, ARGV[i], ARGV[1])
    n = n + 1
  end
end
if n > 0 then
  redis.call("PUBLISH", ARGV[2], ARGV[3])
end
return {n, 0}

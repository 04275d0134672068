-- take.lua: take a permit of a limit, or record that its key was refused.
--
-- A permit ends when it is given back, or with its lease if its process died. A limit bounds the
-- permits at one time, and the permits taken within each span of the given length. All times except
-- run-ats are by the clock of Redis. A refused key gets a time to come back, so that few keys come at
-- once: 100 a second, or a quarter more than the rate. give.lua makes it due earlier. A repeated call
-- with a permit that was taken returns {0} again. The first write only removes, so that a full Redis
-- accepts the others.
--
-- KEYS[1]  zset  permits: permit, scored by the end of its lease in unix ms
-- KEYS[2]  zset  starts: permit, scored by the time it was taken, within the span
-- KEYS[3]  zset  refused: key, scored by the time when it comes back; negative = chosen
-- KEYS[4]  hash  run-ats: refused key -> run-at with which its caller puts it back
-- ARGV[1]  permit
-- ARGV[2]  key
-- ARGV[3]  most permits at one time, 0 = no bound
-- ARGV[4]  most permits within the span, 0 = no bound
-- ARGV[5]  span in ms
-- ARGV[6]  lease in ms
-- ARGV[7]  time of the caller in unix ms
--
-- Returns {0} if the permit was taken, else {ms until the key should come back}. Its run-at is then
-- this number of ms after ARGV[7].

local permits, starts, refused, run_ats = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local most, rate, span = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local lease, slowest, grace = tonumber(ARGV[6]), 60000, 10000
local now = clock()
if redis.call("ZSCORE", permits, ARGV[1]) or redis.call("ZSCORE", starts, ARGV[1]) then
  return {0}
end

local waiting = redis.call("ZCOUNT", refused, whole(now - grace), "+inf")
local pause = 0
if most > 0 and redis.call("ZCOUNT", permits, after(now), "+inf") >= most then
  pause = math.max(500, 10 * waiting)
end
local started = rate > 0 and redis.call("ZCOUNT", starts, after(now - span), "+inf") or 0
if rate > 0 and started >= rate then
  local first = redis.call("ZRANGEBYSCORE", starts, after(now - span), "+inf",
    "WITHSCORES", "LIMIT", started - rate, 1)
  local free = number(first[2]) + span - now
  pause = math.max(pause, math.ceil(free + waiting * 0.8 * span / rate))
end
local last = redis.call("ZRANGE", permits, -1, -1, "WITHSCORES")[2]

if pause > 0 then
  if pause > slowest then pause = slowest - waiting % (slowest / 2) end
  local gone = redis.call("ZRANGEBYSCORE", refused, whole(grace - now), whole(now - grace), "LIMIT", 0, 100)
  redis.call("HDEL", run_ats, "")
  write(gone, "ZREM", refused)
  write(gone, "HDEL", run_ats)
  redis.call("ZADD", refused, whole(now + pause), ARGV[2])
  redis.call("HSET", run_ats, ARGV[2], whole(tonumber(ARGV[7]) + pause))
  redis.call("PEXPIRE", refused, slowest + grace)
  redis.call("PEXPIRE", run_ats, slowest + grace)
  return {pause}
end
redis.call("ZREM", refused, ARGV[2])
redis.call("HDEL", run_ats, ARGV[2])
if most > 0 then
  redis.call("ZREMRANGEBYSCORE", permits, "-inf", whole(now))
  redis.call("ZADD", permits, whole(now + lease), ARGV[1])
  redis.call("PEXPIRE", permits, whole(math.max(lease, last and number(last) - now or 0)))
end
if rate > 0 then
  redis.call("ZREMRANGEBYSCORE", starts, "-inf", whole(now - span))
  redis.call("ZADD", starts, whole(now), ARGV[1])
  redis.call("PEXPIRE", starts, span)
end
return {0}

-- give.lua: give a permit back, and choose refused keys that may come back at once.
--
-- It chooses the keys that would come back first, as many as there is room for. The caller makes a
-- chosen key due if the key still has the returned run-at. With another run-at, the key waits for
-- something else, such as a retry. A chosen key has the negative time of the choice as its score,
-- until it requests a permit again. A repeated call gives nothing back and chooses further keys.
--
-- KEYS[1]  zset  permits: permit, scored by the end of its lease in unix ms
-- KEYS[2]  zset  starts: permit, scored by the time it was taken, within the span
-- KEYS[3]  zset  refused: key, scored by the time when it comes back; negative = chosen
-- KEYS[4]  hash  run-ats: refused key -> run-at with which its caller puts it back
-- ARGV[1]  permit
-- ARGV[2]  most permits at one time, 0 = no bound
-- ARGV[3]  most permits within the span, 0 = no bound
-- ARGV[4]  span in ms
-- ARGV[5]  "1" = nothing was started with the permit, so it leaves the span, too
--
-- Returns the chosen keys, at most 100, each with its run-at.

local permits, starts, refused, run_ats = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local most, rate, span, unused = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5] == "1"
local now, room = clock(), 100
if most > 0 then
  local taken = redis.call("ZCOUNT", permits, after(now), "+inf")
  local own = redis.call("ZSCORE", permits, ARGV[1])
  if own and number(own) > now then taken = taken - 1 end
  room = math.min(room, most - taken)
end
if rate > 0 then
  local started = redis.call("ZCOUNT", starts, after(now - span), "+inf")
  if unused and redis.call("ZSCORE", starts, ARGV[1]) then started = started - 1 end
  room = math.min(room, rate - started)
end
local keys = {}
if room > 0 then
  keys = redis.call("ZRANGEBYSCORE", refused, after(now - 10000), "+inf", "LIMIT", 0, room)
end
local chosen, found = {}, {}
for _, key in ipairs(keys) do
  chosen[#chosen + 1], chosen[#chosen + 2] = whole(-now), key
  found[#found + 1], found[#found + 2] = key, redis.call("HGET", run_ats, key) or "0"
end

redis.call("ZREM", permits, ARGV[1])
if unused then redis.call("ZREM", starts, ARGV[1]) end
write(chosen, "ZADD", refused)
return found

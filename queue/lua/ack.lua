-- ack.lua: forget keys whose only payload is done.
--
-- A key whose delivery number is not the one in flight is passed over, so that a
-- repeated ack cannot end a later delivery. What came in meanwhile becomes due.
--
-- KEYS[1]  string  lease: "<node>:<token>"
-- KEYS[2]  zset    due: key, scored by run-at in unix ms
-- KEYS[3]  hash    busy: key -> "seq;run-at;retry;again;crashes;" and its payloads
-- KEYS[4]  hash    wait: key in flight -> run-at of what waits behind it
-- KEYS[5]  hash    errors: key -> text of its last error
-- KEYS[6]  hash    stats: processed, failed
-- ARGV[1]  lease value of the caller
-- ARGV[2]  number n of keys
-- ARGV[3..] n keys, then as many delivery numbers with ";" behind each
--
-- Returns {-1} if the lease was lost, else {keys forgotten, keys made due}.

local lease, due, busy, wait, errors, stats = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
if redis.call("GET", lease) ~= ARGV[1] then
  return {-1}
end

local waited = redis.call("EXISTS", wait) == 1
local failed = redis.call("EXISTS", errors) == 1
local first, n, done, moved = 3, tonumber(ARGV[2]), 0, 0
for from = first, first + n - 1, 200 do
  local to, gone, g = math.min(from + 199, first + n - 1), {}, 0
  local held = redis.call("HMGET", busy, unpack(ARGV, from, to))
  for i = from, to do
    local seq, record = ARGV[i + n], held[i - from + 1]
    if record and string.sub(record, 1, #seq) == seq then
      g = g + 1
      gone[g] = ARGV[i]
    end
  end
  if g > 0 then
    redis.call("HDEL", busy, unpack(gone))
    if failed then
      redis.call("HDEL", errors, unpack(gone))
    end
    for i, at in ipairs(waited and redis.call("HMGET", wait, unpack(gone)) or {}) do
      if at then
        redis.call("HDEL", wait, gone[i])
        redis.call("ZADD", due, at, gone[i])
        moved = moved + 1
      end
    end
    done = done + g
  end
end
if done > 0 then
  redis.call("HINCRBY", stats, "processed", done)
end
return {done, moved}

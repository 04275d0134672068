-- ack.lua: remove keys whose only payload is done.
--
-- A key with another delivery number in flight is skipped, so a repeated ack cannot end a later
-- delivery. Payloads pushed meanwhile become due. The first write frees memory or does nothing, so
-- that the script also runs in a full Redis. A key becomes due before it leaves flight. After a
-- crash in between, the caller acks again.
--
-- KEYS[1]  string  lease: "<node>:<token>"
-- KEYS[2]  zset    due: key, scored by run-at in unix ms
-- KEYS[3]  hash    busy: key -> "seq;run-at;retry;redeliveries;crashes;" ["!"] and its payloads
-- KEYS[4]  hash    wait: key in flight -> run-at of its waiting payloads
-- KEYS[5]  hash    errors: key -> text of its last error
-- KEYS[6]  hash    stats: processed, failed
-- ARGV[1]  lease value of the caller
-- ARGV[2]  number n of keys
-- ARGV[3..] n keys, then as many delivery numbers each followed by ";"
--
-- Returns {-1} if the lease was lost, else {keys removed, keys made due}.

local lease, due, busy, wait, errors, stats = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
if redis.call("GET", lease) ~= ARGV[1] then
  return {-1}
end

local first, n, gone, g = 3, tonumber(ARGV[2]), {}, 0
for from = first, first + n - 1, 200 do
  local to = math.min(from + 199, first + n - 1)
  local held = redis.call("HMGET", busy, unpack(ARGV, from, to))
  for i = from, to do
    local seq, record = ARGV[i + n], held[i - from + 1]
    if record and string.sub(record, 1, #seq) == seq then
      g = g + 1
      gone[g] = ARGV[i]
    end
  end
end
if g == 0 then
  return {0, 0}
end

local behind, soon = {}, {}
if redis.call("EXISTS", wait) == 1 then
  for i = 1, g do
    local at = redis.call("HGET", wait, gone[i])
    if at then
      behind[#behind + 1] = gone[i]
      soon[#soon + 1], soon[#soon + 2] = at, gone[i]
    end
  end
end
local failed = redis.call("EXISTS", errors) == 1

if failed then
  write(gone, "HDEL", errors)
elseif #soon > 0 then
  redis.call("HDEL", errors, "")
end
write(soon, "ZADD", due)
write(behind, "HDEL", wait)
write(gone, "HDEL", busy)
redis.call("HINCRBY", stats, "processed", g)
return {g, #behind}

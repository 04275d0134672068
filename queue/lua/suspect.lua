-- suspect.lua: record that a handler starts on a suspect: a key that was in flight when its last
-- owner died.
--
-- KEYS[1]  string  lease: "<node>:<token>"
-- KEYS[2]  hash    busy: key -> "seq;run-at;retry;redeliveries;crashes;" ["!"] and its payloads
-- ARGV[1]  lease value of the caller
-- ARGV[2]  key
-- ARGV[3]  delivery number followed by ";"
-- ARGV[4]  number of this start; a repetition changes nothing
--
-- Returns {-1} if the lease was lost, {0} if the delivery is not in flight, else {1}.

if redis.call("GET", KEYS[1]) ~= ARGV[1] then
  return {-1}
end
local held = redis.call("HGET", KEYS[2], ARGV[2])
if not held or string.sub(held, 1, #ARGV[3]) ~= ARGV[3] then
  return {0}
end
local from, to = 0, 0 -- of the fifth number; a pattern would recurse over each byte behind it
for _ = 1, 5 do
  from = to + 1
  to = string.find(held, ";", from, true)
end
local record = string.sub(held, 1, from - 1) .. ARGV[4] .. string.sub(held, to)
redis.call("HDEL", KEYS[2], "") -- removes nothing, so that a full Redis accepts the next writes
redis.call("HSET", KEYS[2], ARGV[2], record)
return {1}

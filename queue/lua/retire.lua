-- retire.lua: forget the older cut of a queue, keeping what it has counted. The cut
-- goes first: what dies in between loses figures, and counts nothing twice.
--
-- KEYS[1]  hash    layout: old_cut, old_shards, processed, failed
-- ARGV[1]  older cut
-- ARGV[2]  payloads it has processed
-- ARGV[3]  attempts that failed in it
--
-- Returns 1 if forgotten, 0 if it was before.

if redis.call("HGET", KEYS[1], "old_cut") ~= ARGV[1] then
  return 0
end
redis.call("HDEL", KEYS[1], "old_cut", "old_shards")
redis.call("HINCRBY", KEYS[1], "processed", ARGV[2])
redis.call("HINCRBY", KEYS[1], "failed", ARGV[3])
return 1

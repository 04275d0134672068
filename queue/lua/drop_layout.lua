-- drop_layout.lua: remove the older layout of a queue, and keep its counts. The layout is removed first:
-- a crash in between loses counts, and counts nothing twice.
--
-- KEYS[1]  hash    layout: old_generation, old_shards, processed, failed
-- ARGV[1]  number of the older layout
-- ARGV[2]  payloads processed in it
-- ARGV[3]  attempts that failed in it
--
-- Returns 1 if removed, 0 if it was removed before.

if redis.call("HGET", KEYS[1], "old_generation") ~= ARGV[1] then
  return 0
end
redis.call("HDEL", KEYS[1], "old_generation", "old_shards")
redis.call("HINCRBY", KEYS[1], "processed", ARGV[2])
redis.call("HINCRBY", KEYS[1], "failed", ARGV[3])
return 1

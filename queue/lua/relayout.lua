-- relayout.lua: change the number of shards of a queue.
--
-- KEYS[1]  hash    layout: generation, shards, old_generation, old_shards
-- ARGV[1]  number of the current layout
-- ARGV[2]  shards of the next layout
--
-- Returns 1 if done, 0 if another layout is current, or if keys are still moving from the previous
-- one.

local l = redis.call("HMGET", KEYS[1], "generation", "shards", "old_shards")
if (l[1] or "0") ~= ARGV[1] or l[3] then
  return 0
end
redis.call("HSET", KEYS[1], "generation", tonumber(ARGV[1]) + 1, "shards", ARGV[2],
  "old_generation", ARGV[1], "old_shards", l[2])
return 1

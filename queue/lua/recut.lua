-- recut.lua: give a queue another number of shards.
--
-- KEYS[1]  hash    layout: cut, shards, old_cut, old_shards
-- ARGV[1]  cut the caller knows
-- ARGV[2]  shards of the cut that follows
--
-- Returns 1 if done, 0 if the cut is another or keys still leave the one before.

local l = redis.call("HMGET", KEYS[1], "cut", "shards", "old_shards")
if (l[1] or "0") ~= ARGV[1] or l[3] then
  return 0
end
redis.call("HSET", KEYS[1], "cut", tonumber(ARGV[1]) + 1, "shards", ARGV[2],
  "old_cut", ARGV[1], "old_shards", l[2])
return 1

-- delete_dead.lua: delete dead keys. All their payloads are deleted first, and their entries last, so
-- the entries remain after a crash in between.
--
-- KEYS[1]  zset    morgue: key, scored by time of its last death in unix ms
-- KEYS[2]  hash    morgue errors: key -> text of its last error
-- KEYS[3]  prefix  dead_payloads: + key is a zset, payload scored by score
-- ARGV[1]  most keys to delete, the longest dead first; 0 = the keys that follow
-- ARGV[2..] keys to the end
--
-- Returns {keys deleted, 0}.

local first = 2
local keys = chosen(KEYS[1], tonumber(ARGV[1]), first)
local gone, seen = 0, {}
for _, key in ipairs(keys) do
  if not seen[key] and redis.call("ZSCORE", KEYS[1], key) then
    gone = gone + 1
  end
  seen[key] = true
end

for _, key in ipairs(keys) do
  redis.call("UNLINK", KEYS[3] .. key)
end
write(keys, "HDEL", KEYS[2])
write(keys, "ZREM", KEYS[1])
return {gone, 0}

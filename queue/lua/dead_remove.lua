-- dead_remove.lua: delete payloads of one key from the morgue; others of the key stay. The key's entry
-- is deleted after its last payload.
--
-- KEYS[1]  zset    morgue: key, scored by time of its last death in unix ms
-- KEYS[2]  hash    morgue errors: key -> text of its last error
-- KEYS[3]  prefix  dead_payloads: + key is a zset, payload scored by score
-- ARGV[1]  key
-- ARGV[2..] payloads to the end
--
-- Returns the number of deleted payloads.

local key, list, seen = ARGV[1], {}, {}
local first = 2
for i = first, #ARGV do
  if not seen[ARGV[i]] and redis.call("ZSCORE", KEYS[3] .. key, ARGV[i]) then
    list[#list + 1] = ARGV[i]
  end
  seen[ARGV[i]] = true
end
local empty = redis.call("ZCARD", KEYS[3] .. key) == #list

write(list, "ZREM", KEYS[3] .. key)
if empty then
  redis.call("HDEL", KEYS[2], key)
  redis.call("ZREM", KEYS[1], key)
end
return #list

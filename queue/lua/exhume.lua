-- exhume.lua: take payloads of one key out of the morgue; others of the key stay.
--
-- KEYS[1]  zset    morgue: key, scored by time of its last death in unix ms
-- KEYS[2]  hash    morgue errors: key -> text of its last error
-- KEYS[3]  prefix  dead: + key is a zset, payload scored by score
-- ARGV[1]  key
-- ARGV[2..] payloads to the end
--
-- Returns the number taken out.

local key, n = ARGV[1], 0
local first = 2
for i = first, #ARGV do
  n = n + redis.call("ZREM", KEYS[3] .. key, ARGV[i])
end
if redis.call("EXISTS", KEYS[3] .. key) == 0 then
  redis.call("ZREM", KEYS[1], key)
  redis.call("HDEL", KEYS[2], key)
end
return n

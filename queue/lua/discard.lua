-- discard.lua: delete dead keys with all their payloads.
--
-- KEYS[1]  zset    morgue: key, scored by time of its last death in unix ms
-- KEYS[2]  hash    morgue errors: key -> text of its last error
-- KEYS[3]  prefix  dead: + key is a zset, payload scored by score
-- ARGV[1]  most keys to take, the longest dead first; 0 = take those that follow
-- ARGV[2..] keys to the end
--
-- Returns {keys gone, 0}.

local keys, gone = {}, 0
local first = 2
for i = first, #ARGV do
  keys[#keys + 1] = ARGV[i]
end
if ARGV[1] ~= "0" then
  keys = redis.call("ZRANGE", KEYS[1], 0, tonumber(ARGV[1]) - 1)
end
for _, key in ipairs(keys) do
  gone = gone + redis.call("ZREM", KEYS[1], key)
  redis.call("HDEL", KEYS[2], key)
  redis.call("UNLINK", KEYS[3] .. key)
end
return {gone, 0}

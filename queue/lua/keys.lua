-- keys.lua: read a page of the waiting keys of one shard, without their payloads.
--
-- KEYS[1]  hash    jobs: key -> ["!"] "score;length;payload", or ["!"] "*" = see payloads
-- KEYS[2]  zset    retries: key, scored by retry count when not -1
-- KEYS[3]  prefix  payloads: + key is a zset, payload scored by score
-- ARGV[1]  cursor of HSCAN
-- ARGV[2]  about how many keys to read
--
-- Returns {cursor, then of each key: the key, its retry count, the number of its payloads}.

local page = redis.call("HSCAN", KEYS[1], ARGV[1], "COUNT", ARGV[2])
local retried = redis.call("EXISTS", KEYS[2]) == 1
local out = {page[1]}
for i = 1, #page[2], 2 do
  local key, body = page[2][i], page[2][i + 1]
  out[#out + 1] = key
  out[#out + 1] = retried and redis.call("ZSCORE", KEYS[2], key) or "-1"
  out[#out + 1] = (body == "*" or body == "!*") and redis.call("ZCARD", KEYS[3] .. key) or 1
end
return out

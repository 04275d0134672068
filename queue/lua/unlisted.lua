-- unlisted.lua: find the waiting keys of one shard that are neither in due nor, while in flight, in
-- wait.
--
-- KEYS[1]  zset    due: key, scored by run-at in unix ms
-- KEYS[2]  hash    jobs: key -> ["!"] "score;length;payload", or ["!"] "*" = see payloads
-- KEYS[3]  hash    busy: key -> delivery in flight
-- KEYS[4]  hash    wait: key in flight -> run-at of its waiting payloads
-- ARGV[1]  cursor of HSCAN
-- ARGV[2]  about how many keys to read
--
-- Returns {cursor, then of each key: the key, 1 if its body has the "!" of the ready list, else 0}.

local due, jobs, busy, wait = KEYS[1], KEYS[2], KEYS[3], KEYS[4]

local page = redis.call("HSCAN", jobs, ARGV[1], "COUNT", ARGV[2])
local out = {page[1]}
for i = 1, #page[2], 2 do
  local key, body = page[2][i], page[2][i + 1]
  local listed = redis.call("ZSCORE", due, key)
    or (redis.call("HEXISTS", wait, key) == 1 and redis.call("HEXISTS", busy, key) == 1)
  if not listed then
    out[#out + 1] = key
    out[#out + 1] = string.byte(body, 1) == 33 and 1 or 0 -- "!"
  end
end
return out

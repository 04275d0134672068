-- drop.lua: delete waiting keys with all their payloads, or move them to the
-- morgue. What is in flight is not touched. Of a key with very many payloads a
-- slice is moved at a time, the oldest first, and the key stays for the next call.
--
-- KEYS[1]  zset    due: key, scored by run-at in unix ms
-- KEYS[2]  hash    jobs: key -> ["!"] "score;length;payload", or ["!"] "*" = see more
-- KEYS[3]  hash    wait: key in flight -> run-at of what waits behind it
-- KEYS[4]  zset    retries: key, scored by retry count when not -1
-- KEYS[5]  hash    again: key -> times delivered without a known outcome
-- KEYS[6]  hash    crashes: key -> starts that ended with the node
-- KEYS[7]  hash    errors: key -> text of its last error
-- KEYS[8]  zset    morgue: key, scored by time of its last death in unix ms
-- KEYS[9]  hash    morgue errors: key -> text of its last error
-- KEYS[10] prefix  more: + key is a zset, payload scored by score
-- KEYS[11] prefix  dead: + key is a zset, payload scored by score
-- ARGV[1]  "kill" or "delete"
-- ARGV[2]  time in unix ms
-- ARGV[3]  most keys to take from retries; 0 = take those that follow
-- ARGV[4..] keys to the end
--
-- Returns {keys gone, keys that are left in part}.

local due, jobs, wait, retries = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local errors, morgue, laments = KEYS[7], KEYS[8], KEYS[9]
local more, dead, kill = KEYS[10], KEYS[11], ARGV[1] == "kill"
local first = 4
local budget = 1000

local function bury(key, body)
  local moved = 0
  if body == "*" then
    local list = redis.call("ZRANGE", more .. key, 0, budget - 1, "WITHSCORES")
    for i = 1, #list, 2 do
      redis.call("ZADD", dead .. key, "LT", list[i + 1], list[i])
      moved = moved + 1
    end
    if moved > 0 then redis.call("ZREMRANGEBYRANK", more .. key, 0, moved - 1) end
  else
    local score, payload = split(body)
    redis.call("ZADD", dead .. key, "LT", score, payload)
    moved = 1
  end
  redis.call("ZADD", morgue, ARGV[2], key)
  redis.call("HSET", laments, key, redis.call("HGET", errors, key) or "killed by hand")
  budget = budget - moved
  return body ~= "*" or redis.call("EXISTS", more .. key) == 0
end

local keys = {}
for i = first, #ARGV do
  keys[#keys + 1] = ARGV[i]
end
if ARGV[3] ~= "0" then
  keys = redis.call("ZRANGE", retries, 0, tonumber(ARGV[3]) - 1)
end
local gone, left = 0, 0
for _, key in ipairs(keys) do
  local body = redis.call("HGET", jobs, key)
  if body and string.byte(body, 1) == 33 then -- "!"
    body = string.sub(body, 2)
  end
  if body and kill and (budget <= 0 or not bury(key, body)) then
    left = left + 1
  elseif body then
    redis.call("HDEL", jobs, key)
    redis.call("UNLINK", more .. key)
    redis.call("ZREM", due, key)
    redis.call("ZREM", retries, key)
    for _, meta in ipairs({wait, KEYS[5], KEYS[6], errors}) do
      redis.call("HDEL", meta, key)
    end
    gone = gone + 1
  end
end
return {gone, left}

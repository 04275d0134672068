-- witness.lua: check a report of a handler of the chaos test.
--
-- The script acts as a store with fencing: it refuses a writer whose token is below the highest of
-- the key. Tokens and scores are padded, so that they compare as texts.
--
-- KEYS[1]  prefix  of run, fence and last (hashes by key), seen, done and again
--          (sets of "key;score") and wrong (list of violations)
-- ARGV[1]  "enter", "done" or "failed"
-- ARGV[2]  key
-- ARGV[3]  token
-- ARGV[4]  1 if the delivery is marked as redelivered
-- ARGV[5..] scores of its payloads to the end
--
-- Returns 1, or 0 if the token is stale.

local p, what, key, token = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local first = 5

local function wrong(text, score)
  redis.call("RPUSH", p .. "wrong", text .. ": key " .. key .. " score " .. score .. " token " .. token)
end

local fence = redis.call("HGET", p .. "fence", key)
if fence and fence > token then
  return 0
end
if what ~= "enter" then
  redis.call("HDEL", p .. "run", key)
  for i = first, what == "done" and #ARGV or 0 do
    redis.call("SADD", p .. "done", key .. ";" .. ARGV[i])
  end
  return 1
end
if redis.call("HGET", p .. "run", key) == token then
  wrong("twice at once", "")
end
redis.call("HSET", p .. "run", key, token)
redis.call("HSET", p .. "fence", key, token)
for i = first, #ARGV do
  local id, score = key .. ";" .. ARGV[i], ARGV[i]
  if redis.call("SADD", p .. "seen", id) == 1 then
    local last = redis.call("HGET", p .. "last", key)
    if last and last > score then wrong("out of order", score) end
    redis.call("HSET", p .. "last", key, score)
  elseif ARGV[4] == "0" and redis.call("SISMEMBER", p .. "done", id) == 1
      and redis.call("SISMEMBER", p .. "again", id) == 0 then
    wrong("after its ack", score)
  end
end
return 1

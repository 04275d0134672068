-- delete_waiting.lua: delete waiting keys with all their payloads, or move them to the morgue.
-- Payloads in flight stay. A move takes a slice of a key with very many payloads, the oldest first.
-- The key stays for the next call. The first write does nothing, so that a full Redis accepts the
-- others. A payload is in the morgue before it stops waiting: after a crash in between, it is
-- dropped again.
--
-- KEYS[1]  zset    due: key, scored by run-at in unix ms
-- KEYS[2]  hash    jobs: key -> ["!"] "score;length;payload", or ["!"] "*" = see payloads
-- KEYS[3]  hash    wait: key in flight -> run-at of its waiting payloads
-- KEYS[4]  zset    retries: key, scored by retry count when not -1
-- KEYS[5]  hash    redeliveries: key -> times delivered without a known outcome
-- KEYS[6]  hash    crashes: key -> how often its node died after a start of its oldest payload;
--                  "\255" + key -> "number of suspects;SHA-1 of the payload that started"
-- KEYS[7]  hash    errors: key -> text of its last error
-- KEYS[8]  zset    morgue: key, scored by time of its last death in unix ms
-- KEYS[9]  hash    morgue errors: key -> text of its last error
-- KEYS[10] prefix  payloads: + key is a zset, payload scored by score
-- KEYS[11] prefix  dead_payloads: + key is a zset, payload scored by score
-- KEYS[12] hash    limits: key that has refused a job -> its limit
-- KEYS[13] zset    wanted: key that has refused jobs and has room, scored by unix ms
-- ARGV[1]  "kill" or "delete"
-- ARGV[2]  time in unix ms
-- ARGV[3]  most keys to take from retries; 0 = the keys that follow; -1 = the failed
--          ones of the keys that follow
-- ARGV[4]  channel that reports wanted keys
-- ARGV[5..] keys to the end
--
-- Returns {keys dropped, keys left for the next call, dropped keys with an entry in the ready list}.
-- The entries stay in the ready list.

local due, jobs, wait, retries = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local errors, morgue, dead_errors = KEYS[7], KEYS[8], KEYS[9]
local payloads, dead_payloads, kill = KEYS[10], KEYS[11], ARGV[1] == "kill"
local limits, wanted = KEYS[12], KEYS[13]
local budget = 1000

local dead_lists, morgue_adds, texts, removed = {}, {}, {}, {}
local function plan_kill(key, body) -- plans the move, and returns whether the whole key moves
  local list, rest = {}, false
  if body == "*" then
    local found = redis.call("ZRANGE", payloads .. key, 0, budget - 1, "WITHSCORES")
    for i = 1, #found, 2 do
      list[i], list[i + 1] = found[i + 1], found[i]
    end
    rest = redis.call("ZCARD", payloads .. key) > #found / 2
    if rest then removed[#removed + 1] = {key, #found / 2} end
  else
    list[1], list[2] = split(body)
  end
  budget = budget - #list / 2
  dead_lists[#dead_lists + 1] = {key, list}
  morgue_adds[#morgue_adds + 1], morgue_adds[#morgue_adds + 2] = ARGV[2], key
  texts[#texts + 1], texts[#texts + 2] = key, redis.call("HGET", errors, key) or "killed by hand"
  return not rest
end

local most = tonumber(ARGV[3])
local first = 5
local keys = chosen(retries, most, first)
local gone, sets, ended, left, listed, seen = {}, {}, {}, 0, 0, {}
local function drop(key)
  if most < 0 and not redis.call("ZSCORE", retries, key) then return end
  local body = redis.call("HGET", jobs, key)
  local in_ready = body and string.byte(body, 1) == 33 -- "!"
  if in_ready then body = string.sub(body, 2) end
  if body and kill and (budget <= 0 or not plan_kill(key, body)) then
    left = left + 1
    return
  end
  ended[#ended + 1] = key
  if body then
    gone[#gone + 1], sets[#sets + 1] = key, payloads .. key
    if in_ready then listed = listed + 1 end
  end
end
for _, key in ipairs(keys) do
  if not seen[key] then drop(key) end
  seen[key] = true
end

if redis.call("EXISTS", limits) == 1 then
  for _, key in ipairs(gone) do note_room(limits, wanted, key, 0, ARGV[2]) end
  for _, part in ipairs(removed) do
    note_room(limits, wanted, part[1], redis.call("ZCARD", payloads .. part[1]) - part[2], ARGV[2])
  end
end

redis.call("HDEL", jobs, "")
write_room(limits, wanted, ARGV[4])
for _, one in ipairs(dead_lists) do
  write(one[2], "ZADD", dead_payloads .. one[1], "LT")
end
write(texts, "HSET", dead_errors)
write(morgue_adds, "ZADD", morgue)
for _, part in ipairs(removed) do
  redis.call("ZREMRANGEBYRANK", payloads .. part[1], 0, part[2] - 1)
end
write(gone, "HDEL", jobs)
if #sets > 0 then redis.call("UNLINK", unpack(sets)) end
write(gone, "ZREM", due)
local crash_fields = {}
for _, key in ipairs(gone) do
  crash_fields[#crash_fields + 1], crash_fields[#crash_fields + 2] = key, "\255" .. key
end
for _, meta in ipairs({wait, KEYS[5], errors}) do
  write(gone, "HDEL", meta)
end
write(crash_fields, "HDEL", KEYS[6])
write(ended, "ZREM", retries)
return {#gone, left, listed}

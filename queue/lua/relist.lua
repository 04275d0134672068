-- relist.lua: find the stranded keys among some keys, and list them again on request.
--
-- A stranded key has waiting payloads, but no entry in the ready list, in due or, while in flight,
-- in wait. It never runs. A key that the script lists again is due now, or at the end of its
-- delivery in flight. The script marks it as redelivered, since the key may have run before the
-- fault. If the body of a key has a "!", the script reads the whole ready list, a thousand entries
-- at a time.
--
-- KEYS[1]  zset    due: key, scored by run-at in unix ms
-- KEYS[2]  hash    jobs: key -> ["!"] "score;length;payload", or ["!"] "*" = see payloads
-- KEYS[3]  hash    busy: key -> delivery in flight
-- KEYS[4]  hash    wait: key in flight -> run-at of its waiting payloads
-- KEYS[5]  list    ready: "run-at;key", rising, run-at of 13 digits
-- KEYS[6]  hash    redeliveries: key -> times delivered without a known outcome
-- ARGV[1]  time in unix ms, "" = list no key again
-- ARGV[2]  channel that wakes the owner
-- ARGV[3]  name of the shard, the message on it
-- ARGV[4..] keys to the end, at most 100
--
-- Returns the keys that are or were stranded.

local due, jobs, busy, wait, ready = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local first, now = 4, ARGV[1]

local unlisted, claims, n = {}, {}, 0
for i = first, #ARGV do
  local key = ARGV[i]
  local body = redis.call("HGET", jobs, key)
  local in_flight = redis.call("HEXISTS", busy, key) == 1
  local behind = redis.call("HEXISTS", wait, key) == 1
  if body and not redis.call("ZSCORE", due, key) and not (in_flight and behind) then
    unlisted[#unlisted + 1] = {key, in_flight, behind}
    if string.byte(body, 1) == 33 and not claims[key] then -- "!"
      claims[key], n = true, n + 1
    end
  end
end
local from = 0
while n > 0 do
  local page = redis.call("LRANGE", ready, from, from + 999)
  for _, entry in ipairs(page) do
    local key = string.sub(entry, 15)
    if claims[key] then
      claims[key], n = false, n - 1
    end
  end
  from = from + 1000
  if #page < 1000 then break end
end

local found, soon, later, stale = {}, {}, {}, {}
for _, one in ipairs(unlisted) do
  local key, in_flight, behind = one[1], one[2], one[3]
  if claims[key] ~= false then -- false: it is in the ready list
    found[#found + 1] = key
    if in_flight then
      later[#later + 1], later[#later + 2] = key, now
    else
      soon[#soon + 1], soon[#soon + 2] = now, key
      if behind then stale[#stale + 1] = key end
    end
  end
end

if now ~= "" and #found > 0 then
  redis.call("HDEL", wait, "") -- removes nothing, so that a full Redis accepts the next writes
  for _, key in ipairs(found) do redis.call("HSETNX", KEYS[6], key, "1") end
  write(later, "HSET", wait)
  write(soon, "ZADD", due)
  write(stale, "HDEL", wait)
  redis.call("PUBLISH", ARGV[2], ARGV[3])
end
return found

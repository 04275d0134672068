-- relist.lua: find out which of some keys are stranded, and list them again if asked.
--
-- A stranded key has payloads that wait, and stands neither in due, nor behind itself
-- in flight, nor in the line: it never runs. Listed again it is due now, or waits
-- behind itself in flight, and is marked as redelivered: what broke Redis may also
-- have let it run. The line is read whole, a thousand entries at a time, if a key
-- claims to stand in it.
--
-- KEYS[1]  zset    due: key, scored by run-at in unix ms
-- KEYS[2]  hash    jobs: key -> ["!"] "score;length;payload", or ["!"] "*" = see more
-- KEYS[3]  hash    busy: key -> delivery in flight
-- KEYS[4]  hash    wait: key in flight -> run-at of what waits behind it
-- KEYS[5]  list    line: "run-at;key", rising, run-at of 13 digits
-- KEYS[6]  hash    again: key -> times delivered without a known outcome
-- ARGV[1]  time in unix ms, "" = only find out
-- ARGV[2]  channel that wakes the owner
-- ARGV[3]  name of the shard, the message on it
-- ARGV[4..] keys to the end, at most 100
--
-- Returns the keys that are or were stranded.

local due, jobs, busy, wait, line = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local first, now = 4, ARGV[1]

local unlisted, claims, n = {}, {}, 0
for i = first, #ARGV do
  local key = ARGV[i]
  local body = redis.call("HGET", jobs, key)
  local flies = redis.call("HEXISTS", busy, key) == 1
  local behind = redis.call("HEXISTS", wait, key) == 1
  if body and not redis.call("ZSCORE", due, key) and not (flies and behind) then
    unlisted[#unlisted + 1] = {key, flies, behind}
    if string.byte(body, 1) == 33 and not claims[key] then -- "!"
      claims[key], n = true, n + 1
    end
  end
end
local from = 0
while n > 0 do
  local page = redis.call("LRANGE", line, from, from + 999)
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
  local key, flies, behind = one[1], one[2], one[3]
  if claims[key] ~= false then -- false: it stands in the line
    found[#found + 1] = key
    if flies then
      later[#later + 1], later[#later + 2] = key, now
    else
      soon[#soon + 1], soon[#soon + 2] = now, key
      if behind then stale[#stale + 1] = key end
    end
  end
end

if now ~= "" and #found > 0 then
  redis.call("HDEL", wait, "") -- removes nothing; a full Redis takes what is behind it
  for _, key in ipairs(found) do redis.call("HSETNX", KEYS[6], key, "1") end
  write(later, "HSET", wait)
  write(soon, "ZADD", due)
  write(stale, "HDEL", wait)
  redis.call("PUBLISH", ARGV[2], ARGV[3])
end
return found

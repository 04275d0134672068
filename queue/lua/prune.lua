-- prune.lua: remove the stale entries among a thousand entries of the ready list.
--
-- An entry is stale if its key has no "!", or has an earlier entry among the thousand. A stale
-- entry first becomes an empty entry, which fetch removes, too, so a crash in between loses
-- nothing.
--
-- KEYS[1]  hash    jobs: key -> ["!"] "score;length;payload", or ["!"] "*" = see payloads
-- KEYS[2]  list    ready: "run-at;key", rising, run-at of 13 digits
-- ARGV[1]  index of the first entry
--
-- Returns {entries read, entries removed}.

local jobs, ready = KEYS[1], KEYS[2]
local from = tonumber(ARGV[1])

local page = redis.call("LRANGE", ready, from, from + 999)
local bodies = {}
for at = 1, #page, 400 do
  local keys = {}
  for i = at, math.min(at + 399, #page) do keys[#keys + 1] = string.sub(page[i], 15) end
  for i, body in ipairs(redis.call("HMGET", jobs, unpack(keys))) do bodies[at + i - 1] = body end
end
local stale, seen = {}, {}
for i, entry in ipairs(page) do
  local key, body = string.sub(entry, 15), bodies[i]
  if seen[key] or not body or string.byte(body, 1) ~= 33 then -- "!"
    stale[#stale + 1] = i
  end
  seen[key] = true
end

if #stale > 0 then
  local none = string.sub(page[1], 1, 14)
  redis.call("HDEL", jobs, "") -- removes nothing, so that a full Redis accepts the next writes
  for _, i in ipairs(stale) do redis.call("LSET", ready, from + i - 1, none) end
  redis.call("LREM", ready, #stale, none)
end
return {#page, #stale}

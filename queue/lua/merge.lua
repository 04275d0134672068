-- merge.lua: prefix of the scripts that add payloads to waiting keys.
--
-- split parses "score;length;payload". join collects a payload for a key. plan reads the waiting
-- payloads of the collected keys; store writes the result of plan. A single payload is in the hash
-- jobs. Several are in the zset whose name starts with more, and jobs holds "*". Of equal payloads
-- the smaller score is kept. A "!" before the body stays.
--
-- store writes the zsets before the bodies. A zset without a "*" was left by a script that crashed
-- in between. Its payloads stay, and the key is marked as redelivered, since they may have run.
--
-- Returns nothing.

local function split(item)
  local a = string.find(item, ";", 1, true)
  local b = string.find(item, ";", a + 1, true)
  return string.sub(item, 1, a - 1), string.sub(item, b + 1)
end

local joined, order = {}, {}
local function join(key, score, payload)
  local known = joined[key]
  if not known then
    known = {times = {}}
    joined[key], order[#order + 1] = known, key
  end
  -- Equal payloads go to separate lists: a ZADD of the in-process Redis with a duplicate member
  -- does not keep the smaller score.
  local at = (known.times[payload] or 0) + 1
  known.times[payload] = at
  local list = known[at] or {}
  known[at] = list
  list[#list + 1], list[#list + 2] = score, payload
end

local function plan(jobs, payloads, known) -- known: bodies already read; false = none
  local bodies, sets, doubtful = {}, {}, {}
  for _, key in ipairs(order) do
    local lists, old = joined[key], known[key]
    if old == nil then old = redis.call("HGET", jobs, key) end
    local mark = old and string.sub(old, 1, 1) == "!" and "!" or ""
    local body, score, payload = old and string.sub(old, #mark + 1), nil, nil
    if body and body ~= "*" then score, payload = split(body) end
    local left = body ~= "*" and redis.call("EXISTS", payloads .. key) == 1
    if left then doubtful[#doubtful + 1] = key end
    local one = #lists == 1 and #lists[1] == 2 and lists[1]
    if one and not body and not left then
      bodies[#bodies + 1], bodies[#bodies + 2] = key, one[1] .. ";" .. #one[2] .. ";" .. one[2]
    elseif not one or left or score ~= one[1] or payload ~= one[2] then
      if score then lists[#lists + 1] = {score, payload} end
      sets[#sets + 1] = {key, lists}
      if body ~= "*" then bodies[#bodies + 1], bodies[#bodies + 2] = key, mark .. "*" end
    end
  end
  return {bodies = bodies, sets = sets, doubtful = doubtful}
end

local function store(planned, jobs, payloads, redeliveries)
  for _, key in ipairs(planned.doubtful) do redis.call("HSETNX", redeliveries, key, "1") end
  for _, set in ipairs(planned.sets) do
    for _, list in ipairs(set[2]) do write(list, "ZADD", payloads .. set[1], "LT") end
  end
  write(planned.bodies, "HSET", jobs)
end


-- merge.lua: what goes ahead of the scripts that add payloads to a key.
--
-- split takes "score;length;payload" apart. put adds a payload to the key in the
-- hash jobs, beside what waits there: a single one stands in the hash, more than
-- one in the zset whose name starts with more, and "*" stands for them. Of equal
-- payloads the smaller score is kept. A "!" ahead of the body stays.
--
-- Returns nothing by itself.

local function split(item)
  local a = string.find(item, ";", 1, true)
  local b = string.find(item, ";", a + 1, true)
  return string.sub(item, 1, a - 1), string.sub(item, b + 1)
end

local function put(jobs, more, key, score, payload)
  local old = redis.call("HGET", jobs, key)
  if not old then
    redis.call("HSET", jobs, key, score .. ";" .. #payload .. ";" .. payload)
    return
  end
  local mark = string.sub(old, 1, 1) == "!" and "!" or ""
  old = string.sub(old, #mark + 1)
  if old ~= "*" then
    local score0, payload0 = split(old)
    if payload0 == payload and score0 == score then return end
    redis.call("ZADD", more .. key, score0, payload0)
    redis.call("HSET", jobs, key, mark .. "*")
  end
  redis.call("ZADD", more .. key, "LT", score, payload)
end


-- fetch.lua: take due keys of one shard into flight, earliest run-at first.
--
-- All payloads of a key come together, up to 500; what is left waits behind it.
-- The first write frees memory, so that a full Redis can still be worked off.
--
-- KEYS[1]  string  lease: "<node>:<token>"
-- KEYS[2]  zset    due: key, scored by run-at in unix ms
-- KEYS[3]  hash    jobs: key -> "score;length;payload", or "*" = see more
-- KEYS[4]  hash    busy: key -> "seq;run-at;retry;again;" and its payloads
-- KEYS[5]  hash    wait: key in flight -> run-at of what waits behind it
-- KEYS[6]  zset    retries: key, scored by retry count when not -1
-- KEYS[7]  hash    again: key -> times delivered without a known outcome
-- KEYS[8]  string  seq: last delivery number
-- KEYS[9]  prefix  more: + key is a zset, payload scored by score
-- ARGV[1]  lease value of the caller
-- ARGV[2]  time in unix ms
-- ARGV[3]  keys wanted, at most 500
-- ARGV[4]  bytes of payload after which no further slice is taken
--
-- Returns {-1} if the lease was lost, else {0, run-at of the next key or "",
-- keys in flight, key, busy record, key, busy record, ...}.

local lease, due, jobs, busy, wait = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local retries, again, seq, more = KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local limit = tonumber(ARGV[4])
if redis.call("GET", lease) ~= ARGV[1] then
  return {-1}
end

local function take(key)
  local n, size, parts = 0, 0, {}
  repeat
    local list = redis.call("ZRANGE", more .. key, n, n + 49, "WITHSCORES")
    for i = 1, #list, 2 do
      parts[#parts + 1] = list[i + 1] .. ";" .. #list[i] .. ";" .. list[i]
      n, size = n + 1, size + #list[i]
    end
    local stop = #list < 100 or n >= 500 or size >= limit
  until stop
  redis.call("ZREMRANGEBYRANK", more .. key, 0, n - 1)
  return table.concat(parts), size, redis.call("EXISTS", more .. key) == 1
end

local retried = redis.call("EXISTS", retries) == 1
local doubtful = redis.call("EXISTS", again) == 1
local function meta(key)
  local count, times = false, false
  if retried then
    count = redis.call("ZSCORE", retries, key)
    if count then redis.call("ZREM", retries, key) end
  end
  if doubtful then
    times = redis.call("HGET", again, key)
    if times then redis.call("HDEL", again, key) end
  end
  return (count or "-1") .. ";" .. (times or "0") .. ";"
end

local range = redis.call("ZRANGEBYSCORE", due, "-inf", ARGV[2], "WITHSCORES", "LIMIT", 0, ARGV[3])
local out, bytes = {0, "", 0}, 0
for from = 1, #range, 160 do
  if bytes >= limit then break end
  local keys, gone, move = {}, {}, {}
  for i = from, math.min(from + 158, #range), 2 do
    keys[#keys + 1] = range[i]
  end
  redis.call("ZREMRANGEBYRANK", due, 0, #keys - 1)
  local bodies = redis.call("HMGET", jobs, unpack(keys))
  local base = redis.call("INCRBY", seq, #keys) - #keys
  for i, key in ipairs(keys) do
    local body, size, rest = bodies[i], 0, false
    local at = range[from + 2 * i - 1]
    if body == "*" then
      body, size, rest = take(key)
    elseif body then
      size = #body
    end
    if rest then
      redis.call("HSET", wait, key, at)
    else
      gone[#gone + 1] = key
    end
    if body then
      local record = string.format("%.0f", base + i) .. ";" .. at .. ";" .. meta(key) .. body
      bytes = bytes + size
      move[#move + 1], out[#out + 1] = key, key
      move[#move + 1], out[#out + 1] = record, record
    end
  end
  if #gone > 0 then redis.call("HDEL", jobs, unpack(gone)) end
  if #move > 0 then redis.call("HSET", busy, unpack(move)) end
end

out[2] = redis.call("ZRANGE", due, 0, 0, "WITHSCORES")[2] or ""
out[3] = redis.call("HLEN", busy)
return out

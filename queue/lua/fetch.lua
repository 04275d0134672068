-- fetch.lua: take due keys of one shard into flight, earliest run-at first.
--
-- All payloads of a key come together, up to 500; what is left waits behind it.
-- An entry of the line whose key has no "!" is stale, and dropped. The first
-- write frees memory, so that a full Redis can still be worked off.
--
-- KEYS[1]  string  lease: "<node>:<token>"
-- KEYS[2]  zset    due: key, scored by run-at in unix ms
-- KEYS[3]  hash    jobs: key -> ["!"] "score;length;payload", or ["!"] "*" = see more
-- KEYS[4]  hash    busy: key -> "seq;run-at;retry;again;crashes;" and its payloads
-- KEYS[5]  hash    wait: key in flight -> run-at of what waits behind it
-- KEYS[6]  zset    retries: key, scored by retry count when not -1
-- KEYS[7]  hash    again: key -> times delivered without a known outcome
-- KEYS[8]  string  seq: last delivery number
-- KEYS[9]  prefix  more: + key is a zset, payload scored by score
-- KEYS[10] list    line: "run-at;key", rising
-- KEYS[11] hash    crashes: key -> starts that ended with the node
-- ARGV[1]  lease value of the caller
-- ARGV[2]  time in unix ms
-- ARGV[3]  keys wanted, at most 500
-- ARGV[4]  bytes of payload after which no further slice is taken
--
-- Returns {-1} if the lease was lost, else {0, run-at of the next key or "",
-- keys in flight, key, busy record, key, busy record, ...}.

local lease, due, jobs, busy, wait = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local retries, again, seq, more = KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local line, crashes = KEYS[10], KEYS[11]
local now, want, limit = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
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
local function pull(command, drop, from, key, default)
  local value = redis.call(command, from, key)
  if value then redis.call(drop, from, key) end
  return (value or default) .. ";"
end
local doubtful = redis.call("EXISTS", again) == 1
local feared = redis.call("EXISTS", crashes) == 1
local plain = not (retried or doubtful or feared)
local function meta(key)
  if plain then return "-1;0;-1;" end
  return (retried and pull("ZSCORE", "ZREM", retries, key, "-1") or "-1;")
    .. (doubtful and pull("HGET", "HDEL", again, key, "0") or "0;")
    .. (feared and pull("HGET", "HDEL", crashes, key, "-1") or "-1;")
end

local function number(text) -- a Lua in Go does not read exponents
  local digits, power = string.match(text, "^([%d.]+)e%+?(%d+)$")
  return tonumber(text) or digits * 10 ^ power
end
local sorted = redis.call("ZRANGEBYSCORE", due, "-inf", ARGV[2], "WITHSCORES", "LIMIT", 0, want)
local lined = redis.call("LRANGE", line, 0, want - 1)
local a, b, entry, at_entry = 1, 0, nil, nil
local function step()
  b, entry = b + 1, nil
  if lined[b] then
    local cut = string.find(lined[b], ";", 1, true)
    at_entry = string.sub(lined[b], 1, cut - 1)
    if tonumber(at_entry) <= now then entry = string.sub(lined[b], cut + 1) end
  end
end
step()
local function pick()
  if sorted[a] and not (entry and tonumber(at_entry) < number(sorted[a + 1])) then
    a = a + 2
    return sorted[a - 2], sorted[a - 1], false
  elseif entry then
    local key, at = entry, at_entry
    step()
    return key, at, true
  end
end

local out, bytes, total = {0, "", 0}, 0, 0
repeat
  local keys, ats, in_line, gone, move = {}, {}, {}, {}, {}
  local a0, b0 = a, b
  while #keys < 80 and total + #keys < want do
    local key, at, lines = pick()
    if not key then break end
    keys[#keys + 1], ats[#ats + 1], in_line[#in_line + 1] = key, at, lines
  end
  if #keys == 0 then break end
  if a > a0 then redis.call("ZREMRANGEBYRANK", due, 0, (a - a0) / 2 - 1) end
  if b > b0 then redis.call("LTRIM", line, b - b0, -1) end
  local bodies = redis.call("HMGET", jobs, unpack(keys))
  local base = redis.call("INCRBY", seq, #keys) - #keys
  local left, behind, seen = {}, {}, {}
  for i, key in ipairs(keys) do
    local body, size, rest = bodies[i], 0, false
    if seen[key] then -- deleted and pushed again: it stands in the line twice
      body = false
    end
    seen[key] = true
    if body and string.byte(body) == 33 then -- "!"
      body = string.sub(body, 2)
    elseif in_line[i] then
      body = false
    end
    if body == "*" then
      body, size, rest = take(key)
    elseif body then
      size = #body
    end
    if body then
      if rest then
        behind[#behind + 1], behind[#behind + 2] = key, ats[i]
        left[#left + 1], left[#left + 2] = key, "*"
      else
        gone[#gone + 1] = key
      end
      local record = string.format("%.0f", base + i) .. ";" .. ats[i] .. ";" .. meta(key) .. body
      bytes = bytes + size
      move[#move + 1], out[#out + 1] = key, key
      move[#move + 1], out[#out + 1] = record, record
    end
  end
  if #gone > 0 then redis.call("HDEL", jobs, unpack(gone)) end
  if #left > 0 then
    redis.call("HSET", jobs, unpack(left))
    redis.call("HSET", wait, unpack(behind))
  end
  if #move > 0 then redis.call("HSET", busy, unpack(move)) end
  total = total + #move / 2
until bytes >= limit

local next_due = redis.call("ZRANGE", due, 0, 0, "WITHSCORES")[2]
local next_line = string.match(redis.call("LINDEX", line, 0) or "", "^%d+")
if next_line and not (next_due and number(next_due) < tonumber(next_line)) then
  next_due = next_line
end
out[2] = next_due or ""
out[3] = redis.call("HLEN", busy)
return out

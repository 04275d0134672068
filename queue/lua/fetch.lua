-- fetch.lua: take due keys of one shard into flight, earliest run-at first.
--
-- All payloads of a key come together, up to 500, or 10 once the fetch has 1,000;
-- what is left waits behind it.
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
-- KEYS[8]  string  seq: last delivery number; a fetch has one, and raises it by its keys
-- KEYS[9]  prefix  more: + key is a zset, payload scored by score
-- KEYS[10] list    line: "run-at;key", rising, run-at of 13 digits
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

local room = 1000
local function take(key)
  local n, size, parts, most = 0, 0, {}, math.max(10, math.min(500, room))
  repeat
    local list = redis.call("ZRANGE", more .. key, n, math.min(n + 50, most) - 1, "WITHSCORES")
    for i = 1, #list, 2 do
      parts[#parts + 1] = list[i + 1] .. ";" .. #list[i] .. ";" .. list[i]
      n, size = n + 1, size + #list[i]
    end
    local stop = #list < 100 or n >= most or size >= limit
  until stop
  room = room - n
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
local plain = not (retried or doubtful or feared) and ";-1;0;-1;"
local function meta(key)
  return ";" .. (retried and pull("ZSCORE", "ZREM", retries, key, "-1") or "-1;")
    .. (doubtful and pull("HGET", "HDEL", again, key, "0") or "0;")
    .. (feared and pull("HGET", "HDEL", crashes, key, "-1") or "-1;")
end

local function number(text) -- a Lua in Go does not read exponents
  local digits, power = string.match(text, "^([%d.]+)e%+?(%d+)$")
  return tonumber(text) or digits * 10 ^ power
end
local sub, byte, call = string.sub, string.byte, redis.call
local sorted = call("ZRANGEBYSCORE", due, "-inf", ARGV[2], "WITHSCORES", "LIMIT", 0, want)
local lined = call("LRANGE", line, 0, want - 1)
local keys, ats, lines, n, a, b = {}, {}, {}, 0, 1, 1
while n < want do
  local entry, key = lined[b], sorted[a]
  local at = entry and sub(entry, 1, 13)
  if entry and not (key and number(sorted[a + 1]) <= tonumber(at)) and tonumber(at) <= now then
    n, b = n + 1, b + 1
    keys[n], ats[n], lines[n] = sub(entry, 15), at, true
  elseif key then
    n, a = n + 1, a + 2
    keys[n], ats[n], lines[n] = key, sorted[a - 1], false
  else
    break
  end
end

local out, size, bytes, head = {0, "", 0}, 3, 0, nil
for from = 1, n, 80 do
  if bytes >= limit or room <= 0 then break end
  local to, in_line = math.min(from + 79, n), 0
  for i = from, to do
    if lines[i] then in_line = in_line + 1 end
  end
  if in_line <= to - from then call("ZREMRANGEBYRANK", due, 0, to - from - in_line) end
  if in_line > 0 then call("LTRIM", line, in_line, -1) end
  head = head or string.format("%.0f;", call("INCRBY", seq, n) - n + 1)
  local bodies = call("HMGET", jobs, unpack(keys, from, to))
  local gone, left, behind, move, m, g, seen = {}, {}, {}, {}, 0, 0, {}
  for i = from, to do
    local key, body, rest = keys[i], bodies[i - from + 1], false
    if body and byte(body, 1) == 33 then -- "!"
      body = sub(body, 2)
    elseif lines[i] then
      body = false
    end
    if seen[key] then -- deleted and pushed again: it stands in the line twice
      body = false
    end
    seen[key] = seen[key] or body -- a stale entry is not the key's turn
    if body == "*" then
      local taken
      body, taken, rest = take(key)
      bytes = bytes + taken
    elseif body then
      bytes = bytes + #body
    end
    if body then
      if rest then
        behind[#behind + 1], behind[#behind + 2] = key, ats[i]
        left[#left + 1], left[#left + 2] = key, "*"
      else
        g = g + 1
        gone[g] = key
      end
      local record = head .. ats[i] .. (plain or meta(key)) .. body
      move[m + 1], move[m + 2], out[size + 1], out[size + 2] = key, record, key, record
      m, size = m + 2, size + 2
    end
  end
  if g > 0 then call("HDEL", jobs, unpack(gone)) end
  if #left > 0 then
    call("HSET", jobs, unpack(left))
    call("HSET", wait, unpack(behind))
  end
  if m > 0 then call("HSET", busy, unpack(move)) end
end

local next_due = redis.call("ZRANGE", due, 0, 0, "WITHSCORES")[2]
local next_line = string.match(redis.call("LINDEX", line, 0) or "", "^%d+")
if next_line and not (next_due and number(next_due) < tonumber(next_line)) then
  next_due = next_line
end
out[2] = next_due or ""
out[3] = redis.call("HLEN", busy)
return out

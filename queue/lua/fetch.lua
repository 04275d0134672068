-- fetch.lua: take due keys of one shard into flight, earliest run-at first.
--
-- A fetch takes up to 500 payloads of a key. It stops once it holds 1,000 payloads of keys that
-- have several. The other payloads keep waiting, with the redeliveries and crashes of the key.
-- While the oldest payload of a key is a suspect, a fetch takes one payload of the key. The fetch
-- also stops once it holds the limit in bytes, so it returns at most the limit and one payload. A
-- key that has refused a job becomes wanted when at most half of its limit waits. An entry of the
-- ready list whose key has no "!" is stale, and removed. The first write does nothing, so that a
-- full Redis accepts the others. A key is in flight before it stops waiting, and leaves the ready
-- list last. After a crash in between, the caller puts back the keys that it did not receive.
--
-- KEYS[1]  string  lease: "<node>:<token>"
-- KEYS[2]  zset    due: key, scored by run-at in unix ms
-- KEYS[3]  hash    jobs: key -> ["!"] "score;length;payload", or ["!"] "*" = see payloads
-- KEYS[4]  hash    busy: key -> "seq;run-at;retry;redeliveries;crashes;", "!" if its body had
--                  one, and its payloads
-- KEYS[5]  hash    wait: key in flight -> run-at of its waiting payloads
-- KEYS[6]  zset    retries: key, scored by retry count when not -1
-- KEYS[7]  hash    redeliveries: key -> times delivered without a known outcome
-- KEYS[8]  string  seq: last delivery number; all keys of a fetch get the next number, and the
--                  fetch raises seq by its number of keys
-- KEYS[9]  prefix  payloads: + key is a zset, payload scored by score
-- KEYS[10] list    ready: "run-at;key", rising, run-at of 13 digits
-- KEYS[11] hash    crashes: key -> how often its node died after a start of its oldest payload;
--                  "\255" + key -> "number of suspects;SHA-1 of the payload that started"
-- KEYS[12] hash    limits: key that has refused a job -> its limit
-- KEYS[13] zset    wanted: key that has refused jobs and has room, scored by unix ms
-- ARGV[1]  lease value of the caller
-- ARGV[2]  time in unix ms
-- ARGV[3]  keys wanted, at most 500
-- ARGV[4]  limit in bytes of payload
-- ARGV[5]  channel that reports wanted keys
--
-- Returns {-1} if the lease was lost, else {0, run-at of the next key or "",
-- keys in flight, number of the last delivery before, key, busy record, key,
-- busy record, ...}.

local lease, due, jobs, busy, wait = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local retries, redeliveries, seq, payloads = KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local ready, crashes = KEYS[10], KEYS[11]
local now, want, limit = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
if redis.call("GET", lease) ~= ARGV[1] then
  return {-1}
end

local call, sub, byte = redis.call, string.sub, string.byte
local room, fetched = 1000, {}
local bytes, largest = 0, 1

-- fitting returns how many of at most n values to read: as many as fit the limit if each is as
-- large as the largest so far.
local function fitting(n) return math.max(1, math.min(n, math.floor((limit - bytes) / largest))) end
local function weigh(payload)
  bytes, largest = bytes + #payload, math.max(largest, #payload)
end

-- take returns the first payloads as one text ("" = none), whether others stay, and the first payload.
local function take(key, most)
  local n, parts, head = 0, {}, nil
  repeat
    local step = fitting(math.min(most - n, n == 0 and 10 or 50))
    local list = call("ZRANGE", payloads .. key, n, n + step - 1, "WITHSCORES")
    head = head or list[1]
    for i = 1, #list, 2 do
      parts[#parts + 1] = list[i + 1] .. ";" .. #list[i] .. ";" .. list[i]
      n = n + 1
      weigh(list[i])
      if bytes >= limit then break end
    end
    local stop = #list < 2 * step or n >= most or bytes >= limit
  until stop
  room = room - n
  if n > 0 then fetched[#fetched + 1] = {key, n} end
  return table.concat(parts), n > 0 and call("ZCARD", payloads .. key) > n, head
end

local retried = call("EXISTS", retries) == 1
local doubtful = call("EXISTS", redeliveries) == 1
local has_crashes = call("EXISTS", crashes) == 1
local plain = not (retried or doubtful or has_crashes) and ";-1;0;-1;"
local function meta(key, starts)
  return ";" .. (retried and call("ZSCORE", retries, key) or "-1") .. ";"
    .. (doubtful and call("HGET", redeliveries, key) or "0") .. ";" .. (starts or "-1") .. ";"
end

local sorted = call("ZRANGEBYSCORE", due, "-inf", ARGV[2], "WITHSCORES", "LIMIT", 0, want)
local listed = call("LRANGE", ready, 0, want - 1)
local keys, ats, from_ready, n, a, b = {}, {}, {}, 0, 1, 1
while n < want do
  local entry, key = listed[b], sorted[a]
  local at = entry and sub(entry, 1, 13)
  if entry and not (key and number(sorted[a + 1]) <= tonumber(at)) and tonumber(at) <= now then
    n, b = n + 1, b + 1
    keys[n], ats[n], from_ready[n] = sub(entry, 15), at, true
  elseif key then
    n, a = n + 1, a + 2
    keys[n], ats[n], from_ready[n] = key, sorted[a - 1], false
  else
    break
  end
end

local before = call("GET", seq) or "0"
local head = string.format("%.0f;", tonumber(before) + 1)
local in_ready, in_due, seen = 0, 0, {}
local moved, taken, gone, left, behind = {}, {}, {}, {}, {}
local suspected, cleared = {}, {}
local function pick(key, body, at, rest, starts)
  if rest then
    behind[#behind + 1], behind[#behind + 2] = key, at
    left[#left + 1], left[#left + 2] = key, "*"
  else
    gone[#gone + 1] = key
  end
  taken[#taken + 1] = key
  moved[#moved + 1], moved[#moved + 2] = key, head .. at .. (plain or meta(key, starts)) .. body
end

-- keep stores how many suspects of a key remain after its first payload, `oldest`, is taken. It
-- returns `starts`, or nil if the payload was pushed later and is no suspect.
local function keep(key, starts, oldest)
  local suspects, started = string.match(call("HGET", crashes, "\255" .. key) or "1;", "^(%d+);(.*)$")
  if starts ~= "0" and started ~= "" and started ~= redis.sha1hex(oldest) then return nil end
  if tonumber(suspects) > 1 then
    suspected[#suspected + 1], suspected[#suspected + 2] = key, "0"
    suspected[#suspected + 1], suspected[#suspected + 2] = "\255" .. key, (suspects - 1) .. ";"
  else
    cleared[#cleared + 1], cleared[#cleared + 2] = key, "\255" .. key
  end
  return starts
end

local function fetch(key, body, at)
  local starts = has_crashes and call("HGET", crashes, key)
  local rest, oldest = false, nil
  if body == "*" or body == "!*" then
    body, rest, oldest = take(key, starts and 1 or math.max(10, math.min(500, room)))
    if body == "" then -- an empty entry
      gone[#gone + 1] = key
      return
    end
  else
    weigh(body)
  end
  if starts and rest then starts = keep(key, starts, oldest) end
  pick(key, body, at, rest, starts)
end

local i = 0
while i < n and bytes < limit and room > 0 do
  local from = i + 1
  local to = i + fitting(math.min(i == 0 and 16 or 80, n - i))
  local bodies = call("HMGET", jobs, unpack(keys, from, to))
  while i < to and bytes < limit do
    i = i + 1
    local key, body = keys[i], bodies[i - from + 1]
    if from_ready[i] then in_ready = in_ready + 1 else in_due = in_due + 1 end
    if body and from_ready[i] and byte(body, 1) ~= 33 then -- "!"
      body = false
    end
    if seen[key] then -- deleted and pushed again: it has two entries in the ready list
      body = false
    end
    seen[key] = seen[key] or body -- a stale entry does not serve the key
    if body then fetch(key, body, ats[i]) end
  end
end

local limits, wanted = KEYS[12], KEYS[13]
if call("EXISTS", limits) == 1 then
  local sizes = {}
  for _, one in ipairs(fetched) do sizes[one[1]] = one[2] end
  for _, key in ipairs(gone) do note_room(limits, wanted, key, 0, ARGV[2]) end
  for i = 1, #left, 2 do
    local waiting = call("ZCARD", payloads .. left[i]) - sizes[left[i]]
    note_room(limits, wanted, left[i], waiting, ARGV[2])
  end
end

local next_due = call("ZRANGE", due, in_due, in_due, "WITHSCORES")[2]
local next_ready = string.match(call("LINDEX", ready, in_ready) or "", "^%d+")
if next_ready and not (next_due and number(next_due) < tonumber(next_ready)) then
  next_due = next_ready
end
local out = {0, next_due or "", call("HLEN", busy) + #taken, before}
for i = 1, #moved do
  out[i + 4] = moved[i]
end

if #taken > 0 then
  call("HDEL", jobs, "")
  call("INCRBY", seq, #taken)
end
write_room(limits, wanted, ARGV[5])
write(moved, "HSET", busy)
write(behind, "HSET", wait)
write(left, "HSET", jobs)
write(gone, "HDEL", jobs)
for _, one in ipairs(fetched) do call("ZREMRANGEBYRANK", payloads .. one[1], 0, one[2] - 1) end
if retried then write(taken, "ZREM", retries) end
if doubtful then write(gone, "HDEL", redeliveries) end
if has_crashes then
  for _, key in ipairs(gone) do
    cleared[#cleared + 1], cleared[#cleared + 2] = key, "\255" .. key
  end
  write(suspected, "HSET", crashes)
  write(cleared, "HDEL", crashes)
end
if in_due > 0 then call("ZREMRANGEBYRANK", due, 0, in_due - 1) end
if in_ready > 0 then call("LTRIM", ready, in_ready, -1) end
return out

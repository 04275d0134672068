-- settle.lua: end deliveries with payloads that are not done.
--
-- Kept payloads join the payloads pushed meanwhile; of equal payloads the smaller score is kept.
-- The key gets the run-at and the retry count of the kept payloads. Dead payloads go to the morgue.
-- A delivery number that is not in flight changes nothing. The first write does nothing, so that a
-- full Redis accepts the others. A key is in the morgue, waiting and due before it leaves flight,
-- and the counts come last. After a crash in between, the caller settles again.
--
-- KEYS[1]  string  lease: "<node>:<token>"
-- KEYS[2]  zset    due: key, scored by run-at in unix ms
-- KEYS[3]  hash    jobs: key -> ["!"] "score;length;payload", or ["!"] "*" = see payloads
-- KEYS[4]  hash    busy: key -> "seq;run-at;retry;redeliveries;crashes;" ["!"] and its payloads
-- KEYS[5]  hash    wait: key in flight -> run-at of its waiting payloads
-- KEYS[6]  zset    retries: key, scored by retry count when not -1
-- KEYS[7]  hash    redeliveries: key -> times delivered without a known outcome
-- KEYS[8]  hash    errors: key -> text of its last error
-- KEYS[9]  hash    stats: processed, failed
-- KEYS[10] zset    morgue: key, scored by time of its last death in unix ms
-- KEYS[11] hash    morgue errors: key -> text of its last error
-- KEYS[12] prefix  payloads: + key is a zset, payload scored by score
-- KEYS[13] prefix  dead_payloads: + key is a zset, payload scored by score
-- KEYS[14] hash    crashes: key -> how often its node died after a start of its oldest payload;
--                  "\255" + key -> "number of suspects;SHA-1 of the payload that started"
-- ARGV[1]  lease value of the caller
-- ARGV[2]  time in unix ms
-- ARGV[3..] records to the end: key, delivery number followed by ";", payloads
--          processed, attempts failed, retry count, redeliveries, crashes, run-at, error
--          or "", number kept, number dead, then score and payload of each of these
--
-- Returns {-1} if the lease was lost, else {keys settled, keys made due}.

local lease, due, jobs, busy, wait = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local retries, redeliveries, errors, stats = KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local morgue, dead_errors, payloads, dead_payloads, crashes = KEYS[10], KEYS[11], KEYS[12], KEYS[13], KEYS[14]
if redis.call("GET", lease) ~= ARGV[1] then
  return {-1}
end

local dead_lists, morgue_adds, texts, back, redelivered, suspected, faults = {}, {}, {}, {}, {}, {}, {}
local gone, behind, soon, cleared_errors = {}, {}, {}, {}
local has_crashes = redis.call("EXISTS", crashes) == 1
local function note(list, a, b) list[#list + 1], list[#list + 2] = a, b end

-- suspect stores the kept payloads as suspects, before the suspects that wait.
local function suspect(key, starts, kept, oldest)
  local held = has_crashes and redis.call("HGET", crashes, key)
    and redis.call("HGET", crashes, "\255" .. key) or "0;"
  local n = tonumber(string.match(held, "^(%d+);"))
  if starts == "-1" and n == 0 then return end
  local started = tonumber(starts) > 0 and redis.sha1hex(oldest) or ""
  note(suspected, key, starts == "-1" and "0" or starts)
  note(suspected, "\255" .. key, (n + kept) .. ";" .. started)
end

local function requeue(key, r, kept)
  local at = redis.call("HGET", wait, key)
  if at then behind[#behind + 1] = key end
  if kept > 0 then
    at = ARGV[r + 7]
    if ARGV[r + 4] ~= "-1" then note(back, ARGV[r + 4], key) end
    if ARGV[r + 5] ~= "0" then note(redelivered, key, ARGV[r + 5]) end
    suspect(key, ARGV[r + 6], kept, ARGV[r + 12])
    if ARGV[r + 8] ~= "" then note(faults, key, ARGV[r + 8]) end
  else
    cleared_errors[#cleared_errors + 1] = key
  end
  if at then note(soon, at, key) end
end

local function settle(key, r, kept, died)
  for i = r + 11, r + 9 + 2 * kept, 2 do
    join(key, ARGV[i], ARGV[i + 1])
  end
  requeue(key, r, kept)
  local list = {}
  for i = r + 11 + 2 * kept, r + 9 + 2 * (kept + died), 2 do
    note(list, ARGV[i], ARGV[i + 1])
  end
  if died > 0 then
    dead_lists[#dead_lists + 1] = {key, list}
    note(morgue_adds, ARGV[2], key)
    note(texts, key, ARGV[r + 8])
  end
end

local first, processed, failed, seen = 3, 0, 0, {}
local r = first
while r <= #ARGV do
  local key, seq, kept, died = ARGV[r], ARGV[r + 1], tonumber(ARGV[r + 9]), tonumber(ARGV[r + 10])
  local held = not seen[key] and redis.call("HGET", busy, key)
  if held and string.sub(held, 1, #seq) == seq then
    seen[key], gone[#gone + 1] = true, key
    settle(key, r, kept, died)
    processed, failed = processed + tonumber(ARGV[r + 2]), failed + tonumber(ARGV[r + 3])
  end
  r = r + 11 + 2 * (kept + died)
end
if #gone == 0 then
  return {0, 0}
end
local planned = plan(jobs, payloads, {})

redis.call("HDEL", busy, "")
for _, one in ipairs(dead_lists) do
  write(one[2], "ZADD", dead_payloads .. one[1], "LT")
end
write(texts, "HSET", dead_errors)
write(morgue_adds, "ZADD", morgue)
store(planned, jobs, payloads, redeliveries)
write(back, "ZADD", retries)
write(redelivered, "HSET", redeliveries)
write(suspected, "HSET", crashes)
write(faults, "HSET", errors)
write(cleared_errors, "HDEL", errors)
write(soon, "ZADD", due)
write(behind, "HDEL", wait)
write(gone, "HDEL", busy)
redis.call("HINCRBY", stats, "processed", processed)
redis.call("HINCRBY", stats, "failed", failed)
return {#gone, #soon / 2}

-- push.lua: add jobs of one shard.
--
-- A key that waits already keeps its run-at and gets the payload; an equal payload keeps the
-- smaller score. The score 0 means none: the payload's score is one above all waiting, in flight
-- and dead payloads of the key. A key in flight gets a waiting entry that becomes due when the key
-- is settled. A job that is due now joins the ready list, which keeps the order of run-at, and a
-- "!" precedes its body. Any other job is in due. The current time is that of the caller, or of
-- Redis if that is earlier, so that a fast clock delays no job. A closed shard refuses keys that it
-- does not have. The script wakes the owner only if nothing was due before the new jobs: otherwise
-- the owner fetches anyway. The script refuses a job if as many payloads of its key wait as its
-- limit allows, unless its own payload already waits. It then also refuses all later jobs of the
-- key in the call, and the key enters limits. Limits, marks and entries come before the payloads: a
-- crash in between leaves stale entries, which fetch removes.
--
-- KEYS[1]  zset    due: key, scored by run-at in unix ms
-- KEYS[2]  hash    jobs: key -> ["!"] "score;length;payload", or ["!"] "*" = see payloads
-- KEYS[3]  hash    busy: key -> delivery in flight
-- KEYS[4]  hash    wait: key in flight -> run-at of its waiting payloads
-- KEYS[5]  hash    redeliveries: key -> times delivered without a known outcome
-- KEYS[6]  prefix  payloads: + key is a zset, payload scored by score
-- KEYS[7]  list    ready: "run-at;key", rising, run-at of 13 digits
-- KEYS[8]  string  gate: "open" or "closed"
-- KEYS[9]  zset    morgue: key, scored by time of its last death in unix ms
-- KEYS[10] prefix  dead_payloads: + key is a zset, payload scored by score
-- KEYS[11] hash    limits: key that has refused a job -> its limit
-- ARGV[1]  channel that wakes the owner
-- ARGV[2]  name of the shard, the message on it
-- ARGV[3]  state of a missing gate: "open" or ""
-- ARGV[4]  time in unix ms
-- ARGV[5]  number n of jobs, at most 500
-- ARGV[6]  "1" = report jobs whose key or payload waited
-- ARGV[7]  "1" = the jobs have limits
-- ARGV[8..] n times: key, run-at, "!score;length;payload"; then, if ARGV[7] is "1", n limits, 0 =
--          none; then keys to mark as redelivered. The body has its "!" already, because a text
--          that the script makes costs time for each byte.
--
-- Returns {-2} if the shard is unknown, else {count of keys that did not wait before, numbers ...}.
-- A number up to 500 is the number of a job that a closed shard refused, from 1. 1000 is added for
-- a job whose key waited, 2000 if its payload waited, too, 3000 if its key is full.

local due, jobs, busy, wait = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local redeliveries, payloads, ready, dead_payloads = KEYS[5], KEYS[6], KEYS[7], KEYS[10]
local channel, shard, n, report = ARGV[1], ARGV[2], tonumber(ARGV[5]), ARGV[6] == "1"
local first, limits = 8, KEYS[11]
local limited = ARGV[7] == "1" and first + 3 * n - 1 -- index before the first limit
local gate = redis.call("GET", KEYS[8]) or ARGV[3]
if gate == "" then
  return {-2}
end

local keys = {}
for i = 1, n do
  keys[i] = ARGV[first + 3 * (i - 1)]
end
local waiting = redis.call("HMGET", jobs, unpack(keys))
local in_flight = redis.call("EXISTS", busy) == 1 and redis.call("HMGET", busy, unpack(keys)) or {}

local time = redis.call("TIME")
local now = math.min(tonumber(ARGV[4]), time[1] * 1000 + math.floor(time[2] / 1000))
local today = string.format("%.0f", now)
local last, head = redis.call("LINDEX", ready, -1), redis.call("LINDEX", ready, 0)
last = last and tonumber(string.sub(last, 1, 13)) or 0
head = head and tonumber(string.sub(head, 1, 13))
local has_dead = redis.call("EXISTS", KEYS[9]) == 1
local known, fresh, due_now, queued, later = {}, {}, {}, {}, {}
local f, q = 0, 0
local out, soonest = {0}, nil
local counts, full, refusing = {}, {}, {} -- by key, if jobs have limits

local function bare(body) return string.byte(body, 1) == 33 and string.sub(body, 2) or body end -- "!"

-- last_score returns the score of the last payload of a record in flight, or nil if the
-- record cannot be read.
local function last_score(record)
  local at, score = 1, nil
  for _ = 1, 5 do at = (string.find(record, ";", at, true) or #record) + 1 end
  if string.byte(record, at) == 33 then at = at + 1 end -- "!"
  while at <= #record do
    local a = string.find(record, ";", at, true)
    local b = a and string.find(record, ";", a + 1, true)
    local size = b and tonumber(string.sub(record, a + 1, b - 1))
    if not size then break end
    score = string.sub(record, at, a - 1)
    at = b + 1 + size
  end
  return score
end

-- top returns the highest score that the key of job i has, or nil.
local top_scores = {}
local function top(key, i)
  local scores, body = {}, known[key] or waiting[i]
  if body and bare(body) == "*" then
    scores[1] = redis.call("ZRANGE", payloads .. key, -1, -1, "WITHSCORES")[2]
  elseif body then
    scores[1] = split(bare(body))
  end
  for _, list in ipairs(joined[key] or {}) do
    for at = 1, #list, 2 do scores[#scores + 1] = list[at] end
  end
  if in_flight[i] then scores[#scores + 1] = last_score(in_flight[i]) end
  if has_dead then scores[#scores + 1] = redis.call("ZRANGE", dead_payloads .. key, -1, -1, "WITHSCORES")[2] end
  local most
  for _, score in ipairs(scores) do most = math.max(most or number(score), number(score)) end
  return most
end

local function unscored(item) return string.byte(item, 2) == 48 and string.byte(item, 3) == 59 end -- "!0;"
local function rank(key, i, item)
  local most = top_scores[key] or top(key, i)
  if not most then return item end
  top_scores[key] = most + 1
  return "!" .. string.format("%.17g", most + 1) .. string.sub(item, 3)
end

-- holds reports whether a payload waits under a waiting key.
local function holds(key, i, payload)
  if joined[key] and joined[key].times[payload] then return true end
  local body = bare(known[key] or waiting[i])
  if body == "*" then return (report or limited) and redis.call("ZSCORE", payloads .. key, payload) end
  local _, other = split(body)
  return other == payload
end

-- refuses reports whether job i is refused because its key is full.
local function refuses(key, i, item)
  if not counts[key] then
    local body = waiting[i] and bare(waiting[i])
    counts[key] = not body and 0 or body == "*" and redis.call("ZCARD", payloads .. key) or 1
  end
  local limit = tonumber(ARGV[limited + i])
  if full[key] or limit == 0 or counts[key] < limit then return full[key] end
  local _, payload = split(bare(item))
  if holds(key, i, payload) then return false end
  full[key] = true
  refusing[#refusing + 1], refusing[#refusing + 2] = key, limit
  return true
end

local function add(key, i, item)
  local score, payload = split(bare(item))
  local held = holds(key, i, payload)
  if report then out[#out + 1] = i + (held and 2000 or 1000) end
  if limited and not held then counts[key] = counts[key] + 1 end
  if not unscored(item) then
    if top_scores[key] then top_scores[key] = math.max(top_scores[key], number(score)) end
    join(key, score, payload)
  elseif not held then
    join(key, split(bare(rank(key, i, item))))
  end
end

for i = 1, n do
  local key, text, item = keys[i], ARGV[first + 3 * i - 2], ARGV[first + 3 * i - 1]
  if gate == "closed" and not waiting[i] and not in_flight[i] then
    out[#out + 1] = i
  elseif limited and refuses(key, i, item) then
    out[#out + 1] = i + 3000
  elseif waiting[i] or known[key] then
    known[key] = known[key] or waiting[i]
    add(key, i, item)
  else
    if text == ARGV[4] then text = today end
    if (in_flight[i] or has_dead) and unscored(item) then item = rank(key, i, item) end
    local at = tonumber(text)
    if in_flight[i] then
      later[#later + 1], later[#later + 2] = key, text
      item = bare(item)
    elseif at <= now and last - at <= 100 and #text == 13 then
      if at < last then text = string.format("%.0f", last) else last = at end
      q = q + 1
      queued[q] = text .. ";" .. key
    else
      item = bare(item)
      due_now[#due_now + 1], due_now[#due_now + 2] = text, key
      if not soonest or at < soonest then soonest = at end
    end
    fresh[f + 1], fresh[f + 2] = key, item
    known[key], f, counts[key] = item, f + 2, 1
  end
end

if q > 0 then soonest = math.min(soonest or now, now) end
local notify = soonest and (not head or head > soonest)
if notify then
  notify = redis.call("ZCOUNT", due, "-inf", string.format("%.0f", soonest)) == 0
end
local planned = plan(jobs, payloads, known)

write(refusing, "HSET", limits)
for i = first + 3 * n + (limited and n or 0), #ARGV do
  if known[ARGV[i]] then redis.call("HSETNX", redeliveries, ARGV[i], "1") end
end
write(later, "HSET", wait)
write(due_now, "ZADD", due)
write(queued, "RPUSH", ready)
write(fresh, "HSET", jobs)
store(planned, jobs, payloads, redeliveries)
if notify then
  redis.call("PUBLISH", channel, shard)
end
out[1] = f / 2
return out

-- locate.lua: count the copies of payloads in one shard.
--
-- A payload is identified by its key, its score and its first bytes. The script reads at most 500
-- payloads of a key in flight, and at most 100 waiting and 100 dead payloads of a score.
--
-- KEYS[1]  hash    jobs: key -> ["!"] "score;length;payload", or ["!"] "*" = see payloads
-- KEYS[2]  hash    busy: key -> "seq;run-at;retry;redeliveries;crashes;" ["!"] and its payloads
-- KEYS[3]  hash    redeliveries: key -> times delivered without a known outcome
-- KEYS[4]  prefix  payloads: + key is a zset, payload scored by score
-- KEYS[5]  prefix  dead_payloads: + key is a zset, payload scored by score
-- ARGV[1..] triples to the end: key, score, first bytes of the payload
--
-- Returns four numbers for each triple: copies waiting, copies in flight, copies in the morgue, and
-- 1 if the key is marked as redelivered, else 0.

local jobs, busy, redeliveries, payloads, dead_payloads = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local first = 1

local function among(zset, score, head)
  local n = 0
  for _, payload in ipairs(redis.call("ZRANGEBYSCORE", zset, score, score, "LIMIT", 0, 100)) do
    if string.sub(payload, 1, #head) == head then n = n + 1 end
  end
  return n
end

local function same(a, b) return a == b or number(a) == number(b) end

local function waiting(key, score, head)
  local body = redis.call("HGET", jobs, key)
  if not body then return 0 end
  if body == "*" or body == "!*" then return among(payloads .. key, score, head) end
  if string.byte(body, 1) == 33 then body = string.sub(body, 2) end -- "!"
  local a = string.find(body, ";", 1, true)
  local b = string.find(body, ";", a + 1, true)
  local found = string.sub(body, b + 1, b + #head) == head and same(string.sub(body, 1, a - 1), score)
  return found and 1 or 0
end

-- in_flight returns the first 500 payloads of a key in flight, each cut to the length of the longest
-- head.
local longest = 0
for i = first + 2, #ARGV, 3 do longest = math.max(longest, #ARGV[i]) end
local records = {}
local function in_flight(key)
  if records[key] then return records[key] end
  local rec, out, at = redis.call("HGET", busy, key), {asks = 0}, 1
  records[key] = out
  if not rec then return out end
  for i = 1, 5 do
    local stop = string.find(rec, ";", at, true)
    if i == 4 and string.sub(rec, at, stop - 1) ~= "0" then out.asks = 1 end
    at = stop + 1
  end
  if string.byte(rec, at) == 33 then at = at + 1 end -- "!"
  while at <= #rec and #out < 500 do
    local a = string.find(rec, ";", at, true)
    local b = string.find(rec, ";", a + 1, true)
    out[#out + 1] = {string.sub(rec, at, a - 1), string.sub(rec, b + 1, b + longest)}
    at = b + 1 + tonumber(string.sub(rec, a + 1, b - 1))
  end
  return out
end

local out = {}
for i = first, #ARGV, 3 do
  local key, score, head = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local held, n = in_flight(key), 0
  for _, item in ipairs(held) do
    if string.sub(item[2], 1, #head) == head and same(item[1], score) then n = n + 1 end
  end
  out[#out + 1] = waiting(key, score, head)
  out[#out + 1] = n
  out[#out + 1] = among(dead_payloads .. key, score, head)
  out[#out + 1] = math.max(held.asks, redis.call("HEXISTS", redeliveries, key))
end
return out

-- acquire.lua: lease one shard to a node.
--
-- The script refuses a token that is not above every earlier token, so that an earlier owner never
-- counts as the owner. The DEL comes first: a full Redis refuses SET as the first write of a
-- script, but not after another write. The fence rises before the lease is given, so that no token
-- is given twice.
--
-- KEYS[1]  string  lease: "<node>:<token>"
-- KEYS[2]  string  fence: highest token so far
-- KEYS[3]  hash    busy: key -> delivery in flight
-- ARGV[1]  node
-- ARGV[2]  token, or "" = one above the fence
-- ARGV[3]  least token when ARGV[2] is ""
-- ARGV[4]  lease time in ms
--
-- Returns {token as text, keys in flight}; {"", ms left} if another node holds
-- the lease; {"", -1} if the token is too old.

local lease, fence, busy = KEYS[1], KEYS[2], KEYS[3]
local node, token, least, ttl = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local holder = redis.call("GET", lease)
if holder and string.sub(holder, 1, #node + 1) ~= node .. ":" then
  return {"", math.max(redis.call("PTTL", lease), 0)}
end

local last = tonumber(redis.call("GET", fence) or "0")
if token == "" then
  token = string.format("%.0f", math.max(last + 1, tonumber(least)))
elseif tonumber(token) <= last then
  return {"", -1}
end

local busy_keys = redis.call("HLEN", busy)
redis.call("DEL", lease)
redis.call("SET", fence, token)
redis.call("SET", lease, node .. ":" .. token, "PX", ttl)
return {token, busy_keys}

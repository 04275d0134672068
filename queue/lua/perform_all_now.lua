-- perform_all_now.lua: make keys with a later run-at due, in their order.
--
-- KEYS[1]  zset    due: key, scored by run-at in unix ms
-- KEYS[2]  hash    wait: key in flight -> run-at of its waiting payloads
-- ARGV[1]  time in unix ms; later keys are made due
-- ARGV[2]  run-at of the first; each gets one ms more than the one before
-- ARGV[3]  most keys to take
-- ARGV[4]  channel that wakes the owner
-- ARGV[5]  name of the shard, the message on it
--
-- Returns {keys made due, keys in flight whose waiting payloads were made due}.

local due, wait = KEYS[1], KEYS[2]
local now, base, most = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local keys = redis.call("ZRANGEBYSCORE", due, "(" .. now, "+inf", "LIMIT", 0, most)
local soon = {}
for i, key in ipairs(keys) do
  local at = math.min(base + i - 1, tonumber(now))
  soon[#soon + 1], soon[#soon + 2] = string.format("%.0f", at), key
end
local behind = {}
if #keys < most then
  local list = redis.call("HGETALL", wait)
  for i = 1, #list, 2 do
    if number(list[i + 1]) > tonumber(now) then
      behind[#behind + 1], behind[#behind + 2] = list[i], now
    end
  end
end

redis.call("HDEL", wait, "") -- removes nothing, so that a full Redis accepts the next writes
write(soon, "ZADD", due)
write(behind, "HSET", wait)
if #keys > 0 then
  redis.call("PUBLISH", ARGV[4], ARGV[5])
end
return {#keys, #behind / 2}

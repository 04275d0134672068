-- extend.lua: extend the leases of the permits that one process holds under a limit.
--
-- It also restores permits that Redis has lost, since their jobs still run.
--
-- KEYS[1]  zset  permits: permit, scored by the end of its lease in unix ms
-- ARGV[1]  lease in ms
-- ARGV[2..] permits to the end
--
-- Returns {number of permits}.

local permits, lease, now = KEYS[1], tonumber(ARGV[1]), clock()
local first, list = 2, {}
for i = first, #ARGV do
  list[#list + 1], list[#list + 2] = whole(now + lease), ARGV[i]
end
local last = redis.call("ZRANGE", permits, -1, -1, "WITHSCORES")[2]

redis.call("ZREM", permits, "") -- removes nothing, so that a full Redis accepts the next writes
write(list, "ZADD", permits)
redis.call("PEXPIRE", permits, whole(math.max(lease, last and number(last) - now or 0)))
return {#list / 2}

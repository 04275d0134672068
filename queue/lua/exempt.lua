-- exempt.lua: run one write command also while Redis is full.
--
-- A full Redis refuses a command that needs memory as the first write of a script, but
-- not behind another write. So a command that changes nothing comes first: it removes
-- the empty name, which is nobody's, or, from a string, its expiry.
--
-- KEYS[1]  any      key of the command
-- ARGV[1]  what comes first: "HDEL", "SREM", "ZREM", or "PERSIST" for a string
-- ARGV[2]  command
-- ARGV[3..] its arguments behind the key, at most 20
--
-- Returns what the command returns.

if ARGV[1] == "PERSIST" then
  redis.call("PERSIST", KEYS[1])
else
  redis.call(ARGV[1], KEYS[1], "")
end
local first = 3
return redis.call(ARGV[2], KEYS[1], unpack(ARGV, first))

-- exempt.lua: run one write command even when Redis is full.
--
-- A full Redis refuses a command that needs memory as the first write of a script, but not after
-- another write. So a command that changes no value comes first. It removes the empty name, which is
-- never used. For a string, it removes the expiry.
--
-- KEYS[1]  any      key of the command
-- ARGV[1]  the first command: "HDEL", "SREM", "ZREM", or "PERSIST" for a string
-- ARGV[2]  command
-- ARGV[3..] arguments after the key, at most 20
--
-- Returns the reply of the command.

if ARGV[1] == "PERSIST" then
  redis.call("PERSIST", KEYS[1])
else
  redis.call(ARGV[1], KEYS[1], "")
end
local first = 3
return redis.call(ARGV[2], KEYS[1], unpack(ARGV, first))

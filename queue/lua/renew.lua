-- renew.lua: keep the lease of one shard.
--
-- KEYS[1]  string  lease: "<node>:<token>"
-- ARGV[1]  lease value of the caller
-- ARGV[2]  lease time in ms
--
-- Returns {1} if kept, {-1} if the lease was lost.

if redis.call("GET", KEYS[1]) ~= ARGV[1] then
  return {-1}
end
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return {1}

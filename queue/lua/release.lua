-- release.lua: release the lease of one shard; the fence stays.
--
-- KEYS[1]  string  lease: "<node>:<token>"
-- ARGV[1]  lease value of the caller
--
-- Returns {1} if released, {-1} if the lease was lost before.

if redis.call("GET", KEYS[1]) ~= ARGV[1] then
  return {-1}
end
redis.call("DEL", KEYS[1])
return {1}

-- renew.lua: renew the leases of some shards of one node. Each lease costs two commands; the caller
-- sends at most 64.
--
-- KEYS     strings  leases: "<node>:<token>"
-- ARGV[i]  value of the caller for the lease KEYS[i]
-- ARGV[last]  lease time in ms
--
-- Returns a number for each lease: 1 if it was renewed, -1 if it was lost.

local answers = {}
for i, lease in ipairs(KEYS) do
  if redis.call("GET", lease) == ARGV[i] then
    redis.call("PEXPIRE", lease, ARGV[#KEYS + 1])
    answers[i] = 1
  else
    answers[i] = -1
  end
end
return answers

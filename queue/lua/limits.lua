-- limits.lua: what goes ahead of the scripts that take waiting payloads away.
--
-- A key that has refused a job stands in the hash limits with its limit. note_room notes
-- such a key if at most half of its limit is left waiting. write_room puts the noted keys
-- into the zset wanted and rings the bell. A key that is in wanted already keeps its entry
-- in limits, which refill.lua reads. The caller runs write_room before it takes payloads:
-- a script that dies in between leaves a key in wanted that has no room, and refill.lua
-- or the next refused job mends that.
--
-- Returns nothing by itself.

local roomy, unlimited = {}, {}
local function note_room(limits, wanted, key, waiting, now)
  local limit = redis.call("HGET", limits, key)
  if limit and waiting <= tonumber(limit) / 2 and not redis.call("ZSCORE", wanted, key) then
    roomy[#roomy + 1], roomy[#roomy + 2] = now, key
    unlimited[#unlimited + 1] = key
  end
end

local function write_room(limits, wanted, bell)
  if #roomy == 0 then return end
  redis.call("HDEL", limits, "") -- removes nothing; a full Redis takes what is behind it
  write(roomy, "ZADD", wanted)
  write(unlimited, "HDEL", limits)
  redis.call("PUBLISH", bell, "")
end


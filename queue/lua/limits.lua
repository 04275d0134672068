-- limits.lua: prefix of the scripts that remove waiting payloads.
--
-- The hash limits holds keys that have refused a job, with their limit. note_room collects such a
-- key if its waiting payloads are at most half of its limit. write_room adds the collected keys to
-- the zset wanted and notifies the channel. A key already in wanted keeps its entry in limits,
-- which refill.lua reads. The caller runs write_room before it removes payloads. After a crash in
-- between, wanted may hold a key without room, which refill.lua or the next refused job repairs.
--
-- Returns nothing.

local roomy, unlimited = {}, {}
local function note_room(limits, wanted, key, waiting, now)
  local limit = redis.call("HGET", limits, key)
  if limit and waiting <= tonumber(limit) / 2 and not redis.call("ZSCORE", wanted, key) then
    roomy[#roomy + 1], roomy[#roomy + 2] = now, key
    unlimited[#unlimited + 1] = key
  end
end

local function write_room(limits, wanted, notify)
  if #roomy == 0 then return end
  redis.call("HDEL", limits, "") -- removes nothing, so that a full Redis accepts the next writes
  write(roomy, "ZADD", wanted)
  write(unlimited, "HDEL", limits)
  redis.call("PUBLISH", notify, "")
end


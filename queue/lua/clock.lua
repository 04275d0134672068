-- clock.lua: prefix of the scripts of permits.
--
-- clock returns the time of Redis in unix ms. whole writes a number without a fraction or exponent.
-- after writes a number as a lower bound of scores that excludes the number.
--
-- Returns nothing.

local function clock()
  local time = redis.call("TIME")
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local function whole(n) return string.format("%.0f", n) end
local function after(n) return "(" .. whole(n) end

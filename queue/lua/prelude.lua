-- prelude.lua: prefix of the scripts that use its functions.
--
-- write runs a command for the values of a list on a key, up to 400 values at a time. Lua's stack
-- takes 8,000 values, the stack of the in-process Redis 5,120. A flag comes before the values. 400
-- is even, so pairs stay together.
--
-- number parses a number as Redis prints it, such as 1.7e+12, which the Lua of the in-process Redis
-- does not parse.
--
-- chosen returns the keys that a caller has chosen: a number of keys from the start of a sorted set.
-- If the number is not above 0, they are the values of ARGV from a position on.
--
-- Each of these scripts reads and checks first and writes last, in an order in which a crash between
-- two writes loses no payload.
--
-- Returns nothing.

local function write(list, command, key, flag)
  for from = 1, #list, 400 do
    local to = math.min(from + 399, #list)
    if flag then
      redis.call(command, key, flag, unpack(list, from, to))
    else
      redis.call(command, key, unpack(list, from, to))
    end
  end
end

local function chosen(zset, most, first)
  if most > 0 then return redis.call("ZRANGE", zset, 0, most - 1) end
  local keys = {}
  for i = first, #ARGV do
    keys[#keys + 1] = ARGV[i]
  end
  return keys
end

local function number(text)
  local plain = tonumber(text)
  if plain then return plain end
  local whole, part, power = string.match(text, "^(-?%d+)%.?(%d*)e%+?(-?%d+)$")
  local zeros = power - #part
  if zeros >= 0 then return tonumber(whole .. part .. string.rep("0", zeros)) end -- exact
  return tonumber(whole .. "." .. part) * 10 ^ power
end


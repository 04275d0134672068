-- prelude.lua: prefix of every script that writes.
--
-- write runs a command for the values of a list on a key, up to 400 values at a time: Lua's stack
-- takes 8,000 values, the stack of the in-process Redis 5,120. A flag comes before the values. 400
-- is even, so pairs stay together.
--
-- number parses a number as Redis prints it, such as 1.7e+12, which the Lua of the in-process Redis
-- does not parse.
--
-- Every script reads and checks first and writes last, in an order in which a crash between two
-- writes loses no payload.
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

local function number(text)
  local plain = tonumber(text)
  if plain then return plain end
  local whole, part, power = string.match(text, "^(-?%d+)%.?(%d*)e%+?(-?%d+)$")
  local zeros = power - #part
  if zeros >= 0 then return tonumber(whole .. part .. string.rep("0", zeros)) end -- exact
  return tonumber(whole .. "." .. part) * 10 ^ power
end


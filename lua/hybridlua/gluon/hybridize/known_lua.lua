-- known_lua.lua - checks that this Lua runs its functions as the follower expects (src/bind/follow/next_instruction.c).
-- In a Lua with other instructions, reads could be missed silently. So the follower follows a fixed function with every
-- kind of branch once, when this file is loaded, and must see the same reads as Lua, in the same order.
local core = require "hybridlua.core"
local follow = core.follow

-- The function reads one entry of t for each true condition and another for each false one, for three pairs (x, y). `a`
-- and `b` are objects with metamethods; `up` is t as an upvalue.
local CONDITIONS = {
  "x == y", "x ~= y", "x == 1", "x == 1.5", "x == 'k'", "x < y", "x <= y", "x > y", "x >= y", "x < 2", "x <= 1",
  "x > 1", "x >= 2", "1 < x", "not x", "x and y == 2", "(nil or x) == y", "(x and y) == x", "(x > 1) == (y > 1)",
  "a < b", "a <= b", "a == b", "a ~= b", "a < 1", "a > 1", "a >= 2", "2 <= a",
  "x + y == 3", "x - 1 == y", "x // y * y + x % y == 1.5", "x / y > 0.5", "x ^ 2 > y", "-x < -y", "~(x // 1 | 0) < -2",
  "(x // 1 | 0) & 1 == 1", "2 ~ (x // 1 | 0) == 3", "1 << (x // 1 | 0) == 2", "(x // 1 | 0) >> 1 == 1",
  "a + 1 == 7", "1 - a == 7", "a * b == 7", "a / 2.5 == 7", "a & 1 == 7", "1 | a == 7", "a << 1 == 7", "-a == 7",
  "~a == 7", "#a == 7", "a .. x == 7", "x .. y == '12'", "a(x) == 7", "a[x] == 7",
  "#{ x, y, ... } == 4", "select('#', ...) == x + 1", "many(...) == 60", "tail(x) == 1", "pcall(error) or x > 1",
  "pcall(function() return x + nil end) or y > 1", "closing(x) == 1", "jumps(x) == 3", "counts(1, x, 1) == 1",
  "counts(2, x, -1) == 1", "counts(0.5, x, 0.5) == 3", "counts(1, -x, 1) == 0", "counts(1, 1e308, x) == 1",
  "walks { x } == x", "walks {} == y", "t[x] or x", "t[7] or x", "t['key ' .. x] or x", "up.field or x", "up[y] or x",
  "pcall(calls_method, t) or y", "writes(x) == x",
}

local HEAD = [[
local up, w, a, b, select, pcall, error, setmetatable, next = ...
local function calls_method(t) t:method() end
local function writes(x)
  local t, last = w, x
  w.field, t.other, t[1], t[x + 10] = x, x, x, x
  local function keeps(v) last = v end
  keeps(nil)
  keeps(x)
  return last
end
local function tail(x) if x == 1 then return tail(2) end return x // 2 end
local function many(...)
  return #{ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
            29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55,
            56, 57, 58, ... }
end
local function closing(x)
  local n = 0
  do
    local _ <close> = setmetatable({}, { __close = function() n = x end })
    local _ <close> = a
  end
  return n
end
local function jumps(x)
  local n = 0
  ::again::
  n = n + 1
  if n < 2 then goto again end
  while true do
    n = n + 1
    if n > 2 then break end
  end
  repeat
    local last = x
  until last
  return n
end
local function counts(first, last, step)
  local n = 0
  for _ = first, last, step do
    n = n + 1
    if n == 3 then break end
  end
  return n
end
local function walks(list)
  local sum = 0
  for _, v in next, list do
    sum = sum + v
  end
  return sum
end
local function branches(t, x, y, ...)
]]

local function code()
  local lines = { HEAD }
  for i, condition in ipairs(CONDITIONS) do
    lines[#lines + 1] = ("if %s then\n  _ = t['%d true']\nelse\n  _ = t['%d false']\nend"):format(condition, i, i)
  end
  lines[#lines + 1] = "end\nbranches(up, 1, 2, 1, 2) branches(up, 2, 1) branches(up, 1.5, 1.5, nil)"
  return "local _\n" .. table.concat(lines, "\n")
end

local function object(n)
  local meta = { __lt = function(_, o) return n == 1 and o ~= 1 end, __le = function(_, o) return o ~= 2 end,
                 __eq = function() return n == 2 end }
  for name in ("add sub mul div band bor shl unm bnot len concat call index close"):gmatch "%a+" do
    meta["__" .. name] = function() return 7 end
  end
  return setmetatable({}, meta)
end

-- The keys written, in the order of instructions: the last value is assigned first.
local WRITES = "11,1,other,field,12,11.5"

-- Compares the keys read by the function, as seen by Lua and by the follower, in the order of first reads; the
-- metamethods used; and the keys written.
local function compare()
  local by_lua, by_follower, written, met = {}, {}, {}, {}
  local a, b = object(1), object(2)
  local needed = {}
  for name in next, getmetatable(a) do needed[name] = true end
  local t = setmetatable({}, { __index = function(_, key)
    if not met[key] then by_lua[#by_lua + 1] = key end
    met[key] = true
  end })
  local w = { 0, field = 0, other = 0 }
  local run = load(code(), "=branches", "t", {})
  follow.begin {
    judge = function() return true end, outside = { t, w, a, b },
    wrote = function(kind, holder, key) if kind == "entry" and holder == w then written[#written + 1] = key end end,
  }
  local ran = pcall(run, t, w, a, b, select, pcall, error, setmetatable, next)
  local places, ended = follow.finish()
  for _, place in ipairs(places) do
    if place.kind == "entry" and rawequal(place.holder, t) then by_follower[#by_follower + 1] = place.key end
    if place.kind == "entry" and place.holder == getmetatable(a) then needed[place.key] = nil end
  end
  return ran and not ended.refusal and not ended.starved and #by_lua > #CONDITIONS and next(needed) == nil and
    table.concat(by_lua, ",") == table.concat(by_follower, ",") and table.concat(written, ",") == WRITES
end

return { is_known = compare() }

-- scalars.lua - hybridize{scalars = {"s", "self.rate"}}: the places of numbers that are bound at run time. A name means
-- a parameter of the function that the block runs, else an upvalue of it, or a field ("self.rate", "cfg.rate"). Each
-- call reads the numbers (src/bind/call/run_numbers.c), and no trace depends on their values
-- (src/bind/follow/bound_numbers.h).
local fail = require "hybridlua.language.fail"
local HybridBlock = require("hybridlua.gluon.hybridize.hybrid_forward").HybridBlock

local scalars = {}

--- The script's function that a block runs, and the number of first parameters that a call does not pass: F, or self
-- and F.
function scalars.function_of(self)
  local fn = self._traced_function
  if fn then return fn, 1 end
  if self.forward ~= HybridBlock.forward then return self.forward, 1 end
  return self.hybrid_forward, 2
end

--- Checks the option: a list of names.
function scalars.check(options)
  local list = options.scalars
  if list == nil then return end
  if type(list) ~= "table" then fail("hybridize: scalars: expected a list of names, got %s", type(list)) end
  for _, name in ipairs(list) do
    if type(name) ~= "string" or not name:find "^[%a_][%w_]*$" and not name:find "^[%a_][%w_]*%.[%w_.]*[%w_]$" then
      fail('hybridize: scalars: expected names such as "s" or "self.rate", got %s', tostring(name))
    end
  end
  if options.breaks then
    fail("hybridize: scalars: a block that may run in segments (breaks = true) reads its numbers at each call " ..
      "anyway; remove one of the two options")
  end
end

-- The index of a parameter (get: debug.getlocal) or upvalue (debug.getupvalue) of a function, or nil.
local function index_of(get, fn, name)
  local i = 1
  while get(fn, i) do
    if get(fn, i) == name then return i end
    i = i + 1
  end
end

local function names_of(self)
  local options = self._options
  return options and options.scalars or {}
end

--- Which arguments of a call are bound: bit i for argument i + 1.
function scalars.arguments(self)
  local names, positions = names_of(self), 0
  if #names == 0 then return 0 end
  local fn, before = scalars.function_of(self)
  for _, name in ipairs(names) do
    local i = index_of(debug.getlocal, fn, name)
    if i and i > before and i - before <= 64 then positions = positions | 1 << i - before - 1 end
  end
  return positions
end

-- The key of a field: a name, or an integer, as for children ("self.0.rate").
local function key_of(holder, part)
  local number = math.tointeger(tonumber(part))
  return number and rawget(holder, part) == nil and number or part
end

local function unknown(owner, name)
  fail("%s: scalars: '%s' is neither an argument of the function that is compiled, nor an upvalue, nor a field of " ..
    "one, such as self.rate; pass the number as an argument, or put it in a local variable or a field", owner, name)
end

-- The table at the root of a name.
local function root_of(self, owner, fn, root, name)
  local i = index_of(debug.getlocal, fn, root)
  if i == 1 and not self._traced_function then return self end
  if i then fail("%s: scalars: '%s' is a field of an argument; pass the number itself as an argument", owner, name) end
  i = index_of(debug.getupvalue, fn, root)
  if not i then unknown(owner, name) end
  return (select(2, debug.getupvalue(fn, i)))
end

local function field_of(self, owner, fn, name)
  local root, path = name:match "^([^.]*)%.(.*)$"
  local holder, last = root_of(self, owner, fn, root, name), nil
  for part in path:gmatch "[^.]+" do
    if last ~= nil then holder = holder[last] end
    if type(holder) ~= "table" then unknown(owner, name) end
    last = key_of(holder, part)
  end
  if holder[last] == nil then unknown(owner, name) end
  return { name = name, kind = "field", holder = holder, key = last }
end

--- Does the block's function have a parameter or upvalue of this name, or one at the root of it?
function scalars.has(self, name)
  local fn, root = scalars.function_of(self), name:match "^[^.]*"
  return (index_of(debug.getlocal, fn, root) or index_of(debug.getupvalue, fn, root)) ~= nil
end

-- Describes what a call has in place of a number.
local function given(node)
  if not node or node.kind == "value" and node.value == nil then return "nothing" end
  return node.kind == "value" and "a " .. type(node.value) or node.kind == "table" and "a table" or "an NDArray"
end

local function argument(owner, structure, name, position)
  local node = structure[position]
  if not node or node.kind ~= "bound" then
    fail("%s: scalars: %s: expected a number, got %s", owner, name, given(node))
  end
  return { name = name, kind = "argument", key = position }
end

--- The places of a block's bound numbers in a call with arguments of this structure, for core.follow.bind_numbers; nil
-- if there are none.
function scalars.places(self, owner, structure)
  local names, places = names_of(self), {}
  if #names == 0 then return nil end
  local fn, before = scalars.function_of(self)
  for k, name in ipairs(names) do
    local parameter, upvalue = index_of(debug.getlocal, fn, name), index_of(debug.getupvalue, fn, name)
    if name:find(".", 1, true) then places[k] = field_of(self, owner, fn, name)
    elseif parameter and parameter > before then places[k] = argument(owner, structure, name, parameter - before)
    elseif upvalue and not parameter then places[k] = { name = name, kind = "upvalue", holder = fn, key = upvalue }
    else unknown(owner, name) end
  end
  return places
end

--- Options for the blocks inside, whose functions have other names.
function scalars.without(options)
  if options.scalars == nil then return options end
  local rest = {}
  for key, value in pairs(options) do rest[key] = value end
  rest.scalars = nil
  return rest
end

return scalars

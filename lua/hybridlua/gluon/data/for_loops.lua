-- for_loops.lua - loops over loaders, datasets and samplers themselves: for x, y in loader do.
--
-- A for loop calls the object with the first value that the previous call returned, and with nil at the start. That
-- value identifies the loop's pass, so loops over one object may be nested, left in the middle and started again. The
-- value must be unique, an array or a table: numbers and strings are rejected.
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"

local passes = {}

local OWN = { table = true, userdata = true }
local MOST = 32              -- passes kept per value, since abandoned loops never remove theirs

-- For each object, its current passes by the value that each returned last. Keys are weak, so passes end with their
-- values.
local under_way = setmetatable({}, { __mode = "k" })

local function passes_of(self)
  local list = under_way[self]
  if not list then
    list = setmetatable({}, { __mode = "k" })
    under_way[self] = list
  end
  return list
end

-- Records the position of the pass and returns its values.
local function advance(self, pass, first, ...)
  if first == nil then return nil end
  if not OWN[type(first)] then
    fail("%s: a loop over it is identified by its first value: expected an array or a table, got the %s %s; write %s",
         class.of(self).__name__, type(first), tostring(first), self._loop_advice)
  end
  local list = passes_of(self)
  local before = list[first]
  pass.depth = before and before.depth + 1 or 1
  pass.before = pass.depth <= MOST and before or nil
  list[first] = pass
  return first, ...
end

-- Continues the pass that returned `control`; of several, the latest.
local function resume(self, control)
  local list = passes_of(self)
  local pass = list[control]
  if not pass then fail("%s: only for loops can call it: for x in ... do", class.of(self).__name__) end
  list[control] = pass.before
  return advance(self, pass, pass.next())
end

--- Makes instances of a class usable in for loops: self:_pass() returns the function of a new pass. advice: what to
-- write if a pass returns numbers.
function passes.callable(cls, advice)
  cls._loop_advice = advice
  function cls.__call(self, state, control)
    if state ~= nil then fail("%s: only for loops can call it: for x in ... do", class.of(self).__name__) end
    if control ~= nil then return resume(self, control) end
    local pass = { next = self:_pass() }
    return advance(self, pass, pass.next())
  end
end

return passes

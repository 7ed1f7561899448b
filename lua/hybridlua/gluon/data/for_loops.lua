-- for_loops.lua - loops over loaders, datasets and samplers themselves: for x, y in loader do.
--
-- A for loop calls the object with the first value that the call before gave, nil at its beginning. So a loop
-- finds its own pass by that value, and loops over one object may be nested, be left in the middle
-- and begin again. It must be a value of its own, an array or a table: numbers and strings are refused.
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"

local passes = {}

local OWN = { table = true, userdata = true }
local MOST = 32              -- passes kept at one value: a loop that was left there never takes its pass

-- By object: the passes that loops are in, by the value that they gave last. A pass goes with that value.
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
    fail("%s: a loop over it is known by its first value, which must be an array or a table, got the %s %s; write %s",
         class.of(self).__name__, type(first), tostring(first), self._loop_advice)
  end
  local list = passes_of(self)
  local before = list[first]
  pass.depth = before and before.depth + 1 or 1
  pass.before = pass.depth <= MOST and before or nil
  list[first] = pass
  return first, ...
end

-- Continues the pass that returned `control`; of several, the one that came there last.
local function resume(self, control)
  local list = passes_of(self)
  local pass = list[control]
  if not pass then fail("%s: it is called by for loops only: for x in ... do", class.of(self).__name__) end
  list[control] = pass.before
  return advance(self, pass, pass.next())
end

--- Lets instances of a class stand in for loops: self:_pass() gives the function of a new pass. advice: what
-- to write where a pass gives numbers.
function passes.callable(cls, advice)
  cls._loop_advice = advice
  function cls.__call(self, state, control)
    if state ~= nil then fail("%s: it is called by for loops only: for x in ... do", class.of(self).__name__) end
    if control ~= nil then return resume(self, control) end
    local pass = { next = self:_pass() }
    return advance(self, pass, pass.next())
  end
end

return passes

-- changing_numbers.lua - warns of numbers that change from call to call. A trace holds for the numbers that its code
-- read, so each new one costs a trace, which takes thousands of times as long as a call. The fourth number in one place
-- causes a warning, because nothing else would reveal this.
local core = require "hybridlua.core"
local guards = require "hybridlua.gluon.hybridize.trace_guards"
local warn = require "hybridlua.language.warn"
local key_text = require("hybridlua.gluon.hybridize.unwatched").key_text
local scalars = require "hybridlua.gluon.hybridize.scalars"
local same_value = core.guard.same_value

local changing = {}

local MOST = 4                       -- traces that differ in one number
local warned = setmetatable({}, { __mode = "k" })        -- by the number's holder, or by block: its places

local function argument_name(fn, before, i)
  local name = debug.getlocal(fn, before + i)
  return name and "argument " .. name or "argument " .. i
end

-- Appends to `found` the places where two structures of arguments have different values.
local function compare(a, b, path, found)
  if a.kind == "value" and b.kind == "value" then
    if not same_value(a.value, b.value) then found[#found + 1] = { path = path, before = a.value, now = b.value } end
  elseif a.kind == "table" and b.kind == "table" then
    for key in pairs(a.items) do
      if b.items[key] then compare(a.items[key], b.items[key], key_text(path, key), found) end
    end
  end
end

local function n_different(a, b)
  local n = math.abs(#a - #b)
  for i = 1, math.min(#a, #b) do if a[i] ~= b[i] then n = n + 1 end end
  return n
end

-- The one number in which a call differs from a trace: its place, its value before and now; nil if there is more.
local function difference(self, t, key, parts, structure)
  local found
  if t.key == key then
    found = guards.all_broken(t.guards)
  elseif n_different(t.parts, parts) == 1 then
    found = {}
    local fn, before = scalars.function_of(self)
    for i = 1, structure.n do compare(t.structure[i], structure[i], argument_name(fn, before, i), found) end
    if #guards.all_broken(t.guards) > 0 then return nil end
  end
  local one = found and #found == 1 and found[1]
  if one and type(one.before) == "number" and type(one.now) == "number" then return one end
end

-- The name of a place for hybridize{scalars = ...}, or nil.
local function scalar_name(self, place)
  local name = place:match "^argument ([%a_][%w_]*)$" or place:match "^upvalue ([%a_][%w_.]*)" or
    place:match "^(self%.[%a_][%w_]*) of "
  return name and scalars.has(self, name) and name or nil
end

--- Notes that a call to the block called `name` has no trace yet; traces: the existing ones, the latest first.
function changing.note(self, name, traces, key, parts, structure)
  local store = getmetatable(self).store
  local nearest
  for _, t in ipairs(traces) do
    nearest = difference(self, t, key, parts, structure)
    if nearest or t.key == key then break end
  end
  if not nearest then return end
  local place, holder = nearest.path, nearest.holder or store
  store._changing, warned[holder] = store._changing or {}, warned[holder] or {}
  store._changing[place] = (store._changing[place] or 1) + 1
  if store._changing[place] < MOST or warned[holder][place] then return end
  warned[holder][place] = true
  local argument, scalar = place:match "^argument (%a.*)", scalar_name(self, place)
  local advice = argument and ("pass it as an array, nd.array{%s}"):format(argument) or
    "pass it as an array among the arguments, or put an array in its place and write into that"
  if scalar then advice = ('name it, scalars = {"%s"}, to bind it at run time; or %s'):format(scalar, advice) end
  warn.here("%s was traced %d times, because %s is another number each time (%s, now %s), and a trace takes " ..
            "thousands of times as long as a call; %s: the values of an array may change freely", name,
            store._changing[place], place, nearest.before, nearest.now, advice)
end

return changing

-- functions/init.lua - functions that are written in Lua on top of operators. nd and sym get the same ones:
-- they call nd's operators, which do with symbols, and in traces, what sym's do. Each takes an array (or a
-- list of them) first and is a method too.
--
-- A family is a module that returns { functions = {name = function} }, or functions = a function that makes them
-- for nd or sym, where they need no array and so cannot see which is meant; and may say
--   namespace    "linalg": they go into nd.linalg and sym.linalg, and are no methods
--   no_method    {name = true}: those that are no methods
--   eager        {name = "the shape of its result depends on values"}: those that work on arrays only:
--                given a Symbol, or in a trace, they raise, saying why
local class = require "hybridlua.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.fail"

local FAMILIES = { "arrange", "sorting", "drawing" }

local function has_symbol(value)
  if core.is_symbol(value) then return true end
  if type(value) == "table" and getmetatable(value) == nil then
    for _, item in pairs(value) do if core.is_symbol(item) then return true end end
  end
  return false
end

-- fn for arrays alone.
local function eager_only(name, fn, why)
  local function checked(...)
    local graph = core.tracing()
    for i = 1, select("#", ...) do graph = graph or has_symbol((select(i, ...))) end
    if graph then fail("%s: %s, so it works on arrays only, not in a graph", name, why) end
    return fn(...)
  end
  return class.checks(checked, fn)
end

local function install(family)
  local eager, no_method = family.eager or {}, family.no_method or {}
  for face, methods in pairs { nd = core.array_methods, sym = core.symbol_methods } do
    local into, functions = core[face], family.functions
    if type(functions) == "function" then functions = functions(into) end
    for name, fn in pairs(functions) do
      if eager[name] then fn = eager_only(name, fn, eager[name]) end
      if family.namespace then into[family.namespace][name] = fn
      else
        into[name] = fn
        if not no_method[name] then methods[name] = fn end
      end
    end
  end
end

for _, family in ipairs(FAMILIES) do install(require("hybridlua.functions." .. family)) end

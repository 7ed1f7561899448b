-- functions/init.lua - functions written in Lua on top of operators. nd and sym share them: they call nd's operators,
-- which behave like sym's on Symbols and in traces. Each has an array (or a list of arrays) as its first argument and
-- is a method too.
--
-- A family is a module that returns { functions = {name = function} } and optionally
--   made         {name = function(F, ...)}: functions that make arrays from numbers alone; F is nd or sym,
--                whichever was used
--   namespace    "linalg": they go into nd.linalg and sym.linalg, and are not methods
--   no_method    {name = true}: those that are not methods
--   eager        {name = "the shape of its result depends on values"}: those for arrays only, and why; for
--                a Symbol or in a trace they raise
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local is_symbol, is_plain, tracing = core.symbol.is, core.script.is_plain, core.trace.active

local FAMILIES = { "split_moveaxis", "sorting", "random_choice", "elementwise", "statistics", "stack_flip",
  "einsum_tensordot", "creation", "linalg", "loops", "contrib", "custom", "reset_arrays", "cumulative", "polynomials",
  "calculus", "distributions" }

local function has_symbol(value)
  if is_symbol(value) then return true end
  if is_plain(value) then
    for _, item in pairs(value) do if is_symbol(item) then return true end end
  end
  return false
end

-- Restricts fn to arrays.
local function eager_only(name, fn, why)
  local function checked(...)
    local graph = tracing()
    for i = 1, select("#", ...) do graph = graph or has_symbol((select(i, ...))) end
    if graph then fail("%s: %s, so it works on arrays only, not in a graph", name, why) end
    return fn(...)
  end
  return class.checks(checked, fn)
end

local function install(family)
  local eager, no_method = family.eager or {}, family.no_method or {}
  for name, fn in pairs(family.functions or {}) do
    if eager[name] then fn = eager_only(name, fn, eager[name]) end
    for face, methods in pairs { nd = core.array.methods, sym = core.symbol.methods } do
      local into = core.op[face]
      if family.namespace then into[family.namespace][name] = fn
      else
        into[name] = fn
        if not no_method[name] then methods[name] = fn end
      end
    end
  end
end

local function with_face(F, fn) return class.checks(function(...) return fn(F, ...) end, fn) end

local function install_made(family)
  for name, fn in pairs(family.made or {}) do
    for _, face in ipairs { "nd", "sym" } do
      local into = family.namespace and core.op[face][family.namespace] or core.op[face]
      into[name] = with_face(core.op[face], fn)
    end
  end
end

for _, family in ipairs(FAMILIES) do
  local module = require("hybridlua.functions." .. family)
  install(module)
  install_made(module)
end

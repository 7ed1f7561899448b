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
  "einsum_tensordot", "creation", "linalg", "loops", "contrib", "custom", "reset_arrays" }

-- Families that are loaded when one of their functions is first used: their functions, of which those in `methods` are
-- methods, too; `family` is the module once it is loaded.
local LATER = {
  cumulative = { names = "cumprod nancumprod nancumsum", methods = "cumprod nancumprod nancumsum" },
  calculus = { names = "convolve correlate trapz trapezoid gradient", methods = "convolve correlate trapz trapezoid" },
  polynomials = { names = "polyval vander polyfit polyder polyint polyadd polysub polymul",
    methods = "polyval vander polyder polyint" },
  distributions = { namespace = "random", methods = "",
    names = "bernoulli beta chisquare dirichlet f geometric gumbel laplace logistic lognormal multivariate_normal " ..
      "pareto power rayleigh standard_cauchy standard_exponential standard_gamma standard_normal standard_t " ..
      "triangular weibull" },
}

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

-- ---- Families loaded later ----------------------------------------------------------------------------------------

local METHODS = { core.array.methods, core.symbol.methods }

-- Loads a family, whose methods take the places of those that load it.
local function load_later(name)
  local listed = LATER[name]
  if listed.family then return listed.family end
  local family = require("hybridlua.functions." .. name)
  for method in listed.methods:gmatch "%S+" do
    for _, methods in ipairs(METHODS) do methods[method] = family.functions[method] end
  end
  listed.family = family
  return family
end

-- By face and namespace ("nd.", "sym.random"): functions that load a function, by its name.
local later = {}

for name, listed in pairs(LATER) do
  for face, F in pairs { nd = core.op.nd, sym = core.op.sym } do
    local path = face .. "." .. (listed.namespace or "")
    later[path] = later[path] or {}
    for key in listed.names:gmatch "%S+" do
      later[path][key] = function()
        local family = load_later(name)
        return family.functions and family.functions[key] or with_face(F, family.made[key])
      end
    end
  end
  for key in listed.methods:gmatch "%S+" do
    for _, methods in ipairs(METHODS) do
      methods[key] = function(...) return load_later(name).functions[key](...) end
    end
  end
end

return later

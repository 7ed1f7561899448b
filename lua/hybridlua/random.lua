-- random.lua - hl.random: the seed, and the random functions of nd. Two of them, randn and exponential, are not
-- operators; they are added to nd.random and sym.random here.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local functions_later = require "hybridlua.functions"
local module = require "hybridlua.language.module"
local is_array, is_symbol, tracing = core.array.is, core.symbol.is, core.trace.active
local check_contexts = core.context.check_list

local function is_value(x) return type(x) == "number" or is_array(x) or is_symbol(x) end

--- Numbers of mean `scale`: exponential(scale, shape, dtype), options by name too. The operator random_exponential has
-- the rate lam = 1 / scale instead.
local function exponential(F, first, ...)
  if type(first) ~= "table" then return F.random_exponential(is_value(first) and 1 / first or first, ...) end
  local options = {}
  for key, value in pairs(first) do options[key] = value end
  if options.scale ~= nil then options.lam, options.scale = 1 / options.scale, nil end
  if is_value(options[1]) then options[1] = 1 / options[1] end
  return F.random_exponential(options, ...)
end

--- Normal numbers of a shape: randn(2, 3), randn(2, 3, {loc = 5, scale = 2, dtype = "float64"}).
local function randn(F, ...)
  local shape, options = { ... }, {}
  if type(shape[#shape]) == "table" then
    for key, value in pairs(table.remove(shape)) do options[key] = value end
  end
  if #shape > 0 then options.shape = shape end
  return F.random_normal(options)
end

for _, F in ipairs { core.op.nd, core.op.sym } do
  function F.random.exponential(...) return exponential(F, ...) end
  function F.random.randn(...) return randn(F, ...) end
end

local read = arguments.new("random.seed", { "seed_state", "ctx" })

--- hl.random.seed(n): restarts this thread's stream of random numbers. n is an integer. All contexts share the stream,
-- so ctx ("all", or contexts) has no effect. Errors: called while a block or function is traced, since its compiled
-- form would not seed.
local function seed(...)
  if tracing() then
    fail "random.seed: in a hybridized block or compiled function it would seed only once; call it outside"
  end
  local options = read(...)
  if options.ctx ~= "all" then check_contexts("random.seed: ctx", options.ctx) end
  core.random.seed(options.seed_state)
end

local random = { seed = seed }
for name, fn in pairs(core.op.nd.random) do random[name] = fn end
local later = {}
for name in pairs(functions_later["nd.random"]) do later[name] = function() return core.op.nd.random[name] end end

return module(random, "hybridlua.random", later)

-- functions/contrib.lua - nd.contrib.isnan and related functions, which MXNet writes on top of operators.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local operand = require "hybridlua.functions.operand_checks"
local control = require "hybridlua.functions.loops"
local nd = core.op.nd

local functions = {}

local function reader(name)
  local what = "contrib." .. name
  local read = arguments.new(what, { "data" })
  return function(...) return operand.check(what, "data", read(...).data) end
end

local data_of_isnan, data_of_isinf, data_of_isfinite = reader "isnan", reader "isinf", reader "isfinite"

--- 1 where an element is NaN, else 0, in data's dtype. nd.isnan returns bools.
function functions.isnan(...)
  local x = data_of_isnan(...)
  return nd.broadcast_not_equal(x, x)
end

--- 1 where an element is infinite, of either sign, else 0, in data's dtype. nd.isinf returns bools.
function functions.isinf(...) return nd.abs(data_of_isinf(...)):equal(math.huge) end

--- 1 where an element is neither infinite nor NaN, else 0, in data's dtype. nd.isfinite returns bools.
function functions.isfinite(...)
  local x = data_of_isfinite(...)
  return nd.broadcast_logical_and(nd.broadcast_equal(x, x), nd.abs(x):not_equal(math.huge))
end

for name, fn in pairs(control.functions) do functions[name] = fn end

return { namespace = "contrib", functions = functions }

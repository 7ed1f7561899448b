-- functions/contrib.lua - MXNet's nd.contrib.isnan and its kin, which it writes on top of operators.
local core = require "hybridlua.core"
local operand = require "hybridlua.functions.operand"
local nd = core.nd

local functions = {}

--- 1 where an element is NaN, else 0, in data's dtype. nd.isnan gives bools.
function functions.isnan(data) return nd.broadcast_not_equal(operand.check("contrib.isnan", "data", data), data) end

--- 1 where an element is infinite, of either sign, else 0, in data's dtype. nd.isinf gives bools.
function functions.isinf(data) return nd.abs(operand.check("contrib.isinf", "data", data)):equal(math.huge) end

--- 1 where an element is neither infinite nor NaN, else 0, in data's dtype. nd.isfinite gives bools.
function functions.isfinite(data)
  operand.check("contrib.isfinite", "data", data)
  return nd.broadcast_logical_and(nd.broadcast_equal(data, data), nd.abs(data):not_equal(math.huge))
end

return { namespace = "contrib", functions = functions }

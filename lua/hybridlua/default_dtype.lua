-- default_dtype.lua - hl.set_default_dtype and hl.get_default_dtype: the dtype of arrays that are made of numbers, and
-- of parameters, where none is given. The key of a compiled call contains it, so a change means another trace.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"

local default_dtype = {}

--- set_default_dtype(dtype): "float32" or "float64", the dtype of new arrays of numbers (nd.array, zeros, arange,
-- random ...) and parameters for which none is given. Returns the one before. Errors: in hybridized code.
default_dtype.set_default_dtype = arguments.taking("hl.set_default_dtype", "dtype", function(dtype)
  checks.choice("set_default_dtype: dtype", dtype, "float32", "float64")
  if core.trace.active() then
    fail "set_default_dtype: expected a call outside of hybridized code, got one in it"
  end
  return core.array.default_dtype(dtype)
end)

--- get_default_dtype(): the dtype that set_default_dtype has set; "float32" at first.
default_dtype.get_default_dtype = arguments.taking("hl.get_default_dtype", "", function()
  return (core.array.default_dtype())
end)

return default_dtype

-- functions/cumulative.lua - NumPy's running products and sums: cumprod, nancumsum, nancumprod. cumsum is an operator.
local arguments = require "hybridlua.language.arguments"
local operand = require "hybridlua.functions.operand_checks"
local nd = require("hybridlua.core").op.nd

local functions = {}

local function reader(what) return arguments.new(what, { "a", "axis", "dtype" }) end

-- The operand along one axis: flattened if axis is nil, in the dtype of the result.
local function line_of(what, o)
  local x = operand.with_axes(what, "a", o.a, o.axis)
  local dtype = o.dtype or operand.dtype(x) == "bool" and "int64" or nil
  if dtype then x = nd.cast(x, { dtype = dtype }) end
  if o.axis == nil then return nd.reshape(x, { shape = { -1 } }), 0 end
  return x, o.axis
end

-- The product of the elements up to each: y[i] = 0 + x[i] y[i - 1], beginning with x[0].
local function running_product(x, axis)
  local first = nd.slice_axis(x, { axis = axis, begin = 0, stop = 1 })
  local rest = nd.slice_axis(x, { axis = axis, begin = 1, stop = nd.NULL })
  return nd._linear_recurrence(nd.concat(first, nd.zeros_like(rest), { dim = axis }), x, { axis = axis })
end

local read_cumprod = reader "cumprod"

--- The product of each element and all before it along an axis (default: the flattened array). Options: axis, dtype
-- (a's, int64 for bool). float32 products are rounded from double. The gradient is right for zeros too.
function functions.cumprod(...) return running_product(line_of("cumprod", read_cumprod(...))) end

-- NaN replaced by a number.
local function without_nan(x, by)
  if operand.is_integer(x) then return x end
  return nd._npi_where(nd.broadcast_equal(x, x), x, nd.full_like(x, by))
end

local read_nancumsum, read_nancumprod = reader "nancumsum", reader "nancumprod"

--- cumsum with NaN counted as 0. Options: axis, dtype.
function functions.nancumsum(...)
  local x, axis = line_of("nancumsum", read_nancumsum(...))
  return nd._np_cumsum(without_nan(x, 0), { axis = axis })
end

--- cumprod with NaN counted as 1. Options: axis, dtype.
function functions.nancumprod(...)
  local x, axis = line_of("nancumprod", read_nancumprod(...))
  return running_product(without_nan(x, 1), axis)
end

return { functions = functions }

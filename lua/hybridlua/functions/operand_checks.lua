-- functions/operand_checks.lua - shared code of this folder: checks of arguments, and queries of operands that work for
-- arrays and Symbols alike.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local is_array, is_symbol, tracing = core.array.is, core.symbol.is, core.trace.active
local nd = core.op.nd

local operand = {}

--- Whether a value is an array or a Symbol.
function operand.is(value) return is_array(value) or is_symbol(value) end

--- Describes a wrong argument in errors: "nothing", "a string", "3".
function operand.got(value)
  if value == nil then return "nothing" end
  if type(value) == "number" or type(value) == "boolean" then return tostring(value) end
  if type(value) == "string" then return ("'%s'"):format(value) end
  return operand.is(value) and "an array" or "a " .. type(value)
end

--- Raises unless value is an array or a Symbol.
function operand.check(what, param, value)
  if not operand.is(value) then
    fail("%s: %s: expected an NDArray or a Symbol, got %s", what, param, operand.got(value))
  end
  return value
end

--- Checks for an integer, at least `least` if that is given.
function operand.integer(what, param, value, least)
  if math.type(value) ~= "integer" or (least and value < least) then
    fail("%s: %s: expected an integer%s, got %s", what, param, least and (" of %d or more"):format(least) or "",
      operand.got(value))
  end
  return value
end

--- An axis, counted from the front.
function operand.axis(what, param, axis, ndim)
  if math.type(axis) ~= "integer" or axis < -ndim or axis >= ndim then
    fail("%s: %s: expected an axis from %d to %d for an array with %d dimension%s, got %s", what, param, -ndim,
      ndim - 1, ndim, ndim == 1 and "" or "s", operand.got(axis))
  end
  return axis % ndim
end

--- Different axes, given as a number or a table, counted from the front.
function operand.axes(what, param, axes, ndim)
  local list, seen = {}, {}
  if type(axes) ~= "table" then axes = { axes } end
  for i, axis in ipairs(axes) do
    list[i] = operand.axis(what, param, axis, ndim)
    if seen[list[i]] then fail("%s: %s: expected each axis once, got %d twice", what, param, list[i]) end
    seen[list[i]] = true
  end
  return list
end

local function has_options(value)
  if type(value) ~= "table" or operand.is(value) then return false end
  for key in pairs(value) do if type(key) == "string" then return true end end
  return #value == 0
end

--- An operand of a call. Its axes are checked here, so that errors name the function called.
function operand.with_axes(what, param, x, axis)
  operand.check(what, param, x)
  local ndim = axis ~= nil and operand.ndim(x)
  if ndim then operand.axes(what, "axis", axis, ndim) end
  return x
end

--- The arrays of a call f(a, b, {...}), f({a, b}, {...}) or f{a, b, ...}, at least one, and its options, read by `read`
-- (arguments.new).
function operand.arrays(what, read, ...)
  local args, options = { ... }, {}
  if has_options(args[#args]) then
    for key, value in pairs(args[#args]) do if type(key) == "string" then options[key] = value end end
    args[#args] = #args == 1 and table.move(args[1], 1, #args[1], 1, {}) or nil
  end
  if #args == 1 and not operand.is(args[1]) and type(args[1]) == "table" then args = args[1] end
  if #args == 0 then fail("%s: arrays: expected one or more, got none", what) end
  for i = 1, #args do operand.check(what, "arrays", args[i]) end
  return args, read(options)
end

local function shape_text(shape)
  if #shape == 1 then return ("(%d,)"):format(shape[1]) end
  return "(" .. table.concat(shape, ", ") .. ")"
end

--- Raises unless two arrays broadcast. In a trace nothing is checked, so that it is not bound to shapes.
function operand.check_broadcast(what, param, a, b)
  if tracing() or not (is_array(a) and is_array(b)) then return end
  local p, q = a.shape, b.shape
  for i = 0, math.min(#p, #q) - 1 do
    local x, y = p[#p - i], q[#q - i]
    if x ~= y and x ~= 1 and y ~= 1 then
      fail("%s: %s: expected a shape that broadcasts with %s, got %s", what, param, shape_text(p), shape_text(q))
    end
  end
end

--- A number in the shape and dtype of an array `like`; returns an array as it is.
function operand.lift(what, param, value, like)
  if type(value) == "number" then return nd.full_like(like, value) end
  return operand.check(what, param, value)
end

local function field(x, name)
  local known, value = pcall(function() return x[name] end)
  return known and value or nil
end

--- The dtype, or nil for a Symbol whose dtype is unknown.
function operand.dtype(x) return field(x, "dtype") end

--- The shape, or nil for a Symbol whose shape is unknown.
function operand.shape(x) return field(x, "shape") end

local INTEGER = { int8 = true, int32 = true, int64 = true, uint8 = true, bool = true }

--- Whether the elements are known to be integers or bools.
function operand.is_integer(x) return INTEGER[operand.dtype(x)] or false end

local FLOAT = { float16 = true, float32 = true, float64 = true }

--- x in float64 if the elements are integers, for NumPy's results.
function operand.in_floats(x) return FLOAT[operand.dtype(x)] and x or nd._as_float(x) end

--- The number of dimensions, or nil for a Symbol whose shape is unknown.
function operand.ndim(x) return field(x, "ndim") end

--- The part of an array along an axis from `first` to `last` (nil: the end), cut at the array's end as NumPy's slices
-- are. (If a Symbol has unknown dimensions, an axis counted from the end must not be empty.)
function operand.part(x, axis, first, last)
  if axis < 0 then return nd.slice_axis(x, { axis = axis, begin = first, stop = last or nd.NULL }) end
  local begin, stop = {}, {}
  for i = 1, axis do begin[i], stop[i] = nd.NULL, nd.NULL end
  begin[axis + 1], stop[axis + 1] = first, last or nd.NULL
  return nd.slice(x, { begin = begin, stop = stop })
end

return operand

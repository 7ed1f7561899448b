-- np/dtypes.lua - np's dtypes, which are names, and constants and facts about them.
local arguments = require "hybridlua.language.arguments"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local d = require "hybridlua.np.definitions"
local common = core.np.common_dtype

local dtypes = { pi = math.pi, e = math.exp(1), inf = math.huge, nan = 0 / 0, NINF = -math.huge, PINF = math.huge,
  euler_gamma = 0.57721566490153286061, newaxis = core.op.NULL, bool = "bool", bool_ = "bool" }
for _, name in ipairs { "float16", "float32", "float64", "int8", "int32", "int64", "uint8" } do dtypes[name] = name end
dtypes.NAN, dtypes.NaN, dtypes.Inf = dtypes.nan, dtypes.nan, dtypes.inf
dtypes.PZERO, dtypes.NZERO = 0.0, -0.0

local FLOATS = {
  float16 = { bits = 16, eps = 2 ^ -10, max = 65504, tiny = 2 ^ -14 },
  float32 = { bits = 32, eps = 2 ^ -23, max = (2 - 2 ^ -23) * 2 ^ 127, tiny = 2 ^ -126 },
  float64 = { bits = 64, eps = 2 ^ -52, max = 1.7976931348623157e308, tiny = 2 ^ -1022 },
}
local INTEGERS = {
  int8 = { bits = 8, min = -128, max = 127 }, uint8 = { bits = 8, min = 0, max = 255 },
  int32 = { bits = 32, min = -2147483648, max = 2147483647 },
  int64 = { bits = 64, min = math.mininteger, max = math.maxinteger },
}

local function facts(what, table_of, dtype)
  if d.is(dtype) then dtype = dtype.dtype end
  local entry = table_of[dtype]
  if not entry then
    fail("np.%s: dtype: expected %s, got %s", what, what == "finfo" and "a float's" or "an integer's", tostring(dtype))
  end
  local copy = { dtype = dtype }
  for key, value in pairs(entry) do copy[key] = value end
  if what == "finfo" then copy.min = -copy.max end
  return copy
end

--- The limits of a float dtype: bits, eps, max, min, tiny.
function dtypes.finfo(dtype) return facts("finfo", FLOATS, dtype) end

--- The limits of an integer dtype: bits, min, max.
function dtypes.iinfo(dtype) return facts("iinfo", INTEGERS, dtype) end

-- The dtype that a value asks for; nil for a number, which takes the others'.
local function asked(what, x)
  if d.is(x) then return core.np.dtype_of(x) end
  if type(x) == "string" then return x end
  if type(x) == "number" then return nil end
  if type(x) == "boolean" then return "bool" end
  fail("np.%s: expected arrays, numbers or dtypes, got %s", what, type(x))
end

local function result(what, ...)
  local dtype, fraction, number = nil, false, false
  for i = 1, select("#", ...) do
    local x = (select(i, ...))
    local one = asked(what, x)
    if one then dtype = dtype and common(dtype, one) or one
    else
      number, fraction = true, fraction or math.type(x) == "float"
    end
  end
  if not dtype then return fraction and "float32" or "int64" end
  if number and dtype == "bool" then return fraction and "float32" or "int64" end
  return fraction and not d.is_float(dtype) and "float32" or dtype
end

--- The dtype of a result from operands of these dtypes; numbers beside arrays have none.
function dtypes.result_type(...) return result("result_type", ...) end

function dtypes.promote_types(type1, type2)
  for name, dtype in pairs { type1 = type1, type2 = type2 } do
    core.array.dtype_code(dtype, "np.promote_types: " .. name)
  end
  return common(type1, type2)
end

--- The smallest dtype that holds a number; the dtype of an array.
function dtypes.min_scalar_type(a)
  if d.is(a) and a.ndim > 0 then return a.dtype end
  if d.is(a) then a = a:item() end
  if type(a) == "boolean" then return "bool" end
  if type(a) ~= "number" then fail("np.min_scalar_type: a: expected a number, got %s", type(a)) end
  if a ~= math.floor(a) or math.type(a) == "float" then
    return math.abs(a) <= 65504 and "float16" or math.abs(a) < 3.4028235e38 and "float32" or "float64"
  end
  if a >= 0 and a <= 255 then return "uint8" end
  if a >= -128 and a < 0 then return "int8" end
  return a >= -2147483648 and a <= 2147483647 and "int32" or "int64"
end

function dtypes.shape(a) return d.operand("shape", "a", a).shape end
function dtypes.ndim(a) return d.operand("ndim", "a", a).ndim end
function dtypes.size(a, axis)
  local shape = d.operand("size", "a", a).shape
  if axis == nil then
    local n = 1
    for _, m in ipairs(shape) do n = n * m end
    return n
  end
  return shape[axis % #shape + 1]
end

-- Functions of any number of values take no options.
local function values(name, fn)
  local read = arguments.new("np." .. name, {})
  return function(...)
    local last = select("#", ...) > 0 and (select(-1, ...)) or nil
    if core.script.is_plain(last) then read(last) end
    return fn(...)
  end
end

dtypes.result_type = values("result_type", dtypes.result_type)
arguments.functions(dtypes, "np.", { finfo = "dtype", iinfo = "dtype", promote_types = "type1 type2",
  min_scalar_type = "a", shape = "a", ndim = "a", size = "a axis" })

return dtypes

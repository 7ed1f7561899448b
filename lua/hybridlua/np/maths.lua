-- np/maths.lua - rounding, signs, polynomials and other functions of np that are short compositions of operators.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local d = require "hybridlua.np.definitions"
local define, alias = d.define, d.alias
local nd = core.op.nd
local dtype_of, promote = core.np.dtype_of, core.np.promote

local function as_bool(x) return nd.cast(x, { dtype = "bool" }) end

-- ---- Rounding and parts ----------------------------------------------------------------------------------------

define("around", "x* decimals out", { decimals = 0 }, function(o)
  if not d.is_float(dtype_of(o.x)) and dtype_of(o.x) and o.decimals >= 0 then return nd._copy(o.x) end
  return nd.around(o.x, o.decimals)
end)
define("modf", "x*", {}, function(o)
  local x = d.floats(o.x)
  local whole = nd.trunc(x)
  return { nd._npi_where(nd.isinf(x), nd.zeros_like(x), nd.broadcast_sub(x, whole)), whole }
end)
define("divmod", "x1* x2*", {}, function(o)
  local a, b = promote(o.x1, o.x2)
  return { nd.floor_divide(a, b), nd.broadcast_mod(a, b) }
end)
define("signbit", "x*", {}, function(o)
  local x = o.x
  if not d.is_float(dtype_of(x)) then return as_bool(nd.lesser(x, 0)) end
  -- 1 / -0 is minus infinity
  return as_bool(nd.broadcast_logical_or(nd.lesser(x, 0),
    nd.broadcast_logical_and(nd.equal(x, 0), nd.lesser(nd.reciprocal(x), 0))))
end)
define("logical_not", "x* out", {}, function(o) return as_bool(nd.logical_not(o.x)) end)
define("heaviside", "x1* x2*", {}, function(o)
  local x, h = promote(d.floats(o.x1), d.floats(o.x2))
  x, h = nd.broadcast_add(x, nd.zeros_like(h)), nd.broadcast_add(h, nd.zeros_like(x))
  local y = nd._npi_where(nd.equal(x, 0), h, nd._npi_where(nd.greater(x, 0), nd.ones_like(x), nd.zeros_like(x)))
  return nd._npi_where(nd.broadcast_equal(x, x), y, x)
end)
define("float_power", "x1* x2*", {}, function(o)
  return nd.broadcast_power(nd.cast(o.x1, { dtype = "float64" }), nd.cast(o.x2, { dtype = "float64" }))
end)
define("fmod", "x1* x2*", {}, function(o)
  local a, b = promote(o.x1, o.x2)
  local r = nd.broadcast_mod(nd.abs(a), nd.abs(b))
  return nd._npi_where(nd.lesser(a, 0), -r, r)
end)
for name, row in pairs { fmax = "broadcast_maximum", fmin = "broadcast_minimum" } do
  define(name, "x1* x2*", {}, function(o)
    local a, b = promote(o.x1, o.x2)
    local wide = nd.broadcast_add(a, nd.zeros_like(b)) * 0 + nd.zeros_like(a)
    local y = nd[row](a, b)
    local is_a, is_b = nd.broadcast_equal(a, a), nd.broadcast_equal(b, b)
    return nd._npi_where(nd.broadcast_logical_and(is_a, is_b), y, nd._npi_where(is_a, a, b) + nd.zeros_like(wide))
  end)
end

define("nan_to_num", "x* copy nan posinf neginf", { nan = 0 }, function(o)
  if not d.is_float(dtype_of(o.x)) and dtype_of(o.x) then return nd._copy(o.x) end
  return nd.nan_to_num(o.x, { nan = o.nan, posinf = o.posinf, neginf = o.neginf })
end)

-- ---- Closeness ----------------------------------------------------------------------------------------------------

local CLOSE = { rtol = 1e-5, atol = 1e-8, equal_nan = false }
for _, name in ipairs { "isclose", "allclose" } do
  define(name, "a* b* rtol atol equal_nan", CLOSE, function(o)
    return nd[name](o.a, o.b, { rtol = o.rtol, atol = o.atol, equal_nan = o.equal_nan })
  end)
end
define("array_equal", "a1* a2* equal_nan", { equal_nan = false }, function(o)
  local a, b = promote(o.a1, o.a2)
  return nd.array_equal(a, b, { equal_nan = o.equal_nan })
end)
define("array_equiv", "a1* a2*", {}, function(o)
  local a, b = promote(o.a1, o.a2)
  local p, q = a.shape, b.shape
  for i = 0, math.min(#p, #q) - 1 do
    local x, y = p[#p - i], q[#q - i]
    if x ~= y and x ~= 1 and y ~= 1 then return d.constant(false, "bool") end
  end
  return nd.all(nd.broadcast_equal(a, b))
end)

-- ---- Bits ---------------------------------------------------------------------------------------------------------

define("packbits", "a* axis bitorder", { bitorder = "big" }, function(o)
  local a = o.axis == nil and d.reshaped(o.a, { -1 }) or o.a
  local axis = (o.axis or 0) % math.max(a.ndim, 1)
  local n = a.shape[axis + 1]
  local bits = nd.cast(as_bool(a), { dtype = "int32" })
  local missing = -n % 8
  if missing > 0 then
    local shape = {}
    for i, m in ipairs(a.shape) do shape[i] = i == axis + 1 and missing or m end
    bits = nd.concat(bits, nd.zeros(shape, { dtype = "int32" }), { dim = axis })
  end
  local shape, weights, line = {}, {}, {}
  for i, m in ipairs(bits.shape) do
    shape[#shape + 1] = i == axis + 1 and m // 8 or m
    line[#line + 1] = 1
    if i == axis + 1 then shape[#shape + 1], line[#line + 1] = 8, 8 end
  end
  for i = 1, 8 do weights[i] = o.bitorder == "little" and 1 << i - 1 or 1 << 8 - i end
  local by = d.reshaped(nd.array(weights, { dtype = "int32" }), line)
  return nd.cast(nd.sum(nd.broadcast_mul(d.reshape(bits, shape), by), { axis = axis + 1 }), { dtype = "uint8" })
end)
define("unpackbits", "a* axis count bitorder", { bitorder = "big" }, function(o)
  local a = o.axis == nil and d.reshaped(o.a, { -1 }) or o.a
  local axis = (o.axis or 0) % math.max(a.ndim, 1)
  local weights, line, shape = {}, {}, {}
  for i, m in ipairs(a.shape) do
    line[#line + 1], shape[#shape + 1] = 1, i == axis + 1 and m * 8 or m
    if i == axis + 1 then line[#line + 1] = 8 end
  end
  for i = 1, 8 do weights[i] = o.bitorder == "little" and 1 << i - 1 or 1 << 8 - i end
  local by = d.reshaped(nd.array(weights, { dtype = "int32" }), line)
  local wide = nd.expand_dims(nd.cast(a, { dtype = "int32" }), { axis = axis + 1 })
  local bits = nd.broadcast_mod(nd.floor_divide(wide, by), nd.full_like(by, 2))
  bits = nd.cast(d.reshape(bits, shape), { dtype = "uint8" })
  return o.count and nd.slice_axis(bits, { axis = axis, begin = 0, stop = o.count }) or bits
end)

-- ---- Along axes ---------------------------------------------------------------------------------------------------

define("apply_along_axis", "func1d axis arr*", {}, function(o)
  local x, axis = o.arr, o.axis % o.arr.ndim
  local n = x.shape[axis + 1]
  local turned = nd.moveaxis(x, axis, x.ndim - 1)
  local rows = d.reshaped(turned, { -1, n })
  local results = {}
  for i = 0, rows.shape[1] - 1 do results[i + 1] = d.operand("apply_along_axis", "func1d", o.func1d(rows[i])) end
  local y = nd.stack({ promote(table.unpack(results)) }, { axis = 0 })
  local shape = {}
  for i = 1, x.ndim - 1 do shape[i] = turned.shape[i] end
  for i = 2, y.ndim do shape[#shape + 1] = y.shape[i] end
  y = d.reshape(y, shape)
  if results[1].ndim == 0 then return y end
  local from, to = {}, {}
  for i = 1, results[1].ndim do from[i], to[i] = x.ndim - 2 + i, axis + i - 1 end
  return nd.moveaxis(y, from, to)
end, { method = false })
define("apply_over_axes", "func a* axes", {}, function(o)
  local x = o.a
  for _, axis in ipairs(type(o.axes) == "table" and o.axes or { o.axes }) do
    axis = axis % o.a.ndim
    local y = d.operand("apply_over_axes", "func", o.func(x, axis))
    x = y.ndim == x.ndim and y or nd.expand_dims(y, { axis = axis })
    if x.ndim ~= o.a.ndim then
      fail("np.apply_over_axes: func: expected a result of %d dimensions, got %d", o.a.ndim, x.ndim)
    end
  end
  return x
end, { method = false })

alias("around", "round", "round_")

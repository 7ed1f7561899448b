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
  if o.decimals == 0 then return nd.rint(o.x) end
  local scale = 10 ^ math.abs(o.decimals)
  if o.decimals > 0 then return nd.rint(o.x * scale) / scale end
  return nd.rint(o.x / scale) * scale
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


-- ---- Polynomials: coefficients from the highest power -------------------------------------------------------------

-- Coefficients with zeros before them, so that two polynomials have one length.
local function padded(x, n)
  if x.size == n then return x end
  return nd.concat(nd.zeros({ n - x.size }, { dtype = dtype_of(x) }), x, { dim = 0 })
end

local function both(o)
  local a, b = promote(d.reshaped(o.a1, { -1 }), d.reshaped(o.a2, { -1 }))
  local n = math.max(a.size, b.size)
  return padded(a, n), padded(b, n)
end

define("polyadd", "a1* a2*", {}, function(o) return nd.broadcast_add(both(o)) end)
define("polysub", "a1* a2*", {}, function(o) return nd.broadcast_sub(both(o)) end)

-- The product, as a sum of shifted multiples.
local function multiplied(a, b)
  local n, m = a.size, b.size
  local rows = nd.broadcast_mul(d.reshaped(a, { -1, 1 }), d.reshaped(b, { 1, -1 }))
  local sum
  for i = 0, n - 1 do
    local row = d.reshaped(nd.slice_axis(rows, { axis = 0, begin = i, stop = i + 1 }), { -1 })
    local parts = { row }
    if i > 0 then table.insert(parts, 1, nd.zeros({ i }, { dtype = dtype_of(a) })) end
    if i < n - 1 then parts[#parts + 1] = nd.zeros({ n - 1 - i }, { dtype = dtype_of(a) }) end
    local whole = #parts == 1 and row or nd.concat(parts, { dim = 0 })
    sum = sum and nd.broadcast_add(sum, whole) or whole
  end
  return sum, n + m - 1
end

define("polymul", "a1* a2*", {}, function(o)
  local a, b = promote(d.reshaped(o.a1, { -1 }), d.reshaped(o.a2, { -1 }))
  return (multiplied(a, b))
end)
define("polydiv", "u* v*", {}, function(o)
  local u, v = promote(d.reshaped(d.floats(o.u), { -1 }), d.reshaped(d.floats(o.v), { -1 }))
  local n, m, quotient = u.size, v.size, {}
  if n < m then return { nd.zeros({ 1 }, { dtype = dtype_of(u) }), u } end
  local lead, rest = nd.slice_axis(v, { axis = 0, begin = 0, stop = 1 }), u
  for i = 0, n - m do
    local q = nd.broadcast_div(nd.slice_axis(rest, { axis = 0, begin = i, stop = i + 1 }), lead)
    quotient[#quotient + 1] = q
    local taken = nd.broadcast_mul(v, q)
    local parts = { taken }
    if i > 0 then table.insert(parts, 1, nd.zeros({ i }, { dtype = dtype_of(u) })) end
    if n - m - i > 0 then parts[#parts + 1] = nd.zeros({ n - m - i }, { dtype = dtype_of(u) }) end
    rest = nd.broadcast_sub(rest, #parts == 1 and taken or nd.concat(parts, { dim = 0 }))
  end
  local left = m == 1 and nd.zeros({ 1 }, { dtype = dtype_of(u) }) or nd.slice_axis(rest, { axis = 0,
    begin = n - m + 1, stop = n })
  local values = core.array.is(left) and not core.trace.active() and left:totable()
  local first = 1
  while values and first < #values and math.abs(values[first]) < 1e-14 do first = first + 1 end
  if first > 1 then left = nd.slice_axis(left, { axis = 0, begin = first - 1, stop = left.size }) end
  return { #quotient == 1 and quotient[1] or nd.concat(quotient, { dim = 0 }), left }
end)
define("polyval", "p* x*", {}, function(o)
  local p, x = promote(o.p, o.x)
  local y = nd.zeros_like(x)
  for i = 0, p.size - 1 do
    y = nd.broadcast_add(y * x, nd.slice_axis(p, { axis = 0, begin = i, stop = i + 1 }):reshape {})
  end
  return y
end)
define("polyint", "p* m k", { m = 1 }, function(o)
  local p = d.floats(o.p)
  for step = 1, o.m do
    local n, divisors = p.size, {}
    for i = 1, n do divisors[i] = n - i + 1 end
    local constant = type(o.k) == "table" and o.k[step] or o.k or 0
    if n > 0 then p = nd.broadcast_div(p, nd.array(divisors, { dtype = dtype_of(p) })) end
    p = nd.concat(p, nd.full({ 1 }, constant, { dtype = dtype_of(p) }), { dim = 0 })
  end
  return p
end)
define("polyder", "p* m", { m = 1 }, function(o)
  local p = o.p
  for _ = 1, o.m do
    local n, factors = p.size, {}
    for i = 1, n - 1 do factors[i] = n - i end
    p = nd.slice_axis(p, { axis = 0, begin = 0, stop = n - 1 })
    if n > 1 then p = nd.broadcast_mul(p, nd.array(factors, { dtype = dtype_of(p) })) end
  end
  return p
end)
define("poly", "seq*", {}, function(o)
  local roots = d.floats(o.seq)
  if roots.ndim == 2 then roots = nd.linalg.eigvalsh(roots) end
  local p = nd.ones({ 1 }, { dtype = dtype_of(roots) })
  for i = 0, roots.size - 1 do
    local root = nd.slice_axis(roots, { axis = 0, begin = i, stop = i + 1 })
    p = multiplied(core.np.as_kind(p, true), nd.concat(nd.ones_like(root), -root, { dim = 0 }))
  end
  return p
end)
define("polyfit", "x* y* deg rcond", {}, function(o)
  local x, y = promote(d.floats(o.x), d.floats(o.y))
  local powers = {}
  for i = 0, o.deg do powers[i + 1] = o.deg - i end
  local columns = nd.broadcast_power(d.reshaped(x, { -1, 1 }), d.reshaped(nd.array(powers, { dtype = dtype_of(x) }),
    { 1, -1 }))
  -- columns of length 1, as NumPy's: powers of x differ by orders of magnitude
  local scale = nd.sqrt(nd.sum(nd.square(columns), { axis = 0, keepdims = true }))
  local c = nd.linalg.lstsq(nd.broadcast_div(columns, scale), y, { rcond = o.rcond })[1]
  local by = d.reshaped(scale, { -1 })
  return nd.broadcast_div(c, y.ndim == 1 and by or d.reshaped(by, { -1, 1 }))
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

-- functions/polynomials.lua - NumPy's polynomials: polyval, polyfit, polyder, polyint, polyadd, polysub, polymul,
-- vander. A polynomial is a vector of coefficients, highest power first.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local number_arrays = require "hybridlua.functions.number_arrays"
local operand = require "hybridlua.functions.operand_checks"
local nd = require("hybridlua.core").op.nd

local functions = {}

-- Coefficients as a vector of floats, with another operand in the same dtype.
local function coefficients(what, param, p, other)
  if p == nil then fail("%s: %s: expected coefficients, an array or a table of numbers, got nothing", what, param) end
  p, other = number_arrays.of_one_dtype(p, other)
  if p.ndim ~= 1 then fail("%s: %s: expected a vector of coefficients, got %d dimensions", what, param, p.ndim) end
  return p, other
end

local function one(p, i) return nd.slice_axis(p, { axis = 0, begin = i, stop = i + 1 }) end

local read_polyval = arguments.new("polyval", { "p", "x" })

--- The values of a polynomial at x, by Horner's rule. p: its coefficients, highest power first, an array or a table.
function functions.polyval(...)
  local o = read_polyval(...)
  if o.x == nil then fail "polyval: x: expected an array or a number, got nothing" end
  local p, x = coefficients("polyval", "p", o.p, o.x)
  local y = nd.zeros_like(x)
  for i = 0, p.shape[1] - 1 do y = nd.broadcast_add(y * x, one(p, i)) end
  return y
end

-- The powers of a vector from 0 to n - 1, as columns.
local function powers(x, n)
  local columns = { nd.ones_like(x), x }
  for i = 3, n do columns[i] = columns[i - 1] * x end
  return table.move(columns, 1, n, 1, {})
end

local function reversed(list)
  local turned = {}
  for i, x in ipairs(list) do turned[#list + 1 - i] = x end
  return turned
end

local function vector(what, param, x)
  x = operand.in_floats(operand.check(what, param, x))
  if x.ndim ~= 1 then fail("%s: %s: expected a vector, got %d dimensions", what, param, x.ndim) end
  return x
end

local read_vander = arguments.new("vander", { "x", "N", "increasing" }, { increasing = false })

--- The powers of a vector's elements as the columns of a matrix, highest first (Vandermonde's matrix). Options: N (the
-- number of columns, as many as elements), increasing (false).
function functions.vander(...)
  local o = read_vander(...)
  local x = vector("vander", "x", o.x)
  local n = operand.integer("vander", "N", o.N or x.shape[1], 1)
  local columns = powers(x, n)
  return nd.stack(o.increasing and columns or reversed(columns), { axis = 1 })
end

local PRECISION = { float32 = 2 ^ -23, float64 = 2 ^ -52 }

-- The covariance of fitted coefficients: the inverse of lhs' lhs, scaled back, and by the residuals unless "unscaled".
local function covariance(o, lhs, scale, residuals, m, n)
  local inverse = nd.linalg.inverse(nd.dot(lhs, lhs, { transpose_a = true }))
  local base = nd.broadcast_div(inverse, nd.dot(nd.reshape(scale, { shape = { -1, 1 } }),
    nd.reshape(scale, { shape = { 1, -1 } })))
  if o.cov == "unscaled" then return base end
  if m <= n then fail("polyfit: cov: expected more points than the %d coefficients, got %d", n, m) end
  if residuals.size ~= 1 then return nd.broadcast_mul(nd.expand_dims(base, { axis = 2 }), residuals) / (m - n) end
  return nd.broadcast_mul(base, nd.reshape(residuals, { shape = { 1, 1 } })) / (m - n)
end

local read_polyfit = arguments.new("polyfit", { "x", "y", "deg", "rcond", "full", "w", "cov" },
  { full = false, cov = false })

--- The polynomial of degree deg of least squares through the points (x, y): its coefficients, highest power first; for
-- y of shape (n, k) those of k polynomials, as columns. Options: w (weights of the differences), rcond (singular values
-- up to this times the largest count as 0), full (true: {p, residuals, rank, singular values, rcond}), cov (true:
-- {p, covariance matrix}, "unscaled" without the factor of the residuals). Differentiable. Write float64 data for
-- degrees above 3.
function functions.polyfit(...)
  local o = read_polyfit(...)
  local x, y = number_arrays.of_one_dtype(operand.check("polyfit", "x", o.x), operand.check("polyfit", "y", o.y))
  local n = operand.integer("polyfit", "deg", o.deg, 0) + 1
  x = vector("polyfit", "x", x)
  local m = x.shape[1]
  if m == 0 then fail "polyfit: x: expected points, got none" end
  if y.ndim > 2 or y.shape[1] ~= m then
    fail("polyfit: y: expected %d values, or that many rows, as x has points, got shape %s", m, tostring(y.shape))
  end
  local lhs = nd.stack(reversed(powers(x, n)), { axis = 1 })
  if o.w ~= nil then
    local w = nd.reshape(select(2, number_arrays.of_one_dtype(x, o.w)), { shape = { -1, 1 } })
    if w.shape[1] ~= m then fail("polyfit: w: expected %d weights, as many as points, got %d", m, w.shape[1]) end
    lhs = nd.broadcast_mul(lhs, w)
    y = y.ndim == 1 and y * nd.reshape(w, { shape = { -1 } }) or nd.broadcast_mul(y, w)
  end
  local scale = nd.sqrt(nd.sum(nd.square(lhs), { axis = 0 }))
  lhs = nd.broadcast_div(lhs, nd.reshape(scale, { shape = { 1, -1 } }))
  local rcond = o.rcond or m * (PRECISION[operand.dtype(x)] or 2 ^ -23)
  local fit = nd.linalg.lstsq(lhs, y, { rcond = rcond })
  local p = y.ndim == 1 and fit[1] / scale or nd.broadcast_div(fit[1], nd.reshape(scale, { shape = { -1, 1 } }))
  if o.full then return { p, fit[2], fit[3], fit[4], rcond } end
  if not o.cov then return p end
  checks.choice("polyfit: cov", o.cov == true and "scaled" or o.cov, "scaled", "unscaled")
  return { p, covariance(o, lhs, scale, fit[2], m, n) }
end

local read_polyder = arguments.new("polyder", { "p", "m" }, { m = 1 })

--- The coefficients of the m-th derivative of a polynomial.
function functions.polyder(...)
  local o = read_polyder(...)
  local p = coefficients("polyder", "p", o.p)
  for _ = 1, operand.integer("polyder", "m", o.m, 0) do
    local n = p.shape[1] - 1
    if n < 1 then return p * 0 end
    local factors = {}
    for i = 1, n do factors[i] = n + 1 - i end
    p = nd.slice_axis(p, { axis = 0, begin = 0, stop = n }) *
      number_arrays.as_array(factors, p, operand.dtype(p) or "float32")
  end
  return p
end

local read_polyint = arguments.new("polyint", { "p", "m", "k" }, { m = 1, k = 0 })

--- The coefficients of the m-th integral of a polynomial. Options: m (1), k (0): the constants of integration, a number
-- or a table of m.
function functions.polyint(...)
  local o = read_polyint(...)
  local p = coefficients("polyint", "p", o.p)
  for step = 1, operand.integer("polyint", "m", o.m, 0) do
    local n, over = p.shape[1], {}
    for i = 1, n do over[i] = n + 1 - i end
    local k = type(o.k) == "table" and o.k[step] or o.k
    checks.number("polyint: k", k)
    p = nd.concat(p / number_arrays.as_array(over, p, operand.dtype(p) or "float32"),
      nd.zeros_like(one(p, 0)) + k, { dim = 0 })
  end
  return p
end

-- Two polynomials of one length, by zeros before the shorter one.
local function aligned(what, o)
  local a, b = coefficients(what, "a1", o.a1, o.a2 == nil and fail("%s: a2: expected coefficients, got nothing", what)
    or o.a2)
  b, a = coefficients(what, "a2", b, a)
  local function widened(p, n)
    if n <= 0 then return p end
    return nd.concat(nd.zeros_like(nd.tile(one(p, 0), { reps = { n } })), p, { dim = 0 })
  end
  local n = math.max(a.shape[1], b.shape[1])
  return widened(a, n - a.shape[1]), widened(b, n - b.shape[1])
end

local read_polyadd, read_polysub = arguments.new("polyadd", { "a1", "a2" }), arguments.new("polysub", { "a1", "a2" })
local read_polymul = arguments.new("polymul", { "a1", "a2" })

--- The sum of two polynomials.
function functions.polyadd(...)
  local a, b = aligned("polyadd", read_polyadd(...))
  return a + b
end

--- The difference of two polynomials.
function functions.polysub(...)
  local a, b = aligned("polysub", read_polysub(...))
  return a - b
end

--- The product of two polynomials.
function functions.polymul(...)
  local o = read_polymul(...)
  if o.a2 == nil then fail "polymul: a2: expected coefficients, got nothing" end
  local a, b = coefficients("polymul", "a1", o.a1, o.a2)
  b, a = coefficients("polymul", "a2", b, a)
  return nd.convolve(a, b)
end

local METHODS = { vander = true, polyder = true, polyint = true, polyval = true }
local no_method = {}
for name in pairs(functions) do no_method[name] = not METHODS[name] or nil end

return { functions = functions, no_method = no_method }

-- np/numbers.lua - functions of np on the parts of numbers (frexp, ldexp, spacing), common multiples and divisors, and
-- Bessel's i0: compositions of operators. Floats are computed in float64, where powers of 2 are exact.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local d = require "hybridlua.np.definitions"
local define = d.define
local nd = core.op.nd
local dtype_of, promote = core.np.dtype_of, core.np.promote

local function double(x) return d.cast(x, "float64") end
local where = nd._npi_where

-- 2 ^ e for whole e from -2200 to 2200, in two factors, so that neither overflows before the product does.
local function times_power(x, e)
  local half = nd.floor(e / 2)
  return nd.broadcast_mul(nd.broadcast_mul(x, 2 ^ half), 2 ^ (e - half))
end

-- Mantissas in [0.5, 1) and exponents of finite float64 numbers that are not 0.
local function parts_of(x)
  local small = nd.lesser(nd.abs(x), 2 ^ -1000)
  local scaled = where(small, x * 2 ^ 200, x)
  local e = nd.floor(nd.log2(nd.abs(scaled))) + 1
  local m = times_power(scaled, -e)
  local up, down = nd.greater_equal(nd.abs(m), 1), nd.lesser(nd.abs(m), 0.5)      -- log2 is rounded
  e = where(up, e + 1, where(down, e - 1, e))
  m = where(up, m / 2, where(down, m * 2, m))
  return m, where(small, e - 200, e)
end

-- x with numbers that have no exponent (0, infinity, NaN) as 1, and where they are.
local function with_exponent(x)
  local plain = d.cast(nd.isfinite(x), "float64") * nd.not_equal(x, 0)
  return where(plain, x, nd.ones_like(x)), plain
end

define("frexp", "x*", {}, function(o)
  local x = d.floats(o.x)
  local safe, plain = with_exponent(double(x))
  local m, e = parts_of(safe)
  e = where(plain, e, nd.zeros_like(e))
  return { where(plain, d.cast(m, dtype_of(x)), x), nd.cast(e, { dtype = "int32" }) }
end)

-- The distance to the next number away from 0.
local DIGITS = { float16 = { 11, -24 }, float32 = { 24, -149 }, float64 = { 53, -1074 } }
define("spacing", "x*", {}, function(o)
  local x = d.floats(o.x)
  local digits = DIGITS[dtype_of(x) or "float32"]
  local wide = double(x)
  local safe, plain = with_exponent(wide)
  local _, e = parts_of(safe)
  local exponent = nd.maximum(e - digits[1], digits[2])
  local step = times_power(nd.sign(safe), exponent)
  local least = nd.full_like(wide, 2.0 ^ digits[2])
  local y = where(plain, step, where(nd.equal(wide, 0), least, nd.full_like(wide, 0 / 0)))
  return d.cast(y, dtype_of(x))
end)

define("ldexp", "x1* x2* out", {}, function(o)
  local x = d.floats(o.x1)
  local a, e = double(x), double(o.x2)
  -- exponents beyond these give 0 or infinity all the same
  return d.cast(times_power(a, nd.clip(e, { a_min = -2200, a_max = 2200 })), dtype_of(x))
end)

-- Euclid's algorithm, for as many steps as the dtype's numbers can need (Lame: the worst are Fibonacci's).
local STEPS = { uint8 = 13, int8 = 11, int32 = 46, int64 = 92 }
local function divisor(a, b, dtype)
  for _ = 1, STEPS[dtype] do
    local ended = nd.equal(b, 0)
    a, b = where(ended, a, b), where(ended, b, nd.broadcast_mod(a, where(ended, nd.ones_like(b), b)))
  end
  return a
end

-- The absolute operands in one shape and dtype, which a number takes from the other, and their divisor.
local function whole(name, o)
  local x, y = o.x1, o.x2
  if math.type(x) == "integer" then x = d.constant(x, d.is(y) and dtype_of(y) or "int64") end
  if math.type(y) == "integer" then y = d.constant(y, dtype_of(x)) end
  local a, b = promote(d.operand(name, "x1", x), d.operand(name, "x2", y))
  local dtype = dtype_of(a)
  if not STEPS[dtype] then fail("np.%s: x1, x2: expected integers, got %s", name, tostring(dtype)) end
  a, b = nd.abs(a), nd.abs(b)
  local zero = nd.broadcast_mul(nd.zeros_like(a), nd.zeros_like(b))
  a, b = nd.broadcast_add(a, zero), nd.broadcast_add(b, zero)
  return a, b, divisor(a, b, dtype)
end
define("gcd", "x1 x2 out", {}, function(o) return (select(3, whole("gcd", o))) end)
define("lcm", "x1 x2 out", {}, function(o)
  local a, b, g = whole("lcm", o)
  local none = nd.equal(g, 0)
  return nd.broadcast_mul(nd.floor_divide(a, where(none, nd.ones_like(g), g)), b)
end)

-- Abramowitz and Stegun, 9.6.12 (a power series, up to 20) and 9.7.1 (asymptotic, whose terms fall until the 40th).
define("i0", "x*", {}, function(o)
  local x = d.floats(o.x)
  local a = nd.abs(double(x))
  local near, far = nd.minimum(a, 20), nd.maximum(a, 20)
  local q, series = near * near / 4, nd.ones_like(a)
  for k = 55, 1, -1 do series = series * q / (k * k) + 1 end
  local r, tail = 1 / (far * 8), nd.ones_like(a)
  for k = 25, 1, -1 do tail = tail * r * ((2 * k - 1) ^ 2 / k) + 1 end
  tail = nd.exp(far / 2) / nd.sqrt(far * (2 * math.pi)) * tail * nd.exp(far / 2)
  return d.cast(where(nd.greater(a, 20), tail, series), dtype_of(x))
end)

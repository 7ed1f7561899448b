-- functions/elementwise.lua - elementwise functions: isclose and related functions, around, between, gelu,
-- softplus.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local operand = require "hybridlua.functions.operand_checks"
local nd = core.op.nd

local functions = {}

-- ---- Closeness -------------------------------------------------------------------------------------

local CLOSE_DEFAULTS = { rtol = 1e-5, atol = 1e-8, equal_nan = false }

local function close_reader(what)
  return arguments.new(what, { "a", "b", "rtol", "atol", "equal_nan" }, CLOSE_DEFAULTS)
end

local function closeness(what, o)
  local a, b = o.a, o.b
  if type(a) == "number" then a = operand.lift(what, "a", a, operand.check(what, "b", b)) end
  b = operand.lift(what, "b", b, operand.check(what, "a", a))
  operand.check_broadcast(what, "b", a, b)
  a, b = operand.in_floats(a), operand.in_floats(b)
  local of_a, of_b = operand.dtype(a), operand.dtype(b)
  if of_a and of_b and of_a ~= of_b then a, b = nd.cast(a, { dtype = "float64" }), nd.cast(b, { dtype = "float64" }) end
  local distance, bound = nd.abs(nd.broadcast_sub(a, b)), nd.abs(b) * o.rtol + o.atol
  local finite = nd.equal(b - b, 0)
  local close = nd.broadcast_logical_or(nd.broadcast_equal(a, b),
    nd.broadcast_logical_and(nd.broadcast_lesser_equal(distance, bound), finite))
  if not o.equal_nan then return close end
  return nd.broadcast_logical_or(close,
    nd.broadcast_logical_and(nd.broadcast_not_equal(a, a), nd.broadcast_not_equal(b, b)))
end

local read_isclose, read_allclose = close_reader "isclose", close_reader "allclose"
local read_almost_equal = close_reader "almost_equal"

--- Whether elements of two arrays (or an array and a number), which broadcast, are close: |a - b| <= atol + rtol |b|.
-- isclose(a, b, rtol, atol, {equal_nan = true}). Options: rtol (1e-5), atol (1e-8), equal_nan (false). Infinities are
-- close to those of the same sign. The result is bool.
function functions.isclose(...) return nd.cast(closeness("isclose", read_isclose(...)), { dtype = "bool" }) end

--- Whether all elements of two arrays are close, as defined by isclose: an array of one bool, shape (1,), even in
-- graphs. For Lua's `if` use a:almost_equal(b). Options: rtol (1e-5), atol (1e-8), equal_nan (false). MXNet's operator,
-- which counts NaNs as equal, is nd.contrib.allclose.
function functions.allclose(...) return nd.all(closeness("allclose", read_allclose(...))) end

--- Like allclose, but a Lua boolean for `if` and `assert`: assert(a:almost_equal(b)). It reads the values, so it
-- accepts arrays, not Symbols. Options: rtol (1e-5), atol (1e-8), equal_nan (false).
function functions.almost_equal(...) return nd.all(closeness("almost_equal", read_almost_equal(...))):asscalar() end
core.array.methods.almost_equal = functions.almost_equal         -- that of Symbols raises an error

-- ---- Rounding and ranges ---------------------------------------------------------------------------

local read_around = arguments.new("around", { "a", "decimals" }, { decimals = 0 })

--- x rounded to a number of decimals, ties to the even digit; negative decimals round to tens, hundreds and so on.
-- around(x, decimals). The operators round and rint round to whole numbers, with ties away from 0 and to the lower one.
function functions.around(...)
  local o = read_around(...)
  local x, decimals = operand.check("around", "a", o.a), operand.integer("around", "decimals", o.decimals)
  if decimals == 0 then return nd._round_even(x) end
  local whole = operand.is_integer(x) and operand.dtype(x)
  if decimals > 0 then
    if whole then return nd._copy(x) end
    return nd._round_even(x * 10.0 ^ decimals) / 10.0 ^ decimals
  end
  local rounded = nd._round_even(operand.in_floats(x) / 10.0 ^ -decimals) * 10.0 ^ -decimals
  return whole and nd.cast(rounded, { dtype = whole }) or rounded
end

local read_between = arguments.new("between", { "data", "low", "high", "inclusive" }, { inclusive = "both" })

local function compare(x, bound, with_equal, rows)
  local row = rows[with_equal and 1 or 2]
  if type(bound) == "number" then return nd["_" .. row .. "_scalar"](x, { scalar = bound }) end
  return nd["broadcast_" .. row](x, bound)
end

--- Whether elements are from low to high, two numbers or arrays: a bool array, for use as a mask: x[x:between(1, 3)].
-- Options: inclusive: which bounds belong to it, "both", "neither", "left" or "right".
function functions.between(...)
  local o = read_between(...)
  local x = operand.check("between", "data", o.data)
  for _, param in ipairs { "low", "high" } do
    if type(o[param]) ~= "number" and not operand.is(o[param]) then
      fail("between: %s: expected a number or an array, got %s", param, operand.got(o[param]))
    end
  end
  local kind = checks.choice("between: inclusive", o.inclusive, "both", "neither", "left", "right")
  local above = compare(x, o.low, kind == "both" or kind == "left", { "greater_equal", "greater" })
  local below = compare(x, o.high, kind == "both" or kind == "right", { "lesser_equal", "lesser" })
  return nd.cast(nd.broadcast_logical_and(above, below), { dtype = "bool" })
end

-- ---- Activations ----------------------------------------------------------------------------------------

local read_gelu = arguments.new("gelu", { "data", "approximate" }, { approximate = "none" })

--- x Phi(x), where Phi is the normal distribution's function (D. Hendrycks, K. Gimpel, 2016).
-- Options: approximate: "none" (exact, by erf), "tanh" (or true): 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
function functions.gelu(...)
  local o = read_gelu(...)
  local x, kind = operand.check("gelu", "data", o.data), o.approximate
  if kind == true then kind = "tanh" elseif kind == false then kind = "none" end
  checks.choice("gelu: approximate", kind, "none", "tanh")
  if kind == "tanh" then return nd._gelu_tanh(x) end
  return nd.LeakyReLU(x, { act_type = "gelu" })
end

local read_swish = arguments.new("swish", { "data" })

--- x sigmoid(x): silu by another name.
function functions.swish(...) return nd.silu(operand.check("swish", "data", read_swish(...).data)) end

local read_softplus = arguments.new("softplus", { "data", "beta" }, { beta = 1 })

--- log(1 + e^(beta x)) / beta, without overflow. Options: beta (1).
function functions.softplus(...)
  local o = read_softplus(...)
  local x = operand.check("softplus", "data", o.data)
  if o.beta == 1 then return nd.softrelu(x) end
  return nd.softrelu(x * o.beta) / o.beta
end

return { functions = functions, no_method = { almost_equal = true } }

-- functions/elementwise.lua - elementwise functions: isclose and related functions, gelu, softplus.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
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

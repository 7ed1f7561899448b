-- functions/distributions.lua - NumPy's distributions that are functions of uniform, normal and gamma numbers, in
-- nd.random and sym.random: laplace, gumbel, beta and others.
--
-- Parameters are numbers or arrays, which broadcast with each other. A call with numbers has the shape `shape` (default
-- (1,)). With arrays `shape` is that of the draws for each element, as for nd.random.normal; `size` is that of the
-- whole result, as in NumPy, and the parameters broadcast to it. Draws that are smooth functions of a parameter are
-- differentiable with respect to it (D. Kingma, M. Welling, "Auto-encoding variational Bayes", 2014), all but the
-- shapes of gamma numbers (beta, chisquare, dirichlet, f, standard_t), probabilities and counts.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local operand = require "hybridlua.functions.operand_checks"
local is_array, tracing = core.array.is, core.trace.active
local nd = core.op.nd

local made = {}

-- ---- Parameters ---------------------------------------------------------------------------------------

local function any(holds, expected) return { holds = holds, expected = expected } end
local ANY = any(function(x) return x == x end, "a number")
local POSITIVE = any(function(x) return x > 0 and x < math.huge end, "more than 0, and finite")
local SCALE = any(function(x) return x >= 0 end, "0 or more")
local CHANCE = any(function(x) return x >= 0 and x <= 1 end, "a probability")
local SUCCESS = any(function(x) return x > 0 and x <= 1 end, "a probability above 0")

local function check_value(what, param, x, rule)
  if not rule.holds(x) then fail("random.%s: %s: expected %s, got %g", what, param, rule.expected, x) end
end

-- Checks a parameter. The elements of an array are checked only where they can be read, outside graphs.
local function check(what, param, x, rule)
  if type(x) == "number" then return check_value(what, param, x, rule) end
  if not operand.is(x) then
    fail("random.%s: %s: expected a number or an array, got %s", what, param, operand.got(x))
  end
  if rule ~= ANY and is_array(x) and not tracing() and x.size > 0 then
    check_value(what, param, nd.min(x):asscalar(), rule)
    check_value(what, param, nd.max(x):asscalar(), rule)
  end
end

local function shape_list(what, param, shape)
  if type(shape) == "number" then shape = { shape } end
  if type(shape) ~= "table" then
    fail("random.%s: %s: expected a number or a table of numbers, got %s", what, param, operand.got(shape))
  end
  local list = {}
  for i, n in ipairs(shape) do list[i] = operand.integer("random." .. what, param, n, 0) end
  return list
end

-- How a call draws: { F =, numbers = the options of draws from numbers, or like = an array in the result's shape }.
local Draws = {}
Draws.__index = Draws

-- An array x with axes of size 1 after its own.
local function with_axes_after(x, n)
  for _ = 1, n do x = nd.expand_dims(x, { axis = -1 }) end
  return x
end

-- Reads the parameters `names` from o, and replaces arrays by ones that broadcast with the draws.
local function draws_of(F, what, o, names, rules)
  local like
  if o.shape ~= nil and o.size ~= nil then fail("random.%s: size: expected shape or size, got both", what) end
  local shape, size = o.shape and shape_list(what, "shape", o.shape), o.size and shape_list(what, "size", o.size)
  for i, name in ipairs(names) do
    local x = o[name]
    if x == nil then fail("random.%s: %s: expected a number or an array, got nothing", what, name) end
    check(what, name, x, rules[i])
    if operand.is(x) then
      x = operand.in_floats(x)
      if o.dtype and o.dtype ~= operand.dtype(x) then x = nd.cast(x, { dtype = o.dtype }) end
      o[name] = x
      local zeros = nd.zeros_like(x)
      like = like and nd.broadcast_add(like, zeros) or zeros
    end
  end
  local self = setmetatable({ F = F, what = what }, Draws)
  if not like then
    self.numbers = { shape = shape or size or { 1 }, dtype = o.dtype or core.array.default_dtype(), ctx = o.ctx }
    return self
  end
  for _, name in ipairs(shape and names or {}) do
    if operand.is(o[name]) then
      -- Leading axes first, so that those added at the end mean the draws of each element.
      o[name] = with_axes_after(nd.broadcast_add(o[name], like), #shape)
    end
  end
  local dtype = operand.dtype(like) or o.dtype or core.array.default_dtype()
  if shape then like = with_axes_after(like, #shape) end
  local of_draws = shape or size
  if of_draws then like = nd.broadcast_add(like, F.zeros { shape = of_draws, dtype = dtype }) end
  if size and is_array(like) and not tracing() and like.shape ~= size then
    fail("random.%s: size: expected a shape to which the parameters broadcast, as %s, got %s", what,
      tostring(like.shape), "(" .. table.concat(size, ", ") .. (#size == 1 and ",)" or ")"))
  end
  self.like, self.dtype = like, operand.dtype(like)
  return self
end

function Draws:draw(row, options)
  if self.like then return nd["random_" .. row .. "_like"](self.like, options) end
  for key, value in pairs(self.numbers) do options[key] = value end
  return self.F["random_" .. row](options)
end

-- Uniform numbers without 0 and 1: from half of the least step, by which the interval is narrower at its upper end too.
function Draws:uniform()
  local dtype = self.dtype or self.numbers and self.numbers.dtype
  local low = dtype == "float64" and 2 ^ -54 or 2 ^ -25
  return self:draw("uniform", { low = low, high = 1 })
end

function Draws:normal() return self:draw("normal", { loc = 0, scale = 1 }) end

function Draws:exponential() return -nd.log(self:uniform()) end

-- Rejection rows whose parameter may be an array: gamma, log_gamma, binomial.
function Draws:rejecting(row, values)
  local all_numbers = true
  for _, value in ipairs(values) do all_numbers = all_numbers and type(value.of) == "number" end
  local options, arrays = {}, {}
  if all_numbers then
    for _, value in ipairs(values) do options[value.name] = value.of end
    return self:draw(row, options)
  end
  for i, value in ipairs(values) do arrays[i] = nd.broadcast_add(self.like, value.of) end
  arrays[#arrays + 1] = { dtype = self.dtype }
  return nd["sample_" .. row](table.unpack(arrays))
end

function Draws:gamma(alpha)
  return self:rejecting("gamma", { { name = "alpha", of = alpha }, { name = "beta", of = 1 } })
end

function Draws:log_gamma(alpha) return self:rejecting("log_gamma", { { name = "alpha", of = alpha } }) end

-- ---- The list ---------------------------------------------------------------------------------------------

local add, mul, div = nd.broadcast_add, nd.broadcast_mul, nd.broadcast_div

-- x + y and x y for numbers and arrays.
local function plus(x, y) return type(x) == "number" and y + x or type(y) == "number" and x + y or add(x, y) end
local function times(x, y) return type(x) == "number" and y * x or type(y) == "number" and x * y or mul(x, y) end
local function over(x, y) return type(y) == "number" and x / y or div(x, y) end
local function raised(x, y) return type(y) == "number" and x ^ y or nd.broadcast_power(x, y) end
local function of_number(x, fn, row) return type(x) == "number" and fn(x) or nd[row](x) end

-- Adds random.name(parameters..., shape, dtype), options by name too; `draw` gets the draws and the parameters.
local function distribution(name, parameters, rules, defaults, draw)
  local names = table.move({ "shape", "dtype", "ctx", "size" }, 1, 4, #parameters + 1,
    table.move(parameters, 1, #parameters, 1, {}))
  local read = arguments.new("random." .. name, names, defaults)
  made[name] = function(F, ...)
    local o = read(...)
    local d = draws_of(F, name, o, parameters, rules)
    local values = {}
    for i, parameter in ipairs(parameters) do values[i] = o[parameter] end
    return draw(d, table.unpack(values))
  end
end

local LOCATION, LOC_RULES, LOC_DEFAULTS = { "loc", "scale" }, { ANY, SCALE }, { loc = 0, scale = 1 }

distribution("laplace", LOCATION, LOC_RULES, LOC_DEFAULTS, function(d, loc, scale)
  local u = d:uniform() - 0.5
  return plus(times(nd.sign(u) * nd.log1p(nd.abs(u) * -2), -scale), loc)
end)

distribution("gumbel", LOCATION, LOC_RULES, LOC_DEFAULTS,
  function(d, loc, scale) return plus(times(-nd.log(d:exponential()), scale), loc) end)

distribution("logistic", LOCATION, LOC_RULES, LOC_DEFAULTS, function(d, loc, scale)
  local u = d:uniform()
  return plus(times(nd.log(u) - nd.log1p(-u), scale), loc)
end)

distribution("lognormal", { "mean", "sigma" }, LOC_RULES, { mean = 0, sigma = 1 },
  function(d, mean, sigma) return nd.exp(plus(times(d:normal(), sigma), mean)) end)

distribution("rayleigh", { "scale" }, { SCALE }, { scale = 1 },
  function(d, scale) return times(nd.sqrt(d:exponential() * 2), scale) end)

distribution("weibull", { "a" }, { POSITIVE }, {},
  function(d, a) return raised(d:exponential(), 1 / a) end)

distribution("pareto", { "a" }, { POSITIVE }, {}, function(d, a) return nd.expm1(over(d:exponential(), a)) end)

distribution("power", { "a" }, { POSITIVE }, {}, function(d, a) return raised(d:uniform(), 1 / a) end)

distribution("standard_normal", {}, {}, {}, function(d) return d:normal() end)
distribution("standard_exponential", {}, {}, {}, function(d) return d:exponential() end)
distribution("standard_cauchy", {}, {}, {}, function(d) return nd.tan((d:uniform() - 0.5) * math.pi) end)
distribution("standard_gamma", { "alpha" }, { POSITIVE }, {}, function(d, alpha) return d:gamma(alpha) end)

local function chi_square(d, df) return d:gamma(df / 2) * 2 end

distribution("chisquare", { "df" }, { POSITIVE }, {}, chi_square)

-- Without a gradient: the draws of gamma distributions have none by their shape, and a part of it would be wrong.
local function fixed(x) return type(x) == "number" and x or nd.stop_gradient(x) end

distribution("f", { "dfnum", "dfden" }, { POSITIVE, POSITIVE }, {}, function(d, dfnum, dfden)
  return over(chi_square(d, dfnum), fixed(dfnum)) / over(chi_square(d, dfden), fixed(dfden))
end)

distribution("standard_t", { "df" }, { POSITIVE }, {},
  function(d, df) return d:normal() / nd.sqrt(over(chi_square(d, df), fixed(df))) end)

distribution("beta", { "a", "b" }, { POSITIVE, POSITIVE }, {},
  function(d, a, b) return nd.sigmoid(d:log_gamma(a) - d:log_gamma(b)) end)

distribution("bernoulli", { "prob" }, { CHANCE }, { prob = 0.5 }, function(d, prob)
  local u = d:draw("uniform", { low = 0, high = 1 })
  return type(prob) == "number" and nd._lesser_scalar(u, { scalar = prob }) or nd.broadcast_lesser(u, prob)
end)

distribution("geometric", { "p" }, { SUCCESS }, {}, function(d, p)
  local rate = of_number(-p, function(x) return core.number.log_of(1 + x) end, "log1p")
  return nd.floor(over(nd.log(d:uniform()), rate)) + 1
end)

distribution("triangular", { "left", "mode", "right" }, { ANY, ANY, ANY }, {}, function(d, left, mode, right)
  local u = d:uniform()
  local function minus(x, y) return plus(x, -y) end
  local width, rise, fall = minus(right, left), minus(mode, left), minus(right, mode)
  for _, length in ipairs { rise, fall, width } do
    if type(length) == "number" and length < 0 or width == 0 then
      fail("random.triangular: mode: expected left <= mode <= right and left < right, got %s, %s and %s",
        operand.got(left), operand.got(mode), operand.got(right))
    end
  end
  local low = plus(nd.sqrt(times(times(u, width), rise)), left)
  local high = plus(-nd.sqrt(times(times(1 - u, width), fall)), right)
  local top = type(width) == "number" and type(rise) == "number" and rise / width or over(rise, width)
  local is_low = type(top) == "number" and nd._lesser_scalar(u, { scalar = top }) or nd.broadcast_lesser(u, top)
  return nd._npi_where(is_low, low, high)
end)

-- ---- Vectors -------------------------------------------------------------------------------------------------

-- A parameter that may be a table, as an array.
local function vector_of(what, param, x, dtype)
  if x == nil then fail("random.%s: %s: expected an array or a table, got nothing", what, param) end
  if type(x) == "table" then x = nd.array(x, { dtype = dtype }) end
  if not operand.is(x) then
    fail("random.%s: %s: expected an array or a table, got %s", what, param, operand.got(x))
  end
  x = operand.in_floats(x)
  return dtype and operand.dtype(x) ~= dtype and nd.cast(x, { dtype = dtype }) or x
end

local function draws_shape(what, o)
  local shape = o.shape or o.size
  return shape and shape_list(what, o.shape and "shape" or "size", shape) or {}
end

local read_dirichlet = arguments.new("random.dirichlet", { "alpha", "shape", "dtype", "size" }, {}, true)

--- Vectors that sum to 1, Dirichlet distributed with the concentrations alpha, an array or a table. dirichlet(alpha,
-- shape, dtype): the result has alpha's shape, or (shape..., k). Options: shape (or size), dtype.
function made.dirichlet(F, ...)
  local o = read_dirichlet(...)
  local alpha = vector_of("dirichlet", "alpha", o.alpha, o.dtype)
  check("dirichlet", "alpha", alpha, POSITIVE)
  local shape = draws_shape("dirichlet", o)
  if #shape > 0 then
    shape[#shape + 1] = 1
    alpha = nd.broadcast_add(alpha, F.zeros { shape = shape, dtype = operand.dtype(alpha) or "float32" })
  end
  return nd.softmax(nd.sample_log_gamma(alpha, { dtype = operand.dtype(alpha) }), { axis = -1 })
end

local read_normals = arguments.new("random.multivariate_normal", { "mean", "cov", "shape", "dtype", "size" })

--- Normal vectors with a mean (k) and a covariance matrix (k, k), arrays or tables, which must be positive definite.
-- multivariate_normal(mean, cov, shape, dtype): the result has the shape (shape..., k). Differentiable with respect to
-- both. Options: shape (or size), dtype.
function made.multivariate_normal(F, ...)
  local o = read_normals(...)
  local mean = vector_of("multivariate_normal", "mean", o.mean, o.dtype)
  local cov = vector_of("multivariate_normal", "cov", o.cov, operand.dtype(mean))
  if mean.ndim ~= 1 then
    fail("random.multivariate_normal: mean: expected a vector, got %d dimensions", mean.ndim)
  end
  local k = mean.shape[1]
  if cov.ndim ~= 2 or cov.shape[1] ~= k or cov.shape[2] ~= k then
    fail("random.multivariate_normal: cov: expected shape (%d, %d), got %s", k, k, tostring(cov.shape))
  end
  local shape, n = draws_shape("multivariate_normal", o), 1
  for _, size in ipairs(shape) do n = n * size end
  shape[#shape + 1] = k
  local z = F.random_normal { shape = { n, k }, dtype = operand.dtype(mean) or "float32" }
  local y = nd.dot(z, nd.linalg.cholesky(cov), { transpose_b = true })
  return nd.reshape(nd.broadcast_add(y, nd.reshape(mean, { shape = { 1, -1 } })), { shape = shape })
end

return { made = made, namespace = "random" }

-- np/draws.lua - np.random's functions whose arguments differ from nd.random's; the others: np/later.lua.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local d = require "hybridlua.np.definitions"
local mark = d.mark
local nd = core.op.nd
local promote = core.np.promote

local RANDOM = { namespace = "random" }
local function define(name, names, defaults, fn) d.define(name, names, defaults, fn, RANDOM) end

local function size_of(what, size)
  if size == nil then return {} end
  return d.shape("random." .. what, "size", size)
end

-- The shape to which parameters and size broadcast: that of the arrays' sum, or the size.
local function draw_shape(what, o, ...)
  if o.size ~= nil then return size_of(what, o.size) end
  local sum
  for i = 1, select("#", ...) do
    local x = (select(i, ...))
    if d.is(x) then
      sum = sum and nd.broadcast_add(promote(nd.zeros_like(sum), nd.zeros_like(x))) or nd.zeros_like(x)
    end
  end
  return sum and sum.shape or {}
end

local function base(F, row, shape, options)
  options.shape = shape
  return mark(F[row](options))
end

-- Parameters that are arrays scale and shift numbers of the standard distribution.
local function standard(F, row, what, o, options, ...)
  options.dtype, options.ctx = o.dtype, o.ctx
  return base(F, row, draw_shape(what, o, ...), options)
end

local function times(x, by)
  if d.is(by) then return nd.broadcast_mul(promote(x, d.operand("random", "scale", by))) end
  return by == 1 and x or x * by
end
local function plus(x, by)
  if d.is(by) then return nd.broadcast_add(promote(x, d.operand("random", "loc", by))) end
  return by == 0 and x or x + by
end

local TAIL = " size dtype ctx out"

define("uniform", "low high" .. TAIL, { low = 0, high = 1 }, function(o, F)
  if not d.is(o.low) and not d.is(o.high) then
    return standard(F, "random_uniform", "uniform", o, { low = o.low, high = o.high })
  end
  local x = standard(F, "random_uniform", "uniform", o, { low = 0, high = 1 }, o.low, o.high)
  local width = plus(d.is(o.high) and d.operand("random.uniform", "high", o.high) or d.constant(o.high),
    d.is(o.low) and -d.operand("random.uniform", "low", o.low) or -o.low)
  return plus(times(x, width), o.low)
end)
define("normal", "loc scale" .. TAIL, { loc = 0, scale = 1 }, function(o, F)
  if not d.is(o.loc) and not d.is(o.scale) then
    return standard(F, "random_normal", "normal", o, { loc = o.loc, scale = o.scale })
  end
  return plus(times(standard(F, "random_normal", "normal", o, {}, o.loc, o.scale), o.scale), o.loc)
end)
define("exponential", "scale" .. TAIL, { scale = 1 }, function(o, F)
  return times(standard(F, "random_exponential", "exponential", o, { lam = 1 }, o.scale), o.scale)
end)

-- Gamma numbers of a shape parameter that is a number or an array.
local function gamma(F, what, alpha, o, ...)
  local shape = draw_shape(what, o, alpha, ...)
  if not d.is(alpha) then
    return base(F, "random_gamma", shape, { alpha = alpha, beta = 1, dtype = o.dtype, ctx = o.ctx })
  end
  local a = nd.broadcast_to(d.floats(d.operand("random." .. what, "shape", alpha)), { shape = shape })
  return mark(nd.sample_gamma(a, nd.ones_like(a), { dtype = o.dtype }))
end
define("gamma", "shape scale" .. TAIL, { scale = 1 }, function(o, F)
  return times(gamma(F, "gamma", o.shape, o, o.scale), o.scale)
end)

define("randint", "low high" .. TAIL, {}, function(o, F)
  local low, high = o.low, o.high
  if high == nil then low, high = 0, low end
  if type(low) ~= "number" or type(high) ~= "number" then fail "np.random.randint: low, high: expected integers" end
  return base(F, "random_randint", size_of("randint", o.size),
    { low = low, high = high, dtype = o.dtype or "int64", ctx = o.ctx })
end)
define("choice", "a size replace p ctx out", { replace = true }, function(o, F)
  local a = d.is(o.a) and d.operand("random.choice", "a", o.a) or o.a
  local size = size_of("choice", o.size)
  local drawn = mark(F.random.choice(a, #size > 0 and size or { 1 }, o.replace, o.p))
  return #size > 0 and drawn or d.reshaped(drawn, {})
end)
define("shuffle", "x", {}, function(o)
  if not core.array.is(o.x) or core.trace.active() then
    fail "np.random.shuffle: x: expected an array, which is shuffled in place"
  end
  o.x:set(nd.shuffle(o.x))
end)
define("permutation", "x", {}, function(o, F) return mark(F.random.permutation(o.x)) end)
define("multinomial", "n pvals size", {}, function(o, F)
  local p = d.floats(d.operand("random.multinomial", "pvals", o.pvals))
  local size, k = size_of("multinomial", o.size), p.shape[1]
  local many = {}
  for i, n in ipairs(size) do many[i] = n end
  many[#many + 1] = o.n
  local draws = mark(nd.sample_multinomial(p, { shape = many, dtype = "int64" }))
  return nd.sum(nd.one_hot(draws, { depth = k, dtype = "int64" }), { axis = -2 })
end)
define("multivariate_normal", "mean cov size check_valid tol", {}, function(o, F)
  for _, param in ipairs { "check_valid", "tol" } do
    if o[param] ~= nil then
      fail("np.random.multivariate_normal: %s: expected nothing: cov is always checked, got %s", param,
        tostring(o[param]))
    end
  end
  local function of_nd(param)
    return d.floats(d.operand("random.multivariate_normal", param, o[param])):as_nd_ndarray()
  end
  local size = size_of("multivariate_normal", o.size)
  return mark(F.random.multivariate_normal { mean = of_nd "mean", cov = of_nd "cov", size = size })
end)

-- Chances as prob, or as their log odds.
d.define("bernoulli", "prob logit size dtype ctx out", {}, function(o, F)
  if (o.prob == nil) == (o.logit == nil) then
    fail("npx.random.bernoulli: prob, logit: expected one of the two, got %s", o.prob and "both" or "none")
  end
  local prob = o.prob
  if prob == nil then
    prob = d.is(o.logit) and nd.sigmoid(d.operand("random.bernoulli", "logit", o.logit)) or
      nd.sigmoid(d.constant(o.logit)):item()
  elseif d.is(prob) then prob = d.operand("random.bernoulli", "prob", prob) end
  local call = { prob = prob, dtype = o.dtype, ctx = o.ctx }
  if o.size ~= nil or not d.is(prob) then call.size = size_of("bernoulli", o.size) end
  return mark(F.random.bernoulli(call))
end, { namespace = "npx" })

-- npx.random.normal_n and uniform_n: batch_shape comes before the shape of the parameters.
for name, row in pairs { normal_n = "normal", uniform_n = "uniform" } do
  local first, second = row == "normal" and "loc" or "low", row == "normal" and "scale" or "high"
  d.define(name, first .. " " .. second .. " batch_shape dtype ctx", { [first] = 0, [second] = 1 }, function(o, F)
    local shape, of = d.shape("random." .. name, "batch_shape", o.batch_shape or {}), draw_shape(name, {}, o[first],
      o[second])
    shape = table.move(of, 1, #of, #shape + 1, table.move(shape, 1, #shape, 1, {}))
    return F.np.random[row](o[first], o[second], { size = shape, dtype = o.dtype, ctx = o.ctx })
  end, { namespace = "npx" })
end

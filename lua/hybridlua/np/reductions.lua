-- np/reductions.lua - sums, means, extremes and other functions of np over axes.
local core = require "hybridlua.core"
local d = require "hybridlua.np.definitions"
local define, alias = d.define, d.alias
local nd = core.op.nd
local dtype_of = core.np.dtype_of

local function over(o) return { axis = o.axis, keepdims = o.keepdims, exclude = o.exclude } end

-- Combines with initial, a number.
local function from(y, o, op) return o.initial ~= nil and op(y, o.initial) or y end

-- x without the elements where `where` is false.
local function chosen(o, otherwise)
  if o.where == nil then return o.a end
  return nd._npi_where(d.operand("where", "where", o.where), o.a, nd.full_like(o.a, otherwise))
end

local SUM = "a* axis dtype keepdims initial out where exclude"
local KEEP = { keepdims = false }

-- Sums keep the dtype of integers; bools count.
define("sum", SUM, KEEP, function(o)
  return from(nd.sum(d.cast(chosen(o, 0), o.dtype), over(o)), o, function(y, x) return y + x end)
end)
define("prod", "a* axis dtype out keepdims initial where exclude", KEEP, function(o)
  local x = chosen(o, 1)
  if o.dtype == nil and dtype_of(x) == "bool" then o.dtype = "int64" end
  return from(nd.prod(d.cast(x, o.dtype), over(o)), o, function(y, z) return y * z end)
end)
define("mean", "a* axis dtype out keepdims exclude", KEEP, function(o)
  local x = o.a
  if o.dtype then x = d.cast(x, o.dtype) elseif dtype_of(x) == "float16" then x = nd.cast(x, { dtype = "float32" }) end
  local y = nd.mean(x, over(o))
  return o.dtype == nil and dtype_of(o.a) == "float16" and nd.cast(y, { dtype = "float16" }) or y
end)

-- Integers and bools are taken as float32.
for _, name in ipairs { "var", "std" } do
  define(name, "a* axis dtype out ddof keepdims", { keepdims = false, ddof = 0 }, function(o)
    local x = d.floats(o.dtype and d.cast(o.a, o.dtype) or o.a)
    local half = dtype_of(x) == "float16"
    local y = nd[name](half and nd.cast(x, { dtype = "float32" }) or x,
      { axis = o.axis, ddof = o.ddof, keepdims = o.keepdims })
    return half and nd.cast(y, { dtype = "float16" }) or y
  end)
end

local function extreme(name, combine)
  define(name, "a* axis keepdims out initial where exclude", KEEP, function(o)
    local x, bool = chosen(o, o.initial or 0), dtype_of(o.a) == "bool"
    if bool then x = nd.cast(x, { dtype = "uint8" }) end
    if o.initial ~= nil and core.array.is(x) and x.size == 0 then
      return nd.broadcast_to(d.constant(o.initial, dtype_of(x)), nd.sum(x, over(o)).shape)
    end
    local y = from(nd[name](x, over(o)), o, combine)
    return bool and nd.cast(y, { dtype = "bool" }) or y
  end)
end
extreme("max", function(y, x) return nd.maximum(y, x) end)
extreme("min", function(y, x) return nd.minimum(y, x) end)

for _, name in ipairs { "any", "all" } do
  define(name, "a* axis keepdims out", KEEP, function(o) return nd[name](o.a, over(o)) end)
end
define("count_nonzero", "a* axis keepdims", KEEP, function(o)
  return nd.count_nonzero(o.a, { axis = o.axis, keepdims = o.keepdims })
end)
define("ptp", "a* axis out keepdims", KEEP, function(o) return nd.max(o.a, over(o)) - nd.min(o.a, over(o)) end)

define("average", "a* axis weights*? returned out keepdims", { returned = false, keepdims = false }, function(o)
  local a, w = d.floats(o.a), o.weights and d.floats(o.weights)
  if not w then
    local y = nd.mean(a, over(o))
    return o.returned and { y, nd.sum(nd.ones_like(a), over(o)) } or y
  end
  a, w = core.np.promote(a, w)
  return nd.average(a, { axis = o.axis, weights = w, returned = o.returned, keepdims = o.keepdims })
end)

define("median", "a* axis out overwrite_input keepdims", KEEP, function(o)
  return nd.median(d.floats(o.a), { axis = o.axis, keepdims = o.keepdims })
end)
for _, name in ipairs { "quantile", "percentile", "nanquantile", "nanpercentile" } do
  local kinds = name:find "^nan" and "method keepdims interpolation" or "interpolation keepdims method"
  define(name, "a* q axis out overwrite_input " .. kinds, KEEP, function(o)
    local q = o.q
    if d.is(q) then q = q.ndim == 0 and q:item() or q:reshape { -1 }:totable() end
    local y = nd[name](d.floats(o.a), q, { axis = o.axis, keepdims = o.keepdims, method = o.interpolation or o.method })
    return o.axis == nil and not o.keepdims and d.reshape(y, type(q) == "table" and { #q } or {}) or y
  end)
end

-- ---- Positions ----------------------------------------------------------------------------------------------

for _, name in ipairs { "argmax", "argmin" } do
  define(name, "a* axis out keepdims", KEEP, function(o)
    local x = dtype_of(o.a) == "bool" and nd.cast(o.a, { dtype = "uint8" }) or o.a
    return nd.cast(nd[name](x, { axis = o.axis, keepdims = o.keepdims }), { dtype = "int64" })
  end)
end

-- x with NaN replaced, for functions that pass over it.
local function without_nan(x, value)
  if not d.is_float(dtype_of(x)) then return x end
  return nd._npi_where(nd.broadcast_equal(x, x), x, nd.full_like(x, value))
end

for name, value in pairs { nanargmax = -math.huge, nanargmin = math.huge } do
  define(name, "a* axis out keepdims", KEEP, function(o)
    return nd.cast(nd[name:sub(4)](without_nan(o.a, value), { axis = o.axis, keepdims = o.keepdims }),
      { dtype = "int64" })
  end)
end

-- The elements that `where` leaves out count as NaN, which is ignored.
local function without_unchosen(o, x)
  return o.where == nil and x or chosen({ a = d.floats(x), where = o.where }, 0 / 0)
end
for name, op in pairs { nansum = "__add", nanprod = "__mul" } do
  define(name, "a* axis dtype out keepdims initial where", KEEP, function(o)
    local y = nd[name](without_unchosen(o, d.cast(o.a, o.dtype)), { axis = o.axis, keepdims = o.keepdims })
    return from(y, o, op == "__add" and function(a, b) return a + b end or function(a, b) return a * b end)
  end)
end
for name, op in pairs { nanmax = "maximum", nanmin = "minimum" } do
  define(name, "a* axis out keepdims initial where", KEEP, function(o)
    return from(nd[name](without_unchosen(o, o.a), { axis = o.axis, keepdims = o.keepdims }), o, nd[op])
  end)
end
define("nanmedian", "a* axis out overwrite_input keepdims", KEEP, function(o)
  local y = nd.nanmedian(d.floats(o.a), { axis = o.axis, keepdims = o.keepdims })
  return o.axis == nil and not o.keepdims and d.reshaped(y, {}) or y
end)
define("nanmean", "a* axis dtype out keepdims", KEEP, function(o)
  return nd.nanmean(d.floats(d.cast(o.a, o.dtype)), { axis = o.axis, keepdims = o.keepdims })
end)
for _, name in ipairs { "nanvar", "nanstd" } do
  define(name, "a* axis dtype out ddof keepdims", { keepdims = false, ddof = 0 }, function(o)
    return nd[name](d.floats(d.cast(o.a, o.dtype)), { axis = o.axis, ddof = o.ddof, keepdims = o.keepdims })
  end)
end

-- ---- Running sums --------------------------------------------------------------------------------------------

define("cumsum", "a* axis dtype out", {}, function(o)
  local x = d.cast(o.a, o.dtype)
  if dtype_of(x) == "bool" then x = nd.cast(x, { dtype = "int64" }) end
  if o.axis == nil then return nd.cumsum(d.reshaped(x, { -1 }), { axis = 0 }) end
  return nd.cumsum(x, { axis = o.axis })
end)

-- ---- Of several variables -------------------------------------------------------------------------------------

-- A single variable's covariance has shape ().
local function of_variables(c) return c.shape[1] == 1 and d.reshaped(c, {}) or c end

define("cov", "m* y*? rowvar bias ddof fweights*? aweights*? dtype", { rowvar = true, bias = false }, function(o)
  return of_variables(nd.cov(d.floats(d.cast(o.m, o.dtype)), { y = o.y and d.floats(d.cast(o.y, o.dtype)),
    rowvar = o.rowvar, bias = o.bias, ddof = o.ddof, fweights = o.fweights and d.floats(o.fweights),
    aweights = o.aweights and d.floats(o.aweights) }))
end)
-- bias and ddof have no effect, as in NumPy.
define("corrcoef", "x* y*? rowvar bias ddof dtype", { rowvar = true }, function(o)
  return of_variables(nd.corrcoef(d.floats(d.cast(o.x, o.dtype)), { y = o.y and d.floats(d.cast(o.y, o.dtype)),
    rowvar = o.rowvar }))
end)

alias("prod", "product")
alias("max", "amax")
alias("min", "amin")
alias("any", "sometrue")
alias("all", "alltrue")

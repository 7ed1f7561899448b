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

local SUM = "a* axis dtype out keepdims initial where exclude"
local KEEP = { keepdims = false }

-- Sums keep the dtype of integers; bools count.
define("sum", SUM, KEEP, function(o)
  return from(nd.sum(d.cast(chosen(o, 0), o.dtype), over(o)), o, function(y, x) return y + x end)
end)
define("prod", SUM, KEEP, function(o)
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
  define(name, "a* axis out keepdims initial where exclude", KEEP, function(o)
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
  define(name, "a* axis out keepdims", KEEP, function(o) return nd[name](o.a, over(o)) end)
end
define("count_nonzero", "a* axis keepdims", KEEP, function(o)
  return nd.count_nonzero(o.a, { axis = o.axis, keepdims = o.keepdims })
end)
define("ptp", "a* axis out keepdims", KEEP, function(o) return nd.max(o.a, over(o)) - nd.min(o.a, over(o)) end)

define("average", "a* axis weights*? returned keepdims", { returned = false, keepdims = false }, function(o)
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
for name, of in pairs { quantile = "quantile", percentile = "percentile" } do
  define(name, "a* q axis out overwrite_input interpolation keepdims", { keepdims = false }, function(o)
    local q = o.q
    if d.is(q) then q = q.ndim == 0 and q:item() or q:reshape { -1 }:totable() end
    return nd[of](d.floats(o.a), q, { axis = o.axis, keepdims = o.keepdims, method = o.interpolation })
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

for _, name in ipairs { "nansum", "nanprod" } do
  define(name, "a* axis dtype out keepdims", KEEP, function(o)
    return nd[name](d.cast(o.a, o.dtype), { axis = o.axis, keepdims = o.keepdims })
  end)
end
for _, name in ipairs { "nanmax", "nanmin" } do
  define(name, "a* axis out keepdims", KEEP, function(o)
    return nd[name](o.a, { axis = o.axis, keepdims = o.keepdims })
  end)
end
define("nanmean", "a* axis dtype out keepdims", KEEP, function(o)
  return nd.nanmean(d.floats(d.cast(o.a, o.dtype)), { axis = o.axis, keepdims = o.keepdims })
end)
for _, name in ipairs { "nanvar", "nanstd" } do
  define(name, "a* axis dtype out ddof keepdims", { keepdims = false, ddof = 0 }, function(o)
    return nd[name](d.floats(d.cast(o.a, o.dtype)), { axis = o.axis, ddof = o.ddof, keepdims = o.keepdims })
  end)
end

-- ---- Running sums --------------------------------------------------------------------------------------------

local function running(name, prepare)
  define(name, "a* axis dtype out", {}, function(o)
    local x = d.cast(prepare(o.a), o.dtype)
    if dtype_of(x) == "bool" then x = nd.cast(x, { dtype = "int64" }) end
    if o.axis == nil then return nd.cumsum(d.reshaped(x, { -1 }), { axis = 0 }) end
    return nd.cumsum(x, { axis = o.axis })
  end)
end
running("cumsum", function(x) return x end)
running("nancumsum", function(x) return without_nan(x, 0) end)

-- ---- Of several variables -------------------------------------------------------------------------------------

define("cov", "m* y*? rowvar bias ddof", { rowvar = true, bias = false }, function(o)
  local c = nd.cov(d.floats(o.m), { y = o.y and d.floats(o.y), rowvar = o.rowvar, bias = o.bias, ddof = o.ddof })
  return c.shape[1] == 1 and d.reshaped(c, {}) or c
end)
define("corrcoef", "x* y*? rowvar", { rowvar = true }, function(o)
  local c = nd.corrcoef(d.floats(o.x), { y = o.y and d.floats(o.y), rowvar = o.rowvar })
  return c.shape[1] == 1 and d.reshaped(c, {}) or c
end)

define("trapz", "y* x*? dx axis", { dx = 1, axis = -1 }, function(o)
  local y = d.floats(o.y)
  local n = y.shape[o.axis % y.ndim + 1]
  local mid = (nd.slice_axis(y, { axis = o.axis, begin = 1, stop = n }) +
    nd.slice_axis(y, { axis = o.axis, begin = 0, stop = n - 1 })) / 2
  if not o.x then return nd.sum(mid * o.dx, { axis = o.axis }) end
  local steps = nd.diff(d.floats(o.x), { axis = o.x.ndim == 1 and 0 or o.axis })
  if o.x.ndim == 1 then
    local shape = {}
    for i = 1, y.ndim do shape[i] = i == o.axis % y.ndim + 1 and -1 or 1 end
    steps = d.reshaped(steps, shape)
  end
  mid, steps = core.np.promote(mid, steps)
  return nd.sum(nd.broadcast_mul(mid, steps), { axis = o.axis })
end)

alias("prod", "product")
alias("max", "amax")
alias("min", "amin")
alias("any", "sometrue")
alias("all", "alltrue")



-- functions/statistics.lua - logsumexp, ptp, average, cov, and functions that ignore NaN. var, std, moments, any and
-- all are operators.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local number_arrays = require "hybridlua.functions.number_arrays"
local operand = require "hybridlua.functions.operand_checks"
local is_array = core.array.is
local nd = core.op.nd

local functions = {}

local function reader(what, ...) return arguments.new(what, { "data", "axis", ... }, { keepdims = false, ddof = 0 }) end

local function folding(o) return { axis = o.axis, keepdims = o.keepdims } end
local function kept(o) return { axis = o.axis, keepdims = true } end

local function data_of(what, o) return operand.with_axes(what, "data", o.data, o.axis) end

-- Are there no elements along the axes (nil: all)? An array may be empty along others.
local function reduces_nothing(x, axis)
  if x.size > 0 or axis == nil then return x.size == 0 end
  for _, i in ipairs(type(axis) == "table" and axis or { axis }) do
    if x.shape[i % x.ndim + 1] == 0 then return true end
  end
  return false
end

-- The operand of an extreme, which must have elements.
local function elements_of(what, o)
  local x = data_of(what, o)
  if is_array(x) and reduces_nothing(x, o.axis) then
    fail("%s: data: expected elements along the axes to reduce, got none", what)
  end
  return x
end

-- ---- Extremes --------------------------------------------------------------------------------------------

local read_logsumexp = reader("logsumexp", "keepdims")

--- log of the sum of e^x over axes (all), computed without overflow. Options: axis, keepdims (false).
function functions.logsumexp(...)
  local o = read_logsumexp(...)
  local x = elements_of("logsumexp", o)
  -- An infinite maximum is not subtracted: infinity minus infinity is NaN.
  local top = nd.nan_to_num(nd.stop_gradient(nd.max(x, kept(o))), { posinf = 0, neginf = 0 })
  local sum = nd.log(nd.sum(nd.exp(nd.broadcast_sub(x, top)), folding(o)))
  return nd.broadcast_add(sum, nd.reshape_like(top, sum))
end

local read_ptp = reader("ptp", "keepdims")

--- The greatest element minus the least, over axes (all). Options: axis, keepdims (false).
function functions.ptp(...)
  local o = read_ptp(...)
  local x = elements_of("ptp", o)
  return nd.broadcast_sub(nd.max(x, folding(o)), nd.min(x, folding(o)))
end

-- ---- Weights ------------------------------------------------------------------------------------------------

local read_average = arguments.new("average", { "data", "axis", "weights", "returned", "keepdims" },
  { returned = false, keepdims = false })

-- Reshapes weights to broadcast with x; a vector lies along the averaged axis.
local function weights_for(x, o)
  local w = operand.check("average", "weights", o.weights)
  if w.ndim == x.ndim then return w end
  local axis = type(o.axis) == "table" and #o.axis == 1 and o.axis[1] or o.axis
  if w.ndim ~= 1 then fail("average: weights: expected data's shape or a vector, got %d dimensions", w.ndim) end
  if math.type(axis) ~= "integer" then
    fail("average: axis: expected one axis to go with a vector of weights, got %s", operand.got(o.axis))
  end
  local shape = {}
  axis = operand.axis("average", "axis", axis, x.ndim)
  if is_array(x) and is_array(w) and w.size ~= x.shape[axis + 1] then
    fail("average: weights: expected %d, one for each element along axis %d, got %d", x.shape[axis + 1], axis, w.size)
  end
  for i = 1, x.ndim do shape[i] = i == axis + 1 and -1 or 1 end
  return nd.reshape(w, { shape = shape })
end

--- The weighted mean over axes (all): average(x, axis, weights).
-- Options: axis, weights (an array of x's shape, or a vector along the axis), returned (false; true: return a table of
-- the average and the sum of the weights), keepdims (false).
function functions.average(...)
  local o = read_average(...)
  local x = operand.in_floats(data_of("average", o))
  local w = o.weights and weights_for(x, o) or nil
  local total, y
  if w then
    w = nd.broadcast_like(operand.in_floats(w), x)
    total = nd.sum(w, folding(o))
    y = nd.broadcast_div(nd.sum(nd.broadcast_mul(x, w), folding(o)), total)
  else
    y = nd.mean(x, folding(o))
    total = o.returned and nd.sum(nd.ones_like(x), folding(o))
  end
  if o.returned then return { y, total } end
  return y
end

local read_cov = arguments.new("cov", { "m", "y", "rowvar", "bias", "ddof", "fweights", "aweights" },
  { rowvar = true, bias = false })

-- Observations as a matrix with one variable per row.
local function variables(what, param, x, rowvar)
  x = operand.in_floats(operand.check(what, param, x))
  if x.ndim > 2 then fail("%s: %s: expected a vector or a matrix, got %d dimensions", what, param, x.ndim) end
  if x.ndim < 2 then return nd.reshape(x, { shape = { 1, -1 } }) end
  return (rowvar or x.shape[1] == 1) and x or nd.transpose(x)
end

-- One weight for each of n observations.
local function observation_weights(what, param, w, n)
  if w == nil then return nil end
  if type(w) == "table" and not operand.is(w) then w = number_arrays.as_array(w) end
  w = operand.in_floats(operand.check(what, param, w))
  if w.ndim ~= 1 or w.shape[1] ~= n then
    fail("%s: %s: expected %d weights, one for each observation, got shape %s", what, param, n, tostring(w.shape))
  end
  return w
end

-- The covariances of observations with frequencies f and weights a, one of which may be nil: NumPy's definition.
local function weighted_covariance(x, f, a, ddof)
  local n = x.shape[2]
  local w
  if f and a then
    x, f, a = number_arrays.of_one_dtype(x, f, a)
    w = f * a
  else
    x, w = number_arrays.of_one_dtype(x, f or a)
  end
  local total, sums = nd.sum(w), nd.dot(x, w)
  local d = nd.broadcast_sub(x, nd.reshape(nd.broadcast_div(sums, total), { shape = { -1, 1 } }))
  local lost = a and ddof ~= 0 and nd.sum(w * (f and a or w)) / total * ddof or ddof
  w = nd.reshape(w, { shape = { 1, n } })
  return nd.broadcast_div(nd.dot(nd.broadcast_mul(d, w), d, { transpose_b = true }), nd.maximum(total - lost, 0))
end

local function covariance(what, o)
  local x = variables(what, "m", o.m, o.rowvar)
  if o.y then x = nd.concat(x, variables(what, "y", o.y, o.rowvar), { dim = 0 }) end
  local ddof, n = o.ddof or (o.bias and 0 or 1), x.shape[2]
  if type(ddof) ~= "number" then fail("%s: ddof: expected a number, got %s", what, operand.got(ddof)) end
  local f = observation_weights(what, "fweights", o.fweights, n)
  local a = observation_weights(what, "aweights", o.aweights, n)
  if f or a then return weighted_covariance(x, f, a, ddof) end
  local d = nd.broadcast_sub(x, nd.mean(x, { axis = 1, keepdims = true }))
  return nd.dot(d, d, { transpose_b = true }) / math.max(n - ddof, 0)
end

--- The covariances of variables, whose observations are the rows of m (the columns if rowvar is false), and of those in
-- y if given. The result is a matrix, for one variable (1, 1). Options: rowvar (true), bias (false): divide by n
-- instead of n - 1; ddof: divide by n - ddof; fweights (how many times each observation counts), aweights (its weight).
function functions.cov(...) return covariance("cov", read_cov(...)) end

local read_corrcoef = arguments.new("corrcoef", { "m", "y", "rowvar" }, { rowvar = true })

--- The correlations of variables: covariances divided by the standard deviations. Options: rowvar (true), y.
function functions.corrcoef(...)
  local c = covariance("corrcoef", read_corrcoef(...))
  local deviation = nd.sqrt(nd.diag(c))
  return nd.clip(c / nd.reshape(deviation, { shape = { -1, 1 } }) / nd.reshape(deviation, { shape = { 1, -1 } }), -1, 1)
end

-- ---- Without NaN ----------------------------------------------------------------------------------------------

-- 1 where an element is a number, in x's dtype.
local function numbers(x) return nd.broadcast_equal(x, x) end

local read_nanmean = reader("nanmean", "keepdims")

--- The mean over axes (all) of the elements that are not NaN; NaN if there are none. Options: axis, keepdims (false).
function functions.nanmean(...)
  local o = read_nanmean(...)
  local x = operand.in_floats(data_of("nanmean", o))
  return nd.nansum(x, folding(o)) / nd.sum(numbers(x), folding(o))
end

local function nan_variance(what, o)
  local x = operand.in_floats(data_of(what, o))
  local counts = numbers(x)
  local mean = nd.nansum(x, kept(o)) / nd.sum(counts, kept(o))
  -- zeros before squares, as a NaN times a gradient of 0 is NaN
  local d = nd._npi_where(counts, nd.broadcast_sub(x, mean), nd.zeros_like(x))
  local n = nd.sum(counts, folding(o))
  local left = nd.maximum(n - o.ddof, 0)
  return nd.sum(nd.square(d), folding(o)) / left
end

local read_nanvar, read_nanstd = reader("nanvar", "ddof", "keepdims"), reader("nanstd", "ddof", "keepdims")

--- The variance over axes (all) of the elements that are not NaN. Options: axis, ddof (0), keepdims (false).
function functions.nanvar(...) return nan_variance("nanvar", read_nanvar(...)) end

--- The standard deviation over axes (all) of the elements that are not NaN. Options: axis, ddof (0), keepdims (false).
function functions.nanstd(...) return nd.sqrt(nan_variance("nanstd", read_nanstd(...))) end

local function nan_extreme(what, o, extreme, worst)
  local x = elements_of(what, o)
  if operand.is_integer(x) then return extreme(x, folding(o)) end
  local is_number = numbers(x)
  local y = extreme(nd._npi_where(is_number, x, nd.full_like(x, worst)), folding(o))
  -- If every element is NaN, so is the result.
  return nd._npi_where(nd.max(is_number, folding(o)), y, nd.full_like(y, 0 / 0))
end

local read_nanmax, read_nanmin = reader("nanmax", "keepdims"), reader("nanmin", "keepdims")

--- The greatest element over axes (all), ignoring NaN; NaN if there is no other. Options: axis, keepdims (false).
function functions.nanmax(...) return nan_extreme("nanmax", read_nanmax(...), nd.max, -math.huge) end

--- The least element over axes (all), ignoring NaN; NaN if there is no other. Options: axis, keepdims (false).
function functions.nanmin(...) return nan_extreme("nanmin", read_nanmin(...), nd.min, math.huge) end

-- Where the extreme is, ignoring NaN.
local function nan_place(what, o, argument, worst)
  local x = elements_of(what, o)
  if not operand.is_integer(x) then
    x = nd._npi_where(numbers(x), x, nd.full_like(x, worst))
  end
  return nd.cast(argument(x, folding(o)), { dtype = "int64" })
end

local read_nanargmax, read_nanargmin = reader("nanargmax", "keepdims"), reader("nanargmin", "keepdims")

--- The index (int64) of the greatest element along an axis (default: in the flattened array), ignoring NaN; 0 if all
-- are NaN. Options: axis, keepdims (false).
function functions.nanargmax(...) return nan_place("nanargmax", read_nanargmax(...), nd.argmax, -math.huge) end

--- The index (int64) of the least element along an axis (default: in the flattened array), ignoring NaN; 0 if all are
-- NaN. Options: axis, keepdims (false).
function functions.nanargmin(...) return nan_place("nanargmin", read_nanargmin(...), nd.argmin, math.huge) end

-- x with the reduced axes joined to the last one, and these axes in order.
local function joined_axes(what, x, axis)
  local axes, to = {}, {}
  if axis == nil then
    for i = 1, x.ndim do axes[i] = i - 1 end
    return nd.reshape(x, { shape = { -1 } }), axes
  end
  axes = operand.axes(what, "axis", axis, x.ndim)
  table.sort(axes)
  for i in ipairs(axes) do to[i] = i - 1 - #axes end
  local moved = nd.moveaxis(x, axes, to)
  if #axes > 1 then
    local shape = {}
    for i = 1, x.ndim - #axes do shape[i] = 0 end
    shape[#shape + 1] = -1
    moved = nd.reshape(moved, { shape = shape })
  end
  return moved, axes
end

-- The place, counted from 0, that a method of quantiles takes among n sorted elements, as in ops/sort/quantile.c.
local function even(n, q) return nd.maximum(n - 1, 0) * q end
local function continuous(alpha, beta)
  return function(n, q) return n * q + (alpha + q * (1 - alpha - beta) - 1) end
end
local PLACES = {
  linear = even,
  lower = function(n, q) return nd.floor(even(n, q)) end,
  higher = function(n, q) return nd.ceil(even(n, q)) end,
  nearest = function(n, q) return nd._round_even(even(n, q)) end,
  midpoint = function(n, q)
    local h = even(n, q)
    return (nd.floor(h) + nd.ceil(h)) / 2
  end,
  inverted_cdf = function(n, q) return nd.ceil(n * q - 1) end,
  averaged_inverted_cdf = function(n, q) return n * q - 1 end,
  closest_observation = function(n, q) return nd._round_even(n * q - 1) end,
  interpolated_inverted_cdf = continuous(0, 1), hazen = continuous(0.5, 0.5), weibull = continuous(0, 0),
  median_unbiased = continuous(1 / 3, 1 / 3), normal_unbiased = continuous(3 / 8, 3 / 8),
}
local METHODS = { "linear", "lower", "higher", "midpoint", "nearest" }
do
  local others = {}
  for name in pairs(PLACES) do others[#others + 1] = name end
  table.sort(others)
  table.move(others, 1, #others, #METHODS + 1, METHODS)
end

-- One quantile of rows, their elements sorted with NaNs last; count: the numbers that are not NaN, kept as an axis.
local function nan_quantile_of(sorted, count, q, method)
  local h = PLACES[method](count, q)
  local low = nd.floor(h)
  local share, high = h - low, nd.ceil(h)
  if method == "averaged_inverted_cdf" then share, high = 1 - nd.equal(share, 0) / 2, low + 1 end
  local last = nd.maximum(count - 1, 0)
  local function at(place)
    place = nd.broadcast_minimum(nd.maximum(place, 0), last)
    return nd.take_along_axis(sorted, nd.cast(place, { dtype = "int64" }), { axis = -1 })
  end
  return at(low) + (at(high) - at(low)) * nd.stop_gradient(share)
end

local function nan_quantile(what, o, most)
  local x = operand.in_floats(data_of(what, o))
  local rows, axes = joined_axes(what, x, o.axis)
  local method = checks.choice(what .. ": method", o.method, table.unpack(METHODS))
  local list = type(o.q) == "table" and o.q or { o.q }
  local sorted = nd.sort(rows, { axis = -1 })
  local count = nd.stop_gradient(nd.sum(numbers(sorted), { axis = -1, keepdims = true }))
  local results = {}
  for i, q in ipairs(list) do
    if type(q) ~= "number" or not (q >= 0 and q <= most) then
      fail("%s: q: expected numbers from 0 to %d, got %s", what, most, operand.got(q))
    end
    local y = nan_quantile_of(sorted, count, q / most, method)
    if #axes < x.ndim then y = nd.squeeze(y, { axis = -1 }) end
    if o.keepdims then
      for _, a in ipairs(axes) do if #axes < x.ndim or a > 0 then y = nd.expand_dims(y, { axis = a }) end end
    end
    results[i] = y
  end
  if #list == 0 then fail("%s: q: expected a number or a table of numbers, got none", what) end
  return type(o.q) == "table" and nd.stack(results) or results[1]
end

local QUANTILE = { "data", "q", "axis", "method", "keepdims" }
local QUANTILE_DEFAULTS = { method = "linear", keepdims = false }
local read_nanquantile = arguments.new("nanquantile", QUANTILE, QUANTILE_DEFAULTS)
local read_nanpercentile = arguments.new("nanpercentile", QUANTILE, QUANTILE_DEFAULTS)
local read_nanmedian = arguments.new("nanmedian", { "data", "axis", "keepdims" }, { keepdims = false })

--- quantile of the elements that are not NaN; NaN if there are none. q: a number from 0 to 1 or a table. Options: axis
-- (a number or a table; all), method (quantile's), keepdims (false).
function functions.nanquantile(...) return nan_quantile("nanquantile", read_nanquantile(...), 1) end

--- nanquantile with q from 0 to 100.
function functions.nanpercentile(...) return nan_quantile("nanpercentile", read_nanpercentile(...), 100) end

--- The median of the elements that are not NaN; NaN if there are none. Options: axis, keepdims (false).
function functions.nanmedian(...)
  local o = read_nanmedian(...)
  o.q, o.method = 0.5, "linear"
  return nan_quantile("nanmedian", o, 1)
end

return { functions = functions }

-- sorting.lua - NumPy's functions on ordered values: searchsorted, histogram, quantiles, interp, sets, indices of
-- elements.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local operand = require "hybridlua.functions.operand_checks"
local number_arrays = require "hybridlua.functions.number_arrays"
local is_ndarray, nd = core.array.is, core.op.nd
local as_array, of_one_dtype = number_arrays.as_array, number_arrays.of_one_dtype

local functions = {}

local function is_plain(x) return type(x) == "table" and getmetatable(x) == nil end
local need = operand.check

-- ---- Positions in ordered values -------------------------------------------------------------------

local read_searchsorted = arguments.new("searchsorted", { "a", "v", "side", "sorter" }, { side = "left" })

--- Where to insert the values v (an array or a number) among the rising elements of a to keep their order. Options:
-- side ("left": before equals, or "right"), sorter (indices that sort a, from argsort). int64, in the shape of v.
function functions.searchsorted(...)
  local o = read_searchsorted(...)
  local a = need("searchsorted", "a", o.a)
  if o.sorter then a = nd.take(a, o.sorter) end
  if o.v == nil then fail "searchsorted: v: expected an array or a number, got nothing" end
  return nd._searchsorted(a, as_array(o.v, a), { side = o.side })
end

local read_digitize = arguments.new("digitize", { "x", "bins", "right" }, { right = false })

--- The bin of each element between rising or falling edges (an array or a table). Bin i holds bins[i - 1] <= x <
-- bins[i]; with right = true, bins[i - 1] < x <= bins[i]. int64.
function functions.digitize(...)
  local o = read_digitize(...)
  return nd._digitize(need("digitize", "x", o.x), as_array(o.bins, o.x), { right = o.right })
end

local read_histogram = arguments.new("histogram", { "a", "bins", "range" }, { bins = 10 })

--- The number of elements in each bin, and the edges of the bins: {counts, edges}. bins is the number of bins of equal
-- width, or the edges. range {low, high} bounds them; the default is the least and the greatest element. counts are
-- int64; edges given as a table are returned in float64.
function functions.histogram(...)
  local o = read_histogram(...)
  need("histogram", "a", o.a)
  if type(o.bins) == "number" then return nd._histogram(o.a, { bin_cnt = o.bins, range = o.range }) end
  local result = nd._histogram(o.a, as_array(o.bins, o.a))
  -- the same dtype in graphs, where a's may be unknown
  if is_plain(o.bins) then result[2] = nd.cast(result[2], { dtype = "float64" }) end
  return result
end

local read_bincount = arguments.new("bincount", { "x", "weights", "minlength" }, { minlength = 0 })

--- The number of occurrences in x, a vector, of each integer from 0; with weights, the sums of the weights (float64).
-- Options: weights, minlength (the minimum length of the result).
function functions.bincount(...)
  local o = read_bincount(...)
  need("bincount", "x", o.x)
  if o.weights == nil then return nd._bincount(o.x, { minlength = o.minlength }) end
  return nd._bincount(o.x, as_array(o.weights, o.x), { minlength = o.minlength, weighted = true })
end

-- ---- Quantiles ------------------------------------------------------------------------------------

local MOST = 64            -- quantiles in one call of the operator

-- Computes the quantiles q, from 0 to 1: a list, or one if `scalar`.
local function quantiles(a, q, o, scalar)
  local parts = {}
  for first = 1, math.max(#q, 1), MOST do
    parts[#parts + 1] = nd._quantile(a,
      { q = table.move(q, first, math.min(first + MOST - 1, #q), 1, {}), axis = o.axis,
      keepdims = o.keepdims, method = o.interpolation or o.method, scalar = scalar })
  end
  return #parts == 1 and parts[1] or nd.concat(parts, { dim = 0 })
end

local function ordered_operand(name, o) return operand.with_axes(name, "a", o.a, o.axis) end

-- Reads q, a number or numbers from 0 to `most`, and computes the quantiles.
local function read_quantiles(name, o, most)
  local q, scalar = o.q, false
  ordered_operand(name, o)
  if is_ndarray(q) then q = q:reshape { -1 }:totable() end
  if type(q) == "number" then q, scalar = { q }, true end
  if type(q) ~= "table" or getmetatable(q) ~= nil then
    fail("%s: q: expected a number or a table of numbers, got %s", name, type(o.q))
  end
  local part = {}
  for i, x in ipairs(q) do
    if type(x) ~= "number" or not (x >= 0 and x <= most) then
      fail("%s: q: expected numbers from 0 to %d, got %s", name, most, tostring(x))
    end
    part[i] = x / most
  end
  return quantiles(o.a, part, o, scalar)
end

local QUANTILE = { "a", "q", "axis", "method", "keepdims", "interpolation" }
local read_percentile = arguments.new("percentile", QUANTILE, { method = "linear", keepdims = false })
local read_quantile = arguments.new("quantile", QUANTILE, { method = "linear", keepdims = false })
local read_median = arguments.new("median", { "a", "axis", "keepdims" }, { keepdims = false })

--- Percentiles: the value that q percent of the elements do not exceed; a table of q becomes the first axis.
-- Options: axis (a number or a table; all), keepdims, method ("linear", "lower", "higher", "midpoint", "nearest",
-- "hazen" and NumPy's others; interpolation is its older name). NaNs yield NaN. Differentiable.
function functions.percentile(...) return read_quantiles("percentile", read_percentile(...), 100) end

--- percentile with q from 0 to 1.
function functions.quantile(...) return read_quantiles("quantile", read_quantile(...), 1) end

--- The middle element, or the mean of the two in the middle. Options: axis (a number or a table; all), keepdims.
-- Differentiable.
function functions.median(...)
  local o = read_median(...)
  return quantiles(ordered_operand("median", o), { 0.5 }, o, true)
end

-- ---- Piecewise linear functions ---------------------------------------------------------------------

local read_interp = arguments.new("interp", { "x", "xp", "fp", "left", "right", "period" })

-- Points of one period, in order, with the last one repeated before them and the first one after them.
local function periodic(xp, fp, period)
  xp = nd._mod_scalar(xp, { scalar = period })
  local order = nd.argsort(xp, { dtype = "int64" })
  xp, fp = nd.take(xp, order), nd.take(fp, order)
  local function first(v) return nd.slice_axis(v, { axis = 0, begin = 0, ["end"] = 1 }) end
  local function last(v) return nd.slice_axis(v, { axis = 0, begin = -1, ["end"] = nd.NULL }) end
  return nd.concat(last(xp) - period, xp, first(xp) + period, { dim = 0 }),
    nd.concat(last(fp), fp, first(fp), { dim = 0 })
end

--- The piecewise linear function through the points (xp, fp), with rising xp, at x. Left of them it is `left` or fp's
-- first value, right of them `right` or the last; with `period` it repeats, and xp need not rise. Differentiable with
-- respect to x, xp and fp.
function functions.interp(...)
  local o = read_interp(...)
  for _, name in ipairs { "x", "xp", "fp" } do
    if o[name] == nil then fail("interp: %s: expected an array or numbers, got nothing", name) end
  end
  local x, xp, fp = of_one_dtype(o.x, o.xp, o.fp)
  if o.period then
    if type(o.period) ~= "number" or o.period == 0 then
      fail("interp: period: expected a number other than 0, got %s", tostring(o.period))
    end
    local period = math.abs(o.period)
    x = nd._mod_scalar(x, { scalar = period })
    xp, fp = periodic(xp, fp, period)
  end
  local after = nd._searchsorted(xp, x, { side = "right" })
  local x0, x1 = nd.take(xp, after - 1), nd.take(xp, after)
  local f0, f1 = nd.take(fp, after - 1), nd.take(fp, after)
  local width = x1 - x0                                   -- 0 outside, where x0 and x1 are the same point
  local outside = nd._equal_scalar(width, { scalar = 0 })
  local y = f0 + (f1 - f0) * (nd.where(outside, nd.zeros_like(x), x - x0) / (width + outside))
  if o.left and not o.period then
    local low = nd.broadcast_lesser(x, nd.slice_axis(xp, { axis = 0, begin = 0, ["end"] = 1 }):reshape { 1 })
    y = nd.where(low, nd.ones_like(y) * o.left, y)
  end
  if o.right and not o.period then
    local high = nd.broadcast_greater(x, nd.slice_axis(xp, { axis = 0, begin = -1, ["end"] = nd.NULL }))
    y = nd.where(high, nd.ones_like(y) * o.right, y)
  end
  return nd.where(nd.broadcast_not_equal(x, x), x, y)     -- keeps a NaN
end

-- ---- Sets and indices ----------------------------------------------------------------------------------

local read_in1d = arguments.new("in1d", { "ar1", "ar2", "assume_unique", "invert" }, { invert = false })
local read_isin = arguments.new("isin", { "element", "test_elements", "assume_unique", "invert" }, { invert = false })

--- Whether each element is in test_elements (an array, a table or a number); bool. Options: invert (whether it is not),
-- assume_unique (ignored). A NaN is equal to nothing.
function functions.isin(...)
  local o = read_isin(...)
  need("isin", "element", o.element)
  if o.test_elements == nil then fail "isin: test_elements: expected an array or numbers, got nothing" end
  return nd._isin(o.element, as_array(o.test_elements, o.element), { invert = o.invert })
end

--- isin for all elements, flattened to one axis.
function functions.in1d(...)
  local o = read_in1d(...)
  need("in1d", "ar1", o.ar1)
  if o.ar2 == nil then fail "in1d: ar2: expected an array or numbers, got nothing" end
  return nd._isin(nd.reshape(o.ar1, { shape = { -1 } }), as_array(o.ar2, o.ar1), { invert = o.invert })
end

local read_argwhere = arguments.new("argwhere", { "a" })
local read_flatnonzero = arguments.new("flatnonzero", { "a" })
local read_nonzero = arguments.new("nonzero", { "a" })

--- The indices of the nonzero elements, one row each: int64, shape (count, ndim).
function functions.argwhere(...) return nd._argwhere(need("argwhere", "a", read_argwhere(...).a)) end

local function flat_places(a) return nd._argwhere(nd.reshape(a, { shape = { -1 } })):reshape { -1 } end

--- The indices of the nonzero elements in the flattened array; int64.
function functions.flatnonzero(...) return flat_places(need("flatnonzero", "a", read_flatnonzero(...).a)) end

--- The indices of the nonzero elements: a table of int64 arrays, one per axis, like NumPy's tuple.
function functions.nonzero(...)
  local a = need("nonzero", "a", read_nonzero(...).a)
  if a.ndim == 0 then a = a:reshape { 1 } end
  local rows, list = nd._argwhere(a), {}
  for axis = 0, a.ndim - 1 do
    list[axis + 1] = nd.slice_axis(rows, { axis = 1, begin = axis, ["end"] = axis + 1 }):reshape { -1 }
  end
  return list
end

local read_unique = arguments.new("unique", { "ar", "return_index", "return_inverse", "return_counts" })

--- The distinct elements, in order. With any of the options return_index (where each occurs first), return_inverse (the
-- index in the result of each element of the flattened array) and return_counts: a table {values, index, inverse,
-- counts} of those requested. int64.
function functions.unique(...)
  local o = read_unique(...)
  local flat = need("unique", "ar", o.ar):reshape { -1 }
  local n = flat.size
  local order = (o.return_index or o.return_inverse) and nd.argsort(flat, { dtype = "int64" })
  local sorted = order and nd.take(flat, order) or nd.sort(flat)
  local first = nd._run_starts(sorted)
  local results = { nd.contrib.boolean_mask(sorted, first) }
  if o.return_index then results[#results + 1] = nd.contrib.boolean_mask(order, first) end
  if o.return_inverse then
    local number = nd.cumsum(first) - 1
    results[#results + 1] = n > 0 and nd.scatter_nd(number, order:reshape { 1, n }, { shape = { n } }) or number
  end
  if o.return_counts then
    local starts = flat_places(first)
    local stops = nd.concat(starts, nd.full({ 1 }, n, { dtype = "int64", ctx = flat.context }), { dim = 0 })
    results[#results + 1] = stops[{ { 1, starts.size + 1 } }] - starts
  end
  return #results == 1 and results[1] or results
end

local read_partition = arguments.new("partition", { "a", "kth", "axis" }, { axis = -1 })
local read_argpartition = arguments.new("argpartition", { "a", "kth", "axis" }, { axis = -1 })

local function check_kth(name, kth)
  for _, k in ipairs(type(kth) == "table" and kth or { kth or false }) do
    if math.type(k) ~= "integer" then
      fail("%s: kth: expected an integer or a table of them, got %s", name, tostring(kth))
    end
  end
  if kth == nil then fail("%s: kth: expected an integer or a table of them, got nil", name) end
end

--- The elements partitioned along an axis: the kth is where sorting would put it, with smaller ones before it. Here
-- they are simply sorted.
function functions.partition(...)
  local o = read_partition(...)
  check_kth("partition", o.kth)
  return nd.sort(need("partition", "a", o.a), { axis = o.axis or nd.NULL })
end

--- The indices (int64) of the elements in the order of partition.
function functions.argpartition(...)
  local o = read_argpartition(...)
  check_kth("argpartition", o.kth)
  return nd.argsort(need("argpartition", "a", o.a), { axis = o.axis or nd.NULL, dtype = "int64" })
end

local VALUES = "the shape of its result depends on values"
return { functions = functions,
  eager = { argwhere = VALUES, flatnonzero = VALUES, nonzero = VALUES, unique = VALUES, bincount = VALUES } }

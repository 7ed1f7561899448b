-- np/sets.lua - functions of np on ordered values and sets: sort, unique, searchsorted, histograms, interpolation.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local d = require "hybridlua.np.definitions"
local define = d.define
local nd, mark = core.op.nd, core.np.mark
local dtype_of, promote = core.np.dtype_of, core.np.promote

local function flat(x) return d.reshaped(x, { -1 }) end

local NONE = "none"

define("sort", "a* axis kind order", { axis = NONE }, function(o)
  if o.axis == nil or rawequal(o.axis, d.NULL) then return nd.sort(flat(o.a), { axis = -1 }) end
  return nd.sort(o.a, { axis = o.axis == NONE and -1 or o.axis })
end)
define("argsort", "a* axis kind order is_ascend dtype", { axis = -1, dtype = "int64" }, function(o)
  return nd.argsort(o.a, { axis = o.axis, dtype = o.dtype, is_ascend = o.is_ascend })
end)
define("msort", "a*", {}, function(o) return nd.sort(o.a, { axis = 0 }) end)
define("partition", "a* kth axis kind order", { axis = -1 }, function(o) return nd.sort(o.a, { axis = o.axis }) end)
define("argpartition", "a* kth axis kind order", { axis = -1 }, function(o)
  return nd.argsort(o.a, { axis = o.axis, dtype = "int64" })
end)
define("lexsort", "keys[] axis", { axis = -1 }, function(o)
  local keys = d.operands("lexsort", "keys", o.keys)
  local axis = o.axis % keys[1].ndim
  local order
  for _, key in ipairs(keys) do                     -- each sort is stable
    local k = order and nd.take_along_axis(key, order, { axis = axis }) or key
    local by = nd.argsort(k, { axis = axis, dtype = "int64" })
    order = order and nd.take_along_axis(order, by, { axis = axis }) or by
  end
  return order
end)
define("searchsorted", "a* v* side sorter*?", { side = "left" }, function(o)
  local a, v = promote(o.a, o.v)
  return nd.searchsorted(a, v, { side = o.side, sorter = o.sorter })
end)
define("digitize", "x* bins* right", { right = false }, function(o)
  local x, bins = promote(o.x, o.bins)
  return nd.digitize(x, bins, { right = o.right })
end)
define("interp", "x* xp* fp* left right period", {}, function(o)
  local x, xp, fp = promote(d.floats(o.x), d.floats(o.xp), d.floats(o.fp))
  return nd.interp(x, xp, fp, { left = o.left, right = o.right, period = o.period })
end)

local function number(x) return d.is(x) and x:item() or x end

local function edges_of(o, what)
  local bins = o.bins
  if type(bins) == "string" then fail("np.%s: bins: expected a number or edges, got '%s'", what, bins) end
  if d.is(bins) and bins.ndim == 0 then bins = bins:item() end
  return bins, o.range and { number(o.range[1]), number(o.range[2]) } or nil
end

-- Counts in a grid: the bin of each sample along each axis, then a count of the joint bins.
local function grid_counts(what, columns, bins, ranges, weights)
  local edges, joint, inside, n = {}, nil, nil, 1
  for i, x in ipairs(columns) do
    local b = type(bins) == "table" and not d.is(bins) and bins[i] or bins
    local range = ranges and ranges[i] or nil
    edges[i] = mark(nd.histogram(x, { bins = b, range = range }))[2]
    local cells = edges[i].size - 1
    local place = nd.searchsorted(edges[i], x, { side = "right" }) - 1
    local top = nd.equal(x, edges[i][cells]:item())
    place = nd._npi_where(top, nd.full_like(place, cells - 1), place)
    local ok = nd.broadcast_mul(nd.greater_equal(place, 0), nd.lesser(place, cells))
    joint = joint and joint * cells + place or place
    inside = inside and inside * ok or ok
    n = n * cells
  end
  local mask = nd.cast(inside, { dtype = "bool" })
  local chosen = nd.boolean_mask(joint, mask)
  if weights then weights = nd.boolean_mask(weights, mask) end
  local counts = chosen.size > 0 and nd.bincount(chosen, { weights = weights, minlength = n }) or nd.zeros { n }
  local shape = {}
  for i, e in ipairs(edges) do shape[i] = e.size - 1 end
  return d.reshaped(nd.cast(mark(counts), { dtype = "float32" }), shape), edges
end

define("histogram", "a* bins range normed weights*? density", { bins = 10 }, function(o)
  local bins, range = edges_of(o, "histogram")
  local result = mark(nd.histogram(o.a, { bins = d.is(bins) and d.cast(bins, dtype_of(o.a)) or bins, range = range }))
  if d.is(result[2]) and type(bins) == "table" then result[2] = nd.cast(result[2], { dtype = "float32" }) end
  if o.weights then
    d.values("histogram", o.a)
    result[1] = grid_counts("histogram", { flat(o.a) }, o.bins, o.range and { o.range }, flat(o.weights))
  end
  if not (o.density or o.normed) then return result end
  local widths = nd.diff(result[2])
  local counts = nd.cast(result[1], { dtype = dtype_of(widths) })
  return { counts / widths / nd.sum(counts), result[2] }
end)
define("histogram_bin_edges", "a* bins range weights", { bins = 10 }, function(o)
  local bins, range = edges_of(o, "histogram_bin_edges")
  return mark(nd.histogram(o.a, { bins = bins, range = range }))[2]
end)

-- Counts as a density: its integral over the grid is 1.
local function as_density(o, counts, edges)
  if not (o.density or o.normed) then return counts end
  local y = counts / nd.sum(counts)
  for i, e in ipairs(edges) do
    local line = {}
    for k = 1, #edges do line[k] = k == i and -1 or 1 end
    y = nd.broadcast_div(core.np.promote(y, d.reshaped(nd.diff(e), line)))
  end
  return y
end

define("histogram2d", "x* y* bins range normed weights*? density", { bins = 10 }, function(o)
  d.values("histogram2d", o.x)
  local counts, edges = grid_counts("histogram2d", { o.x, o.y }, o.bins, o.range, o.weights)
  return { as_density(o, counts, edges), edges[1], edges[2] }
end)
define("histogramdd", "sample* bins range normed weights*? density", { bins = 10 }, function(o)
  d.values("histogramdd", o.sample)
  local columns = {}
  for i = 0, o.sample.shape[2] - 1 do
    columns[i + 1] = nd.slice_axis(o.sample, { axis = 1, begin = i, stop = i + 1 }):reshape { -1 }
  end
  local counts, edges = grid_counts("histogramdd", columns, o.bins, o.range, o.weights)
  return { as_density(o, counts, edges), edges }
end)
define("bincount", "x* weights*? minlength", { minlength = 0 }, function(o)
  local x = d.is_float(dtype_of(o.x)) and nd.cast(o.x, { dtype = "int64" }) or o.x
  return nd.bincount(x, { weights = o.weights, minlength = o.minlength })
end)

-- ---- Sets ---------------------------------------------------------------------------------------------------------

define("unique", "ar* return_index return_inverse return_counts axis", {}, function(o)
  local result = nd.unique(o.axis == nil and flat(o.ar) or o.ar, { return_index = o.return_index,
    return_inverse = o.return_inverse,
    return_counts = o.return_counts, axis = o.axis })
  return mark(result)
end)
for name, params in pairs { in1d = { "ar1", "ar2" }, isin = { "element", "test_elements" } } do
  define(name, params[1] .. "* " .. params[2] .. "* assume_unique invert", { invert = false }, function(o)
    local x, test = promote(o[params[1]], o[params[2]])
    return nd.isin(name == "in1d" and flat(x) or x, flat(test), { invert = o.invert })
  end)
end

local function unique(x) return nd.unique(flat(x)) end
local function among(x, test, wanted)
  local mask = nd.isin(x, test)
  return nd.boolean_mask(x, wanted and mask or nd.logical_not(mask))
end

define("union1d", "ar1* ar2*", {}, function(o)
  local x, y = promote(o.ar1, o.ar2)
  return unique(nd.concat(flat(x), flat(y), { dim = 0 }))
end)
define("intersect1d", "ar1* ar2* assume_unique return_indices", {}, function(o)
  local x, y = promote(o.ar1, o.ar2)
  local common = among(unique(x), flat(y), true)
  if not o.return_indices then return common end
  local function first(a)
    local all, at = table.unpack(nd.unique(flat(a), { return_index = true }))
    return nd.boolean_mask(mark(at), nd.isin(mark(all), common))
  end
  return { common, first(x), first(y) }
end)
define("setdiff1d", "ar1* ar2* assume_unique", {}, function(o)
  local x, y = promote(o.ar1, o.ar2)
  return among(o.assume_unique and flat(x) or unique(x), flat(y), false)
end)
define("setxor1d", "ar1* ar2* assume_unique", {}, function(o)
  local x, y = promote(o.ar1, o.ar2)
  x, y = unique(x), unique(y)
  return nd.sort(nd.concat(among(x, y, false), among(y, x, false), { dim = 0 }))
end)
define("trim_zeros", "filt* trim", { trim = "fb" }, function(o)
  local values, first = d.values("trim_zeros", o.filt), 1
  local last = #values
  if o.trim:lower():find "f" then while first <= last and values[first] == 0 do first = first + 1 end end
  if o.trim:lower():find "b" then while last >= first and values[last] == 0 do last = last - 1 end end
  return nd.slice_axis(o.filt, { axis = 0, begin = first - 1, stop = last })
end)

-- ---- Differences --------------------------------------------------------------------------------------------------

define("diff", "a* n axis prepend*? append*?", { n = 1, axis = -1 }, function(o)
  return nd.diff(o.a, { n = o.n, axis = o.axis, prepend = o.prepend, append = o.append })
end)
define("ediff1d", "ary* to_end*? to_begin*?", {}, function(o)
  local parts = { nd.diff(flat(o.ary)) }
  if o.to_begin then table.insert(parts, 1, d.cast(flat(o.to_begin), dtype_of(o.ary))) end
  if o.to_end then parts[#parts + 1] = d.cast(flat(o.to_end), dtype_of(o.ary)) end
  return #parts == 1 and parts[1] or nd.concat(parts, { dim = 0 })
end)
define("unwrap", "p* discont axis period", { axis = -1, period = 2 * math.pi }, function(o)
  local x = d.floats(o.p)
  local period, discont = o.period, o.discont or o.period / 2
  local step = nd.diff(x, { axis = o.axis })
  local wrapped = step - nd.floor((step + period / 2) / period) * period
  local half = nd.equal(wrapped, -period / 2) * nd.greater(step, 0)
  wrapped = nd._npi_where(half, nd.full_like(wrapped, period / 2), wrapped)
  local fix = wrapped - step
  fix = nd._npi_where(nd.lesser(nd.abs(step), discont), nd.zeros_like(fix), fix)
  local axis = o.axis % x.ndim
  local first = nd.slice_axis(x, { axis = axis, begin = 0, stop = 1 })
  local rest = nd.slice_axis(x, { axis = axis, begin = 1, stop = d.NULL })
  return nd.concat(first, rest + nd.cumsum(fix, { axis = axis }), { dim = axis })
end)


-- sorting_spec.lua - order: sort, argsort, topk, cumsum, quantiles, searches, sets, interp, random choice, beyond the
-- rows' examples: all dtypes, axes and lengths compared with a sort in Lua, NaNs, infinities, zeros of both signs,
-- ties, empty arrays; NumPy 1.23's results; equal bits eager, compiled, as a graph, and with more threads.
local core = require "hybridlua.core"
local hl = require "hybridlua"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

local NAN, INF = 0 / 0, 1 / 0

local function int64(values) return nd.array(values, { dtype = "int64" }) end
local function float64(values) return nd.array(values, { dtype = "float64" }) end

-- ---- A stable sort to compare with --------------------------------------------------------------

-- Does x come before y? NaNs come last in both directions.
local function before(x, y, ascending)
  if x ~= x or y ~= y then return x == x and y ~= y end
  if ascending then return x < y end
  return x > y
end

-- The indices that sort a list.
local function places_of(list, ascending)
  local places = {}
  for i = 1, #list do places[i] = i end
  table.sort(places, function(i, j)
    if before(list[i], list[j], ascending) then return true end
    return not before(list[j], list[i], ascending) and i < j
  end)
  return places
end

-- Values and indices of an array sorted along an axis, by Lua.
local function sorted_by_lua(x, axis, ascending)
  local behind = nd.moveaxis(x, axis, -1)
  local n, values, places = behind.shape[behind.ndim], {}, {}
  local flat = behind:reshape { -1 }:totable()
  for first = 0, #flat - 1, n do
    local line = table.move(flat, first + 1, first + n, 1, {})
    for k, i in ipairs(places_of(line, ascending)) do values[first + k], places[first + k] = line[i], i - 1 end
  end
  local function back(list, dtype)
    return nd.moveaxis(nd.array(list, { dtype = dtype }):reshape(behind.shape), -1, axis)
  end
  return back(values, x.dtype), back(places, "int64")
end

local DTYPES = { "float32", "float64", "int32", "int64", "uint8", "int8" }
local SHAPES = { { 1 }, { 7 }, { 40 }, { 65 }, { 300 }, { 1000 }, { 3, 5 }, { 70, 3 }, { 2, 33, 17 }, { 4, 300, 2 } }

-- Numbers with many ties and, if the dtype has them, NaNs, infinities and zeros of both signs.
local function numbers(shape, dtype)
  local x = nd.round(nd.random.normal { scale = 20, shape = shape, dtype = "float64" })
  if not dtype:find "^float" then return nd.clip(nd.abs(x), 0, 100):astype(dtype) end
  local dice = nd.random.uniform { shape = shape, dtype = "float64" }
  for i, odd in ipairs { NAN, INF, -INF, -0.0 } do
    local from, to = dice:lesser((i - 1) * 0.04), dice:lesser(i * 0.04)
    x = nd.where(to - from, nd.full(shape, odd, { dtype = "float64" }), x)
  end
  return x:astype(dtype)
end

describe("sort and argsort", function()
  for _, dtype in ipairs(DTYPES) do
    it("match Lua along each axis, in both directions, with ties in order and NaNs last: " .. dtype, function()
      hl.random.seed(11)
      for _, shape in ipairs(SHAPES) do
        local x = numbers(shape, dtype)
        for axis = -1, #shape - 1 do
          for _, ascending in ipairs { true, false } do
            local values, places = sorted_by_lua(x, axis, ascending)
            assert.bits(nd.sort(x, { axis = axis, is_ascend = ascending }), values)
            assert.bits(nd.argsort(x, { axis = axis, is_ascend = ascending, dtype = "int64" }), places)
            assert.bits(nd.take_along_axis(x, places, { axis = axis }), values)
          end
        end
      end
    end)
  end

  it("sort long lines of all kinds: random, sorted, reversed, all equal, of few values", function()
    hl.random.seed(12)
    local n = 70000
    local random = nd.random.normal { shape = { n } }
    local rising = nd.arange(0, n)
    local few, whole = nd.round(random * 3), nd.round(random * 1e6):astype "int32"
    for _, x in ipairs { random, rising, rising * -1, nd.ones { n }, few, random:astype "float64", whole } do
      local places = nd.argsort(x, { dtype = "int64" })
      local values = nd.take(x, places)
      assert.bits(nd.sort(x), values)
      local step = values["1:"]:astype "float64" - values[":-1"]:astype "float64"
      assert.equal(0, step:lesser(0):sum():asscalar())
      local ties = step:equal(0)
      assert.equal(0, (ties * (places["1:"] - places[":-1"]):lesser(0):astype "float64"):sum():asscalar())
      assert.bits(nd.sort(places), nd.arange(0, n, { dtype = "int64" }))
    end
  end)

  it("accept axis None for the flattened array, and return argsort in float32 by default", function()
    local x = nd.array { { 3, 1 }, { 0, 2 } }
    assert.bits(nd.sort(x, { axis = nd.NULL }), nd.array { 0, 1, 2, 3 })
    assert.bits(x:argsort { axis = "None" }, nd.array { 2, 1, 3, 0 })
    assert.equal("int32", x:argsort({ dtype = "int32" }).dtype)
  end)

  it("accept empty arrays, and reject missing axes", function()
    assert.same({ 0, 3 }, { table.unpack(nd.sort(nd.zeros { 0, 3 }, { axis = 0 }).shape) })
    assert.same({ 2, 0 }, { table.unpack(nd.argsort(nd.zeros { 2, 0 }).shape) })
    assert.error_matches(function() nd.sort(nd.zeros { 2 }, { axis = 1 }) end, "sort: axis: ")
    assert.error_matches(function() nd.argsort(nd.zeros { 2 }, { dtype = "bool" }) end,
      "argsort: dtype: expected a number dtype, got bool")
  end)

  it("have the same result with one thread and with two", function()
    local x, threads = numbers({ 200, 300 }, "float32"), core.host.threads()
    core.host.threads(1)
    local sorted, places, top = x:sort { axis = 0 }, x:argsort(), x:topk { k = 5, axis = 0 }
    core.host.threads(2)
    local again, places_again, top_again = x:sort { axis = 0 }, x:argsort(), x:topk { k = 5, axis = 0 }
    core.host.threads(threads)
    assert.bits(again, sorted)
    assert.bits(places_again, places)
    assert.bits(top_again, top)
  end)
end)

describe("topk", function()
  it("is the beginning of a descending argsort, for long and short, few and many lines", function()
    hl.random.seed(13)
    for _, dtype in ipairs { "float32", "float64", "int32" } do
      for _, case in ipairs { { { 5000 }, 7, 0 }, { { 5000 }, 3000, 0 }, { { 300, 3 }, 20, 0 }, { { 4, 900 }, 1, 1 },
          { { 6 }, 6, 0 } } do
        local shape, k, axis = table.unpack(case)
        local x = numbers(shape, dtype)
        for _, ascending in ipairs { false, true } do
          local places = nd.slice_axis(nd.argsort(x, { axis = axis, is_ascend = ascending, dtype = "int64" }),
            { axis = axis, begin = 0, stop = k })
          local both = nd.topk(x, { axis = axis, k = k, is_ascend = ascending, ret_typ = "both", dtype = "int64" })
          assert.bits(both[2], places)
          assert.bits(both[1], nd.take_along_axis(x, places, { axis = axis }))
          assert.bits(nd.topk(x, { axis = axis, k = k, is_ascend = ascending, ret_typ = "value" }), both[1])
          local mask = nd.topk(x, { axis = axis, k = k, is_ascend = ascending, ret_typ = "mask" })
          assert.same({ table.unpack(x.shape) }, { table.unpack(mask.shape) })
          assert.equal(k * x.size // shape[axis + 1], mask:astype "float64":sum():asscalar())
          assert.equal(0, (1 - nd.take_along_axis(mask, places, { axis = axis }):astype "float64"):sum():asscalar())
        end
      end
    end
  end)

  it("returns all for k = 0, and rejects a k that is too large", function()
    local x = nd.array { 3, 1, 2 }
    assert.bits(x:topk { k = 0 }, nd.array { 0, 2, 1 })
    assert.bits(x:topk(), nd.array { 0 })
    assert.error_matches(function() x:topk { k = 4 } end,
      "topk: k: expected at most 3, the number of elements along the axis, got 4")
  end)

  it("passes gradients to the chosen elements, even if its dtype cannot hold their indices", function()
    local x = nd.arange(0, 1000)
    x:attach_grad()
    autograd.record(function()
      return (x:topk { k = 2, ret_typ = "value", dtype = "uint8" } * nd.array { 3, 5 }):sum()
    end):backward()
    assert.equal(3, x.grad[999]:asscalar())
    assert.equal(5, x.grad[998]:asscalar())
    assert.equal(8, x.grad:sum():asscalar())
  end)
end)

describe("cumsum", function()
  it("adds along axes of every dtype, in requested dtypes, and bools as int64", function()
    for _, dtype in ipairs(DTYPES) do
      local x = nd.array({ { 1, 2, 3 }, { 4, 5, 6 } }, { dtype = dtype })
      assert.bits(nd.cumsum(x), nd.array({ 1, 3, 6, 10, 15, 21 }, { dtype = dtype }))
      assert.bits(nd.cumsum(x, 0), nd.array({ { 1, 2, 3 }, { 5, 7, 9 } }, { dtype = dtype }))
      assert.bits(x:cumsum { axis = -1, dtype = "float64" }, float64 { { 1, 3, 6 }, { 4, 9, 15 } })
    end
    assert.bits(nd.cumsum(nd.array({ 1, 0, 1 }, { dtype = "bool" })), int64 { 1, 1, 2 })
  end)

  it("stays near the float64 sums over a million elements, and is NaN after a NaN", function()
    local x = nd.random.uniform { shape = { 1000003 } }
    assert.allclose(nd.cumsum(x):astype "float64", nd.cumsum(x:astype "float64"), 1e-6, 0)
    local y = nd.cumsum(nd.array { 1, NAN, 3 })
    assert.truthy(y[0]:asscalar() == 1 and y[2]:asscalar() ~= y[2]:asscalar())
  end)
end)

-- ---- NumPy's functions ----------------------------------------------------------------------------

describe("quantiles", function()
  local x = nd.array { { 10, 7, 4 }, { 3, 2, 1 } }

  it("match NumPy along axes, for one q and for several", function()
    assert.allclose(nd.percentile(x, 50), nd.array { 3.5 })
    assert.allclose(nd.percentile(x, 50, 0), nd.array { 6.5, 4.5, 2.5 })
    assert.allclose(x:percentile(50, { axis = 1, keepdims = true }), nd.array { { 7 }, { 2 } })
    assert.allclose(nd.quantile(x, { 0.25, 0.9 }, { axis = 0 }), nd.array { { 4.75, 3.25, 1.75 }, { 9.3, 6.5, 3.7 } })
    assert.allclose(x:median { axis = { 0, 1 }, keepdims = true }, nd.array { { 3.5 } })
    assert.allclose(nd.median(nd.array({ 1, 2, 4 }, { dtype = "int32" })), float64 { 2 })
    assert.allclose(nd.percentile(x, nd.array { 0, 100 }), nd.array { 1, 10 })
  end)

  it("accept NumPy's methods", function()
    local values = { linear = 3.6, lower = 3, higher = 4, midpoint = 3.5, nearest = 4, inverted_cdf = 4,
      averaged_inverted_cdf = 4,
      closest_observation = 3, interpolated_inverted_cdf = 3.12, hazen = 3.62, weibull = 3.64,
      median_unbiased = 3.62666667, normal_unbiased = 3.625 }
    local y = float64 { 5, 1, 4, 2, 3, 6 }
    for method, value in pairs(values) do
      assert.allclose(nd.percentile(y, 52, { method = method }), float64 { value }, 1e-8, 0)
    end
    assert.allclose(nd.percentile(y, 52, { interpolation = "higher" }), float64 { 4 })
    assert.error_matches(function() nd.percentile(y, 50, { method = "hazel" }) end, "hazen")
  end)

  it("are NaN if their line has one, and ignore an infinite neighbour with weight 0", function()
    local y = nd.median(nd.array { { 1, NAN, 3 }, { 1, 2, 3 }, { 1, 2, INF } }, { axis = 1 }):totable()
    assert.truthy(y[1] ~= y[1])
    assert.same({ 2, 2 }, { y[2], y[3] })
  end)

  it("accept more q than an operator's list holds", function()
    local q = {}
    for i = 0, 100 do q[i + 1] = i end
    assert.allclose(nd.percentile(nd.arange(0, 101), q), nd.arange(0, 101))
  end)

  it("reject a q out of range, and lines without elements", function()
    assert.error_matches(function() nd.percentile(x, 130) end, "percentile: q: expected numbers from 0 to 100, got 130")
    assert.error_matches(function() nd.quantile(x, -0.5) end, "quantile: q: expected numbers from 0 to 1, got %-0.5")
    assert.error_matches(function() nd.median(nd.zeros { 0 }) end, "elements along the axes")
    assert.error_matches(function() nd.median(x, { axes = 1 }) end, "unknown option 'axes'; did you mean 'axis'")
  end)
end)

describe("searches", function()
  it("find positions before or after equal elements, with a sorter, for numbers and NaNs (searchsorted)", function()
    local a = nd.array { 1, 2, 2, 5 }
    assert.bits(nd.searchsorted(a, nd.array { 0, 2, 3, 9, NAN }), int64 { 0, 1, 3, 4, 4 })
    assert.bits(nd.searchsorted(a, nd.array { 0, 2, 3, 9 }, "right"), int64 { 0, 3, 3, 4 })
    assert.bits(nd.searchsorted(a, 4), int64 { 3 })
    local mixed = nd.array { 5, 2, 1, 2 }
    assert.bits(nd.searchsorted(mixed, { 2, 6 }, { sorter = mixed:argsort() }), int64 { 1, 4 })
    assert.error_matches(function() nd.searchsorted(a, 4, { side = "middle" }) end, "left,right")
    assert.error_matches(function() nd.bincount(nd.array { 1, -2 }) end,
                         "^bincount: x: expected whole numbers of 0 or more, got %-2")
    assert.error_matches(function() nd.searchsorted(nd.zeros { 2, 2 }, 4) end, "a: expected 1 dimension, got %(2, 2%)")
  end)

  it("accept ascending and descending edges, and reject others (digitize)", function()
    local x = nd.array { 0.2, 6.4, 3, 1.6 }
    assert.bits(nd.digitize(x, { 0, 1, 2.5, 4, 10 }), int64 { 1, 4, 3, 2 })
    assert.bits(nd.digitize(nd.array { 1, 2, 3 }, { 3, 2, 1 }), int64 { 2, 1, 0 })
    assert.bits(nd.digitize(nd.array { 1, 2, 3 }, { 3, 2, 1 }, { right = true }), int64 { 3, 2, 1 })
    assert.error_matches(function() nd.digitize(x, { 1, 3, 2 }) end,
      "digitize: bins: expected ascending or descending values")
  end)

  it("compare different dtypes exactly (isin)", function()
    assert.bits(nd.isin(nd.array { { 1, 2 }, { NAN, 4 } }, { 2, 4, NAN }),
      nd.array({ { 0, 1 }, { 0, 1 } }, { dtype = "bool" }))
    assert.bits(nd.isin(int64 { 1, 2 ^ 53 | 1 }, int64 { 2 ^ 53 | 0 }), nd.array({ 0, 0 }, { dtype = "bool" }))
    assert.bits(nd.in1d(nd.array { { 1 }, { 2 } }, 2, { invert = true }), nd.array({ 1, 0 }, { dtype = "bool" }))
    assert.equal(0, nd.isin(nd.array { 1, 2 }, nd.zeros { 0 }):astype "float32":sum():asscalar())
  end)

  it("count in equal bins over the data or a range, and between given edges, the last one included (histogram)",
    function()
    local x = nd.array { 1, 2, 1, 4 }
    local counts, edges = table.unpack(nd.histogram(x, { bins = 3 }))
    assert.bits(counts, int64 { 2, 1, 1 })
    assert.bits(edges, nd.array { 1, 2, 3, 4 })
    assert.bits(nd.histogram(x, 2, { 0, 2 })[1], int64 { 0, 3 })
    assert.bits(nd.histogram(x, { 0, 1, 4 })[1], int64 { 0, 4 })
    assert.bits(nd.histogram(nd.array { 2, 2 }, 3)[2], nd.array { 1.5, 1.8333334, 2.1666667, 2.5 })
    assert.equal(10, nd.histogram(x)[1].size)
    assert.error_matches(function() nd.histogram(x, { 1, 3, 2 }) end, "bins: expected ascending edges")
    assert.error_matches(function() nd.histogram(nd.array { 1, NAN, INF }) end, "expected finite elements, got")
    for _, list in ipairs { { 1, NAN, 3 }, { NAN, 1, 3 }, { 1, 3, NAN } } do
      assert.error_matches(function() nd.histogram(nd.array(list)) end, "expected finite elements, got")
    end
  end)

  it("count and weight whole numbers, and reject others (bincount)", function()
    assert.bits(nd.bincount(int64 { 1, 3, 1 }), int64 { 0, 2, 0, 1 })
    assert.bits(nd.bincount(int64 { 1, 3, 1 }, { 0.5, 1, 2 }, { minlength = 5 }), float64 { 0, 2.5, 0, 1, 0 })
    assert.equal(0, nd.bincount(nd.zeros({ 0 }, { dtype = "int32" })).size)
    assert.error_matches(function() nd.bincount(int64 { 1, -1 }) end,
      "x: expected whole numbers of 0 or more, got %-1 at 1")
    assert.error_matches(function() nd.bincount(nd.array { 0.5 }) end, "got 0.5 at 0")
  end)
end)

describe("indices and sets", function()
  local x = nd.array { { 0, 7 }, { 5, 0 }, { 5, 7 } }

  it("are one array per axis, one row per element, or flat (nonzero, argwhere, flatnonzero)", function()
    local places = nd.nonzero(x)
    assert.equal(2, #places)
    assert.bits(places[1], int64 { 0, 1, 2, 2 })
    assert.bits(places[2], int64 { 1, 0, 0, 1 })
    assert.bits(x:argwhere(), int64 { { 0, 1 }, { 1, 0 }, { 2, 0 }, { 2, 1 } })
    assert.bits(nd.flatnonzero(x), int64 { 1, 2, 4, 5 })
    assert.same({ 0, 1 }, { table.unpack(nd.argwhere(nd.zeros { 3 }).shape) })
  end)

  it("return the requested parts of unique, with NaNs as one", function()
    assert.bits(nd.unique(x), nd.array { 0, 5, 7 })
    local values, index, inverse, counts = table.unpack(nd.unique(x,
      { return_index = true, return_inverse = true, return_counts = true }))
    assert.bits(values, nd.array { 0, 5, 7 })
    assert.bits(index, int64 { 0, 2, 1 })
    assert.bits(inverse, int64 { 0, 2, 1, 0, 1, 2 })
    assert.bits(counts, int64 { 2, 2, 2 })
    assert.bits(nd.unique(nd.array { NAN, 1, NAN }, { return_counts = true })[2], int64 { 1, 2 })
    assert.equal(0, nd.unique(nd.zeros { 0 }).size)
  end)

  it("reject Symbols, with an error, if their shape depends on values", function()
    for _, name in ipairs { "unique", "nonzero", "argwhere", "flatnonzero", "bincount" } do
      assert.error_matches(function() sym[name](sym.var "a") end,
        name .. ": the shape of its result depends on values, so it works on arrays only")
      assert.error_matches(function() hl.compile(function(F, a) return F[name](a) end)(x) end,
        "works on arrays only, not in a graph")
    end
  end)

  it("put the kth element at its sorted position (partition)", function()
    local y = nd.array { 4, 1, 3, 2 }
    assert.equal(2, nd.partition(y, 1)[1]:asscalar())
    assert.equal(3, nd.argpartition(y, 1)[1]:asscalar())
    assert.error_matches(function() nd.partition(y, "x") end, "partition: kth: expected an integer")
  end)
end)

describe("functions of order", function()
  it("are named in errors if their array is missing, and accept arguments by name", function()
    for _, name in ipairs { "searchsorted", "digitize", "histogram", "bincount", "percentile", "quantile", "median",
      "interp", "isin", "in1d",
      "argwhere", "flatnonzero", "nonzero", "unique", "partition", "argpartition" } do
      assert.error_matches(function() nd[name]() end, name .. ": ")
      assert.error_matches(function() nd[name](nd.ones { 2 }, { no_such = 1 }) end,
        name .. ": unknown option 'no_such'")
    end
    assert.bits(nd.percentile { a = nd.array { 1, 3 }, q = 50 }, nd.array { 2 })
    assert.bits(nd.isin { element = nd.array { 1, 3 }, test_elements = { 3 }, invert = true },
      nd.array({ 1, 0 }, { dtype = "bool" }))
    assert.bits(nd.argwhere { a = nd.array { 0, 3 } }, int64 { { 1 } })
  end)
end)

describe("interp", function()
  it("matches NumPy, also out of range and with a period", function()
    local xp, fp = nd.array { 1, 2, 3 }, nd.array { 10, 20, 0 }
    assert.allclose(nd.interp(nd.array { 0, 1.5, 2.25, 9 }, xp, fp), nd.array { 10, 15, 15, 0 })
    assert.allclose(nd.interp(nd.array { 0, 3, 9 }, xp, fp, { left = -1, right = -2 }), nd.array { -1, 0, -2 })
    assert.allclose(nd.interp(nd.array { -180, -170, -185, 185, -10, -5, 0, 365 }, { 190, -190, 350, -350 },
      { 5, 10, 3, 4 }, { period = 360 }),
      nd.array { 7.5, 5, 8.75, 6.25, 3, 3.25, 3.5, 3.75 })
    assert.bits(nd.interp(2.5, { 1, 2, 3 }, { 3, 2, 0 }), float64 { 1 })
    assert.allclose(nd.interp(int64 { 1, 5 }, { 0, 2 }, { 0, 1 }), float64 { 0.5, 1 })
  end)

  it("has gradients with respect to x and to the points", function()
    local x, xp, fp = float64 { 0.5, 1.5, 9 }, float64 { 0, 1, 2 }, float64 { 3, 5, 4 }
    for _, v in ipairs { x, xp, fp } do v:attach_grad() end
    autograd.record(function() return nd.interp(x, xp, fp):sum() end):backward()
    assert.allclose(x.grad, float64 { 2, -1, 0 })
    assert.allclose(fp.grad, float64 { 0.5, 1, 1.5 })
    assert.allclose(xp.grad, float64 { -1, -0.5, 0.5 })
  end)
end)

-- ---- Random order -------------------------------------------------------------------------------------

describe("random choice and permutation", function()
  it("draw with and without replacement, from numbers and arrays", function()
    hl.random.seed(5)
    local x = nd.random.choice(3, { 4, 500 })
    assert.same({ 4, 500 }, { table.unpack(x.shape) })
    assert.equal("int64", x.dtype)
    assert.same({ 0, 1, 2 }, nd.unique(x):totable())
    assert.bits(nd.sort(nd.random.choice(nd.array { 7, 8, 9 }, 3, false)), nd.array { 7, 8, 9 })
    assert.bits(nd.sort(nd.random.permutation(6)), nd.arange(0, 6, { dtype = "int64" }))
    assert.bits(nd.sort(nd.random.permutation(nd.array { { 1, 2 }, { 3, 4 } }), { axis = 0 }),
      nd.array { { 1, 2 }, { 3, 4 } })
  end)

  it("draw by probabilities", function()
    hl.random.seed(6)
    local p, n = { 0.1, 0, 0.6, 0.3 }, 20000
    local counts = nd.bincount(nd.random.choice(4, n, true, p), { minlength = 4 }):totable()
    for i, share in ipairs(p) do
      assert.truthy(math.abs(counts[i] / n - share) <= 5 * math.sqrt(share * (1 - share) / n))
    end
    local firsts, pairs_of = { 0, 0, 0, 0 }, 3000
    for _ = 1, pairs_of do
      local two = nd.random.choice(4, 2, { replace = false, p = p }):totable()
      assert.truthy(two[1] ~= two[2] and two[1] ~= 1 and two[2] ~= 1)
      firsts[two[1] + 1] = firsts[two[1] + 1] + 1
    end
    for i, share in ipairs(p) do
      assert.truthy(math.abs(firsts[i] / pairs_of - share) <= 5 * math.sqrt(share * (1 - share) / pairs_of))
    end
  end)

  it("reject arguments that cannot be drawn from", function()
    assert.error_matches(function() nd.random.choice(3, 4, { replace = false }) end,
      "size: expected at most 3 without replacement, got 4")
    assert.error_matches(function() nd.random.choice(3, 2, { p = { 0.5, 0.5 } }) end, "p: expected 3 probabilities")
    assert.error_matches(function() nd.random.choice(2, 2, { p = { 0.5, 0.9 } }) end, "sum to 1, got a sum of 1.4")
    assert.error_matches(function() nd.random.choice(3, 2, { replace = false, p = { 1, 0, 0 } }) end,
      "size: expected at most 1")
    assert.error_matches(function() nd.random.choice(0) end, "a: expected 1 or more to choose from, got 0")
    assert.error_matches(function() nd.random.choice(nd.zeros { 2, 2 }) end, "array of one dimension")
    assert.error_matches(function() nd.random.permutation(1.5) end, "x: expected an integer of 0 or more")
  end)
end)

-- ---- Both modes -----------------------------------------------------------------------------------------

describe("functions of order, eager, compiled and as a graph,", function()
  local x = nd.array { { 3, 1, 2, 2 }, { 0, 5, 5, 1 } }
  local points, values = { 0, 1, 2 }, { 5, 6, 9 }
  local calls = {
    ["sort"] = function(F, a) return F.sort(a, { axis = 0 }) end,
    ["argsort"] = function(_, a) return a:argsort() end,
    ["topk, both"] = function(_, a) return a:topk { k = 2, ret_typ = "both" } end,
    ["cumsum"] = function(F, a) return F.cumsum(a, 1) end,
    ["histogram"] = function(F, a) return F.histogram(a, 3) end,
    ["histogram, edges"] = function(F, a) return F.histogram(a, { 0, 2, 4 }) end,
    ["digitize"] = function(F, a) return F.digitize(a, { 1, 2 }) end,
    ["searchsorted"] = function(F, a) return F.searchsorted(F.sort(a, { axis = "None" }), a) end,
    ["searchsorted, a number"] = function(F, a) return F.searchsorted(F.sort(a, { axis = "None" }), 2.5) end,
    ["isin"] = function(F, a) return F.isin(a, { 1, 2 }) end,
    ["in1d"] = function(F, a) return F.in1d(a, a) end,
    ["percentile"] = function(F, a) return F.percentile(a, { 10, 50 }, { axis = 1 }) end,
    ["median"] = function(_, a) return a:median() end,
    ["interp"] = function(F, a) return F.interp(a, points, values) end,
    ["interp, bounded"] = function(F, a) return F.interp(a, points, values, { left = 0, right = -1 }) end,
    ["interp, periodic"] = function(F, a) return F.interp(a, points, values, { period = 3 }) end,
    ["choice"] = function(F, a) return F.random.choice(5, { 2, 3 }) + a:sum():astype "int64" end,
    ["choice with probabilities"] = function(F, a)
      return F.random.choice(4, 5, true, { 0.1, 0.2, 0.3, 0.4 }) + a:sum():astype "int64"
    end,
    ["choice without putting back"] = function(F, a)
      return F.random.choice(4, 2, false, { 0.1, 0.2, 0.3, 0.4 }) + a:sum():astype "int64"
    end,
    ["permutation"] = function(F, a) return F.random.permutation(a) end,
    ["permutation of numbers"] = function(F, a) return F.random.permutation(6) + a:sum():astype "int64" end,
    ["argpartition"] = function(F, a) return F.argpartition(a, 1) end,
    ["take_along_axis"] = function(F, a) return F.take_along_axis(a, F.argsort(a), { axis = -1 }) end,
  }
  local function list(y) return type(y) == "table" and y or { y } end

  for name, call in pairs(calls) do
    it("have the same bits: " .. name, function()
      hl.random.seed(3)
      local eager = list(call(nd, x))
      hl.random.seed(3)
      local compiled = list(hl.compile(call)(x))
      hl.random.seed(3)
      local graph = list(call(sym, sym.var "x"))
      local evaluated = sym.Group(graph):eval { x = x }
      for i, y in ipairs(eager) do
        assert.bits(compiled[i], y)
        assert.bits(evaluated[i], y)
      end
    end)
  end
end)

describe("functions of order, in another context", function()
  local there = hl.cpu(1)
  local function at(values, dtype) return nd.array(values, { dtype = dtype or "float32", ctx = there }) end
  local v = at { 3, 1, 2, 5 }

  local calls = {
    searchsorted = function() return nd.searchsorted(at { 1, 2, 3 }, { 1.5, 2 }) end,
    ["searchsorted of a number"] = function() return nd.searchsorted(at { 1, 2, 3 }, 2) end,
    digitize = function() return nd.digitize(v, { 1, 2 }) end,
    isin = function() return nd.isin(v, { 1, 2 }) end,
    in1d = function() return nd.in1d(v, 3) end,
    interp = function() return nd.interp(v, { 1, 2, 3 }, { 4, 5, 6 }) end,
    ["interp of a number"] = function() return nd.interp(1.5, at { 1, 2, 3 }, { 4, 5, 6 }) end,
    bincount = function() return nd.bincount(at({ 1, 2, 2 }, "int32"), { 0.5, 1, 2 }) end,
    histogram = function() return nd.histogram(v, { 1, 2, 3 }) end,
    unique = function() return nd.unique(v, { return_index = true, return_inverse = true, return_counts = true }) end,
    choice = function() return nd.random.choice(v, 3) end,
    ["choice by probabilities"] = function() return nd.random.choice(v, { size = 3, p = { 0.1, 0.2, 0.3, 0.4 } }) end,
    ["choice without putting back"] = function() return nd.random.choice(v, { size = 3, replace = false }) end,
    ["choice without putting back, by probabilities"] = function()
      return nd.random.choice(v, { size = 3, replace = false, p = { 0.1, 0.2, 0.3, 0.4 } })
    end,
    ["choice of numbers by an array"] = function()
      return nd.random.choice(4, { size = 3, p = at { 0.1, 0.2, 0.3, 0.4 } })
    end,
    permutation = function() return nd.random.permutation(v) end,
  }
  for name, call in pairs(calls) do
    it("compute in the arrays' context, with numbers too: " .. name, function()
      local result = call()
      for _, y in ipairs(type(result) == "table" and result or { result }) do assert.equal(there, y.context) end
    end)
  end
end)

describe("histogram", function()
  it("returns the edges of a table as float64, for integers and in graphs too", function()
    local x = nd.array({ 1, 2, 2, 5 }, { dtype = "int32" })
    local counts, edges = table.unpack(nd.histogram(x, { 0, 2, 6 }))
    assert.same({ 1, 3 }, counts:totable())
    local graph = sym.Group(sym.histogram(sym.var "x", { 0, 2, 6 })):eval { x = x }
    local compiled = hl.compile(function(F, a) return F.histogram(a, { 0, 2, 6 }) end)(x)
    assert.equal("float64", edges.dtype)
    for i, y in ipairs { counts, edges } do
      assert.bits(graph[i], y)
      assert.bits(compiled[i], y)
    end
  end)
end)

describe("errors of functions of order", function()
  it("name the called function", function()
    local x = nd.ones { 2, 3 }
    for _, F in ipairs { nd, sym } do
      local a = F == nd and x or sym.var("a", { shape = { 2, 3 } })
      assert.raises(function() F.percentile(a, 50, { axis = 2 }) end, "percentile: axis: expected an axis from")
      assert.raises(function() F.quantile(a, 0.5, { axis = { 0, 0 } }) end, "quantile: axis: expected each axis once")
      assert.raises(function() F.median(a, "rows") end, "median: axis: expected an axis from")
    end
    for name, call in pairs {
      histogram = function() nd.histogram(x, { 3, 1 }) end,
      searchsorted = function() nd.searchsorted(nd.ones { 3 }, 1, "up") end,
      isin = function() nd.isin(x, { 1 }, { invert = "maybe" }) end,
      digitize = function() nd.digitize(x, { 1, 3, 2 }) end,
    } do
      assert.raises(call, ": " .. name .. ": ")
    end
  end)
end)

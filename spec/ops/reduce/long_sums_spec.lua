-- long_sums_spec.lua - sums of more than 1,048,576 elements: blocks of 1,024 elements (or of 64 rows) are added in
-- groups of 1,048,576 elements, then the groups (base/math/tree_sum.h). The terms cancel, so that a sum consists of
-- rounding errors, and another order has other bits.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd = hl.nd, hl.autograd

local GROUP, BLOCK, ROWS = 1 << 20, 1024, 64

-- n numbers whose second half is the negative of the first. Their size changes widely every thousand numbers.
local function cancelling(n)
  local half = n // 2
  local sizes = nd.random.uniform(0, 60, { shape = { half // 1000 + 1 } }):exp()
  local first = nd.random.normal(0, 1, { shape = { half } }) * sizes:repeat_ { repeats = 1000 }[{ { 0, half } }]
  local whole = nd.concat(first, -first, { dim = 0 })
  return n % 2 == 0 and whole or nd.concat(whole, nd.full({ 1 }, 3), { dim = 0 })
end

-- Adds the numbers in order in groups of `count`, then the groups' sums in order.
local function in_groups(values, count)
  local total = 0.0
  for from = 1, #values, count do
    local group = 0.0
    for i = from, math.min(from + count - 1, #values) do group = group + values[i] end
    total = total + group
  end
  return total
end

-- Sums of runs of at most `length` rows of x (rows, columns), one group per run: a list for each column.
local function short_sums(x, length)
  local rows, columns = table.unpack(x.shape)
  local whole = rows // length * length
  local parts = x[{ { 0, whole } }]:reshape { -1, length, columns }:sum { axis = 1 }
  if whole < rows then
    parts = nd.concat(parts, x[{ { whole, rows } }]:sum { axis = 0, keepdims = true }, { dim = 0 })
  end
  local lists = {}
  for k = 0, columns - 1 do lists[k + 1] = parts[{ {}, k }]:totable() end
  return lists
end

local function rounded(value) return nd.array({ value }, { dtype = "float64" }):astype "float32" end

describe("a long sum", function()
  local threads, debug
  before_each(function()
    threads, debug = core.host.threads(), core.host.debug { jit = "sync" }
    hl.random.seed(11)
  end)
  after_each(function()
    core.host.threads(threads)
    core.host.debug(debug)
  end)

  local function each_count(fn)
    for count = 1, 3 do
      core.host.threads(count)
      fn()
    end
  end

  for _, n in ipairs { GROUP, GROUP + 1, 2 * GROUP, 3 * GROUP + 12345 } do
    it("adds groups of 1,048,576 elements in a contiguous run: " .. n, function()
      local x = cancelling(n)
      local blocks = short_sums(x:reshape { -1, 1 }, BLOCK)[1]
      local expected = rounded(in_groups(blocks, GROUP // BLOCK))
      local several = nd.stack(x, x, { axis = 0 })
      if n >= 2 * GROUP then assert.not_equal(in_groups(blocks, #blocks), in_groups(blocks, GROUP // BLOCK)) end
      each_count(function()
        assert.bits(x:sum(), expected)
        assert.bits(several:sum { axis = 1 }, nd.concat(expected, expected, { dim = 0 }))
        assert.bits(nd.nansum(x), expected)
      end)
      local double = x:astype "float64"
      local groups = {}
      for from = 0, n - 1, GROUP do
        groups[#groups + 1] = double[{ { from, math.min(from + GROUP, n) } }]:sum():asscalar()
      end
      assert.equal(in_groups(groups, #groups), double:sum():asscalar())
      assert.bits(nd.dot(double, nd.ones({ n }, { dtype = "float64" })), double:sum())
    end)

    it("adds groups of 1,048,576 rows along columns, eager and compiled: " .. n, function()
      local x = cancelling(3 * n):reshape { -1, 3 }
      local expected = {}
      for k, parts in ipairs(short_sums(x, ROWS)) do expected[k] = rounded(in_groups(parts, GROUP // ROWS)) end
      expected = nd.concat(expected[1], expected[2], expected[3], { dim = 0 })
      local fused = hl.compile(function(F, v) return F.sum(v * 1, { axis = 0 }) end)
      each_count(function()
        assert.bits(x:sum { axis = 0 }, expected)
        assert.bits(fused(x), expected)
      end)
    end)
  end

  it("has the same order in norms, losses and variances", function()
    local n = 2 * GROUP + 777
    local x = cancelling(3 * n)
    local rows, columns = x:reshape { 3, n }, x:reshape { n, 3 }
    local one, long = nd.ones { 3 }, nd.zeros { n }
    local mean_of_rows, mean_of_columns = rows:mean { axis = 1 }, columns:mean { axis = 0 }
    local function layer_mean(data, axis)
      return nd.LayerNorm(data, long + 1, long, { axis = axis, output_mean_var = true })[2]:reshape(-1)
    end
    local function shift_gradient(data)
      local shift = nd.zeros { 3 }
      shift:attach_grad()
      local y = autograd.record(function()
        return nd.BatchNorm(data, one, shift, nd.zeros { 3 }, nd.ones { 3 }, { fix_gamma = false, axis = 1 })
      end)
      y:backward(data)
      return shift.grad
    end
    each_count(function()
      assert.bits(layer_mean(rows, -1), mean_of_rows)
      assert.bits(layer_mean(columns, 0), mean_of_columns)
      assert.bits(shift_gradient(rows:reshape { 1, 3, n }), rows:sum { axis = 1 })
      assert.bits(shift_gradient(columns), columns:sum { axis = 0 })
      assert.bits(nd.var(rows[1]):reshape(-1), nd.var(rows, { axis = 1 })[{ { 1, 2 } }])
    end)
  end)
end)

-- sums_spec.lua - accuracy of sums of any length and of norms of any size; equal bits eager, compiled, and in generated
-- kernels.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local fuses = require "support.fuses"
local nd, autograd = hl.nd, hl.autograd

local function relative(got, expected) return math.abs(got - expected) / math.abs(expected) end

describe("a dot product of two vectors", function()
  it("has six correct digits for ten million random terms", function()
    hl.random.seed(3)
    local x, y = nd.random.uniform(0, 1, { shape = { 10000000 } }), nd.random.normal(1, 1, { shape = { 10000000 } })
    local expected = (x:astype "float64" * y:astype "float64"):sum():asscalar()
    assert.is_true(relative(nd.dot(x, y):asscalar(), expected) < 3e-6)
    assert.is_true(relative((x * y):sum():asscalar(), expected) < 1e-7)      -- a more accurate form
  end)

  it("has one order in every operator that computes it, with any number of threads", function()
    local threads = core.host.threads()
    for _, n in ipairs { 1, 3, 16, 1000, 1024, 1025, 70000, 300001, 3000000 } do
      local a, b = nd.random.normal(0, 1, { shape = { n } }), nd.random.normal(0, 1, { shape = { n } })
      core.host.threads(1)
      local dot = nd.dot(a, b)
      local row, column = a:reshape { 1, -1 }, b:reshape { -1, 1 }
      for _, count in ipairs { 1, 2, 5 } do
        core.host.threads(count)
        assert.bits(nd.dot(a, b), dot)
        assert.bits(nd.dot(row, column):reshape { 1 }, dot)
        assert.bits(nd.dot(row.T, column, { transpose_a = true }):reshape { 1 }, dot)
        assert.bits(nd.batch_dot(row:reshape { 1, 1, -1 }, column:reshape { 1, -1, 1 }):reshape { 1 }, dot)
        assert.bits(nd.linalg_gemm2(row, column):reshape { 1 }, dot)
        assert.bits(nd.linalg_gemm(row, column, nd.ones { 1, 1 }, { alpha = -2, beta = 0.5 }):reshape { 1 },
          dot * -2 + 0.5)
        assert.bits(nd.FullyConnected(row, b:reshape { 1, -1 }, { num_hidden = 1, no_bias = true }):reshape { 1 }, dot)
        if fuses and n <= 300001 then
          assert.bits(nd.dot(nd.stack(b, a, b), column)[{ { 1, 2 } }]:reshape { 1 }, dot)
        end
      end
    end
    core.host.threads(threads)
  end)

  it("is equal for vectors that are not contiguous", function()
    local a, b = nd.random.normal(0, 1, { shape = { 1500, 3 } }), nd.random.normal(0, 1, { shape = { 1500, 3 } })
    local got = nd.linalg_gemm2(a:reshape { 1500, 1, 3 }, b:reshape { 1500, 1, 3 }, { transpose_a = true, axis = 0 })
    assert.allclose(got, nd.dot(a, b, { transpose_a = true }):reshape { 3, 1, 3 }, 1e-4, 1e-4)
    for i = 0, 2 do
      local column = nd.linalg_gemm2(a[{ {}, { i, i + 1 } }], b[{ {}, { i, i + 1 } }], { transpose_a = true })
      assert.bits(column:reshape { 1 }, nd.dot(a[{ {}, i }], b[{ {}, i }]))
    end
  end)

  it("has gradients, eager and compiled", function()
    local a, b = nd.random.normal(0, 1, { shape = { 5000 } }), nd.random.normal(0, 1, { shape = { 5000 } })
    local f = hl.compile(function(F, x, y) return F.dot(x, y) * 3 end)
    for _, dot in ipairs { function(x, y) return nd.dot(x, y) * 3 end, f, f, f } do
      a:attach_grad()
      b:attach_grad()
      local y = autograd.record(function() return dot(a, b) end)
      y:backward()
      assert.bits(y, nd.dot(a, b) * 3)
      assert.bits(a.grad, b * 3)
      assert.bits(b.grad, a * 3)
    end
  end)
end)

describe("a norm", function()
  -- Sizes around those whose squares leave the range of the dtype, and sizes at its ends.
  local sizes = {
    float32 = { 1e-30, 1e-22, 1e-13, 1e-12, 1, 1e18, 1e19, 2e19, 1e20, 1e30, 1e37 },
    float64 = { 1e-300, 1e-170, 1e-160, 1e-121, 1e-120, 1, 1e153, 1e154, 1e160, 1e300 },
  }
  local precision = { float32 = 1e-6, float64 = 1e-14 }

  local function each_size(check)
    for dtype, list in pairs(sizes) do
      for _, size in ipairs(list) do check(dtype, size, precision[dtype]) end
    end
  end

  it("neither overflows nor underflows, nor does its gradient", function()
    each_size(function(dtype, size, most)
      for ord, expected in pairs { [1] = 7, [2] = 5 } do
        for _, shape in ipairs { { 2 }, { 1, 2 }, { 2, 1 }, { 2, 1, 1 } } do
          local x = nd.array({ 3 * size, -4 * size }, { dtype = dtype }):reshape(shape)
          local scale = (x:abs():sum():asscalar() / 7)
          x:attach_grad()
          local y = autograd.record(function()
            return nd.norm(x, { ord = ord, axis = #shape > 1 and { 0, 1 } or nil })
          end)
          y:backward()
          local what = ("%s %g, ord %d"):format(dtype, size, ord)
          assert.is_true(relative(y:asscalar(), expected * scale) < most, what)
          assert.allclose(x.grad:reshape(-1), ord == 2 and { 0.6, -0.8 } or { 1, -1 }, most, 0)
        end
      end
    end)
  end)

  it("keeps the available digits of the smallest numbers", function()
    assert.equal(5, nd.norm(nd.array { 3 * 2 ^ -149, 4 * 2 ^ -149 }):asscalar() * 2 ^ 149)
    assert.equal(5,
      nd.norm(nd.array({ 3 * 2.0 ^ -1074, 4 * 2.0 ^ -1074 }, { dtype = "float64" })):asscalar() * 2.0 ^ 537 * 2.0 ^ 537)
  end)

  it("keeps infinities, NaNs and zeros", function()
    for _, dtype in ipairs { "float32", "float64" } do
      local function norm(...) return nd.norm(nd.array({ ... }, { dtype = dtype })):asscalar() end
      assert.equal(math.huge, norm(-math.huge, 1))
      assert.equal(0, norm(0, 0))
      local nan = norm(1e30, 0 / 0)
      assert.is_true(nan ~= nan)
    end
    assert.equal(math.huge, nd.norm(nd.full({ 4 }, 3e38)):asscalar())       -- the norm itself is out of range
  end)

  -- Rows and columns of every size side by side, some with elements of different sizes.
  local function mixed(dtype, rows, columns, at)
    local values = {}
    for i = 1, rows do
      values[i] = {}
      for k = 1, columns do
        local size = sizes[dtype][(at(i, k) - 1) % #sizes[dtype] + 1]
        values[i][k] = ((i * 31 + k * 17) % 19 - 9) / 7 * size
      end
    end
    return nd.array(values, { dtype = dtype })
  end

  it("is independent for each row and each column, with the same bits compiled and in generated kernels", function()
    local before = core.host.debug { jit = "sync" }.jit
    for dtype in pairs(sizes) do
      for _, at in ipairs { function(i) return i end, function(_, k) return k end, function(i, k) return i * k end } do
        local x = mixed(dtype, 23, 37, at)
        for axis = 0, 1 do
          local function unit(F, v)
            return F.broadcast_div(v * 1, F.norm(v * 1, { axis = axis, keepdims = true }) + 1e-38)
          end
          local f, y = hl.compile(unit), nd.norm(x, { axis = axis })
          local count = axis == 0 and 37 or 23
          for i = 0, count - 1 do
            local part = axis == 0 and x[{ {}, { i, i + 1 } }]:reshape(-1) or x[i]
            assert.is_true(relative(y[i]:asscalar(), nd.norm(part):asscalar()) < precision[dtype] or
              y[i]:asscalar() == 0)
          end
          x:attach_grad()
          local function run(g)
            local z = autograd.record(function() return g(x) end)
            z:backward()
            return z, x.grad:copy()
          end
          local z, gradient = run(function(v) return unit(nd, v) end)
          for _ = 1, 3 do
            local compiled, compiled_gradient = run(f)
            assert.bits(compiled, z)
            assert.bits(compiled_gradient, gradient)
          end
        end
      end
    end
    core.host.debug { jit = before }
  end)

  it("stays in range over all gradients together, by which they are clipped", function()
    for _, size in ipairs { 1e-30, 1, 1e30 } do
      local a, b = nd.full({ 1 }, 3 * size), nd.full({ 1 }, 4 * size)
      assert.is_true(relative(hl.gluon.utils.clip_global_norm({ a, b }, size), 5 * size) < 1e-6)
      if size > 1e-8 then assert.allclose(nd.concat(a, b, { dim = 0 }) / size, { 0.6, 0.8 }, 1e-5) end
    end
  end)

  it("is exact for a long vector, shared among threads or not", function()
    local threads = core.host.threads()
    for _, size in ipairs { 1e-30, 1, 1e30 } do
      local x, bits = nd.full({ 500000 }, size), nil
      for _, count in ipairs { 1, 3 } do
        core.host.threads(count)
        local y = nd.norm(x)
        assert.is_true(relative(y:asscalar(), x[0]:asscalar() * math.sqrt(500000)) < 1e-6)
        bits = bits or y
        assert.bits(y, bits)
      end
    end
    core.host.threads(threads)
  end)
end)

-- variance_spec.lua - std, var, moments, any, all and related functions compared with their definitions, for hard sums:
-- equal elements, very large and very small ones, none at all.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

local INF, NAN = math.huge, 0 / 0

local function numbers(shape, dtype)
  hl.random.seed(7)
  return nd.random.normal { shape = shape }:astype(dtype or "float32")
end

-- The elements of each output of a reduction over `axes`, as lists in order.
local function groups(x, axes)
  local ndim, gone = #x.shape, {}
  for _, axis in ipairs(axes) do gone[axis % ndim] = true end
  local kept, reduced = {}, {}
  for axis = 0, ndim - 1 do table.insert(gone[axis] and reduced or kept, axis) end
  local order = table.move(reduced, 1, #reduced, #kept + 1, { table.unpack(kept) })
  local outputs = 1
  for _, axis in ipairs(kept) do outputs = outputs * x.shape[axis + 1] end
  return x:astype "float64":transpose { axes = order }:reshape { outputs, -1 }:totable()
end

local function variance(list, ddof)
  local sum, squares = 0, 0
  for _, v in ipairs(list) do sum = sum + v end
  for _, v in ipairs(list) do squares = squares + (v - sum / #list) ^ 2 end
  return squares / (#list - (ddof or 0))
end

local AXES = { { 3, 4, 5 }, { 300, 7 }, { 2, 1500 }, { 5, 1, 70, 3 } }

describe("var and std", function()
  for _, shape in ipairs(AXES) do
    for axis = -1, #shape - 1 do
      for _, ddof in ipairs { 0, 1 } do
        it(("match their definition: (%s), axis %d, ddof %d"):format(table.concat(shape, ","), axis, ddof), function()
          for _, dtype in ipairs { "float32", "float64", "int32" } do
            local x = (numbers(shape) * 10):astype(dtype)
            local var, std = x:var { axis = axis, ddof = ddof }, nd.std(x, { axis = axis, ddof = ddof })
            local expected, roots = {}, {}
            for i, list in ipairs(groups(x, { axis })) do
              expected[i] = variance(list, ddof)
              roots[i] = math.sqrt(expected[i])
            end
            local tolerance = dtype == "float32" and 2e-6 or 1e-13
            assert.equal(dtype == "float32" and "float32" or "float64", var.dtype)
            assert.allclose(var:astype "float64":reshape { -1 }, nd.array(expected, { dtype = "float64" }), tolerance,
              1e-12)
            assert.allclose(std:astype "float64":reshape { -1 }, nd.array(roots, { dtype = "float64" }), tolerance,
              1e-12)
          end
        end)
      end
    end
  end

  it("accept several axes and keep them", function()
    local x = numbers { 3, 4, 5 }
    local y = nd.var(x, { axis = { 0, -1 }, keepdims = true })
    assert.same({ 1, 4, 1 }, y.shape)
    for i, list in ipairs(groups(x, { 0, 2 })) do assert.near(variance(list), y[{ 0, i - 1, 0 }]:asscalar(), 1e-5) end
    assert.same({ 1 }, x:std().shape)
    assert.same({ 1, 1, 1 }, x:std { keepdims = true }.shape)
  end)

  it("are 0, with gradients of 0, if all elements are equal", function()
    for _, n in ipairs { 1, 10, 1000, 200000 } do
      for _, value in ipairs { 0.1, -1 / 3, 1e30, 1e-30, 16777217 } do
        local x = nd.full({ n }, value, { dtype = "float32" })
        assert.equal(0, x:std():asscalar())
        assert.equal(0, x:var():asscalar())
        assert.equal(0, nd.full({ n, 3 }, value, { dtype = "float32" }):std({ axis = 0 }):max():asscalar())
      end
    end
    for _, fn in ipairs { nd.std, nd.var } do
      local x = nd.full({ 4 }, 3)
      x:attach_grad()
      autograd.record(function() return fn(x) end):backward()
      assert.same({ 0, 0, 0, 0 }, x.grad:totable())
    end
  end)

  it("stay accurate far from 0, and if squares over- or underflow", function()
    assert.near(2 / 3, nd.var(nd.array { 1e7, 1e7 + 1, 1e7 + 2 }):asscalar(), 1e-6)
    assert.allclose(nd.std(nd.array { 1e30, -1e30, 1e30, -1e30 }), nd.array { 1e30 }, 1e-6, 0)
    assert.allclose(nd.std(nd.array { 1e-30, -1e-30 }), nd.array { 1e-30 }, 1e-6, 0)
    assert.allclose(nd.std(nd.array { { 3e38, 1 }, { -3e38, 3 } }, { axis = 0 }), nd.array { 3e38, 1 }, 1e-6, 0)
    assert.equal(INF, nd.var(nd.array { 1e30, -1e30 }):asscalar())
    local mean, var = table.unpack(nd.moments(nd.full({ 1000 }, 1e37), { axes = { 0 } }))
    assert.allclose(mean, nd.array { 1e37 }, 1e-6, 0)
    assert.equal(0, var:asscalar())
  end)

  it("are NaN without elements, with infinity or NaN, and for fewer elements than ddof", function()
    local function is_nan(x) return x:asscalar() ~= x:asscalar() end
    assert.truthy(is_nan(nd.zeros { 0 }:std()))
    assert.truthy(is_nan(nd.array { 1, INF }:var()))
    assert.truthy(is_nan(nd.array { 1, NAN }:std()))
    assert.truthy(is_nan(nd.array { 1 }:var { ddof = 1 }))
    assert.equal(INF, nd.array { 1, 2 }:var { ddof = 2 }:asscalar())
    assert.same({ 3, 0 }, nd.zeros { 3, 2, 0 }:var { axis = 1 }.shape)
  end)

  it("accept a dtype for the result", function()
    local x = nd.array { 1, 2, 4 }
    assert.equal("float64", x:std { dtype = "float64" }.dtype)
    assert.near(math.sqrt(14) / 3, x:std { dtype = "float64" }:asscalar(), 1e-15)
    x:attach_grad()
    autograd.record(function() return x:var { dtype = "float64" } end):backward()
    assert.allclose(x.grad, (x - 7 / 3) * 2 / 3, 1e-6)
    assert.raises(function() x:std { dtype = "int32" } end, "std: dtype: expected float32 or float64, got int32")
    local truth = nd.array({ true }, { dtype = "bool" })
    assert.raises(function() nd.var(truth) end, "var: data: expected dtype float32, float64 or an integer")
  end)

  it("have the same bits with any number of threads", function()
    local x = numbers { 300000 }
    local before = core.host.threads()
    core.host.threads(1)
    local one = x:std()
    core.host.threads(2)
    assert.bits(x:std(), one)
    core.host.threads(before)
  end)

  it("are named in errors", function()
    assert.raises(function() nd.std(nd.ones { 2 }, { axis = 1 }) end,
      "std: axis: expected an axis from %-1 to 0 for an array with 1 dim")
    assert.raises(function() nd.var(nd.ones { 2 }, { axis = { 0, 0 } }) end,
      "var: axis: expected each axis once, got 0 twice")
    assert.raises(function() nd.std(nd.ones { 2 }, { axs = 1 }) end, "std: unknown option 'axs'; did you mean 'axis'%?")
  end)

  it("include sym.var, which makes a variable from a name and the variance of a Symbol", function()
    local x = sym.var "x"
    assert.equal("<Symbol x>", tostring(x))
    local values = { x = nd.array { { 1, 2 }, { 3, 7 } } }
    for _, y in ipairs { sym.var(x, { axis = 1 }), x:var { axis = 1 }, sym.var { x, axis = 1 },
        sym.var { data = x, axis = 1 } } do
      assert.same({ 0.25, 4 }, y:eval(values)[1]:totable())
    end
  end)
end)

describe("moments", function()
  it("has the bits of mean, and var", function()
    for _, shape in ipairs(AXES) do
      local x = numbers(shape)
      for axis = 0, #shape - 1 do
        local mean, var = table.unpack(nd.moments(x, { axes = { axis } }))
        assert.bits(mean, x:mean { axis = axis })
        assert.bits(var, x:var { axis = axis })
      end
    end
    local x = numbers { 200000 }
    assert.bits(nd.moments(x)[1], x:mean())
  end)
  it("names its parameter", function()
    assert.raises(function() nd.moments(nd.ones { 2 }, { axes = { 1 } }) end,
      "moments: axes: expected an axis from %-1 to 0")
    assert.raises(function() nd.moments(nd.ones { 2 }, { axis = 1 }) end,
      "moments: unknown option 'axis'; did you mean 'axes'%?")
  end)
end)

describe("any, all and count_nonzero", function()
  it("test every element, in every dtype and over every axis", function()
    for _, dtype in ipairs { "float32", "float64", "int8", "uint8", "int32", "int64", "bool" } do
      for _, shape in ipairs { { 3, 4, 5 }, { 2, 300 }, { 70, 2 } } do
        local x = (numbers(shape):greater(0.8)):astype(dtype)
        for axis = 0, #shape - 1 do
          local any, all, count = x:any { axis = axis }, nd.all(x, { axis = axis }),
            nd.count_nonzero(x, { axis = axis })
          assert.equal("bool", any.dtype)
          assert.equal("int64", count.dtype)
          local lists = groups(x, { axis })
          local a, b, c = any:reshape { -1 }:totable(), all:reshape { -1 }:totable(), count:reshape { -1 }:totable()
          for i, list in ipairs(lists) do
            local n = 0
            for _, v in ipairs(list) do n = n + (v ~= 0 and 1 or 0) end
            assert.equal(n > 0, a[i])
            assert.equal(n == #list, b[i])
            assert.equal(n, c[i])
          end
        end
      end
    end
  end)
  it("accept empty arrays, NaN and long arrays", function()
    assert.same({ false }, nd.any(nd.zeros { 0 }):totable())
    assert.same({ true }, nd.all(nd.zeros { 0 }):totable())
    assert.same({ true }, nd.any(nd.array { NAN }):totable())
    local x = nd.zeros { 100000 }
    assert.same({ false }, x:any():totable())
    x[99999] = -0.5
    assert.same({ true }, x:any():totable())
    assert.same({ 1 }, nd.count_nonzero(x):totable())
    assert.same({ false }, x:all():totable())
    assert.same({ 0, 3 }, nd.any(nd.zeros { 0, 5, 3 }, { axis = 1 }).shape)
  end)
end)

describe("isnan and related functions", function()
  local x = nd.array { 1, NAN, INF, -INF, 0 }
  for name, expected in pairs {
    isnan = { false, true, false, false, false }, isinf = { false, false, true, true, false },
    isfinite = { true, false, false, false, true }, isposinf = { false, false, true, false, false },
    isneginf = { false, false, false, true, false },
  } do
    it("return bools: " .. name, function()
      assert.same(expected, nd[name](x):totable())
      assert.same(expected, x:astype "float64"[name](x:astype "float64"):totable())
      assert.equal("bool", nd[name](x).dtype)
      local finite = name == "isfinite"
      assert.same({ finite, finite }, nd[name](nd.array({ 1, -3 }, { dtype = "int32" })):totable())
    end)
  end
  it("can be counted by sum", function()
    local flags = nd.isfinite(nd.array { { 1, NAN }, { 2, 3 } })
    assert.same({ 1, 2 }, flags:sum { axis = 1 }:totable())
    assert.same({ 2, 1 }, nd.sum(flags, { axis = 1, exclude = true }):totable())
    assert.equal("int64", flags:sum().dtype)
    assert.same({ 3 }, (sym.var "f"):sum():eval({ f = flags })[1]:totable())
  end)
  it("select elements", function()
    assert.same({ 1, 0 }, x[nd.isfinite(x)]:totable())
  end)
  it("return numbers in contrib, as in MXNet", function()
    assert.same({ 0, 1, 0, 0, 0 }, nd.contrib.isnan(x):totable())
    assert.same({ 0, 0, 1, 1, 0 }, nd.contrib.isinf(x):totable())
    assert.same({ 1, 0, 0, 0, 1 }, nd.contrib.isfinite(x):totable())
    assert.equal("float32", nd.contrib.isnan(x).dtype)
  end)
end)

describe("isclose, allclose and array_equal", function()
  it("compare infinities, NaN and shapes that broadcast", function()
    local a, b = nd.array { 1, INF, -INF, NAN, 1 }, nd.array { 1.000001, INF, INF, NAN, INF }
    assert.same({ true, true, false, false, false }, nd.isclose(a, b):totable())
    assert.same({ true, true, false, true, false }, nd.isclose(a, b, { equal_nan = true }):totable())
    assert.same({ { true, false }, { false, true } },
      nd.isclose(nd.array { { 1 }, { 2 } }, nd.array { 1, 2 }):totable())
    assert.same({ true, false }, nd.isclose(nd.array({ 10, 13 }, { dtype = "int32" }), 11, 0.1):totable())
    assert.same({ true }, nd.allclose(nd.array { 1, 2 }, nd.array { 1, 2.00001 }):totable())
    assert.same({ false }, nd.allclose(nd.array { 1, 2 }, nd.array { 1, 2.1 }):totable())
    assert.same({ false }, nd.allclose(nd.array { NAN }, nd.array { NAN }):totable())
    assert.raises(function() nd.allclose(nd.ones { 2 }, nd.ones { 3 }) end,
      "allclose: b: expected a shape that broadcasts with %(2,%), got %(3,%)")
  end)
  it("have almost_equal, which is allclose as a Lua boolean", function()
    local a, b = nd.array { 1, 2 }, nd.array { 1, 2.1 }
    assert.is_true(a:almost_equal(nd.array { 1, 2.00001 }))
    assert.is_false(a:almost_equal(b))
    assert.is_true(a:almost_equal(b, { rtol = 0.1 }))
    assert.is_true(a:almost_equal(b, 0, 0.2))
    assert.is_true(nd.almost_equal(a, b, 0.1))
    assert.is_false(a:almost_equal(2))
    assert.is_true(nd.ones { 2, 2 }:almost_equal(1))
    assert.is_true(nd.zeros { 0 }:almost_equal(nd.zeros { 0 }))
    assert.is_false(nd.array { NAN }:almost_equal(nd.array { NAN }))
    assert.is_true(nd.array { NAN }:almost_equal(nd.array { NAN }, { equal_nan = true }))
    for _, dtype in ipairs { "int32", "float64", "int64", "uint8", "float16" } do
      assert.is_true(a:almost_equal(a:astype(dtype)), dtype)
      assert.is_true(a:astype(dtype):almost_equal(a), dtype)
      assert.is_false(a:almost_equal((a + 1):astype(dtype)), dtype)
      assert.same({ true }, nd.allclose(a, a:astype(dtype)):totable())
    end
    assert.raises(function() a:almost_equal(nd.ones { 3 }) end,
      "variance_spec.lua:%d+: almost_equal: b: expected a shape that broadcasts with %(2,%), got %(3,%)")
    assert.raises(function() a:almost_equal() end, "almost_equal: b: expected an NDArray or a Symbol, got nothing")
    assert.raises(function() a:almost_equal(b, { tol = 1 }) end, "almost_equal: unknown option 'tol'")
    assert.raises(function() hl.sym.var "x":almost_equal(hl.sym.var "y") end,
      "x:almost_equal%(y%) needs values, and a Symbol has none; write operators on the Symbol, such as F.allclose")
  end)

  it("have almost_equal, which traces refuse, or handle by a graph break or guard", function()
    local Net = hl.gluon.HybridBlock:subclass "Net"
    function Net:hybrid_forward(_, x) return x:almost_equal(x * 0 + 1) and x * 2 or x * 3 end   -- luacheck: ignore 212
    local net = Net()
    net:hybridize()
    assert.raises(function() net(nd.ones { 2 }) end, "x:almost_equal%(y%) needs values.* while a block is hybridized")
    net:hybridize { breaks = true }
    for _ = 1, 3 do
      assert.same({ 2, 2 }, net(nd.ones { 2 }):totable())
      assert.same({ 6, 6 }, net(nd.ones { 2 } * 2):totable())
    end
    local w = nd.array { 1, 2 }
    local compiled = hl.compile(function(_, x) return w:almost_equal(nd.array { 1, 2 }) and x * 2 or x * 3 end)
    assert.same({ 2, 2 }, compiled(nd.ones { 2 }):totable())
    w[0] = 7
    assert.same({ 3, 3 }, compiled(nd.ones { 2 }):totable())
  end)

  it("match MXNet in contrib.allclose: a 0-d uint8, and NaN equals NaN", function()
    local y = nd.contrib.allclose(nd.array { NAN, 1 }, nd.array { NAN, 1 })
    assert.equal("uint8", y.dtype)
    assert.same({}, y.shape)
    assert.equal(1, y:asscalar())
    assert.equal(0, nd.contrib.allclose(nd.array { NAN }, nd.array { NAN }, { equal_nan = false }):asscalar())
    for _, dtype in ipairs { "int8", "uint8", "int32", "int64", "bool" } do
      local a, b = nd.array({ 1, 1 }, { dtype = dtype }), nd.array({ 1, 0 }, { dtype = dtype })
      assert.equal(1, nd.contrib.allclose(a, a:copy()):asscalar())
      assert.equal(0, nd.contrib.allclose(a, b):asscalar())
      assert.equal(1, nd.contrib.allclose(a, b, { atol = 1 }):asscalar())
      assert.equal(0, hl.compile(function(F, x, z) return F.contrib.allclose(x, z) end)(a, b):asscalar())
    end
  end)
  it("accept every dtype in contrib.allclose", function()
    local function close(a, b, dtype, options)
      return nd.contrib.allclose(nd.array(a, { dtype = dtype }), nd.array(b, { dtype = dtype }), options):asscalar()
    end
    -- MXNet 1.9.1's results
    for _, dtype in ipairs { "int8", "uint8", "int32", "int64", "float16", "float32", "float64" } do
      assert.equal(1, close({ 100, 0, 1 }, { 100, 0, 1 }, dtype))
      assert.equal(0, close({ 100, 0, 1 }, { 101, 0, 1 }, dtype))
      assert.equal(0, close({ 100, 0, 1 }, { 101, 0, 1 }, dtype, { rtol = 0.0098 }))
      assert.equal(1, close({ 100, 0, 1 }, { 101, 0, 1 }, dtype, { rtol = 0.01 }))
      assert.equal(1, close({ 100, 0, 1 }, { 101, 0, 1 }, dtype, { rtol = 0.005, atol = 0.5 }))
    end
    assert.equal(1, close({ 0, 255 }, { 1, 254 }, "uint8", { rtol = 0, atol = 1 }))
    assert.equal(0, close({ 0, 255 }, { 1, 254 }, "uint8", { rtol = 0, atol = 0.5 }))
    assert.equal(1, close({ 1, 2, NAN }, { 1.001, 2, NAN }, "float16", { rtol = 1e-2 }))
    assert.equal(0, close({ 1, 2, NAN }, { 1.001, 2, NAN }, "float16", { rtol = 1e-2, equal_nan = false }))
    assert.equal(0, close({ 1 << 60 }, { (1 << 60) + 1 }, "int64", { rtol = 0, atol = 0 }))
    assert.equal(0, close({ math.mininteger }, { math.maxinteger }, "int64", { rtol = 0.5 }))
    assert.equal(1, close({ true, false }, { true, false }, "bool"))
    assert.equal(0, close({ true, false }, { true, true }, "bool"))
    assert.raises(function() nd.contrib.allclose(nd.ones { 2 }, nd.ones({ 2 }, { dtype = "int32" })) end,
      "contrib_allclose: b: expected dtype float32, got int32")
    local block = hl.gluon.nn.HybridLambda(function(F, a, b) return F.contrib.allclose(a, b) end)
    block:hybridize()
    assert.equal(1, block(nd.ones({ 2 }, { dtype = "int32" }), nd.ones({ 2 }, { dtype = "int32" })):asscalar())
  end)
  it("accept different shapes in array_equal", function()
    assert.same({ true }, nd.array_equal(nd.array { 1, 2 }, nd.array { 1, 2 }):totable())
    assert.same({ false }, nd.array_equal(nd.array { 1, 2 }, nd.array { { 1, 2 } }):totable())
    assert.same({ false }, nd.array_equal(nd.array { NAN }, nd.array { NAN }):totable())
    assert.same({ true }, nd.array_equal(nd.array { NAN }, nd.array { NAN }, { equal_nan = true }):totable())
    assert.same({ true }, nd.array_equal(nd.zeros { 0 }, nd.zeros { 0 }):totable())
  end)
end)

describe("logsumexp and logaddexp", function()
  it("neither overflow nor lose small terms", function()
    local x = nd.array { { 1000, 1000 }, { -1000, -1000 }, { INF, 1 }, { -INF, -INF }, { NAN, 1 } }
    local y = nd.logsumexp(x, { axis = 1 }):totable()
    assert.near(1000 + math.log(2), y[1], 1e-4)
    assert.near(-1000 + math.log(2), y[2], 1e-4)
    assert.same({ INF, -INF }, { y[3], y[4] })
    assert.truthy(y[5] ~= y[5])
    assert.near(math.log(1e5) + 3, nd.full({ 100000 }, 3):logsumexp():asscalar(), 1e-4)
    local z = nd.logaddexp(nd.array { 1000, INF, -INF, -INF }, nd.array { 1000, INF, -INF, 2 }):totable()
    assert.near(1000 + math.log(2), z[1], 1e-4)
    assert.same({ INF, -INF, 2 }, { z[2], z[3], z[4] })
  end)
  it("have softmax as their gradient, also far from 0", function()
    for _, shift in ipairs { 0, 1000, -1000 } do
      local x = nd.array { 1, 2, 4 } + shift
      x:attach_grad()
      autograd.record(function() return nd.logsumexp(x) end):backward()
      assert.allclose(x.grad, nd.softmax(x), 1e-5)
    end
  end)
  it("name themselves", function()
    assert.raises(function() nd.logsumexp(nd.ones { 2 }, { axis = 1 }) end,
      "logsumexp: axis: expected an axis from %-1 to 0")
    assert.raises(function() nd.logsumexp(nd.zeros { 0 }) end,
      "logsumexp: data: expected elements along the axes to reduce")
  end)
end)

describe("gelu, silu, mish and softplus", function()
  it("match their definitions", function()
    local x = nd.linspace(-6, 6, 97, { dtype = "float64" })
    local phi = (nd.erf(x / math.sqrt(2)) + 1) / 2
    assert.allclose(nd.gelu(x), x * phi, 1e-12, 1e-12)
    local inner = (x + 0.044715 * x ^ 3) * math.sqrt(2 / math.pi)
    assert.allclose(nd.gelu(x, { approximate = "tanh" }), x * (nd.tanh(inner) + 1) / 2, 1e-9, 1e-12)
    assert.bits(nd.gelu(x, { approximate = true }), nd.gelu(x, "tanh"))
    assert.allclose(nd.silu(x), x / (nd.exp(-x) + 1), 1e-12, 1e-12)
    assert.bits(nd.swish(x), nd.silu(x))
    assert.allclose(nd.mish(x), x * nd.tanh(nd.log(nd.exp(x) + 1)), 1e-9, 1e-12)
    assert.allclose(nd.softplus(x, { beta = 2 }), nd.log(nd.exp(x * 2) + 1) / 2, 1e-9, 1e-12)
  end)
  it("have the right limits, and so have their gradients", function()
    for _, name in ipairs { "gelu", "silu", "mish", "softplus" } do
      for _, options in ipairs { {}, name == "gelu" and { approximate = "tanh" } or nil } do
        for _, dtype in ipairs { "float32", "float64" } do
          local x = nd.array({ -INF, -1e30, 1e30, INF }, { dtype = dtype })
          x:attach_grad()
          local y = autograd.record(function() return nd[name](x, options) end)
          y:backward()
          assert.same({ 0, 0, 1, 1 }, nd.abs(x.grad):totable())
          assert.same({ 0, 0 }, nd.abs(y["0:2"]):totable())
          assert.equal(INF, y[3]:asscalar())
        end
      end
    end
  end)
  it("reject unknown approximations", function()
    assert.raises(function() nd.gelu(nd.ones { 1 }, { approximate = "sigmoid" }) end,
      "gelu: approximate: expected 'none' or 'tanh', got 'sigmoid'")
  end)
end)

describe("functions that ignore NaN", function()
  local x = nd.array { { 1, NAN, 3 }, { NAN, NAN, NAN } }
  local function first_and_nan(y)
    local v = y:totable()
    assert.truthy(v[2] ~= v[2])
    return v[1]
  end
  it("use the remaining numbers", function()
    assert.equal(2, first_and_nan(nd.nanmean(x, { axis = 1 })))
    assert.equal(1, first_and_nan(nd.nanvar(x, { axis = 1 })))
    assert.equal(1, first_and_nan(nd.nanstd(x, { axis = 1 })))
    assert.equal(3, first_and_nan(nd.nanmax(x, { axis = 1 })))
    assert.equal(1, first_and_nan(nd.nanmin(x, { axis = 1 })))
    assert.same({ 5 }, nd.nanmax(nd.array({ 2, 5 }, { dtype = "int32" })):totable())
  end)
  it("replace NaN by numbers in nan_to_num", function()
    local y = nd.nan_to_num(nd.array { NAN, INF, -INF, 2 }):totable()
    assert.same({ 0, 2 }, { y[1], y[4] })
    assert.near(3.4028235e38, y[2], 1e32)
    assert.near(-3.4028235e38, y[3], 1e32)
    assert.same({ 7, 8, 9, 2 },
      nd.nan_to_num(nd.array { NAN, INF, -INF, 2 }, { nan = 7, posinf = 8, neginf = 9 }):totable())
  end)
end)

describe("average, cov and corrcoef", function()
  it("weight elements", function()
    local x = nd.array { { 1, 2 }, { 3, 6 } }
    assert.same({ 2.5, 5 }, nd.average(x, 0, nd.array { 1, 3 }):totable())
    local y, total = table.unpack(nd.average(x, { axis = 1, weights = nd.array { 1, 3 }, returned = true }))
    assert.same({ 1.75, 5.25 }, y:totable())
    assert.same({ 4, 4 }, total:totable())
    assert.equal("float64", nd.average(nd.array({ 1, 2 }, { dtype = "int32" })).dtype)
    assert.raises(function() nd.average(x, 0, nd.ones { 3 }) end,
      "average: weights: expected 2, one for each element along axis 0, got 3")
  end)
  it("return mean products of deviations as covariances", function()
    local x = nd.array { { 1, 2, 6 }, { 4, 0, 2 } }
    assert.allclose(nd.cov(x), nd.array { { 7, -1 }, { -1, 4 } })
    assert.allclose(nd.cov(x, { bias = true }), nd.array { { 14, -2 }, { -2, 8 } } / 3)
    assert.allclose(nd.cov(x:transpose(), { rowvar = false }), nd.cov(x))
    assert.allclose(nd.corrcoef(x), nd.array { { 1, -1 / math.sqrt(28) }, { -1 / math.sqrt(28), 1 } }, 1e-6)
  end)
end)

describe("extremes of empty arrays", function()
  it("are empty if the axis has elements", function()
    local x = nd.zeros { 0, 3 }
    for _, name in ipairs { "ptp", "nanmax", "nanmin", "logsumexp" } do
      assert.same({ 0 }, nd[name](x, { axis = 1 }).shape)
      assert.same({ 0, 1 }, nd[name](x, { axis = -1, keepdims = true }).shape)
      assert.raises(function() nd[name](x, { axis = 0 }) end,
        name .. ": data: expected elements along the axes to reduce, got none")
      assert.raises(function() nd[name](x) end, name .. ": data: expected elements along the axes to reduce, got none")
    end
  end)
end)

describe("cov", function()
  it("rejects a ddof that is not a number", function()
    assert.raises(function() nd.cov(nd.ones { 2, 3 }, { ddof = "a" }) end, "cov: ddof: expected a number, got 'a'")
  end)
end)

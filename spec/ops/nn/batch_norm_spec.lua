-- batch_norm_spec.lua - BatchNorm in training, which the tests of all rows do not cover: gradients of both orders, and
-- the states.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local examples = require "support.examples"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd
local nn = hl.gluon.nn

local function drawn(shape, dtype) return nd.random.uniform(-2, 2, { shape = shape, dtype = dtype or "float64" }) end

-- Distinct weights per element, because the plain sum does not depend on data.
local function weights(shape)
  return nd.arange(1, 1 + nd.zeros(shape).size, { dtype = "float64" }):reshape(shape):sin()
end

local function channels_of(shape, axis) return shape[axis % #shape + 1] end

-- Calls BatchNorm with new states.
local function call(x, gamma, beta, options)
  local n = gamma.size
  return nd.BatchNorm(x, gamma, beta, nd.full({ n }, 0.25, { dtype = x.dtype }),
    nd.full({ n }, 1.5, { dtype = x.dtype }), options)
end

describe("BatchNorm in training", function()
  local cases = {
    { { 4, 3 }, {} }, { { 2, 3, 4 }, { eps = 0.1 } }, { { 2, 2, 3, 2 }, { axis = -1 } }, { { 3, 2, 2 }, { axis = 0 } },
    { { 2, 3, 2 }, { fix_gamma = true } }, { { 2, 3, 2 }, { use_global_stats = true } },
    { { 5 }, { axis = 0, use_global_stats = true } },
  }
  for _, case in ipairs(cases) do
    local shape, options = case[1], {}
    for key, value in pairs(case[2]) do options[key] = value end
    if options.fix_gamma == nil then options.fix_gamma = false end
    local title = ("(%s)%s"):format(table.concat(shape, ", "),
      options.use_global_stats and ", global" or options.fix_gamma and ", fixed" or "")

    local function inputs()
      hl.random.seed(3)
      local n = channels_of(shape, options.axis or 1)
      local list = { drawn(shape), drawn { n }, drawn { n } }
      for _, x in ipairs(list) do x:attach_grad() end
      return list, weights(shape)
    end

    it("has gradients that match finite differences: " .. title, function()
      local list, w = inputs()
      local function loss()
        return autograd.train_mode(function() return (call(list[1], list[2], list[3], options) * w):sum() end)
      end
      autograd.record(loss):backward()
      for i, x in ipairs(list) do
        examples.compare_differences({ name = "BatchNorm" }, i, x, x.grad:totable(), loss, 1e-6)
      end
    end)

    it("has second-order gradients that match finite differences: " .. title, function()
      local list, w = inputs()
      local function sum_of_gradients()
        local y = call(list[1], list[2], list[3], options)
        local grads = autograd.grad((y * y * w):sum(), list, { create_graph = true })
        local total
        for i, g in ipairs(grads) do
          local part = (g * weights(g.shape) * i):sum()
          total = total and total + part or part
        end
        return total
      end
      autograd.record(sum_of_gradients):backward()
      local function value() return autograd.record(sum_of_gradients) end
      for i, x in ipairs(list) do
        examples.compare_differences({ name = "BatchNorm" }, i, x, x.grad:totable(), value, 1e-6)
      end
    end)
  end

  it("normalizes, and updates the states once per call, with the biased variance", function()
    for _, shape in ipairs { { 70, 5 }, { 130, 300 }, { 6, 4, 5, 7 }, { 3, 2, 1100 } } do
      local x = drawn(shape) * 3 + 1
      local n, axes = shape[2], { 0 }
      for i = 2, #shape - 1 do axes[i] = i end
      local mean, var = nd.full({ n }, 2, { dtype = "float64" }), nd.full({ n }, 5, { dtype = "float64" })
      local y = autograd.train_mode(function()
        return nd.BatchNorm(x, nd.ones { n, dtype = "float64" }, nd.zeros { n, dtype = "float64" }, mean, var,
          { momentum = 0.75, eps = 0 })
      end)
      local right_mean = x:mean { axis = axes }
      local centred = x - right_mean:reshape { 1, n, table.unpack({ 1, 1 }, 1, #shape - 2) }
      local right_var = centred:square():mean { axis = axes }
      assert.allclose(mean, right_mean * 0.25 + 1.5, 1e-12, 1e-12)
      assert.allclose(var, right_var * 0.25 + 3.75, 1e-12, 1e-12)
      assert.allclose(y:mean { axis = axes }, nd.zeros { n, dtype = "float64" }, 1e-9, 1e-9)
      assert.allclose(y:square():mean { axis = axes }, nd.ones { n, dtype = "float64" }, 1e-9, 1e-9)
    end
  end)

  -- The sizes cover groups of runs and single runs, full vectors and remainders.
  it("has the bits of means and sums of simple operators, for any batch size", function()
    for _, dtype in ipairs { "float32", "float64" } do
      for _, n in ipairs { 1, 2, 3, 4, 5, 9 } do
        for _, inner in ipairs { 1, 7, 16, 49, 1024, 1041, 2055 } do
          local x, g = drawn({ n, 3, inner }, dtype), drawn({ n, 3, inner }, dtype)
          local gamma, beta = drawn({ 3 }, dtype), drawn({ 3 }, dtype)
          for _, of in ipairs { x, gamma, beta } do of:attach_grad() end
          local y, mean, inverse = table.unpack(autograd.record(function()
            return call(x, gamma, beta, { fix_gamma = false, output_mean_var = true, eps = 0.25 })
          end))
          y:backward(g)
          local title, sums = ("%d images of %d %s"):format(n, inner, dtype), { axis = 1, exclude = true }
          local function each(v) return v:reshape { 1, 3, 1 } end
          local centred = x - each(mean)
          assert.bits(x:mean(sums), mean, title)
          assert.bits(1 / (centred:square():mean(sums) + 0.25):sqrt(), inverse, title)
          assert.bits(centred * each(gamma * inverse) + each(beta), y, title)
          local product, size = (g * (centred * each(inverse))):sum(sums), n * inner
          assert.bits(product, gamma.grad, title)
          assert.bits(g:sum(sums), beta.grad, title)
          local part = centred * each(inverse) * each(product / size)
          assert.bits((g - each(beta.grad / size) - part) * each(gamma * inverse), x.grad, title)
        end
      end
    end
  end)

  it("returns the mean and 1 / deviation on request, without gradients", function()
    local x = nd.array { { 1, 4 }, { 3, 8 } }
    x:attach_grad()
    local args = { x, nd.ones { 2 }, nd.zeros { 2 }, nd.zeros { 2 }, nd.ones { 2 },
      { output_mean_var = true, eps = 0 } }
    local list = autograd.record(function() return nd.BatchNorm(table.unpack(args)) end)
    assert.same({ { 2, 6 }, { 1, 0.5 } }, { list[2]:totable(), list[3]:totable() })
    autograd.record(function()
      local y = nd.BatchNorm(table.unpack(args))
      return y[1] * 0 + y[2]:sum()
    end):backward()
    assert.equal(0, x.grad:abs():sum():asscalar())
    local given = nd.BatchNorm(x, nd.ones { 2 }, nd.zeros { 2 }, nd.array { 5, 6 }, nd.array { 4, 16 },
      { output_mean_var = true, eps = 0 })
    assert.same({ { 5, 6 }, { 0.5, 0.25 } }, { given[2]:totable(), given[3]:totable() })
  end)

  it("accepts an empty batch and keeps the states", function()
    local mean, var = nd.array { 1, 2 }, nd.array { 3, 4 }
    local y = autograd.train_mode(function()
      return nd.BatchNorm(nd.zeros { 0, 2, 3 }, nd.ones { 2 }, nd.ones { 2 }, mean, var)
    end)
    assert.same({ 0, 2, 3 }, y.shape)
    assert.same({ { 1, 2 }, { 3, 4 } }, { mean:totable(), var:totable() })
  end)

  it("uses ones for a fixed gamma and does not change it", function()
    local gamma = nd.array { 5, 5 }
    gamma:attach_grad()
    local x = nd.array { { 1, 4 }, { 3, 8 } }
    local y = autograd.record(function()
      return nd.BatchNorm(x, gamma, nd.zeros { 2 }, nd.zeros { 2 }, nd.ones { 2 }, { eps = 0 })
    end)
    y:backward()
    assert.same({ { -1, -1 }, { 1, 1 } }, y:totable())
    assert.same({ 0, 0 }, gamma.grad:totable())
    assert.same({ 5, 5 }, gamma:totable())
  end)
end)

describe("the states of BatchNorm", function()
  local function effects(train, options)
    local mean, var = nd.array { 1, 2 }, nd.array { 3, 4 }
    local run = train and autograd.train_mode or autograd.predict_mode
    run(function()
      return nd.BatchNorm(nd.array { { 1, 4 }, { 3, 8 } }, nd.ones { 2 }, nd.zeros { 2 }, mean, var, options)
    end)
    return mean:totable()[1] ~= 1 or var:totable()[1] ~= 3
  end

  it("change only in training, unless use_global_stats is set", function()
    assert.is_true(effects(true))
    assert.is_false(effects(false))
    assert.is_false(effects(true, { use_global_stats = true }))
  end)

  it("change at each call in training, even if its result is unused", function()
    local f = hl.compile(function(F, x, gamma, beta, mean, var)
      local _ = F.BatchNorm(x, gamma, beta, mean, var, { momentum = 0.5 })
      _ = F.BatchNorm(x, gamma, beta, mean, var, { momentum = 0.5 })
      return x * 2
    end)
    local x, one, zero = nd.array { { 1, 4 }, { 3, 8 } }, nd.ones { 2 }, nd.zeros { 2 }
    local mean, var = nd.zeros { 2 }, nd.zeros { 2 }
    for k = 1, 2 do
      autograd.train_mode(function() return f(x, one, zero, mean, var) end)
      assert.same({ 2 * (1 - 0.25 ^ k), 6 * (1 - 0.25 ^ k) }, mean:totable())
    end
    f(x, one, zero, mean, var)
    assert.same({ 2 * (1 - 0.0625), 6 * (1 - 0.0625) }, mean:totable())
  end)

  it("are auxiliary in graphs, with MXNet's initial values", function()
    local s = sym.BatchNorm { data = sym.var "x", name = "bn" }
    assert.same({ "x", "bn_gamma", "bn_beta" }, s:list_arguments())
    assert.same({ "bn_moving_mean", "bn_moving_var" }, s:list_auxiliary_states())
    assert.same({ "bn_output" }, s:list_outputs())
    assert.truthy(s:tojson():find('"__init__": "[\\"one\\", {}]"', 1, true))
  end)

  it("agree for a layer in eager and hybridized training", function()
    local function net()
      hl.random.seed(11)
      local n = nn.HybridSequential()
      n:add(nn.Conv2D(4, 3, { padding = 1 }), nn.BatchNorm(), nn.Activation "relu", nn.BatchNorm { axis = -1 },
            nn.MaxPool2D(2),
            nn.BatchNorm { scale = false, center = false }, nn.GlobalAvgPool2D(), nn.Dense(3))
      n:initialize()
      return n
    end
    local a, b = net(), net()
    b:hybridize()
    local ta = hl.gluon.Trainer(a:collect_params(), "sgd", { learning_rate = 0.1, momentum = 0.9 })
    local tb = hl.gluon.Trainer(b:collect_params(), "sgd", { learning_rate = 0.1, momentum = 0.9 })
    for k = 1, 6 do
      local x = nd.random.uniform(-1, 1, { shape = { 5, 2, 6, 6 } })
      for i, n in ipairs { a, b } do
        autograd.record(function() return n(x):square():sum() end):backward()
        ;(i == 1 and ta or tb):step(5)
      end
      if k % 3 == 0 then assert.bits(b(x), a(x)) end                 -- predict between steps
    end
    local eager = a:collect_params():values()
    for i, param in ipairs(b:collect_params():values()) do assert.bits(param:data(), eager[i]:data(), param.name) end
  end)
end)

describe("nn.BatchNorm", function()
  it("prints, names parameters and learns like MXNet's", function()
    local layer = nn.BatchNorm()
    assert.equal("BatchNorm(axis=1, eps=1e-05, momentum=0.9, fix_gamma=False, use_global_stats=False, " ..
      "in_channels=None)", tostring(layer))
    layer:initialize()
    local x = nd.array { { 1, 2 }, { 3, 6 } }
    autograd.record(function() return layer(x) end):backward()
    assert.allclose(layer.running_mean:data(), { 0.2, 0.4 }, 1e-6)
    assert.allclose(layer.running_var:data(), { 1, 1.3 }, 1e-6)
    assert.equal("BatchNorm(axis=1, eps=1e-05, momentum=0.9, fix_gamma=False, use_global_stats=False, in_channels=2)",
      tostring(layer))
    local names = {}
    for _, name in ipairs(layer:collect_params():keys()) do names[#names + 1] = name:sub(#layer.prefix + 1) end
    assert.same({ "gamma", "beta", "running_mean", "running_var" }, names)
    assert.equal("null", layer.running_mean.grad_req)
    layer.running_mean.grad_req = "write"
    assert.equal("null", layer.running_mean.grad_req)
    local fixed = nn.BatchNorm { scale = false, center = false, in_channels = 2 }
    assert.same({ "null", "null" }, { fixed.gamma.grad_req, fixed.beta.grad_req })
  end)

  it("rejects invalid options", function()
    assert.raises(function() nn.BatchNorm { axis = 1.5 } end, "BatchNorm: axis: expected an integer, got 1.5")
    assert.raises(function() nn.BatchNorm { use_global_stats = 1 } end,
      "BatchNorm: use_global_stats: expected true or false, got 1")
    assert.raises(function() nn.BatchNorm { momentum = "much" } end, "BatchNorm: momentum: expected a number, got much")
    local layer = nn.BatchNorm { axis = 9 }
    layer:initialize()
    assert.raises(function() layer(nd.ones { 1, 2 }) end, "BatchNorm: axis: expected")
    assert.is_true(core.op.row("BatchNorm").train)
  end)
end)

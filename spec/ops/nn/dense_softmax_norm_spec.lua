-- dense_softmax_norm_spec.lua - layers, softmax, losses and normalizations beyond the tests of all rows: LeakyReLU (one
-- form is random), gradients that are not derivatives, inferred shapes, extreme values, threads.
local command = require "support.command"
local examples = require "support.examples"
local core = require "hybridlua.core"
local hl = require "hybridlua"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd
local nn = hl.gluon.nn

local function row(name)
  for _, op in ipairs(core.op.rows()) do if op.name == name then return op end end
end

-- The gradient of the first input.
local function gradient(fn, x, ...)
  local rest = { ... }
  x:attach_grad()
  autograd.record(function() return fn(x, table.unpack(rest)) end):backward()
  return x.grad
end

describe("LeakyReLU", function()
  local op = row "LeakyReLU"
  for n, text in ipairs(examples.of(op)) do
    if not text:find "rrelu" then
      it("has gradients of both orders that match finite differences, in example " .. n, function()
        examples.check_symbolic(op, text)
        examples.check_gradient(op, text, 1e-6)
        examples.check_second_order(op, text, 1e-6)
      end)
    end
  end

  it("accepts one slope, one per channel, or one per element", function()
    local x = -nd.arange(12):reshape { 2, 3, 2 }
    local y = nd.LeakyReLU(x, nd.array { 1, 2, 3 }, { act_type = "prelu" })
    assert.allclose(y, x * nd.array { 1, 2, 3 }:reshape { 1, 3, 1 })
    assert.allclose(nd.LeakyReLU(x, nd.array { 2 }, { act_type = "prelu" }), x * 2)
    assert.allclose(nd.LeakyReLU(nd.array { -1, -2 }, nd.array { 3, 4 }, { act_type = "prelu" }), { -3, -8 })
    local signs = nd.array { { -1, 2, -3, 0 }, { 4, -5, 6, -7 }, { -8, 9, -10, 11 } }
    local each = nd.array { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 } } / 10
    signs:attach_grad()
    each:attach_grad()
    local full = autograd.record(function() return nd.LeakyReLU(signs, each, { act_type = "prelu" }) end)
    full:backward(nd.full({ 3, 4 }, 2))                          -- MXNet 1.9.1's numbers
    assert.allclose(full, { { -0.1, 2, -0.9, 0 }, { 4, -3, 6, -5.6 }, { -7.2, 9, -11, 11 } }, 1e-6)
    assert.allclose(signs.grad, { { 0.2, 2, 0.6, 0.8 }, { 2, 1.2, 2, 1.6 }, { 1.8, 2, 2.2, 2 } }, 1e-6)
    assert.allclose(each.grad, { { -2, 0, -6, 0 }, { 0, -10, 0, -14 }, { -16, 0, -20, 0 } }, 0, 0)
    assert.raises(function() nd.LeakyReLU(x, nd.ones { 2 }, { act_type = "prelu" }) end,
      "LeakyReLU: gamma: expected shape %(3,%), got %(2,%)")
    assert.raises(function() nd.LeakyReLU(x, nd.ones { 3 }, { act_type = "elu" }) end, "expected 1 input")
  end)
end)

describe("inference", function()
  local function arguments(s, shapes)
    local list = {}
    for i, shape in ipairs((s:infer_shape(shapes))) do
      list[i] = s:list_arguments()[i] .. ":" .. table.concat(shape, "x")
    end
    return table.concat(list, " ")
  end
  it("fills in the shapes that layers derive from their data", function()
    local x = sym.var "x"
    assert.equal("x:2x3x4 l_weight:5x12 l_bias:5",
      arguments(sym.FullyConnected { data = x, num_hidden = 5, name = "l" }, { x = { 2, 3, 4 } }))
    assert.equal("x:2x3x4 l_weight:5x4",
                                                   arguments(sym.FullyConnected { data = x, num_hidden = 5,
                                                     flatten = false, no_bias = true, name = "l" },
                                                   { x = { 2, 3, 4 } }))
    assert.equal("x:2x3x4 l_gamma:3",
      arguments(sym.LeakyReLU { data = x, act_type = "prelu", name = "l" }, { x = { 2, 3, 4 } }))
    assert.equal("x:2x3x4 l_gamma:3 l_beta:3",
      arguments(sym.LayerNorm { data = x, axis = 1, name = "l" }, { x = { 2, 3, 4 } }))
    assert.equal("x:2x4x3 l_gamma:2 l_beta:2",
      arguments(sym.GroupNorm { data = x, num_groups = 2, name = "l" }, { x = { 2, 4, 3 } }))
    assert.equal("x:4x3 l_label:4", arguments(sym.SoftmaxOutput { data = x, name = "l" }, { x = { 4, 3 } }))
    assert.equal("x:4x3x2x5 l_label:4x10",
      arguments(sym.SoftmaxOutput { data = x, multi_output = true, name = "l" }, { x = { 4, 3, 2, 5 } }))
    assert.equal("x:4x1 l_label:4", arguments(sym.LinearRegressionOutput { data = x, name = "l" }, { x = { 4, 1 } }))
  end)
end)

describe("softmax", function()
  it("handles extreme values", function()
    assert.allclose(nd.softmax(nd.array { 1000, 0, -1000 }), { 1, 0, 0 })
    assert.allclose(nd.softmax(nd.array { -1 / 0, 0, 0 }), { 0, 0.5, 0.5 })
    assert.allclose(nd.log_softmax(nd.array { -1e30, 0 }), { -1e30, 0 })
    assert.allclose(nd.log_softmax(nd.array { { 1e4, 0 }, { 0, 0 } }, { axis = 0 }),
      { { 0, -math.log(2) }, { -1e4, -math.log(2) } })
    assert.allclose(nd.softmin(nd.array { 1000, 0 }), { 0, 1 })
    for _, y in ipairs { nd.softmax(nd.array { 0 / 0, 1 }),
        nd.softmax(nd.array { { 0 / 0, 1 }, { 1, 2 } }, { axis = 0 })[1][0] } do
      local v = y:totable()[1]
      assert.truthy(v ~= v)
    end
  end)

  it("gives the same results along any axis", function()
    local x = nd.random.normal { shape = { 3, 150, 200 } }
    for _, name in ipairs { "softmax", "log_softmax", "softmin" } do
      local last = nd[name](x:swapaxes(1, 2), { temperature = 0.7 }):swapaxes(1, 2)
      assert.allclose(nd[name](x, { axis = 1, temperature = 0.7 }), last, 1e-5, 1e-7)
    end
    assert.allclose(nd.softmax(x):sum { axis = 2 }, nd.ones { 3, 150 })
  end)

  it("reads only as many elements as the length says", function()
    local x, length = nd.random.normal { shape = { 4, 5 } }, nd.array({ 5, 2, 0, 9 }, { dtype = "int32" })
    local y = nd.softmax(x, length, { use_length = true })
    assert.bits(y[0], nd.softmax(x)[0])
    assert.allclose(y[1]["0:2"], nd.softmax(x[1]["0:2"]))
    assert.allclose(y[1]["2:5"], { 0, 0, 0 })
    assert.allclose(y[2], { 0, 0, 0, 0, 0 })
    assert.bits(y[3], nd.softmax(x)[3])
    assert.allclose(nd.softmax(x:transpose(), length, { use_length = true, axis = 0 }), y:transpose())
    assert.raises(function() nd.softmax(x, nd.ones { 4 }, { use_length = true }) end,
      "length: expected an integer dtype, got float32")
  end)

  it("computes in the requested dtype", function()
    local x = nd.array { { 1, 2, 4 } }
    local y = nd.softmax(x, { dtype = "float64" })
    assert.bits(y, nd.softmax(x:astype "float64"))
    assert.equal("float32", gradient(function(a) return nd.softmax(a, { dtype = "float64" }) end, x).dtype)
    assert.bits(nd.softmax(nd.array({ 1, 2 }, { dtype = "int32" }), { dtype = "float32" }),
      nd.softmax(nd.array { 1, 2 }))
    assert.raises(function() nd.softmax(nd.array({ 1, 2 }, { dtype = "int32" })) end,
      "softmax: data: expected dtype float32 or float64, got int32")
    assert.raises(function() nd.softmax(x, { axis = 2 }) end, "axis: expected an axis from %-2 to 1")
    assert.raises(function() nd.softmax(x, { temperature = 0 }) end, "temperature: expected more than 0")
  end)
end)

-- Gradients that are not derivatives, with MXNet 1.9.1's numbers.
describe("the gradient of", function()
  local X = { { 1, 2, 3 }, { 0.5, -1, 2 }, { 0, 0, 1 } }
  local function of(name, label, options, head)
    local x = nd.array(X)
    x:attach_grad()
    local y = autograd.record(function()
      return label and nd[name](x, nd.array(label), options or {}) or nd[name](x, options or {})
    end)
    autograd.backward(y, head and nd.array(head) or nd.ones { 3, 3 } * 7)
    return x.grad
  end
  local P = { { 0.09003, 0.24473, 0.66524 }, { 0.17529, 0.03911, 0.7856 }, { 0.21194, 0.21194, 0.57612 } }
  local function less_one(places, factor)
    local t = {}
    for r = 1, 3 do
      t[r] = {}
      for k = 1, 3 do t[r][k] = (places[r] and factor or 0) * (P[r][k] - (places[r] == k - 1 and 1 or 0)) end
    end
    return t
  end

  it("SoftmaxOutput is that of the cross entropy", function()
    local function close(expected, ...) assert.allclose(of("SoftmaxOutput", ...), expected, 1e-4, 2e-5) end
    close(less_one({ 2, 1, 0 }, 1), { 2, 1, 0 })
    close(less_one({ 2, 1, 0 }, 2 / 3), { 2, 1, 0 }, { grad_scale = 2, normalization = "batch" })
    close(less_one({ 2, false, 0 }, 1 / 2), { 2, 1, 0 },
      { use_ignore = true, ignore_label = 1, normalization = "valid" })
    close(less_one({ 2, 1, 0 }, 1 / 2), { 2, 1, 0 }, { ignore_label = 1, normalization = "valid" })
    close(less_one({ 0, 9, 9 }, 1), { 0, 3, -1 })
    close({ { 0.04003, 0.19473, -0.23476 }, { 0.12529, -0.86089, 0.7356 }, { -0.68806, 0.16194, 0.52612 } },
      { 2, 1, 0 }, { smooth_alpha = 0.1 })
    close({ { -0.90997, 0.24473, 0.66524 }, { 0.17529, -0.46089, 0.2856 }, { 0.21194, 0.21194, -0.42388 } },
          { { 1, 0, 0 }, { 0, 0.5, 0.5 }, { 0, 0, 1 } })
    local doubled = nd.array(less_one({ 2, 1, 0 }, 1)) * 2
    assert.allclose(of("SoftmaxOutput", { 2, 1, 0 }, { out_grad = true }, { { 2, 2, 2 }, { 2, 2, 2 }, { 2, 2, 2 } }),
      doubled, 1e-4, 4e-5)
    local probabilities = { { 1, 0, 0 }, { 0, 0.5, 0.5 }, { 0, 0, 1 } }
    local above = { { 2, 1, 3 }, { 1, 0, 2 }, { 4, 1, -1 } }
    assert.bits(of("SoftmaxOutput", probabilities, { out_grad = true, grad_scale = 0.5 }, above),
      of("SoftmaxOutput", probabilities, { grad_scale = 0.5 }) * nd.array(above))
  end)

  it("SoftmaxOutput with several labels per sample is divided by their number", function()
    local x = nd.array { { { 1, 0 }, { 2, 0 } } }
    local function check(label, options, expected)
      options.multi_output = true
      assert.allclose(gradient(nd.SoftmaxOutput, x, nd.array(label), options), expected, 1e-4, 1e-5)
    end
    check({ { 0, 1 } }, {}, { { { -0.36553, 0.25 }, { 0.36553, -0.25 } } })
    check({ { { 0, 1 } } }, { normalization = "valid", ignore_label = 0 }, { { { -0.73106, 0.5 }, { 0.73106, -0.5 } } })
  end)

  it("a regression output is that of its loss", function()
    local label = { { 2, 1, 0 }, { 1, 1, 1 }, { 3, 3, 3 } }
    local x = nd.array(X)
    assert.allclose(of("LinearRegressionOutput", label, { grad_scale = 2 }), (x - nd.array(label)) * 2 / 3)
    assert.allclose(of("LogisticRegressionOutput", label), (nd.sigmoid(x) - nd.array(label)) / 3)
    assert.allclose(of("MAERegressionOutput", label), nd.sign(x - nd.array(label)) / 3)
    assert.allclose(gradient(nd.LinearRegressionOutput, nd.array { { 1 }, { 2 } }, nd.array { 0, 5 }),
      { { 1 }, { -3 } })
    assert.raises(function() nd.LinearRegressionOutput(nd.ones { 2, 2 }, nd.ones { 2 }) end,
      "label: expected shape %(2, 2%), got %(2,%)")
  end)

  it("SVMOutput is that of the hinge loss", function()
    assert.allclose(of("SVMOutput", { 2, 1, 0 }), { { 4, 6, 0 }, { 3, -4, 6 }, { -2, 2, 4 } })
    assert.allclose(of("SVMOutput", { 2, 1, 0 }, { use_linear = true, margin = 0.5, regularization_coefficient = 2 }),
                    { { 2, 2, 0 }, { 2, -2, 2 }, { -2, 2, 2 } })
  end)

  it("MakeLoss or make_loss is a constant", function()
    assert.allclose(of("MakeLoss", nil, { grad_scale = 6, normalization = "batch" }), nd.ones { 3, 3 } * 2)
    assert.allclose(of("MakeLoss", nil, { grad_scale = 6, normalization = "valid", valid_thresh = 1 }),
      nd.ones { 3, 3 } * 2)
    assert.allclose(of("MakeLoss", nil, { normalization = "valid", valid_thresh = 99 }), nd.ones { 3, 3 })
    assert.allclose(of "make_loss", nd.ones { 3, 3 })
  end)

  it("LayerNorm ignores the upstream gradients of its mean and deviation", function()
    local x, gamma, beta = nd.random.normal { shape = { 4, 6 } }, nd.ones { 6 }, nd.zeros { 6 }
    x:attach_grad()
    local all
    autograd.record(function() all = nd.LayerNorm(x, gamma, beta, { output_mean_var = true }) end)
    assert.allclose(all[2], x:mean { axis = 1, keepdims = true }, 1e-5, 1e-6)
    assert.allclose(all[3], nd.sqrt(nd.square(x - all[2]):mean { axis = 1, keepdims = true } + 1e-5))
    autograd.backward({ all[1], all[2], all[3] }, { nd.zeros { 4, 6 }, nd.ones { 4, 1 }, nd.ones { 4, 1 } })
    assert.allclose(x.grad, nd.zeros { 4, 6 })
  end)
end)

describe("softmax_cross_entropy", function()
  it("sums the rows' losses, and rejects invalid classes", function()
    local x, label = nd.random.normal { shape = { 6, 4 } }, nd.array { 0, 1, 2, 3, 0, 1 }
    assert.allclose(nd.softmax_cross_entropy(x, label), -nd.log_softmax(x):pick(label):sum())
    assert.allclose(nd.softmax_cross_entropy(nd.array { { 100, 0 } }, nd.array { 1 }), { 100 })
    assert.raises(function() nd.softmax_cross_entropy(x, label + 1) end, "label: expected classes from 0 to 3, got 4")
  end)
end)

describe("normalizations", function()
  it("give each group mean 0 and variance 1", function()
    local x = nd.random.normal { loc = 30, scale = 5, shape = { 3, 4, 150, 2 } }
    local one, zero = nd.ones { 4 }, nd.zeros { 4 }
    local function check(y, axes)
      assert.allclose(y:mean { axis = axes }, nd.zeros_like(y:mean { axis = axes }), 0, 1e-5)
      assert.allclose(nd.square(y):mean { axis = axes }, nd.ones_like(y:mean { axis = axes }), 1e-3)
    end
    check(nd.InstanceNorm(x, one, zero), { 2, 3 })
    check(nd.LayerNorm(x, one, zero, { axis = 1 }), { 1 })
    check(nd.LayerNorm(x, nd.ones { 150 }, nd.zeros { 150 }, { axis = 2 }), { 2 })
    check(nd.GroupNorm(x, nd.ones { 2 }, nd.zeros { 2 }, { num_groups = 2 }):reshape { 3, 2, 600 }, { 2 })
    assert.allclose(nd.square(nd.L2Normalization(x)):sum { axis = { 1, 2, 3 } }, { 1, 1, 1 })
  end)
end)

describe("layers", function()
  it("give the same bits for any number of threads", function()
    local script = command.file [[
local nd, autograd = require "hybridlua".nd, require "hybridlua".autograd
local x = nd.random.normal { shape = { 64, 100, 30 } }
local gamma, beta, scale = nd.random.normal { shape = { 100 } }, nd.random.normal { shape = { 100 } },
  nd.random.normal { shape = { 30 } }
for _, f in ipairs {
  function(v) return nd.softmax(v) end, function(v) return nd.softmax(v, { axis = 1 }) end,
  function(v) return nd.log_softmax(v, { axis = 0 }) end,
  function(v) return nd.LayerNorm(v, scale, scale) end,
  function(v) return nd.LayerNorm(v, gamma, beta, { axis = 1 }) end,
  function(v) return nd.InstanceNorm(v, gamma, beta) end,
  function(v) return nd.L2Normalization(v, { mode = "channel" }) end,
  function(v) return nd.LeakyReLU(v, gamma, { act_type = "prelu" }) end,
  function(v) return nd.Activation(v, { act_type = "tanh" }) end,
  function(v) return nd.softmax_cross_entropy(v:reshape { 6400, 30 }, nd.zeros { 6400 }) end,
  function(v) return nd.SoftmaxOutput(v, nd.zeros { 64, 30 }, { multi_output = true }) end,
} do
  x:attach_grad()
  local y = autograd.record(function() return f(x) end)
  y:backward()
  for _, z in ipairs { y, x.grad } do
    local sum, bytes = 0, z:tobytes()
    for k = 1, #bytes - 3, 4 do sum = sum * 31 + string.unpack("i4", bytes, k) end
    print(sum)
  end
end]]
    local one, code = command.run("HYBRIDLUA_NUM_THREADS=1 " .. command.program .. " " .. script)
    assert.equal(0, code, one)
    assert.equal(one, (command.run("HYBRIDLUA_NUM_THREADS=3 " .. command.program .. " " .. script)))
  end)
end)

describe("a normalization layer", function()
  local x = (nd.arange(24):reshape { 2, 4, 3 }) ^ 1.5 / 10
  -- MXNet 1.9.1's numbers, at indices 0, 1, 5, 11, 12 and 23, with gamma 1, 2, .. and beta 0, 0.5, ..
  local cases = {
    { "LayerNorm(eps=1e-05, axis=-1, center=True, scale=True, in_channels=3)", function() return nn.LayerNorm() end,
      { -1.089304, .028574, 4.748502, 4.704376, -1.216784, 4.688020 } },
    { "LayerNorm(eps=0.001, axis=1, center=True, scale=True, in_channels=4)",
      function() return nn.LayerNorm(1, { epsilon = 1e-3 }) end,
      { -1.140469, -1.193220, -.622692, 7.257224, -1.299029, 7.007092 } },
    { "InstanceNorm(eps=1e-05, axis=1, center=True, scale=False, in_channels=4)",
      function() return nn.InstanceNorm() end,
      { -1.089304, -.235713, 2.999002, 6.439166, -1.216784, 6.417361 } },
    { "InstanceNorm(eps=1e-05, axis=2, center=True, scale=True, in_channels=3)",
      function() return nn.InstanceNorm { axis = 2, scale = true } end,
      { -1.141004, -1.887325, -.684560, 5.319255, -1.299183, 5.130758 } },
    { "GroupNorm(eps=1e-05, num_groups=2, center=True, scale=True)", function() return nn.GroupNorm(2) end,
      { -1.197752, -.942956, 1.650958, 3.538640, -1.429276, 3.474546 } },
    { "GroupNorm(eps=1e-05, num_groups=1, center=True, scale=True)", function() return nn.GroupNorm() end,
      { -1.261295, -1.176812, -.316748, 1.820881, -1.513104, 1.666298 } },
  }
  for _, case in ipairs(cases) do
    it("has MXNet's numbers, names and text: " .. case[1], function()
      local layer, results = case[2](), {}
      layer:initialize()
      layer(x)
      layer.gamma:set_data(nd.arange(layer.gamma.shape[1]) + 1)
      layer.beta:set_data(nd.arange(layer.beta.shape[1]) * .5)
      assert.equal(case[1], tostring(layer))
      assert.truthy(layer.gamma.name:match "norm%d+_gamma$")
      for i = 1, 2 do
        if i == 2 then layer:hybridize() end
        local y = autograd.record(function() return layer(x) end)
        y:backward(nd.arange(24):reshape(x.shape))
        results[i] = { y, layer.beta:grad():copy() }
      end
      assert.bits(results[2][1], results[1][1])
      assert.bits(results[2][2], results[1][2])
      assert.allclose(nd.take(results[1][1]:reshape { -1 }, nd.array { 0, 1, 5, 11, 12, 23 }), case[3], 1e-5, 1e-5)
    end)
  end

  it("trains only its own parameters, and rejects invalid options", function()
    assert.equal("null", nn.InstanceNorm().gamma.grad_req)
    assert.equal("null", nn.LayerNorm { center = false, in_channels = 3 }.beta.grad_req)
    assert.same({ 3 }, { table.unpack(nn.LayerNorm { in_channels = 3 }.gamma.shape) })
    assert.raises(function() nn.LayerNorm { axis = "x" } end,
      "LayerNorm: axis: expected an integer, got the string 'x'")
    assert.raises(function() nn.GroupNorm(0) end, "GroupNorm: num_groups: expected an integer of 1 or more, got 0")
    assert.raises(function() nn.LayerNorm { epsilom = 1 } end, "unknown option 'epsilom'; did you mean 'epsilon'%?")
    assert.raises(function() nn.LayerNorm { scale = 1 } end, "scale: expected true or false, got 1")
  end)

  it("returns its input unchanged if it is Identity", function()
    local layer = nn.Identity()
    assert.equal(x, layer(x))
    layer:hybridize()
    assert.bits(layer(x), x)
  end)
end)

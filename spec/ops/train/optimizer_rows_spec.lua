-- optimizer_rows_spec.lua - optimizer steps: MXNet 1.9.1's numbers for three steps of a weight with two elements,
-- states, writing in place.
local hl = require "hybridlua"
local nd = hl.nd

-- Three steps from {1, -1} with gradient {1, -2}; step(weight, grad, states, t) returns the new weight.
local function three_steps(n_states, step)
  local weight, grad, states, path = nd.array { 1, -1 }, nd.array { 1, -2 }, {}, {}
  for k = 1, n_states do states[k] = nd.zeros { 2 } end
  for t = 1, 3 do
    weight = step(weight, grad, states, t)
    path[t] = weight:totable()
  end
  return path
end

-- Learning rate 0.1, weight decay 0.01, and MXNet's other defaults. The numbers are those of its optimizers; for NAG,
-- whose optimizer changes the momentum, those of its operator.
local cases = {
  { "sgd_mom_update", 1, { { 0.899, -0.799 }, { 0.707201, -0.417301 }, { 0.4338747, 0.1266454 } },
    function(w, g, s) return nd.sgd_mom_update(w, g, s[1], { lr = 0.1, wd = 0.01, momentum = 0.9 }) end },
  { "nag_mom_update", 1, { { 0.8081, -0.6181 }, { 0.53475463, -0.07411559 }, { 0.18845505, 0.61505485 } },
    function(w, g, s) return nd.nag_mom_update(w, g, s[1], { lr = 0.1, wd = 0.01, momentum = 0.9 }) end },
  { "adam_update", 2, { { 0.8999994, -0.8999994 }, { 0.8000013, -0.8 }, { 0.7000076, -0.7000028 } },
    function(w, g, s, t)
      local lr = 0.1 * math.sqrt(1 - 0.999 ^ t) / (1 - 0.9 ^ t)
      return nd.adam_update(w, g, s[1], s[2], { lr = lr, wd = 0.01 })
    end },
  { "adagrad_update", 1, { { 0.899, -0.899 }, { 0.8273903, -0.8273903 }, { 0.7688279, -0.7688279 } },
    function(w, g, s) return nd.adagrad_update(w, g, s[1], { lr = 0.1, wd = 0.01 }) end },
  { "rmsprop_update", 1, { { 0.6837723, -0.6837723 }, { 0.4546976, -0.4545277 }, { 0.2630595, -0.2626621 } },
    function(w, g, s) return nd.rmsprop_update(w, g, s[1], { lr = 0.1, wd = 0.01, gamma1 = 0.9 }) end },
  { "adadelta_update", 2, { { 0.9800005, -0.9800001 }, { 0.9599412, -0.9599405 }, { 0.9399043, -0.9399031 } },
    function(w, g, s) return nd.adadelta_update(w, g, s[1], s[2], { wd = 0.01 }) end },
  { "ftrl_update", 2, { { 0.4492753, -0.5994669 }, { 0.4078711, -0.5472397 }, { 0.371282, -0.5024478 } },
    function(w, g, s) return nd.ftrl_update(w, g, s[1], s[2], { lr = 0.1, wd = 0.01 }) end },
  { "signum_update", 1, { { 0.9, -0.9 }, { 0.8, -0.8 }, { 0.6999999, -0.6999999 } },
    function(w, g, s) return nd.signum_update(w, g, s[1], { lr = 0.1, wd = 0.01, momentum = 0.9 }) end },
  { "ftml_update", 3, { { 0.9, -0.9 }, { 0.8375311, -0.8375157 }, { 0.7865484, -0.7865143 } },
    function(w, g, s, t) return nd.ftml_update(w, g, s[1], s[2], s[3], { lr = 0.1, wd = 0.01, t = t }) end },
  { "lamb_update_phase1", 2, { { 0.9, -0.9 }, { 0.8100001, -0.8099999 }, { 0.7290001, -0.7289999 } },
    function(w, g, s, t)
      local d = nd.lamb_update_phase1(w, g, s[1], s[2], { t = t, wd = 0.01 })
      return nd.lamb_update_phase2(w, d, w:norm(), d:norm(), { lr = 0.1 })
    end },
}

describe("an optimizer step", function()
  for _, case in ipairs(cases) do
    local name, n_states, expected, step = table.unpack(case)
    it("has MXNet's numbers: " .. name,
      function() assert.allclose(three_steps(n_states, step), expected, 3e-6, 2e-7) end)
  end

  it("scales and then clips the gradient, and clips weights", function()
    local w, g = nd.array { 1, 1, 1 }, nd.array { 4, -4, 0.5 }
    assert.allclose(nd.sgd_update(w, g, { lr = 1, rescale_grad = 0.5, clip_gradient = 1 }), { 0, 2, 0.75 })
    assert.allclose(nd.sgd_update(w, g, { lr = 1, clip_gradient = 0 }), { 1, 1, 1 })
    assert.allclose(nd.rmsprop_update(w, g, nd.zeros { 3 }, { lr = 1, clip_weights = 0.5 }), { -0.5, 0.5, -0.5 })
    assert.allclose(nd.signsgd_update(w, g, { lr = 0.1, wd = 0.5 }), { 0.85, 1.05, 0.85 })
  end)

  it("writes the weight in place, and its states", function()
    local w, g, m = nd.array { 1, -1 }, nd.array { 1, -2 }, nd.zeros { 2 }
    local out = nd.sgd_mom_update(w, g, m, { lr = 0.1, momentum = 0.9, out = w })
    assert.equal(w, out)
    assert.allclose(w, { 0.9, -0.8 })
    assert.allclose(m, { -0.1, 0.2 })
    local new = nd.sgd_mom_update(w, g, m, { lr = 0.1, momentum = 0.9 })
    assert.allclose(new, { 0.71, -0.42 })
    assert.allclose(w, { 0.9, -0.8 })
    assert.allclose(m, { -0.19, 0.38 })
  end)

  it("allocates nothing when it writes in place", function()
    local n = 1 << 16
    local w, g, mean, var = nd.ones { n }, nd.ones { n }, nd.zeros { n }, nd.zeros { n }
    collectgarbage()
    collectgarbage "stop"
    local before = hl.memory().live
    nd.adam_update(w, g, mean, var, { lr = 0.1, out = w })
    local after = hl.memory().live
    collectgarbage "restart"
    assert.equal(before, after)
  end)

  it("returns the right weight if out is a state", function()
    local w, g, m = nd.array { 1, -1 }, nd.array { 1, -2 }, nd.array { 0.5, 0.5 }
    nd.sgd_mom_update(w, g, m, { lr = 0.1, momentum = 0.9, out = m })
    assert.allclose(m, { 1 + 0.45 - 0.1, -1 + 0.45 + 0.2 })
  end)

  it("gives the same bits in one call for several weights", function()
    local w1, w2 = nd.random.normal { shape = { 5 } }, nd.random.normal { shape = { 2, 3 } }
    local g1, g2 = nd.random.normal { shape = { 5 } }, nd.random.normal { shape = { 2, 3 } }
    local m1, m2, n1, n2 = nd.ones { 5 }, nd.ones { 2, 3 }, nd.ones { 5 }, nd.ones { 2, 3 }
    local both = nd.multi_sgd_mom_update(w1, g1, m1, w2, g2, m2,
      { lrs = { 0.1, 0.2 }, wds = { 0.01, 0 }, momentum = 0.9, num_weights = 2 })
    assert.bits(both[1], nd.sgd_mom_update(w1, g1, n1, { lr = 0.1, wd = 0.01, momentum = 0.9 }))
    assert.bits(both[2], nd.sgd_mom_update(w2, g2, n2, { lr = 0.2, wd = 0, momentum = 0.9 }))
    assert.bits(m1, n1)
    assert.bits(m2, n2)
    assert.raises(function() nd.multi_sgd_update(w1, g1, { lrs = { 0.1, 0.2 }, wds = { 0 } }) end,
      "lrs: expected 1 numbers")
  end)

  it("writes several weights in one call, in place", function()
    local function arrays() return nd.random.normal { shape = { 5 } }, nd.random.normal { shape = { 2, 3 } } end
    local w1, w2 = arrays()
    local g1, g2 = arrays()
    local one, two = nd.sgd_update(w1, g1, { lr = 0.1, wd = 0.01 }), nd.sgd_update(w2, g2, { lr = 0.2, wd = 0 })
    local options = { lrs = { 0.1, 0.2 }, wds = { 0.01, 0 }, num_weights = 2 }
    local list = { w1, w2 }
    options.out = list
    assert.equal(list, nd.multi_sgd_update(w1, g1, w2, g2, options))
    assert.bits(one, w1)
    assert.bits(two, w2)
  end)

  it("writes several results correctly if they overlap inputs", function()
    local a, b = nd.array { 1, -1 }, nd.array { 3, 5 }
    local options = { lrs = { 1, 1 }, wds = { 0, 0 }, num_weights = 2, out = { b, a } }
    nd.multi_sgd_update(a, b, b, a, options)             -- out is swapped
    assert.allclose(b, { 1 - 3, -1 - 5 })
    assert.allclose(a, { 3 - 1, 5 + 1 })
    local whole = nd.arange(4)
    local low, high = whole["0:2"], whole["2:4"]
    nd.split(whole, { num_outputs = 2, axis = 0, out = { high, low } })
    assert.allclose(whole, { 2, 3, 0, 1 })
  end)

  it("rejects invalid lists of outputs", function()
    local w, g = nd.ones { 2 }, nd.ones { 2 }
    local function call(out)
      return function()
        nd.multi_sgd_update(w, g, w, g, { lrs = { 1, 1 }, wds = { 0, 0 }, num_weights = 2, out = out })
      end
    end
    assert.raises(call { w }, "out: expected 2 arrays, one for each output, got 1")
    assert.raises(call { w, 3 }, "out: expected an NDArray, got an integer")
    assert.raises(call { nd.ones { 2 }, nd.ones { 3 } }, "out: expected float32 %(2,%), got float32 %(3,%)")
    assert.allclose(w, { 1, 1 })
    assert.raises(function() nd.relu(w, { out = { g, g } }) end, "out: expected 1 arrays")
    assert.equal(g, nd.relu(w, { out = { g } }))
  end)

  it("changes nothing in AdamW if the gradient overflowed", function()
    local function step(scale)
      local mean, var = nd.zeros { 2 }, nd.zeros { 2 }
      local w = nd.adamw_update(nd.array { 1, -1 }, nd.array { 1, -2 }, mean, var, nd.array { scale },
        { lr = 0.1, eta = 1 })
      return w, mean
    end
    local w, mean = step(1 / 0)
    assert.allclose(w, { 1, -1 })
    assert.allclose(mean, { 0, 0 })
    w, mean = step(0.5)
    assert.allclose(mean, { 0.05, -0.1 })
    assert.falsy(w:totable()[1] == 1)
  end)

  it("accepts empty weights, and rejects other shapes and dtypes", function()
    assert.same({ 0, 3 }, nd.sgd_update(nd.zeros { 0, 3 }, nd.zeros { 0, 3 }, { lr = 0.1 }).shape)
    assert.raises(function() nd.sgd_update(nd.ones { 2 }, nd.ones { 3 }, { lr = 0.1 }) end,
      "sgd_update: grad: expected shape %(2,%), got %(3,%)")
    assert.raises(function() nd.sgd_update(nd.ones { 2 }, nd.ones { 2 }) end, "sgd_update: lr: ")
    assert.raises(function() nd.sgd_update(nd.ones { 2 }, nd.ones({ 2 }, { dtype = "float64" }), { lr = 0.1 }) end,
                  "grad: expected dtype float32, got float64")
  end)
end)

describe("gradient checks", function()
  it("find infinite elements and NaN, and sum squares", function()
    assert.allclose(nd.all_finite(nd.array { 1, 2 }), { 1 })
    for _, bad in ipairs { 1 / 0, -1 / 0, 0 / 0 } do
      assert.allclose(nd.all_finite(nd.array { 1, bad }), { 0 })
      assert.allclose(nd.multi_all_finite(nd.array { 1 }, nd.array { bad }, { num_arrays = 2 }), { 0 })
    end
    assert.allclose(nd.all_finite(nd.zeros { 0 }), { 1 })
    local long = nd.ones { 200000 }
    long[199999] = 0 / 0
    assert.allclose(nd.all_finite(long), { 0 })
    assert.allclose(nd.multi_sum_sq(nd.array { 1, 2 }, nd.array { 3 }, { num_arrays = 2 }), { 5, 9 })
  end)
end)

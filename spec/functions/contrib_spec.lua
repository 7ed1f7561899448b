-- contrib_spec.lua - rand_zipfian, multi_adamw_update and reset_arrays; figures are MXNet 1.9.1's.
local hl = require "hybridlua"
local nd, sym = hl.nd, hl.sym

describe("contrib.rand_zipfian", function()
  it("has MXNet's expected counts, and samples below range_max", function()
    local samples, of_true, of_samples = table.unpack(nd.contrib.rand_zipfian(nd.array { 3 }, 4, 5))
    assert.equal("int64", samples.dtype)
    assert.allclose(of_true, nd.array({ 0.49815515 }, { dtype = "float64" }), 1e-7, 1e-7)
    local counts = { [0] = 1.54741123, 0.90517754, 0.64223369, 0.49815515, 0.40702239 }
    for i, class in ipairs(samples:totable()) do
      assert.truthy(math.abs(of_samples:totable()[i] - counts[class]) < 1e-7, class)
    end
  end)

  it("draws small classes more often", function()
    local samples = nd.contrib.rand_zipfian(nd.array { 0 }, 20000, 1000)[1]
    local zeros = samples:equal(0):astype("float64"):mean():asscalar()
    assert.truthy(math.abs(zeros - math.log(2) / math.log(1001)) < 0.02, zeros)
  end)

  it("draws the same in a graph", function()
    hl.random.seed(3)
    local eager = nd.contrib.rand_zipfian(nd.array { 3, 1 }, 6, 50)
    hl.random.seed(3)
    local graph = sym.Group(sym.contrib.rand_zipfian(sym.var "c", 6, 50)):eval { c = nd.array { 3, 1 } }
    for i = 1, 3 do assert.bits(graph[i], eager[i]) end
  end)

  it("rejects wrong arguments", function()
    assert.raises(function() nd.contrib.rand_zipfian(3, 4, 5) end, "contrib.rand_zipfian: true_classes: .* got 3")
    assert.raises(function() nd.contrib.rand_zipfian(nd.array { 3 }, 4, 0) end, "range_max: .* got 0")
  end)
end)

describe("_sample_unique_zipfian", function()
  it("returns different classes in each row, all of them if asked", function()
    local samples, tries = table.unpack(nd._sample_unique_zipfian(20, { 3, 20 }))
    for i, row in ipairs(samples:totable()) do
      table.sort(row)
      for k = 1, 20 do assert.equal(k - 1, row[k]) end
      assert.truthy(tries:totable()[i] >= 20)
    end
  end)

  it("rejects more classes than there are", function()
    assert.raises(function() nd._sample_unique_zipfian(4, { 1, 5 }) end,
      "shape: expected at most range_max = 4 .* got 5")
  end)
end)

describe("contrib.multi_adamw_update", function()
  local function operands()
    return { nd.array { 1, -1 }, nd.array { 2 } }, { nd.array { 0.5, -2 }, nd.array { 1 } },
      { nd.array { 0.1, 0.2 }, nd.array { 0.3 } }, { nd.array { 0.3, 0.1 }, nd.array { 0.2 } }
  end

  it("updates all weights and states as MXNet does", function()
    local w, g, m, v = operands()
    nd.contrib.multi_adamw_update(w, g, m, v, nd.array { 0.5 }, { 0.1, 0.2 }, { 0.01, 0.02 }, { 1, 0.5 }, { out = w })
    assert.allclose(w[1], nd.array { 0.968996, -1.015185 }, 1e-5, 1e-6)
    assert.allclose(w[2], nd.array { 1.908455 }, 1e-5, 1e-6)
    assert.allclose(m[1], nd.array { 0.115, 0.08 }, 1e-5, 1e-6)
    assert.allclose(v[1], nd.array { 0.299763, 0.1009 }, 1e-5, 1e-6)
    assert.allclose(v[2], nd.array { 0.20005 }, 1e-5, 1e-6)
  end)

  it("has the bits of adamw_update", function()
    local w, g, m, v = operands()
    local w2, _, m2, v2 = operands()
    nd.contrib.multi_adamw_update(w, g, m, v, 0.5, { 0.1, 0.2 }, { 0.01, 0.02 }, { 1, 0.5 }, { out = w })
    for i = 1, 2 do
      nd.adamw_update(w2[i], g[i], m2[i], v2[i], nd.array { 0.5 },
        { lr = 0.1 * i, wd = 0.01 * i, eta = 1 / i, out = w2[i] })
      for _, pair in ipairs { { w, w2 }, { m, m2 }, { v, v2 } } do assert.bits(pair[1][i], pair[2][i]) end
    end
  end)

  it("changes nothing if rescale_grad is not finite or 0", function()
    for _, scale in ipairs { 0, 1 / 0, 0 / 0 } do
      local w, g, m, v = operands()
      nd.contrib.multi_adamw_update(w, g, m, v, scale, { 0.1, 0.2 }, { 0, 0 }, { 1, 1 }, { out = w })
      assert.bits(w[1], nd.array { 1, -1 })
      assert.bits(m[1], nd.array { 0.1, 0.2 })
    end
  end)

  it("rejects lists of other lengths", function()
    local w, g, m, v = operands()
    assert.raises(function() nd.contrib.multi_adamw_update(w, { g[1] }, m, v, 1, { 1, 1 }, { 0, 0 }, { 1, 1 }) end,
      "contrib_spec.lua:%d+: contrib.multi_adamw_update: grads%[2%]: expected an NDArray or a Symbol, got nothing")
    assert.raises(function() nd.contrib.multi_adamw_update(w, g, m, v, 1, { 1 }, { 0, 0 }, { 1, 1 }) end,
      "lrs: expected 2 numbers, one for each weight, got 1")
  end)
end)

describe("reset_arrays", function()
  it("sets all arrays to zeros", function()
    local a, b = nd.ones { 2, 3 }, nd.ones { 4, dtype = "int32" }
    nd.reset_arrays(a, b, { num_arrays = 2 })
    assert.bits(a, nd.zeros { 2, 3 })
    assert.bits(b, nd.zeros { 4, dtype = "int32" })
  end)

  it("rejects other arguments", function()
    assert.raises(function() nd.reset_arrays(nd.ones { 2 }, 3) end,
      "contrib_spec.lua:%d+: reset_arrays: arg1: .* got 3")
    assert.raises(function() nd.reset_arrays(nd.ones { 2 }, { num_arrays = 3 }) end, "num_arrays: .* 1, got 3")
    assert.raises(function() sym.reset_arrays(sym.var "x") end, "reset_arrays: it writes into its arguments")
  end)
end)

-- weights_update_spec.lua - contrib.update_weights, an optimizer step for several weights with its numbers in an array.
local hl = require "hybridlua"
local nd = hl.nd

local function normal(n, dtype) return nd.random.normal { shape = { n } }:astype(dtype or "float32") end

describe("contrib.update_weights", function()
  it("changes weights and states as the operator that it names", function()
    hl.random.seed(3)
    for _, dtypes in ipairs { { "float32", "float32" }, { "float32", "float64" } } do
      local operands, copies = {}, {}
      for k = 1, 2 do
        for _ = 1, 4 do operands[#operands + 1] = normal(5 + k, dtypes[k]):abs() end
      end
      for i, array in ipairs(operands) do copies[i] = array:copy() end
      -- takes part, lr, beta1, beta2, epsilon, wd, rescale_grad, clip_gradient, lazy_update
      local numbers = nd.array({ { 1, 0.1, 0.9, 0.99, 1e-8, 0.01, 0.5, -1, 1 },
                                 { 1, 0.2, 0.8, 0.9, 1e-6, 0, 1, 0.1, 1 } }, { dtype = "float64" })
      operands[#operands + 1] = numbers
      operands[#operands + 1] = { rule = "adam_update", num_weights = 2, states = 2 }
      assert.allclose(nd.contrib.update_weights(table.unpack(operands)), { true })
      local w, g, m, v = table.unpack(copies, 1, 4)
      nd.adam_update(w, g, m, v, { out = w, lr = 0.1, beta1 = 0.9, beta2 = 0.99, wd = 0.01, rescale_grad = 0.5 })
      w, g, m, v = table.unpack(copies, 5, 8)
      nd.adam_update(w, g, m, v,
        { out = w, lr = 0.2, beta1 = 0.8, beta2 = 0.9, epsilon = 1e-6, clip_gradient = 0.1 })
      for i, copy in ipairs(copies) do assert.bits(copy, operands[i]) end
    end
  end)

  it("leaves out weights whose first number is 0, and says whether one took part", function()
    local w, u, g = nd.array { 1, 2 }, nd.array { 3 }, nd.array { 1 }
    local function update(first, second)
      return nd.contrib.update_weights(w, nd.array { 1, 1 }, u, g,
        nd.array({ { first, 0.5, 0, 1, -1, 1 }, { second, 0.5, 0, 1, -1, 1 } }, { dtype = "float64" }),
        { rule = "sgd_update", num_weights = 2 }):asscalar()
    end
    assert.equal(true, update(0, 1))
    assert.allclose(w, { 1, 2 })
    assert.allclose(u, { 2.5 })
    assert.equal(false, update(0, 0))
    assert.allclose(u, { 2.5 })
  end)

  it("updates weights that share memory one after another", function()
    local w, one = nd.array { 1, 2 }, nd.array({ { 1, 1, 0, 1, -1, 1 }, { 1, 1, 0, 1, -1, 1 } }, { dtype = "float64" })
    nd.contrib.update_weights(w, nd.array { 1, 1 }, w, nd.array { 1, 2 }, one, { rule = "sgd_update", num_weights = 2 })
    assert.allclose(w, { -1, -1 })
  end)

  it("runs in compiled code and loops, in the script's order", function()
    local w = nd.array { 4 }
    local step = hl.compile(function(F, numbers)
      local before = w * 1
      F.contrib.update_weights(w, w * 2, numbers, { rule = "sgd_update" })
      return before
    end)
    local numbers = nd.array({ { 1, 0.25, 0, 1, -1, 1 } }, { dtype = "float64" })
    assert.allclose(step(numbers), { 4 })
    assert.allclose(step(numbers), { 2 })
    assert.allclose(w, { 1 })
  end)

  it("rejects wrong rules, counts and numbers", function()
    local w, g = nd.array { 1, 2 }, nd.array { 1, 2 }
    local function refused(pattern, numbers, options, ...)
      local operands = table.pack(...)
      operands[#operands + 1] = numbers
      operands[#operands + 1] = options
      assert.raises(function() nd.contrib.update_weights(table.unpack(operands)) end, pattern)
    end
    local numbers = nd.zeros({ 1, 6 }, { dtype = "float64" })
    refused("rule: expected the name of an operator that updates a weight, such as 'sgd_update', got 'relu'", numbers,
      { rule = "relu" }, w, g)
    refused("got '_adamw_update'", numbers, { rule = "_adamw_update" }, w, g)
    refused("num_weights: expected 1 or more, got 0", numbers, { rule = "sgd_update", num_weights = 0 }, w, g)
    refused("states: expected 0 for sgd_update, got %-1", numbers, { rule = "sgd_update", states = -1 }, w, g)
    refused("states: expected 2 for adam_update, got 1", numbers, { rule = "adam_update", states = 1 }, w, g, w)
    refused("numbers: expected float64, got float32", nd.zeros { 1, 6 }, { rule = "sgd_update" }, w, g)
    refused("expected shape %(1, 6%), got %(1, 5%)", nd.zeros({ 1, 5 }, { dtype = "float64" }), { rule = "sgd_update" },
      w, g)
    refused("expected shape", numbers, { rule = "sgd_update" }, w, nd.array { 1 })
    assert.allclose(w, { 1, 2 })
  end)
end)

-- autograd_spec.lua - recording and gradients, as scripts use them.
local hl = require "hybridlua"
local nd, autograd = hl.nd, hl.autograd

local function leaf(data, req)
  local x = nd.array(data)
  x:attach_grad(req)
  return x
end

describe("modes", function()
  local function modes() return { autograd.is_recording(), autograd.is_training() } end

  it("nest as in MXNet", function()
    assert.same({ false, false }, modes())
    autograd.record(function()
      assert.same({ true, true }, modes())
      autograd.pause(function() assert.same({ false, false }, modes()) end)
      autograd.predict_mode(function() assert.same({ true, false }, modes()) end)
      autograd.pause(function() assert.same({ false, true }, modes()) end, { train_mode = true })
    end)
    autograd.record(function() assert.same({ true, false }, modes()) end, { train_mode = false })
    autograd.train_mode(function() assert.same({ false, true }, modes()) end)
    assert.same({ false, false }, modes())
  end)

  it("return the results of the function", function()
    assert.same({ 1, nil, 3 }, { autograd.record(function() return 1, nil, 3 end) })
  end)

  it("are restored after an error", function()
    pcall(autograd.record, function() error "no" end)
    assert.same({ false, false }, modes())
    pcall(function()
      local _ <close> = autograd.record()
      error "no"
    end)
    assert.same({ false, false }, modes())
  end)

  it("last for a scope with <close>", function()
    do
      local _ <close> = autograd.record()
      assert.same({ true, true }, modes())
    end
    assert.same({ false, false }, modes())
  end)

  it("are set permanently by set_recording and set_training, which return the old mode", function()
    assert.is_false(autograd.set_recording(true))
    assert.is_true(autograd.set_recording(false))
    assert.is_false(autograd.set_training(true))
    assert.is_true(autograd.set_training(false))
  end)
end)

describe("backward", function()
  it("stores gradients in the leaves", function()
    local x = leaf { 1, 2, 3 }
    assert.allclose(x.grad, { 0, 0, 0 })
    local y = autograd.record(function() return x ^ 2 end)
    y:backward()
    assert.allclose(x.grad, { 2, 4, 6 })
  end)

  it("accepts head gradients and checks their types", function()
    local x = leaf { 1, 2, 3 }
    local y = autograd.record(function() return x ^ 2 end)
    assert.raises(function() y:backward(nd.ones { 2 }) end, "head_grads", "%(3,%)", "%(2,%)", "autograd_spec.lua:%d+")
    y:backward(nd.array { 1, 10, 100 })
    assert.allclose(x.grad, { 2, 40, 600 })
  end)

  it("adds with grad_req add, and does nothing with null", function()
    local x, c = leaf({ 1, 2, 3 }, "add"), leaf({ 1, 1, 1 }, "null")
    for _ = 1, 2 do autograd.record(function() return 3 * x * c end):backward() end
    assert.allclose(x.grad, { 6, 6, 6 })
    assert.is_nil(c.grad)
    x.grad:set(0)
    assert.allclose(x.grad, { 0, 0, 0 })
  end)

  it("starts from several heads", function()
    local a, b = leaf { 1, 1 }, leaf { 2, 2 }
    local u, v = autograd.record(function() return a * b, a + b end)
    autograd.backward({ u, v }, { nd.array { 1, 1 }, nd.array { 10, 10 } })
    assert.allclose(a.grad, { 12, 12 })
    assert.allclose(b.grad, { 11, 11 })
  end)

  it("rejects a second backward without retain_graph", function()
    local x = leaf { 1, 2 }
    local y = autograd.record(function() return x * x end)
    y:backward(nil, { retain_graph = true })
    y:backward()
    assert.allclose(x.grad, { 2, 4 })
    assert.raises(function() y:backward() end, "retain_graph=true", "autograd_spec.lua:%d+")
  end)

  it("rejects heads that are not on the tape", function()
    assert.raises(function() nd.ones { 1 }:backward() end, "autograd.record")
    local x = leaf { 1 }
    local y = x * 2
    assert.raises(function() y:backward() end, "autograd.record")
  end)

  it("treats values computed under pause as constants", function()
    local a = leaf { 1, 1 }
    local o = autograd.record(function()
      local y = a * 2
      local k = autograd.pause(function() return y * 3 end)
      return y * k
    end)
    o:backward()
    assert.allclose(a.grad, { 12, 12 })
  end)

  it("stops at detach", function()
    local a = leaf { 1, 1 }
    autograd.record(function() return (a * 2):detach() * a end):backward()
    assert.allclose(a.grad, { 2, 2 })
  end)

  it("sums all uses of an array, for write and add", function()
    for _, req in ipairs { "write", "add" } do
      for k = 1, 12 do
        local x = leaf({ 0.5, -2 }, req)
        local y = autograd.record(function()
          local sum = x * 1
          for i = 2, k do sum = sum + x * i end
          return sum
        end)
        y:backward()
        assert.allclose(x.grad, { k * (k + 1) / 2, k * (k + 1) / 2 })
      end
    end
  end)

  it("reports overwritten values with the line of the write", function()
    local x = leaf { 1, 2 }
    local y = autograd.record(function() return x * x end)
    x:set(nd.array { 5, 5 })
    assert.raises(function() y:backward() end, "broadcast_mul", "overwritten in place at .*autograd_spec.lua:%d+",
      "copy it first")
    local z = autograd.record(function() return x:exp() end)
    z[0] = 7                                     -- the gradient of exp needs its output
    assert.raises(function() z:backward() end, "its output was overwritten")
    local w = autograd.record(function() return x + 1 end)
    x:set(3)                                     -- no gradient needs x
    w:backward()
    assert.allclose(x.grad, { 1, 1 })
  end)

  it("refuses writes into recorded arrays", function()
    local x = leaf { 1, 2 }
    autograd.record(function()
      local y = x * 2
      assert.raises(function() y[0] = 1 end, "recorded computation", "autograd_spec.lua:%d+")
      assert.raises(function() y:add_(1) end, "recorded computation")
      assert.raises(function() x:set(0) end, "recorded computation")
    end)
  end)

  it("walks long chains without recursion", function()
    local x = leaf { 1 }
    local y = autograd.record(function()
      local y = x
      for _ = 1, 50000 do y = y + 1 end
      return y
    end)
    y:backward()
    assert.allclose(x.grad, { 1 })
  end)
end)

describe("autograd.grad", function()
  it("returns gradients without storing them", function()
    local x = leaf { 1, 2 }
    local y = autograd.record(function() return x ^ 3 end)
    local g = autograd.grad(y, { x }, { head_grads = nd.array { 1, 2 } })
    assert.allclose(g[1], { 3, 24 })
    assert.allclose(x.grad, { 0, 0 })
  end)

  it("returns zeros if no head depends on the variable", function()
    local x, z = leaf { 1, 2 }, leaf { 3, 4 }
    local y = autograd.record(function() return x * 2 end)
    assert.allclose(autograd.grad(y, { x, z })[2], { 0, 0 })
  end)

  it("differentiates gradients of any chain of operators", function()
    local x = leaf { 1, 2 }
    local function second(fn)
      local g = autograd.record(function() return autograd.grad(fn(x), x, { create_graph = true }) end)
      g:backward()
      return x.grad:copy()
    end
    assert.allclose(second(function(v) return v:sin() end), { -math.sin(1), -math.sin(2) })
    assert.allclose(second(function(v) return v:exp() * v end), { 3 * math.exp(1), 4 * math.exp(2) })
    assert.allclose(second(function(v) return v ^ 3 end), { 6, 12 }, 1e-5)
    assert.allclose(second(function(v) return 1 / v end), { 2, 0.25 })
    local function tanh_of_square_second(v)        -- (tanh(v^2))''
      local t = (math.exp(2 * v * v) - 1) / (math.exp(2 * v * v) + 1)
      return 2 * (1 - t * t) - 8 * v * v * t * (1 - t * t)
    end
    assert.allclose(second(function(v) return (v * v):tanh() end),
      { tanh_of_square_second(1), tanh_of_square_second(2) }, 1e-4, 1e-5)
  end)

  it("differentiates a third time", function()
    local x = leaf { 2 }
    local g = autograd.record(function()
      local first = autograd.grad(x ^ 4, x, { create_graph = true })
      return autograd.grad(first, x, { create_graph = true })
    end)
    g:backward()
    assert.allclose(x.grad, { 48 })
  end)
end)

describe("mark_variables", function()
  it("uses the given arrays for gradients", function()
    local a, g = nd.ones { 2 }, nd.zeros { 2 }
    autograd.mark_variables({ a }, { g })
    autograd.record(function() return a * 5 end):backward()
    assert.allclose(g, { 5, 5 })
  end)
end)

describe("autograd.grad", function()
  it("refuses a variable whose tape was freed", function()
    local x = leaf { 1 }
    local y = autograd.record(function() return x * 2 end)
    y:backward()
    local z = autograd.record(function() return x * 3 end)
    assert.raises(function() autograd.grad(z, y) end, "autograd_spec.lua:%d+: autograd.grad: an array",
      "freed by an earlier backward")
    assert.raises(function() autograd.grad({}, y) end, "freed by an earlier backward")
  end)
end)

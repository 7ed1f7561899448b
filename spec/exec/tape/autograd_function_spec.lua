-- autograd_function_spec.lua - autograd.Function: operators with forward and backward in the script.
local hl = require "hybridlua"
local nd, autograd = hl.nd, hl.autograd

local function leaf(data)
  local x = nd.array(data)
  x:attach_grad()
  return x
end

describe("autograd.Function", function()
  local Sigmoid = autograd.Function:subclass "Sigmoid"
  function Sigmoid:forward(x)
    local y = 1 / (1 + (-x):exp())
    self:save_for_backward(y)
    return y
  end
  function Sigmoid:backward(dy)
    local y = self.saved_tensors[1]
    return dy * y * (1 - y)
  end

  it("runs its forward and backward", function()
    local x = leaf { 0, 1 }
    local y = autograd.record(function() return Sigmoid()(x) end)
    y:backward()
    assert.allclose(y, { 0.5, 0.7310586 })
    assert.allclose(x.grad, { 0.25, 0.19661193 })
  end)

  it("can be differentiated again", function()
    local x = leaf { 1 }
    local g = autograd.record(function() return autograd.grad(Sigmoid()(x), x, { create_graph = true }) end)
    g:backward()
    assert.allclose(x.grad, { -0.0908577 })
  end)

  it("supports several inputs and outputs", function()
    local Two = autograd.Function:subclass "Two"
    function Two:forward(a, b) return a + b, a * b end
    function Two:backward(ds, dp) return ds * 2, dp * 3 end
    local a, b = leaf { 1 }, leaf { 5 }
    local s, p = autograd.record(function() return Two()(a, b) end)
    autograd.backward { s, p }
    assert.allclose(a.grad, { 2 })
    assert.allclose(b.grad, { 3 })
  end)

  -- The object survives, with the same gradient, if the script keeps only one of these.
  describe("stays alive while the script holds only", function()
    local function gradient(make)
      local x = leaf { 0.5, -0.25 }
      local y = autograd.record(function() return make(Sigmoid()(x), x) end)
      for _ = 1, 3 do collectgarbage() end
      y:backward()
      return x.grad
    end
    local kept = {
      ["an operator's result"] = { function(y) return (y * 2 + 1):sum() end, { 2, 2 } },
      ["an element"] = { function(y) return y[0] * 2 end, { 2, 0 } },
      ["a slice"] = { function(y) return y["1:2"] * 2 end, { 0, 2 } },
      ["selected rows"] = { function(y) return nd.take(y, nd.array({ 1, 1 }, { dtype = "int32" })):sum() end,
        { 0, 2 } },
      ["a transposed view"] = { function(y) return (y:reshape { 1, 2 }.T * 3):sum() end, { 3, 3 } },
      ["one of several outputs"] = { function(y) return nd.split(y:reshape { 1, 2 }, { num_outputs = 2 })[2] * 5 end,
        { 0, 5 } },
      ["a compiled call's result"] = { function(y) return hl.compile(function(_, v) return v * 4 end)(y):sum() end,
        { 4, 4 } },
      ["a compiled call that captured the output"] = { function(y)
        local f = hl.compile(function(_, v) return v * y end)
        local z = f(nd.array { 2, 3 })
        y, f = nil, nil      -- luacheck: ignore
        return z:sum()
      end, { 2, 3 } },
      ["a result of two objects"] = { function(y, x) return (y + Sigmoid()(x) * 2):sum() end, { 3, 3 } },
    }
    for name, case in pairs(kept) do
      it(name, function()
        local s = { 1 / (1 + math.exp(-0.5)), 1 / (1 + math.exp(0.25)) }
        local expected = { case[2][1] * s[1] * (1 - s[1]), case[2][2] * s[2] * (1 - s[2]) }
        assert.allclose(gradient(case[1]), expected)
      end)
    end

    it("recorded gradients, even those that passed through collected objects", function()
      local function second(drop)
        local x = leaf { 0.5, -0.25 }
        local Half = autograd.Function:subclass "Half"
        function Half:forward(v) return v / 2 end
        function Half:backward(dy) return dy / 2 end
        local g = autograd.record(function()
          local y = Sigmoid()(x)
          local h = Half()(y)
          local g = autograd.grad((h * y):sum(), x, { create_graph = true })
          y, h = nil, nil      -- luacheck: ignore
          if drop then for _ = 1, 3 do collectgarbage() end end
          return g
        end)
        if drop then
          for _ = 1, 3 do collectgarbage() end
          autograd.record(function() return Sigmoid()(leaf { 1 }) end)
        end
        g:backward()
        return x.grad
      end
      assert.bits(second(true), second(false))
    end)

    it("gradients recorded by another object's backward", function()
      local Square = autograd.Function:subclass "Square"
      function Square:forward(x) return x * x end
      function Square:backward(dy) return Sigmoid()(dy) end
      local function second(drop)
        local x = leaf { 0.5, -0.25 }
        local g = autograd.record(function()
          return autograd.grad((Square()(x) * x):sum(), x, { create_graph = true })
        end)
        if drop then for _ = 1, 3 do collectgarbage() end end
        g:backward()
        return x.grad
      end
      assert.bits(second(true), second(false))
    end)
  end)

  it("can be called in a coroutine, and raises its errors there", function()
    local lines = coroutine.wrap(function()
      local x = leaf { 0 }
      autograd.record(function() return Sigmoid()(x) end):backward()
      coroutine.yield(x.grad[0]:asscalar())
      local Bad = autograd.Function:subclass "Bad"
      function Bad:forward(v) return v * 1 end
      function Bad:backward() error "mine" end
      coroutine.yield(select(2, pcall(autograd.backward, autograd.record(function() return Bad()(x) end))))
    end)
    assert.equal(0.25, lines())
    assert.truthy(lines():find "autograd_function_spec.lua:%d+: mine")
  end)

  it("reports wrong results of backward, and propagates its errors", function()
    local Bad = autograd.Function:subclass "Bad"
    function Bad:forward(x) return x * 1 end
    function Bad:backward(dy) return dy, dy end
    local x = leaf { 1 }
    local y = autograd.record(function() return Bad()(x) end)
    assert.raises(function() y:backward() end, "expected 1 gradients", "got 2")
    function Bad:backward() error "mine" end
    assert.raises(function() y:backward() end, "mine")
    function Bad:backward() return nd.ones { 3 } end
    assert.raises(function() y:backward() end, "gradient 0", "%(1,%)", "%(3,%)")
  end)
end)

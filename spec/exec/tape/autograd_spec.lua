-- autograd_spec.lua - recording and gradients, from the user's side.
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

  it("return what the function returns", function()
    assert.same({ 1, nil, 3 }, { autograd.record(function() return 1, nil, 3 end) })
  end)

  it("are restored when an error passes through", function()
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

  it("are set for good by set_recording and set_training, which return what was", function()
    assert.is_false(autograd.set_recording(true))
    assert.is_true(autograd.set_recording(false))
    assert.is_false(autograd.set_training(true))
    assert.is_true(autograd.set_training(false))
  end)
end)

describe("backward", function()
  it("leaves gradients in the leaves", function()
    local x = leaf { 1, 2, 3 }
    assert.allclose(x.grad, { 0, 0, 0 })
    local y = autograd.record(function() return x ^ 2 end)
    y:backward()
    assert.allclose(x.grad, { 2, 4, 6 })
  end)

  it("takes head gradients, checks their type", function()
    local x = leaf { 1, 2, 3 }
    local y = autograd.record(function() return x ^ 2 end)
    assert.raises(function() y:backward(nd.ones { 2 }) end, "head_grads", "%(3,%)", "%(2,%)", "autograd_spec.lua:%d+")
    y:backward(nd.array { 1, 10, 100 })
    assert.allclose(x.grad, { 2, 40, 600 })
  end)

  it("adds with grad_req add, does nothing with null", function()
    local x, c = leaf({ 1, 2, 3 }, "add"), leaf({ 1, 1, 1 }, "null")
    for _ = 1, 2 do autograd.record(function() return 3 * x * c end):backward() end
    assert.allclose(x.grad, { 6, 6, 6 })
    assert.is_nil(c.grad)
    x.grad:set(0)
    assert.allclose(x.grad, { 0, 0, 0 })
  end)

  it("goes back from several heads at once", function()
    local a, b = leaf { 1, 1 }, leaf { 2, 2 }
    local u, v = autograd.record(function() return a * b, a + b end)
    autograd.backward({ u, v }, { nd.array { 1, 1 }, nd.array { 10, 10 } })
    assert.allclose(a.grad, { 12, 12 })
    assert.allclose(b.grad, { 11, 11 })
  end)

  it("runs twice only with retain_graph, and says so", function()
    local x = leaf { 1, 2 }
    local y = autograd.record(function() return x * x end)
    y:backward(nil, { retain_graph = true })
    y:backward()
    assert.allclose(x.grad, { 2, 4 })
    assert.raises(function() y:backward() end, "retain_graph=true", "autograd_spec.lua:%d+")
  end)

  it("explains heads that are not on the tape", function()
    assert.raises(function() nd.ones { 1 }:backward() end, "autograd.record")
    local x = leaf { 1 }
    local y = x * 2
    assert.raises(function() y:backward() end, "autograd.record")
  end)

  it("treats what was computed under pause as constant", function()
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

  it("sums k uses of one array, for write and add", function()
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

  it("finds values that were overwritten, and says where", function()
    local x = leaf { 1, 2 }
    local y = autograd.record(function() return x * x end)
    x:set(nd.array { 5, 5 })
    assert.raises(function() y:backward() end, "broadcast_mul", "overwritten in place at .*autograd_spec.lua:%d+",
      "copy it first")
    local z = autograd.record(function() return x:exp() end)
    z[0] = 7                                     -- exp's gradient needs its output
    assert.raises(function() z:backward() end, "its output was overwritten")
    local w = autograd.record(function() return x + 1 end)
    x:set(3)                                     -- nothing of x is needed: fine
    w:backward()
    assert.allclose(x.grad, { 1, 1 })
  end)

  it("refuses writing into what is recorded", function()
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
  it("returns gradients and stores none", function()
    local x = leaf { 1, 2 }
    local y = autograd.record(function() return x ^ 3 end)
    local g = autograd.grad(y, { x }, { head_grads = nd.array { 1, 2 } })
    assert.allclose(g[1], { 3, 24 })
    assert.allclose(x.grad, { 0, 0 })
  end)

  it("gives zeros where nothing depends on the variable", function()
    local x, z = leaf { 1, 2 }, leaf { 3, 4 }
    local y = autograd.record(function() return x * 2 end)
    assert.allclose(autograd.grad(y, { x, z })[2], { 0, 0 })
  end)

  it("differentiates again, any product of operators", function()
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
  it("uses the arrays given", function()
    local a, g = nd.ones { 2 }, nd.zeros { 2 }
    autograd.mark_variables({ a }, { g })
    autograd.record(function() return a * 5 end):backward()
    assert.allclose(g, { 5, 5 })
  end)
end)

describe("autograd.grad", function()
  it("refuses a variable whose tape was let go", function()
    local x = leaf { 1 }
    local y = autograd.record(function() return x * 2 end)
    y:backward()
    local z = autograd.record(function() return x * 3 end)
    assert.raises(function() autograd.grad(z, y) end, "autograd_spec.lua:%d+: autograd.grad: an array",
      "let go by an earlier backward")
    assert.raises(function() autograd.grad({}, y) end, "let go by an earlier backward")
  end)
end)

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

  it("has several inputs and outputs", function()
    local Two = autograd.Function:subclass "Two"
    function Two:forward(a, b) return a + b, a * b end
    function Two:backward(ds, dp) return ds * 2, dp * 3 end
    local a, b = leaf { 1 }, leaf { 5 }
    local s, p = autograd.record(function() return Two()(a, b) end)
    autograd.backward { s, p }
    assert.allclose(a.grad, { 2 })
    assert.allclose(b.grad, { 3 })
  end)

  -- What becomes of the object when all but one thing is dropped: the gradient is the same.
  describe("is kept by whatever comes of its outputs, alone:", function()
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
      ["rows by an array"] = { function(y) return nd.take(y, nd.array({ 1, 1 }, { dtype = "int32" })):sum() end,
        { 0, 2 } },
      ["a transposed view"] = { function(y) return (y:reshape { 1, 2 }.T * 3):sum() end, { 3, 3 } },
      ["one of several outputs"] = { function(y) return nd.split(y:reshape { 1, 2 }, { num_outputs = 2 })[2] * 5 end,
        { 0, 5 } },
      ["a compiled call's result"] = { function(y) return hl.compile(function(_, v) return v * 4 end)(y):sum() end,
        { 4, 4 } },
      ["a compiled call that captured it"] = { function(y)
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

    it("recorded gradients, also where they passed through objects that are gone", function()
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

    it("gradients that another object's backward recorded", function()
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

  it("may be called in a coroutine, and takes its errors there", function()
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
    assert.truthy(lines():find "autograd_spec.lua:%d+: mine")
  end)

  it("explains what backward returned wrongly, and passes its errors on", function()
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

describe("an array carried over a backward", function()
  local command = require "support.command"
  local gluon = hl.gluon

  local Cell = gluon.HybridBlock:subclass "Cell"
  function Cell:init() self.w = self.params:get("w", { shape = { 1 }, init = hl.init.Constant(2) }) end
  function Cell:hybrid_forward(_, h, x, p)
    h = h * p.w + x
    return h * h, h
  end

  local function cell(hybridized)
    local net = Cell()
    net:initialize()
    if hybridized then net:hybridize() end
    return net
  end

  -- Gradients of w over four batches, as MXNet 1.9.1 gives them; prepare(h) is done to the state in between.
  local function gradients(net, options, prepare)
    local list, h, l = {}, nd.array { 1 }, nil
    for t = 1, 4 do
      autograd.record(function() l, h = net(h, nd.array { t }) end, options)
      l:backward()
      list[t] = net.w:grad():asscalar()
      if prepare then h = prepare(h) end
    end
    return list, h:asscalar()
  end

  it("is a constant from there on, as in MXNet", function()
    for _, hybridized in ipairs { false, true } do
      local list, h = gradients(cell(hybridized), { carried = "cut" })
      assert.same({ 6, 48, 304, 1596 }, list)
      assert.equal(42, h)
      assert.same(list, (gradients(cell(hybridized), nil, function(state) return state:detach() end)))
    end
  end)

  it("is cut at the same places, eager and hybridized, with the same bits", function()
    local function run(hybridized)
      hl.random.seed(5)
      local Rnn = gluon.HybridBlock:subclass "Rnn"
      function Rnn:init()
        self.i, self.h, self.o = gluon.nn.Dense(4, { in_units = 3 }), gluon.nn.Dense(4, { in_units = 4 }),
          gluon.nn.Dense(2, { in_units = 4 })
      end
      function Rnn:hybrid_forward(F, x, h, c)
        c = c * F.sigmoid(self.h(h)) + self.i(x)
        h = F.tanh(c)
        return self.o(h), h, c
      end
      local net = Rnn()
      net:initialize(hl.init.Normal(0.5))
      if hybridized then net:hybridize() end
      local h, c = nd.zeros { 2, 4 }, nd.zeros { 2, 4 }
      for _ = 1, 5 do
        local x, out, l = nd.random.normal(0, 1, { 2, 3 }), nil, nil
        autograd.record(function()
          out, h, c = net(x, h, c)
          l = (out * out):sum()
        end, { carried = "cut" })
        l:backward()
      end
      local list = { h, c }
      for _, p in ipairs(net:collect_params():values()) do list[#list + 1] = p:grad() end
      return list
    end
    local eager, compiled = run(false), run(true)
    for i, x in ipairs(eager) do assert.bits(x, compiled[i]) end
  end)

  -- A block of a few random operators on its states and w, whose outputs are values inside it or made of them; over
  -- four batches random heads go back, some with retain_graph. Gradients, or the error that ends it, as text.
  local function random_run(seed, hybridized)
    local random = math.random
    math.randomseed(seed)
    local n_states, n_ops = random(1, 3), random(2, 6)
    local ops, outs = {}, {}
    for i = 1, n_ops do ops[i] = { random(1, 4), random(1, n_states + i - 1), random(1, n_states + i - 1) } end
    for k = 1, n_states + 1 do outs[k] = random(1, n_states + n_ops) end
    local Random = gluon.HybridBlock:subclass "Random"
    function Random:init() self.w = self.params:get("w", { shape = { 3 }, init = "ones" }) end
    function Random:hybrid_forward(F, ...)
      local v, results = { ... }, {}
      local w = table.remove(v).w
      for k = 1, n_states do v[k] = v[k] * w end
      for _, op in ipairs(ops) do
        local a, b = v[op[2]], v[op[3]]
        v[#v + 1] = op[1] == 1 and a * w or op[1] == 2 and F.tanh(a) + b or op[1] == 3 and a * b or F.sin(a) * w
      end
      for k, i in ipairs(outs) do results[k] = i > n_states and (i + k) % 2 == 0 and v[i] or v[i] * 1 end
      return table.unpack(results)
    end
    local net, states, lines = Random(), {}, {}
    net:initialize()
    if hybridized then net:hybridize() end
    for k = 1, n_states do states[k] = nd.array { 0.1 * k, 0.2, 0.3 } end
    local ok = true
    for _ = 1, 4 do
      local heads, retain, message = random(1, n_states + 1), random(1, 3) == 1
      ok, message = pcall(function()
        local results
        autograd.record(function() results = { net(table.unpack(states)) } end, { carried = "cut" })
        autograd.backward(table.move(results, 1, heads, 1, {}), nil, { retain_graph = retain })
        states = table.move(results, 2, n_states + 1, 1, {})
      end)
      lines[#lines + 1] = ok and table.concat(net.w:grad():totable(), " ") or
        message:match "was let go by an earlier backward" or message
      if not ok then break end
    end
    return table.concat(lines, "\n"), ok
  end

  it("is cut alike for random outputs, heads and retain_graph", function()
    local whole = 0
    for seed = 1, 150 do
      local eager, ok = random_run(seed, false)
      assert.equal(eager, (random_run(seed, true)), "seed " .. seed)
      if ok then whole = whole + 1 end
    end
    assert.truthy(whole > 20, whole)
  end)

  it("is not cut where retain_graph kept its tape, nor where it was only computed before", function()
    for _, hybridized in ipairs { false, true } do
      local net, l, h, m = cell(hybridized), nil, nil, nil
      autograd.record(function() l, h = net(nd.array { 1 }, nd.array { 1 }) end)
      l:backward { retain_graph = true }
      autograd.record(function() m = h * net.w:data() end, { carried = "error" })
      m:backward()
      assert.equal(5, net.w:grad():asscalar())              -- (w + 1) w
      autograd.record(function() l, h = net(nd.array { 1 }, nd.array { 1 }) end)
      autograd.record(function() m = h * net.w:data() end, { carried = "error" })
      m:backward()
      assert.equal(5, net.w:grad():asscalar())
    end
  end)

  it("that was recorded upon before the backward is still an error", function()
    for _, hybridized in ipairs { false, true } do
      local net, l, h, z = cell(hybridized), nil, nil, nil
      autograd.record(function()
        l, h = net(nd.array { 1 }, nd.array { 1 })
        z = h * 2
      end)
      l:backward()
      assert.raises(function() z:backward() end, "autograd_spec.lua:%d+: backward: part of the tape",
        "was let go by an earlier backward")
      assert.raises(function() h:backward() end, "the tape was let go by an earlier backward")
    end
  end)

  it("can be refused, and other words are too", function()
    for _, hybridized in ipairs { false, true } do
      assert.raises(function() gradients(cell(hybridized), { carried = "error" }) end,
                    "autograd_spec.lua:%d+: autograd.record: carried: " ..
                    "an array computed at [^\n]*autograd_spec.lua:%d+ is used here, but the backward at [^\n" ..
                      "]*autograd_spec.lua:%d+ let its " ..
                    "tape go", "x:detach")
    end
    assert.raises(function() autograd.record(function() end, { carried = "maybe" }) end,
                  "autograd_spec.lua:%d+: autograd.record: carried: expected 'warn', 'cut' or 'error', got maybe")
    assert.raises(function() autograd.record { carried = 3 } end,
      "carried: expected 'warn', 'cut' or 'error', got an integer")
    do
      local _ <close> = autograd.record { carried = "cut" }
      local net, h = cell(false), nd.array { 1 }
      for _ = 1, 2 do
        local l
        l, h = net(h, h)
        l:backward()
      end
    end
    assert.falsy(autograd.is_recording())
  end)

  it("is cut in compiled training steps too, by the option of the record in them", function()
    local function run(compiled, carried)
      local net = gluon.nn.Dense(2, { in_units = 2 })
      net:initialize(hl.init.One())
      local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.1 })
      local function step(F, x, h)
        local l, state
        autograd.record(function()
          state = F.tanh(net(x) + h)
          l = (state * state):sum()
        end, { carried = carried })
        l:backward()
        trainer:step(2)
        return l, state
      end
      local f = compiled and hl.compile(step) or function(x, h) return step(nd, x, h) end
      local h, losses = nd.zeros { 2, 2 }, {}
      for t = 1, 4 do
        losses[t], h = f(nd.ones { 2, 2 } * (0.1 * t), h)
      end
      return nd.stack(losses, { axis = 0 })
    end
    assert.bits(run(false, "cut"), run(true, "cut"))
    for _, compiled in ipairs { false, true } do
      assert.raises(function() run(compiled, "error") end, "autograd.record: carried: an array computed at")
    end
  end)

  it("is warned of once, with the lines", function()
    local name = os.tmpname()
    local file = command.file [[
local hl = require "hybridlua"
local nd, autograd = hl.nd, hl.autograd
local w = nd.array {2}
w:attach_grad()
local function run(hybridized)
  local f = function(F, h, c, v) h = h * v + c  c = c * v  return h * c, h, c end
  if hybridized then f = hl.gluon.nn.HybridLambda(f) f:hybridize() else f = hl.gluon.nn.HybridLambda(f) end
  local h, c = nd.array {1}, nd.array {1}
  for t = 1, 3 do
    local l
    autograd.record(function() l, h, c = f(h, c, w) end)
    l:backward()
  end
end
run(arg[1] == "hybridized")
]]
    for _, how in ipairs { "eager", "hybridized" } do
      os.execute(("%s %s %s 2>%s"):format(command.program, file, how, name))
      local handle <close> = assert(io.open(name))
      local text = handle:read "a"
      local _, count = text:gsub("UserWarning", "")
      assert.equal(1, count, text)
      assert.matches(":%d+: UserWarning: an array computed at [^\n]-:%d+ is carried over the backward at [^\n" ..
        "]-:12, which let its tape go", text)
      assert.matches("x:detach%(%) where it is carried, or autograd.record%(f, {carried = \"cut\"}%)", text)
    end
    os.remove(name)
  end)
end)

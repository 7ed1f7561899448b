-- compiled_step_spec.lua - whole training steps as one compiled function: network, loss, backward and update. The
-- results have the bits of eager steps.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local function new_training(optimizer, options)
  hl.random.seed(7)
  local net = nn.HybridSequential()
  net:add(nn.Dense(12, { activation = "relu" }), nn.Dropout(0.3), nn.Dense(4))
  net:initialize()
  local loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
  local trainer = gluon.Trainer(net:collect_params(), optimizer, options or { learning_rate = 0.05 })
  local function step(_, x, y)
    local loss = autograd.record(function() return loss_of(net(x), y) end)
    loss:backward()
    trainer:step(x.shape[1])
    return loss
  end
  return { net = net, trainer = trainer, step = step, loss_of = loss_of }
end

local function batch(n)
  return nd.random.normal { shape = { n, 6 } }, nd.random.randint(0, 4, { shape = { n } }):astype "float32"
end

local function weights(t)
  return { t.net[0].weight:data(), t.net[0].bias:data(), t.net[2].weight:data(), t.net[2].bias:data() }
end

describe("a compiled training step", function()
  for _, optimizer in ipairs { "sgd", "nag", "adam", "adamw", "rmsprop", "adagrad", "ftrl", "adadelta" } do
    it("matches eager steps to the bit with " .. optimizer, function()
      local function train(compiled)
        local t = new_training(optimizer, {})
        local run = compiled and hl.compile(t.step) or function(x, y) return t.step(nd, x, y) end
        local losses = {}
        for i = 1, 30 do losses[i] = run(batch(i % 10 == 0 and 5 or 8)) end
        return losses, weights(t)
      end
      local eager_losses, eager = train(false)
      local losses, compiled = train(true)
      for i = 1, #eager_losses do assert.bits(losses[i], eager_losses[i]) end
      for i = 1, #eager do assert.bits(compiled[i], eager[i]) end
    end)
  end

  it("follows the learning rate and leaves gradients readable", function()
    local t, u = new_training "sgd", new_training "sgd"
    local run = hl.compile(t.step)
    local x, y = batch(8)
    for i = 1, 6 do
      t.trainer:set_learning_rate(0.1 / i)
      u.trainer:set_learning_rate(0.1 / i)
      hl.random.seed(i)
      run(x, y)
      hl.random.seed(i)
      u.step(nd, x, y)
    end
    assert.bits(t.net[0].weight:data(), u.net[0].weight:data())
    assert.bits(t.net[0].weight:grad(), u.net[0].weight:grad())
    assert.equal(1, #run:explain { format = "table" }.traces)
    assert.truthy(run:explain():find("training step: backward  .*compiled_step_spec.lua:%d+\n"
                                       .. "  training step: Trainer.step  .*compiled_step_spec.lua:%d+"))
  end)

  it("may return other values than the loss", function()
    local t, u = new_training "sgd", new_training "sgd"
    local function step(self, x, y)
      local out, loss = autograd.record(function()
        local out = self.net(x)
        return out, self.loss_of(out, y)
      end)
      autograd.backward(loss)
      self.trainer:step(8)
      return { predictions = out }
    end
    local run = hl.compile(function(_, a, b) return step(t, a, b) end)
    local x, y = batch(8)
    hl.random.seed(1)
    local a = run(x, y)
    hl.random.seed(1)
    local b = step(u, x, y)
    assert.bits(a.predictions, b.predictions)
    assert.bits(t.net[2].weight:data(), u.net[2].weight:data())
  end)

  it("can compute with the loss after the step", function()
    local t, u = new_training "sgd", new_training "sgd"
    local function with_mean(self) return function(F, x, y) return self.step(F, x, y):mean() * 2, F.zeros { 2 } end end
    local run, x, y = hl.compile(with_mean(t)), batch(8)
    for i = 1, 3 do
      hl.random.seed(i)
      local a, zeros = run(x, y)
      hl.random.seed(i)
      assert.bits(with_mean(u)(nd, x, y), a)
      assert.allclose(zeros, { 0, 0 })
    end
    assert.bits(t.net[2].weight:data(), u.net[2].weight:data())
  end)

  it("can set the learning rate, zero gradients and clip them", function()
    local function training(compiled)
      local t = new_training("sgd", { learning_rate = .5 })
      local params = t.net:collect_params()
      params:setattr("grad_req", "add")
      local function step(_, x, y, rate)
        t.trainer:set_learning_rate(rate)
        params:zero_grad()
        local loss = autograd.record(function() return t.loss_of(t.net(x), y) end)
        loss:backward()
        local gradients = {}
        for i, param in ipairs(params:values()) do gradients[i] = param:grad() end
        gluon.utils.clip_global_norm(gradients, 0.05)
        t.trainer:step(1)
        return loss
      end
      t.run = compiled and hl.compile(step) or function(...) return step(nd, ...) end
      return t
    end
    local t, u = training(true), training(false)
    local x, y = batch(8)
    for i = 1, 8 do
      for _, one in ipairs { t, u } do
        hl.random.seed(i)
        if i == 5 then one.net:initialize { force_reinit = true } end      -- replaces weights and gradients
        one.run(x, y, i % 2 == 0 and 0.25 or 0.5)          -- two traces, used alternately
      end
      for k, w in ipairs(weights(t)) do assert.bits(weights(u)[k], w) end
    end
    local text = t.run:explain()
    for _, what in ipairs { "set_learning_rate", "zero_grad", "backward", "clip_global_norm", "Trainer.step" } do
      assert.truthy(text:find("training step: " .. what, 1, true), what)
    end
  end)

  it("reports the line of a failing action", function()
    local t = new_training "sgd"
    local x, y = batch(8)
    local unused = gluon.Parameter("unused", { shape = { 2 } })
    unused:initialize()
    local other = gluon.Trainer({ unused }, "sgd")
    local line = debug.getinfo(1, "l").currentline + 4
    local stale, why = pcall(hl.compile(function(_, a, b)
      autograd.record(function() return t.loss_of(t.net(a), b) end):backward()
      other:step(1)
    end), x, y)
    assert.falsy(stale)
    assert.truthy(why:find("compiled_step_spec.lua:" .. line - 1 .. ": Gradient of Parameter", 1, true), why)
    line = debug.getinfo(1, "l").currentline + 4
    local ok, message = pcall(hl.compile(function(_, a, b)
      local l = autograd.record(function() return t.loss_of(t.net(a), b) end)
      l:backward()
      l:backward()
      return l
    end), x, y)
    assert.falsy(ok)
    assert.truthy(message:find("compiled_step_spec.lua:" .. line .. ": backward: head: the tape was freed", 1, true),
      message)
    assert.raises(function()
      hl.compile(function(F) hl.random.seed(1) return F.random.normal { shape = { 2 } } end)()
    end,
                  "random.seed: in a hybridized block or compiled function it would seed only once")
  end)

  it("raises an error with the line if its effects would come too late", function()
    local t = new_training "sgd"
    local x, y = batch(8)
    local function refused(fn, ...)
      assert.raises(function() hl.compile(fn)(x, y) end, "compiled_step_spec.lua:%d+", ...)
    end
    refused(function(F, a, b) t.step(F, a, b) return t.net(a) end,
            "after backward or Trainer.step in a compiled function only values computed before can be used",
            "not parameters")
    refused(function(F, a, b) t.step(F, a, b) return a + 1 end, "add: after backward", "not parameters and arrays")
    refused(function(F, a, b) t.step(F, a, b) return F.random.normal { shape = { 2 } } end,
      "not operators that draw or write")
    refused(function(_, a, b) local l = t.loss_of(t.net(a), b) l:backward() return l end, "inside autograd.record")
    refused(function(_, a, b)
      local out = t.net(a)                                   -- not recorded, as in eager code
      local l = autograd.record(function() return t.loss_of(out, b) end)
      l:backward()
      return l
    end, "got one that is not on the tape")
    assert.raises(function() hl.compile(t.step, { check = 1 })(x, y) end, "check", "cannot run twice")
    assert.raises(function() hl.compile(function(a) return t.net(a) end)(x) end,
      "compiled_step_spec.lua:%d+: FullyConnected: data: " ..
      "expected an NDArray or a Symbol, got F, the table of operators; " ..
      "hybrid_forward and functions given to hl.compile take it first: function%(F, x%)")
    assert.raises(function() hl.compile(function(a) return a + 1 end)(x) end,
      "compiled_step_spec.lua:%d+: attempt to perform arithmetic on a table value: it is F",
      "%(the function receives F, the table of operators, before its 1 argument: write function%(F, x%)")
    assert.allclose(hl.compile(function(F) return F.zeros { 2 } end)(x), { 0, 0 })   -- unused arguments may be omitted
    local block = gluon.HybridBlock:subclass "Backward"
    function block:hybrid_forward(_, a) a:backward() return a end
    local b = block()
    b:hybridize()
    assert.raises(function() b(x) end, "compiled_step_spec.lua:%d+", "backward", "outside the block")
  end)
end)

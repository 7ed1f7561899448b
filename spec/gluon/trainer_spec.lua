-- trainer_spec.lua - Trainer. The numbers and error texts are from MXNet 1.9.1.
local hl = require "hybridlua"
local nd, init, gluon, autograd, nn = hl.nd, hl.init, hl.gluon, hl.autograd, hl.gluon.nn

local function parameter(name, value)
  local p = gluon.Parameter(name or "w", { shape = { 2 } })
  p:initialize(value or init.One())
  return p
end

local function back(p)
  autograd.record(function() return (p:data() * nd.array { 1, 2 }):sum() end):backward()
end

describe("a trainer", function()
  it("steps like MXNet's", function()
    local w = parameter()
    local t = gluon.Trainer({ w = w }, "sgd", { learning_rate = .1 })
    assert.equal(.1, t.learning_rate)
    back(w); t:step(1)
    assert.allclose(w:data(), { .9, .8 })
    back(w); t:step(4)
    assert.allclose(w:data(), { .875, .75 })
    assert.allclose(w:grad(), { 1, 2 })
    assert.raises(function() t:step(1) end,
      "Gradient of Parameter 'w' on context cpu%(0%) has not been updated by backward since the last step")
    t:step(1, true)
    t:step(1, { ignore_stale_grad = true })
    assert.allclose(w:data(), { .875, .75 })
    t:set_learning_rate(.01)
    assert.equal(.01, t.learning_rate)
    back(w); t:step(1)
    assert.allclose(w:data(), { .865, .73 })
    back(w); t:allreduce_grads(); t:update(1)
    assert.allclose(w:data(), { .855, .71 })
    w.lr_mult = 0.0
    back(w); t:step(1)
    assert.allclose(w:data(), { .855, .71 })
    w.lr_mult, w.grad_req = 1.0, "add"
    back(w); back(w)
    assert.allclose(w:grad(), { 2, 4 })
    w:zero_grad()
    assert.allclose(w:grad(), { 0, 0 })
    local t2 = gluon.Trainer({ w }, hl.optimizer.Adam { learning_rate = .1 })
    back(w); t2:step(1)
    assert.allclose(w:data(), { 0.7549994, 0.6099994 }, 1e-6)
  end)

  local RULES = { SGD = { {}, { momentum = .9 } }, RMSProp = { {}, { centered = true, clip_weights = .8 } },
    Signum = { {}, { momentum = 0 } } }
  for _, name in ipairs { "SGD", "NAG", "Signum", "Adam", "AdamW", "RMSProp", "AdaGrad", "AdaDelta", "Ftrl", "FTML",
      "LAMB", "Adamax" } do
    it("updates all parameters at once with " .. name .. ", to the same bits as one by one", function()
      local function train(options, at_once)
        hl.random.seed(3)
        local net = nn.Sequential()
        for i = 1, 12 do net:add(nn.Dense(2 + i % 3)) end
        net:initialize(init.Normal(.5))
        local all = { wd = .01, clip_gradient = .2,
          lr_scheduler = hl.lr_scheduler.FactorScheduler { step = 2, factor = .5, base_lr = .1 } }
        for key, value in pairs(options) do all[key] = value end
        local rule, t = hl.optimizer[name](all), nil
        local update = rule.update
        if not at_once then rule.update = function(...) return update(...) end end
        for i = 1, 5 do
          local x = nd.random.normal { shape = { 4, 3 } }
          autograd.record(function() return net(x):sum() end):backward()
          t = t or gluon.Trainer(net:collect_params(), rule)
          if i == 3 then net[4].bias.lr_mult, net[5].weight.wd_mult = .5, 0 end
          t:step(4)
        end
        return net:collect_params():values()
      end
      for _, options in ipairs(RULES[name] or { {} }) do
        local one, all = train(options, false), train(options, true)
        assert.equal(24, #all)
        for i = 1, #one do assert.bits(one[i]:data(), all[i]:data()) end
      end
    end)
  end

  it("updates parameters that share memory one at a time", function()
    local flat, g = nd.ones { 64 }, nd.ones { 64 }
    local updater = hl.optimizer.get_updater(hl.optimizer.SGD { learning_rate = .5 })
    updater({ 0, 1, 2 }, { g, g, flat }, { flat, flat, g })      -- one weight twice; a gradient that is a weight
    assert.allclose(flat, nd.zeros { 64 })
    assert.allclose(g, nd.ones { 64 })
    updater({ 0, 1 }, { flat, flat + 1 }, { flat + 1, flat })
    assert.allclose(flat, nd.full({ 64 }, -.5))
  end)

  it("changes nothing if a weight does not fit", function()
    local a, b = nd.ones { 2 }, nd.ones { 2 }
    local updater = hl.optimizer.get_updater(hl.optimizer.Adam())
    assert.raises(function() updater({ 0, 1 }, { nd.ones { 2 }, nd.ones { 3 } }, { a, b }) end,
      "trainer_spec.lua:%d+: adam_update: grad")
    assert.allclose(a, { 1, 1 })
    a:attach_grad()
    autograd.record(function()
      local _ = a * 2
      assert.raises(function() updater({ 0 }, { b }, { a }) end,
        "adam_update: a weight cannot be written in place while recording")
    end)
  end)

  it("does not change gradients that a script holds", function()
    local w = parameter()
    local t = gluon.Trainer({ w }, "sgd", { learning_rate = .5 })
    back(w)
    local first = w:grad()
    local before = first:copy()
    t:step(1)
    assert.allclose(first, before)
    autograd.record(function() return (w:data() * 3):sum() end):backward()
    assert.allclose(first, { 3, 3 })                  -- the requested array remains the gradient
    first = nil    -- luacheck: ignore 311
    collectgarbage()
    autograd.record(function() return (w:data() * 5):sum() end):backward()
    assert.allclose(w:grad(), { 5, 5 })
    local head = nd.array { 7, 8 }                    -- the gradient is the head gradient itself
    autograd.record(function() return w:data():identity() end):backward(head)
    w:grad():set(0)
    assert.allclose(head, { 7, 8 })
    local u = parameter "u"
    collectgarbage()
    autograd.record(function() return (w:data() + u:data()) * 2 end):backward()
    collectgarbage()
    w:grad():set(1)                                   -- two weights share a gradient
    assert.allclose(u:grad(), { 2, 2 })
  end)

  it("calls the rule's own update for each parameter", function()
    local seen = {}
    local Own = hl.optimizer.SGD:subclass "Own"
    function Own:update(index, weight, grad) seen[#seen + 1] = index; weight:set(weight - grad) end
    local a, b = parameter "a", parameter "b"
    local t = gluon.Trainer({ a, b }, Own())
    autograd.record(function() return (a:data() * b:data()):sum() end):backward()
    t:step(1)
    assert.same({ 1, 2 }, seen)
    assert.allclose(a:data(), { 0, 0 })
  end)

  it("requests each parameter's options from a rule that names its operator", function()
    local Slow = hl.optimizer.Optimizer:subclass "Slow"
    function Slow:step(call, _, index) -- luacheck: ignore 212
      call.lr = call.lr / index
      return "sgd_update"
    end
    local a, b = parameter "a", parameter "b"
    local t = gluon.Trainer({ a, b }, Slow { learning_rate = 1 })
    autograd.record(function() return (a:data() * b:data()):sum() end):backward()
    t:step(1)
    assert.allclose(a:data(), { 0, 0 })
    assert.allclose(b:data(), { .5, .5 })
    function Slow:step() end -- luacheck: ignore 212
    back(a)
    assert.raises(function() gluon.Trainer({ a }, Slow()):step(1) end,
                  "trainer_spec.lua:%d+: Slow: step: expected the name of an update operator, got nil")
    function Slow:step() return "relu" end -- luacheck: ignore 212
    assert.raises(function() gluon.Trainer({ a }, Slow()):step(1) end,
      "trainer_spec.lua:%d+: update: 'relu' is not an operator that updates weights")
  end)

  it("multiplies the gradient by the optimizer's rescale_grad too", function()
    local w = parameter()
    local t = gluon.Trainer({ w }, "sgd", { learning_rate = .1, rescale_grad = .5 })
    back(w); t:step(2)
    assert.allclose(w:data(), { 1 - .025, 1 - .05 })
  end)

  it("accepts lists, tables and dictionaries of parameters, and rejects other types", function()
    local net = nn.Dense(2, { in_units = 3 })
    net:initialize()
    assert.equal("Trainer(2 parameters, SGD(momentum=0.0, learning_rate=0.01, wd=0.0))",
      tostring(gluon.Trainer(net:collect_params(), "sgd")))
    gluon.Trainer(net:collect_params(), "sgd", {}, { kvstore = "local" })
    local w = parameter()
    assert.raises(function() gluon.Trainer(3, "sgd") end,
      "trainer_spec.lua:%d+: First argument must be a list or dict of Parameters, got number%.")
    assert.raises(function() gluon.Trainer({ 3 }, "sgd") end,
      "First argument must be a list or dict of Parameters, got list of number%.")
    assert.raises(function() gluon.Trainer({ w }, "nosuch") end, "Cannot find optimizer nosuch")
    assert.raises(function() gluon.Trainer({ w }, hl.optimizer.SGD(), { learning_rate = 1 }) end,
                  "Trainer: optimizer_params: expected none with an Optimizer")
    assert.raises(function() gluon.Trainer({ w }, "sgd", { nonsense = 1 }) end, "SGD: unknown option 'nonsense'")
    assert.raises(function() gluon.Trainer({ w }) end, "optimizer: expected a name or an Optimizer, got nil")
    local u = gluon.Parameter("u", { shape = { 1 } })
    assert.raises(function() gluon.Trainer({ u }, "sgd"):step(1) end,
      "trainer_spec.lua:%d+: Call net:initialize%(%) first: Parameter 'u' has not been initialized")
    assert.raises(function() gluon.Trainer({ w }, "sgd"):step() end, "batch_size: expected a positive number, got nil")
    assert.raises(function() gluon.Trainer({ w }, "sgd"):step(0) end, "batch_size: expected a positive number, got 0")
  end)

  it("leaves parameters without a gradient alone", function()
    local a, b = parameter "a", parameter "b"
    b.grad_req = "null"
    local t = gluon.Trainer({ a, b }, "sgd", { learning_rate = 1 })
    back(a); t:step(1)
    assert.allclose(a:data(), { 0, -1 })
    assert.allclose(b:data(), { 1, 1 })
  end)

  it("continues after a parameter's array is replaced", function()
    local w = parameter()
    local t = gluon.Trainer({ w }, "sgd", { learning_rate = 1 })
    for _ = 1, 3 do back(w); t:step(1) end
    w:initialize(init.One(), { force_reinit = true })
    assert.raises(function() t:step(1) end, "has not been updated")
    back(w); t:step(1)
    assert.allclose(w:data(), { 0, -1 })
    w.grad_req = "null"
    w.grad_req = "write"
    back(w); t:step(1)
    assert.allclose(w:data(), { -1, -3 })
  end)

  it("trains a network to the same bits, hybridized or not", function()
    local x, y = nd.random.normal { shape = { 16, 4 } }, nd.random.uniform { shape = { 16, 1 } }
    local function trained(hybridize)
      require("hybridlua.core").random.seed(3)
      local net = nn.HybridSequential()
      net:add(nn.Dense(8, { activation = "tanh" }), nn.Dense(1))
      net:initialize(init.Xavier())
      if hybridize then net:hybridize() end
      local t, l2 = gluon.Trainer(net:collect_params(), "adam", { learning_rate = .05 }), gluon.loss.L2Loss()
      local last
      for _ = 1, 60 do
        local l = autograd.record(function() return l2(net(x), y) end)
        l:backward()
        t:step(16)
        last = l:mean():asscalar()
      end
      return last, net[0].weight:data()
    end
    local loss, weight = trained(false)
    local loss2, weight2 = trained(true)
    assert.truthy(loss < .02)
    assert.equal(loss, loss2)
    assert.bits(weight2, weight)
  end)
end)

describe("a stale gradient", function()
  local net, used, trainer

  before_each(function()
    net = nn.HybridSequential()
    net:add(nn.Dense(2, { in_units = 2 }), nn.Dense(3, { in_units = 2 }))
    net:initialize()
    used = net[0]
    trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 1 })
  end)

  it("is explained if backward did not run", function()
    assert.raises(function() trainer:step(1) end,
      "No backward has reached any parameter since the last step: is loss:backward%(%) missing")
  end)

  it("is explained by the position of an unused block", function()
    autograd.record(function() return used(nd.ones { 1, 2 }):sum() end):backward()
    local before = used.weight:data():copy()
    assert.raises(function() trainer:step(1) end,
      "Gradient of Parameter 'dense%d+_weight'",
      "backward reached 2 of 4 parameters, but not '1%.weight'%. It was never reached from a loss",
                  "Not reached: 1%.weight, 1%.bias%.")
    assert.bits(used.weight:data(), before)          -- nothing was updated
    trainer:step(1, { ignore_stale_grad = true })
    assert.not_equal(before:tobytes(), used.weight:data():tobytes())
  end)

  it("is explained if an earlier loss reached it", function()
    autograd.record(function() return net(nd.ones { 1, 2 }):sum() end):backward()
    trainer:step(1)
    autograd.record(function() return net[1](used(nd.ones { 1, 2 }):detach()):sum() end):backward()
    assert.raises(function() trainer:step(1) end, "not '0%.weight'%. An earlier loss reached it, the last one did not")
  end)
end)

describe("a trainer's states", function()
  local function network(units)
    local net = nn.HybridSequential()
    net:add(nn.Dense(units or 3, { in_units = 2 }), nn.Dense(1, { in_units = units or 3 }))
    net:initialize(init.Xavier())
    return net
  end

  local function train(net, t, n)
    for _ = 1, n do
      autograd.record(function() return net(nd.array { { 1, 2 }, { -1, 3 } }):square():sum() end):backward()
      t:step(2)
    end
  end

  local file
  before_each(function() file = os.tmpname() end)
  after_each(function() os.remove(file) end)

  for _, name in ipairs { "sgd", "adam", "nadam", "ftrl" } do
    it("continue in another trainer to the same bits: " .. name, function()
      local options = { learning_rate = .05, momentum = name == "sgd" and .9 or nil }
      local a, b = network(), network()
      local ta = gluon.Trainer(a:collect_params(), name, options)
      train(a, ta, 3)
      ta:set_learning_rate(.02)
      ta:save_states(file)
      local params = os.tmpname()
      a:save_parameters(params)
      train(a, ta, 3)
      b:load_parameters(params)
      os.remove(params)
      local tb = gluon.Trainer(b:collect_params(), name, options)
      tb:load_states(file)
      assert.equal(.02, tb.learning_rate)
      train(b, tb, 3)
      assert.bits(b[0].weight:data(), a[0].weight:data())
      assert.bits(b[1].bias:data(), a[1].bias:data())
    end)
  end

  it("can be saved before the first step", function()
    local a, b = network(), network()
    local params = os.tmpname()
    a:save_parameters(params)
    b:load_parameters(params)
    os.remove(params)
    local ta, tb = gluon.Trainer(a:collect_params(), "adam"), gluon.Trainer(b:collect_params(), "adam")
    ta:save_states(file)
    ta:load_states(file)
    train(a, ta, 2)
    train(b, tb, 2)
    assert.bits(b[0].weight:data(), a[0].weight:data())
  end)

  it("are rejected without any change if they do not fit", function()
    local a, b = network(), network(4)
    local ta, tb = gluon.Trainer(a:collect_params(), "adam"), gluon.Trainer(b:collect_params(), "adam")
    train(a, ta, 1)
    ta:save_states(file)
    assert.raises(function() tb:load_states(file) end,
                  "load_states: state '%d' of '%d%.%a+': expected float32 of shape %([%d, ]+%), got float32 of shape")
    assert.raises(function() gluon.Trainer(a:collect_params(), "sgd"):load_states(file) end,
      "expected states of SGD, got those of Adam")
    local w = parameter()
    assert.raises(function() gluon.Trainer({ w }, "adam"):load_states(file) end, "which is not a parameter here")
    train(b, tb, 1)
    local lost = nd.load(file)
    lost["state:1:0.weight"] = nil
    nd.save(file, lost)
    assert.raises(function() ta:load_states(file) end, "load_states: state '1' of '0%.weight' is missing")
    nd.save(file, { weight = nd.ones { 1 } })
    assert.raises(function() ta:load_states(file) end, "expected states of an optimizer, got an array named 'weight'")
  end)
end)

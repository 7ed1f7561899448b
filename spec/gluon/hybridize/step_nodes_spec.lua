-- step_nodes_spec.lua - the nodes of training steps in a compiled function: where they run, what they leave, and what
-- their errors name. Most tests run one script eagerly and compiled, and compare all arrays.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, debug_switches = gluon.nn, require("hybridlua.core").host.debug

-- A network with a trainer, the same at each call. options: in_units, grad_req.
local function training(options)
  hl.random.seed(11)
  local t = { net = nn.HybridSequential(), loss_of = gluon.loss.L2Loss() }
  t.net:add(nn.Dense(5, { activation = "tanh", in_units = options.in_units }), nn.BatchNorm(),
    nn.Dense(2, { in_units = options.in_units and 5 }))
  t.net:initialize()
  if options.grad_req then t.net:collect_params():setattr("grad_req", options.grad_req) end
  t.trainer = gluon.Trainer(t.net:collect_params(), options.optimizer or "adam")
  return t
end

local function batch(i)
  hl.random.seed(100 + i)
  return nd.random.normal { shape = { 4, 3 } }, nd.random.normal { shape = { 4, 2 } }
end

local function arrays_of(t)
  local list = {}
  for i, param in ipairs(t.net:collect_params():values()) do
    list[#list + 1] = param:data()
    if param.grad_req ~= "null" then list[#list + 1] = param:grad() end
    local state = t.trainer._updater.states[i]
    for _, array in ipairs(type(state) == "table" and state or { state }) do list[#list + 1] = array end
  end
  return list
end

-- Runs make(t), a step (F, x, y), n times in both ways, each followed by after(t, results...); compares everything.
local function compare(options, make, after)
  local results, trainings = {}, {}
  for _, way in ipairs { "eager", "compiled" } do
    local t = training(options)
    local step = make(t)
    local run = way == "eager" and function(...) return step(nd, ...) end or hl.compile(step, options.compile)
    results[way], trainings[way] = {}, t
    for i = 1, 4 do
      local x, y = batch(i)
      local out = run(x, y)
      if after then out = after(t, out, x) or out end
      results[way][i] = out
    end
    t.run = run
  end
  for i, out in ipairs(results.eager) do assert.bits(out, results.compiled[i]) end
  local eager, compiled = arrays_of(trainings.eager), arrays_of(trainings.compiled)
  assert.equal(#eager, #compiled)
  for i, array in ipairs(eager) do assert.bits(array, compiled[i]) end
  return trainings.compiled.run, trainings.compiled
end

local function plain_step(t)
  return function(_, x, y)
    local loss = autograd.record(function() return t.loss_of(t.net(x), y) end)
    loss:backward()
    t.trainer:step(4)
    return loss
  end
end

describe("nodes of a training step", function()
  it("compute and store gradients in the executable", function()
    local before = debug_switches { jit = "off" }
    local run = compare({ in_units = 3 }, plain_step)
    local text = run:explain()
    debug_switches { jit = before.jit }
    assert.truthy(text:find("%%%d+ = _backward%(%%%d+%).-# backward .-step_nodes_spec.lua:%d+"))
    assert.truthy(text:find("_backward_tanh[^\n]-backward\n"))
    assert.truthy(text:find("variable (gradient of dense", 1, true))
    assert.truthy(text:find("_store_gradients[^\n]-effect[^\n]-step_nodes_spec.lua:%d+  backward\n"))
    assert.truthy(text:find("_host_call %(numbers of Trainer.step%)[^\n]-effect[^\n]-step_nodes_spec.lua:%d+\n"))
    local stored, numbers = text:find("_store_gradients", 1, true), text:find("_host_call (numbers", 1, true)
    local updated =
      text:find("_contrib_update_weights %(adam_update of Trainer.step%)[^\n]-effect[^\n]-step_nodes_spec.lua:%d+$")
    assert.truthy(stored < numbers and numbers < updated)
    assert.truthy(text:find("variable (mean of dense", 1, true))
    assert.truthy(text:find("variable %(numbers of Trainer.step%)%s+float64 %(6, 9%)%s+input"))
    assert.equal(1, #run:explain { format = "table" }.traces)
  end)

  it("have the bits of eager steps when the first call determines shapes", function()
    compare({}, plain_step)
    compare({}, function(t)
      return function(F, x, y)
        t.net:collect_params():zero_grad()
        local loss = plain_step(t)(F, x, y)
        return loss:mean() * 2
      end
    end)
  end)

  it("add gradients over several backwards", function()
    compare({ in_units = 3, grad_req = "add" }, function(t)
      return function(_, x, y)
        local a, b = autograd.record(function()
          local out = t.net(x)
          return t.loss_of(out, y), (out * out):sum()
        end)
        a:backward { retain_graph = true }
        b:backward()
        t.trainer:step(4)
        return a:mean()
      end
    end)
  end)

  it("keep the tape that a later backward needs", function()
    compare({ in_units = 3, grad_req = "add" }, function(t)
      return function(_, x, y)
        local loss = autograd.record(function() return t.loss_of(t.net(x), y) end)
        loss:backward { retain_graph = true }
        return loss
      end
    end, function(t, loss)
      loss:backward()
      t.trainer:step(4)
    end)
    compare({ in_units = 3 }, function(t)
      return function(_, x, y)
        local loss, other = autograd.record(function()
          local out = t.net(x)
          return t.loss_of(out, y), out:sum()
        end)
        loss:backward { retain_graph = true }
        return other
      end
    end, function(t, other)
      other:backward()
      t.trainer:step(4)
    end)
  end)

  it("free the tape of what they return", function()
    local t = training { in_units = 3 }
    local run, x, y = hl.compile(plain_step(t)), batch(1)
    local loss = run(x, y)
    assert.raises(function() loss:backward() end, "the tape was freed by an earlier backward")
    local again = run(x, y)
    local w = nd.array { 2 }
    w:attach_grad()
    autograd.record(function() return (again * w):sum() end, { carried = "cut" }):backward()      -- a constant
    assert.allclose(w.grad, { again:sum():asscalar() })
  end)

  it("reach arguments, and arrays computed while recording", function()
    compare({ in_units = 3 }, plain_step, function(t, _, x)
      x:attach_grad()
      t.net:collect_params():zero_grad()
    end)
    local grads = {}
    for _, way in ipairs { "eager", "compiled" } do
      local t = training { in_units = 3 }
      local step = plain_step(t)
      local run = way == "eager" and function(...) return step(nd, ...) end or hl.compile(step)
      local list = {}
      for i = 1, 3 do
        local x, y = batch(i)
        x:attach_grad()
        run(x, y)
        list[#list + 1] = x.grad:copy()
        local h = autograd.record(function() return x * 2 + 1 end)
        run(h, y)
        list[#list + 1] = x.grad:copy()
      end
      grads[way] = list
    end
    for i, grad in ipairs(grads.eager) do assert.bits(grad, grads.compiled[i]) end
  end)

  it("take head gradients and record gradients", function()
    local weights = nd.array { 1, 2, 0.5, -1 }
    compare({ in_units = 3 }, function(t)
      return function(_, x, y)
        local loss = autograd.record(function() return t.loss_of(t.net(x), y) end)
        loss:backward(weights)
        t.trainer:step(4)
        return loss
      end
    end)
  end)

  it("store gradients that share memory as eager code does", function()
    local found = {}
    for _, way in ipairs { "eager", "compiled" } do
      local a, b, shared = nd.array { 1, 2 }, nd.array { 3, 4 }, nd.zeros { 2 }
      autograd.mark_variables({ a, b }, { shared, shared }, "add")
      local function step(_, x)
        local loss = autograd.record(function() return (a * x + b * b):sum() end)
        loss:backward()
        return loss
      end
      local run = way == "eager" and function(x) return step(nd, x) end or hl.compile(step)
      for i = 1, 3 do run(nd.array { i, 2 * i }) end
      found[way] = shared
    end
    assert.bits(found.eager, found.compiled)
  end)

  it("recompute values with remat", function()
    compare({ in_units = 3, compile = { remat = true } }, plain_step)
  end)

  it("name their line in errors of a script's own optimizer, and leave the gradients", function()
    local Broken = hl.optimizer.Optimizer:subclass "Broken"
    function Broken:update() nd.ones { 2 }:reshape { 3 } end
    local inside = debug.getinfo(1, "l").currentline - 1
    local t = training { in_units = 3, optimizer = Broken { learning_rate = 0.1 } }
    local u = training { in_units = 3 }
    local x, y = batch(1)
    local ok, message = pcall(hl.compile(plain_step(t)), x, y)
    assert.falsy(ok)
    assert.truthy(message:find(("^[^\n]-step_nodes_spec.lua:%d: Reshape"):format(inside)), message)
    autograd.record(function() return u.loss_of(u.net(x), y) end):backward()
    assert.bits(u.net[0].weight:grad(), t.net[0].weight:grad())
    assert.bits(u.net[0].weight:data(), t.net[0].weight:data())
  end)

  it("name their line in errors of their arguments", function()
    local t = training { in_units = 3 }
    local x, y = batch(1)
    local unused = gluon.Parameter("unused", { shape = { 2 } })
    unused:initialize()
    local other = gluon.Trainer({ unused }, "sgd")
    local here = debug.getinfo(1, "l").currentline
    local ok, message = pcall(hl.compile(function(_, a, b)
      local l = autograd.record(function() return t.loss_of(t.net(a), b) end)
      l:backward()
      other:step(1)
      return l
    end), x, y)
    assert.falsy(ok)
    assert.truthy(message:find(("^[^\n]-step_nodes_spec.lua:%d: Gradient of Parameter"):format(here + 4)), message)
  end)

  it("are refused in bodies of loops", function()
    local t = training { in_units = 3 }
    local x, y = batch(1)
    assert.raises(function()
      hl.compile(function(F, a, b)
        local out = F.contrib.foreach(function(row, states)
          local loss = autograd.record(function() return t.net(row:expand_dims(0)):sum() end)
          loss:backward()
          return row, states
        end, a, {})
        return out
      end)(x, y)
    end, "step_nodes_spec.lua:%d+: backward: expected a call outside of the body of a loop or condition")
    local steps = {
      ["Trainer.step"] = function() t.trainer:step(4) end,
      clip_global_norm = function() t.trainer:clip_gradients(1) end,
      zero_grad = function() t.net:collect_params():zero_grad() end,
      set_learning_rate = function() t.trainer:set_learning_rate(0.1) end,
    }
    t.net(x)
    for what, step in pairs(steps) do
      assert.raises(function()
        hl.compile(function(F, a)
          return F.contrib.foreach(function(row, states)
            step()
            return row, states
          end, a, {})
        end)(x)
      end, what .. ": expected a call outside of the body of a loop or condition", "export it %(step:export%)")
    end
  end)
end)

-- step_updates_spec.lua - updates of parameters as nodes of a compiled training step, whose numbers are an input: which
-- rules are nodes, what changes without a new trace, and what stays a call of Lua. Each test runs one training eagerly
-- and compiled, and compares all arrays and counts.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, Optimizer = gluon.nn, hl.optimizer.Optimizer

local function new_training(optimizer, options)
  hl.random.seed(5)
  local t = { net = nn.HybridSequential(), loss_of = gluon.loss.L2Loss(), size = 4 }
  t.net:add(nn.Dense(5, { activation = "tanh", in_units = 3 }), nn.Dense(2, { in_units = 5 }))
  t.net:initialize()
  t.params = t.net:collect_params()
  t.trainer = gluon.Trainer(t.params, type(optimizer) == "function" and optimizer() or optimizer, options)
  return t
end

local function plain_step(t)
  return function(_, x, y)
    local loss = autograd.record(function() return t.loss_of(t.net(x), y) end)
    loss:backward()
    t.trainer:step(t.size)
    return loss
  end
end

local function batch(i)
  hl.random.seed(100 + i)
  return nd.random.normal { shape = { 4, 3 } }, nd.random.normal { shape = { 4, 2 } }
end

-- All arrays of a training as texts, and its counts. States that were not made yet count as zeros.
local function state_of(t)
  local list = {}
  for i, param in ipairs(t.params:values()) do
    list[#list + 1] = param:data():tobytes()
    if param.grad_req ~= "null" then list[#list + 1] = param:grad():tobytes() end
    local state, text = t.trainer._updater.states[i], ""
    for _, array in ipairs(type(state) == "table" and state or { state }) do text = text .. array:tobytes() end
    list[#list + 1] = text:find "[^\0]" and text or ""
    list[#list + 1] = t.trainer.optimizer._index_update_count[i] or 0
  end
  list[#list + 1] = t.trainer.optimizer.num_update
  return list
end

-- Trains 5 steps in both ways with make(t), a step; between(t, i) runs before step i. Returns the compiled step.
local function compare(optimizer, options, make, between)
  local found, step = {}, nil
  for _, way in ipairs { "eager", "compiled" } do
    local t = new_training(optimizer, options)
    local fn = make(t)
    step = way == "eager" and function(...) return fn(nd, ...) end or hl.compile(fn)
    found[way] = {}
    for i = 1, 5 do
      if between then between(t, i) end
      local loss = step(batch(i))
      found[way][i] = { loss:tobytes(), table.unpack(state_of(t)) }
    end
  end
  for i, state in ipairs(found.eager) do
    assert.equal(#state, #found.compiled[i])
    for k, value in ipairs(state) do assert.equal(value, found.compiled[i][k], ("step %d, value %d"):format(i, k)) end
  end
  return step
end

local function specializations(step) return #step:explain { format = "table" }.traces[1].compiled.plans end

describe("the update of a compiled step", function()
  local rules = {
    { "sgd", {}, "sgd_update" }, { "sgd", { momentum = 0.9, wd = 0.01 }, "sgd_mom_update" },
    { "nag", { momentum = 0.9, wd = 0.01 }, "nag_step" }, { "signum", {}, "signum_update" },
    { "adam", { wd = 0.1 }, "adam_update" }, { "adamw", {}, "adamw_step" }, { "rmsprop", {}, "rmsprop_update" },
    { "rmsprop", { centered = true, clip_weights = 0.5 }, "rmspropalex_update" }, { "adagrad", {}, "adagrad_update" },
    { "adadelta", {}, "adadelta_update" }, { "ftrl", {}, "ftrl_update" }, { "ftml", {}, "ftml_update" },
  }
  for _, rule in ipairs(rules) do
    it("is a node with the bits of eager steps by " .. rule[3], function()
      local step = compare(rule[1], rule[2], plain_step)
      assert.truthy(step:explain():find(("_contrib_update_weights (%s of Trainer.step)"):format(rule[3]), 1, true))
      assert.equal(1, specializations(step))
    end)
  end

  it("reads rates, decays, batch sizes and other numbers in each call", function()
    local step = compare("adam", { clip_gradient = 0.5 }, plain_step, function(t, i)
      t.trainer:set_learning_rate(0.1 / i)
      t.size = 2 + i % 3
      local optimizer = t.trainer.optimizer
      optimizer.wd, optimizer.beta1, optimizer.clip_gradient = 0.01 * i, 0.9 - 0.1 * i, i ~= 3 and 0.1 * i or nil
      for k, param in ipairs(t.params:values()) do param.lr_mult, param.wd_mult = k, i end
    end)
    assert.equal(1, specializations(step))
    local scheduled = compare("sgd", { momentum = 0.5, learning_rate = 0.1 }, function(t)
      t.trainer.optimizer.lr_scheduler = hl.lr_scheduler.FactorScheduler { step = 2, factor = 0.5, base_lr = 0.1 }
      return plain_step(t)
    end)
    assert.equal(1, specializations(scheduled))
  end)

  it("follows replaced states, weights and rules", function()
    local step = compare("sgd", { momentum = 0.9 }, plain_step, function(t, i)
      if i == 3 then
        local file <close> = setmetatable({ name = os.tmpname() }, { __close = function(f) os.remove(f.name) end })
        t.trainer:save_states(file.name)
        t.trainer:load_states(file.name)
      end
      if i == 4 then
        hl.random.seed(9)
        t.net:initialize { force_reinit = true }
      end
      if i == 5 then t.trainer._updater.states[2] = nd.ones { 5 } end
    end)
    assert.truthy(step:explain():find("_contrib_update_weights (sgd_mom_update of Trainer.step)", 1, true))
  end)

  it("follows rules of the script, and calls Lua for those that are not one operator", function()
    local Slow = hl.optimizer.Adam:subclass "SlowAdam"
    function Slow:step(call, state, index)
      local operator = hl.optimizer.Adam.step(self, call, state, index)
      call.lr = call.lr / 2
      return operator
    end
    local Own = Optimizer:subclass "OwnRule"
    function Own:update(index, weight, grad)
      self:_update_count(index)
      weight:subtract_(grad * 0.1)
    end
    for _, make in ipairs { function() return Slow() end, function() return Own() end,
      function() return hl.optimizer.LBSGD() end } do
      local step = compare(make, nil, plain_step)
      assert.truthy(step:explain():find("_host_call (Trainer.step)", 1, true))
    end
  end)

  it("leaves out parameters with stale gradients, which are an error otherwise", function()
    local function partial(ignore)
      return function(t)
        return function(_, x, y)
          local loss = autograd.record(function() return t.loss_of(t.net[1](nd.ones_like(y):tile { 1, 3 }
            :slice_axis { axis = 1, begin = 0, ["end"] = 5 }) + x:sum() * 0, y) end)
          loss:backward()
          t.trainer:step(4, ignore)
          return loss
        end
      end
    end
    compare("adam", {}, partial(true))
    local t = new_training("adam", {})
    local line = debug.getinfo(1, "l").currentline + 4
    local step = hl.compile(function(_, x, y)
      local loss = autograd.record(function() return t.loss_of(t.net[1](t.net[0](x):detach()), y) end)
      loss:backward()
      t.trainer:step(4)
      return loss
    end)
    local before = t.net[1].weight:data():copy()
    local ok, why = pcall(step, batch(1))
    assert.falsy(ok)
    assert.truthy(why:find(("step_updates_spec.lua:%d: Gradient of Parameter"):format(line), 1, true), why)
    assert.bits(before, t.net[1].weight:data())
    assert.equal(0, t.trainer.optimizer.num_update)
  end)

  it("may come twice, from two trainers, and between backwards", function()
    compare("adam", {}, function(t)
      local other = gluon.Trainer({ t.net[0].bias }, "sgd", { learning_rate = 0.1, momentum = 0.5 })
      return function(_, x, y)
        local a, b = autograd.record(function()
          local out = t.net(x)
          return t.loss_of(out, y), (out * out):sum()
        end)
        autograd.backward { a, b }
        other:step(2)
        t.trainer:step(4)
        return a
      end
    end)
  end)

  it("changes no weight, state or count when a schedule fails", function()
    local t = new_training("sgd", { momentum = 0.9 })
    local broken = false
    t.trainer.optimizer.lr_scheduler = function(n)
      if broken then error("no rate for " .. n, 0) end
      return 0.1
    end
    local step = hl.compile(plain_step(t))
    step(batch(1))
    broken = true
    local before = t.net[0].weight:data():copy()
    local ok, why = pcall(step, batch(1))
    assert.falsy(ok)
    assert.truthy(tostring(why):find("no rate for 2", 1, true), why)
    assert.bits(before, t.net[0].weight:data())
    local left, x, y = state_of(t), batch(1)
    autograd.record(function() return t.loss_of(t.net(x), y) end):backward()       -- what precedes the failing line
    assert.same(left, state_of(t))
    assert.equal(1, t.trainer.optimizer.num_update)
    broken = false
    step(batch(2))
    assert.equal(2, t.trainer.optimizer.num_update)
  end)

  it("is refused while the caller records", function()
    local t = new_training("adam", {})
    local step = hl.compile(plain_step(t))
    step(batch(1))
    assert.raises(function() autograd.record(function() step(batch(2)) end) end, "while recording")
    assert.equal(1, t.trainer.optimizer.num_update)
  end)
end)

describe("zero_grad of a compiled step", function()
  it("is a node with the bits of eager steps", function()
    local step = compare("adam", {}, function(t)
      t.params:setattr("grad_req", "add")
      return function(F, x, y)
        t.params:zero_grad()
        local loss = plain_step(t)(F, x, y)
        t.net[0].weight:zero_grad()
        return loss
      end
    end)
    local text = step:explain()
    assert.truthy(text:find("_store_gradients %(zero_grad%)[^\n]-effect[^\n]-step_updates_spec.lua:%d+"))
    assert.falsy(text:find("_host_call (zero_grad)", 1, true))
  end)

  it("follows grad_req, and zeroes parameters that the function does not read", function()
    compare("sgd", {}, function(t)
      local unread = gluon.Parameter("unread", { shape = { 2 } })
      unread:initialize()
      return function(F, x, y)
        unread:zero_grad()
        t.params:zero_grad()
        return plain_step(t)(F, x, y)
      end
    end, function(t, i) t.net[0].bias.grad_req = i == 3 and "null" or i == 4 and "add" or "write" end)
  end)
end)

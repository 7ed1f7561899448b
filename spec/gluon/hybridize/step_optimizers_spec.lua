-- step_optimizers_spec.lua - every registered optimizer in a compiled training step, against eager steps to the bit,
-- and exported: the imported step trains on with the same bits, or export refuses the optimizer by name. Derived from
-- the registry. Then a script's own optimizers.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, Optimizer = gluon.nn, hl.optimizer.Optimizer

local folder
local function path() return folder .. "/step" end

local function new_step(optimizer, compiled)
  hl.random.seed(3)
  local t = { net = nn.HybridSequential(), loss_of = gluon.loss.L2Loss() }
  t.net:add(nn.Dense(5, { activation = "tanh", in_units = 3 }), nn.Dense(4, { in_units = 5 }))
  t.net:initialize()
  t.params = t.net:collect_params()
  t.trainer = gluon.Trainer(t.params, optimizer)
  local function step(_, x, y)
    local loss = autograd.record(function() return t.loss_of(t.net(x), y) end)
    loss:backward()
    t.trainer:step(2)
    return loss
  end
  t.step = compiled and hl.compile(step) or function(...) return step(nd, ...) end
  return t
end

local function batch(i)
  hl.random.seed(50 + i)
  return nd.random.normal { shape = { 2, 3 } }, nd.random.normal { shape = { 2, 4 } }
end

-- Parameters, gradients, states and counts of a training, as texts.
local function state_of(t)
  local list = {}
  for _, param in ipairs(t.params:values()) do
    list[#list + 1] = param:data():tobytes()
    list[#list + 1] = param:grad():tobytes()
  end
  local names, arrays = {}, t.trainer._updater:get_states()
  for name in pairs(arrays) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do list[#list + 1] = name .. arrays[name]:tobytes() end
  return list
end

-- The options to try with a rule: each of its switches the other way, each number that is 0 set, and gradients clipped;
-- a weight decay, which some reject; none.
local function options_of(cls)
  local own = { clip_gradient = 0.05 }
  for _, name in ipairs(cls.arguments.names) do
    local default = cls.arguments.defaults[name]
    if not Optimizer.arguments.known[name] then
      if type(default) == "boolean" then own[name] = not default end
      if default == 0 then own[name] = 0.5 end
    end
  end
  return { own, { wd = 0.1 }, {} }
end

-- Trains three steps in both ways, with another learning rate in the last; returns the compiled training. Nil if the
-- rule rejects the options.
local function compare(make)
  local eager, compiled = new_step(make(), false), new_step(make(), true)
  for i = 1, 3 do
    local x, y = batch(i)
    if i == 3 then
      eager.trainer:set_learning_rate(0.03)
      compiled.trainer:set_learning_rate(0.03)
    end
    local found = {}
    for k, t in ipairs { eager, compiled } do
      hl.random.seed(i)
      found[k] = { pcall(t.step, x, y) }
    end
    if not found[1][1] then
      assert.equal((found[1][2]:gsub("^.-: ", "")), (found[2][2]:gsub("^.-: ", "")))
      return nil
    end
    assert.truthy(found[2][1], found[2][2])
    assert.bits(found[1][2], found[2][2])
    assert.same(state_of(eager), state_of(compiled))
  end
  return compiled
end

-- Compares two steps of the imported step, whose numbers are those of the next update each time.
local function compare_exported(t)
  local block
  for i = 4, 5 do
    local before = state_of(t)
    local symbol, params = t.step:export(path())
    assert.same(before, state_of(t))                             -- export counts nothing
    block = block or gluon.SymbolBlock.imports(symbol, { "data0", "data1", "numbers" }, params)
    local x, y = batch(i)
    local out = block(x, y, nd.load(params)["arg:numbers"])
    assert.bits(t.step(x, y), out[1])
    for _, param in ipairs(t.params:values()) do
      assert.bits(param:data(), block:collect_params():get(param.name):data())
    end
  end
end

local function make_folder()
  folder = os.tmpname()
  os.remove(folder)
  os.execute("mkdir " .. folder)
end
local function remove_folder() os.execute("rm -r " .. folder) end

describe("the optimizer in a compiled and in an exported step:", function()
  setup(make_folder)
  teardown(remove_folder)

  local names, seen = {}, {}
  for name, cls in pairs(Optimizer.opt_registry) do
    if not seen[cls] then names[#names + 1] = name end
    seen[cls] = true
  end
  table.sort(names)
  local exported = 0
  for _, name in ipairs(names) do
    local cls = Optimizer.opt_registry[name]
    it(name, function()
      local tried = 0
      for _, options in ipairs(options_of(cls)) do
        if tried == 2 then break end
        local t = compare(function() return hl.optimizer.create(name, options) end)
        if t then
          local is_node = t.step:explain():find("_contrib_update_weights (", 1, true) ~= nil
          local ok, why = pcall(t.step.export, t.step, path())
          assert.equal(is_node, ok)
          if ok then
            compare_exported(t)
            exported = exported + 1
          else
            assert.truthy(why:find(("which calls Lua: the step of the optimizer %s is not an operator: "):format(
              cls.__name__), 1, true), why)
          end
          tried = tried + 1
        end
      end
      assert.equal(2, tried)
    end)
  end

  it("most are exported", function() assert.truthy(exported > 1.5 * #names, exported) end)
end)

describe("a script's own optimizer in a compiled step", function()
  setup(make_folder)
  teardown(remove_folder)

  local Own = Optimizer:subclass "OwnMomentum"
  function Own:create_state(_, weight) return nd.zeros_like(weight) end
  function Own:update(index, weight, grad, state)
    self:_update_count(index)
    state:multiply_(0.5):add_(grad * self.rescale_grad)
    weight:subtract_(state * self:_get_lr(index))
  end
  local Late = hl.optimizer.Adam:subclass "LateAdam"
  function Late:step(call, state, index)
    local operator = hl.optimizer.Adam.step(self, call, state, index)
    call.lr = call.lr / 2
    return operator
  end
  local Changed = hl.optimizer.LAMB:subclass "ChangedLAMB"
  function Changed:update(index, weight, grad, state)
    hl.optimizer.LAMB.update(self, index, weight, grad * 2, state)
  end

  for _, cls in ipairs { Own, Late, Changed } do
    it(("trains as eagerly, and export says why it refuses it: %s"):format(cls.__name__), function()
      hl.optimizer.register(cls)
      local name = cls.__name__:lower()
      local _ <close> = setmetatable({}, { __close = function() Optimizer.opt_registry[name] = nil end })
      local t = assert(compare(function() return hl.optimizer.create(name, { learning_rate = 0.1 }) end))
      assert.truthy(t.step:explain():find("_host_call (Trainer.step)", 1, true))
      assert.raises(function() t.step:export(path()) end,
        "export: expected steps that are operators, got Trainer.step at .*step_optimizers_spec.lua:%d+, ",
        "which calls Lua",
        ("the optimizer %s is the script's own, whose code each step runs"):format(cls.__name__))
    end)
  end
end)

describe("export of a step", function()
  setup(make_folder)
  teardown(remove_folder)

  it("names the operator that has no form in files, and writes none", function()
    local net, loss_of = nn.HybridSequential(), gluon.loss.L2Loss()
    net:add(nn.HybridLambda(function(F, x) return F.cumsum(x * 2, { axis = 1 }) end), nn.Dense(2))
    net:add(nn.HybridLambda(function(F, x) return F.cumsum(x, { axis = 1 }) end))
    net:initialize()
    local trainer = gluon.Trainer(net:collect_params(), "sgd")
    local step = hl.compile(function(_, x)
      local loss = autograd.record(function() return loss_of(net(x), x * 0) end)
      loss:backward()
      trainer:step(1)
      return loss
    end)
    step(nd.ones { 2, 2 })
    assert.raises(function() step:export(path()) end, "export: a file cannot contain this training step",
      "_backward_cumsum: expected an operator with a form in files, got an internal one",
      "Export the network %(net:export%), and compile the step where it trains")
    assert.falsy(io.open(path() .. "-symbol.json"))
    assert.falsy(io.open(path() .. "-0000.params"))
  end)

  it("says that multi_precision is not an operator", function()
    local t = new_step(hl.optimizer.SGD { multi_precision = true }, true)
    t.step(batch(1))
    assert.raises(function() t.step:export(path()) end,
      "with multi_precision = true the optimizer SGD updates one weight after another")
  end)
end)

-- whole_trainings_spec.lua - whole training runs: eager, hybridized or resumed from files, they end with the same
-- parameters, optimizer states, random numbers and saved files, to the bit.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, HybridBlock = gluon.nn, gluon.HybridBlock

local STEPS, BATCH = 100, 16

-- A layer with parameters, a constant, a random operator and a residual connection.
local Mixing = HybridBlock:subclass "Mixing"

function Mixing:init(units)
  self.gamma = self.params:get("gamma", { shape = { units }, init = "ones" })
  self.beta = self.params:get("beta", { shape = { units }, init = "zeros" })
  self.scale = self.params:get_constant("scale", nd.ones { units } * 0.5)
  self.inner = nn.HybridSequential()
  self.inner:add(nn.Dense(units, { activation = "tanh" }), nn.Dropout(0.3))
end

function Mixing:hybrid_forward(F, x, p)
  local y = F.LayerNorm(x + self.inner(x), p.gamma, p.beta)
  return F.where(F.random.uniform { shape = { 1 } }:greater(0.5), y, y * p.scale)
end

local function new_net()
  local net = nn.HybridSequential { prefix = "net_" }
  net:name_scope(function()
    net:add(nn.Dense(16, { activation = "relu" }), nn.Dropout(0.5), Mixing(16), nn.Swish(), nn.Dense(3))
  end)
  net:initialize(hl.init.Xavier())
  return net
end

-- The same data for every run, from a fixed seed.
local function batches()
  hl.random.seed(99)
  local x = nd.random.normal { shape = { 10 * BATCH, 6 } }
  local y = (x[":, 0:3"]):argmax { axis = 1 }
  return function(step)
    local at = step % 10 * BATCH
    return x[{ { at, at + BATCH } }], y[{ { at, at + BATCH } }]
  end
end

-- Trains from step `from` to `to`; how: "eager", "layers" (each layer hybridized) or "whole".
local function train(net, trainer, how, from, to)
  local loss_of, batch = gluon.loss.SoftmaxCrossEntropyLoss(), batches()
  hl.random.seed(1000 + from)
  if how == "whole" then
    net:hybridize()
    loss_of:hybridize()
  elseif how == "layers" then
    for _, layer in pairs(net) do layer:hybridize() end
  end
  local last
  for step = from, to - 1 do
    local x, y = batch(step)
    local loss = autograd.record(function() return loss_of(net(x), y) end)
    loss:backward()
    trainer:step(BATCH)
    if step % 25 == 0 then net(x) end                    -- predictions in between change nothing
    last = loss
  end
  return last
end

local function new_trainer(net, optimizer, options) return gluon.Trainer(net:collect_params(), optimizer, options) end

local function run(how, optimizer, options)
  hl.random.seed(7)
  local net = new_net()
  local trainer = new_trainer(net, optimizer, options)
  local loss = train(net, trainer, how, 0, STEPS)
  return { net = net, trainer = trainer, loss = loss, next = nd.random.uniform { shape = { 4 } } }
end

-- Asserts that two runs ended with the same bits in memory and in files.
local function same(a, b)
  assert.bits(b.loss, a.loss)
  assert.bits(b.next, a.next)
  local other = b.net:collect_params()
  for name, param in a.net:collect_params():items() do assert.bits(other[name]:data(), param:data()) end
  local folder = scratch.folder()
  for i, t in ipairs { a, b } do
    t.net:save_parameters(folder:file(i .. ".params"))
    t.trainer:save_states(folder:file(i .. ".states"))
    t.net:export(folder:file(tostring(i)), { shapes = { data = { BATCH, 6 } } })
  end
  for _, ending in ipairs { ".params", ".states", "-0000.params", "-symbol.json" } do
    assert.is_true(scratch.read(folder:file("1" .. ending)) == scratch.read(folder:file("2" .. ending)), ending)
  end
  folder:remove()
end

local OPTIMIZERS = {
  { "sgd", { learning_rate = 0.1, momentum = 0.9, wd = 1e-3 } },
  { "adam", { learning_rate = 0.01 } },
}

describe("100 steps with dropout", function()
  for _, entry in ipairs(OPTIMIZERS) do
    local optimizer, options = table.unpack(entry)

    it("end with the same bits eager, layer by layer and hybridized: " .. optimizer, function()
      local eager = run("eager", optimizer, options)
      same(eager, run("layers", optimizer, options))
      same(eager, run("whole", optimizer, options))
      assert.truthy(eager.loss:mean():asscalar() < 0.9)             -- the initial loss is 1.1
      assert.are_not.equal(eager.loss:tobytes(), run("eager", optimizer, { learning_rate = 0.02 }).loss:tobytes())
    end)

    it("can be saved, interrupted and resumed by new objects: " .. optimizer, function()
      local function continued(first, second)
        hl.random.seed(7)
        local net = new_net()
        local trainer = new_trainer(net, optimizer, options)
        train(net, trainer, first, 0, 40)
        local folder = scratch.folder()
        net:save_parameters(folder:file "net")
        trainer:save_states(folder:file "states")
        local net2 = new_net()
        net2:load_parameters(folder:file "net")
        local trainer2 = new_trainer(net2, optimizer, options)
        trainer2:load_states(folder:file "states")
        folder:remove()
        local loss = train(net2, trainer2, second, 40, STEPS)
        return { net = net2, trainer = trainer2, loss = loss, next = nd.random.uniform { shape = { 4 } } }
      end
      same(continued("eager", "whole"), continued("whole", "eager"))
    end)
  end
end)

describe("a trained network", function()
  it("returns the same outputs from every kind of file", function()
    local trained = run("whole", "adam", { learning_rate = 0.01 })
    local x = batches()(3)
    local y = trained.net["0:2"](x)
    local folder = scratch.folder()
    trained.net["0:2"]:save_parameters(folder:file "part.params")
    local symbol_file, params_file = trained.net["0:2"]:export(folder:file "part", { shapes = { data = { BATCH, 6 } } })
    assert.bits(gluon.SymbolBlock.imports(symbol_file, { "data" }, params_file)(x), y)
    local again = new_net()["0:2"]
    again:load_parameters(folder:file "part.params")
    assert.bits(again(x), y)
    again:hybridize()
    assert.bits(again(x), y)
    folder:remove()
  end)
end)

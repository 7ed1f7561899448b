-- loops.lua - a recurrent network over F.foreach: one node in the graph, whatever the length of its input.
--
-- It learns whether the numbers of a sequence add up to more than 0. The same network runs eagerly and hybridized, with
-- the same results to the bit.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local Cell = gluon.HybridBlock:subclass "Cell"
function Cell:init(hidden)
  self.input, self.state = nn.Dense(hidden), nn.Dense(hidden, { use_bias = false })
end
function Cell:hybrid_forward(F, x, h)
  h = F.tanh(self.input(x) + self.state(h))
  return h, h
end

local Net = gluon.HybridBlock:subclass "Net"
function Net:init()
  self.cell, self.answer = Cell(8), nn.Dense(1)
end
function Net:hybrid_forward(F, x, h)
  local _, last = F.foreach(self.cell, x, h)
  return self.answer(last)
end

local function learn(hybrid)
  hl.random.seed(5)
  local net, loss = Net(), gluon.loss.SigmoidBinaryCrossEntropyLoss()
  net:initialize(hl.init.Xavier())
  if hybrid then net:hybridize() end
  local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = 0.02 })
  local value
  for step = 1, 150 do
    local length = step % 2 == 0 and 6 or 9
    local x = nd.random.normal { shape = { length, 32, 1 } }
    local y = nd.sum(x, { axis = { 0, 2 } }):greater(0)
    local l = autograd.record(function() return loss(net(x, nd.zeros { 32, 8 }), y):mean() end)
    l:backward()
    trainer:step(1)
    value = l:asscalar()
  end
  return value, net
end

local eager, hybrid = learn(false), learn(true)
print(("loss %.4f, hybridized %.4f: %s"):format(eager, hybrid, eager == hybrid and "the same bits" or "different"))

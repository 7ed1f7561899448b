-- several_contexts.lua - data parallel training: a batch is split over a list of contexts.
--
-- The network has a copy of its parameters in each context, and each copy computes the gradient of its part of the
-- batch. The trainer sums the gradients in the order of the list and updates all copies to the same values. So one, two
-- and four contexts reach the same weights, except for the rounding of sums. CPU contexts represent devices here;
-- several GPUs would need the same loop.
--
--   hybridlua examples/several_contexts.lua
local hl = require "hybridlua"
local nd, gluon, autograd = hl.nd, hl.gluon, hl.autograd
local nn, utils = gluon.nn, gluon.utils

local BATCH, STEPS = 64, 30

local function make_net(contexts)
  local net = nn.HybridSequential()
  net:add(nn.Dense(32, { activation = "tanh" }), nn.Dense(1))
  net:initialize { init = hl.init.Xavier(), ctx = contexts }
  net:hybridize()
  return net
end

-- One step over all contexts; returns the mean loss.
local function step(net, trainer, loss_of, data, label, contexts)
  local xs = utils.split_and_load(data, contexts)
  local ys = utils.split_and_load(label, contexts)
  local losses = {}
  autograd.record(function()
    for i, x in ipairs(xs) do losses[i] = loss_of(net(x), ys[i]) end
  end)
  for _, loss in ipairs(losses) do loss:backward() end
  trainer:step(#data)
  local sum = 0
  for _, loss in ipairs(losses) do sum = sum + loss:sum():asscalar() end
  return sum / #data
end

local function train(n)
  hl.random.seed(1)                                  -- the same values and batches for any number of contexts
  local contexts = {}
  for i = 1, n do contexts[i] = hl.cpu(i - 1) end
  local net = make_net(contexts)
  local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = 0.01 })
  local loss_of = gluon.loss.L2Loss()
  local loss
  for _ = 1, STEPS do
    local data = nd.random.uniform(-2, 2, { shape = { BATCH, 2 } })
    local label = (data * data):sum { axis = 1 }
    loss = step(net, trainer, loss_of, data, label, contexts)
  end
  return net, loss
end

local reference
for _, n in ipairs { 1, 2, 4 } do
  local net, loss = train(n)
  local weight = net[0].weight:data(hl.cpu(n - 1)):as_in_context(hl.cpu(0))      -- the last copy equals the first
  reference = reference or weight
  local apart = (weight - reference):abs():max():asscalar()
  print(("%d context%s loss %.4f, weights within %.0e of those of one"):format(n, n == 1 and ": " or "s:", loss, apart))
  assert(apart < 1e-5)
end

-- maml.lua - learns from which weights a network learns fastest: MAML (Finn, Abbeel, Levine 2017) on sine waves.
--
-- A task is a wave of its own amplitude and phase, given by ten points. An adapted network is the same network with
-- other arrays as its weights, gluon.functional_call: weights that one gradient step moved. The loss of the adapted
-- network is differentiated through that step, to the weights that it began with.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local POINTS, TASKS, STEPS = 10, 4, tonumber(arg and arg[1]) or 1500
local INNER_RATE, OUTER_RATE = 0.02, 0.003

hl.random.seed(3)
local net = nn.HybridSequential()
net:add(nn.Dense(40, { activation = "relu", in_units = 1 }), nn.Dense(40, { activation = "relu", in_units = 40 }),
  nn.Dense(1, { in_units = 40 }))
net:initialize(hl.init.Xavier())
net:hybridize()
local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = OUTER_RATE })

-- The names and arrays of the weights, in order.
local names, weights = {}, {}
for i, entry in ipairs(net:structural_params()) do names[i], weights[i] = entry[1], entry[2]:data() end

local function number_between(low, high) return nd.random.uniform(low, high, { shape = { 1 } }):asscalar() end

-- A task: draws points (x, y) of one wave.
local function new_task()
  local amplitude, phase = number_between(0.5, 5), number_between(0, math.pi)
  return function()
    local x = nd.random.uniform(-5, 5, { shape = { POINTS, 1 } })
    return x, nd.sin(x + phase) * amplitude
  end
end

local function loss_of(arrays, x, y)
  local by_name = {}
  for i, name in ipairs(names) do by_name[name] = arrays[i] end
  return ((gluon.functional_call(net, by_name, x) - y) ^ 2):mean()
end

-- The weights after one gradient step on points of a task; differentiable if `again`.
local function adapted(arrays, x, y, again)
  local steps = autograd.grad(loss_of(arrays, x, y), arrays, nil, again, again)
  local moved = {}
  for i, array in ipairs(arrays) do moved[i] = array - steps[i] * INNER_RATE end
  return moved
end

-- The mean loss on new tasks, before and after one step of learning.
local function evaluate()
  local before, after = 0, 0
  for _ = 1, 100 do
    local draw = new_task()
    local x, y = draw()
    local moved = autograd.record(function() return adapted(weights, x, y, false) end)
    x, y = draw()
    before = before + loss_of(weights, x, y):asscalar() / 100
    after = after + loss_of(moved, x, y):asscalar() / 100
  end
  return before, after
end

print(("new waves, untrained: loss %.2f, after one step %.2f"):format(evaluate()))
for step = 1, STEPS do
  local loss = autograd.record(function()
    local total = 0
    for _ = 1, TASKS do
      local draw = new_task()
      local x, y = draw()
      local moved = adapted(weights, x, y, true)
      total = total + loss_of(moved, draw()) / TASKS
    end
    return total
  end)
  loss:backward()
  trainer:step(1)
  if step % 500 == 0 then print(("step %4d   loss after adapting %.2f"):format(step, loss:asscalar())) end
end
local before, after = evaluate()
print(("new waves, trained: loss %.2f, after one step %.2f"):format(before, after))

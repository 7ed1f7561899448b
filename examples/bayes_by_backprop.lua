-- bayes_by_backprop.lua - a network whose weights are distributions (Blundell et al. 2015), on the digits.
--
-- Each weight has a mean and a spread, which are learned. A training step draws weights from them and calls the network
-- with these arrays in place of its own, by gluon.functional_call, so that gradients reach the means and spreads.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon

local EPOCHS, BATCH, CLASSES = tonumber(arg and arg[1]) or 8, 128, 10

hl.random.seed(1)
local function load(train)
  local digits = gluon.data.vision.Digits { train = train, transform = function(image, label)
    return image:astype "float32" / 16, label
  end }
  return gluon.data.DataLoader(digits, BATCH, { shuffle = train })
end
local train_data, test_data = load(true), load(false)

local net = gluon.nn.HybridSequential()
net:add(gluon.nn.Dense(64, { activation = "relu", in_units = 64 }), gluon.nn.Dense(CLASSES, { in_units = 64 }))
net:initialize()
net:hybridize()

-- The distribution of each weight: mean and softplus(rho).
local weights, variational = {}, {}
for i, entry in ipairs(net:structural_params()) do
  local mean = gluon.Parameter("mean" .. i, { shape = entry[2].shape, init = hl.init.Normal(0.1) })
  local rho = gluon.Parameter("rho" .. i, { shape = entry[2].shape, init = hl.init.Constant(-4) })
  mean:initialize()
  rho:initialize()
  weights[i] = { name = entry[1], mean = mean:data(), rho = rho:data() }
  variational[#variational + 1], variational[#variational + 2] = mean, rho
end
local trainer = gluon.Trainer(variational, "adam", { learning_rate = 0.005 })
local cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()

local function log_gaussian(x, mean, deviation)
  return -nd.log(deviation) - (x - mean) ^ 2 / (2 * deviation ^ 2)
end

-- The prior: a mixture of a wide and a narrow normal distribution.
local function log_prior(x)
  local function density(deviation) return nd.exp(-x ^ 2 / (2 * deviation ^ 2)) / deviation end
  return nd.log(density(0.75) * 0.5 + density(0.1) * 0.5)
end

-- Draws weights; returns them by name, and how much their distributions differ from the prior.
local function draw_weights()
  local drawn, divergence = {}, 0
  for _, w in ipairs(weights) do
    local deviation = nd.log(nd.exp(w.rho) + 1)
    local array = w.mean + deviation * nd.random.normal { shape = w.mean.shape }
    drawn[w.name] = array
    divergence = divergence + (log_gaussian(array, w.mean, deviation) - log_prior(array)):sum()
  end
  return drawn, divergence
end

local function accuracy()
  local means, metric = {}, hl.metric.Accuracy()
  for _, w in ipairs(weights) do means[w.name] = w.mean end
  for image, label in test_data do
    metric:update(label, gluon.functional_call(net, means, image:reshape { #image, -1 }))
  end
  return select(2, metric:get())
end

for epoch = 1, EPOCHS do
  local total = 0
  for image, label in train_data do
    local loss = autograd.record(function()
      local drawn, divergence = draw_weights()
      local output = gluon.functional_call(net, drawn, image:reshape { #image, -1 })
      return cross_entropy(output, label):sum() + divergence / #train_data
    end)
    loss:backward()
    trainer:step(#image)
    total = total + loss:asscalar()
  end
  print(("epoch %d   loss %.0f   test accuracy %.1f%%"):format(epoch, total / #train_data, accuracy() * 100))
end

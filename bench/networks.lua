-- networks.lua - benchmarks of whole computations: networks, training steps, chains of operators.
local hl = require "hybridlua"
local limits = require "limits"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local FLOAT = 4            -- bytes

-- A network of dense layers with relu between; sizes = { inputs, ..., outputs }.
local function mlp(sizes)
  local net = nn.HybridSequential()
  for i = 2, #sizes do net:add(nn.Dense(sizes[i], { activation = i < #sizes and "relu" or nil, in_units = sizes[i - 1] })) end
  net:initialize()
  return net
end

-- A call that must trace the network first.
local function first_call(net, shape)
  return function()
    local block, x = net(), nd.random.normal { shape = shape }
    block(x)
    return function()
      block:hybridize(false)
      block:hybridize()
      return block(x)
    end
  end
end

local function resnet()
  local net = gluon.model_zoo.vision.resnet18_v1 { classes = 10, thumbnail = true }
  net:initialize()
  return net
end

local function weights_of(sizes)
  local n = 0
  for i = 2, #sizes do n = n + sizes[i - 1] * sizes[i] end
  return n
end

local function forward(hybridize)
  return function()
    local net, x = mlp { 512, 256, 128, 2 }, nd.random.normal { shape = { 1, 512 } }
    if hybridize then net:hybridize() end
    return function() return net(x) end
  end
end

local function training_step(hybridize, optimizer, options)
  return function()
    local net, loss = mlp { 784, 256, 128, 10 }, gluon.loss.SoftmaxCrossEntropyLoss()
    local x, y = nd.random.normal { shape = { 64, 784 } }, nd.arange(0, 64) % 10
    if hybridize then net:hybridize() loss:hybridize() end
    local trainer = gluon.Trainer(net:collect_params(), optimizer, options)
    return function()
      local l = autograd.record(function() return loss(net(x), y) end)
      l:backward()
      trainer:step(64)
    end
  end
end

-- A whole step as one compiled function: network, loss, backward and update.
local function compiled_step(sizes, batch)
  return function()
    local net, loss = mlp(sizes), gluon.loss.SoftmaxCrossEntropyLoss()
    local x, y = nd.random.normal { shape = { batch, sizes[1] } }, nd.arange(0, batch) % sizes[#sizes]
    local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = 0.001 })
    local step = hl.compile(function(_, a, b)
      local l = autograd.record(function() return loss(net(a), b) end)
      l:backward()
      trainer:step(batch)
      return l
    end)
    return function() return step(x, y) end
  end
end

local CHAIN = "tanh(a*b+a)*sigmoid(b)-relu(a)"
local function chain(F, a, b) return F.tanh(a * b + a) * F.sigmoid(b) - F.relu(a) end

local function chain_of(n, hybridize)
  return function()
    local a, b = nd.random.uniform { shape = { n } }, nd.random.uniform { shape = { n } }
    if not hybridize then return function() return chain(nd, a, b) end end
    local f = hl.compile(chain)
    return function() return f(a, b) end
  end
end

return function(options)
  local threads = options.threads
  local tutorial = { 512, 256, 128, 2 }
  local weights = weights_of(tutorial) * FLOAT
  local function read_weights() return limits.read(weights, threads) end

  -- Forward and the weights' gradients need every product, the inputs' gradients all but the first layer's.
  local flops = 2 * 64 * (3 * weights_of { 784, 256, 128, 10 } - 784 * 256)
  local function products() return limits.product(1024, 1024, 1024, false, false, threads) * flops / (2 * 1024 ^ 3) end

  local list = {}
  local function add(name, prepare, limit, by)
    list[#list + 1] = { group = "networks", name = name, prepare = prepare, limit = limit, by = by }
  end
  for _, hybridize in ipairs { false, true } do
    local mode = hybridize and "hybridized" or "eager"
    add("MLP 512-256-128-2, batch 1, " .. mode, forward(hybridize), read_weights, "the weights read once")
  end
  add("MLP 512-256-128-2, batch 1, first call", first_call(function() return mlp(tutorial) end, { 1, 512 }), read_weights,
      "the weights read once")
  add("ResNet-18 for 32x32 pictures, batch 1, first call", first_call(resnet, { 1, 3, 32, 32 }),
      function() return limits.read(11.2e6 * FLOAT, threads) end, "the weights read once")
  for _, rule in ipairs { { "sgd", { learning_rate = 0.01 } }, { "adam", { learning_rate = 0.001 } } } do
    for _, hybridize in ipairs { false, true } do
      add(("MLP 784-256-128-10, batch 64, step (%s), %s"):format(rule[1], hybridize and "hybridized" or "eager"),
          training_step(hybridize, rule[1], rule[2]), products, "the matrix products at sgemm's best")
    end
  end
  add("MLP 784-256-128-10, batch 64, step (adam), compiled", compiled_step({ 784, 256, 128, 10 }, 64), products,
      "the matrix products at sgemm's best")
  add("MLP 32-16-4, batch 8, step (adam), compiled", compiled_step({ 32, 16, 4 }, 8),
      function() return limits.read(weights_of { 32, 16, 4 } * FLOAT, threads) end, "the weights read once")
  for _, hybridize in ipairs { false, true } do
    add(("%s, 1M floats, %s"):format(CHAIN, hybridize and "hybridized" or "eager"), chain_of(1000000, hybridize),
        function() return limits.chain(1000000, threads) end, "one loop by hand")
  end
  return list
end

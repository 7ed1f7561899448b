-- worker.lua - hybridlua's side of compare.py: reads "NAME SECONDS" lines, runs that benchmark in
-- batches for this time, and prints the shortest seconds of one call, or "none".
package.path = arg[0]:match "^(.*/)" .. "?.lua;" .. package.path
local hl = require "hybridlua"
local peers = require "peers"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local function mlp(...)
  local net, sizes = nn.HybridSequential(), { ... }
  for i, units in ipairs(sizes) do net:add(nn.Dense(units, { activation = i < #sizes and "relu" or nil })) end
  net:initialize()
  return net
end

local function forward(hybridize)
  local net, x = mlp(256, 128, 2), nd.random.normal { shape = { 1, 512 } }
  if hybridize then net:hybridize() end
  return function() return net(x) end
end

local function step(hybridize)
  local net, loss = mlp(256, 128, 10), gluon.loss.SoftmaxCrossEntropyLoss()
  local x, y = nd.random.normal { shape = { 64, 784 } }, nd.arange(0, 64) % 10
  if hybridize then net:hybridize() loss:hybridize() end
  local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.01 })
  return function()
    autograd.record(function() return loss(net(x), y) end):backward()
    trainer:step(64)
  end
end

local function chain(F, a, b) return F.tanh(a * b + a) * F.sigmoid(b) - F.relu(a) end
local function uniform(...) return nd.random.uniform { shape = { ... } } end

local works = {
  forward_eager = function() return forward(false) end,
  forward_compiled = function() return forward(true) end,
  step_eager = function() return step(false) end,
  step_compiled = function() return step(true) end,
  chain_eager = function()
    local a, b = uniform(1000000), uniform(1000000)
    return function() return chain(nd, a, b) end
  end,
  chain_compiled = function()
    local a, b, f = uniform(1000000), uniform(1000000), hl.compile(chain)
    return function() return f(a, b) end
  end,
  add_small = function()
    local a, b = nd.ones { 4 }, nd.ones { 4 }
    return function() return a + b end
  end,
  add_large = function()
    local a, b = uniform(10000000), uniform(10000000)
    return function() return a + b end
  end,
  sum_large = function()
    local a = uniform(10000000)
    return function() return nd.sum(a) end
  end,
  softmax = function()
    local a = uniform(1000, 1000)
    return function() return nd.softmax(a) end
  end,
  product = function()
    local a, b = uniform(1024, 1024), uniform(1024, 1024)
    return function() return nd.dot(a, b) end
  end,
}

if arg[1] == "first" then      -- the first call of a compiled network
  print(peers.time_of(forward(true), 1))
  os.exit(0)
end

local ready = {}
peers.serve(function(line)
  local name, seconds = line:match "^(%S+) (%S+)$"
  if not works[name] then return end
  ready[name] = ready[name] or peers.repeated(works[name]())
  return ready[name](tonumber(seconds))[1]
end)

-- peak_child.lua NET WAY - prints the peak memory of arrays in one training step, in bytes, and a digest of its
-- gradients. NET: layer (one layer used 50 times), mlp, lenet, attention; WAY: eager or compiled.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd = hl.nd, hl.autograd

hl.random.seed(7)

local function weights(...)
  local list = {}
  for i, shape in ipairs { ... } do
    list[i] = nd.random.normal(0, 0.05, { shape = shape })
    list[i]:attach_grad()
  end
  return list
end

-- Each function returns the loss as a function of (F, data, parameters...), the data and the parameters.
local nets = {}

function nets.layer()
  local function f(F, x, w)
    for _ = 1, 50 do x = F.tanh(F.FullyConnected(x, w, { num_hidden = 1000, no_bias = true })) end
    return F.sum(x)
  end
  return f, nd.ones { 1, 1000 }, weights { 1000, 1000 }
end

function nets.mlp()
  local function f(F, x, w1, b1, w2, b2, w3, b3)
    x = F.relu(F.FullyConnected(x, w1, b1, { num_hidden = 128 }))
    x = F.relu(F.FullyConnected(x, w2, b2, { num_hidden = 64 }))
    return F.sum(F.log_softmax(F.FullyConnected(x, w3, b3, { num_hidden = 10 })))
  end
  return f, nd.random.normal(0, 1, { shape = { 64, 784 } }),
    weights({ 128, 784 }, { 128 }, { 64, 128 }, { 64 }, { 10, 64 }, { 10 })
end

function nets.lenet()
  local function f(F, x, w1, b1, w2, b2, w3, b3, w4, b4)
    x = F.tanh(F.Convolution(x, w1, b1, { kernel = { 5, 5 }, num_filter = 20 }))
    x = F.Pooling(x, { pool_type = "max", kernel = { 2, 2 }, stride = { 2, 2 } })
    x = F.tanh(F.Convolution(x, w2, b2, { kernel = { 5, 5 }, num_filter = 50 }))
    x = F.Flatten(F.Pooling(x, { pool_type = "max", kernel = { 2, 2 }, stride = { 2, 2 } }))
    x = F.tanh(F.FullyConnected(x, w3, b3, { num_hidden = 500 }))
    return F.sum(F.log_softmax(F.FullyConnected(x, w4, b4, { num_hidden = 10 })))
  end
  return f, nd.random.normal(0, 1, { shape = { 16, 1, 28, 28 } }),
    weights({ 20, 1, 5, 5 }, { 20 }, { 50, 20, 5, 5 }, { 50 }, { 500, 800 }, { 500 }, { 10, 500 }, { 10 })
end

function nets.attention()
  local function f(F, x, q, k, v)
    for _ = 1, 4 do
      local a, b, c = F.dot(x, q), F.dot(x, k), F.dot(x, v)
      x = x + F.dot(F.softmax(F.dot(a, b, { transpose_b = true }) * 0.1), c)
    end
    return F.sum(x * x)
  end
  return f, nd.random.normal(0, 1, { shape = { 128, 64 } }), weights({ 64, 64 }, { 64, 64 }, { 64, 64 })
end

local f, data, parameters = nets[arg[1]]()
local call = arg[2] == "compiled" and hl.compile(f) or function(...) return f(nd, ...) end

local function step()
  autograd.record(function() return call(data, table.unpack(parameters)) end):backward()
end

for _ = 1, 3 do step() end                        -- by now an executable has its run state
collectgarbage()
collectgarbage()
core.host.memory_options { reset_peak = true }
step()
local function digest(x)
  local h = 0
  for _, v in ipairs(x:reshape { -1 }:tolist()) do
    h = (h * 31 + string.unpack("<I4", string.pack("<f", v))) & 0xFFFFFFFFFFFF
  end
  return ("%012x"):format(h)
end

local bits = {}
for i, w in ipairs(parameters) do bits[i] = digest(w.grad) end
print(hl.memory().peak, table.concat(bits, " "))

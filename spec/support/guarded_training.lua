-- guarded_training.lua - trains an MLP on a context; run by build/guarded (spec/exec/device_spec.lua).
--
-- Usage: guarded_training.lua CONTEXT MODE: "cpu" or "gpu"; "eager", "hybridized" or "compiled". Prints the bits of the
-- losses and parameters after 20 steps.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local ctx = arg[1] == "gpu" and hl.gpu(0) or hl.cpu()
local mode = arg[2]

hl.random.seed(7)
local data = nd.random.normal { shape = { 8, 12 } }:as_in_context(ctx)
local labels = nd.array({ 0, 1, 2, 0, 2, 1, 1, 0 }, { ctx = ctx })

local net = nn.HybridSequential()
net:add(nn.Dense(16, { activation = "relu", in_units = 12 }), nn.Dense(3, { in_units = 16 }))
net:initialize { init = hl.initializer.Xavier(), ctx = ctx }
if mode == "hybridized" then net:hybridize() end
local loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.1, momentum = 0.9 })

local function step(x, y)
  local loss = autograd.record(function() return loss_of(net(x), y) end)
  loss:backward()
  trainer:step(8)
  return loss
end
if mode == "compiled" then
  local eager = step
  step = hl.compile(function(_, x, y) return eager(x, y) end)
end

local function print_bits(name, x)
  local bytes = {}
  for byte in x:tobytes():gmatch "." do bytes[#bytes + 1] = ("%02x"):format(byte:byte()) end
  print(name, x.context.device_type == arg[1], table.concat(bytes))
end

for i = 1, 20 do print_bits("loss " .. i, step(data, labels)) end
for _, p in ipairs { net[0].weight, net[0].bias, net[1].weight, net[1].bias } do
  print_bits("parameter", p:data(ctx))
end

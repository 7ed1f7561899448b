-- custom_block.lua - a layer and a network of your own.
--
-- A class derived from HybridBlock creates its children and parameters in init and computes in hybrid_forward: F is nd
-- or sym, x the input, p a table of the block's own parameters. Children and parameters are registered by assignment;
-- their fields name them, in printouts too.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

hl.random.seed(0)

-- ---- A layer: x / rms(x), times a learned scale for each feature ----------------------------------

local RMSNorm = gluon.HybridBlock:subclass "RMSNorm"

function RMSNorm:init(units, options)
  self.epsilon = options and options.epsilon or 1e-6
  self.scale = self.params:get("scale", { shape = { units }, init = "ones" })
end

function RMSNorm:hybrid_forward(F, x, p)
  local mean_square = F.mean(x * x, { axis = -1, keepdims = true })
  return x * F.rsqrt(mean_square + self.epsilon) * p.scale
end

-- Without this, print would show RMSNorm( ), because it has no children.
function RMSNorm:__tostring() return ("RMSNorm(%d)"):format(self.scale.shape[1]) end

-- ---- A block of blocks: a residual connection ------------------------------------

local Residual = gluon.HybridBlock:subclass "Residual"

function Residual:init(units)
  self.norm = RMSNorm(units)
  self.body = nn.HybridSequential()
  self.body:add(nn.Dense(2 * units, { activation = "tanh" }), nn.Dense(units))
end

function Residual:hybrid_forward(_, x) return x + self.body(self.norm(x)) end

-- ---- Used like any other -----------------------------------------------------------------------------

local net = nn.HybridSequential()
net:add(nn.Dense(16), Residual(16), Residual(16), nn.Dense(1))
net:initialize(hl.init.Xavier())
net:hybridize()
print(net)

-- It learns sin(x1) * x2 from 512 points.
local x = nd.random.uniform(-2, 2, { shape = { 512, 2 } })
local y = x[":, 0:1"]:sin() * x[":, 1:2"]
local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = 0.01 })
local loss_of = gluon.loss.L2Loss()
for step = 0, 300 do
  local loss = autograd.record(function() return loss_of(net(x), y) end)
  loss:backward()
  trainer:step(#x)
  if step % 100 == 0 then print(("step %3d   loss %.5f"):format(step, loss:mean():asscalar())) end
end

print "\nthe parameters of the first residual block, by name:"
for name, param in net[1]:collect_params():items() do print(("  %-44s %s"):format(name, table.concat(param.shape, "x"))) end
print(net[1].norm.scale:data())

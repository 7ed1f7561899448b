-- custom_function.lua - an operation with a gradient of your own: autograd.Function.
--
-- forward computes with arrays and may save some of them; backward gets the gradient of each output and returns one for
-- each input. It need not be the derivative: here rounding passes gradients straight through, so that a network with
-- rounded weights can learn.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon

hl.random.seed(0)

-- ---- The derivative, written by hand ---------------------------------------------------------------

local Softplus = autograd.Function:subclass "Softplus"

-- log(1 + e^x), without overflow for large x
function Softplus:forward(x)
  self:save_for_backward(x)
  return nd.relu(x) + (-x:abs()):exp():log1p()
end

function Softplus:backward(dy)
  local x = self.saved_tensors[1]
  return dy * x:sigmoid()
end

local x = nd.array { -100, -1, 0, 1, 100 }
x:attach_grad()
local y = autograd.record(function() return Softplus()(x) end)
y:backward()
print("softplus   ", y)
print("its gradient", x.grad)

local e = 1e-3
local x64 = x:astype "float64"
local differences = (Softplus()(x64 + e) - Softplus()(x64 - e)) / (2 * e)
print("by differences", differences)

-- ---- A gradient that is not a derivative -----------------------------------------------------------

-- Rounds to the nearest of -1, 0, 1; the gradient passes through unchanged.
local Ternary = autograd.Function:subclass "Ternary"
function Ternary:forward(w) return w:clip(-1, 1):round() end
function Ternary:backward(dy) return dy end

-- A plain Block: a Function works on arrays, so the block around it is not hybridized.
local TernaryDense = gluon.Block:subclass "TernaryDense"

function TernaryDense:init(units, in_units)
  self.weight = self.params:get("weight", { shape = { units, in_units }, init = hl.init.Uniform(1) })
end

function TernaryDense:forward(v) return nd.dot(v, Ternary()(self.weight:data()), { transpose_b = true }) end

local secret = nd.array { { 1, -1, 0, 1, 0, 0, -1, 1 } }
local inputs = nd.random.normal { shape = { 256, 8 } }
local outputs = nd.dot(inputs, secret, { transpose_b = true })

local layer = TernaryDense(1, 8)
layer:initialize()
local trainer = gluon.Trainer(layer:collect_params(), "sgd", { learning_rate = 0.1 })
local loss_of = gluon.loss.L2Loss()
print "\nlearning weights that are only ever used rounded:"
for step = 0, 30 do
  local loss = autograd.record(function() return loss_of(layer(inputs), outputs) end)
  if step % 10 == 0 then print(("step %2d   loss %.4f"):format(step, loss:mean():asscalar())) end
  loss:backward()
  trainer:step(#inputs)
end
print("learnt", Ternary()(layer.weight:data()))
print("secret", secret)

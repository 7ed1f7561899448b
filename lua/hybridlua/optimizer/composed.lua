-- optimizer/composed.lua - the rules that are written in Lua: a step of theirs is not one operator. _refusal says why,
-- for step:export.
local core = require "hybridlua.core"
local Optimizer = require "hybridlua.optimizer.optimizer"

local nd = core.op.nd
local zeros = Optimizer.zeros
local rules = {}
local define = Optimizer._definer(rules)

-- The gradient that all rules here start from: scaled, plus `decay` times the weight if given, then clipped.
local function prepared(self, grad, weight, decay)
  grad = grad * self.rescale_grad
  if decay then grad = grad + weight * decay end
  local most = self.clip_gradient
  return most and nd.clip(grad, -most, most) or grad
end

--- SGLD{}: gradient descent with noise, to sample weights. Welling and Teh, 2011.
local SGLD = define("SGLD", {}, {})
SGLD._refusal = "it draws noise"

function SGLD:update(index, weight, grad)
  local call = self:_begin(index, weight)
  local noise = nd.random.normal(0, math.sqrt(call.lr),
    { shape = weight.shape, dtype = weight.dtype, ctx = weight.context })
  weight:add_((prepared(self, grad) + weight * call.wd) * (-call.lr / 2) + noise)
end

--- Test{}: adds the scaled gradient to the weight; for tests of other parts.
local Test = define("Test", {}, {})
Test._refusal = "it serves tests of other parts"

function Test:create_state(_, weight) return zeros(weight) end

function Test:update(_, weight, grad, state)
  weight:add_(grad * self.rescale_grad)
  state:set(weight)
end

local function norm(x) return x:norm():asscalar() end

--- LBSGD{momentum = 0, warmup_strategy = "linear", warmup_epochs = 5, batch_scale = 1, updates_per_epoch = 32,
-- begin_epoch = 0}: SGD on the mean of batch_scale gradients. During the warmup the rate grows to batch_scale times the
-- base rate ("linear", "power2", "sqrt"), or depends on norms ("lars").
local LBSGD = define("LBSGD", { "momentum", "warmup_strategy", "warmup_epochs", "batch_scale", "updates_per_epoch",
  "begin_epoch", "num_epochs" }, { momentum = 0.0, warmup_strategy = "linear", warmup_epochs = 5, batch_scale = 1,
                       updates_per_epoch = 32,
                       begin_epoch = 0, num_epochs = 60 })

LBSGD._refusal = "whether it changes a weight depends on the count of updates"

function LBSGD:create_state(_, weight) return { zeros(weight), self.momentum ~= 0 and zeros(weight) or nil } end

local GROWTH = {
  linear = function(part) return part end,
  power2 = function(part) return part * part end,
  sqrt = math.sqrt,
}

local function warmup(self, updates, weight, grad, wd)
  if self.warmup_strategy == "lars" then
    local of_weight, of_grad = norm(weight) ^ 2, norm(grad) ^ 2
    return math.min(math.max(math.sqrt(of_weight / (of_grad + wd * of_weight + 1e-18)), 0.01), 100)
  end
  local all, growth = self.warmup_epochs * self.updates_per_epoch, GROWTH[self.warmup_strategy]
  if updates >= all then return self.batch_scale end
  if all <= 1 or not growth then return 1 end
  return 1 + (self.batch_scale - 1) * growth(updates / all)
end

function LBSGD:update(index, weight, grad, state)
  local rate = self:_get_lr(index)
  local call, sum, momentum = self:_begin(index, weight), state[1], state[2]
  sum:add_(grad)
  local updates = self._index_update_count[index] + self.begin_epoch * self.updates_per_epoch
  if updates % self.batch_scale ~= 0 then return end
  local mean = sum / self.batch_scale
  call.lr = rate * warmup(self, updates, weight, mean, call.wd)
  call.momentum = momentum and self.momentum
  if momentum then nd.sgd_mom_update(weight, mean, momentum, call) else nd.sgd_update(weight, mean, call) end
  sum:set(0)
end

return rules

-- optimizer/composed.lua - the rules that are written in array arithmetic.
local core = require "hybridlua.core"
local Optimizer = require "hybridlua.optimizer.optimizer"

local nd, power = core.op.nd, core.number.power_of
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

local function decay_towards(average, factor, value)
  average:multiply_(factor):add_(value * (1 - factor))
end

--- Adamax{beta1 = 0.9, beta2 = 0.999}: Adam with the largest gradient in place of the mean square. Kingma and Ba, 2014,
-- section 7.
local Adamax = define("Adamax", { "learning_rate", "beta1", "beta2" }, { beta1 = 0.9, beta2 = 0.999 }, 0.002)

local LEAST = 1e-37      -- without a gradient so far, the step is 0, not 0 / 0

function Adamax:create_state(_, weight) return zeros(weight, 2) end

function Adamax:update(index, weight, grad, state)
  local call = self:_begin(index, weight)
  local mean, largest = state[1], state[2]
  grad = prepared(self, grad, weight, call.wd)
  decay_towards(mean, self.beta1, grad)
  largest:set(nd.maximum(largest * self.beta2, grad:abs()))
  local rate = call.lr / (1 - power(self.beta1, self._index_update_count[index]))
  weight:subtract_(mean * rate / nd.maximum(largest, LEAST))
end

--- Nadam{beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, schedule_decay = 0.004}: Adam with Nesterov's momentum. Dozat,
-- 2016.
local Nadam = define("Nadam", { "learning_rate", "beta1", "beta2", "epsilon", "schedule_decay" },
                     { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, schedule_decay = 0.004 }, 0.001)

function Nadam:init(...)
  Optimizer.init(self, ...)
  self.m_schedule = 1.0          -- the product of the momenta of all updates so far
end

function Nadam:create_state(_, weight) return zeros(weight, 2) end

function Nadam:update(index, weight, grad, state)
  local call = self:_begin(index, weight)
  local t = self._index_update_count[index]
  local function momentum(at) return self.beta1 * (1 - 0.5 * power(0.96, at * self.schedule_decay)) end
  local now, next_ = momentum(t), momentum(t + 1)
  self.m_schedule = self.m_schedule * now
  grad = prepared(self, grad, weight, call.wd)
  local mean, square = state[1], state[2]
  decay_towards(mean, self.beta1, grad)
  decay_towards(square, self.beta2, grad:square())
  local ahead = grad * ((1 - now) / (1 - self.m_schedule)) + mean * (next_ / (1 - self.m_schedule * next_))
  weight:subtract_(ahead * call.lr / ((square / (1 - power(self.beta2, t))):sqrt() + self.epsilon))
end

function Nadam:get_numbers()
  local numbers = Optimizer.get_numbers(self)
  numbers.m_schedule = self.m_schedule
  return numbers
end

function Nadam:set_numbers(numbers)
  Optimizer.set_numbers(self, numbers)
  self.m_schedule = numbers.m_schedule or self.m_schedule
end

--- DCASGD{momentum = 0, lamda = 0.04}: SGD that compensates for delayed gradients. Zheng et al., 2016.
local DCASGD = define("DCASGD", { "momentum", "lamda" }, { momentum = 0.0, lamda = 0.04 })

function DCASGD:create_state(_, weight) return { weight:copy(), self.momentum ~= 0 and zeros(weight) or nil } end

function DCASGD:update(index, weight, grad, state)
  local call = self:_begin(index, weight)
  local previous, momentum = state[1], state[2]
  grad = prepared(self, grad)
  local step = (grad + weight * call.wd + grad:square() * (weight - previous) * self.lamda) * -call.lr
  if momentum then step = momentum:multiply_(self.momentum):add_(step) end
  previous:set(weight)
  weight:add_(step)
end

--- SGLD{}: gradient descent with noise, to sample weights. Welling and Teh, 2011.
local SGLD = define("SGLD", {}, {})

function SGLD:update(index, weight, grad)
  local call = self:_begin(index, weight)
  local noise = nd.random.normal(0, math.sqrt(call.lr),
    { shape = weight.shape, dtype = weight.dtype, ctx = weight.context })
  weight:add_((prepared(self, grad) + weight * call.wd) * (-call.lr / 2) + noise)
end

--- Test{}: adds the scaled gradient to the weight; for tests of other parts.
local Test = define("Test", {}, {})

function Test:create_state(_, weight) return zeros(weight) end

function Test:update(_, weight, grad, state)
  weight:add_(grad * self.rescale_grad)
  state:set(weight)
end

local function norm(x) return x:norm():asscalar() end

--- LARS{momentum = 0, eta = 0.001, eps = 0, momentum_correction = true}: SGD with a learning rate for each layer, from
-- the norms of its weight and gradient. Biases, gammas and betas use the common rate. You et al., 2017.
local LARS = define("LARS", { "momentum", "lazy_update", "eta", "eps", "momentum_correction" },
                    { momentum = 0.0, lazy_update = true, eta = 0.001, eps = 0, momentum_correction = true })

function LARS:create_state(_, weight) return self.momentum ~= 0 and zeros(weight) or nil end

local function own_rate(self, index, weight, grad, wd)
  local param = self.param_dict[index]
  local name = param and param.name or self.idx2name[index] or ""
  if name:find "gamma$" or name:find "beta$" or name:find "bias$" then return 1 end
  local of_weight, of_grad = norm(weight), norm(grad) * self.rescale_grad
  if of_weight == 0 or of_grad == 0 then return 1 end
  return self.eta * of_weight / (of_grad + wd * of_weight + self.eps)
end

-- The momentum is scaled with a changing rate, or old steps would weigh too much.
local function corrected_momentum(self)
  if self.rate_of ~= self.num_update then         -- the first parameter of this update
    local rate = self.learning_rate
    self.rate_of, self.rate_before, self.rate_now = self.num_update, self.rate_now or rate, rate
  end
  if not self.momentum_correction or self.rate_before == 0 then return self.momentum end
  return self.momentum * (self.rate_now / self.rate_before)
end

function LARS:update(index, weight, grad, state)
  local call = self:_begin(index, weight)
  call.lr = call.lr * own_rate(self, index, weight, grad, call.wd)
  call.momentum = state and corrected_momentum(self)
  if state then nd.sgd_mom_update(weight, grad, state, call) else nd.sgd_update(weight, grad, call) end
end

--- LBSGD{momentum = 0, warmup_strategy = "linear", warmup_epochs = 5, batch_scale = 1, updates_per_epoch = 32,
-- begin_epoch = 0}: SGD on the mean of batch_scale gradients. During the warmup the rate grows to batch_scale times the
-- base rate ("linear", "power2", "sqrt"), or depends on norms ("lars").
local LBSGD = define("LBSGD", { "momentum", "warmup_strategy", "warmup_epochs", "batch_scale", "updates_per_epoch",
  "begin_epoch", "num_epochs" }, { momentum = 0.0, warmup_strategy = "linear", warmup_epochs = 5, batch_scale = 1,
                       updates_per_epoch = 32,
                       begin_epoch = 0, num_epochs = 60 })

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

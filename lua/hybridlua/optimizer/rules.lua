-- optimizer/rules.lua - rules that are one update operator each. The operator reads the gradient and writes the weight
-- and the states in place, in one pass over memory; step (see optimizer.lua) returns its name and sets the rule's own
-- options. _operator(state) returns the same name for compiled steps. (step does not call it, since a method's lookup
-- would be noticeable in the update of a small array.) _differing names the options that differ between parameters,
-- in addition to lr, wd and t; _counted the fields that step changes.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local Optimizer = require "hybridlua.optimizer.optimizer"

local nd, power = core.op.nd, core.number.power_of
local zeros = Optimizer.zeros
local rules = {}
local define = Optimizer._definer(rules)

--- SGD{momentum = 0, lazy_update = true (no effect: nothing is sparse)}: with momentum
--   state = momentum state - lr (grad + wd weight),  weight = weight + state.
local SGD = define("SGD", { "momentum", "lazy_update" }, { momentum = 0.0, lazy_update = true })

function SGD:create_state(_, weight) return self.momentum ~= 0 and zeros(weight) or nil end

function SGD:_operator(state) return state and "sgd_mom_update" or "sgd_update" end

function SGD:step(call, state)
  call.momentum = state and self.momentum
  return state and "sgd_mom_update" or "sgd_update"
end

--- NAG{momentum = 0}: SGD with Nesterov's momentum. As in MXNet, the momentum's decay uses the weight that was written
-- just before.
local NAG = define("NAG", { "momentum" }, { momentum = 0.0 })
NAG.create_state = SGD.create_state

function NAG:_operator(state) return state and "nag_step" or "sgd_update" end

function NAG:step(call, state)
  call.momentum = state and self.momentum
  return state and "nag_step" or "sgd_update"
end

--- Signum{momentum = 0.9, wd_lh = 0}: steps by the sign of the momentum. Bernstein et al., "signSGD", 2018. wd_lh is
-- Loshchilov and Hutter's weight decay.
local Signum = define("Signum", { "learning_rate", "momentum", "wd_lh" }, { momentum = 0.9, wd_lh = 0.0 })
Signum.create_state = SGD.create_state

function Signum:_operator(state) return state and "signum_update" or "signsgd_update" end

function Signum:step(call, state)
  call.momentum, call.wd_lh = state and self.momentum, state and self.wd_lh
  return state and "signum_update" or "signsgd_update"
end

--- Adam{beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8}. Kingma and Ba, 2014. The learning rate includes the bias
-- correction, as in section 2 of the paper.
local Adam = define("Adam", { "learning_rate", "beta1", "beta2", "epsilon", "lazy_update" },
                    { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, lazy_update = true }, 0.001)

function Adam:create_state(_, weight) return zeros(weight, 2) end

function Adam:_operator() return "adam_update" end

function Adam:step(call, _, index)
  local t = self._index_update_count[index]
  call.beta1, call.beta2, call.epsilon = self.beta1, self.beta2, self.epsilon
  call.lr = call.lr * math.sqrt(1 - power(self.beta2, t)) / (1 - power(self.beta1, t))
  return "adam_update"
end

--- AdamW{beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, correct_bias = true, wd = 0.01}: Adam with a weight decay separate
-- from the gradient and scaled by the learning rate: weight = weight - lr (step of Adam + wd weight). Loshchilov and
-- Hutter, 2017. The decay is PyTorch's; epsilon is added before the bias correction, as in Adam here. (MXNet 1.9.1 has
-- only the operator.)
local AdamW = define("AdamW", { "learning_rate", "beta1", "beta2", "epsilon", "correct_bias" },
                     { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, correct_bias = true, wd = 0.01 }, 0.001)
AdamW.create_state = Adam.create_state

function AdamW:_operator() return "adamw_step" end

function AdamW:step(call, _, index)
  local t = self._index_update_count[index]
  call.beta1, call.beta2, call.epsilon = self.beta1, self.beta2, self.epsilon
  call.wd = call.wd * call.lr
  if self.correct_bias then call.lr = call.lr * math.sqrt(1 - power(self.beta2, t)) / (1 - power(self.beta1, t)) end
  return "adamw_step"
end

--- RMSProp{gamma1 = 0.9, gamma2 = 0.9, epsilon = 1e-8, centered = false, clip_weights = nil}.
-- Tieleman and Hinton, 2012; centered: Graves, "Generating sequences", 2013, equations 38-45.
local RMSProp = define("RMSProp", { "learning_rate", "gamma1", "gamma2", "epsilon", "centered", "clip_weights" },
                       { gamma1 = 0.9, gamma2 = 0.9, epsilon = 1e-8, centered = false }, 0.001)

function RMSProp:create_state(_, weight) return zeros(weight, self.centered and 3 or 1) end

function RMSProp:_operator() return self.centered and "rmspropalex_update" or "rmsprop_update" end

function RMSProp:step(call)
  call.gamma1, call.epsilon, call.clip_weights = self.gamma1, self.epsilon, self.clip_weights
  call.gamma2 = self.centered and self.gamma2 or nil
  return self.centered and "rmspropalex_update" or "rmsprop_update"
end

--- AdaGrad{eps = 1e-7}: the rate falls as the sum of squared gradients grows. Duchi et al., 2011.
local AdaGrad = define("AdaGrad", { "eps" }, { eps = 1e-7 })

function AdaGrad:create_state(_, weight) return zeros(weight) end

function AdaGrad:_operator() return "adagrad_update" end

function AdaGrad:step(call)
  call.epsilon = self.eps
  return "adagrad_update"
end

--- GroupAdaGrad{eps = 1e-5}: AdaGrad with one rate for each row of the weight, an index of its first axis, from the
-- mean of its squared gradients. (MXNet's accepts matrices only.) Errors: weight decay.
local GroupAdaGrad = define("GroupAdaGrad", { "eps" }, { eps = 1e-5 })

function GroupAdaGrad:create_state(_, weight)
  local shape = {}
  for axis, size in ipairs(weight.shape) do shape[axis] = axis == 1 and size or 1 end
  return nd.zeros(shape, { dtype = weight.dtype, ctx = weight.context })
end

function GroupAdaGrad:_operator() return "_contrib_group_adagrad_update" end

function GroupAdaGrad:step(call)
  if call.wd ~= 0 then fail("GroupAdaGrad: wd: expected 0, as rows have no decay, got %g", call.wd) end
  call.epsilon, call.wd = self.eps, nil
  return "_contrib_group_adagrad_update"
end

--- AdaDelta{rho = 0.9, epsilon = 1e-5}: steps in the weight's own unit, without a learning rate. Zeiler, 2012.
local AdaDelta = define("AdaDelta", { "rho", "epsilon" }, { rho = 0.9, epsilon = 1e-5 })

function AdaDelta:create_state(_, weight) return zeros(weight, 2) end

function AdaDelta:_operator() return "adadelta_update" end

function AdaDelta:step(call)
  call.rho, call.epsilon, call.lr = self.rho, self.epsilon, nil
  return "adadelta_update"
end

--- Ftrl{lamda1 = 0.01, beta = 1}: follow the regularised leader. McMahan et al., "Ad click prediction", 2013.
local Ftrl = define("Ftrl", { "lamda1", "learning_rate", "beta" }, { lamda1 = 0.01, beta = 1 }, 0.1)

function Ftrl:create_state(_, weight) return zeros(weight, 2) end

function Ftrl:_operator() return "ftrl_update" end

function Ftrl:step(call)
  call.lamda1, call.beta = self.lamda1, self.beta
  return "ftrl_update"
end

--- FTML{beta1 = 0.6, beta2 = 0.999, epsilon = 1e-8}: follow the moving leader. Zheng and Kwok, 2017.
local FTML = define("FTML", { "beta1", "beta2", "epsilon" }, { beta1 = 0.6, beta2 = 0.999, epsilon = 1e-8 })

function FTML:create_state(_, weight) return zeros(weight, 3) end

function FTML:_operator() return "ftml_update" end

function FTML:step(call, _, index)
  call.beta1, call.beta2, call.epsilon, call.t = self.beta1, self.beta2, self.epsilon, self._index_update_count[index]
  call.clip_grad, call.clip_gradient = call.clip_gradient, nil
  return "ftml_update"
end

--- LAMB{beta1 = 0.9, beta2 = 0.999, epsilon = 1e-6, lower_bound = nil, upper_bound = nil, bias_correction = true}: Adam
-- with a learning rate for each layer, from the norms of its weight and its step. You et al., "Large batch
-- optimization", 2019.
local LAMB = define("LAMB",
                    { "learning_rate", "beta1", "beta2", "epsilon", "lower_bound", "upper_bound", "bias_correction" },
                    { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-6, bias_correction = true }, 0.001)
LAMB.create_state = Adam.create_state

function LAMB:_operator() return "lamb_step" end

function LAMB:step(call, _, index)
  call.beta1, call.beta2, call.epsilon, call.t = self.beta1, self.beta2, self.epsilon, self._index_update_count[index]
  call.bias_correction, call.lower_bound, call.upper_bound = self.bias_correction, self.lower_bound, self.upper_bound
  return "lamb_step"
end

--- Adamax{beta1 = 0.9, beta2 = 0.999}: Adam with the largest gradient in place of the mean square. Kingma and Ba, 2014,
-- section 7.
local Adamax = define("Adamax", { "learning_rate", "beta1", "beta2" }, { beta1 = 0.9, beta2 = 0.999 }, 0.002)
Adamax.create_state = Adam.create_state

function Adamax:_operator() return "adamax_step" end

function Adamax:step(call, _, index)
  call.beta1, call.beta2 = self.beta1, self.beta2
  call.lr = call.lr / (1 - power(self.beta1, self._index_update_count[index]))
  return "adamax_step"
end

--- Nadam{beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, schedule_decay = 0.004}: Adam with Nesterov's momentum. Dozat,
-- 2016.
local Nadam = define("Nadam", { "learning_rate", "beta1", "beta2", "epsilon", "schedule_decay" },
                     { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, schedule_decay = 0.004 }, 0.001)
Nadam.create_state = Adam.create_state
Nadam._differing = { "grad_factor", "mean_factor", "var_divisor" }
Nadam._counted = { "m_schedule" }

function Nadam:init(...)
  Optimizer.init(self, ...)
  self.m_schedule = 1.0          -- the product of the momenta of all updates so far
end

function Nadam:_operator() return "nadam_step" end

function Nadam:step(call, _, index)
  local t = self._index_update_count[index]
  local function momentum(at) return self.beta1 * (1 - 0.5 * power(0.96, at * self.schedule_decay)) end
  local now, next_ = momentum(t), momentum(t + 1)
  self.m_schedule = self.m_schedule * now
  call.beta1, call.beta2, call.epsilon = self.beta1, self.beta2, self.epsilon
  call.grad_factor, call.mean_factor = (1 - now) / (1 - self.m_schedule), next_ / (1 - self.m_schedule * next_)
  call.var_divisor = 1 - power(self.beta2, t)
  return "nadam_step"
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

function DCASGD:_operator(state) return state[2] and "dcasgd_mom_step" or "dcasgd_step" end

function DCASGD:step(call, state)
  call.lamda, call.momentum = self.lamda, state[2] and self.momentum
  return state[2] and "dcasgd_mom_step" or "dcasgd_step"
end

--- LARS{momentum = 0, eta = 0.001, eps = 0, momentum_correction = true}: SGD with a learning rate for each layer, from
-- the norms of its weight and gradient. Biases, gammas and betas use the common rate. You et al., 2017.
local LARS = define("LARS", { "momentum", "lazy_update", "eta", "eps", "momentum_correction" },
                    { momentum = 0.0, lazy_update = true, eta = 0.001, eps = 0, momentum_correction = true })
LARS.create_state = SGD.create_state
LARS._differing = { "adapts" }
LARS._counted = { "rate_of", "rate_before", "rate_now" }

local function adapts(self, index)
  local param = self.param_dict[index]
  local name = param and param.name or self.idx2name[index] or ""
  return not (name:find "gamma$" or name:find "beta$" or name:find "bias$")
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

function LARS:_operator(state) return state and "lars_mom_step" or "lars_step" end

function LARS:step(call, state, index)
  call.eta, call.epsilon, call.adapts = self.eta, self.eps, adapts(self, index) and 1 or 0
  call.momentum = state and corrected_momentum(self)
  return state and "lars_mom_step" or "lars_step"
end

return rules

-- optimizer/rules.lua - the rules that are one update operator each: the operator reads the
-- gradient and writes the weight and the states in place, in one pass over memory.
local core = require "hybridlua.core"
local Optimizer = require "hybridlua.optimizer.base"

local nd = core.nd
local zeros, begin, rates = Optimizer.zeros, Optimizer._begin, Optimizer._rates
local rules = {}
local define = Optimizer._definer(rules)

--- SGD{momentum = 0, lazy_update = true (no effect: nothing is sparse)}: with momentum
--   state = momentum state - lr (grad + wd weight),  weight = weight + state.
local SGD = define("SGD", { "momentum", "lazy_update" }, { momentum = 0.0, lazy_update = true })

function SGD:create_state(_, weight)
  return self.momentum ~= 0 and zeros(weight) or nil
end

function SGD:update(index, weight, grad, state)
  local call = begin(self, index, weight)
  call.momentum = state and self.momentum
  if state then nd.sgd_mom_update(weight, grad, state, call) else nd.sgd_update(weight, grad, call) end
end

--- How many parameters one call of update_several takes. A rule that redefines update takes one.
SGD.aggregate_num = 10
local update_one = SGD.update

function SGD:aggregates()
  local single = self.update ~= update_one or self.update_multi_precision ~= Optimizer.update_multi_precision or self.multi_precision
  return single and 1 or self.aggregate_num
end

-- The tables of a call, used again at the next one; what is left of a longer call goes.
local function tables_for(self, n, width)
  local call = self._several
  if not call then
    call = { lrs = {}, wds = {}, out = {} }
    self._several = call
  end
  for i = #call, n * width + 1, -1 do call[i] = nil end
  for i = #call.out, n + 1, -1 do call.lrs[i], call.wds[i], call.out[i] = nil, nil, nil end
  return call
end

--- Parameters first to last of the lists in one call, to the same bits as one by one.
function SGD:update_several(indices, weights, grads, states, first, last)
  local with_state, alike = states[indices[first]] ~= nil, first
  while alike < last and (states[indices[alike + 1]] ~= nil) == with_state do alike = alike + 1 end
  local n, width = alike - first + 1, with_state and 3 or 2
  local call = tables_for(self, n, width)
  local lrs, wds, out, at = call.lrs, call.wds, call.out, 0
  for k = 1, n do
    local index, weight = indices[first + k - 1], weights[first + k - 1]
    lrs[k], wds[k] = rates(self, index)
    out[k], call[at + 1], call[at + 2] = weight, weight, grads[first + k - 1]
    if with_state then call[at + 3] = states[index] end
    at = at + width
  end
  call.num_weights, call.rescale_grad, call.clip_gradient = n, self.rescale_grad, rawget(self, "clip_gradient")
  call.momentum = with_state and self.momentum or nil
  if with_state then nd.multi_sgd_mom_update(call) else nd.multi_sgd_update(call) end
  if alike < last then self:update_several(indices, weights, grads, states, alike + 1, last) end
end

--- NAG{momentum = 0}: Nesterov's momentum, which looks ahead.
local NAG = define("NAG", { "momentum" }, { momentum = 0.0 })
NAG.create_state = SGD.create_state

function NAG:update(index, weight, grad, state)
  local call = begin(self, index, weight)
  call.momentum = state and self.momentum
  if not state then return nd.sgd_update(weight, grad, call) end
  local before = call.wd ~= 0 and weight:copy()
  nd.nag_mom_update(weight, grad, state, call)
  -- MXNet's momentum decays by the weight that was written just before; so does ours.
  if before then state:add_((before - weight) * (call.lr * call.wd)) end
end

--- Signum{momentum = 0.9, wd_lh = 0}: steps by the sign of the momentum. Bernstein et al.,
-- "signSGD", 2018; wd_lh is the decay of Loshchilov and Hutter.
local Signum = define("Signum", { "learning_rate", "momentum", "wd_lh" }, { momentum = 0.9, wd_lh = 0.0 })
Signum.create_state = SGD.create_state

function Signum:update(index, weight, grad, state)
  local call = begin(self, index, weight)
  call.momentum, call.wd_lh = state and self.momentum, state and self.wd_lh
  if state then nd.signum_update(weight, grad, state, call) else nd.signsgd_update(weight, grad, call) end
end

--- Adam{beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8}. Kingma and Ba, 2014. The correction of the
-- bias is in the learning rate, as in the paper's section 2.
local Adam = define("Adam", { "learning_rate", "beta1", "beta2", "epsilon", "lazy_update" },
                    { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, lazy_update = true }, 0.001)

function Adam:create_state(_, weight) return zeros(weight, 2) end

function Adam:update(index, weight, grad, state)
  local call = begin(self, index, weight)
  local t = self._index_update_count[index]
  call.beta1, call.beta2, call.epsilon = self.beta1, self.beta2, self.epsilon
  call.lr = call.lr * math.sqrt(1 - self.beta2 ^ t) / (1 - self.beta1 ^ t)
  nd.adam_update(weight, grad, state[1], state[2], call)
end

--- RMSProp{gamma1 = 0.9, gamma2 = 0.9, epsilon = 1e-8, centered = false, clip_weights = nil}.
-- Tieleman and Hinton, 2012; centered: Graves, "Generating sequences", 2013, equations 38-45.
local RMSProp = define("RMSProp", { "learning_rate", "gamma1", "gamma2", "epsilon", "centered", "clip_weights" },
                       { gamma1 = 0.9, gamma2 = 0.9, epsilon = 1e-8, centered = false }, 0.001)

function RMSProp:create_state(_, weight) return zeros(weight, self.centered and 3 or 1) end

function RMSProp:update(index, weight, grad, state)
  local call = begin(self, index, weight)
  call.gamma1, call.epsilon, call.clip_weights = self.gamma1, self.epsilon, self.clip_weights
  call.gamma2 = self.centered and self.gamma2 or nil
  if self.centered then nd.rmspropalex_update(weight, grad, state[1], state[2], state[3], call)
  else nd.rmsprop_update(weight, grad, state[1], call) end
end

--- AdaGrad{eps = 1e-7}: the rate falls with the sum of squared gradients. Duchi et al., 2011.
local AdaGrad = define("AdaGrad", { "eps" }, { eps = 1e-7 })

function AdaGrad:create_state(_, weight) return zeros(weight) end

function AdaGrad:update(index, weight, grad, history)
  local call = begin(self, index, weight)
  call.epsilon = self.eps
  nd.adagrad_update(weight, grad, history, call)
end

--- AdaDelta{rho = 0.9, epsilon = 1e-5}: steps in the weight's own unit; it has no learning
-- rate. Zeiler, 2012.
local AdaDelta = define("AdaDelta", { "rho", "epsilon" }, { rho = 0.9, epsilon = 1e-5 })

function AdaDelta:create_state(_, weight) return zeros(weight, 2) end

function AdaDelta:update(index, weight, grad, state)
  local call = begin(self, index, weight)
  call.rho, call.epsilon, call.lr = self.rho, self.epsilon, nil
  nd.adadelta_update(weight, grad, state[1], state[2], call)
end

--- Ftrl{lamda1 = 0.01, beta = 1}: follow the regularised leader. McMahan et al., "Ad click
-- prediction", 2013.
local Ftrl = define("Ftrl", { "lamda1", "learning_rate", "beta" }, { lamda1 = 0.01, beta = 1 }, 0.1)

function Ftrl:create_state(_, weight) return zeros(weight, 2) end

function Ftrl:update(index, weight, grad, state)
  local call = begin(self, index, weight)
  call.lamda1, call.beta = self.lamda1, self.beta
  nd.ftrl_update(weight, grad, state[1], state[2], call)
end

--- FTML{beta1 = 0.6, beta2 = 0.999, epsilon = 1e-8}: follow the moving leader. Zheng and Kwok, 2017.
local FTML = define("FTML", { "beta1", "beta2", "epsilon" }, { beta1 = 0.6, beta2 = 0.999, epsilon = 1e-8 })

function FTML:create_state(_, weight) return zeros(weight, 3) end

function FTML:update(index, weight, grad, state)
  local call = begin(self, index, weight)
  call.beta1, call.beta2, call.epsilon, call.t = self.beta1, self.beta2, self.epsilon, self._index_update_count[index]
  call.clip_grad, call.clip_gradient = call.clip_gradient, nil
  nd.ftml_update(weight, grad, state[1], state[2], state[3], call)
end

--- LAMB{beta1 = 0.9, beta2 = 0.999, epsilon = 1e-6, lower_bound = nil, upper_bound = nil,
-- bias_correction = true}: Adam with a rate for each layer by the norms of its weight and its
-- step. You et al., "Large batch optimization", 2019.
local LAMB = define("LAMB", { "learning_rate", "beta1", "beta2", "epsilon", "lower_bound", "upper_bound", "bias_correction" },
                    { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-6, bias_correction = true }, 0.001)
LAMB.create_state = Adam.create_state

function LAMB:update(index, weight, grad, state)
  local call = begin(self, index, weight)
  local step = nd.lamb_update_phase1(weight, grad, state[1], state[2], {
    beta1 = self.beta1, beta2 = self.beta2, epsilon = self.epsilon, t = self._index_update_count[index], wd = call.wd,
    bias_correction = self.bias_correction, rescale_grad = call.rescale_grad, clip_gradient = call.clip_gradient })
  nd.lamb_update_phase2(weight, step, weight:norm(), step:norm(), {
    out = weight, lr = call.lr, lower_bound = self.lower_bound, upper_bound = self.upper_bound })
end

return rules

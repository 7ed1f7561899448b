-- activations.lua - elementwise layers.
local core = require "hybridlua.core"
local HybridBlock = require "hybridlua.gluon.hybrid_block"

local nn = {}

--- Activation(name): relu, sigmoid, tanh, softrelu or softsign of each element.
nn.Activation = HybridBlock:subclass "Activation"

function nn.Activation.alias(act_type) return tostring(act_type) end

function nn.Activation:init(act_type)
  if type(act_type) ~= "string" then error(("Activation: activation: expected a name such as 'relu', got %s"):format(tostring(act_type)), 3) end
  self._act_type = act_type
  self._prepared = core.prepare("Activation", { act_type = act_type, name = "fwd" })
end

function nn.Activation:hybrid_forward(F, x) return F.Activation(x, self._prepared) end
function nn.Activation.__tostring(self) return ("Activation(%s)"):format(self._act_type) end

--- LeakyReLU(alpha): x where x > 0, else alpha x.
nn.LeakyReLU = HybridBlock:subclass "LeakyReLU"

function nn.LeakyReLU:init(alpha)
  if type(alpha) ~= "number" or alpha < 0 then error(("LeakyReLU: alpha: expected a number of 0 or more, got %s"):format(tostring(alpha)), 3) end
  self._alpha = alpha
end

function nn.LeakyReLU:hybrid_forward(F, x) return F.LeakyReLU(x, { act_type = "leaky", slope = self._alpha, name = "fwd" }) end
function nn.LeakyReLU.__tostring(self) return ("LeakyReLU(%s)"):format(self._alpha) end

--- PReLU({alpha_initializer=, in_channels=1}): leaky with a learned slope, one or one a channel (axis 1).
nn.PReLU = HybridBlock:subclass "PReLU"

function nn.PReLU:init(options)
  options = options or {}
  local initializer = require "hybridlua.initializer"
  self.alpha = self.params:get("alpha", { shape = { options.in_channels or 1 }, init = options.alpha_initializer or initializer.Constant(0.25) })
end

function nn.PReLU:hybrid_forward(F, x, p) return F.LeakyReLU(x, p.alpha, { act_type = "prelu", name = "fwd" }) end

--- ELU({alpha = 1}) or ELU(alpha): x where x > 0, else alpha (e^x - 1).
nn.ELU = HybridBlock:subclass "ELU"

function nn.ELU:init(alpha)
  if type(alpha) == "table" then alpha = alpha.alpha end
  self._alpha = alpha or 1.0
end

function nn.ELU:hybrid_forward(F, x) return F.LeakyReLU(x, { act_type = "elu", slope = self._alpha }) end

--- SELU: the self-normalising unit (Klambauer et al., 2017).
nn.SELU = HybridBlock:subclass "SELU"
function nn.SELU:hybrid_forward(F, x) return F.LeakyReLU(x, { act_type = "selu", name = "fwd" }) end

--- GELU: x Phi(x), Phi the normal distribution (Hendrycks and Gimpel, 2016).
nn.GELU = HybridBlock:subclass "GELU"
function nn.GELU:hybrid_forward(F, x) return F.LeakyReLU(x, { act_type = "gelu", name = "fwd" }) end

--- Swish(beta) : x sigmoid(beta x).
nn.Swish = HybridBlock:subclass "Swish"

function nn.Swish:init(beta)
  if type(beta) == "table" then beta = beta.beta end
  self._beta = beta or 1.0
end

function nn.Swish:hybrid_forward(F, x) return x * F.sigmoid(x * self._beta, { name = "fwd" }) end

return nn

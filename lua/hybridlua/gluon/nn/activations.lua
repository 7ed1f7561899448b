-- activations.lua - elementwise layers.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"

local nn = {}
--- Activation(name): relu, sigmoid, tanh, softrelu or softsign of each element.
nn.Activation = HybridBlock:subclass "Activation"

local read_activation = arguments.of_block("Activation", { "activation" })

-- The layer is named after the function.
function nn.Activation.alias(...) return tostring(read_activation(...).activation) end

function nn.Activation:init(...)
  local act_type = read_activation(...).activation
  if type(act_type) ~= "string" then
    fail("Activation: activation: expected a name such as 'relu', got %s", tostring(act_type))
  end
  self._act_type = act_type
  self._prepared = core.op.prepare("Activation", { act_type = act_type, name = "fwd" })
end

function nn.Activation:hybrid_forward(F, x) return F.Activation(x, self._prepared) end
function nn.Activation.__tostring(self) return ("Activation(%s)"):format(self._act_type) end

--- LeakyReLU(alpha): x where x > 0, else alpha x.
nn.LeakyReLU = HybridBlock:subclass "LeakyReLU"

local read_leaky = arguments.of_block("LeakyReLU", { "alpha" })

function nn.LeakyReLU:init(...) self._alpha = checks.number("LeakyReLU: alpha", read_leaky(...).alpha, 0) end

function nn.LeakyReLU:hybrid_forward(F, x)
  return F.LeakyReLU(x, { act_type = "leaky", slope = self._alpha, name = "fwd" })
end
function nn.LeakyReLU.__tostring(self) return ("LeakyReLU(%s)"):format(self._alpha) end

--- PReLU({alpha_initializer=, in_channels=1}): LeakyReLU with a learned slope, a single one or one per channel (axis
-- 1).
nn.PReLU = HybridBlock:subclass "PReLU"

local read_prelu = arguments.of_block("PReLU", { "alpha_initializer", "in_channels" }, { in_channels = 1 })

function nn.PReLU:init(...)
  local options = read_prelu(...)
  local init = options.alpha_initializer or require("hybridlua.initializer").Constant(0.25)
  local channels = checks.number("PReLU: in_channels", options.in_channels)
  self.alpha = self.params:get("alpha", { shape = { channels }, init = init })
end

function nn.PReLU:hybrid_forward(F, x, p) return F.LeakyReLU(x, p.alpha, { act_type = "prelu", name = "fwd" }) end

--- ELU(alpha = 1): x where x > 0, else alpha (e^x - 1).
nn.ELU = HybridBlock:subclass "ELU"

local read_elu = arguments.of_block("ELU", { "alpha" }, { alpha = 1.0 })

function nn.ELU:init(...) self._alpha = checks.number("ELU: alpha", read_elu(...).alpha) end

function nn.ELU:hybrid_forward(F, x) return F.LeakyReLU(x, { act_type = "elu", slope = self._alpha }) end

--- SELU: the self-normalising unit (Klambauer et al., 2017).
nn.SELU = HybridBlock:subclass "SELU"
function nn.SELU:hybrid_forward(F, x) return F.LeakyReLU(x, { act_type = "selu", name = "fwd" }) end

--- GELU: x Phi(x), where Phi is the normal distribution function (Hendrycks and Gimpel, 2016).
nn.GELU = HybridBlock:subclass "GELU"
function nn.GELU:hybrid_forward(F, x) return F.LeakyReLU(x, { act_type = "gelu", name = "fwd" }) end

--- Swish(beta = 1): x sigmoid(beta x).
nn.Swish = HybridBlock:subclass "Swish"

local read_swish = arguments.of_block("Swish", { "beta" }, { beta = 1.0 })

function nn.Swish:init(...) self._beta = checks.number("Swish: beta", read_swish(...).beta) end

function nn.Swish:hybrid_forward(F, x)
  checks.array("Swish: data", x)
  return x * F.sigmoid(x * self._beta, { name = "fwd" })
end

return nn

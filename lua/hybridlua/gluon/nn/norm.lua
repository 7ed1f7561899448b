-- norm.lua - layers that subtract a mean and divide by a deviation: BatchNorm, BatchNormReLU, SyncBatchNorm, LayerNorm,
-- InstanceNorm, GroupNorm; and Identity.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local python = require "hybridlua.language.python_text"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"

local nn = {}

local SCALES = { "epsilon", "center", "scale", "beta_initializer", "gamma_initializer" }

-- A layer with these arguments beside everyone's; `shape` says how long gamma and beta are.
local function define(name, first, last, defaults)
  local names = table.move(SCALES, 1, #SCALES, 2, { first })
  names[#names + 1] = last
  local all = { epsilon = 1e-5, center = true, scale = true, beta_initializer = "zeros", gamma_initializer = "ones" }
  for key, value in pairs(defaults) do all[key] = value end
  local layer = HybridBlock:subclass(name)
  layer.arguments = arguments.of_block(name, names, all)
  nn[name] = layer
  return layer
end

-- gamma and beta of a layer; a null gradient if it must not scale, or not shift. fixed: and that for good.
local function take_parameters(self, name, options, length, fixed)
  for _, key in ipairs { "center", "scale" } do
    if type(options[key]) ~= "boolean" then
      fail("%s: %s: expected true or false, got %s", name, key, tostring(options[key]))
    end
  end
  if type(options.epsilon) ~= "number" then
    fail("%s: epsilon: expected a number, got %s", name, tostring(options.epsilon))
  end
  self._norm = options
  self.gamma = self.params:get("gamma", { grad_req = options.scale and "write" or "null", shape = { length },
                                          init = options.gamma_initializer, allow_deferred_init = true,
                                          differentiable = not fixed or options.scale })
  self.beta = self.params:get("beta", { grad_req = options.center and "write" or "null", shape = { length },
                                        init = options.beta_initializer, allow_deferred_init = true,
                                        differentiable = not fixed or options.center })
end

local function words(self, second)
  local o = self._norm
  return ("eps=%s, %s=%d, center=%s, scale=%s"):format(python.number(o.epsilon), second, o[second],
    python.repr(o.center), python.repr(o.scale))
end

--- LayerNorm(axis = -1, {epsilon = 1e-5, center = true, scale = true, beta_initializer = "zeros", gamma_initializer =
-- "ones", in_channels = 0}): (x - mean) / sqrt(variance + epsilon) along `axis`, times gamma, plus beta, one of each
-- for a place on that axis. Without center or scale beta or gamma is not learned. in_channels 0: set by the first
-- batch. J. Ba, J. Kiros, G. Hinton, "Layer normalization", 2016.
local LayerNorm = define("LayerNorm", "axis", "in_channels", { axis = -1, in_channels = 0 })

function LayerNorm:init(...)
  local options = self.arguments(...)
  options.axis = checks.whole("LayerNorm: axis", options.axis)
  take_parameters(self, "LayerNorm", options, checks.whole("LayerNorm: in_channels", options.in_channels, 0))
  self._prepared = core.op.prepare("LayerNorm", { axis = options.axis, eps = options.epsilon })
end

function LayerNorm:hybrid_forward(F, x, p) return F.LayerNorm(x, p.gamma, p.beta, self._prepared) end

function LayerNorm.__tostring(self)
  return ("LayerNorm(%s, in_channels=%d)"):format(words(self, "axis"), self.gamma.shape[1])
end

--- InstanceNorm(axis = 1, {epsilon = 1e-5, center = true, scale = false, beta_initializer = "zeros",
-- gamma_initializer = "ones", in_channels = 0}): as LayerNorm, but mean and variance are those of each sample's
-- channel, over all axes but the first and `axis`; gamma and beta are one for each channel.
-- D. Ulyanov, A. Vedaldi, V. Lempitsky, "Instance normalization", 2016.
local InstanceNorm = define("InstanceNorm", "axis", "in_channels", { axis = 1, scale = false, in_channels = 0 })

function InstanceNorm:init(...)
  local options = self.arguments(...)
  options.axis = checks.whole("InstanceNorm: axis", options.axis)
  take_parameters(self, "InstanceNorm", options, checks.whole("InstanceNorm: in_channels", options.in_channels, 0))
  self._prepared = core.op.prepare("InstanceNorm", { eps = options.epsilon, name = "fwd" })
end

function InstanceNorm:hybrid_forward(F, x, p)
  local axis = self._norm.axis
  if axis == 1 then return F.InstanceNorm(x, p.gamma, p.beta, self._prepared) end
  return F.SwapAxis(F.InstanceNorm(F.SwapAxis(x, 1, axis), p.gamma, p.beta, self._prepared), 1, axis)
end

function InstanceNorm.__tostring(self)
  return ("InstanceNorm(%s, in_channels=%d)"):format(words(self, "axis"), self.gamma.shape[1])
end

--- GroupNorm(num_groups = 1, {epsilon = 1e-5, center = true, scale = true, beta_initializer = "zeros",
-- gamma_initializer = "ones"}): as LayerNorm over each of num_groups groups of a sample's channels, axis 1; gamma and
-- beta are one for each group, as in MXNet 1.9.1. Y. Wu, K. He, "Group normalization", 2018.
local GroupNorm = define("GroupNorm", "num_groups", nil, { num_groups = 1 })

function GroupNorm:init(...)
  local options = self.arguments(...)
  options.num_groups = checks.whole("GroupNorm: num_groups", options.num_groups, 1)
  take_parameters(self, "GroupNorm", options, options.num_groups)
  self._prepared = core.op.prepare("GroupNorm", { num_groups = options.num_groups, eps = options.epsilon })
end

function GroupNorm:hybrid_forward(F, x, p) return F.GroupNorm(x, p.gamma, p.beta, self._prepared) end

function GroupNorm.__tostring(self) return ("GroupNorm(%s)"):format(words(self, "num_groups")) end

--- BatchNorm(axis = 1, {momentum = 0.9, epsilon = 1e-5, center = true, scale = true, use_global_stats = false,
-- beta_initializer = "zeros", gamma_initializer = "ones", running_mean_initializer = "zeros",
-- running_variance_initializer = "ones", in_channels = 0}): (x - mean) / sqrt(variance + epsilon) gamma + beta for each
-- channel, a place of `axis`. In training mean and variance are the batch's, and running_mean and running_var move
-- towards them as the layer is called; else, or with use_global_stats, these two are taken. in_channels 0: set by the
-- first batch. S. Ioffe, C. Szegedy, "Batch normalization", 2015.
local BatchNorm = HybridBlock:subclass "BatchNorm"
nn.BatchNorm = BatchNorm

local STATISTICS = { "momentum", "epsilon", "center", "scale", "use_global_stats", "beta_initializer",
                     "gamma_initializer", "running_mean_initializer", "running_variance_initializer" }

-- The reader of the arguments of `name`: `first`, then everyone's, then `last`.
local function statistics_reader(name, first, last, defaults)
  local all = { momentum = 0.9, epsilon = 1e-5, center = true, scale = true, use_global_stats = false,
                beta_initializer = "zeros", gamma_initializer = "ones", running_mean_initializer = "zeros",
                running_variance_initializer = "ones", in_channels = 0 }
  for key, value in pairs(defaults) do all[key] = value end
  local names = table.move(STATISTICS, 1, #STATISTICS, #first + 1, table.move(first, 1, #first, 1, {}))
  return arguments.of_block(name, table.move(last, 1, #last, #names + 1, names), all)
end

-- Checks a layer's options and takes its parameters -> the operator's options.
local function init_statistics(self, name, options)
  options.axis = checks.whole(name .. ": axis", options.axis)
  local length = checks.whole(name .. ": in_channels", options.in_channels, 0)
  if type(options.momentum) ~= "number" then
    fail("%s: momentum: expected a number, got %s", name, tostring(options.momentum))
  end
  if type(options.use_global_stats) ~= "boolean" then
    fail("%s: use_global_stats: expected true or false, got %s", name, tostring(options.use_global_stats))
  end
  take_parameters(self, name, options, length, true)
  self.running_mean = self.params:get("running_mean", { grad_req = "null", shape = { length },
                                                        init = options.running_mean_initializer,
                                                        allow_deferred_init = true, differentiable = false })
  self.running_var = self.params:get("running_var", { grad_req = "null", shape = { length },
                                                      init = options.running_variance_initializer,
                                                      allow_deferred_init = true, differentiable = false })
  return { eps = options.epsilon, momentum = options.momentum, name = "fwd", fix_gamma = not options.scale,
           use_global_stats = options.use_global_stats }
end

-- The layer's text, as MXNet's; `axis` and `devices` are parts of it, or "".
local function statistics_text(self, name, axis, devices)
  local o, length = self._norm, self.gamma.shape[1]
  return ("%s(%seps=%s, momentum=%s, fix_gamma=%s, use_global_stats=%s%s, in_channels=%s)"):format(name, axis,
    python.number(o.epsilon), python.number(o.momentum), python.repr(not o.scale), python.repr(o.use_global_stats),
    devices, length > 0 and length or "None")
end

BatchNorm.arguments = statistics_reader("BatchNorm", { "axis" }, { "in_channels" }, { axis = 1 })

function BatchNorm:init(...)
  local options = self.arguments(...)
  local prepared = init_statistics(self, "BatchNorm", options)
  prepared.axis = options.axis
  self._prepared = core.op.prepare("BatchNorm", prepared)
end

function BatchNorm:hybrid_forward(F, x, p)
  return F.BatchNorm(x, p.gamma, p.beta, p.running_mean, p.running_var, self._prepared)
end

function BatchNorm.__tostring(self)
  return statistics_text(self, "BatchNorm", ("axis=%d, "):format(self._norm.axis), "")
end

--- BatchNormReLU(axis = 1, {...}): BatchNorm with the same options, followed by relu, as one operator.
local BatchNormReLU = HybridBlock:subclass "BatchNormReLU"
nn.BatchNormReLU = BatchNormReLU

BatchNormReLU.arguments = statistics_reader("BatchNormReLU", { "axis" }, { "in_channels" }, { axis = 1 })

function BatchNormReLU:init(...)
  local options = self.arguments(...)
  local prepared = init_statistics(self, "BatchNormReLU", options)
  prepared.axis = options.axis
  self._prepared = core.op.prepare("_contrib_BatchNormWithReLU", prepared)
end

function BatchNormReLU:hybrid_forward(F, x, p)
  return F.contrib.BatchNormWithReLU(x, p.gamma, p.beta, p.running_mean, p.running_var, self._prepared)
end

function BatchNormReLU.__tostring(self)
  return statistics_text(self, "BatchNormReLU", ("axis=%d, "):format(self._norm.axis), "")
end

--- SyncBatchNorm({in_channels = 0, num_devices = 1, ...}): BatchNorm along axis 1 with the other options. In MXNet the
-- statistics are those of the batches of all devices together; here each device's batch has its own.
local SyncBatchNorm = BatchNorm:subclass "SyncBatchNorm"
nn.SyncBatchNorm = SyncBatchNorm

SyncBatchNorm.arguments = statistics_reader("SyncBatchNorm", { "in_channels", "num_devices" }, {}, { num_devices = 1 })

function SyncBatchNorm:init(...)
  local options = self.arguments(...)
  options.axis = 1
  local prepared = init_statistics(self, "SyncBatchNorm", options)
  prepared.ndev, prepared.key = checks.whole("SyncBatchNorm: num_devices", options.num_devices, 1), self.prefix
  self._prepared = core.op.prepare("_contrib_SyncBatchNorm", prepared)
end

function SyncBatchNorm:hybrid_forward(F, x, p)
  return F.contrib.SyncBatchNorm(x, p.gamma, p.beta, p.running_mean, p.running_var, self._prepared)
end

function SyncBatchNorm.__tostring(self)
  return statistics_text(self, "SyncBatchNorm", "",
    (", ndev=%d, key='%s'"):format(self._norm.num_devices, self.prefix))
end

--- Identity(): gives what it is given.
local Identity = HybridBlock:subclass "Identity"
nn.Identity = Identity

function Identity:hybrid_forward(_, x) return x end
function Identity.__tostring() return "Identity()" end

return nn

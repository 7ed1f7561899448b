-- norm.lua - normalization layers: BatchNorm, BatchNormReLU, SyncBatchNorm, LayerNorm, InstanceNorm, GroupNorm; and
-- Identity.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local python = require "hybridlua.language.python_text"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"

local nn = {}

local SCALES = "epsilon center scale beta_initializer gamma_initializer"

-- Checks the common options and creates gamma and beta. gamma has a gradient only with scale, beta only with center;
-- fixed: this cannot be changed later.
local function take_parameters(self, name, options, length, fixed)
  checks.boolean(name .. ": center", options.center)
  checks.boolean(name .. ": scale", options.scale)
  checks.number(name .. ": epsilon", options.epsilon)
  self._norm = options
  local function parameter(key, learned)
    return self.params:get(key, { grad_req = learned and "write" or "null", shape = { length },
                                  init = options[key .. "_initializer"], allow_deferred_init = true,
                                  differentiable = not fixed or learned })
  end
  self.gamma, self.beta = parameter("gamma", options.scale), parameter("beta", options.center)
end

-- A layer that normalizes without running statistics, by the operator of its name: `first` and `last` are the arguments
-- before and after the common ones. gamma and beta have `last` elements or, without it, `first`.
-- operator_options(options) returns the operator's own.
local function define(name, first, last, defaults, operator_options)
  local all = { epsilon = 1e-5, center = true, scale = true, beta_initializer = "zeros", gamma_initializer = "ones" }
  for key, value in pairs(defaults) do all[key] = value end
  local layer = HybridBlock:subclass(name)
  layer.arguments = arguments.of_block(name, ("%s %s %s"):format(first, SCALES, last or ""), all)
  function layer:init(...)
    local options = self.arguments(...)
    options[first] = checks.whole(name .. ": " .. first, options[first], not last and 1 or nil)
    local length = last and checks.whole(name .. ": " .. last, options[last], 0) or options[first]
    take_parameters(self, name, options, length)
    self._prepared = core.op.prepare(name, operator_options(options))
  end
  function layer:hybrid_forward(F, x, p) return F[name](x, p.gamma, p.beta, self._prepared) end
  function layer.__tostring(self)
    local o = self._norm
    return ("%s(eps=%s, %s=%d, center=%s, scale=%s%s)"):format(name, python.number(o.epsilon), first, o[first],
      python.repr(o.center), python.repr(o.scale), last and (", in_channels=%d"):format(self.gamma.shape[1]) or "")
  end
  nn[name] = layer
  return layer
end

--- LayerNorm(axis = -1, {epsilon = 1e-5, center = true, scale = true, beta_initializer = "zeros", gamma_initializer =
-- "ones", in_channels = 0}): (x - mean) / sqrt(variance + epsilon) along `axis`, times gamma, plus beta; one gamma and
-- one beta per position along that axis. With center = false beta is not learned, with scale = false gamma is not.
-- in_channels 0: set by the first batch. J. Ba, J. Kiros, G. Hinton, "Layer normalization", 2016.
define("LayerNorm", "axis", "in_channels", { axis = -1, in_channels = 0 },
  function(o) return { axis = o.axis, eps = o.epsilon } end)

--- InstanceNorm(axis = 1, {epsilon = 1e-5, center = true, scale = false, beta_initializer = "zeros",
-- gamma_initializer = "ones", in_channels = 0}): LayerNorm with the mean and variance of each channel of each sample,
-- over all axes except the first and `axis`; one gamma and one beta per channel.
-- D. Ulyanov, A. Vedaldi, V. Lempitsky, "Instance normalization", 2016.
local InstanceNorm = define("InstanceNorm", "axis", "in_channels", { axis = 1, scale = false, in_channels = 0 },
  function(o) return { eps = o.epsilon, name = "fwd" } end)

function InstanceNorm:hybrid_forward(F, x, p)
  local axis = self._norm.axis
  if axis == 1 then return F.InstanceNorm(x, p.gamma, p.beta, self._prepared) end
  return F.SwapAxis(F.InstanceNorm(F.SwapAxis(x, 1, axis), p.gamma, p.beta, self._prepared), 1, axis)
end

--- GroupNorm(num_groups = 1, {epsilon = 1e-5, center = true, scale = true, beta_initializer = "zeros",
-- gamma_initializer = "ones"}): LayerNorm over each of num_groups groups of a sample's channels (axis 1); one gamma and
-- one beta per group, as in MXNet 1.9.1. Y. Wu, K. He, "Group normalization", 2018.
define("GroupNorm", "num_groups", nil, { num_groups = 1 },
  function(o) return { num_groups = o.num_groups, eps = o.epsilon } end)

local STATISTICS = "momentum epsilon center scale use_global_stats beta_initializer gamma_initializer " ..
  "running_mean_initializer running_variance_initializer"

-- Checks a layer's options and creates its parameters; returns options for the operator.
local function init_statistics(self, name, options)
  options.axis = checks.whole(name .. ": axis", options.axis)
  local length = checks.whole(name .. ": in_channels", options.in_channels, 0)
  checks.number(name .. ": momentum", options.momentum)
  checks.boolean(name .. ": use_global_stats", options.use_global_stats)
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

-- MXNet's text for the layer.
local function statistics_text(self, name)
  local o, length, devices = self._norm, self.gamma.shape[1], self._norm.num_devices
  return ("%s(%seps=%s, momentum=%s, fix_gamma=%s, use_global_stats=%s%s, in_channels=%s)"):format(name,
    devices and "" or ("axis=%d, "):format(o.axis), python.number(o.epsilon), python.number(o.momentum),
    python.repr(not o.scale), python.repr(o.use_global_stats),
    devices and (", ndev=%d, key='%s'"):format(devices, self.prefix) or "", length > 0 and length or "None")
end

-- A layer with running statistics: `first` and `last` are the arguments before and after the common ones.
local function define_statistics(name, base, operator, first, last, defaults)
  local all = { axis = 1, momentum = 0.9, epsilon = 1e-5, center = true, scale = true, use_global_stats = false,
                beta_initializer = "zeros", gamma_initializer = "ones", running_mean_initializer = "zeros",
                running_variance_initializer = "ones", in_channels = 0 }
  for key, value in pairs(defaults) do all[key] = value end
  local layer = base:subclass(name)
  layer.arguments = arguments.of_block(name, ("%s %s %s"):format(first, STATISTICS, last), all)
  function layer:init(...)
    local options = self.arguments(...)
    local prepared = init_statistics(self, name, options)
    if options.num_devices then
      prepared.ndev, prepared.key = checks.whole(name .. ": num_devices", options.num_devices, 1), self.prefix
    else
      prepared.axis = options.axis
    end
    self._prepared = core.op.prepare(operator, prepared)
  end
  function layer:hybrid_forward(F, x, p)
    return F[operator](x, p.gamma, p.beta, p.running_mean, p.running_var, self._prepared)
  end
  function layer.__tostring(self) return statistics_text(self, name) end
  nn[name] = layer
  return layer
end

--- BatchNorm(axis = 1, {momentum = 0.9, epsilon = 1e-5, center = true, scale = true, use_global_stats = false,
-- beta_initializer = "zeros", gamma_initializer = "ones", running_mean_initializer = "zeros",
-- running_variance_initializer = "ones", in_channels = 0}): (x - mean) / sqrt(variance + epsilon) gamma + beta for each
-- channel, an index along `axis`. In training, mean and variance are those of the batch, and running_mean and
-- running_var move towards them at each call; in prediction, or with use_global_stats, these two are used instead.
-- in_channels 0: set by the first batch. S. Ioffe, C. Szegedy, "Batch normalization", 2015.
local BatchNorm = define_statistics("BatchNorm", HybridBlock, "BatchNorm", "axis", "in_channels", {})

--- BatchNormReLU(axis = 1, {...}): BatchNorm with the same options, followed by relu, as one operator.
define_statistics("BatchNormReLU", HybridBlock, "_contrib_BatchNormWithReLU", "axis", "in_channels", {})

--- SyncBatchNorm({in_channels = 0, num_devices = 1, ...}): BatchNorm along axis 1 with the other options. MXNet takes
-- the statistics over the batches of all devices together; here each device's batch has its own.
define_statistics("SyncBatchNorm", BatchNorm, "_contrib_SyncBatchNorm", "in_channels num_devices", "",
  { num_devices = 1 })

--- Identity(): returns its input.
local Identity = HybridBlock:subclass "Identity"
nn.Identity = Identity

function Identity:hybrid_forward(_, x) return x end
function Identity.__tostring() return "Identity()" end

return nn

-- mobilenet.lua - MobileNet and MobileNetV2, each in four widths. A. Howard et al., "MobileNets: efficient
-- convolutional neural networks for mobile vision applications", 2017; M. Sandler et al., "Inverted residuals and
-- linear bottlenecks", 2018.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local nn = require "hybridlua.gluon.nn"
local constructors = require "hybridlua.gluon.model_zoo.vision.constructors"

local vision = {}

-- ---- Parts -------------------------------------------------------------------------------------------------------

-- The smaller of relu and 6.
local RELU6 = HybridBlock:subclass "RELU6"

function RELU6:hybrid_forward(F, x) return F.clip(x, { a_min = 0, a_max = 6, name = "relu6" }) end

-- A convolution, BatchNorm, and an activation if one is given ("relu", "relu6").
local function add_convolution(out, channels, activation, options)
  out:add(nn.Conv2D(channels, options.size or 1, { strides = options.stride or 1, padding = options.padding or 0,
                                                   groups = options.groups or 1, use_bias = false }),
    nn.BatchNorm { scale = true })
  if activation then out:add(activation == "relu6" and RELU6() or nn.Activation(activation)) end
end

local function add_depthwise(out, channels, stride, activation)
  add_convolution(out, channels, activation, { size = 3, stride = stride, padding = 1, groups = channels })
end

-- Each number of a list times multiplier, rounded down.
local function scaled(multiplier, list)
  local all = {}
  for i, x in ipairs(list) do all[i] = math.floor(x * multiplier) end
  return all
end

local function check_multiplier(name, multiplier)
  if type(multiplier) ~= "number" or multiplier <= 0 then
    fail("%s: multiplier: expected a number above 0, got %s", name,
      multiplier == nil and "nothing; the usual ones are 1.0, 0.75, 0.5 and 0.25" or tostring(multiplier))
  end
  return multiplier
end

-- ---- MobileNet ---------------------------------------------------------------------------------------------------

local CHANNELS = { 32, 64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024 }
local STRIDES = { 1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1 }

--- MobileNet(multiplier = 1.0, {classes = 1000}): alternating depthwise and 1x1 convolutions; multiplier scales the
-- number of channels. (batch, 3, 224, 224) to (batch, classes).
vision.MobileNet = constructors.network("MobileNet", "multiplier classes", { multiplier = 1.0 }, function(self, options)
  local channels = scaled(check_multiplier("MobileNet", options.multiplier), CHANNELS)
  add_convolution(self.features, channels[1], "relu", { size = 3, stride = 2, padding = 1 })
  for i, stride in ipairs(STRIDES) do
    add_depthwise(self.features, channels[i], stride, "relu")
    add_convolution(self.features, channels[i + 1], "relu", {})
  end
  self.features:add(nn.GlobalAvgPool2D(), nn.Flatten())
end)

-- ---- MobileNetV2 -------------------------------------------------------------------------------------------------

-- An inverted residual: expands the channels t times, filters them depthwise, and projects them to `channels`; the
-- input is added if it has the same shape.
local LinearBottleneck = HybridBlock:subclass "LinearBottleneck"

local read_bottleneck = arguments.of_block("LinearBottleneck", { "in_channels", "channels", "t", "stride" })

function LinearBottleneck:init(...)
  local options = read_bottleneck(...)
  local wide = options.in_channels * options.t
  self.use_shortcut = options.stride == 1 and options.in_channels == options.channels
  self.out = nn.HybridSequential()
  add_convolution(self.out, wide, "relu6", {})
  add_depthwise(self.out, wide, options.stride, "relu6")
  add_convolution(self.out, options.channels, nil, {})
end

function LinearBottleneck:hybrid_forward(F, x)
  local out = self.out(x)
  return self.use_shortcut and F.elemwise_add(out, x) or out
end

local CHANNELS_V2 = { 32, 16, 24, 24, 32, 32, 32, 64, 64, 64, 64, 96, 96, 96, 160, 160, 160, 320 }
local STRIDES_V2 = { 1, 2, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1 }

--- MobileNetV2(multiplier = 1.0, {classes = 1000}): inverted residuals; multiplier scales the number of channels.
-- (batch, 3, 224, 224) to (batch, classes).
vision.MobileNetV2 = HybridBlock:subclass "MobileNetV2"

local read_v2 = arguments.of_block("MobileNetV2", { "multiplier", "classes" }, { multiplier = 1.0, classes = 1000 })

function vision.MobileNetV2:init(...)
  local options = read_v2(...)
  local classes = checks.whole("MobileNetV2: classes", options.classes, 1)
  local multiplier = check_multiplier("MobileNetV2", options.multiplier)
  local channels = scaled(multiplier, CHANNELS_V2)
  self.features = nn.HybridSequential { prefix = "features_" }
  self.features:name_scope(function()
    add_convolution(self.features, channels[1], "relu6", { size = 3, stride = 2, padding = 1 })
    for i, stride in ipairs(STRIDES_V2) do
      self.features:add(LinearBottleneck(channels[i], channels[i + 1], i == 1 and 1 or 6, stride))
    end
    add_convolution(self.features, math.floor(1280 * math.max(multiplier, 1)), "relu6", {})
    self.features:add(nn.GlobalAvgPool2D())
  end)
  self.output = nn.HybridSequential { prefix = "output_" }
  self.output:name_scope(function()
    self.output:add(nn.Conv2D(classes, 1, { use_bias = false, prefix = "pred_" }), nn.Flatten())
  end)
end

function vision.MobileNetV2:hybrid_forward(_, x) return self.output(self.features(x)) end

-- ---- By name -----------------------------------------------------------------------------------------------------

-- 1.0, 0.75, 0.5 or 0.25 as in file names.
local function suffix(multiplier) return (("%.2f"):format(multiplier):gsub("^(%d%.[05])0$", "%1")) end

local function make(options, naming)
  check_multiplier("get_mobilenet", options.multiplier)
  return vision.MobileNet(options.multiplier, naming), "mobilenet" .. suffix(options.multiplier)
end

local function make_v2(options, naming)
  check_multiplier("get_mobilenet_v2", options.multiplier)
  return vision.MobileNetV2(options.multiplier, naming), "mobilenetv2_" .. suffix(options.multiplier)
end

--- get_mobilenet(multiplier, {pretrained = false, ctx =, root =, classes = 1000}): a MobileNet; trained ones exist for
-- multiplier 1.0, 0.75, 0.5 and 0.25. pretrained: loads the parameters in the file that model_store.get_model_file
-- finds.
vision.get_mobilenet = constructors.define("get_mobilenet", { "multiplier" }, {}, make)

--- get_mobilenet_v2(multiplier, {pretrained = false, ctx =, root =, classes = 1000}): the same for a MobileNetV2.
vision.get_mobilenet_v2 = constructors.define("get_mobilenet_v2", { "multiplier" }, {}, make_v2)

for _, multiplier in ipairs { 1.0, 0.75, 0.5, 0.25 } do
  for start, build in pairs { mobilenet = make, mobilenet_v2_ = make_v2 } do
    local name = start .. suffix(multiplier):gsub("%.", "_")
    vision[name] = constructors.define(name, {}, {}, function(options, naming)
      options.multiplier = multiplier
      return build(options, naming)
    end)
  end
end

return vision

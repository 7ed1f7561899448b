-- resnet.lua - residual networks with 18 to 152 layers. v1: K. He, X. Zhang, S. Ren, J. Sun, "Deep residual learning
-- for image recognition", 2015; v2: the same authors, "Identity mappings in deep residual networks", 2016.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local nn = require "hybridlua.gluon.nn"
local constructors = require "hybridlua.gluon.model_zoo.vision.constructors"
local is_plain = core.script.is_plain

local vision = {}

local RELU = { act_type = "relu" }

local function conv1x1(channels, stride, options)
  options.strides = stride
  return nn.Conv2D(channels, 1, options)
end

local function conv3x3(channels, stride, in_channels)
  return nn.Conv2D(channels, 3, { strides = stride, padding = 1, use_bias = false, in_channels = in_channels })
end

-- A residual block: init(self, channels, stride, downsample, in_channels).
local function define_block(name, init)
  local block = HybridBlock:subclass(name)
  local read = arguments.of_block(name, "channels stride downsample in_channels",
    { downsample = false, in_channels = 0 })
  function block:init(...)
    local options = read(...)
    local channels = checks.whole(name .. ": channels", options.channels, 1)
    local stride = checks.whole(name .. ": stride", options.stride, 1)
    checks.boolean(name .. ": downsample", options.downsample)
    local in_channels = checks.whole(name .. ": in_channels", options.in_channels, 0)
    init(self, channels, stride, options.downsample, in_channels)
  end
  vision[name] = block
  return block
end

-- ---- Version 1: relu after the residual connection -------------------------------------------------------------

local function shortcut(channels, stride, in_channels)
  local way = nn.HybridSequential { prefix = "" }
  way:add(conv1x1(channels, stride, { use_bias = false, in_channels = in_channels }), nn.BatchNorm())
  return way
end

--- BasicBlockV1(channels, stride, {downsample = false, in_channels = 0}): two 3x3 convolutions, for ResNet-18 and 34.
-- downsample: applies a 1x1 convolution to the input before it is added.
local BasicBlockV1 = define_block("BasicBlockV1", function(self, channels, stride, downsample, in_channels)
  self.body = nn.HybridSequential { prefix = "" }
  self.body:add(conv3x3(channels, stride, in_channels), nn.BatchNorm(), nn.Activation "relu",
    conv3x3(channels, 1, channels), nn.BatchNorm())
  if downsample then self.downsample = shortcut(channels, stride, in_channels) end
end)

function BasicBlockV1:hybrid_forward(F, x)
  local y = self.body(x)
  local residual = self.downsample and self.downsample(x) or x
  return F.Activation(residual + y, RELU)
end

--- BottleneckV1(channels, stride, {downsample = false, in_channels = 0}): 1x1, 3x3 and 1x1 convolutions, for ResNet-50
-- and deeper.
local BottleneckV1 = define_block("BottleneckV1", function(self, channels, stride, downsample, in_channels)
  local inner = channels // 4
  self.body = nn.HybridSequential { prefix = "" }
  self.body:add(conv1x1(inner, stride, {}), nn.BatchNorm(), nn.Activation "relu", conv3x3(inner, 1, inner),
    nn.BatchNorm(), nn.Activation "relu", conv1x1(channels, 1, {}), nn.BatchNorm())
  if downsample then self.downsample = shortcut(channels, stride, in_channels) end
end)

function BottleneckV1:hybrid_forward(F, x)
  local y = self.body(x)
  local residual = self.downsample and self.downsample(x) or x
  return F.Activation(y + residual, RELU)
end

-- ---- Version 2: BatchNorm and relu before each convolution -----------------------------------------------------

--- BasicBlockV2(channels, stride, {downsample = false, in_channels = 0}): two 3x3 convolutions, for ResNet-18 and 34.
local BasicBlockV2 = define_block("BasicBlockV2", function(self, channels, stride, downsample, in_channels)
  self.bn1 = nn.BatchNorm()
  self.conv1 = conv3x3(channels, stride, in_channels)
  self.bn2 = nn.BatchNorm()
  self.conv2 = conv3x3(channels, 1, channels)
  if downsample then self.downsample = conv1x1(channels, stride, { use_bias = false, in_channels = in_channels }) end
end)

function BasicBlockV2:hybrid_forward(F, x)
  local y = F.Activation(self.bn1(x), RELU)
  local residual = self.downsample and self.downsample(y) or x
  y = self.conv1(y)
  y = F.Activation(self.bn2(y), RELU)
  return self.conv2(y) + residual
end

--- BottleneckV2(channels, stride, {downsample = false, in_channels = 0}): 1x1, 3x3 and 1x1 convolutions, for ResNet-50
-- and deeper.
local BottleneckV2 = define_block("BottleneckV2", function(self, channels, stride, downsample, in_channels)
  local inner = channels // 4
  self.bn1 = nn.BatchNorm()
  self.conv1 = conv1x1(inner, 1, { use_bias = false })
  self.bn2 = nn.BatchNorm()
  self.conv2 = conv3x3(inner, stride, inner)
  self.bn3 = nn.BatchNorm()
  self.conv3 = conv1x1(channels, 1, { use_bias = false })
  if downsample then self.downsample = conv1x1(channels, stride, { use_bias = false, in_channels = in_channels }) end
end)

function BottleneckV2:hybrid_forward(F, x)
  local y = F.Activation(self.bn1(x), RELU)
  local residual = self.downsample and self.downsample(y) or x
  y = self.conv1(y)
  y = F.Activation(self.bn2(y), RELU)
  y = self.conv2(y)
  y = F.Activation(self.bn3(y), RELU)
  return self.conv3(y) + residual
end

-- ---- Networks --------------------------------------------------------------------------------------------------

local function make_stage(block, count, channels, stride, index, in_channels)
  local stage = nn.HybridSequential { prefix = ("stage%d_"):format(index) }
  stage:name_scope(function()
    stage:add(block(channels, stride, channels ~= in_channels, { in_channels = in_channels, prefix = "" }))
    for _ = 2, count do stage:add(block(channels, 1, false, { in_channels = channels, prefix = "" })) end
  end)
  return stage
end

local function add_head(features, channels, thumbnail)
  if thumbnail then
    features:add(conv3x3(channels, 1, 0))
  else
    features:add(nn.Conv2D(channels, 7, 2, 3, { use_bias = false }), nn.BatchNorm(), nn.Activation "relu",
      nn.MaxPool2D(3, 2, 1))
  end
end

local function add_stages(features, block, layers, channels)
  for i, count in ipairs(layers) do
    features:add(make_stage(block, count, channels[i + 1], i == 1 and 1 or 2, i, channels[i]))
  end
end

-- A network: make(features, block, layers, channels, thumbnail) fills self.features.
local function define_net(name, make)
  vision[name] = constructors.network(name, "block layers[] channels[] classes thumbnail", { thumbnail = false },
    function(self, options)
      local block, layers, channels = options.block, options.layers, options.channels
      if not class.is_class(block) then fail("%s: block: expected a class of blocks, got %s", name, type(block)) end
      if not is_plain(layers) or not is_plain(channels) or #layers ~= #channels - 1 then
        fail("%s: layers, channels: expected two lists, channels with one number more", name)
      end
      make(self.features, block, layers, channels, options.thumbnail)
      return nn.Dense(options.classes, { in_units = channels[#channels] })
    end)
end

--- ResNetV1(block, layers, channels, {classes = 1000, thumbnail = false}): stage i has layers[i] blocks with
-- channels[i+1] channels; channels[1] is the number after the first convolution. thumbnail: for small images, without
-- the first pool.
define_net("ResNetV1", function(features, block, layers, channels, thumbnail)
  add_head(features, channels[1], thumbnail)
  add_stages(features, block, layers, channels)
  features:add(nn.GlobalAvgPool2D())
end)

--- ResNetV2(block, layers, channels, {classes = 1000, thumbnail = false}): as ResNetV1, with blocks of version 2.
define_net("ResNetV2", function(features, block, layers, channels, thumbnail)
  features:add(nn.BatchNorm { scale = false, center = false })
  add_head(features, channels[1], thumbnail)
  add_stages(features, block, layers, channels)
  features:add(nn.BatchNorm(), nn.Activation "relu", nn.GlobalAvgPool2D(), nn.Flatten())
end)

local NARROW, WIDE = { 64, 64, 128, 256, 512 }, { 64, 256, 512, 1024, 2048 }
local SPECIFICATIONS = {
  [18] = { "BasicBlock", { 2, 2, 2, 2 }, NARROW }, [34] = { "BasicBlock", { 3, 4, 6, 3 }, NARROW },
  [50] = { "Bottleneck", { 3, 4, 6, 3 }, WIDE }, [101] = { "Bottleneck", { 3, 4, 23, 3 }, WIDE },
  [152] = { "Bottleneck", { 3, 8, 36, 3 }, WIDE },
}

local function make(options, naming)
  local kind, layers, channels = table.unpack(constructors.pick("get_resnet: num_layers", SPECIFICATIONS,
    options.num_layers))
  local version = constructors.pick("get_resnet: version", { 1, 2 }, options.version)
  naming.thumbnail = options.thumbnail or false
  local net = vision["ResNetV" .. version](vision[("%sV%d"):format(kind, version)], layers, channels, naming)
  return net, ("resnet%d_v%d"):format(options.num_layers, version)
end

--- get_resnet(version, num_layers, {pretrained = false, ctx =, root =, classes = 1000, thumbnail = false}): a ResNet of
-- version 1 or 2 with 18, 34, 50, 101 or 152 layers. pretrained: loads the parameters in the file that
-- model_store.get_model_file finds.
vision.get_resnet = constructors.define("get_resnet", { "version", "num_layers" }, { "thumbnail" }, make)

for layers in pairs(SPECIFICATIONS) do
  for version = 1, 2 do
    local name = ("resnet%d_v%d"):format(layers, version)
    vision[name] = constructors.define(name, {}, { "thumbnail" }, function(options, naming)
      options.version, options.num_layers = version, layers
      return make(options, naming)
    end)
  end
end

return vision

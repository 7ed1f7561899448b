-- vgg.lua - VGG with 11 to 19 layers, plain or with BatchNorm. K. Simonyan, A. Zisserman, "Very deep convolutional
-- networks for large-scale image recognition", 2014.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local initializer = require "hybridlua.initializer"
local nn = require "hybridlua.gluon.nn"
local constructors = require "hybridlua.gluon.model_zoo.vision.constructors"
local is_plain = core.script.is_plain

local vision = {}

local function add_features(features, layers, filters, batch_norm)
  for i, count in ipairs(layers) do
    for _ = 1, count do
      features:add(nn.Conv2D(filters[i], 3, {
        padding = 1, bias_initializer = "zeros",
        weight_initializer = initializer.Xavier { rnd_type = "gaussian", factor_type = "out", magnitude = 2 } }))
      if batch_norm then features:add(nn.BatchNorm()) end
      features:add(nn.Activation "relu")
    end
    features:add(nn.MaxPool2D { strides = 2 })
  end
end

--- VGG(layers, filters, {classes = 1000, batch_norm = false}): in stage i, layers[i] convolutions of filters[i]
-- filters each, then a pool; at the end three Dense layers. (batch, 3, 224, 224) to (batch, classes).
vision.VGG = constructors.network("VGG", "layers[] filters[] classes batch_norm", { batch_norm = false },
  function(self, options)
    local layers, filters = options.layers, options.filters
    if not is_plain(layers) or not is_plain(filters) or #layers ~= #filters then
      fail "VGG: layers, filters: expected two lists of the same length"
    end
    local function dense(units, activation)
      return nn.Dense(units, { activation = activation, weight_initializer = "normal", bias_initializer = "zeros" })
    end
    add_features(self.features, layers, filters, options.batch_norm)
    self.features:add(dense(4096, "relu"), nn.Dropout(0.5), dense(4096, "relu"), nn.Dropout(0.5))
    return dense(options.classes)
  end)

local FILTERS = { 64, 128, 256, 512, 512 }
local LAYERS = { [11] = { 1, 1, 2, 2, 2 }, [13] = { 2, 2, 2, 2, 2 }, [16] = { 2, 2, 3, 3, 3 },
                 [19] = { 2, 2, 4, 4, 4 } }

local function make(options, naming)
  local layers = constructors.pick("get_vgg: num_layers", LAYERS, options.num_layers)
  naming.batch_norm = options.batch_norm or false
  return vision.VGG(layers, FILTERS, naming), ("vgg%d%s"):format(options.num_layers, naming.batch_norm and "_bn" or "")
end

--- get_vgg(num_layers, {pretrained = false, ctx =, root =, classes = 1000, batch_norm = false}): a VGG of 11, 13, 16 or
-- 19 layers. pretrained: loads the parameters in the file that model_store.get_model_file finds.
vision.get_vgg = constructors.define("get_vgg", { "num_layers" }, { "batch_norm" }, make)

for layers in pairs(LAYERS) do
  local plain, normed = ("vgg%d"):format(layers), ("vgg%d_bn"):format(layers)
  vision[plain] = constructors.define(plain, {}, { "batch_norm" }, function(options, naming)
    options.num_layers = layers
    return make(options, naming)
  end)
  vision[normed] = constructors.define(normed, {}, {}, function(options, naming)
    options.num_layers, options.batch_norm = layers, true
    return make(options, naming)
  end)
end

return vision

-- inception.lua - Inception v3. C. Szegedy, V. Vanhoucke, S. Ioffe, J. Shlens, Z. Wojna, "Rethinking the Inception
-- architecture for computer vision", 2015.
local nn = require "hybridlua.gluon.nn"
local HybridConcurrent = require "hybridlua.gluon.contrib.nn".HybridConcurrent
local constructors = require "hybridlua.gluon.model_zoo.vision.constructors"

local vision = {}

-- A convolution of { channels, size, strides, padding }, BatchNorm and relu.
local function convolution(setting)
  local part = nn.HybridSequential { prefix = "" }
  part:add(nn.Conv2D(setting[1], setting[2], { strides = setting.strides or 1, padding = setting.padding or 0,
                                               use_bias = false }),
    nn.BatchNorm { epsilon = 0.001 }, nn.Activation "relu")
  return part
end

-- Convolutions in sequence, after a pool if one is given ("avg", "max").
local function branch(pool, ...)
  local way = nn.HybridSequential { prefix = "" }
  if pool == "avg" then way:add(nn.AvgPool2D(3, 1, 1)) end
  if pool == "max" then way:add(nn.MaxPool2D(3, 2)) end
  for _, setting in ipairs { ... } do way:add(convolution(setting)) end
  return way
end

-- Parallel branches, returned by make().
local function module(prefix, make)
  local block = HybridConcurrent { axis = 1, prefix = prefix }
  block:name_scope(function() block:add(make()) end)
  return block
end

local function module_a(pool_features, prefix)
  return module(prefix, function()
    return branch(nil, { 64, 1 }), branch(nil, { 48, 1 }, { 64, 5, padding = 2 }),
      branch(nil, { 64, 1 }, { 96, 3, padding = 1 }, { 96, 3, padding = 1 }), branch("avg", { pool_features, 1 })
  end)
end

local function module_b(prefix)
  return module(prefix, function()
    return branch(nil, { 384, 3, strides = 2 }),
      branch(nil, { 64, 1 }, { 96, 3, padding = 1 }, { 96, 3, strides = 2 }), branch "max"
  end)
end

-- Windows of seven elements along the width, and along the height.
local function across(channels) return { channels, { 1, 7 }, padding = { 0, 3 } } end
local function down(channels) return { channels, { 7, 1 }, padding = { 3, 0 } } end

local function module_c(channels, prefix)
  return module(prefix, function()
    return branch(nil, { 192, 1 }), branch(nil, { channels, 1 }, across(channels), down(192)),
      branch(nil, { channels, 1 }, down(channels), across(channels), down(channels), across(192)),
      branch("avg", { 192, 1 })
  end)
end

local function module_d(prefix)
  return module(prefix, function()
    return branch(nil, { 192, 1 }, { 320, 3, strides = 2 }),
      branch(nil, { 192, 1 }, across(192), down(192), { 192, 3, strides = 2 }), branch "max"
  end)
end

-- A branch that ends in two, with windows of three elements along the width and along the height.
local function split_branch(...)
  local way = nn.HybridSequential { prefix = "" }
  way:add(branch(nil, ...))
  local ends = HybridConcurrent { axis = 1, prefix = "" }
  ends:add(branch(nil, { 384, { 1, 3 }, padding = { 0, 1 } }), branch(nil, { 384, { 3, 1 }, padding = { 1, 0 } }))
  way:add(ends)
  return way
end

local function module_e(prefix)
  return module(prefix, function()
    return branch(nil, { 320, 1 }), split_branch { 384, 1 }, split_branch({ 448, 1 }, { 384, 3, padding = 1 }),
      branch("avg", { 192, 1 })
  end)
end

--- Inception3{classes = 1000}: (batch, 3, 299, 299) to (batch, classes).
vision.Inception3 = constructors.network("Inception3", "classes", {}, function(self)
  self.features:add(convolution { 32, 3, strides = 2 }, convolution { 32, 3 }, convolution { 64, 3, padding = 1 },
    nn.MaxPool2D(3, 2), convolution { 80, 1 }, convolution { 192, 3 }, nn.MaxPool2D(3, 2))
  self.features:add(module_a(32, "A1_"), module_a(64, "A2_"), module_a(64, "A3_"), module_b "B_",
    module_c(128, "C1_"), module_c(160, "C2_"), module_c(160, "C3_"), module_c(192, "C4_"), module_d "D_",
    module_e "E1_", module_e "E2_")
  self.features:add(nn.AvgPool2D(8), nn.Dropout(0.5))
end)

--- inception_v3{classes = 1000, pretrained = false, ctx =, root =}: an Inception3. pretrained: loads the parameters in
-- the file that model_store.get_model_file finds.
vision.inception_v3 = constructors.define("inception_v3", {}, {}, function(_, naming)
  return vision.Inception3(naming), "inceptionv3"
end)

return vision

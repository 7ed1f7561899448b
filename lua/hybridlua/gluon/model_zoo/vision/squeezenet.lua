-- squeezenet.lua - SqueezeNet 1.0 and 1.1. F. Iandola et al., "SqueezeNet: AlexNet-level accuracy with 50x fewer
-- parameters and <0.5MB model size", 2016.
local nn = require "hybridlua.gluon.nn"
local HybridConcurrent = require "hybridlua.gluon.contrib.nn".HybridConcurrent
local constructors = require "hybridlua.gluon.model_zoo.vision.constructors"

local vision = {}

local function fire_convolution(channels, size, padding)
  local way = nn.HybridSequential { prefix = "" }
  way:add(nn.Conv2D(channels, size, { padding = padding }), nn.Activation "relu")
  return way
end

-- A squeeze to few channels, followed by two parallel convolutions with `expand` channels each.
local function fire(squeeze, expand)
  local block = nn.HybridSequential { prefix = "" }
  block:add(fire_convolution(squeeze, 1, 0))
  local ways = HybridConcurrent { axis = 1, prefix = "" }
  ways:add(fire_convolution(expand, 1, 0), fire_convolution(expand, 3, 1))
  block:add(ways)
  return block
end

-- The first convolution; then pools ("pool") and fire modules, { squeeze, expand }.
local VERSIONS = {
  ["1.0"] = { { 96, 7 }, "pool", { 16, 64 }, { 16, 64 }, { 32, 128 }, "pool", { 32, 128 }, { 48, 192 }, { 48, 192 },
              { 64, 256 }, "pool", { 64, 256 } },
  ["1.1"] = { { 64, 3 }, "pool", { 16, 64 }, { 16, 64 }, "pool", { 32, 128 }, { 32, 128 }, "pool", { 48, 192 },
              { 48, 192 }, { 64, 256 }, { 64, 256 } },
}

--- SqueezeNet(version, {classes = 1000}): version "1.0" or "1.1". (batch, 3, 224, 224) to (batch, classes).
vision.SqueezeNet = constructors.network("SqueezeNet", "version classes", {}, function(self, options)
  local parts = constructors.pick("SqueezeNet: version", VERSIONS, options.version)
  self.features:add(nn.Conv2D(parts[1][1], parts[1][2], { strides = 2 }), nn.Activation "relu")
  for i = 2, #parts do
    local part = parts[i]
    self.features:add(part == "pool" and nn.MaxPool2D(3, 2, { ceil_mode = true }) or fire(part[1], part[2]))
  end
  self.features:add(nn.Dropout(0.5))
  local output = nn.HybridSequential { prefix = "" }
  output:add(nn.Conv2D(options.classes, 1), nn.Activation "relu", nn.AvgPool2D(13), nn.Flatten())
  return output
end)

for version in pairs(VERSIONS) do
  local name = "squeezenet" .. version:gsub("%.", "_")
  vision[name] = constructors.define(name, {}, {}, function(_, naming)
    return vision.SqueezeNet(version, naming), "squeezenet" .. version
  end)
end

return vision

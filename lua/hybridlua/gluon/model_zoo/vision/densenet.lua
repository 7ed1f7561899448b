-- densenet.lua - DenseNet with 121 to 201 layers. G. Huang, Z. Liu, L. van der Maaten, K. Weinberger, "Densely
-- connected convolutional networks", 2016.
local core = require "hybridlua.core"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local nn = require "hybridlua.gluon.nn"
local contrib = require "hybridlua.gluon.contrib.nn"
local constructors = require "hybridlua.gluon.model_zoo.vision.constructors"
local is_plain = core.script.is_plain

local vision = {}

-- A layer that appends growth_rate channels to its input.
local function dense_layer(growth_rate, bn_size, dropout)
  local new = nn.HybridSequential { prefix = "" }
  new:add(nn.BatchNorm(), nn.Activation "relu", nn.Conv2D(bn_size * growth_rate, 1, { use_bias = false }),
    nn.BatchNorm(), nn.Activation "relu", nn.Conv2D(growth_rate, 3, { padding = 1, use_bias = false }))
  if dropout > 0 then new:add(nn.Dropout(dropout)) end
  local layer = contrib.HybridConcurrent { axis = 1, prefix = "" }
  layer:add(contrib.Identity(), new)
  return layer
end

local function dense_block(layers, bn_size, growth_rate, dropout, index)
  local block = nn.HybridSequential { prefix = ("stage%d_"):format(index) }
  block:name_scope(function()
    for _ = 1, layers do block:add(dense_layer(growth_rate, bn_size, dropout)) end
  end)
  return block
end

local function transition(channels)
  local part = nn.HybridSequential { prefix = "" }
  part:add(nn.BatchNorm(), nn.Activation "relu", nn.Conv2D(channels, 1, { use_bias = false }), nn.AvgPool2D(2, 2))
  return part
end

--- DenseNet(num_init_features, growth_rate, block_config, {bn_size = 4, dropout = 0, classes = 1000}): block i has
-- block_config[i] layers, each of which adds growth_rate channels, through bn_size times as many; the number of
-- channels is halved between blocks. (batch, 3, 224, 224) to (batch, classes).
vision.DenseNet = constructors.network("DenseNet",
  "num_init_features growth_rate block_config[] bn_size dropout classes", { bn_size = 4, dropout = 0 },
  function(self, options)
    local function count(key) return checks.whole("DenseNet: " .. key, options[key], 1) end
    local channels, growth_rate, bn_size = count "num_init_features", count "growth_rate", count "bn_size"
    local features, blocks = self.features, options.block_config
    local dropout = checks.number("DenseNet: dropout", options.dropout)
    if not is_plain(blocks) then fail("DenseNet: block_config: expected a list, got %s", type(blocks)) end
    features:add(nn.Conv2D(channels, 7, { strides = 2, padding = 3, use_bias = false }), nn.BatchNorm(),
      nn.Activation "relu", nn.MaxPool2D(3, 2, 1))
    for i, layers in ipairs(blocks) do
      features:add(dense_block(layers, bn_size, growth_rate, dropout, i))
      channels = channels + layers * growth_rate
      if i < #blocks then
        channels = channels // 2
        features:add(transition(channels))
      end
    end
    features:add(nn.BatchNorm(), nn.Activation "relu", nn.AvgPool2D(7), nn.Flatten())
  end)

local SPECIFICATIONS = { [121] = { 64, 32, { 6, 12, 24, 16 } }, [161] = { 96, 48, { 6, 12, 36, 24 } },
                         [169] = { 64, 32, { 6, 12, 32, 32 } }, [201] = { 64, 32, { 6, 12, 48, 32 } } }

for layers, specification in pairs(SPECIFICATIONS) do
  local name = ("densenet%d"):format(layers)
  vision[name] = constructors.define(name, {}, { "bn_size", "dropout" }, function(options, naming)
    naming.bn_size, naming.dropout = options.bn_size, options.dropout
    local channels, growth_rate, blocks = table.unpack(specification)
    return vision.DenseNet(channels, growth_rate, blocks, naming), name
  end)
end

return vision

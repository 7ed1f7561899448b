-- pictures.lua - hybridlua's side of pictures.py (turns.lua).
package.path = arg[0]:match "^(.*/)" .. "?.lua;" .. package.path
local hl = require "hybridlua"
local turns = require "turns"
local nd, gluon = hl.nd, hl.gluon
local nn, vision = gluon.nn, gluon.model_zoo.vision

local function lenet()
  local net = nn.HybridSequential()
  net:add(nn.Conv2D(20, 5, { activation = "relu" }), nn.MaxPool2D(2),
          nn.Conv2D(50, 5, { activation = "relu" }), nn.MaxPool2D(2),
          nn.Flatten(), nn.Dense(500, { activation = "relu" }), nn.Dense(10))
  return net
end

local function resnet20()
  return vision.ResNetV1(vision.BasicBlockV1, { 3, 3, 3 }, { 16, 16, 32, 64 }, { classes = 10, thumbnail = true })
end

local function model(name) return function() return vision.get_model(name) end end

-- name: network, batch, training?, an image's shape
local works = {
  ["LeNet, batch 64, training step"] = { lenet, 64, true, { 1, 28, 28 } },
  ["CIFAR-ResNet-20, batch 32, training step"] = { resnet20, 32, true, { 3, 32, 32 } },
  ["ResNet-18, batch 1, prediction"] = { model "resnet18_v1", 1, false },
  ["ResNet-18, batch 8, prediction"] = { model "resnet18_v1", 8, false },
  ["ResNet-18, batch 8, training step"] = { model "resnet18_v1", 8, true },
  ["VGG-16, batch 1, prediction"] = { model "vgg16", 1, false },
  ["ResNet-50, batch 1, prediction"] = { model "resnet50_v1", 1, false },
  ["MobileNet 1.0, batch 1, prediction"] = { model "mobilenet1.0", 1, false },
  ["MobileNet 0.25, batch 1, prediction"] = { model "mobilenet0.25", 1, false },
}

local makers = {}
for name, work in pairs(works) do
  local make, batch, trains, image = table.unpack(work)
  makers[name] = function()
    local net, x = make(), nd.random.normal { shape = { batch, table.unpack(image or { 3, 224, 224 }) } }
    if trains then return turns.training(net, x, nd.arange(0, batch) % 10) end
    turns.ready(net, x)
    return function() return net(x) end
  end
end
turns.take(makers)

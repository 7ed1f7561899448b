-- alexnet.lua - AlexNet. A. Krizhevsky, "One weird trick for parallelizing convolutional neural networks", 2014.
local nn = require "hybridlua.gluon.nn"
local constructors = require "hybridlua.gluon.model_zoo.vision.constructors"

local vision = {}

--- AlexNet{classes = 1000}: (batch, 3, 224, 224) to (batch, classes).
vision.AlexNet = constructors.network("AlexNet", "classes", {}, function(self)
  self.features:add(nn.Conv2D(64, 11, { strides = 4, padding = 2, activation = "relu" }), nn.MaxPool2D(3, 2),
    nn.Conv2D(192, 5, { padding = 2, activation = "relu" }), nn.MaxPool2D(3, 2),
    nn.Conv2D(384, 3, { padding = 1, activation = "relu" }),
    nn.Conv2D(256, 3, { padding = 1, activation = "relu" }),
    nn.Conv2D(256, 3, { padding = 1, activation = "relu" }), nn.MaxPool2D(3, 2), nn.Flatten(),
    nn.Dense(4096, { activation = "relu" }), nn.Dropout(0.5), nn.Dense(4096, { activation = "relu" }), nn.Dropout(0.5))
end)

--- alexnet{classes = 1000, pretrained = false, ctx =, root =}: an AlexNet. pretrained: loads the parameters in the file
-- that model_store.get_model_file finds.
vision.alexnet = constructors.define("alexnet", {}, {}, function(_, naming)
  return vision.AlexNet(naming), "alexnet"
end)

return vision

-- lenet.lua - a convolutional network learns to read handwritten digits.
--
-- The images come with hybridlua and have 8x8 pixels. Convolutions read (batch, channel, height, width). Convolutions
-- and Dense infer their number of input channels from the first batch. BatchNorm uses the batch's mean and variance in
-- training, and their moving averages in the test.
local hl = require "hybridlua"
local autograd, gluon = hl.autograd, hl.gluon
local nn, vision = gluon.nn, gluon.data.vision

local options = hl.options {
  epochs = { 6, "passes over the training set", least = 1 },
  batch_size = { 32, "images a step", least = 1 },
  lr = { 0.05, "learning rate at the beginning", above = 0, word = "RATE" },
  seed = { 1, "what all random numbers come from", least = 0 },
  eager = { false, "train without hybridize" },
}

local function new_net()
  local net = nn.HybridSequential { prefix = "lenet_" }
  net:name_scope(function()
    net:add(nn.Conv2D(16, 3, { padding = 1, use_bias = false }), nn.BatchNorm(), nn.Activation "relu", nn.MaxPool2D(2),
            nn.Conv2D(32, 3, { padding = 1, use_bias = false }), nn.BatchNorm(), nn.Activation "relu", nn.MaxPool2D(2),
            nn.Flatten(), nn.Dense(64, { activation = "relu" }), nn.Dense(10))
  end)
  net:initialize(hl.init.Xavier())
  return net
end

-- Bytes (batch, height, width, 1) as numbers from 0 to 1, (batch, 1, height, width).
local function prepare(images) return images:transpose { axes = { 0, 3, 1, 2 } }:astype "float32" / 255 end

local function accuracy_of(net, dataset)
  local accuracy = hl.metric.Accuracy()
  for images, labels in gluon.data.DataLoader(dataset, 256) do accuracy:update(labels, net(prepare(images))) end
  return 100 * select(2, accuracy:get())
end

hl.random.seed(options.seed)
local train_set, test_set = vision.Digits { train = true }, vision.Digits { train = false }
local net, loss_of = new_net(), gluon.loss.SoftmaxCrossEntropyLoss()
if not options.eager then net:hybridize() end
net(prepare((gluon.data.DataLoader(test_set, 1):batches()())))
print(net)

local loader = gluon.data.DataLoader(train_set, options.batch_size, { shuffle = true })
local schedule = hl.lr_scheduler.CosineScheduler(options.epochs * #loader, { base_lr = options.lr, final_lr = options.lr / 100 })
local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = options.lr, momentum = 0.9, lr_scheduler = schedule })
local began = hl.time()
for epoch = 1, options.epochs do
  local sum = 0
  for images, labels in loader do
    local x = prepare(images)
    local losses = autograd.record(function() return loss_of(net(x), labels) end)
    losses:backward()
    trainer:step(#images)
    sum = sum + losses:sum():asscalar()
  end
  print(("epoch %2d   loss %.4f   test accuracy %.1f%%"):format(epoch, sum / #train_set, accuracy_of(net, test_set)))
end
print(("trained in %.1f s"):format(hl.time() - began))
print(("test accuracy %.1f%%"):format(accuracy_of(net, test_set)))

-- module_digits.lua - MXNet's Module API: a Symbol learns to read digits, with iterators, callbacks and checkpoints.
--
-- It trains for half of the epochs and saves a checkpoint; a second Module loads it, with the optimizer's states, and
-- trains the other half. The two halves give the weights of an uninterrupted training, to the bit.
--
--   hybridlua examples/module_digits.lua
local hl = require "hybridlua"
local nd, sym = hl.nd, hl.sym

local options = hl.options {
  epochs = { 6, "passes over the training set, half of them after the checkpoint", least = 2 },
  batch_size = { 32, "images a step", least = 1 },
  quiet = { false, "without the lines of training" },
}
local HALF = options.epochs // 2

-- ---- The network ------------------------------------------------------------------------------

local function network()
  local x = sym.var "data"
  x = sym.Convolution { data = x, kernel = { 3, 3 }, pad = { 1, 1 }, num_filter = 16, name = "conv1" }
  x = sym.BatchNorm { data = x, fix_gamma = false, name = "bn1" }
  x = sym.Activation { data = x, act_type = "relu", name = "relu1" }
  x = sym.Pooling { data = x, kernel = { 2, 2 }, stride = { 2, 2 }, pool_type = "max", name = "pool1" }
  x = sym.FullyConnected { data = sym.Flatten { data = x, name = "flatten" }, num_hidden = 10, name = "fc1" }
  return sym.SoftmaxOutput { data = x, name = "softmax" }
end

-- ---- Data -------------------------------------------------------------------------------------

-- An iterator of the digits that come with hybridlua: images (batch, 1, 8, 8) from 0 to 1.
local function iterator(train)
  local images, labels = hl.gluon.data.DataLoader(hl.gluon.data.vision.Digits { train = train }, 2000):batches()()
  local data = images:reshape { 0, 1, 8, 8 }:astype "float32" / 255
  return hl.io.NDArrayIter(data, labels:astype "float32", options.batch_size)
end

-- ---- Training ---------------------------------------------------------------------------------

local OPTIMIZER = { optimizer = "sgd", optimizer_params = { learning_rate = 0.1, momentum = 0.9, wd = 1e-4 } }

-- Trains a module from one epoch to another.
local function train(mod, from, to, more)
  local fit = { eval_data = iterator(false), eval_metric = "acc", initializer = hl.init.Xavier(), begin_epoch = from,
                num_epoch = to, batch_end_callback = hl.callback.Speedometer(options.batch_size, 20) }
  for key, value in pairs(OPTIMIZER) do fit[key] = value end
  for key, value in pairs(more or {}) do fit[key] = value end
  mod:fit(iterator(true), fit)
end

if options.quiet then hl.log.getLogger():setLevel(hl.log.WARNING) end
local prefix = os.tmpname()

hl.random.seed(1)
local first = hl.mod.Module(network(), { context = hl.cpu() })
train(first, 0, HALF, { epoch_end_callback = hl.callback.module_checkpoint(first, prefix, HALF, true) })

print(("resumed from %s-%04d.params"):format(prefix, HALF))
local second = hl.mod.Module.load(prefix, HALF, { load_optimizer_states = true })
train(second, HALF, options.epochs)

hl.random.seed(1)
local whole = hl.mod.Module(network())
train(whole, 0, options.epochs)

local same = true
for name, weight in pairs((whole:get_params())) do
  same = same and nd.array_equal(weight, (second:get_params())[name]):asscalar()
end
print("resumed and uninterrupted training: " .. (same and "the same weights" or "DIFFERENT weights"))
print(("test accuracy %.1f%%"):format(100 * second:score(iterator(false), "acc")[1][2]))
os.execute(("rm -f -- '%s' '%s'-*"):format(prefix, prefix))
if not same then os.exit(1, true) end

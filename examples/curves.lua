-- curves.lua - watches a network learn: curves beside the progress bar, a log as CSV, and a plot of the log.
--
-- On a terminal the curves grow while the network learns to tell digits apart; in a file they are lines of numbers.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon

local options = hl.options {
  epochs = { 15, "passes over the images", least = 1 },
  lr = { 0.05, "learning rate", above = 0, word = "RATE" },
  out = { "", "folder for curves.csv and curves.svg, by default a temporary one, removed again", word = "DIR" },
}

hl.random.seed(1)
local digits = gluon.data.vision.Digits()
local learned, tested = table.unpack(digits:random_split { 0.8, 0.2 })
local function batches(set, shuffle)
  return gluon.data.DataLoader(set:transform_first(function(x) return x:astype "float32" / 16 end), 64,
    { shuffle = shuffle })
end
local train, test = batches(learned, true), batches(tested, false)

local net, loss_of = gluon.nn.HybridSequential(), gluon.loss.SoftmaxCrossEntropyLoss()
net:add(gluon.nn.Dense(64, { activation = "relu" }), gluon.nn.Dense(10))
net:initialize(hl.init.Xavier())
net:hybridize()
local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = options.lr / 10 })

local function accuracy()
  local metric = hl.metric.Accuracy()
  for x, y in test do metric:update(y, net(x)) end
  return select(2, metric:get())
end

local folder = options.out ~= "" and options.out or os.getenv "TMPDIR" or "/tmp"
local base = ("%s/curves%s"):format(folder, options.out == "" and "-" .. os.time() or "")
local log <close> = hl.log.TrainingLog(base .. ".csv", { append = false })
local live <close> = hl.plot.live { title = "digits", yscale = "log", rows = 8 }
for epoch = 1, options.epochs do
  local sum, count = 0, 0
  for x, y in hl.progress(train, { desc = ("epoch %2d"):format(epoch), leave = false }) do
    local loss = autograd.record(function() return loss_of(net(x), y) end)
    loss:backward()
    trainer:step(#x)
    local mean = loss:mean():asscalar()
    live:add { loss = mean }
    sum, count = sum + mean, count + 1
  end
  log:add { epoch = epoch, loss = sum / count, accuracy = accuracy() }
end
live:close()
log:close()

local rows = hl.log.read_training(base .. ".csv")
local epochs, losses, right = {}, {}, {}
for i, row in ipairs(rows) do epochs[i], losses[i], right[i] = row.epoch, row.loss, row.accuracy end
local figure, axes = hl.plot.subplots(1, 2, { size = { 8, 3 } })
axes[1]:plot(epochs, losses, { marker = "." }):title("loss"):xlabel("epoch"):yscale("log")
axes[2]:plot(epochs, right, { marker = ".", color = "C1" }):title("accuracy on test images"):xlabel("epoch")
figure:save(base .. ".svg")
print(("%d rows in %s.csv, drawn in %s.svg"):format(#rows, base, base))
print(("test accuracy %.1f%%"):format(100 * right[#right]))
if options.out == "" then
  print "temporary files, removed again; --out DIR keeps them"
  os.remove(base .. ".csv")
  os.remove(base .. ".svg")
end
nd.waitall()

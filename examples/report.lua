-- report.lua - what a network learned, in three pictures: the loss on digits that it learns from and on others, the
-- digits that it takes for others, and some that it has never seen with its answers.
--
-- The figure is printed as text, or saved with --out report.svg (.png, .pdf).
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local options = hl.options {
  epochs = { 15, "passes over the training set", least = 1 },
  batch_size = { 32, "images a step", least = 1 },
  lr = { 0.005, "learning rate", above = 0, word = "RATE" },
  seed = { 1, "what all random numbers come from", least = 0 },
  out = { type = "string", doc = "save the figure in FILE instead of printing it", word = "FILE" },
}

hl.random.seed(options.seed)

-- ---- Data and network -------------------------------------------------------------------------------

local function to_numbers(image, label) return image:reshape { -1 }:astype "float32" / 255, label end

local function loader(train)
  local digits = gluon.data.vision.Digits { train = train }:transform(to_numbers)
  return gluon.data.DataLoader(digits, options.batch_size, { shuffle = train }), #digits
end

local train, n_train = loader(true)
local test, n_test = loader(false)

local net = nn.HybridSequential()
net:add(nn.Dense(128, { activation = "relu" }), nn.Dense(10))
net:initialize(hl.init.Xavier())
net:hybridize()
local loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = options.lr })

-- ---- Training ---------------------------------------------------------------------------------------

local function learn()
  local total = 0
  for images, labels in train do
    local loss = autograd.record(function() return loss_of(net(images), labels) end)
    loss:backward()
    trainer:step(#images)
    total = total + loss:sum():asscalar()
  end
  return total / n_train
end

-- The mean loss on the test digits, and the number of digits i (row) taken for digit j.
local function try()
  local total, counts = 0, nd.zeros { 10, 10 }
  for images, labels in test do
    local outputs = net(images)
    total = total + loss_of(outputs, labels):sum():asscalar()
    local answers = nd.one_hot(outputs:argmax { axis = 1 }, { depth = 10 })
    counts:add_(nd.dot(nd.one_hot(labels, { depth = 10 }), answers, { transpose_a = true }))
  end
  return total / n_test, counts
end

local learned, tried, counts = {}, {}, nil
for epoch = 1, options.epochs do
  learned[epoch] = learn()
  tried[epoch], counts = try()
  print(("epoch %2d: loss %.3f, test %.3f"):format(epoch, learned[epoch], tried[epoch]))
end
local right = nd.diag(counts):sum():asscalar() / n_test

-- ---- The figure -------------------------------------------------------------------------------------

-- The first test digits as one picture of `rows` by `columns`, each with a margin; and what the network takes them for.
local function some_digits(rows, columns)
  local digits, lines, answers = gluon.data.vision.Digits { train = false }, {}, {}
  for row = 1, rows do
    local line = {}
    for column = 1, columns do
      local image = digits[#answers][1]:reshape { 1, 1, 8, 8 }:astype "float32" / 255
      line[column] = nd.pad(image, { mode = "constant", pad_width = { 0, 0, 0, 0, 1, 1, 1, 1 } }):reshape { 10, 10 }
      answers[#answers + 1] = net(image:reshape { 1, 64 }):argmax { axis = 1 }:astype "int32":asscalar()
    end
    lines[row] = nd.concat(line, { dim = 1 })
  end
  return nd.concat(lines, { dim = 0 }), answers
end

local epochs = {}
for epoch = 1, options.epochs do epochs[epoch] = epoch end

local fig, axes = hl.plot.subplots(1, 3, { size = { 11, 3.4 } })
axes[1]:plot(epochs, learned, { label = "training" }):plot(epochs, tried, { label = "test" })
axes[1]:title "Loss":xlabel "epoch":yscale "log":legend()
axes[2]:heatmap(counts):title(("Answers, %.1f%% right"):format(100 * right)):xlabel "answer":ylabel "digit"
local ROWS, COLUMNS = 3, 4
local picture, answers = some_digits(ROWS, COLUMNS)
axes[3]:imshow(picture, { cmap = "gray" }):title "Test digits, with answers":xticks({}):yticks({})
for i, answer in ipairs(answers) do
  axes[3]:text((i - 1) % COLUMNS * 10 + 0.5, (i - 1) // COLUMNS * 10 + 2.5, tostring(answer), { color = "orange" })
end

if options.out then
  fig:save(options.out)
  print("wrote " .. options.out)
else
  fig:show()
end

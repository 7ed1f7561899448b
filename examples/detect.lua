-- detect.lua - a detector learns to find and to name shapes in pictures.
--
-- The script draws the pictures: discs, squares and triangles of any colour on a speckled ground. A small convolutional
-- network processes them at three scales. Each position of each scale has a few anchors, which are boxes of given
-- sizes. For each anchor the network predicts its shape, if any, and how to move and scale the box to fit it (W. Liu et
-- al., "SSD", 2016). The script writes a picture of the shapes found in new pictures.
local hl = require "hybridlua"
local nd, autograd, gluon, image = hl.nd, hl.autograd, hl.gluon, hl.image
local nn = gluon.nn

local options = hl.options({
  epochs = { 16, "passes over the training set", least = 1 },
  train = { 1000, "pictures to learn from", least = 32 },
  test = { 100, "pictures to be tested on", least = 12 },
  batch_size = { 32, "pictures a step", least = 1 },
  lr = { 0.003, "learning rate at the beginning", above = 0, word = "RATE" },
  seed = { 1, "what all random numbers come from", least = 0 },
  out = { "detect.png", "the picture that is written", word = "FILE" },
}, { about = "Learns to find drawn shapes by a detector with anchors." })

local SIDE, MOST = 64, 3                       -- pixels along a picture's side; shapes in a picture
local SHAPES = { "disc", "square", "triangle" }

-- ---- Pictures -----------------------------------------------------------------------------------

local across = nd.arange(SIDE):reshape { 1, SIDE } + nd.zeros { SIDE, 1 }
local down = across.T

-- A mask, 1 or 0, of a shape of this kind in the box at (left, top), `size` pixels wide and high.
local INSIDE = {
  function(x, y, size) return ((x - size / 2) ^ 2 + (y - size / 2) ^ 2):lesser(size * size / 4) end,
  function(x, y, size)
    return x:greater_equal(0) * x:lesser(size) * y:greater_equal(0) * y:lesser(size)
  end,
  function(x, y, size) return (2 * (x - size / 2):abs()):lesser_equal(y) * y:greater_equal(0) * y:lesser(size) end,
}

local function overlap(a, b)
  return math.max(0, math.min(a[4], b[4]) - math.max(a[2], b[2])) *
    math.max(0, math.min(a[5], b[5]) - math.max(a[3], b[3]))
end

-- A box for a shape that overlaps no other, {class, left, top, right, bottom} in pixels; nil after some tries.
local function free_box(boxes)
  for _ = 1, 20 do
    local size = math.random(14, 34)
    local left, top = math.random(0, SIDE - size), math.random(0, SIDE - size)
    local box, free = { math.random(0, #SHAPES - 1), left, top, left + size, top + size }, true
    for _, other in ipairs(boxes) do free = free and overlap(box, other) == 0 end
    if free then return box end
  end
end

-- A picture (SIDE, SIDE, 3) from 0 to 1, and its shapes (MOST, 5), rows of -1 after the last.
local function draw()
  local ground = nd.random.uniform { shape = { 1, 1, 3 } } * 0.6
  local picture = ground + 0.15 * nd.random.uniform { shape = { SIDE, SIDE, 3 } }
  local boxes = {}
  for _ = 1, math.random(1, MOST) do boxes[#boxes + 1] = free_box(boxes) end
  local labels = nd.full({ MOST, 5 }, -1)
  for i, box in ipairs(boxes) do
    local class, left, top, right = table.unpack(box)
    local where = INSIDE[class + 1](across - left, down - top, right - left):expand_dims { axis = 2 }
    local colour = ((ground + 0.3 + 0.6 * nd.random.uniform { shape = { 1, 1, 3 } }) % 1)
    picture = picture * (1 - where) + colour * where
    labels[i - 1] = nd.array { class * SIDE, left, top, right, box[5] } / SIDE
  end
  return picture:clip(0, 1), labels
end

local function draw_all(n)
  local pictures, labels = {}, {}
  for i = 1, n do pictures[i], labels[i] = draw() end
  return nd.stack(pictures, { axis = 0 }):transpose { 0, 3, 1, 2 }, nd.stack(labels, { axis = 0 })
end

-- ---- The network --------------------------------------------------------------------------------

local function halving(channels)
  local block = nn.HybridSequential()
  block:add(nn.Conv2D(channels, 3, { padding = 1, use_bias = false }), nn.BatchNorm(), nn.Activation "relu",
            nn.MaxPool2D(2))
  return block
end

-- Sizes of the anchors at each scale, relative to the picture's side.
local SIZES = { { 0.2, 0.27 }, { 0.35, 0.44 }, { 0.53, 0.6 } }
local RATIOS = { 1, 1.5, 0.67 }
local ANCHORS = 4                              -- per position: all sizes at ratio 1, the first at all ratios

local Detector = gluon.HybridBlock:subclass "Detector"

function Detector:init()
  self.body, self.scales = nn.HybridSequential(), nn.HybridSequential()
  self.classes, self.offsets = nn.HybridSequential(), nn.HybridSequential()
  self.body:add(halving(16), halving(32))
  for _ = 1, #SIZES do
    self.scales:add(halving(64))
    self.classes:add(nn.Conv2D(ANCHORS * (#SHAPES + 1), 3, { padding = 1 }))
    self.offsets:add(nn.Conv2D(ANCHORS * 4, 3, { padding = 1 }))
  end
end

local function flat(F, x) return F.Flatten(F.transpose(x, { axes = { 0, 2, 3, 1 } })) end

-- Maps pictures (batch, 3, SIDE, SIDE) to anchors (1, n, 4), classes (batch, n, 1 + shapes), offsets (batch, 4 n).
function Detector:hybrid_forward(F, x)
  local anchors, classes, offsets = {}, {}, {}
  x = self.body(x)
  for i, sizes in ipairs(SIZES) do
    x = self.scales[i - 1](x)
    anchors[i] = F.contrib.MultiBoxPrior(x, { sizes = sizes, ratios = RATIOS })
    classes[i], offsets[i] = flat(F, self.classes[i - 1](x)), flat(F, self.offsets[i - 1](x))
  end
  return F.concat(anchors, { dim = 1 }), F.reshape(F.concat(classes, { dim = 1 }), { 0, -1, #SHAPES + 1 }),
         F.concat(offsets, { dim = 1 })
end

-- ---- Training -----------------------------------------------------------------------------------

local class_loss, offset_loss = gluon.loss.SoftmaxCrossEntropyLoss(), gluon.loss.HuberLoss()

-- The loss of each picture in a batch. Most anchors contain no shape; only those that look most like a shape count,
-- three times as many as anchors with a shape. The others have class -1.
local function losses_of(net, x, labels)
  local anchors, classes, offsets = net(x)
  local wanted, mask, targets
  autograd.pause(function()
    wanted, mask, targets = table.unpack(nd.contrib.MultiBoxTarget(anchors, labels, classes:transpose { 0, 2, 1 },
      { negative_mining_ratio = 3, overlap_threshold = 0.45 }))
  end)
  local counts = targets:greater_equal(0)
  local of_classes = class_loss(classes, targets:maximum(0), counts:expand_dims { axis = 2 })
  return of_classes + offset_loss(offsets * mask, wanted * mask)
end

-- ---- Detection ------------------------------------------------------------------------------

-- Returns a list of {class, score, left, top, right, bottom} for each picture.
local function detect(net, x)
  local anchors, classes, offsets = net(x)
  local rows = nd.contrib.MultiBoxDetection(classes:softmax():transpose { 0, 2, 1 }, offsets, anchors,
    { threshold = 0.4, nms_threshold = 0.3, force_suppress = true }):totable()
  for i, list in ipairs(rows) do
    local found = {}
    for _, row in ipairs(list) do if row[1] >= 0 then found[#found + 1] = row end end
    rows[i] = found
  end
  return rows
end

local function iou(found, label)
  local box = { 0, found[3], found[4], found[5], found[6] }
  local function area(b) return (b[4] - b[2]) * (b[5] - b[3]) end
  local both = overlap(box, label)
  return both / (area(box) + area(label) - both)
end

-- The share of shapes found (with the right name, at an IoU of one half or more), the share of boxes that are correct,
-- and their mean IoU.
local function score(found, labels)
  local shapes, boxes, right, sum = 0, 0, 0, 0
  for i, list in ipairs(labels:totable()) do
    boxes = boxes + #found[i]
    for _, label in ipairs(list) do
      local best = 0
      for _, box in ipairs(found[i]) do if box[1] == label[1] then best = math.max(best, iou(box, label)) end end
      if label[1] >= 0 then shapes = shapes + 1 end
      if label[1] >= 0 and best >= 0.5 then right, sum = right + 1, sum + best end
    end
  end
  return right / shapes, right / math.max(1, boxes), sum / math.max(1, right)
end

local FRAMES = { { 255, 80, 80 }, { 90, 255, 90 }, { 110, 150, 255 } }       -- by class

-- A picture (3, SIDE, SIDE) `zoom` times as large, with a frame in the class's colour around each box.
local function framed(picture, boxes, zoom)
  local n = SIDE * zoom
  local large = image.imresize((255 * picture:transpose { 1, 2, 0 }):astype "uint8", n, n, { interp = 0 })
  local function at(x) return math.max(0, math.min(n - 2, math.floor(x * n))) end
  for _, box in ipairs(boxes) do
    local colour = nd.array(FRAMES[math.tointeger(box[1]) + 1], { dtype = "uint8" })
    local left, top, right, bottom = at(box[3]), at(box[4]), at(box[5]), at(box[6])
    for _, y in ipairs { top, bottom } do large[("%d:%d, %d:%d"):format(y, y + 2, left, right + 2)] = colour end
    for _, x in ipairs { left, right } do large[("%d:%d, %d:%d"):format(top, bottom + 2, x, x + 2)] = colour end
  end
  return nd.pad(large:astype "float32":transpose { 2, 0, 1 }:expand_dims { axis = 0 },
    { mode = "constant", constant_value = 255, pad_width = { 0, 0, 0, 0, 3, 3, 3, 3 } })[0]:transpose { 1, 2, 0 }
end

local function write(file, x, found)
  local lines = {}
  for row = 1, 3 do
    local line = {}
    for column = 1, 4 do
      local i = 4 * (row - 1) + column
      line[column] = framed(x[i - 1], found[i], 3)
    end
    lines[row] = nd.concat(line, { dim = 1 })
  end
  image.imwrite(file, nd.concat(lines, { dim = 0 }):astype "uint8")
end

-- ---- All of it ----------------------------------------------------------------------------------

hl.random.seed(options.seed)
math.randomseed(options.seed)
local x, labels = draw_all(options.train)
local test_x, test_labels = draw_all(options.test)
local net = Detector()
net:initialize(hl.init.Xavier())
net:hybridize()
class_loss:hybridize()
offset_loss:hybridize()

local loader = gluon.data.DataLoader(gluon.data.ArrayDataset(x, labels), options.batch_size, { shuffle = true })
local schedule = hl.lr_scheduler.CosineScheduler(options.epochs * #loader, { base_lr = options.lr, final_lr = 1e-5 })
local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = options.lr, lr_scheduler = schedule })
local began = hl.time()
for epoch = 1, options.epochs do
  local sum, bar = 0, hl.progress(loader, { desc = ("epoch %d"):format(epoch), leave = false })
  for data, label in bar do
    local losses = autograd.record(function() return losses_of(net, data, label) end)
    losses:backward()
    trainer:step(#data)
    sum = sum + losses:sum():asscalar()
    bar:postfix { loss = losses:mean() }
  end
  print(("epoch %2d   loss %.4f"):format(epoch, sum / #x))
end
print(("trained in %.1f s on %d pictures"):format(hl.time() - began, #x))

local found = detect(net, test_x)
write(options.out, test_x, found)
print(("red: discs, green: squares, blue: triangles: %s"):format(options.out))
local recall, precision, mean = score(found, test_labels)
print(("found %.1f%% of the shapes, %.1f%% of the boxes are right, mean IoU %.3f")
  :format(100 * recall, 100 * precision, mean))

-- loading.lua - the gain from num_workers: pictures are read, cropped and coloured at random, and train a small ResNet
-- on one thread. Passes with 0, 1 and 2 workers alternate. It prints medians of batches per second, for training, for
-- loading alone and for training with a batch in memory; the rate that processor times allow if each process has its
-- own core; and this process's milliseconds per batch.
--   ./hybridlua bench/loading.lua [ROUNDS=5]
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, gluon, autograd = hl.nd, hl.gluon, hl.autograd
local transforms, vision = gluon.data.vision.transforms, gluon.model_zoo.vision

local rounds = math.tointeger(tonumber(arg[1] or 5))
if not rounds or rounds < 1 then
  io.stderr:write "usage: hybridlua bench/loading.lua [ROUNDS]\n"
  os.exit(2)
end

local BATCH, BATCHES, CLASSES, SIZE = 32, 8, 4, 320
core.host.threads(1)

-- ---- The pictures -----------------------------------------------------------------------------------------------

local function run(command) assert(os.execute(command), command) end

local folder = os.tmpname()
os.remove(folder)
run("mkdir " .. folder)
local _ <close> = setmetatable({}, { __close = function() run("rm -r " .. folder) end })

-- Waves of a class's length, with some noise: they compress about as well as a photograph.
local function draw(class)
  local place = nd.arange(SIZE):reshape { SIZE, 1, 1 } / (6 + 3 * class)
  local wave = nd.sin(nd.broadcast_add(place, place:reshape { 1, SIZE, 1 }) + nd.random.uniform { shape = { 1, 1, 3 } })
  return (nd.broadcast_add(wave * 90 + 120, nd.random.uniform { high = 30, shape = { SIZE, SIZE, 3 } })):astype "uint8"
end

for class = 1, CLASSES do
  run(("mkdir %s/%d"):format(folder, class))
  for i = 1, BATCH * BATCHES // CLASSES do hl.image.imwrite(("%s/%d/%d.png"):format(folder, class, i), draw(class)) end
end
local pictures = gluon.data.vision.ImageFolderDataset(folder):transform_first(transforms.Compose {
  transforms.RandomResizedCrop(32, { scale = { 0.5, 1 } }), transforms.RandomFlipLeftRight(),
  transforms.RandomColorJitter { brightness = 0.2, contrast = 0.2, saturation = 0.2, hue = 0.05 },
  transforms.ToTensor(), transforms.Normalize(0.5, 0.25) })

-- ---- The network ------------------------------------------------------------------------------------------------

local net = vision.ResNetV1(vision.BasicBlockV1, { 3, 3, 3 }, { 16, 16, 32, 64 }, { classes = CLASSES, thumbnail = true })
local loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
net:initialize(hl.init.Xavier())
net:hybridize()
loss_of:hybridize()
local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.01 })

local function train(data, label)
  autograd.record(function() return loss_of(net(data), label) end):backward()
  trainer:step(BATCH)
end

-- ---- Passes -----------------------------------------------------------------------------------------------------

-- Seconds of a pass, and the processor time of this process in it.
local function pass(workers, work)
  local loader = gluon.data.DataLoader(pictures, BATCH, { shuffle = true, num_workers = workers })
  local computed, start = os.clock(), hl.time()
  for data, label in loader do work(data, label) end
  return hl.time() - start, os.clock() - computed
end

local function training_alone()
  local data, label = nd.random.normal { shape = { BATCH, 3, 32, 32 } }, nd.arange(0, BATCH) % CLASSES
  local computed, start = os.clock(), hl.time()
  for _ = 1, BATCHES do train(data, label) end
  return hl.time() - start, os.clock() - computed
end

local loading = { "loading alone, 0 workers", function() return pass(0, function() end) end }
local training = { "training alone", training_alone }
local ways = { loading, training }
for n = 0, 2 do
  ways[#ways + 1] = { ("training, %d worker%s"):format(n, n == 1 and "" or "s"), function() return pass(n, train) end, n = n }
end
for _ = 1, 3 do training_alone() end
for _, way in ipairs(ways) do way.seconds, way.computed = {}, {} end
for i = 1, rounds do
  for _, way in ipairs(ways) do way.seconds[i], way.computed[i] = way[2]() end
end

local function median(list)
  table.sort(list)
  return (list[(#list + 1) // 2] + list[#list // 2 + 1]) / 2
end

for _, way in ipairs(ways) do way.seconds, way.computed = median(way.seconds), median(way.computed) end

-- The minimum seconds of a pass, if each process has its own core.
local function least(way)
  if not way.n then return way.computed end
  return way.n == 0 and loading.computed + training.computed or math.max(loading.computed / way.n, training.computed)
end

print(("%-28s%12s%16s%16s"):format("", "batches/s", "a core for each", "computed here"))
for _, way in ipairs(ways) do
  print(("%-28s%12.2f%16.2f%13.1f ms"):format(way[1], BATCHES / way.seconds, BATCHES / least(way),
                                               way.computed / BATCHES * 1e3))
end

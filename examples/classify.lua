-- classify.lua - classifies a picture with an exported network.
--
--   hybridlua examples/train.lua --net lenet --out digits
--   hybridlua examples/classify.lua digits/digits three.png --size 8
--   hybridlua examples/classify.lua resnet18_v1 dog.jpg --labels synset.txt
--
-- MODEL is the name passed to net:export, here or in MXNet: MODEL-symbol.json and MODEL-0000.params. The picture is a
-- PNG or JPEG file. A network for colour pictures gets the middle of the picture, normalized as for MXNet's ImageNet
-- models; a network with one channel gets the whole picture in gray, from 0 to 1.
local hl = require "hybridlua"
local nd, gluon, image = hl.nd, hl.gluon, hl.image

-- ---- The command line ---------------------------------------------------------------------------

-- MODEL and PICTURE come first, then options.
local names, words = {}, {}
for i, word in ipairs(arg) do
  if #words == 0 and not word:find "^%-" then names[i] = word else words[#words + 1] = word end
end

local options, refuse = hl.options({
  size = { 224, "pixels along a side of what the network takes", least = 1 },
  epoch = { 0, "the number in the name of the parameters' file", least = 0 },
  labels = { type = "string", doc = "a file with the classes' names, a line each", word = "FILE" },
  top = { 5, "number of classes that are printed", least = 1 },
}, { about = "MODEL and PICTURE come first: an exported network, and the file of what it is to see.",
     words = words })
if #names ~= 2 then refuse("expected MODEL and PICTURE, got %d names", #names) end
local model, file = names[1]:gsub("%-symbol%.json$", ""), names[2]

-- Returns fn's result, or ends the script with its error.
local function try(fn, ...)
  local results = table.pack(pcall(fn, ...))
  if not results[1] then refuse("%s", (tostring(results[2]):gsub("^[^:]+:%d+: ", ""))) end
  return table.unpack(results, 2, results.n)
end

-- ---- The network and the picture ----------------------------------------------------------------

-- The number of channels of the network's input; nil if its input is one row of pixels.
local function channels_of(net)
  for _, param in net:collect_params():items() do
    if #param.shape == 4 then return param.shape[2] end
    if #param.shape == 2 then return nil end
  end
end

-- A picture (height, width, channels) as (1, channels, size, size).
local function prepare(picture, size)
  if picture.shape[3] == 1 then
    return image.imresize(picture, size, size):astype "float32":transpose { 2, 0, 1 }:expand_dims { axis = 0 } / 255
  end
  local middle = image.center_crop(image.resize_short(picture, math.ceil(size / 0.875)), { size, size })
  local x = image.color_normalize(middle:astype "float32" / 255, { 0.485, 0.456, 0.406 }, { 0.229, 0.224, 0.225 })
  return x:transpose { 2, 0, 1 }:expand_dims { axis = 0 }
end

local function read_labels(path)
  local lines = {}
  local handle, why = io.open(path)
  if not handle then refuse("--labels: %s", why) end
  for line in handle:lines() do lines[#lines + 1] = line end
  handle:close()
  return lines
end

-- ---- The answer -------------------------------------------------------------------------------

local net = try(gluon.SymbolBlock.imports, model .. "-symbol.json", { "data" },
  ("%s-%04d.params"):format(model, options.epoch))
local labels = options.labels and read_labels(options.labels) or {}
local channels = channels_of(net)
local picture = try(image.imread, file, { flag = channels == 3 and 1 or 0 })
local x = prepare(picture, options.size)
if not channels then x = x:reshape { 1, -1 } end
local outputs = try(net, x)
local probabilities = nd.softmax(outputs:reshape { -1 })
local order = nd.argsort(probabilities, { is_ascend = false, dtype = "int64" }):totable()

local function name(class) return labels[class + 1] or ("class %d"):format(class) end

print(("%s: %d x %d pixels"):format(file, picture.shape[2], picture.shape[1]))
for i = 1, math.min(options.top, #order) do
  print(("  %5.1f%%  %s"):format(100 * probabilities[order[i]]:asscalar(), name(order[i])))
end
print(("it is %s"):format(name(order[1])))

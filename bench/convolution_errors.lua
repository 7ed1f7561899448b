-- convolution_errors.lua - compares the rounding errors of Winograd convolutions with those of direct ones.
--
--   ./hybridlua bench/convolution_errors.lua [--update FILE]
--   ./hybridlua bench/convolution_errors.lua --answers [PICTURES [NETWORK ...]]
--
-- The first command prints a table in Markdown, or replaces the one in FILE between its marks; errors are relative to
-- the same layer in float64. The second classifies that many pictures with the zoo's networks, in both forms and in
-- float64, and reports where the top predictions differ.
package.path = (arg[0]:match "^(.*/)" or "./") .. "?.lua;" .. package.path
local hl = require "hybridlua"
local core = require "hybridlua.core"
local report = require "report"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local zoo = gluon.model_zoo.vision

-- ---- Data -----------------------------------------------------------------------------------------------------------

local function digits(n)
  return (gluon.data.DataLoader(gluon.data.vision.Digits { train = true }, n):batches()())
end

-- n pictures of the digits (8x8, bytes) as floats from 0 to 255, (n, 1, size, size).
local function pictures(n, size)
  local images = digits(n):astype "float32":transpose { 0, 3, 1, 2 }
  return nd.contrib.BilinearResize2D(images, { height = size, width = size })
end

local function normal(shape, deviation) return nd.random.normal(0, deviation or 1, { shape = shape }) end

local BATCH, SIZE, FILTERS = 4, 14, 64

local function he(channels, window)
  return normal({ FILTERS, channels, window, window }, math.sqrt(2 / (window * window * channels)))
end

local KINDS = {
  { "N(0, 1)", "rms", function(channels) return normal { BATCH, channels, SIZE, SIZE } end },
  { "relu(N(0, 1))", "rms", function(channels) return nd.relu(normal { BATCH, channels, SIZE, SIZE }) end },
  { "pictures, 0 to 255", "tile", function(channels)
    local all = pictures(512, SIZE)
    return nd.concat(all, all, all, all, { dim = 0 }):slice_axis { axis = 0, begin = 0, ["end"] = BATCH * channels }
      :reshape { BATCH, channels, SIZE, SIZE }
  end },
  { "N(0, 1), one channel by 100", "tile", function(channels)
    local scale = nd.ones { 1, channels, 1, 1 }
    scale[{ 0, 0, 0, 0 }] = 100
    return nd.broadcast_mul(normal { BATCH, channels, SIZE, SIZE }, scale)
  end },
}

-- ---- Errors of a layer ----------------------------------------------------------------------------------------------

-- Forward's output and both gradients.
local function compute(x, w, g, pad, direct)
  x, w = x:copy(), w:copy()
  x:attach_grad()
  w:attach_grad()
  local y = autograd.record(function()
    return nd.Convolution(x, w, { kernel = { w.shape[3], w.shape[4] }, pad = { pad, pad }, num_filter = w.shape[1],
                                  no_bias = true, cudnn_off = direct })
  end)
  y:backward(g)
  return { y, x.grad, w.grad }
end

local function rms(x) return math.sqrt((x * x):mean():asscalar()) end

-- The largest input value in the tile of each output position of a 3x3 window: (batch, 1, height, width).
local function seen(x, pad, height, width)
  local largest = nd.abs(x):max { axis = 1, keepdims = true }
  local function beyond(out, extent) return math.max(0, 4 * ((out + 3) // 4) + 2 - pad - extent) end
  largest = nd.pad(largest, { mode = "constant",
    pad_width = { 0, 0, 0, 0, pad, beyond(height, x.shape[3]), pad, beyond(width, x.shape[4]) } })
  largest = nd.Pooling(largest, { kernel = { 6, 6 }, stride = { 4, 4 }, pool_type = "max" })
  for axis = 2, 3 do largest = nd.repeat_(largest, { repeats = 4, axis = axis }) end
  return largest:slice { begin = { 0, 0, 0, 0 }, ["end"] = { x.shape[1], 1, height, width } }
end

-- The unit of an error: the rms of the result, or the tile's largest input value times the filter's norm.
local function scale_of(relative, exact, x, w, pad)
  if relative == "rms" then return rms(exact) end
  local norms = ((w * w):sum { axis = { 1, 2, 3 } }):sqrt():reshape { 1, -1, 1, 1 }
  return nd.broadcast_mul(seen(x, pad, exact.shape[3], exact.shape[4]), norms)
end

-- Keeps the worst errors over all paddings, of forward and, if relative to the rms, of both gradients:
-- errors[what][form] = { rms, max }.
local function add_errors(errors, relative, x, w, pad)
  local more = 2 * pad + 1 - w.shape[3]
  local height, width = x.shape[3] + more, x.shape[4] + more
  local g = normal { x.shape[1], w.shape[1], height, width }
  local function wide(a) return a:astype "float64" end
  local exact = compute(wide(x), wide(w), wide(g), pad, true)
  for form, direct in pairs { fewer = false, direct = true } do
    local found = compute(x, w, g, pad, direct)
    for i, what in ipairs { "forward", "data", "weight" } do
      if i > 1 and relative ~= "rms" then break end
      local scale = scale_of(relative, exact[i], wide(x), wide(w), pad)
      local error = wide(found[i]) - exact[i]
      error = type(scale) == "number" and error / scale or nd.broadcast_div(error, scale + 1e-300)
      local worst = errors[what] and errors[what][form] or { 0, 0 }
      errors[what] = errors[what] or {}
      errors[what][form] = { math.max(worst[1], rms(error)), math.max(worst[2], nd.abs(error):max():asscalar()) }
    end
  end
end

-- ---- Layers of a trained network ------------------------------------------------------------------------------------

-- A small ResNet that has learned the digits, and pictures for it.
local function trained()
  local net = zoo.ResNetV1(zoo.BasicBlockV1, { 2, 2, 2 }, { 16, 16, 32, 64 }, { classes = 10, thumbnail = true })
  net:initialize(hl.init.Xavier())
  net:hybridize()
  local loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
  local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = 0.004 })
  local loader = gluon.data.DataLoader(gluon.data.vision.Digits { train = true }, 32, { shuffle = true })
  local function prepare(images)
    return nd.contrib.BilinearResize2D(images:astype "float32":transpose { 0, 3, 1, 2 }, { height = 32, width = 32 }) / 255
  end
  for _ = 1, 2 do
    for images, labels in loader:batches() do
      local loss = autograd.record(function() return loss_of(net(prepare(images)), labels) end)
      loss:backward()
      trainer:step(#images)
    end
  end
  net:hybridize(false)
  return net, pictures(BATCH, 32) / 255
end

-- Calls visit(x, w) for each 3x3 convolution of the network with a stride of 1: its input, and its weights with the
-- following BatchNorm folded in.
local function each_layer(net, x, visit)
  local function fold(convolution, norm)
    local scale = norm.gamma:data() / (norm.running_var:data() + 1e-5):sqrt()
    return nd.broadcast_mul(convolution.weight:data(), scale:reshape { -1, 1, 1, 1 })
  end
  local function of_body(body)
    for i = 0, #body - 2 do                     -- blocks are counted from 0
      local convolution, norm = body[i], body[i + 1]
      if convolution.weight and convolution.weight.shape[3] == 3 then
        convolution:register_forward_pre_hook(function(_, data)
          if convolution.weight.shape[2] >= 16 then visit(data, fold(convolution, norm)) end
        end)
      end
    end
  end
  net:apply(function(block) if block.body then of_body(block.body) end end)
  net(x)
end

-- ---- Both tables ----------------------------------------------------------------------------------------------------

local function row(data, channels, errors, relative)
  local cells = {}
  for i, what in ipairs { "forward", "data", "weight" } do
    local both = errors[what]
    local function cell(form) return both and ("%.1f (%.0f)"):format(both[form][1] * 1e7, both[form][2] * 1e7) or "" end
    cells[2 * i - 1], cells[2 * i] = cell "direct", cell "fewer"
  end
  return ("| %s | %s | %s | %s |"):format(data, channels, relative == "rms" and "result" or "tile", table.concat(cells, " | "))
end

local function table_of_errors()
  local lines = {
    "| data | channels | relative to | forward: direct | fewer | data: direct | fewer | weight: direct | fewer |",
    "|---|---:|---|---:|---:|---:|---:|---:|---:|" }
  local function add_rows(kind, window, of)
    local name, relative, make = table.unpack(kind)
    for _, channels in ipairs(of) do
      hl.random.seed(1)
      local errors, x, w = {}, make(channels), he(channels, window)
      for pad = 0, window - 1 do add_errors(errors, relative, x, w, pad) end
      lines[#lines + 1] = row(window == 3 and name or name .. ", 5x5 window", channels, errors, relative)
    end
  end
  for _, kind in ipairs(KINDS) do add_rows(kind, 3, { 16, 64, 128, 256, 512 }) end
  for i = 1, 2 do add_rows(KINDS[i], 5, { 16, 64, 256 }) end
  hl.random.seed(1)
  local of_channels = {}
  local net, x = trained()
  each_layer(net, x, function(data, w)
    if data.shape[2] ~= w.shape[1] then return end
    of_channels[w.shape[1]] = of_channels[w.shape[1]] or {}
    for pad = 0, 2 do add_errors(of_channels[w.shape[1]], "tile", data, w, pad) end
  end)
  for _, channels in ipairs { 16, 32, 64 } do
    lines[#lines + 1] = row("a trained ResNet's, weights folded with BatchNorm", channels, of_channels[channels], "tile")
  end
  return table.concat(lines, "\n") .. "\n"
end

-- ---- Answers of the zoo ---------------------------------------------------------------------------------------------

local NETWORKS = {
  "alexnet", "densenet121", "inceptionv3", "mobilenet1.0", "mobilenetv2_1.0", "resnet18_v1", "resnet18_v2", "resnet34_v1",
  "resnet34_v2", "resnet50_v1", "resnet50_v2", "resnet101_v1", "resnet101_v2", "squeezenet1.0", "squeezenet1.1", "vgg11",
  "vgg11_bn", "vgg13", "vgg13_bn", "vgg16", "vgg16_bn", "vgg19", "vgg19_bn",
}

-- Pictures with one digit per colour and some noise: (n, 3, size, size).
local function coloured(n, size)
  local images = nd.contrib.BilinearResize2D(digits(3 * n):astype "float32":reshape { n, 3, 8, 8 },
    { height = size, width = size })
  return images / 127.5 - 1 + normal({ n, 3, size, size }, 0.1)
end

-- Sets all BatchNorms to the statistics of one batch; one step moves them from 0 and 1 by a tenth.
local function take_statistics(net, x)
  autograd.train_mode(function() net(x):wait_to_read() end)
  for name, parameter in pairs(net:collect_params()) do
    if name:find "running_mean$" then parameter:set_data(parameter:data() * 10)
    elseif name:find "running_var$" then parameter:set_data(nd.maximum(parameter:data() - 0.9, 0) * 10) end
  end
end

-- Prints the number of top predictions of each form that differ from float64's, the smallest margin between the first
-- and second prediction, and the largest errors, relative to the outputs' rms. Returns the number of predictions that
-- only Winograd's form changes.
local function compare(name, n)
  hl.random.seed(1)
  local size = name == "inceptionv3" and 299 or 224
  local net, x = zoo.get_model(name), coloured(n, size)
  net:initialize(hl.init.Xavier { rnd_type = "gaussian", factor_type = "in", magnitude = 2 })
  local function part(i) return x:slice_axis { axis = 0, begin = i, ["end"] = math.min(n, i + 4) } end
  take_statistics(net, x:slice_axis { axis = 0, begin = 0, ["end"] = math.min(n, 8) })
  local function outputs(dtype)
    local all = {}
    for i = 0, n - 1, 4 do all[#all + 1] = net(part(i):astype(dtype)):astype "float64" end
    return nd.concat(all, { dim = 0 })
  end
  local found = { fewer = outputs "float32" }
  core.host.debug { direct_convolution = true }
  found.direct = outputs "float32"
  core.host.debug { direct_convolution = false }
  net:cast "float64"
  local exact = outputs "float64"
  local answers, other, different, kinds = exact:argmax { axis = 1 }:totable(), { alone = 0 }, 0, {}
  for form, values in pairs(found) do
    other[form], found[form] = 0, { list = values:argmax { axis = 1 }:totable(), error = nd.abs(values - exact):max():asscalar() }
  end
  for i, answer in ipairs(answers) do
    if not kinds[answer] then different, kinds[answer] = different + 1, true end
    for form, values in pairs(found) do if values.list[i] ~= answer then other[form] = other[form] + 1 end end
    if found.fewer.list[i] ~= answer and found.direct.list[i] == answer then other.alone = other.alone + 1 end
  end
  local first = nd.topk(exact, { k = 2, axis = 1, ret_typ = "value" })
  local margin = (first:slice_axis { axis = 1, begin = 0, ["end"] = 1 } - first:slice_axis { axis = 1, begin = 1, ["end"] = 2 })
    :min():asscalar()
  print(("%-16s %3d pictures, %3d answers, margin %.0e; errors: direct %.1e, F(4x4, 3x3) %.1e; others: %d, %d, it alone %d")
    :format(name, n, different, margin / rms(exact), found.direct.error / rms(exact), found.fewer.error / rms(exact),
      other.direct, other.fewer, other.alone))
  io.stdout:flush()
  return other.alone
end

-- ---- The command line -----------------------------------------------------------------------------------------------

if arg[1] == "--answers" then
  local n, alone = tonumber(arg[2] or 100), 0
  for _, name in ipairs(arg[3] and { table.unpack(arg, 3) } or NETWORKS) do alone = alone + compare(name, n) end
  print(("predictions that only Winograd changed: %d"):format(alone))
elseif arg[1] == "--update" then
  report.update(arg[2], "bench/convolution_errors.lua", table_of_errors())
else
  io.write(table_of_errors())
end

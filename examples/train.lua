-- train.lua - the whole life of a network: data, training, saving, and loading.
--
-- A perceptron, or with `--net lenet` or `--net resnet` a convolutional network, learns to read handwritten digits: the
-- small ones that come with hybridlua, or MNIST. It is saved and loaded as a graph without any of this code, and must
-- then give the same answers to the bit. `--eager` trains without hybridize: only the time changes, not the printed
-- checksum of the parameters.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, vision = gluon.nn, gluon.data.vision

-- ---- The command line -------------------------------------------------------------------------

local DEFAULTS = {
  perceptron = { digits = { epochs = 20, batch_size = 32, lr = 0.004 }, mnist = { epochs = 5, batch_size = 128, lr = 0.002 } },
  lenet = { digits = { epochs = 8, batch_size = 32, lr = 0.004 }, mnist = { epochs = 3, batch_size = 64, lr = 0.002 } },
  resnet = { digits = { epochs = 8, batch_size = 32, lr = 0.004 }, mnist = { epochs = 3, batch_size = 64, lr = 0.004 } },
}

local options, refuse = hl.options {
  data = { "digits", "digits come with hybridlua, 8x8 images; mnist has 28x28", choices = { "digits", "mnist" } },
  net = { "perceptron", "layers of units, LeNet: convolutions before them, or a small ResNet", choices = { "perceptron", "lenet", "resnet" } },
  root = { type = "string", doc = "the folder with MNIST's four idx files, plain or .gz", word = "DIR" },
  epochs = { type = "integer", least = 1, doc = "passes over the training set (default: 20 for digits, 5 for mnist; lenet, resnet: 8, 3)" },
  batch_size = { type = "integer", least = 1, doc = "images a step (default: 32 for digits, 128 for mnist; lenet, resnet: 32, 64)" },
  lr = { type = "number", above = 0, doc = "learning rate at the beginning (default: 0.004 for digits, 0.002 for mnist)", word = "RATE" },
  hidden = { 256, "units of the first hidden layer; the perceptron's second has half of them", least = 2 },
  seed = { 1, "what all random numbers come from", least = 0 },
  eager = { false, "train without hybridize" },
  save = { type = "string", doc = "write the parameters to FILE", word = "FILE" },
  out = { type = "string", doc = "keep parameters and exported graph in DIR; else they go to a temporary folder", word = "DIR" },
}
if options.root and options.data ~= "mnist" then refuse "--root says where MNIST is: it goes with --data mnist" end
setmetatable(options, { __index = DEFAULTS[options.net][options.data] })

-- ---- Data and network ---------------------------------------------------------------------------

local function load_data()
  if options.data == "digits" then return vision.Digits { train = true }, vision.Digits { train = false } end
  local ok, train = pcall(vision.MNIST, { root = options.root, train = true })
  if not ok then refuse("%s", (train:gsub("^[^:]+:%d+: ", ""))) end
  return train, vision.MNIST { root = options.root, train = false }
end

-- Bytes (batch, height, width, 1) as numbers from 0 to 1: (batch, 1, height, width) for convolutions, else
-- (batch, height * width).
local function prepare(images)
  local shape = options.net ~= "perceptron" and { 0, 1, images.shape[2], images.shape[3] } or { 0, -1 }
  return images:reshape(shape):astype "float32" / 255
end

-- Two hidden layers.
local function perceptron(hidden)
  return nn.Dense(hidden, { activation = "relu" }), nn.Dropout(0.25),
         nn.Dense(hidden // 2, { activation = "relu" }), nn.Dropout(0.25), nn.Dense(10)
end

-- Two convolutions, each followed by pooling to half the width and height, and a hidden layer. Small images are padded.
local function lenet(hidden)
  local small = options.data == "digits"
  local function convolution(channels)
    return nn.Conv2D(channels, small and 3 or 5, { padding = small and 1 or 0, activation = "relu" })
  end
  return convolution(20), nn.MaxPool2D(2), convolution(50), nn.MaxPool2D(2), nn.Flatten(),
         nn.Dense(hidden, { activation = "relu" }), nn.Dropout(0.25), nn.Dense(10)
end

-- Residual blocks: one keeps the number of channels, two halve width and height.
local function resnet()
  local zoo = gluon.model_zoo.vision
  return zoo.ResNetV1(zoo.BasicBlockV1, { 1, 1, 1 }, { 16, 16, 32, 64 }, { classes = 10, thumbnail = true })
end

local NETS = { perceptron = perceptron, lenet = lenet, resnet = resnet }

local function new_net(hidden)
  local net = nn.HybridSequential { prefix = "digits_" }
  net:name_scope(function() net:add(NETS[options.net](hidden)) end)
  net:initialize(hl.init.Xavier())
  return net
end

-- ---- Training -----------------------------------------------------------------------------------

-- The whole test set: images, the network's input, labels.
local function whole(dataset)
  local images, labels = gluon.data.DataLoader(dataset, #dataset):batches()()
  return { images = images, x = prepare(images), labels = labels }
end

local function accuracy_of(net, test)
  local accuracy = hl.metric.Accuracy()
  accuracy:update(test.labels, net(test.x))
  return (select(2, accuracy:get()))
end

-- One pass over the training set; returns mean loss and accuracy.
local function train_epoch(net, trainer, loader, loss_of, title)
  local accuracy, sum, count = hl.metric.Accuracy(), 0, 0
  local bar = hl.progress(loader:batches(), { desc = title, leave = false })
  for images, labels in bar do
    local x = prepare(images)
    local outputs, losses
    autograd.record(function()
      outputs = net(x)
      losses = loss_of(outputs, labels)
    end)
    losses:backward()
    trainer:step(#images)
    accuracy:update(labels, outputs)
    sum, count = sum + losses:sum():asscalar(), count + #images
    bar:postfix { loss = sum / count }
  end
  return sum / count, select(2, accuracy:get())
end

local function train(net, train_set, test)
  local loader = gluon.data.DataLoader(train_set, options.batch_size, { shuffle = true })
  local steps = options.epochs * #loader
  local schedule = hl.lr_scheduler.CosineScheduler(steps, { base_lr = options.lr, final_lr = options.lr / 100 })
  local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = options.lr, lr_scheduler = schedule })
  local loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
  if not options.eager then
    net:hybridize()
    loss_of:hybridize()
  end
  local began = hl.time()
  for epoch = 1, options.epochs do
    local loss, accuracy = train_epoch(net, trainer, loader, loss_of, ("epoch %d of %d"):format(epoch, options.epochs))
    print(("epoch %2d   loss %.4f   accuracy: training %5.1f%%, test %5.1f%%")
      :format(epoch, loss, 100 * accuracy, 100 * accuracy_of(net, test)))
  end
  local seconds = hl.time() - began
  print(("trained in %.1f s, %s: %d steps, %.2f ms each with all around them")
    :format(seconds, options.eager and "eager" or "hybridized", steps, seconds / steps * 1e3))
end

-- ---- Files --------------------------------------------------------------------------------------

local function quote(path) return "'" .. path:gsub("'", "'\\''") .. "'" end

-- The folder for the files: --out, created if needed, or a temporary one.
local function make_folder(path)
  if path and not os.execute("mkdir -p -- " .. quote(path)) then refuse("--out: cannot make the folder '%s'", path) end
  if path then return path end
  local pipe = io.popen "mktemp -d"
  path = pipe:read "l"
  if not pipe:close() then error "mktemp: no temporary folder" end
  return path
end

-- FNV-1a over the 32-bit words of all parameters: equal networks have equal checksums.
local function checksum(net)
  local hash, count = 0xcbf29ce484222325, 0
  for _, param in net:collect_params():items() do
    local bytes = param:data():tobytes()
    for at = 1, #bytes, 4 do hash = (hash ~ string.unpack("<I4", bytes, at)) * 0x100000001b3 end
    count = count + param:data().size
  end
  return hash, count
end

-- Writes the network in both ways, loads the exported one, and compares their answers.
local function save_and_reload(net, x)
  local folder = make_folder(options.out)
  local parameters = folder .. "/" .. options.data .. ".params"
  net:save_parameters(parameters)
  local symbol_file, params_file = net:export(folder .. "/" .. options.data, { epoch = 0, shapes = { data = x.shape } })
  print(("saved     %s\n          %s\n          %s"):format(parameters, symbol_file, params_file))
  if options.save then
    net:save_parameters(options.save)
    print("          " .. options.save)
  end
  local reloaded = gluon.SymbolBlock.imports(symbol_file, { "data" }, params_file)
  local same = reloaded(x):tobytes() == net(x):tobytes()
  print(("reloaded  answers %s for all %d test images"):format(same and "the same, to the bit," or "NOT the same", #x))
  if not options.out then
    os.execute("rm -r -- " .. quote(folder))
    print "          (temporary files, removed again; --out DIR keeps them)"
  end
  return reloaded, same
end

-- ---- Pictures -----------------------------------------------------------------------------------

local SHADES = { [0] = " ", "░", "▒", "▓", "█" }

-- An image (height, width, 1) of bytes as lines of text: small pixels are two characters wide, large images
-- have two rows in a line, so that both look square.
local function draw(image)
  local rows, lines = image:squeeze():totable(), {}
  local small = #rows[1] <= 16
  for y = 1, #rows, small and 1 or 2 do
    local line = {}
    for x, value in ipairs(rows[y]) do
      if not small and rows[y + 1] then value = (value + rows[y + 1][x]) / 2 end
      line[x] = SHADES[math.min(4, value // 52)]:rep(small and 2 or 1)
    end
    lines[#lines + 1] = table.concat(line)
  end
  return lines, #rows[1] * (small and 2 or 1)
end

local function padded(text, width) return text .. (" "):rep(width - utf8.len(text)) end

-- Pictures beside each other, each with its caption below.
local function print_pictures(pictures)
  local in_a_line = math.max(1, 78 // (pictures[1].width + 3))
  for first = 1, #pictures, in_a_line do
    for y = 1, #pictures[first].lines + 1 do
      local parts = {}
      for i, picture in ipairs { table.unpack(pictures, first, math.min(#pictures, first + in_a_line - 1)) } do
        parts[i] = padded(picture.lines[y] or picture.caption, picture.width)
      end
      print("  " .. table.concat(parts, "   "))
    end
    print()
  end
end

-- The reloaded network's answers to some test images: four right ones, four wrong ones.
local function show_predictions(net, test)
  local probabilities = nd.softmax(net(test.x))
  local guesses, sure = probabilities:argmax { axis = 1 }:totable(), probabilities:max { axis = 1 }:totable()
  local right, wrong = {}, {}
  for i, label in ipairs(test.labels:totable()) do
    local guess = math.tointeger(guesses[i])
    local list, caption = right, ("%d (%.0f%%)"):format(guess, 100 * sure[i])
    if guess ~= label then list, caption = wrong, ("WRONG: %d, is %d"):format(guess, label) end
    local lines, width = draw(test.images[i - 1])
    if #list < 4 then list[#list + 1] = { lines = lines, width = width, caption = caption } end
  end
  print "\nwhat it reads, and how sure it is:\n"
  print_pictures(right)
  if #wrong > 0 then print_pictures(wrong) end
end

-- ---- All of it -----------------------------------------------------------------------------------

hl.random.seed(options.seed)
if options.out then make_folder(options.out) end       -- better now than after the training
local train_set, test_set = load_data()
local test = whole(test_set)
local net = new_net(options.hidden)
net(test.x[{ { 0, 1 } }])                -- determines the sizes of the layers' inputs
print(net)
print(("%s: %d images to learn from, %d to be tested on\n"):format(options.data, #train_set, #test_set))

train(net, train_set, test)
print(("parameters: %d numbers, checksum %016x\n"):format(select(2, checksum(net)), (checksum(net))))

local reloaded, same = save_and_reload(net, test.x)
show_predictions(reloaded, test)
print(("test accuracy %.1f%%"):format(100 * accuracy_of(reloaded, test)))
if not same then os.exit(1, true) end

-- gan.lua - two networks compete until one of them can draw handwritten digits.
--
-- The generator turns random numbers into digits by transposed convolutions; the discriminator judges by convolutions
-- how real a digit looks. In each step the discriminator learns to tell drawn digits from real ones, and the generator
-- learns to deceive it (I. Goodfellow et al., 2014; A. Radford et al., "DCGAN", 2016). The drawn digits are written as
-- a picture. The last line compares their distance from the nearest real digits with that of unseen digits.
local hl = require "hybridlua"
local nd, autograd, gluon, image = hl.nd, hl.autograd, hl.gluon, hl.image
local nn = gluon.nn

local options = hl.options({
  epochs = { 40, "passes over the training set", least = 1 },
  noise = { 32, "random numbers that a digit is made of", least = 1 },
  batch_size = { 64, "images a step", least = 1 },
  lr = { 0.0008, "learning rate", above = 0, word = "RATE" },
  seed = { 1, "what all random numbers come from", least = 0 },
  out = { "gan.png", "the picture that is written", word = "FILE" },
}, { about = "Learns to draw digits by a generative adversarial network." })

-- ---- The networks -------------------------------------------------------------------------------

-- Noise (batch, noise, 1, 1) to digits (batch, 1, 8, 8) from -1 to 1.
local function new_generator()
  local net = nn.HybridSequential()
  net:add(nn.Conv2DTranspose(64, 4, { use_bias = false }), nn.BatchNorm(), nn.Activation "relu",
          nn.Conv2DTranspose(32, 4, { strides = 2, padding = 1, use_bias = false }), nn.BatchNorm(), nn.Activation "relu",
          nn.Conv2D(1, 3, { padding = 1, activation = "tanh" }))
  return net
end

-- Digits to one number each, above 0 for real ones.
local function new_discriminator()
  local net = nn.HybridSequential()
  net:add(nn.Conv2D(32, 3, { padding = 1 }), nn.LeakyReLU(0.2),
          nn.Conv2D(64, 4, { strides = 2, padding = 1, use_bias = false }), nn.BatchNorm(), nn.LeakyReLU(0.2),
          nn.Dropout(0.3), nn.Dense(1))
  return net
end

local function prepared(net)
  net:initialize(hl.init.Normal(0.05))
  net:hybridize()
  return net, gluon.Trainer(net:collect_params(), "adam", { learning_rate = options.lr, beta1 = 0.5 })
end

-- ---- Data and pictures --------------------------------------------------------------------------

local function load(train)
  local digits = gluon.data.vision.Digits { train = train }
  local images = gluon.data.DataLoader(digits, #digits):batches()()
  return images:transpose { axes = { 0, 3, 1, 2 } }:astype "float32" / 127.5 - 1
end

local function noise(n) return nd.random.normal { shape = { n, options.noise, 1, 1 } } end

-- Digits (n, 1, 8, 8) from -1 to 1 in rows of `columns`, with a border around each, `zoom` times as large.
local function sheet(digits, columns, zoom)
  local side, rows = digits.shape[4] + 2, #digits // columns
  local tiles = nd.pad((digits + 1) / 2, { mode = "constant", pad_width = { 0, 0, 0, 0, 1, 1, 1, 1 } })
  local picture = tiles:reshape { rows, columns, side, side }:transpose { 0, 2, 1, 3 }
    :reshape { rows * side, columns * side, 1 }
  local width, height = zoom * columns * side, zoom * rows * side
  return image.imresize((255 * picture):clip(0, 255):astype "uint8", width, height, { interp = 2 })
end

-- The mean distance from each digit to the nearest of `others`.
local function distance(digits, others)
  local a, b = digits:reshape { 0, -1 }, others:reshape { 0, -1 }
  local squares = (a ^ 2):sum { axis = 1, keepdims = true } + (b ^ 2):sum { axis = 1 } - 2 * nd.dot(a, b.T)
  return squares:min { axis = 1 }:maximum(0):sqrt():mean():asscalar()
end

-- ---- The game -----------------------------------------------------------------------------------

hl.random.seed(options.seed)
local digits, test = load(true), load(false)
local generator, generator_trainer = prepared(new_generator())
local discriminator, discriminator_trainer = prepared(new_discriminator())
local loss_of = gluon.loss.SigmoidBinaryCrossEntropyLoss()
loss_of:hybridize()

-- One step of each network; returns the discriminator's mean answers for real and drawn digits, from 0 to 1.
local function play(real)
  local n = #real
  local ones, zeros = nd.ones { n }, nd.zeros { n }
  local seeds = noise(n)
  local drawn, as_real, as_drawn = generator(seeds), nil, nil
  autograd.record(function()
    as_real, as_drawn = discriminator(real), discriminator(drawn)
    return loss_of(as_real, 0.9 * ones) + loss_of(as_drawn, zeros)
  end):backward()
  discriminator_trainer:step(n)
  autograd.record(function() return loss_of(discriminator(generator(seeds)), ones) end):backward()
  generator_trainer:step(n)
  return as_real:sigmoid():mean():asscalar(), as_drawn:sigmoid():mean():asscalar()
end

local loader = gluon.data.DataLoader(digits, options.batch_size, { shuffle = true, last_batch = "discard" })
local began = hl.time()
local bar = hl.progress(options.epochs, { desc = "gan", leave = false })
for epoch in bar do
  local real_sum, drawn_sum = 0, 0
  for real in loader do
    local real_mean, drawn_mean = play(real)
    real_sum, drawn_sum = real_sum + real_mean, drawn_sum + drawn_mean
  end
  bar:postfix { real = real_sum / #loader, drawn = drawn_sum / #loader }
  if epoch % 10 == 0 or epoch == options.epochs then
    print(("epoch %3d   taken for real: %2.0f%% of the real digits, %2.0f%% of the drawn ones")
      :format(epoch, 100 * real_sum / #loader, 100 * drawn_sum / #loader))
  end
end
print(("trained in %.1f s"):format(hl.time() - began))

local drawn = generator(noise(200))
local picture = sheet(drawn, 20, 6)
local figure = hl.plot.figure { size = { 12, 6.4 } }
figure:imshow(picture, { cmap = "gray", vmin = 0, vmax = 255 }):xticks {}:yticks {}
figure:title(("%d digits that the generator draws from noise, after %d epochs with %d real ones"):format(#drawn,
  options.epochs, #digits))
if not pcall(figure.save, figure, options.out) then image.imwrite(options.out, picture) end     -- without cairo
print(("drawn digits: %s"):format(options.out))
print(("distance to the nearest digit learnt from: drawn %.2f, real %.2f, noise %.2f")
  :format(distance(drawn, digits), distance(test, digits), distance(nd.random.uniform(-1, 1, { shape = drawn.shape }), digits)))

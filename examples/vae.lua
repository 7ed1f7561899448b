-- vae.lua - a variational autoencoder learns to draw handwritten digits.
--
-- The encoder maps a digit to the means and deviations of `latent` normal random numbers, its code; the decoder draws a
-- digit from a code. Both learn together: the drawing must resemble the digit, and codes must have the standard normal
-- distribution, so that random codes can be decoded (D. Kingma and M. Welling, 2014). The script writes a picture: on
-- the left, digits of the test set beside their reconstructions; on the right, digits drawn from random codes.
local hl = require "hybridlua"
local nd, autograd, gluon, image = hl.nd, hl.autograd, hl.gluon, hl.image
local nn = gluon.nn

local options = hl.options({
  epochs = { 200, "passes over the training set", least = 1 },
  latent = { 8, "numbers that a digit becomes", least = 1 },
  hidden = { 256, "units of the layers between", least = 1 },
  batch_size = { 64, "images a step", least = 1 },
  lr = { 0.002, "learning rate", above = 0, word = "RATE" },
  seed = { 1, "what all random numbers come from", least = 0 },
  out = { "vae.png", "the picture that is written", word = "FILE" },
}, { about = "Learns to draw digits by a variational autoencoder." })

-- ---- The network --------------------------------------------------------------------------------

local VAE = gluon.HybridBlock:subclass "VAE"

function VAE:init(hidden, latent, pixels)
  self.latent = latent
  self.encoder, self.decoder = nn.HybridSequential(), nn.HybridSequential()
  self.encoder:add(nn.Dense(hidden, { activation = "relu" }), nn.Dense(2 * latent))
  self.decoder:add(nn.Dense(hidden, { activation = "relu" }), nn.Dense(pixels))
end

-- For digits (batch, pixels) from 0 to 1: the drawn digits before the sigmoid, and the loss of each digit in nats.
function VAE:hybrid_forward(F, x)
  local code = self.encoder(x)
  local mean = F.slice_axis(code, { axis = 1, begin = 0, stop = self.latent })
  local log_variance = F.slice_axis(code, { axis = 1, begin = self.latent, stop = 2 * self.latent })
  local place = mean + F.exp(0.5 * log_variance) * F.random.normal_like(mean)
  local drawn = self.decoder(place)
  local unlike = F.relu(drawn) - drawn * x + F.Activation(-F.abs(drawn), { act_type = "softrelu" })
  local far = 0.5 * (mean ^ 2 + F.exp(log_variance) - 1 - log_variance)
  return drawn, F.sum(unlike, { axis = 1 }) + F.sum(far, { axis = 1 })
end

-- ---- The picture --------------------------------------------------------------------------------

-- Digits (n, 8, 8) from 0 to 1 in rows of `columns`, with a border around each, `zoom` times as large.
local function sheet(digits, columns, zoom)
  local side = digits.shape[2] + 2
  local tiles = nd.pad(digits:expand_dims { axis = 1 }, { mode = "constant", pad_width = { 0, 0, 0, 0, 1, 1, 1, 1 } })
  local rows = #digits // columns
  local picture = tiles:reshape { rows, columns, side, side }:transpose { 0, 2, 1, 3 }
    :reshape { rows * side, columns * side, 1 }
  local width, height = zoom * columns * side, zoom * rows * side
  return image.imresize((255 * picture):clip(0, 255):astype "uint8", width, height, { interp = 2 })
end

-- ---- Training -----------------------------------------------------------------------------------

local function load(train)
  local digits = gluon.data.vision.Digits { train = train }
  local images = gluon.data.DataLoader(digits, #digits):batches()()
  return images:reshape { 0, -1 }:astype "float32" / 255
end

hl.random.seed(options.seed)
local digits, test = load(true), load(false)
local net = VAE(options.hidden, options.latent, digits.shape[2])
net:initialize(hl.init.Xavier())
net:hybridize()
local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = options.lr })
local loader = gluon.data.DataLoader(digits, options.batch_size, { shuffle = true })

local function test_loss() return select(2, net(test)):mean():asscalar() end

local began = hl.time()
local bar = hl.progress(options.epochs, { desc = "vae", leave = false })
for epoch in bar do
  local sum = 0
  for x in loader do
    local losses = autograd.record(function() return select(2, net(x)) end)
    losses:backward()
    trainer:step(#x)
    sum = sum + losses:sum():asscalar()
  end
  bar:postfix { nats = sum / #digits }
  if epoch % 20 == 0 or epoch == options.epochs then
    print(("epoch %3d   nats a digit: %.2f, of the test set %.2f"):format(epoch, sum / #digits, test_loss()))
  end
end
print(("trained in %.1f s"):format(hl.time() - began))

local ROWS = 10
local some = test["0:50"]
local again = nd.sigmoid((net(some)))
local pairs_ = nd.stack(some, again, { axis = 1 }):reshape { 2 * #some, 8, 8 }
local new = nd.sigmoid(net.decoder(nd.random.normal { shape = { ROWS * 10, options.latent } })):reshape { -1, 8, 8 }
local sheets = { sheet(pairs_, 10, 6), sheet(new, 10, 6) }
local figure, axes = hl.plot.subplots(1, 2, { size = { 12, 6.4 } })
for i, title in ipairs { "test digits, each with what becomes of it", "new digits, from random numbers" } do
  axes[i]:imshow(sheets[i], { cmap = "gray", vmin = 0, vmax = 255 }):xticks {}:yticks {}:title(title)
end
if not pcall(figure.save, figure, options.out) then                -- without cairo
  image.imwrite(options.out, nd.concat(sheets[1], sheets[2], { dim = 1 }))
end
print(("digits beside what becomes of them, and new ones: %s"):format(options.out))
print(("test loss %.2f nats a digit"):format(test_loss()))

-- sequences.lua - hybridlua's side of sequences.py: reads names of works, answers with the seconds of one call.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, rnn = gluon.nn, gluon.rnn

local STEPS, BATCH, VOCABULARY, WIDTH, HEADS, LAYERS = 35, 32, 500, 256, 4, 4

local works = {}

-- A step of training on `batch` sequences; the loss of each of net(x)'s rows.
local function training(net, shape, batch)
  local loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
  net:initialize(hl.init.Xavier())
  net:hybridize()
  loss_of:hybridize()
  local x = nd.random.randint(0, VOCABULARY, { shape = shape })
  local y = nd.random.randint(0, VOCABULARY, { shape = shape })
  net(x)
  local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.01 })
  return function()
    autograd.record(function() return loss_of(net(x), y) end):backward()
    trainer:step(batch)
  end
end

local GPT = gluon.HybridBlock:subclass "GPT"

function GPT:init(tokens)
  self.embedding, self.places = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(tokens, WIDTH)
  self.layers, self.decoder = nn.HybridSequential(), nn.Dense(VOCABULARY, { flatten = false })
  for _ = 1, LAYERS do
    self.layers:add(gluon.contrib.nn.TransformerEncoderCell(WIDTH, 4 * WIDTH, HEADS, { causal = true }))
  end
end

-- Whole sequences, or with caches the token at a position: the next token, and the new caches.
function GPT:hybrid_forward(F, x, caches, position)
  local places = position or F.contrib.arange_like(x, { axis = 1 })
  local h, new = F.broadcast_add(self.embedding(x), self.places(places)), {}
  for i = 0, LAYERS - 1 do
    if caches then h, new[i + 1] = self.layers[i](h, nil, nil, caches[i + 1], position) else h = self.layers[i](h) end
  end
  local y = self.decoder(h)
  if caches then return F.argmax(y, { axis = -1 }), new end
  return y
end

works["transformer 4x256, 64 tokens, batch 16, training"] = function() return training(GPT(64), { 16, 64 }, 16 * 64) end

works["GPT 4x256, batch 1, 256 tokens generated"] = function()
  local net = GPT(256)
  net:initialize(hl.init.Xavier())
  net:hybridize()
  return function()
    local token, caches = nd.zeros { 1, 1 }, {}
    for i = 1, LAYERS do caches[i] = net.layers[i - 1]:begin_cache(1, 256) end
    for position = 0, 255 do
      token, caches = net(token, caches, nd.array { position })
      token:asscalar()
    end
  end
end

works["attention, 8x64, 1024 tokens, with gradient"] = function()
  local inputs = {}
  for i = 1, 4 do inputs[i] = nd.random.normal { shape = { 1, 8, 1024, 64 } } end
  local q, k, v, g = table.unpack(inputs)
  for i = 1, 3 do inputs[i]:attach_grad() end
  return function() autograd.record(function() return nd.contrib.attention(q, k, v) end):backward(g) end
end

works["LSTM language model 2x256, 35x32, training"] = function()
  local net = nn.HybridSequential()
  net:add(nn.Embedding(VOCABULARY, WIDTH), rnn.LSTM(WIDTH, 2), nn.Dense(VOCABULARY, { flatten = false }))
  return training(net, { STEPS, BATCH }, STEPS * BATCH)
end

works["GRU 1x128, batch 1, 100 steps, forward"] = function()
  local net, x = rnn.GRU(128, 1), nd.random.normal { shape = { 100, 1, 128 } }
  net:initialize(hl.init.Xavier())
  net:hybridize()
  return function() return net(x) end
end

local ready = {}
io.stdout:setvbuf "line"
print("hybridlua " .. require("hybridlua.core").info().version)
for name in io.lines() do
  if not ready[name] then
    ready[name] = works[name]()
    for _ = 1, 3 do ready[name]() end
  end
  local start = hl.time()
  ready[name]()
  print(hl.time() - start)
end

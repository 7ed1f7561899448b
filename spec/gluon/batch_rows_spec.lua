-- batch_rows_spec.lua - independence of batch rows: each row has the same bits alone and in any batch, eager and
-- hybridized, for networks of every kind.
local hl = require "hybridlua"
local fuses = require "support.fuses"
local nd, gluon = hl.nd, hl.gluon
local nn, rnn, contrib, vision = gluon.nn, gluon.rnn, gluon.contrib.nn, gluon.model_zoo.vision

local BATCH = 70
local WORDS = 40

-- A HybridSequential of the given blocks.
local function chain(...)
  local net = nn.HybridSequential()
  net:add(...)
  return net
end

-- Each item: a network and a batch for it.
local NETS = {}

function NETS.perceptron()
  return chain(nn.Dense(300, { activation = "relu" }), nn.BatchNorm(), nn.Dropout(0.5),
    nn.Dense(64, { activation = "tanh" }), nn.Dense(10)), nd.random.normal { shape = { BATCH, 600 } }
end

function NETS.lenet()
  return chain(nn.Conv2D(20, 5, { activation = "relu" }), nn.MaxPool2D(2), nn.Conv2D(50, 5, { activation = "relu" }),
    nn.MaxPool2D(2), nn.Flatten(), nn.Dense(500, { activation = "relu" }), nn.Dense(10)),
    nd.random.normal { shape = { BATCH, 1, 28, 28 } }
end

NETS["residual network"] = function()
  return vision.ResNetV1(vision.BasicBlockV1, { 1, 1 }, { 16, 16, 32 }, { classes = 3, thumbnail = true }),
    nd.random.normal { shape = { BATCH, 3, 16, 16 } }
end

for _, cell in ipairs { "LSTM", "GRU" } do
  NETS[cell] = function()
    return chain(nn.Embedding(WORDS, 30), rnn[cell](70, { num_layers = 2, layout = "NTC", bidirectional = true }),
      nn.Dense(WORDS, { flatten = false })), nd.random.randint { low = 0, high = WORDS, shape = { BATCH, 9 } }
  end
end

function NETS.transformer()
  return chain(nn.Embedding(WORDS, 32), contrib.TransformerEncoderCell(32, 300, 4, { activation = "gelu" }),
    nn.Dense(WORDS, { flatten = false })), nd.random.randint { low = 0, high = WORDS, shape = { BATCH, 20 } }
end

describe("a row of a batch", function()
  for name, make in pairs(NETS) do
    it("has the same bits as alone: " .. name, function()
      if not fuses then pending "builds without fused multiply-adds use OpenBLAS's products" return end
      hl.random.seed(4)
      local net, x = make()
      net:initialize(hl.init.Xavier())
      for _, hybridized in ipairs { false, true } do
        net:hybridize(hybridized)
        local whole = net(x)
        for _, part in ipairs { { 0, 1 }, { 17, 18 }, { 69, 70 }, { 3, 5 }, { 10, 27 }, { 2, 68 } } do
          local from, to = table.unpack(part)
          for _ = 1, 2 do                               -- the second call uses packed weights
            assert.bits(whole[{ { from, to } }], net(x[{ { from, to } }]))
          end
        end
      end
    end)
  end
end)

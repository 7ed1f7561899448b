-- five_trainings.lua - five training runs that must have the same bits in every build and mode: a perceptron, LeNet, an
-- LSTM, a residual network and a transformer, with Adam, Dropout and BatchNorm. The data are the digits and draws of
-- nd.random.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, rnn, contrib, vision = gluon.nn, gluon.rnn, gluon.contrib.nn, gluon.model_zoo.vision

local five_trainings = {}

local BATCH, WORDS = 16, 40

-- ---- Data -------------------------------------------------------------------------------------------------

-- Returns step -> images (BATCH, 1, 8, 8) of digits, labels.
local function digits()
  local images, labels = gluon.data.DataLoader(gluon.data.vision.Digits { train = true }, 1024):batches()()
  images = images:transpose { axes = { 0, 3, 1, 2 } }:astype "float32" / 255
  return function(step)
    local at = step * BATCH % (1024 - BATCH)
    return images[{ { at, at + BATCH } }], labels[{ { at, at + BATCH } }]
  end
end

-- Returns step -> images (BATCH, 3, side, side), labels: the brightest channel.
local function pictures(side)
  return function(step)
    hl.random.seed(1000 + step)
    local x = nd.random.normal { shape = { BATCH, 3, side, side } } + nd.random.normal { shape = { BATCH, 3, 1, 1 } }
    return x, x:mean { axis = { 2, 3 } }:argmax { axis = 1 }
  end
end

-- Returns step -> words (BATCH, tokens), next words. Each word is a linear function of the previous one, plus noise.
local function sentences(tokens)
  return function(step)
    hl.random.seed(2000 + step)
    local function draw(high)
      return nd.random.randint { low = 0, high = high, shape = { BATCH, 1 }, dtype = "int32" }
    end
    local columns = { draw(WORDS) }
    for i = 1, tokens do columns[i + 1] = (columns[i] * 7 + 3 + draw(2)) % WORDS end
    columns.dim = 1
    local words = nd.concat(table.unpack(columns, 1, tokens + 1))
    return words[{ {}, { 0, tokens } }], words[{ {}, { 1, tokens + 1 } }]
  end
end

-- ---- Networks ---------------------------------------------------------------------------------------------

-- A HybridSequential of new blocks, with the same names in each run.
local function row(name, make)
  local net = nn.HybridSequential { prefix = name .. "_" }
  net:name_scope(function() net:add(make()) end)
  return net
end

local Sequence = gluon.HybridBlock:subclass "Sequence"

-- Embeds words (and for a transformer their positions), applies the block that `make` returns, and scores each word.
function Sequence:init(units, tokens, make)
  self.embed, self.out = nn.Embedding(WORDS, units), nn.Dense(WORDS, { flatten = false, in_units = units })
  self.places = tokens and self.params:get("places", { shape = { tokens, units } })
  self.body = make()
end

function Sequence:hybrid_forward(_, words, p)
  local x = self.embed(words)
  if p and p.places then x = x + p.places:expand_dims { axis = 0 } end
  return self.out(self.body(x))
end

-- Each function has the argument `small` and returns a network and its data.
local NETS = {}

function NETS.perceptron()
  return row("perceptron", function()
    return nn.Dense(256, { activation = "relu" }), nn.BatchNorm(), nn.Dropout(0.25),
      nn.Dense(128, { activation = "tanh" }), nn.Dropout(0.25), nn.Dense(10)
  end), digits()
end

function NETS.lenet(small)
  return row("lenet", function()
    return nn.Conv2D(small and 8 or 32, 3, { padding = 1, use_bias = false }), nn.BatchNorm(), nn.Activation "relu",
      nn.MaxPool2D(2), nn.Conv2D(small and 16 or 64, 3, { padding = 1 }), nn.Activation "relu", nn.AvgPool2D(2),
      nn.Flatten(), nn.Dropout(0.25), nn.Dense(64, { activation = "relu" }), nn.Dense(10)
  end), digits()
end

function NETS.lstm(small)
  local units, tokens = small and 16 or 64, small and 6 or 20
  return Sequence(units, nil, function()
    return rnn.LSTM(units, { num_layers = 2, layout = "NTC", dropout = 0.1, input_size = units })
  end), sentences(tokens)
end

function NETS.resnet(small)
  local net = vision.ResNetV1(vision.BasicBlockV1, small and { 1, 1 } or { 1, 1, 1 },
    small and { 8, 8, 16 } or { 8, 8, 16, 32 }, { classes = 3, thumbnail = true })
  return net, pictures(small and 8 or 32)
end

function NETS.transformer(small)
  local units, tokens = small and 16 or 64, small and 6 or 32
  return Sequence(units, tokens, function()
    local net = nn.HybridSequential()
    for _ = 1, 2 do
      net:add(contrib.TransformerEncoderCell(units, 2 * units, 4, { causal = true, activation = "gelu",
                                                                    dropout = 0.1 }))
    end
    return net
  end), sentences(tokens)
end

five_trainings.names = { "perceptron", "lenet", "lstm", "resnet", "transformer" }

-- ---- Training ---------------------------------------------------------------------------------------------

local function begin(name, how, small)
  local net, data = NETS[name](small)
  net:initialize(hl.init.Uniform(0.1))
  local loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
  if how == "hybridized" then
    net:hybridize()
    loss_of:hybridize()
  end
  return { net = net, data = data, loss_of = loss_of,
           trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = 0.002 }) }
end

-- A new run from saved parameters and states, as after a restart of the program.
local function reload(t, name, how, small)
  local parameters, states = os.tmpname(), os.tmpname()
  t.net:save_parameters(parameters)
  t.trainer:save_states(states)
  local new = begin(name, how, small)
  new.net:load_parameters(parameters)
  new.trainer:load_states(states)
  os.remove(parameters)
  os.remove(states)
  return new
end

--- Trains one of the five; how: "eager", "hybridized", or "reloaded", which continues from files after half of the
-- steps. Returns a list of arrays: the losses of every tenth step and the parameters.
function five_trainings.run(name, how, steps, small)
  hl.random.seed(5)
  local t, results = begin(name, how, small), {}
  for step = 0, steps - 1 do
    if how == "reloaded" and step == steps // 2 then t = reload(t, name, how, small) end
    local x, y = t.data(step)
    hl.random.seed(3000 + step)                          -- for Dropout
    local losses = autograd.record(function() return t.loss_of(t.net(x), y) end)
    losses:backward()
    t.trainer:step(BATCH)
    if step % 10 == 9 then results[#results + 1] = losses end
  end
  for _, parameter in t.net:collect_params():items() do results[#results + 1] = parameter:data() end
  return results
end

return five_trainings

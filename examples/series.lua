-- series.lua - a network predicts a time series with a trend, two seasons and noise, like sales or the weather.
--
-- A GRU reads a window of values and predicts the next value after each. It learns from the first part of the series.
-- On the rest it keeps its state from value to value, and is compared with two simple predictions: the last value, and
-- the value a season ago.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, rnn = gluon.nn, gluon.rnn

local options = hl.options {
  steps = { 500, "batches to learn from", least = 1 },
  batch_size = { 32, "windows a step", least = 1 },
  window = { 48, "values of a window", least = 2 },
  hidden = { 32, "values of a state", least = 1 },
  lr = { 0.01, "learning rate", above = 0, word = "RATE" },
  seed = { 1, "what all random numbers come from", least = 0 },
  eager = { false, "learn without hybridize" },
}

local LENGTH, LEARNED, WEEK, SEASON = 1500, 1200, 7, 90

-- Each value also depends on earlier noise, so the seasons alone do not determine it.
local function make_series()
  local noise, values = nd.random.normal { shape = { LENGTH } }:totable(), {}
  local drift = 0
  for i = 1, LENGTH do
    drift = 0.8 * drift + 0.15 * noise[i]
    values[i] = 0.0005 * i + math.sin(2 * math.pi * i / WEEK) + 0.7 * math.cos(2 * math.pi * i / SEASON) + drift
  end
  return nd.array(values)
end

local Forecast = gluon.HybridBlock:subclass "Forecast"

function Forecast:init() self.rnn, self.out = rnn.GRU(options.hidden, { layout = "NTC" }), nn.Dense(1, { flatten = false }) end

-- The predicted change from each value to the next, (batch, steps, 1); with states also the last states.
function Forecast:hybrid_forward(_, values, states)
  if not states then return self.out(self.rnn(values)) end
  local y, after = self.rnn(values, states)
  return self.out(y), after
end

hl.random.seed(options.seed)
local series = make_series()
local net, loss_of = Forecast(), gluon.loss.L2Loss()
net:initialize(hl.init.Xavier())
if not options.eager then net:hybridize() end
local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = options.lr })
local bar = hl.progress(options.steps, { desc = "series" })
for i in bar do
  local starts = nd.random.randint(0, LEARNED - options.window, { shape = { options.batch_size, 1 } })
  local at = nd.broadcast_add(starts:astype "float32", nd.arange(options.window):reshape { 1, -1 })
  local values, nexts = series:take(at):expand_dims { axis = 2 }, series:take(at + 1):expand_dims { axis = 2 }
  local loss = autograd.record(function() return loss_of(net(values), nexts - values):mean() end)
  loss:backward()
  trainer:step(1)
  if i % 20 == 0 then bar:postfix { loss = loss:asscalar() } end
end

-- Predicts value by value and keeps the state; only values after the training part count.
local states, sums, count = net.rnn:begin_state(1), { network = 0, last = 0, season = 0 }, 0
for i = LEARNED - 200, LENGTH - 2 do
  local value, right = series[i]:asscalar(), series[i + 1]:asscalar()
  local change
  change, states = net(series[("%d:%d"):format(i, i + 1)]:reshape { 1, 1, 1 }, states)
  if i >= LEARNED then
    local guesses = { network = value + change:asscalar(), last = value, season = series[i + 1 - WEEK]:asscalar() }
    for name, guess in pairs(guesses) do sums[name] = sums[name] + math.abs(guess - right) end
    count = count + 1
  end
end
print(("mean error of the last value         %.3f"):format(sums.last / count))
print(("mean error of the value a week ago   %.3f"):format(sums.season / count))
print(("mean error of the network           %.3f"):format(sums.network / count))

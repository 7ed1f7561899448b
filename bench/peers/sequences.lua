-- sequences.lua - hybridlua's side of sequences.py (turns.lua).
package.path = arg[0]:match "^(.*/)" .. "?.lua;" .. package.path
local hl = require "hybridlua"
local take_turns = require "turns"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, rnn = gluon.nn, gluon.rnn

local STEPS, BATCH, VOCABULARY, WIDTH = 35, 32, 500, 256

local works = {}

works["LSTM language model 2x256, 35x32, training"] = function()
  local net, loss_of = nn.HybridSequential(), gluon.loss.SoftmaxCrossEntropyLoss()
  net:add(nn.Embedding(VOCABULARY, WIDTH), rnn.LSTM(WIDTH, 2), nn.Dense(VOCABULARY, { flatten = false }))
  net:initialize(hl.init.Xavier())
  net:hybridize()
  loss_of:hybridize()
  local x, y = nd.random.randint(0, VOCABULARY, { shape = { STEPS, BATCH } }), nd.random.randint(0, VOCABULARY,
    { shape = { STEPS, BATCH } })
  net(x)
  local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.01 })
  return function()
    autograd.record(function() return loss_of(net(x), y) end):backward()
    trainer:step(STEPS * BATCH)
  end
end

works["GRU 1x128, batch 1, 100 steps, forward"] = function()
  local net, x = rnn.GRU(128, 1), nd.random.normal { shape = { 100, 1, 128 } }
  net:initialize(hl.init.Xavier())
  net:hybridize()
  return function() return net(x) end
end

take_turns(works)

-- sequences.lua - hybridlua's side of sequences.py (turns.lua).
package.path = arg[0]:match "^(.*/)" .. "?.lua;" .. package.path
local hl = require "hybridlua"
local turns = require "turns"
local nd, gluon = hl.nd, hl.gluon
local nn, rnn = gluon.nn, gluon.rnn

local STEPS, BATCH, VOCABULARY, WIDTH = 35, 32, 500, 256

local function words() return nd.random.randint(0, VOCABULARY, { shape = { STEPS, BATCH } }) end

turns.take {
  ["LSTM language model 2x256, 35x32, training"] = function()
    local net = nn.HybridSequential()
    net:add(nn.Embedding(VOCABULARY, WIDTH), rnn.LSTM(WIDTH, 2), nn.Dense(VOCABULARY, { flatten = false }))
    return turns.training(net, words(), words())
  end,
  ["GRU 1x128, batch 1, 100 steps, forward"] = function()
    local x = nd.random.normal { shape = { 100, 1, 128 } }
    local net = turns.ready(rnn.GRU(128, 1), x)
    return function() return net(x) end
  end,
}

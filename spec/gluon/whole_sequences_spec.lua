-- whole_sequences_spec.lua - sequence networks: they train to the same bits eager and hybridized, pass states between
-- batches, keep their bits after export, and use one trace for many lengths.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, gluon, autograd = hl.nd, hl.gluon, hl.autograd
local nn, rnn, contrib = gluon.nn, gluon.rnn, gluon.contrib

local STEPS = scratch.is_first_pass and 300 or 40
local BATCH, TOKENS, WORDS, UNITS = 4, 6, 11, 8

-- A tagger: words, (batch, tokens), to scores of words; `inner` makes the layers between embedding and output.
local Tagger = gluon.HybridBlock:subclass "Tagger"

function Tagger:init(inner)
  self.embed, self.out = nn.Embedding(WORDS, UNITS), nn.Dense(WORDS, { flatten = false })
  self.inner, self.run = inner()
end

function Tagger:hybrid_forward(F, words) return self.out(self.run(self.inner, self.embed(words), F)) end

local function call(inner, x) return inner(x) end
local function unroll(inner, x) return (inner:unroll(TOKENS, x, { merge_outputs = true })) end

local function stacked()
  local cells = rnn.HybridSequentialRNNCell()
  cells:add(rnn.LSTMCell(UNITS))
  cells:add(rnn.DropoutCell(0.2))
  cells:add(rnn.ResidualCell(rnn.ZoneoutCell(rnn.GRUCell(UNITS), 0.2, 0.1)))
  cells:add(contrib.rnn.VariationalDropoutCell(rnn.RNNCell(UNITS), 0.1, 0.2, 0.1))
  return cells, unroll
end

local function transformer()
  local cells = nn.HybridSequential()
  local options = { causal = true, dropout = 0.1, rotary = true }
  cells:add(contrib.nn.TransformerEncoderCell(UNITS, 16, 2, options))
  options.pre_norm, options.norm, options.activation = true, "rms", "gelu"
  cells:add(contrib.nn.TransformerEncoderCell(UNITS, 16, 2, options))
  return cells, call
end

-- A tagger whose steps are one graph in foreach.
local function by_foreach()
  return rnn.LSTMCell(UNITS), function(cell, x, F)
    local one = F.zeros_like(F.slice_axis(F.slice_axis(x, { axis = 1, begin = 0, ["end"] = 1 }), { axis = 2, begin = 0,
      ["end"] = UNITS }))
    local zeros = F.reshape(one, { shape = { 0, -3 } })
    return (contrib.rnn.dynamic_unroll(cell, x, { zeros, zeros }, { layout = "NTC" }))
  end
end

local KINDS = {
  { "LSTM", function() return rnn.LSTM(UNITS, 2, { layout = "NTC", dropout = 0.2 }), call end },
  { "GRU", function() return rnn.GRU(UNITS, { layout = "NTC" }), call end },
  { "a bidirectional LSTM", function() return rnn.LSTM(UNITS, { layout = "NTC", bidirectional = true }), call end },
  { "a BidirectionalCell", function()
      return rnn.BidirectionalCell(rnn.GRUCell(UNITS), rnn.LSTMCell(UNITS)), unroll
    end },
  { "cells around cells", stacked },
  { "an LSTMCell in foreach", by_foreach },
  { "a transformer", transformer },
}

local function batch_of(step)
  local first = nd.arange(BATCH * TOKENS):reshape { BATCH, TOKENS } * 3 + step * 7
  return first % WORDS, (first * 2 + 1) % WORDS
end

local function new_net(inner)
  hl.random.seed(3)
  local net = Tagger(inner)
  net:initialize(hl.init.Xavier())
  return net
end

local function train(net, steps)
  local loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
  local trainer, last = gluon.Trainer(net:collect_params(), "adam", { learning_rate = 0.01 }), nil
  for step = 1, steps do
    local words, tags = batch_of(step)
    last = autograd.record(function() return loss_of(net(words), tags):mean() end)
    last:backward()
    trainer:step(1)
  end
  return last:asscalar()
end

local function values(net)
  local list = {}
  for i, param in ipairs(net:collect_params():values()) do list[i] = param:data() end
  return list
end

describe("a network with", function()
  for _, kind in ipairs(KINDS) do
    local trained = (" trains %d steps to the same bits eager and hybridized, and learns"):format(STEPS)
    it(kind[1] .. trained, function()
      local results, losses = {}, {}
      for _, hybridized in ipairs { false, true } do
        local net = new_net(kind[2])
        if hybridized then net:hybridize() end
        losses[#losses + 1] = train(net, STEPS)
        results[#results + 1] = values(net)
      end
      for i, value in ipairs(results[1]) do assert.bits(value, results[2][i]) end
      assert.equal(losses[1], losses[2])
      assert.truthy(losses[1] < (STEPS == 300 and 1.6 or 2.5), losses[1])
    end)

    it(kind[1] .. " has the same bits after export and import", function()
      local net, words = new_net(kind[2]), batch_of(1)
      net:hybridize()
      local expected, stem = net(words), os.tmpname()
      net:export(stem)
      local loaded = gluon.SymbolBlock.imports(stem .. "-symbol.json", { "data" }, stem .. "-0000.params")
      assert.bits(expected, loaded(words))
      for _, ending in ipairs { "", "-symbol.json", "-0000.params" } do os.remove(stem .. ending) end
    end)
  end
end)

describe("states", function()
  it("pass from batch to batch, to the same bits eager and hybridized", function()
    for _, name in ipairs { "LSTM", "GRU", "RNN" } do
      local results = {}
      for _, hybridized in ipairs { false, true } do
        hl.random.seed(5)
        local layer = rnn[name](UNITS)
        layer:initialize(hl.init.Xavier())
        if hybridized then layer:hybridize() end
        local trainer = gluon.Trainer(layer:collect_params(), "sgd", { learning_rate = 0.1 })
        local states = layer:begin_state(BATCH)
        for step = 1, 20 do
          local x = nd.sin(nd.arange(TOKENS * BATCH * 3) * 0.1 * step):reshape { TOKENS, BATCH, 3 }
          for i, state in ipairs(states) do states[i] = state:detach() end
          local loss = autograd.record(function()
            local y
            y, states = layer(x, states)
            return (y - 0.3):square():mean()
          end)
          loss:backward()
          trainer:step(1)
        end
        results[#results + 1] = { table.unpack(values(layer)), table.unpack(states) }
      end
      for i, value in ipairs(results[1]) do assert.bits(value, results[2][i]) end
    end
  end)

  it("make two halves equal to the whole when passed on", function()
    for _, name in ipairs { "LSTM", "GRU" } do
      local layer = rnn[name](UNITS)
      layer:initialize(hl.init.Xavier())
      local x = nd.random.normal { shape = { 10, BATCH, 3 } }
      local whole, last = layer(x, layer:begin_state(BATCH))
      local first, states = layer(x[":4"], layer:begin_state(BATCH))
      local second, ended = layer(x["4:"], states)
      assert.allclose(whole, nd.concat(first, second, { dim = 0 }), 1e-5, 1e-6)
      for i, state in ipairs(ended) do assert.allclose(last[i], state, 1e-5, 1e-6) end
    end
  end)
end)

describe("48 alternating lengths", function()
  for _, kind in ipairs { KINDS[1], KINDS[2], KINDS[6], KINDS[7] } do
    it("share one trace in a network with " .. kind[1], function()
      local net = new_net(kind[2])
      net:hybridize { frozen = true, max_plans = 64 }
      local plain, results = new_net(kind[2]), {}
      for turn = 1, 2 do
        for length = 3, 50 do
          local words = nd.arange(2 * length):reshape { 2, length } % WORDS
          results[turn] = results[turn] or {}
          results[turn][length] = net(words)
          if turn == 1 and length % 12 == 3 then assert.bits(plain(words), results[1][length]) end
          if turn == 2 then assert.bits(results[1][length], results[2][length]) end
        end
      end
      local traces = net:explain { format = "table" }.traces
      assert.equal(1, #traces)
      assert.equal(48, #traces[1].compiled.plans)
    end)
  end
end)

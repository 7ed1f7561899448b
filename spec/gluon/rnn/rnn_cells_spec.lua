-- rnn_cells_spec.lua - cells of gluon.rnn: MXNet's values, names and errors; unrolled cells match the layers.
local hl = require "hybridlua"
local nd, gluon, autograd = hl.nd, hl.gluon, hl.autograd
local rnn = gluon.rnn

-- Fills parameters by their positions, as in MXNet for the values below.
local function fill(block)
  for k, param in ipairs(block:collect_params():values()) do
    local n = 1
    for _, d in ipairs(param.shape) do n = n * d end
    param:set_data((nd.sin(nd.arange(n) * 0.37 + (k - 1)) * 0.5):reshape { shape = param.shape })
  end
end

local x = nd.cos(nd.arange(24) * 0.9):reshape { 2, 4, 3 }

local function check_sums(expected, outputs, states)
  assert.allclose(outputs:sum(), { expected[1] }, 1e-4)
  assert.equal(#expected[2], #states)
  for i, sum in ipairs(expected[2]) do assert.allclose(states[i]:sum(), { sum }, 1e-4) end
end

local function stack(cls, ...)
  local made = cls()
  for _, cell in ipairs { ... } do made:add(cell) end
  return made
end

describe("a recurrent cell", function()
  -- MXNet 1.9.1's sums of outputs and of each state, without lengths and with lengths 2 and 4.
  local cases = {
    { function() return rnn.RNNCell(4) end, { 2.6973295, { 0.28763723 } }, { 2.2108178, { 0.18567502 } },
      "RNNCell(3 -> 4, tanh)" },
    { function() return rnn.LSTMCell(4) end, { -3.1106749, { -0.44771433, -1.0091859 } },
      { -2.5171752, { -0.5178375, -1.1002823 } }, "LSTMCell(3 -> 16)" },
    { function() return rnn.GRUCell(4) end, { -5.6786075, { -0.94264424 } }, { -4.8558607, { -1.0802623 } },
      "GRUCell(3 -> 12)" },
  }
  for _, case in ipairs(cases) do
    it("matches MXNet: " .. case[4], function()
      local cell = case[1]()
      cell:initialize()
      cell:unroll(4, x)
      fill(cell)
      for _, hybridized in ipairs { false, true } do
        cell:hybridize(hybridized)
        check_sums(case[2], cell:unroll(4, x, { merge_outputs = true }))
        check_sums(case[3], cell:unroll(4, x, { valid_length = nd.array { 2, 4 } }))
      end
      assert.equal(case[4], tostring(cell))
    end)
  end

  it("can be stacked", function()
    for _, name in ipairs { "SequentialRNNCell", "HybridSequentialRNNCell" } do
      local cells = stack(rnn[name], rnn.GRUCell(4, { prefix = "a_" }), rnn.LSTMCell(3, { prefix = "b_" }))
      cells:initialize()
      cells:unroll(4, x)
      fill(cells)
      check_sums({ 1.1749913, { -0.94264424, 0.39477593, 0.875819 } }, cells:unroll(4, x, { merge_outputs = true }))
      assert.same({ { 2, 4 }, { 2, 3 }, { 2, 3 } },
        { cells:state_info(2)[1].shape, cells:state_info(2)[2].shape, cells:state_info(2)[3].shape })
      assert.equal("a_i2h_weight", cells:collect_params():keys()[1])
      assert.equal("0.i2h_weight", cells:structural_params()[1][1])
      assert.equal(2, #cells)
      assert.equal("LSTMCell(4 -> 12)", tostring(cells[1]))
      local output, states = cells(x:slice_axis { axis = 1, begin = 0, ["end"] = 1 }:reshape { 2, 3 },
        cells:begin_state(2))
      assert.same({ 2, 3 }, output.shape)
      assert.equal(3, #states)
    end
  end)

  it("returns the outputs in the requested form", function()
    local cell = rnn.GRUCell(2)
    cell:initialize()
    local list = cell:unroll(4, x)
    assert.equal(4, #list)
    local merged = cell:unroll(4, x, { merge_outputs = true })
    assert.bits(nd.stack(list, { axis = 1 }), merged)
    assert.bits(merged:swapaxes(0, 1), (cell:unroll(4, x:swapaxes(0, 1), { layout = "TNC", merge_outputs = true })))
    local steps = x:split { axis = 1, num_outputs = 4, squeeze_axis = true }
    assert.bits(list[3], cell:unroll(4, steps)[3])
    assert.equal(4, #cell:unroll(4, x, { merge_outputs = false, valid_length = nd.array { 2, 4 } }))
  end)

  it("matches the layer's values and gradients when unrolled", function()
    for _, name in ipairs { "RNN", "LSTM", "GRU" } do
      local layer = rnn[name](5, name == "RNN" and { activation = "tanh", layout = "NTC" } or { layout = "NTC" })
      local cell = rnn[name .. "Cell"](5)
      layer:initialize()
      cell:initialize()
      layer(x)
      cell:unroll(4, x)
      fill(layer)
      fill(cell)
      local grads, outputs = {}, {}
      for i, fn in ipairs { layer, function(v) return (cell:unroll(4, v, { merge_outputs = true })) end } do
        local v = x:copy()
        v:attach_grad()
        autograd.record(function()
          outputs[i] = fn(v)
          return outputs[i]:square():sum()
        end):backward()
        grads[i] = v.grad
      end
      assert.allclose(outputs[1], outputs[2], 1e-5)
      assert.allclose(grads[1], grads[2], 1e-4)
    end
  end)

  it("trains to the same bits when unrolled in a hybridized network", function()
    local sums = {}
    for _, hybridized in ipairs { false, true } do
      hl.random.seed(2)
      local Tagger = gluon.HybridBlock:subclass "Tagger"
      function Tagger:init()
        self.cell, self.out = rnn.LSTMCell(5), gluon.nn.Dense(2)
      end
      function Tagger:hybrid_forward(_, v) return self.out((self.cell:unroll(4, v, { merge_outputs = true }))) end
      local net = Tagger()
      net:initialize(hl.init.Xavier())
      if hybridized then net:hybridize() end
      local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.1 })
      for _ = 1, 5 do
        autograd.record(function() return net(x):square():mean() end):backward()
        trainer:step(1)
      end
      sums[#sums + 1] = net(x)
    end
    assert.bits(sums[1], sums[2])
  end)

  it("rejects invalid arguments", function()
    local cell = rnn.LSTMCell(2)
    cell:initialize()
    assert.raises(function() rnn.GRUCell(0) end, "GRUCell: hidden_size: expected an integer of 1 or more, got 0")
    assert.raises(function() cell(nd.ones { 2, 3 }, { nd.ones { 2, 2 } }) end, "states: expected 2, got 1")
    assert.raises(function() cell:unroll(4, x, { layout = "CNT" }) end,
      "unroll: layout: expected 'NTC' or 'TNC', got 'CNT'")
    assert.raises(function() cell:unroll(3, { x, x }) end, "unroll: inputs: expected 3 steps, got 2")
  end)
end)

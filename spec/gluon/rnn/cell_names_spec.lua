-- cell_names_spec.lua - recurrent cells: names of the steps of an unroll, and initial states. All names are from MXNet
-- 1.9.1.
local hl = require "hybridlua"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon
local rnn, contrib = gluon.rnn, gluon.contrib.rnn

local P = { prefix = "rnn_" }

local function named(prefix) return { prefix = prefix } end

local function names_of(symbols)
  local list = {}
  for i, x in ipairs(symbols) do list[i] = x:list_outputs()[1] end
  return table.concat(list, " ")
end

local function unrolled(cell, options)
  local outputs, states = cell:unroll(2, { sym.var "x0", sym.var "x1" }, options)
  return names_of(type(outputs) == "table" and outputs or { outputs }), names_of(states)
end

local function stack(cls, ...)
  local made = cls(named "s_")
  for _, cell in ipairs { ... } do made:add(cell) end
  return made
end

describe("steps of an unroll", function()
  local function conv(kind)
    return contrib["Conv2D" .. kind .. "Cell"]({ 3, 8, 8 }, 4, 3, 3, { i2h_pad = 1, prefix = "rnn_" })
  end

  local OUT = "rnn_t0_out_output rnn_t1_out_output"
  local cases = {
    { "RNNCell", function() return rnn.RNNCell(4, P) end, OUT, "rnn_t1_out_output" },
    { "LSTMCell", function() return rnn.LSTMCell(4, P) end, OUT, "rnn_t1_out_output rnn_t1_state_output" },
    { "GRUCell", function() return rnn.GRUCell(4, P) end, OUT, "rnn_t1_out_output" },
    { "LSTMPCell", function() return contrib.LSTMPCell(4, 3, P) end, OUT, "rnn_t1_out_output rnn_t1_state_output" },
    { "Conv2DRNNCell", function() return conv "RNN" end, OUT, "rnn_t1_out_output" },
    { "Conv2DLSTMCell", function() return conv "LSTM" end, OUT, "rnn_t1_out_output rnn_t1_state_output" },
    { "Conv2DGRUCell", function() return conv "GRU" end, OUT, "rnn_t1_out_output" },
    { "DropoutCell", function() return rnn.DropoutCell(0.5, named "d_") end, "d_t0_fwd_output d_t1_fwd_output", "" },
    { "BidirectionalCell", function()
      return rnn.BidirectionalCell(rnn.RNNCell(4, named "l_"), rnn.RNNCell(4, named "r_"))
    end, "bi_t0_output bi_t1_output", "l_t1_out_output r_t1_out_output" },
    { "SequentialRNNCell", function()
      return stack(rnn.SequentialRNNCell, rnn.RNNCell(4, named "a_"), rnn.ResidualCell(rnn.RNNCell(4, named "b_")),
        rnn.GRUCell(4, named "c_"))
    end, "c_t0_out_output c_t1_out_output", "a_t1_out_output b_t1_out_output c_t1_out_output" },
    { "HybridSequentialRNNCell", function()
      return stack(rnn.HybridSequentialRNNCell, rnn.LSTMCell(4, named "a_"), rnn.RNNCell(4, named "b_"))
    end, "b_t0_out_output b_t1_out_output", "a_t1_out_output a_t1_state_output b_t1_out_output" },
  }
  for _, case in ipairs(cases) do
    it("have their number in their names: " .. case[1], function()
      local cell = case[2]()
      for _ = 1, 2 do                                  -- each unroll counts from 0
        local outputs, states = unrolled(cell)
        assert.equal(case[3], outputs)
        assert.equal(case[4], states)
      end
    end)
  end

  it("prefix the names of their operators", function()
    local outputs = rnn.LSTMCell(4, P):unroll(1, { sym.var "x" })
    local internals = table.concat(outputs[1]:get_internals():list_outputs(), " ")
    for _, name in ipairs { "i2h", "h2h", "slice", "i", "f", "c", "o", "state", "activation0", "out" } do
      assert.truthy(internals:find("rnn_t0_" .. name .. "_output", 1, true), name)
    end
  end)

  it("have output_prefix if both directions are in one array", function()
    local cell = rnn.BidirectionalCell(rnn.RNNCell(4, named "l_"), rnn.RNNCell(4, named "r_"), "both_")
    assert.equal("both_out_output", (unrolled(cell, { merge_outputs = true })))
    assert.raises(function() return rnn.BidirectionalCell(rnn.RNNCell(4), rnn.RNNCell(4), 3) end,
      "BidirectionalCell: output_prefix: expected a string, got number")
  end)

  it("are counted until reset if called one by one", function()
    local cell = rnn.ResidualCell(rnn.RNNCell(4, P))
    local states = cell:begin_state { func = sym.var }
    local list = {}
    for t = 1, 2 do list[t], states = cell(sym.var("x" .. t), states) end
    assert.equal("rnn_residualcellt0_fwd_output rnn_residualcellt1_fwd_output", names_of(list))
    assert.equal("rnn_t1_out_output", names_of(states))
    cell:reset()
    assert.equal("rnn_residualcellt0_fwd_output", names_of { (cell(sym.var "x", states)) })
  end)

  it("share parameters under their usual names", function()
    local cell = rnn.GRUCell(4, P)
    local outputs = sym.Group((cell:unroll(2, { sym.var "x0", sym.var "x1" })))
    assert.same({ "x0", "rnn_i2h_weight", "rnn_i2h_bias", "rnn_h2h_weight", "rnn_h2h_bias", "x1" },
      outputs:list_arguments())
  end)
end)

describe("begin_state", function()
  local makers = {
    RNN = function() return rnn.RNN(4) end, LSTM = function() return rnn.LSTM(4, 2) end,
    RNNCell = function() return rnn.RNNCell(4) end, LSTMPCell = function() return contrib.LSTMPCell(4, 3) end,
    Conv1DGRUCell = function() return contrib.Conv1DGRUCell({ 2, 6 }, 4, 3, 3) end,
    ZoneoutCell = function() return rnn.ZoneoutCell(rnn.LSTMCell(4)) end,
    VariationalDropoutCell = function() return contrib.VariationalDropoutCell(rnn.GRUCell(4)) end,
    SequentialRNNCell = function()
      return stack(rnn.SequentialRNNCell, rnn.RNNCell(4), rnn.ResidualCell(rnn.GRUCell(4)))
    end,
    BidirectionalCell = function() return rnn.BidirectionalCell(rnn.RNNCell(4), rnn.LSTMCell(4)) end,
  }
  for name, make in pairs(makers) do
    it("passes options on to func: " .. name, function()
      local block = make()
      local wanted = block:state_info(3)
      for _, states in ipairs {
        block:begin_state { batch_size = 3, func = nd.zeros, ctx = hl.cpu(1), dtype = "float64" },
        block:begin_state { batch_size = 3, ctx = hl.cpu(1), dtype = "float64" },
        block:begin_state(3, { ctx = hl.cpu(1), dtype = "float64" }),
        block:begin_state(3, nd.zeros, { ctx = hl.cpu(1), dtype = "float64" }),
      } do
        assert.equal(#wanted, #states)
        for i, state in ipairs(states) do
          assert.same(wanted[i].shape, state.shape)
          assert.equal("float64", state.dtype)
          assert.equal(hl.cpu(1), state.context)
          assert.equal(0, state:sum():asscalar())
        end
      end
      for _, state in ipairs(block:begin_state { batch_size = 3, func = nd.random.uniform, low = 2, high = 3 }) do
        assert.is_true(state:min():asscalar() >= 2)
      end
      for _, state in ipairs(block:begin_state { batch_size = 3, func = nd.full, val = 7 }) do
        assert.equal(7, state:min():asscalar())
      end
    end)
  end

  it("passes the shape and the options to a script's function", function()
    local got
    local function mine(shape, options)
      got = options
      return nd.full(shape, options.value)
    end
    assert.bits(nd.full({ 3, 4 }, 5), rnn.RNNCell(4):begin_state { batch_size = 3, func = mine, value = 5 }[1])
    assert.same({ value = 5 }, got)
  end)

  it("names Symbols", function()
    local cell = rnn.LSTMCell(4, P)
    assert.equal("rnn_begin_state_0 rnn_begin_state_1", names_of(cell:begin_state { func = sym.var }))
    assert.equal("rnn_begin_state_2 rnn_begin_state_3", names_of(cell:begin_state { func = sym.var }))
    cell:reset()
    assert.equal("rnn_begin_state_0_output rnn_begin_state_1_output",
      names_of(cell:begin_state { func = sym.zeros, dtype = "float64" }))
    assert.equal("rnn_h0_0 rnn_h0_1", names_of(rnn.LSTM(4, P):begin_state { func = sym.var }))
    local stacked = stack(rnn.SequentialRNNCell, rnn.RNNCell(4, named "a_"), rnn.GRUCell(4, named "b_"))
    assert.equal("a_begin_state_0 b_begin_state_0", names_of(stacked:begin_state { func = sym.var }))
    assert.equal("NC", cell:begin_state { func = sym.var }[1]:attr "__layout__")
  end)

  it("lets func reject unknown options", function()
    assert.raises(function() rnn.RNNCell(4):begin_state { batch_size = 3, ctxx = hl.cpu() } end,
      "cell_names_spec.lua:%d+: zeros: unknown option 'ctxx'")
    assert.raises(function() rnn.RNN(4):begin_state(3, "zeros") end,
      "cell_names_spec.lua:%d+: rnn%d+: begin_state: func: expected a function, got string")
    assert.raises(function() rnn.RNN(4):begin_state(3, nd.zeros, 4) end,
      "cell_names_spec.lua:%d+: rnn%d+: begin_state: options: expected a table, got number")
  end)
end)

-- cells_spec.lua - hl.rnn: recurrent cells that build Symbols. Names and sums of outputs are what MXNet 1.9.1 computes
-- with the same inputs (its unroll of 3 steps, simple_bind and forward).
local hl = require "hybridlua"
local nd, sym, rnn = hl.nd, hl.sym, hl.rnn

local function stack()
  local cells = rnn.SequentialRNNCell()
  cells:add(rnn.LSTMCell(4, { prefix = "a_" }))
  cells:add(rnn.DropoutCell(0.5))
  cells:add(rnn.RNNCell(5, { prefix = "b_" }))
  return cells
end

local CELLS = {
  gru = function() return rnn.GRUCell(4) end,
  stack = stack,
  bidirectional = function()
    return rnn.BidirectionalCell(rnn.LSTMCell(4, { prefix = "l_" }), rnn.GRUCell(4, { prefix = "r_" }))
  end,
  residual = function() return rnn.ResidualCell(rnn.GRUCell(3)) end,
  unfused = function()
    return rnn.FusedRNNCell(4, { num_layers = 2, mode = "gru", bidirectional = true, dropout = 0.3,
      prefix = "f_" }):unfuse()
  end,
}

-- Of each cell: merge_outputs, the names of arguments and outputs, the number of internal outputs, the outputs' sums.
local WANTED = {
  { "gru", nil, "data gru_i2h_weight gru_i2h_bias gru_h2h_weight gru_h2h_bias",
    "gru_t0_out_output gru_t1_out_output gru_t2_out_output", 66, { 0.32236377, 0.36317334, 0.80048047 } },
  { "stack", nil,
    "data a_i2h_weight a_i2h_bias a_h2h_weight a_h2h_bias b_i2h_weight b_i2h_bias b_h2h_weight b_h2h_bias",
    "b_t0_out_output b_t1_out_output b_t2_out_output", 78, { -9.16795444, -4.82884325, -8.59991574 } },
  { "bidirectional", true,
    "data l_i2h_weight l_i2h_bias l_h2h_weight l_h2h_bias r_i2h_weight r_i2h_bias r_h2h_weight r_h2h_bias",
    "bi_out_output", 130, { 12.50656005 } },
  { "residual", true, "data gru_i2h_weight gru_i2h_bias gru_h2h_weight gru_h2h_bias", "concat0_plus_residual_output",
    71, { 5.99693754 } },
  { "unfused", false,
    "data f_l0_i2h_weight f_l0_i2h_bias f_l0_h2h_weight f_l0_h2h_bias f_r0_i2h_weight f_r0_i2h_bias " ..
    "f_r0_h2h_weight f_r0_h2h_bias f_l1_i2h_weight f_l1_i2h_bias f_l1_h2h_weight f_l1_h2h_bias f_r1_i2h_weight " ..
    "f_r1_i2h_bias f_r1_h2h_weight f_r1_h2h_bias", "f_bi_l1_t0_output f_bi_l1_t1_output f_bi_l1_t2_output", 261,
    { -4.88423850, -4.78238240, -4.07957206 } },
}

describe("unroll", function()
  for _, wanted in ipairs(WANTED) do
    local name, merge, arguments, outputs, internals, sums = table.unpack(wanted, 1, 6)
    it("builds MXNet's graph for " .. name, function()
      local graph
      hl.name.NameManager(function()
        local out = CELLS[name]():unroll(3, sym.var "data", { merge_outputs = merge })
        graph = hl.type(out) == "Symbol" and out or sym.Group(out)
      end)
      assert.equal(arguments, table.concat(graph:list_arguments(), " "))
      assert.equal(outputs, table.concat(graph:list_outputs(), " "))
      assert.equal(internals, #graph:get_internals():list_outputs())
      local ex = graph:simple_bind { data = { 2, 3, 3 } }
      for _, argument in ipairs(graph:list_arguments()) do
        local array = ex.arg_dict[argument]
        array:set(nd.sin(nd.arange(array.size) * 0.37 + #argument):reshape(array.shape))
      end
      for i, y in ipairs(ex:forward()) do assert.near(sums[i], y:sum():asscalar(), 1e-4) end
    end)
  end

  it("takes a list of steps, other layouts and given states", function()
    local cell = rnn.LSTMCell(3)
    local out, states = cell:unroll(2, { sym.var "a", sym.var "b" }, { sym.var "h", sym.var "c" })
    assert.equal(2, #out)
    assert.equal(2, #states)
    local ex = sym.Group { out[2], states[2] }:simple_bind { a = { 4, 5 }, b = { 4, 5 }, h = { 4, 3 },
      c = { 4, 3 } }
    assert.same({ 4, 12 }, { ex:forward()[1].shape[1], ex.arg_dict.lstm_i2h_weight.shape[1] })
    local time_first = rnn.LSTMCell(3):unroll(2, sym.var "data", { layout = "TNC", merge_outputs = true })
    local _, shapes = time_first:infer_shape { data = { 2, 4, 5 } }
    assert.same({ 2, 4, 3 }, { table.unpack(shapes[1]) })
  end)

  it("counts steps from 0 at every unrolling", function()
    local cell = rnn.RNNCell(3)
    for _ = 1, 2 do
      local out = cell:unroll(2, sym.var "data")
      assert.equal("rnn_t1_out", out[2].name)
    end
  end)
end)

describe("FusedRNNCell", function()
  for _, mode in ipairs { "rnn_relu", "rnn_tanh", "lstm", "gru" } do
    for _, bidirectional in ipairs { false, true } do
      local title = bidirectional and mode .. ", bidirectional" or mode
      it("has the results of its unfused cells, " .. title, function()
        local fused = rnn.FusedRNNCell(4, { num_layers = 2, mode = mode, bidirectional = bidirectional,
          get_next_state = true })
        local unfused, name = fused:unfuse(), mode .. "_parameters"
        local out, states = fused:unroll(3, sym.var "data", { merge_outputs = true })
        assert.equal(mode == "lstm" and 2 or 1, #states)
        local a = out:simple_bind { data = { 2, 3, 5 } }
        local b = unfused:unroll(3, sym.var "data", { merge_outputs = true }):simple_bind { data = { 2, 3, 5 } }
        local x = nd.random.normal { shape = { 2, 3, 5 } }
        a.arg_dict[name]:set(nd.random.uniform(-0.5, 0.5, { shape = a.arg_dict[name].shape }))
        local unpacked = fused:unpack_weights { [name] = a.arg_dict[name], other = x }
        assert.equal(x, unpacked.other)
        local packed = unfused:pack_weights(unpacked)
        packed.other = nil
        for key, array in pairs(packed) do b.arg_dict[key]:set(array) end
        assert.allclose(a:forward { data = x }[1], b:forward { data = x }[1])
        local again = fused:pack_weights(unfused:unpack_weights(packed))
        assert.same(a.arg_dict[name]:totable(), again[name]:totable())
      end)
    end
  end

  it("cannot be stepped", function()
    assert.error_matches(function() rnn.FusedRNNCell(3)(sym.var "x", {}) end, "cannot be stepped. Please use unroll")
  end)
end)

describe("a cell", function()
  it("shares variables through params", function()
    local params = rnn.RNNParams "shared_"
    local a, b = rnn.RNNCell(3, { params = params }), rnn.RNNCell(3, { params = params })
    local g = sym.Group { (a(sym.var "x", a:begin_state())), (b(sym.var "y", b:begin_state())) }
    assert.same({ "x", "shared_i2h_weight", "shared_i2h_bias", "shared_h2h_weight", "shared_h2h_bias", "y" },
      g:list_arguments())
  end)

  it("makes states by a function of choice", function()
    local cell = rnn.LSTMCell(3)
    assert.same({ 0, 3 }, cell.state_shape[1])
    local states = cell:begin_state(sym.var)
    assert.equal("lstm_begin_state_0", states[1].name)
    assert.same({ "lstm_begin_state_1" }, states[2]:list_arguments())
    local seen
    cell:begin_state(function(options)
      seen = options
      return sym.zeros { shape = options.shape }
    end, { batch = 2 })
    assert.equal("NC", seen.__layout__)
    assert.equal(2, seen.batch)
  end)

  it("keeps the forget gate's bias as the variable's initializer", function()
    local cell = rnn.LSTMCell(3, { forget_bias = 2 })
    local out = cell(sym.var "x", cell:begin_state())
    assert.truthy(out:attr_dict().lstm_i2h_bias.__init__:find "forget_bias")
  end)

  it("mixes old and new values in a ZoneoutCell, in training only", function()
    local cell = rnn.ZoneoutCell(rnn.RNNCell(50), { zoneout_outputs = 0.5 })
    local ex = cell:unroll(1, sym.var "data", { merge_outputs = true }):simple_bind { data = { 1, 1, 2 } }
    ex.arg_dict.rnn_i2h_bias:set(1)
    local function zeros(is_train) return (ex:forward { is_train = is_train }[1]:equal(0)):sum():asscalar() end
    assert.equal(0, zeros(false))
    local n = zeros(true)
    assert.truthy(n > 5 and n < 45)
  end)

  it("has cells with convolutions, with MXNet's names", function()
    local shape = { 2, 3, 5, 5 }
    for name, prefix in pairs { ConvRNNCell = "ConvRNN_", ConvLSTMCell = "ConvLSTM_", ConvGRUCell = "ConvGRU_" } do
      local cell = rnn[name](shape, 4)
      assert.equal(prefix .. "i2h_weight", cell.params:get("i2h_weight").name)
      local group = sym.Group((cell:unroll(2, { sym.var "a", sym.var "b" })))
      assert.same({ prefix .. "t0_out_output", prefix .. "t1_out_output" }, group:list_outputs())
      local _, shapes = group:infer_shape { a = shape, b = shape }
      assert.same({ 2, 4, 5, 5 }, shapes[2])
    end
    assert.equal(2, #rnn.ConvLSTMCell(shape, 4):begin_state())
    assert.error_matches(function() rnn.ConvGRUCell(shape, 4, { h2h_kernel = { 2, 2 } }) end,
      "ConvGRUCell: Only support odd number, got h2h_kernel= %(2, 2%)")
    assert.error_matches(function() rnn.ConvRNNCell({ 2, 3 }, 4) end, "input_shape: expected the shape of one step")
    assert.error_matches(function() rnn.ConvRNNCell(shape, 4)(sym.var "x", {}) end, "expected a list of 1 Symbol")
  end)

  it("computes with convolutions what gluon's cells compute", function()
    for kind, states in pairs { RNN = 1, LSTM = 2, GRU = 1 } do
      local old = rnn["Conv" .. kind .. "Cell"]({ 2, 3, 5, 5 }, 4, { activation = "tanh", prefix = "c_" })
      local new = hl.gluon.contrib.rnn["Conv2D" .. kind .. "Cell"]({ 3, 5, 5 }, 4, { 3, 3 }, { 3, 3 },
        { i2h_pad = { 1, 1 }, prefix = "c_" })
      new:initialize(hl.init.Uniform(0.5))
      local x, before, args = nd.random.normal { shape = { 2, 3, 5, 5 } }, {}, {}
      local variables = {}
      for i = 1, states do
        before[i], variables[i] = nd.random.normal { shape = { 2, 4, 5, 5 } }, sym.var("s" .. i)
        args["s" .. i] = before[i]
      end
      local wanted = new(x, before)
      for name, parameter in pairs(new:collect_params()) do args[name] = parameter:data() end
      args.x = x
      local out = old(sym.var "x", variables)
      assert.bits(wanted, out:bind { args = args }:forward()[1])
    end
  end)

  it("rejects wrong calls", function()
    local x = sym.var "x"
    local function rejects(pattern, fn, ...)
      local args = table.pack(...)
      assert.error_matches(function() fn(table.unpack(args, 1, args.n)) end, pattern)
    end
    rejects("RNNCell: num_hidden: expected an integer of 1 or more, got 0", rnn.RNNCell, 0)
    rejects("FusedRNNCell: mode: expected 'rnn_relu'", rnn.FusedRNNCell, 3, { mode = "x" })
    rejects("params: expected an RNNParams", rnn.GRUCell, 3, { params = {} })
    rejects("base_cell: expected a cell of hl.rnn", rnn.ResidualCell, 3)
    rejects("FusedRNNCell doesn't support zoneout", rnn.ZoneoutCell, rnn.FusedRNNCell(3))
    local cell = rnn.RNNCell(3)
    rejects("unroll: inputs: expected 2 steps, got 1", cell.unroll, cell, 2, { x })
    rejects("unroll: inputs: expected a Symbol or a list of Symbols, got nothing", cell.unroll, cell, 2)
    rejects("unroll: length: expected an integer of 1 or more", cell.unroll, cell, 0, x)
    rejects("unroll: layout: expected a layout with T", cell.unroll, cell, 2, x, { layout = "NC" })
    rejects("states: expected a list of 1 Symbol, got 0", cell, x, {})
    rejects("args: expected 'rnn_i2h_weight', got none", cell.unpack_weights, cell, {})
    rejects("SequentialRNNCell: states: expected a list of 3 Symbols, got 0", stack(), x, {})
    rejects("expected at least one cell", function() rnn.SequentialRNNCell():unroll(2, x) end)
    rejects("Bidirectional cannot be stepped", CELLS.bidirectional(), x, {})
    rnn.ResidualCell(cell)
    rejects("the base cell cannot be called directly", cell.begin_state, cell)
  end)
end)

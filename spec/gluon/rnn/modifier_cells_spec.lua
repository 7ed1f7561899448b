-- modifier_cells_spec.lua - modifier cells of gluon.rnn (bidirectional, dropout, zoneout, residual, custom), the cells
-- of gluon.contrib.rnn, and the initializer FusedRNN. Values, names and printed texts are from MXNet 1.9.1.
local hl = require "hybridlua"
local nd, gluon, autograd = hl.nd, hl.gluon, hl.autograd
local rnn, contrib = gluon.rnn, gluon.contrib.rnn

local function size_of(shape)
  local n = 1
  for _, d in ipairs(shape) do n = n * d end
  return n
end

-- Fills parameters by their positions, as in MXNet for the values below.
local function fill(block)
  for k, param in ipairs(block:collect_params():values()) do
    param:set_data((nd.sin(nd.arange(size_of(param.shape)) * 0.37 + (k - 1)) * 0.5):reshape { shape = param.shape })
  end
end

local function waves(shape) return nd.cos(nd.arange(size_of(shape)) * 0.9):reshape { shape = shape } end

local x = waves { 2, 4, 3 }

local function stack(cls, ...)
  local made = cls()
  for _, cell in ipairs { ... } do made:add(cell) end
  return made
end

local function A() return { prefix = "a_" } end

local function all_in(cls)
  return stack(cls, rnn.GRUCell(4, A()), rnn.DropoutCell(0.3),
    rnn.BidirectionalCell(rnn.LSTMCell(3, { prefix = "b_" }), rnn.LSTMCell(3, { prefix = "c_" })),
    rnn.ZoneoutCell(rnn.RNNCell(2, { prefix = "d_" }), 0.5))
end

local function conv(name, ...) return contrib[name](...) end

-- Maker; sums of outputs times waves and of states, without lengths and with lengths 2 and 4; printed text; prefix;
-- the first parameter's name, in memory and in files; input shape.
local CASES = {
  { function() return rnn.BidirectionalCell(rnn.LSTMCell(4, { prefix = "l_" }), rnn.GRUCell(3, { prefix = "r_" })) end,
    { -5.9215097, { -0.44771433, -1.0091859, 2.0601304 } }, { -4.1427712, { -0.51783752, -1.1002823, 1.5809554 } },
    "BidirectionalCell(forward=LSTMCell(3 -> 16), backward=GRUCell(3 -> 9))", "", "l_i2h_weight l_cell.i2h_weight" },
  { function() return rnn.DropoutCell(0.5) end, { 11.93283, {} }, { 11.93283, {} }, "DropoutCell(rate=0.5, axes=())" },
  { function() return rnn.ZoneoutCell(rnn.LSTMCell(4, A()), 0.5, 0.25) end,
    { 1.0969914, { -0.44771433, -1.0091859 } }, { 0.64789355, { -0.51783752, -1.1002823 } },
    "ZoneoutCell(p_out=0.5, p_state=0.25, LSTMCell(3 -> 16))", "a_zoneout", "a_i2h_weight base_cell.i2h_weight" },
  { function() return rnn.ResidualCell(rnn.GRUCell(3, A())) end, { 12.289845, { -2.1188803 } },
    { 8.3459167, { -2.2005191 } }, "ResidualCell(GRUCell(3 -> 9))", "a_residualcell",
    "a_i2h_weight base_cell.i2h_weight" },
  { function() return all_in(rnn.SequentialRNNCell) end,
    { 1.1987729, { -0.94264424, 0.39477593, 0.87581903, 0.61522454, 0.82195896, 3.6084499 } }, nil,
    "SequentialRNNCell(\n(0): GRUCell(3 -> 12)\n(1): DropoutCell(rate=0.3, axes=())\n" ..
    "(2): BidirectionalCell(forward=LSTMCell(4 -> 12), backward=LSTMCell(4 -> 12))\n" ..
    "(3): ZoneoutCell(p_out=0.5, p_state=0.0, RNNCell(6 -> 2, tanh))\n)", nil, "a_i2h_weight 0.i2h_weight" },
  { function() return contrib.VariationalDropoutCell(rnn.LSTMCell(4, A()), 0.5, 0.5, 0.5) end,
    { 1.0969914, { -0.44771433, -1.0091859 } }, { 0.64789355, { -0.51783752, -1.1002823 } },
    "VariationalDropoutCell(p_out = 0.5, p_state = 0.5)", "a_vardrop", "a_i2h_weight base_cell.i2h_weight" },
  { function() return contrib.VariationalDropoutCell(rnn.LSTMCell(4, A()), 0.5, 0, 0.5) end,
    { 1.0969914, { -0.44771433, -1.0091859 } }, { 0.64789355, { -0.51783752, -1.1002823 } },
    "VariationalDropoutCell(p_out = 0.5, p_state = 0)" },
  { function() return contrib.LSTMPCell(4, 2, A()) end, { -0.012815394, { -0.20711051, 1.4219608 } },
    { 0.15055713, { -0.19299351, 1.4152787 } }, "LSTMPCell(3 -> 16 -> 2)", "a_", "a_i2h_weight i2h_weight" },
  { function() return conv("Conv1DRNNCell", { 3, 8 }, 2, 3, 3) end, { 0.35251188, { 4.3599606 } },
    { 2.0056338, { 3.949991 } }, "Conv1DRNNCell(3 -> 2, tanh, NCW)", nil, nil, { 2, 4, 3, 8 } },
  { function() return conv("Conv1DLSTMCell", { 3, 8 }, 2, 3, 3, { i2h_pad = 1, activation = "relu" }) end,
    { 0.099527039, { 3.7781937, 6.8200474 } }, { 1.5236168, { 3.4135654, 6.212214 } },
    "Conv1DLSTMCell(3 -> 8, relu, NCW)", nil, nil, { 2, 4, 3, 8 } },
  { function() return conv("Conv1DGRUCell", { 3, 8 }, 2, 3, 3, { i2h_pad = 1, i2h_dilate = 2, h2h_dilate = 2 }) end,
    { -0.67003018, { -12.659762 } }, { -1.6175387, { -11.772882 } }, "Conv1DGRUCell(3 -> 6, tanh, NCW)", nil, nil,
    { 2, 4, 3, 8 } },
  { function() return conv("Conv2DRNNCell", { 3, 6, 5 }, 2, { 3, 2 }, { 3, 1 }) end, { -2.6710973, { 19.322666 } },
    { -5.8225012, { 16.386354 } }, "Conv2DRNNCell(3 -> 2, tanh, NCHW)", nil, nil, { 2, 4, 3, 6, 5 } },
  { function() return conv("Conv2DLSTMCell", { 3, 6, 5 }, 2, 3, 3, { i2h_pad = { 1, 0 } }) end,
    { 1.3023441, { -5.6879015, -43.180832 } }, { 0.2479127, { -4.51193, -34.45261 } },
    "Conv2DLSTMCell(3 -> 8, tanh, NCHW)", nil, nil, { 2, 4, 3, 6, 5 } },
  { function() return conv("Conv2DGRUCell", { 3, 6, 5 }, 2, 3, 5) end, { 0.77590626, { -24.804333 } },
    { 1.7141736, { -21.351189 } }, "Conv2DGRUCell(3 -> 6, tanh, NCHW)", nil, nil, { 2, 4, 3, 6, 5 } },
  { function() return conv("Conv3DRNNCell", { 2, 4, 4, 4 }, 2, 3, 3) end, { -8.3218689, { 2.27215 } },
    { -10.388259, { 5.5045362 } }, "Conv3DRNNCell(2 -> 2, tanh, NCDHW)", nil, nil, { 2, 4, 2, 4, 4, 4 } },
  { function() return conv("Conv3DLSTMCell", { 2, 4, 4, 4 }, 2, 3, 3) end, { 1.1267211, { -5.24646, -14.25366 } },
    { 0.66409874, { -5.5078568, -13.902256 } }, "Conv3DLSTMCell(2 -> 8, tanh, NCDHW)", nil, nil, { 2, 4, 2, 4, 4, 4 } },
  { function() return conv("Conv3DGRUCell", { 2, 4, 4, 4 }, 2, 3, 3) end, { 2.7442944, { -4.5404091 } },
    { 1.2147479, { -4.9077492 } }, "Conv3DGRUCell(2 -> 6, tanh, NCDHW)", nil, nil, { 2, 4, 2, 4, 4, 4 } },
}

-- cos of large arguments differs in its last digits from the values that MXNet received.
local function check_sums(expected, outputs, states)
  assert.allclose((outputs * waves(outputs.shape)):sum(), { expected[1] }, 1e-4, 5e-4)
  assert.equal(#expected[2], #states)
  for i, sum in ipairs(expected[2]) do assert.allclose(states[i]:sum(), { sum }, 1e-4, 5e-4) end
end

local Unrolled = gluon.HybridBlock:subclass "Unrolled"
function Unrolled:init(cell, options) self.cell, self._how = cell, options end
function Unrolled:hybrid_forward(_, input, valid_length)
  return self.cell:unroll(4, input, { merge_outputs = true, valid_length = valid_length })
end

describe("a cell", function()
  for _, case in ipairs(CASES) do
    local make, plain, cut, text, prefix, names, shape = table.unpack(case, 1, 7)
    it("matches MXNet: " .. text:match "^[^\n]*", function()
      local cell, input = make(), waves(shape or { 2, 4, 3 })
      cell:initialize()
      cell:unroll(4, input)
      fill(cell)
      for _, hybridized in ipairs { false, true } do
        cell:hybridize(hybridized)
        check_sums(plain, cell:unroll(4, input, { merge_outputs = true }))
        local lengths = nd.array { 2, 4 }
        if cut then check_sums(cut, cell:unroll(4, input, { merge_outputs = true, valid_length = lengths })) end
      end
      assert.equal(text, tostring(cell))
      if prefix then assert.equal(prefix, cell.prefix) end
      if names then
        assert.equal(names, cell:collect_params():keys()[1] .. " " .. cell:structural_params()[1][1])
      end
    end)

    it("accepts and returns steps in the requested form: " .. text:match "^[^\n]*", function()
      local cell, input = make(), waves(shape or { 2, 4, 3 })
      cell:initialize()
      local merged, states = cell:unroll(4, input, { merge_outputs = true })
      local list, same = cell:unroll(4, input, { merge_outputs = false })
      assert.equal(4, #list)
      assert.bits(merged, nd.stack(list, { axis = 1 }))
      for i, state in ipairs(states) do assert.bits(state, same[i]) end
      local steps = input:split { axis = 1, num_outputs = 4, squeeze_axis = true }
      assert.bits(merged, (cell:unroll(4, steps, { merge_outputs = true })))
      local turned = cell:unroll(4, input:swapaxes(0, 1), { layout = "TNC", merge_outputs = true })
      assert.bits(merged, turned:swapaxes(0, 1))
      assert.equal(#states, #cell:begin_state(2))
      for i, state in ipairs(cell:begin_state(2)) do assert.same(states[i].shape, state.shape) end
    end)

    -- Dropout and zoneout draw, so the stream's position is compared too.
    it("trains to the same bits when unrolled in a hybridized network: " .. text:match "^[^\n]*", function()
      local input, results = waves(shape or { 2, 4, 3 }), {}
      if text:find "^DropoutCell" then return end                           -- nothing to train
      for _, hybridized in ipairs { false, true } do
        hl.random.seed(4)
        local net = Unrolled(text:find "^Sequential" and all_in(rnn.HybridSequentialRNNCell) or make())
        net:initialize(hl.init.Uniform(0.3))
        if hybridized then net:hybridize() end
        local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = 0.01 })
        for step = 1, 4 do
          local lengths = step % 2 == 0 and nd.array { 2, 4 } or nil
          autograd.record(function() return ((net(input, lengths))):square():mean() end):backward()
          trainer:step(1)
        end
        results[#results + 1] = { (net(input)), table.unpack(net:collect_params():values()) }
      end
      assert.bits(results[1][1], results[2][1])
      for i = 2, #results[1] do assert.bits(results[1][i]:data(), results[2][i]:data()) end
    end)
  end
end)

describe("ZoneoutCell", function()
  local function cell_of(p_outputs, p_states)
    local cell = rnn.ZoneoutCell(rnn.GRUCell(50), p_outputs, p_states)
    cell:initialize(hl.init.Xavier())
    return cell
  end
  local long = waves { 3, 5, 3 }

  it("keeps values of the previous step with the given probability", function()
    local cell = cell_of(0.3, 0)
    hl.random.seed(2)
    local outputs = autograd.train_mode(function() return (cell:unroll(5, long)) end)
    local plain, same, fresh = cell.base_cell:unroll(5, long), 0, 0
    for t = 1, 5 do
      local before = t > 1 and outputs[t - 1] or nd.zeros { 3, 50 }
      local kept, new = outputs[t]:equal(before), outputs[t]:equal(plain[t])
      assert.equal(150, (nd.maximum(kept, new)):sum():asscalar())
      same, fresh = same + kept:sum():asscalar(), fresh + new:sum():asscalar()
    end
    assert.truthy(same > 0.22 * 750 and same < 0.38 * 750, same)
  end)

  it("steps manually as when unrolled, and restarts after reset", function()
    local cell = cell_of(0.4, 0.2)
    local function by_hand()
      hl.random.seed(3)
      cell:reset()
      return autograd.train_mode(function()
        local states, output = cell:begin_state(3), nil
        for t = 0, 4 do output, states = cell(long[":, " .. t], states) end
        return output
      end)
    end
    hl.random.seed(3)
    local unrolled = autograd.train_mode(function() return (cell:unroll(5, long)) end)
    for _, hybridized in ipairs { false, true } do
      cell:hybridize(hybridized)
      assert.bits(unrolled[5], by_hand())
    end
  end)

  it("rejects single steps in compiled code, which would lose the previous output", function()
    local stacked = stack(rnn.HybridSequentialRNNCell, cell_of(0.5, 0))
    stacked:hybridize()
    local states = stacked:begin_state(3)
    stacked(long[":, 0"], states)                                    -- prediction keeps no values
    assert.raises(function()
      autograd.record(function() return (stacked(long[":, 0"], states)) end)
    end, "the output is passed from step to step, which compiled calls of single steps cannot do; call cell:unroll")
  end)
end)

describe("VariationalDropoutCell", function()
  it("drops the same values in all steps", function()
    local cell = contrib.VariationalDropoutCell(rnn.GRUCell(40), 0.5, 0.5, 0.5)
    cell:initialize(hl.init.Xavier())
    for _, hybridized in ipairs { false, true } do
      cell:hybridize(hybridized)
      hl.random.seed(7)
      local outputs = autograd.train_mode(function() return (cell:unroll(4, x)) end)
      local dropped = outputs[1]:equal(0)
      local n = dropped:sum():asscalar()
      assert.truthy(n > 15 and n < 65, n)
      for t = 2, 4 do assert.bits(dropped, outputs[t]:equal(0)) end
    end
  end)
end)

describe("modifier cells", function()
  it("own the cell that they modify", function()
    local inner = rnn.GRUCell(3)
    local cell = rnn.ResidualCell(inner)
    assert.equal(inner, cell.base_cell)
    assert.raises(function() rnn.ResidualCell(inner) end, "is already modified. One cell cannot be modified twice")
    assert.raises(function() inner:begin_state(2) end, "the base cell cannot be called directly. Call the modifier")
    assert.equal(1, #cell:begin_state(2))
    assert.raises(function() rnn.ZoneoutCell(3) end, "ZoneoutCell: base_cell: expected a cell, got number")
  end)

  it("reject a bidirectional cell if they need single steps", function()
    local function both() return rnn.BidirectionalCell(rnn.GRUCell(2), rnn.GRUCell(2)) end
    assert.raises(function() rnn.ZoneoutCell(both()) end,
      "BidirectionalCell doesn't support zoneout since it doesn't support step. Please add ZoneoutCell to the cells")
    assert.raises(function() contrib.VariationalDropoutCell(stack(rnn.SequentialRNNCell, both()), 0, 0.5) end,
      "Bidirectional SequentialRNNCell doesn't support variational state dropout")
    assert.raises(function() both()(x, {}) end, "Bidirectional cannot be stepped. Please use unroll")
    assert.raises(function() stack(rnn.SequentialRNNCell, both())(x, {}) end, "cannot be stepped; use unroll")
  end)
end)

describe("a script's own cell", function()
  local Counting = rnn.HybridRecurrentCell:subclass "Counting"
  function Counting:init() self.scale = self.params:get("scale", { shape = { 1 }, init = "ones" }) end
  function Counting:state_info(batch_size)                                       -- luacheck: ignore self
    return { { shape = { batch_size or 0, 3 }, __layout__ = "NC" } }
  end
  function Counting:hybrid_forward(F, input, states, p)                          -- luacheck: ignore self
    local total = F.broadcast_add(states[1], F.broadcast_mul(input, p.scale))
    return total, { total }
  end

  it("can be unrolled, stacked and modified like built-in cells", function()
    local cell = stack(rnn.HybridSequentialRNNCell, Counting(), rnn.ResidualCell(Counting()))
    cell:initialize()
    for _, hybridized in ipairs { false, true } do
      cell:hybridize(hybridized)
      local outputs, states = cell:unroll(4, x, { merge_outputs = true })
      local once = nd.cumsum(x, { axis = 1 })
      assert.allclose(outputs, nd.cumsum(once, { axis = 1 }) + once, 1e-5, 1e-6)
      assert.equal(2, #states)
    end
    assert.raises(function() rnn.RecurrentCell():state_info() end, "state_info is not defined")
  end)
end)

describe("dynamic_unroll", function()
  it("matches unroll in a graph of one step", function()
    for _, make in ipairs { function() return rnn.LSTMCell(4) end, function() return rnn.GRUCell(4) end } do
      local cell = make()
      cell:initialize(hl.init.Xavier())
      local expected, last = cell:unroll(4, x, { merge_outputs = true })
      local cut, cut_last = cell:unroll(4, x, { merge_outputs = true, valid_length = nd.array { 2, 4 } })
      local function check(fn)
        local outputs, states = fn(nil)
        assert.bits(expected, outputs)
        for i, state in ipairs(states) do assert.bits(last[i], state) end
        outputs, states = fn(nd.array { 2, 4 })
        assert.bits(cut, outputs)
        for i, state in ipairs(states) do assert.bits(cut_last[i], state) end
      end
      local function run(lengths)
        return contrib.dynamic_unroll(cell, x, cell:begin_state(2), { layout = "NTC", valid_length = lengths })
      end
      check(run)
      local compiled = hl.compile(function(_, input, states, lengths)
        return contrib.dynamic_unroll(cell, input, states, { layout = "NTC", valid_length = lengths })
      end)
      check(function(lengths) return compiled(x, cell:begin_state(2), lengths) end)
    end
  end)
end)

describe("FusedRNN", function()
  it("fills each part of the vector by its name, and sets the biases of forget gates", function()
    local vector = nd.zeros { (3 + 2 + 2) * 2 * 4 * 2 + (4 + 2 + 2) * 2 * 4 * 2 }
    hl.init.FusedRNN(hl.init.One(), 2, 2, "lstm", true, 3):apply("rnn_weights", vector, true)
    local at, bias = 240 - 2 * 2 * 2 * 8, vector:tolist()
    for i = 1, at do assert.equal(1, bias[i]) end
    for i = at + 1, 240, 8 do
      assert.same({ 0, 0, 3, 3, 0, 0, 0, 0 }, table.move(bias, i, i + 7, 1, {}))
    end
    local text = hl.init.FusedRNN(hl.init.Xavier(), 3, 2, "lstm", true, 2.0):dumps()
    assert.equal([==[["fusedrnn", {"init": "[\"xavier\", {\"rnd_type\": \"uniform\", \"factor_type\": \"avg\", ]==] ..
      [==[\"magnitude\": 3}]", "num_hidden": 3, "num_layers": 2, "mode": "lstm", "bidirectional": true, ]==] ..
      [==["forget_bias": 2.0}]]==], text)
    assert.equal(text, hl.init.create(text):dumps())
  end)

  it("falls back to the network's initializer", function()
    local Net = gluon.HybridBlock:subclass "Net"
    function Net:init()
      self.weights = self.params:get("weights", { shape = { 3 * 2 * (3 + 2 + 2) },
                                                  init = hl.init.FusedRNN(nil, 2, 1, "gru") })
    end
    function Net:hybrid_forward(F, input, p)                                     -- luacheck: ignore self
      return F.RNN(input, p.weights, F.zeros { 1, 2, 2 }, { state_size = 2, num_layers = 1, mode = "gru" })
    end
    local net = Net()
    net:initialize(hl.init.One())
    assert.equal(3 * 2 * 5, net.weights:data():sum():asscalar())
    assert.same({ 4, 2, 2 }, net(x:swapaxes(0, 1)).shape)
  end)

  it("rejects invalid arguments", function()
    assert.raises(function() hl.init.FusedRNN(nil, 2, 1, "elman") end, "FusedRNN: mode: expected 'rnn_relu', ")
    assert.raises(function() hl.init.FusedRNN("zeros", 2, 1, "lstm"):apply("w", nd.zeros { 7 }, true) end,
      "FusedRNN: w: expected the weights of such a network, got an array of shape %(7,%)")
  end)
end)

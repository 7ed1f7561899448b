-- rnn_layers_spec.lua - layers of gluon.rnn: MXNet's values, names and errors; the same bits in every mode.
local hl = require "hybridlua"
local nd, gluon, autograd = hl.nd, hl.gluon, hl.autograd
local rnn = gluon.rnn

local LAYERS = { "RNN", "LSTM", "GRU" }

-- Fills parameters by their positions, as in MXNet for the values below.
local function fill(layer)
  for k, param in ipairs(layer:collect_params():values()) do
    local n = 1
    for _, d in ipairs(param.shape) do n = n * d end
    param:set_data((nd.sin(nd.arange(n) * 0.37 + (k - 1)) * 0.5):reshape { shape = param.shape })
  end
end

describe("a recurrent layer", function()
  -- MXNet 1.9.1's sums of outputs, of each state, and of absolute gradients of the data and of the first parameter.
  local cases = {
    { function() return rnn.RNN(5, 2, { activation = "tanh", bidirectional = true }) end,
      -3.3868885, { 3.7463746 }, 8.150891, 27.207748, "RNN(3 -> 5, TNC, num_layers=2, bidirectional)" },
    { function() return rnn.RNN(5, { layout = "NTC" }) end,
      17.195778, { 9.780234 }, 41.37935, 61.628036, "RNN(3 -> 5, NTC)" },
    { function() return rnn.LSTM(4, 2, { bidirectional = true }) end,
      -1.6215857, { -2.6179872, -6.4574203 }, 0.19394968, 0.6606218, "LSTM(3 -> 4, TNC, num_layers=2, bidirectional)" },
    { function() return rnn.GRU { 4, num_layers = 3, layout = "NTC" } end,
      8.254555, { 0.34417647 }, 0.1800589, 0.19443007, "GRU(3 -> 4, NTC, num_layers=3)" },
  }
  for _, case in ipairs(cases) do
    it("matches MXNet: " .. case[6], function()
      local layer = case[1]()
      local x = nd.cos(nd.arange(24) * 0.9):reshape { 4, 2, 3 }
      layer:initialize()
      layer(x)
      fill(layer)
      for _, hybridized in ipairs { false, true } do
        layer:hybridize(hybridized)
        x:attach_grad()
        local outputs, states
        local loss = autograd.record(function()
          outputs, states = layer(x, layer:begin_state(case[6]:find "NTC" and 4 or 2))
          return outputs:square():sum()
        end)
        loss:backward()
        assert.allclose(outputs:sum(), { case[2] }, 1e-4)
        assert.equal(#case[3], #states)
        for i, sum in ipairs(case[3]) do assert.allclose(states[i]:sum(), { sum }, 1e-4) end
        assert.allclose(x.grad:abs():sum(), { case[4] }, 1e-4)
        assert.allclose(layer:collect_params():values()[1]:grad():abs():sum(), { case[5] }, 1e-4)
      end
      assert.equal(case[6], tostring(layer))
    end)
  end

  it("has MXNet's names, in a block and in files", function()
    local layer = rnn.LSTM(3, { projection_size = 2, prefix = "p_" })
    assert.same({ "p_l0_i2h_weight", "p_l0_h2h_weight", "p_l0_i2h_bias", "p_l0_h2h_bias", "p_l0_h2r_weight" },
      layer:collect_params():keys())
    local function paths(l)
      local list = {}
      for _, entry in ipairs(l:structural_params()) do list[#list + 1] = entry[1] end
      return list
    end
    assert.same({ "_unfused.0.i2h_weight", "_unfused.0.h2h_weight", "_unfused.0.i2h_bias", "_unfused.0.h2h_bias",
                  "_unfused.0.h2r_weight" }, paths(layer))
    assert.equal("_unfused.0.r_cell.i2h_weight", paths(rnn.GRU(2, { bidirectional = true }))[5])
    assert.equal("gru", (rnn.GRU(2).name:gsub("%d+$", "")))
  end)

  it("saves and loads its parameters", function()
    local file = os.tmpname()
    local x = nd.random.uniform(-1, 1, { 3, 2, 4 })
    for _, name in ipairs(LAYERS) do
      local layer, other = rnn[name](3, { bidirectional = true }), rnn[name](3, { bidirectional = true })
      layer:initialize()
      local y = layer(x)
      layer:save_parameters(file)
      other:load_parameters(file)
      assert.bits(y, other(x))
    end
    os.remove(file)
  end)

  it("starts from zeros if given no states, and accepts one array for a list of one", function()
    local x = nd.random.uniform(-1, 1, { 3, 2, 4 })
    for _, name in ipairs(LAYERS) do
      local layer = rnn[name](3, { num_layers = 2 })
      layer:initialize()
      local alone = layer(x)
      local outputs, states = layer(x, layer:begin_state(2))
      assert.bits(alone, outputs)
      assert.bits(states[1]:slice_axis { axis = 0, begin = 1, ["end"] = 2 },
        outputs:slice_axis { axis = 0, begin = 2, ["end"] = 3 })
      if name == "GRU" then assert.bits(outputs, (layer(x, layer:begin_state(2)[1]))) end
      local whole, last = layer(nd.concat(x, x, { dim = 0 }), layer:begin_state(2))
      local again, after = layer(x, states)
      assert.allclose(whole:slice_axis { axis = 0, begin = 3, ["end"] = 6 }, again, 1e-6)
      assert.allclose(last[1], after[1], 1e-6)
    end
  end)

  it("accepts lengths", function()
    local layer = rnn.GRU(3, { use_sequence_length = true, layout = "NTC" })
    layer:initialize()
    local x = nd.random.uniform(-1, 1, { 2, 4, 3 })
    local y = layer(x, nil, nd.array { 2, 4 })
    assert.equal(0, y[0]:slice_axis { axis = 0, begin = 2, ["end"] = 4 }:abs():sum():asscalar())
    assert.bits(y, (layer(x, layer:begin_state(2), nd.array { 2, 4 })))
    layer:hybridize()
    assert.bits(y, layer(x, nil, nd.array { 2, 4 }))
  end)

  it("infers its input size inside a hybridized network, and trains to the same bits there", function()
    for _, name in ipairs(LAYERS) do
      local sums = {}
      for _, hybridized in ipairs { false, true } do
        hl.random.seed(3)
        local net = gluon.nn.HybridSequential()
        net:add(rnn[name](6, { num_layers = 2, layout = "NTC", bidirectional = true, dropout = 0.3 }),
          gluon.nn.Dense(2))
        net:initialize(hl.init.Xavier())
        if hybridized then net:hybridize() end
        local x = nd.random.uniform(-1, 1, { 2, 5, 3 })
        local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = 0.01 })
        for _ = 1, 5 do
          autograd.record(function() return net(x):square():mean() end):backward()
          trainer:step(1)
        end
        sums[#sums + 1] = net(x)
      end
      assert.bits(sums[1], sums[2])
    end
  end)

  it("has the same bits after export and import", function()
    local stem = os.tmpname()
    local x = nd.random.uniform(-1, 1, { 5, 2, 3 })
    for _, name in ipairs(LAYERS) do
      local layer = rnn[name](4, { num_layers = 2, bidirectional = true })
      layer:initialize()
      layer:hybridize()
      local y = layer(x)
      layer:export(stem)
      local back = gluon.SymbolBlock.imports(stem .. "-symbol.json", { "data" }, stem .. "-0000.params")
      assert.bits(y, back(x))
    end
    for _, ending in ipairs { "", "-symbol.json", "-0000.params" } do os.remove(stem .. ending) end
  end)

  it("runs in MXNet's graphs, whose states have batch 0 until data determines it", function()
    local layer = rnn.GRU(2, { input_size = 3 })
    layer:initialize()
    local values = {}
    for _, kind in ipairs { "weight", "bias" } do
      for _, what in ipairs { "i2h_", "h2h_" } do
        values[#values + 1] = layer["l0_" .. what .. kind]:data():reshape { shape = { -1 } }
      end
    end
    local graph = hl.sym.load_json [==[{"nodes": [{"op": "null", "name": "data", "inputs": []},
      {"op": "null", "name": "weights", "inputs": []},
      {"op": "_zeros", "name": "gru0_h0_0", "attrs": {"__layout__": "LNC", "dtype": "float32", "shape": "(1, 0, 2)"},
       "inputs": []},
      {"op": "RNN", "name": "gru0_rnn0", "attrs": {"bidirectional": "False", "lstm_state_clip_max": "None",
       "lstm_state_clip_min": "None", "lstm_state_clip_nan": "False", "mode": "gru", "num_layers": "1", "p": "0",
       "projection_size": "None", "state_outputs": "True", "state_size": "2", "use_sequence_length": "False"},
       "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}],
      "arg_nodes": [0, 1], "node_row_ptr": [0, 1, 2, 3, 5], "heads": [[3, 0, 0]],
      "attrs": {"mxnet_version": ["int", 10901]}}]==]
    for _, batch in ipairs { 2, 5 } do
      local x = nd.random.uniform(-1, 1, { 4, batch, 3 })
      assert.bits(layer(x), graph:eval { data = x, weights = nd.concat(values, { dim = 0 }) }[1])
    end
    assert.truthy(graph:tojson():find('"shape": "(1, 0, 2)"', 1, true))
  end)

  it("rejects invalid arguments", function()
    assert.raises(function() rnn.LSTM(4, { layout = "TCN" }) end,
      "Invalid layout TCN; must be one of %['TNC' or 'NTC'%]")
    assert.raises(function() rnn.LSTM(0) end, "LSTM: hidden_size: expected an integer of 1 or more, got 0")
    assert.raises(function() rnn.GRU(2, { dropout = 2 }) end, "GRU: dropout: expected a number from 0 to 1, got 2")
    assert.raises(function() rnn.RNN(2, { activation = "elu" }) end,
      "RNN: activation: expected 'relu' or 'tanh', got 'elu'")
    local layer = rnn.GRU(4, { num_layers = 2, bidirectional = true, input_size = 3 })
    layer:initialize()
    assert.raises(function() layer(nd.ones { 5, 2, 7 }) end, "RNN: parameters: expected shape")
    assert.raises(function() layer(nd.ones { 5, 2, 3 }, nd.ones { 1, 2, 4 }) end,
      "Invalid recurrent state shape. Expecting %(4, 2, 4%), got %(1, 2, 4%).")
  end)
end)

-- rnn_spec.lua - RNN: gradients in every mode against finite differences; lengths, projections, bounds, dropout; bits
-- in prediction and training, eager and compiled, with any number of threads.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local examples = require "support.examples"
local nd, autograd = hl.nd, hl.autograd

local GATES = { rnn_relu = 1, rnn_tanh = 1, lstm = 4, gru = 3 }

-- Inputs and options of a call.
local function call_of(mode, o)
  local steps, batch, features, hidden = o.steps or 3, o.batch or 2, o.features or 2, o.hidden or 2
  local layers, ways, out = o.layers or 1, o.bidirectional and 2 or 1, o.projection or hidden
  local size = 0
  for layer = 1, layers do
    local from = layer == 1 and features or ways * out
    size = size + ways * (GATES[mode] * hidden * (from + out + 2) + (o.projection and out * hidden or 0))
  end
  hl.random.seed(o.seed or 3)
  local function random(...) return nd.random.uniform(-1, 1, { shape = { ... }, dtype = o.dtype or "float64" }) end
  local inputs = { random(steps, batch, features), random(size), random(layers * ways, batch, out) }
  if mode == "lstm" then inputs[#inputs + 1] = random(layers * ways, batch, hidden) end
  if o.lengths then inputs[#inputs + 1] = nd.array(o.lengths, { dtype = "int32" }) end
  return inputs, {
    mode = mode, state_size = hidden, num_layers = layers, bidirectional = o.bidirectional or false,
    state_outputs = o.states ~= false, projection_size = o.projection, use_sequence_length = o.lengths ~= nil,
    lstm_state_clip_min = o.clip and -o.clip, lstm_state_clip_max = o.clip, p = o.p or 0 }
end

local function list(x) return type(x) == "table" and x or { x } end

local function outputs(inputs, options)
  local arguments = { table.unpack(inputs) }
  arguments[#arguments + 1] = options
  return list(nd.RNN(table.unpack(arguments)))
end

-- A weighted sum of all outputs, so that their gradients differ.
local function loss_of(inputs, options)
  local total
  for i, y in ipairs(outputs(inputs, options)) do
    local weights = nd.arange(y.size, { dtype = y.dtype }):reshape { shape = y.shape } * 0.1 + i
    local part = (y * weights):sum()
    total = total and total + part or part
  end
  return total
end

local function check_gradient(mode, o)
  local inputs, options = call_of(mode, o)
  for _, x in ipairs(inputs) do if x.dtype == "float64" then x:attach_grad() end end
  local function loss() return loss_of(inputs, options) end
  autograd.record(loss, { train_mode = false }):backward()
  for i, x in ipairs(inputs) do
    if x.dtype == "float64" then
      examples.compare_differences({ name = "RNN, " .. mode }, i, x, x.grad:totable(), loss, 1e-6)
    end
  end
end

describe("RNN", function()
  for _, mode in ipairs { "rnn_tanh", "rnn_relu", "lstm", "gru" } do
    describe(mode, function()
      it("has correct gradients", function() check_gradient(mode, { steps = 4, features = 3 }) end)
      it("has correct gradients in several layers", function() check_gradient(mode, { layers = 3 }) end)
      it("has correct gradients in both directions", function()
        check_gradient(mode, { layers = 2, bidirectional = true })
      end)
      it("has correct gradients with lengths", function()
        check_gradient(mode, { steps = 4, batch = 3, layers = 2, bidirectional = true, lengths = { 2, 4, 0 } })
      end)
      it("has correct gradients without the last states", function()
        check_gradient(mode, { layers = 2, states = false })
      end)
    end)
  end

  it("projects lstm's outputs", function()
    check_gradient("lstm", { hidden = 3, projection = 2, layers = 2, bidirectional = true })
    check_gradient("lstm", { hidden = 2, projection = 3, steps = 4, batch = 3, lengths = { 2, 4, 1 } })
  end)

  it("clips lstm's cells to bounds", function()
    local inputs, options = call_of("lstm", { clip = 0.2, steps = 4 })
    assert.truthy(outputs(inputs, options)[3]:abs():max():asscalar() <= 0.2)
    check_gradient("lstm", { clip = 0.2, steps = 4, layers = 2 })
  end)

  it("treats a sequence with a length like the truncated sequence", function()
    for mode in pairs(GATES) do
      local o = { steps = 5, batch = 2, bidirectional = true, lengths = { 3, 5 } }
      local inputs, options = call_of(mode, o)
      local whole = outputs(inputs, options)
      local function first(x, axis) return x:slice_axis { axis = axis, begin = 0, ["end"] = 1 } end
      local cut = { first(inputs[1], 1):slice_axis { axis = 0, begin = 0, ["end"] = 3 }, inputs[2],
                    first(inputs[3], 1), mode == "lstm" and first(inputs[4], 1) or nil }
      options.use_sequence_length = false
      local alone = outputs(cut, options)
      assert.allclose(first(whole[1], 1):slice_axis { axis = 0, begin = 0, ["end"] = 3 }, alone[1], 1e-12)
      assert.equal(0, first(whole[1], 1):slice_axis { axis = 0, begin = 3, ["end"] = 5 }:abs():sum():asscalar())
      for i = 2, #alone do assert.allclose(first(whole[i], 1), alone[i], 1e-12) end
    end
  end)

  it("drops values between layers, only in training", function()
    local inputs, options = call_of("gru", { layers = 3, p = 0.5, steps = 6, hidden = 8 })
    local function training() return autograd.train_mode(function() return outputs(inputs, options)[1] end) end
    local predicted = outputs(inputs, options)[1]
    hl.random.seed(1)
    local trained = training()
    assert.truthy((trained - predicted):abs():max():asscalar() > 1e-3)
    hl.random.seed(1)
    assert.bits(trained, training())
    assert.truthy((training() - trained):abs():max():asscalar() > 1e-3)
    options.p = 0
    assert.bits(predicted, outputs(inputs, options)[1])
    assert.bits(predicted, training())
  end)

  it("has the gradient for the dropout of its forward", function()
    for mode in pairs(GATES) do
      local inputs, options = call_of(mode, { layers = 2, p = 0.4, hidden = 3, bidirectional = true })
      for _, x in ipairs(inputs) do x:attach_grad() end
      local function loss()
        hl.random.seed(5)
        return autograd.train_mode(function() return loss_of(inputs, options) end)
      end
      autograd.record(loss):backward()
      for i, x in ipairs(inputs) do
        examples.compare_differences({ name = "RNN, " .. mode }, i, x, x.grad:totable(), loss, 1e-6)
      end
    end
  end)

  -- All outputs and gradients; `form` is the kind of call.
  local function everything(mode, o, form)
    local inputs, options = call_of(mode, o)
    for _, x in ipairs(inputs) do if x.dtype == o.dtype then x:attach_grad() end end
    local function call(...)
      local arguments = { ... }
      arguments[#arguments + 1] = options
      return nd.RNN(table.unpack(arguments))
    end
    local fn = form == "compiled" and hl.compile(function(_, ...) return call(...) end) or call
    hl.random.seed(4)
    local results = autograd.record(function() return list(fn(table.unpack(inputs))) end)
    local heads = {}
    for i, y in ipairs(results) do
      heads[i] = nd.arange(y.size, { dtype = o.dtype }):reshape { shape = y.shape } * 0.1
    end
    autograd.backward(results, heads)
    for _, x in ipairs(inputs) do if x.dtype == o.dtype then results[#results + 1] = x.grad end end
    return results, outputs(inputs, options)
  end

  it("gives the same bits with and without recording, eager and compiled, with one thread and several", function()
    local before <close> = setmetatable({ core.host.threads() }, { __close = function(t) core.host.threads(t[1]) end })
    assert.truthy(before)
    for mode in pairs(GATES) do
      for _, dtype in ipairs { "float32", "float64" } do
        for _, o in ipairs { { steps = 7, batch = 5, features = 17, hidden = 33 },
                             { steps = 3, batch = 16, features = 64, hidden = 96 },
                             { steps = 3, batch = 32, features = 64, hidden = 96 } } do
          o.dtype, o.layers, o.bidirectional, o.lengths = dtype, 2, true, nil
          core.host.threads(1)
          local alone = everything(mode, o)
          core.host.threads(2)
          local eager, predicted = everything(mode, o)
          for i, y in ipairs(alone) do assert.bits(eager[i], y) end
          for i, y in ipairs(predicted) do assert.bits(eager[i], y) end
          for i, y in ipairs(everything(mode, o, "compiled")) do assert.bits(eager[i], y) end
          o.p = 0.3
          local dropped = everything(mode, o)
          for i, y in ipairs(everything(mode, o, "compiled")) do assert.bits(dropped[i], y) end
        end
      end
    end
  end)

  -- One layer built from other operators, by the formulas in the row's documentation.
  local function by_hand(mode, o, inputs)
    local data, weights, h, c = inputs[1], inputs[2], inputs[3]:reshape { shape = { -3, 0 } },
      mode == "lstm" and inputs[4]:reshape { shape = { -3, 0 } }
    local lengths, gates, n = inputs[#inputs], GATES[mode], o.hidden
    local at = 0
    local function take(rows, columns)
      at = at + rows * columns
      return weights:slice { begin = { at - rows * columns }, ["end"] = { at } }:reshape { shape = { rows, columns } }
    end
    local W, R = take(gates * n, o.features), take(gates * n, o.projection or n)
    local P = o.projection and take(o.projection, n)
    local bx, bh = take(1, gates * n), take(1, gates * n)
    local steps = {}
    for t = 1, o.steps do
      local x = nd.dot(data[t - 1], W, { transpose_b = true })
      local function gate(k, r)
        local function part(y) return y:slice_axis { axis = 1, begin = k * n, ["end"] = (k + 1) * n } end
        return part(x + bx) + (r or 1) * part(nd.dot(h, R, { transpose_b = true }) + bh)
      end
      local new, cell
      if mode == "lstm" then
        cell = gate(1):sigmoid() * c + gate(0):sigmoid() * gate(2):tanh()
        if o.clip then cell = cell:clip(-o.clip, o.clip) end
        new = gate(3):sigmoid() * cell:tanh()
        if P then new = nd.dot(new, P, { transpose_b = true }) end
      elseif mode == "gru" then
        local update = gate(1):sigmoid()
        new = (1 - update) * gate(2, gate(0):sigmoid()):tanh() + update * h
      else
        new = mode == "rnn_tanh" and gate(0):tanh() or gate(0):relu()
      end
      if o.lengths then
        local there = lengths:astype "float64":greater_equal(t):reshape { shape = { -1, 1 } }
        steps[t] = new * there
        h = h + there * (new - h)
        if cell then c = c + there * (cell - c) end
      else
        h, c, steps[t] = new, cell, new
      end
    end
    return { nd.stack(steps, { axis = 0 }), h:expand_dims(0), c and c:expand_dims(0) or nil }
  end

  it("matches cells built from other operators, for all sizes", function()
    local function lengths_of(o)
      if not o.lengths then return end
      local list_of = {}
      for i = 1, o.batch do list_of[i] = (i * 7) % (o.steps + 1) end
      o.lengths = list_of
    end
    local sizes = {
      { steps = 2, batch = 2, features = 3, hidden = 5 },                     -- few rows
      { steps = 4, batch = 3, features = 5, hidden = 20 },                    -- a panel and part of one
      { steps = 4, batch = 6, features = 5, hidden = 37, lengths = true },
      { steps = 9, batch = 1, features = 3, hidden = 70 },                    -- one sequence, the last panel narrow
      { steps = 8, batch = 1, features = 3, hidden = 150, lengths = true },   -- the same for cells with one gate
      { steps = 3, batch = 101, features = 2, hidden = 70, lengths = true },  -- rows in three blocks
      { steps = 2, batch = 4, features = 3, hidden = 1100 },                  -- chains in two blocks
    }
    for mode in pairs(GATES) do
      for _, o in ipairs(sizes) do
        if o.hidden < 1000 or GATES[mode] == 1 then
          lengths_of(o)
          for _, extra in ipairs(mode == "lstm" and { {}, { projection = 19 }, { clip = 0.3 } } or { {} }) do
            o.projection, o.clip = extra.projection, extra.clip
            local inputs, options = call_of(mode, o)
            for i, x in ipairs(inputs) do
              if i == 2 then x:mul_(0.2) end
              if x.dtype == "float64" then x:attach_grad() end
            end
            local function graded(run)
              local results = autograd.record(run)
              local heads = {}
              for i, y in ipairs(results) do
                heads[i] = nd.arange(y.size, { dtype = "float64" }):sin():reshape_like(y)
              end
              autograd.backward(results, heads)
              for _, x in ipairs(inputs) do if x.dtype == "float64" then results[#results + 1] = x.grad:copy() end end
              return results
            end
            local expected = graded(function() return by_hand(mode, o, inputs) end)
            for i, y in ipairs(graded(function() return outputs(inputs, options) end)) do
              assert.allclose(y, expected[i], 1e-9, 1e-9)
            end
          end
        end
      end
    end
  end)

  it("rejects invalid arguments", function()
    local inputs, options = call_of("gru", {})
    local function with(changes, given)
      local changed = {}
      for k, v in pairs(options) do changed[k] = v end
      for k, v in pairs(changes) do changed[k] = v end
      return function() outputs(given or inputs, changed) end
    end
    assert.raises(with { state_size = 0 }, "RNN: state_size: expected 1 or more, got 0")
    assert.raises(with { num_layers = 0 }, "RNN: num_layers: expected 1 or more, got 0")
    assert.raises(with { p = 2 }, "RNN: p: expected a probability, got 2")
    assert.raises(with { projection_size = 2 }, "RNN: projection_size: expected nothing, because only lstm has it")
    assert.raises(with { state_size = 3 }, "RNN: .*: expected shape")
    assert.raises(with({}, { inputs[1], inputs[2] }), "RNN: state: expected an NDArray, got nothing")
    assert.raises(with { mode = "lstm" }, "RNN: state_cell: expected an NDArray, got nothing")
    assert.raises(with { use_sequence_length = true }, "RNN: sequence_length: expected an NDArray, got nothing")
    local long = { inputs[1], inputs[2], inputs[3], nd.array { 1, 9 } }
    assert.raises(with({ use_sequence_length = true }, long),
      "RNN: sequence_length: expected 0 to 3, the steps of data, got 9 for sequence 1")
    local clipped, lstm = call_of("lstm", {})
    lstm.lstm_state_clip_max = 1
    assert.raises(function() outputs(clipped, lstm) end, "RNN: lstm_state_clip_min: expected a number")
    local x = inputs[1]
    x:attach_grad()
    assert.raises(function()
      autograd.record(function()
        return autograd.grad(outputs(inputs, options)[1]:sum(), { x }, { create_graph = true })[1]:sum()
      end):backward()
    end, "RNN: its gradient cannot be differentiated again")
  end)
end)

-- rnn/symbol_cells.lua - RNNCell, LSTMCell, GRUCell, and FusedRNNCell, whose steps are one operator.
local arguments = require "hybridlua.language.arguments"
local base = require "hybridlua.rnn.base_cell"
local checks = require "hybridlua.language.argument_checks"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local initializer = require "hybridlua.initializer"
local next_name = core.name.next

local sym, nd = core.op.sym, core.op.nd
local BaseRNNCell, check_states, cells = base.BaseRNNCell, base.check_states, {}

-- What the three cells with steps have in common: variables, and states of num_hidden units.
local function prepare(self, what, o, states, gates, bias)
  BaseRNNCell.init(self, { prefix = o.prefix, params = o.params })
  self._num_hidden = checks.whole(what .. ": num_hidden", o.num_hidden, 1)
  self._gate_names = gates
  self._iW, self._hW = self.params:get "i2h_weight", self.params:get "h2h_weight"
  self._iB, self._hB = self.params:get("i2h_bias", bias), self.params:get "h2h_bias"
  for _ = 1, states do self:_add_states { { shape = { 0, self._num_hidden }, __layout__ = "NC" } } end
end

local function dense(self, data, which, name)
  return sym.FullyConnected { data = data, weight = self["_" .. which .. "W"], bias = self["_" .. which .. "B"],
    num_hidden = self._num_hidden * #self._gate_names, name = name }
end

local function activation(x, act_type, name) return sym.Activation(x, { act_type = act_type, name = name }) end

-- ---- RNNCell -----------------------------------------------------------------------------------------------------

--- RNNCell(num_hidden, {activation = "tanh", prefix = "rnn_", params = nil}): h' = activation(W x + b + V h + c).
-- activation: a name, or a function of a Symbol and { name = }.
local RNNCell = BaseRNNCell:subclass "RNNCell"
cells.RNNCell = RNNCell

local read_rnn = arguments.new("RNNCell", "num_hidden activation prefix params",
  { activation = "tanh", prefix = "rnn_" })

function RNNCell:init(...)
  local o = read_rnn(...)
  prepare(self, "RNNCell", o, 1, { "" })
  self._activation = o.activation
  if type(o.activation) ~= "string" then checks.callable("RNNCell: activation", o.activation, "a Symbol") end
end

function RNNCell:__call(inputs, states)
  check_states("RNNCell", states, 1)
  local name = self:_step()
  local sum = dense(self, inputs, "i", name .. "i2h") + dense(self, states[1], "h", name .. "h2h")
  local act = self._activation
  local output = type(act) == "string" and activation(sum, act, name .. "out") or
    act(sum, { name = name .. "out" })
  return output, { output }
end

-- ---- LSTMCell ----------------------------------------------------------------------------------------------------

--- LSTMCell(num_hidden, {prefix = "lstm_", params = nil, forget_bias = 1.0}): gates in the order i, f, c, o.
-- forget_bias: what the initializer of the variable i2h_bias sets for the forget gate.
local LSTMCell = BaseRNNCell:subclass "LSTMCell"
cells.LSTMCell = LSTMCell

local read_lstm = arguments.new("LSTMCell", "num_hidden prefix params forget_bias",
  { prefix = "lstm_", forget_bias = 1.0 })

function LSTMCell:init(...)
  local o = read_lstm(...)
  prepare(self, "LSTMCell", o, 2, { "_i", "_f", "_c", "_o" },
    { init = initializer.LSTMBias(checks.number("LSTMCell: forget_bias", o.forget_bias)) })
end

function LSTMCell:__call(inputs, states)
  check_states("LSTMCell", states, 2)
  local name = self:_step()
  local gates = dense(self, inputs, "i", name .. "i2h") + dense(self, states[1], "h", name .. "h2h")
  local slices = sym.SliceChannel(gates, { num_outputs = 4, name = name .. "slice" })
  local i, f = activation(slices[1], "sigmoid", name .. "i"), activation(slices[2], "sigmoid", name .. "f")
  local c, o = activation(slices[3], "tanh", name .. "c"), activation(slices[4], "sigmoid", name .. "o")
  local next_c = sym._plus(f * states[2], i * c, { name = name .. "state" })
  local next_h = sym._mul(o, sym.Activation(next_c, { act_type = "tanh" }), { name = name .. "out" })
  return next_h, { next_h, next_c }
end

-- ---- GRUCell -----------------------------------------------------------------------------------------------------

--- GRUCell(num_hidden, {prefix = "gru_", params = nil}): gates in the order r, z, o, in cuDNN's form.
local GRUCell = BaseRNNCell:subclass "GRUCell"
cells.GRUCell = GRUCell

local read_gru = arguments.new("GRUCell", "num_hidden prefix params", { prefix = "gru_" })

function GRUCell:init(...) prepare(self, "GRUCell", read_gru(...), 1, { "_r", "_z", "_o" }) end

function GRUCell:__call(inputs, states)
  check_states("GRUCell", states, 1)
  local name, before = self:_step(), states[1]
  local i2h, h2h = dense(self, inputs, "i", name .. "_i2h"), dense(self, before, "h", name .. "_h2h")
  local i = sym.SliceChannel(i2h, { num_outputs = 3, name = name .. "_i2h_slice" })
  local h = sym.SliceChannel(h2h, { num_outputs = 3, name = name .. "_h2h_slice" })
  local reset = activation(i[1] + h[1], "sigmoid", name .. "_r_act")
  local update = activation(i[2] + h[2], "sigmoid", name .. "_z_act")
  local candidate = activation(i[3] + reset * h[3], "tanh", name .. "_h_act")
  local next_h = sym._plus((1.0 - update) * candidate, update * before, { name = name .. "out" })
  return next_h, { next_h }
end

-- ---- FusedRNNCell ------------------------------------------------------------------------------------------------

local GATES = { rnn_relu = { "" }, rnn_tanh = { "" }, lstm = { "_i", "_f", "_c", "_o" }, gru = { "_r", "_z", "_o" } }

--- FusedRNNCell(num_hidden, {num_layers = 1, mode = "lstm", bidirectional = false, dropout = 0, get_next_state = false,
-- forget_bias = 1, prefix = mode .. "_", params = nil}): layers of cells as one operator, RNN, with one vector of
-- weights. It is unrolled, not stepped; unfuse returns the same network as cells with steps.
local FusedRNNCell = BaseRNNCell:subclass "FusedRNNCell"
cells.FusedRNNCell = FusedRNNCell

local read_fused = arguments.new("FusedRNNCell",
  "num_hidden num_layers mode bidirectional dropout get_next_state forget_bias prefix params",
  { num_layers = 1, mode = "lstm", bidirectional = false, dropout = 0, get_next_state = false, forget_bias = 1.0 })

function FusedRNNCell:init(...)
  local o = read_fused(...)
  checks.choice("FusedRNNCell: mode", o.mode, "rnn_relu", "rnn_tanh", "lstm", "gru")
  BaseRNNCell.init(self, { prefix = o.prefix or o.mode .. "_", params = o.params })
  self._num_hidden = checks.whole("FusedRNNCell: num_hidden", o.num_hidden, 1)
  self._num_layers = checks.whole("FusedRNNCell: num_layers", o.num_layers, 1)
  self._bidirectional = checks.boolean("FusedRNNCell: bidirectional", o.bidirectional)
  self._dropout = checks.probability("FusedRNNCell: dropout", o.dropout)
  self._mode, self._get_next_state = o.mode, checks.boolean("FusedRNNCell: get_next_state", o.get_next_state)
  self._gate_names, self._directions = GATES[o.mode], o.bidirectional and { "l", "r" } or { "l" }
  self._parameter = self.params:get("parameters",
    { init = initializer.FusedRNN(nil, o.num_hidden, o.num_layers, o.mode, o.bidirectional, o.forget_bias) })
  for _ = 1, o.mode == "lstm" and 2 or 1 do
    self:_add_states { { shape = { #self._directions * o.num_layers, 0, o.num_hidden }, __layout__ = "LNC" } }
  end
end

-- Calls fn(name, first, shape) for each weight of each gate, in the order of the vector; returns the length of all.
function FusedRNNCell:_each_weight(num_input, fn)
  local h, at, b = self._num_hidden, 0, #self._directions
  local function each(layer, direction, group, kind, shape)
    for _, gate in ipairs(self._gate_names) do
      fn(("%s%s%d_%s%s_%s"):format(self._prefix, direction, layer, group, gate, kind), at, shape)
      at = at + shape[1] * (shape[2] or 1)
    end
  end
  for layer = 0, self._num_layers - 1 do
    for _, direction in ipairs(self._directions) do
      each(layer, direction, "i2h", "weight", { h, layer > 0 and b * h or num_input })
      each(layer, direction, "h2h", "weight", { h, h })
    end
  end
  for layer = 0, self._num_layers - 1 do
    for _, direction in ipairs(self._directions) do
      each(layer, direction, "i2h", "bias", { h })
      each(layer, direction, "h2h", "bias", { h })
    end
  end
  return at
end

--- unpack_weights(args): a copy in which the vector of weights is replaced by a weight and a bias per layer and gate,
-- with the names that unfuse's cells unpack to.
function FusedRNNCell:unpack_weights(args)
  args = base.copy_of("unpack_weights", args)
  local vector = base.take("unpack_weights", args, self._parameter.name)
  local b, m, h = #self._directions, #self._gate_names, self._num_hidden
  local num_input = vector.size // b // h // m - (self._num_layers - 1) * (h + b * h + 2) - h - 2
  local total = num_input > 0 and self:_each_weight(num_input, function() end)
  if total ~= vector.size then
    fail("unpack_weights: %s: expected the weights of such a network, got %d numbers", self._parameter.name,
      vector.size)
  end
  vector = vector:reshape { -1 }
  self:_each_weight(num_input, function(name, first, shape)
    args[name] = vector[{ { first, first + shape[1] * (shape[2] or 1) } }]:reshape(shape):copy()
  end)
  return args
end

--- pack_weights(args): the reverse of unpack_weights.
function FusedRNNCell:pack_weights(args)
  args = base.copy_of("pack_weights", args)
  local first = ("%sl0_i2h%s_weight"):format(self._prefix, self._gate_names[1])
  local w0 = base.take("pack_weights", args, first)
  args[first] = w0
  local parts = {}
  self:_each_weight(w0.shape[2], function(name)
    parts[#parts + 1] = base.take("pack_weights", args, name):reshape { -1 }
  end)
  args[self._parameter.name] = nd.concat(parts, { dim = 0 })
  return args
end

function FusedRNNCell:__call() fail "FusedRNNCell cannot be stepped. Please use unroll" end

-- (batch, time, features) from (time, batch, features), or the reverse.
local function swapped(x) return sym.swapaxes(x, { dim1 = 0, dim2 = 1, name = next_name(nil, "swapaxes") }) end

local function apply(self, inputs, states)
  check_states("FusedRNNCell", states, self._mode == "lstm" and 2 or 1)
  return sym.RNN { data = inputs, parameters = self._parameter, state = states[1], state_cell = states[2],
    state_size = self._num_hidden, num_layers = self._num_layers, bidirectional = self._bidirectional,
    p = self._dropout, state_outputs = self._get_next_state, mode = self._mode, name = self._prefix .. "rnn" }
end

--- unroll(length, inputs, begin_state, layout = "NTC", merge_outputs = nil): as BaseRNNCell.unroll; the states are the
-- last ones if get_next_state, else an empty list.
function FusedRNNCell:unroll(length, inputs, begin_state, layout, merge_outputs)
  length, layout = checks.whole("unroll: length", length, 1), layout or "NTC"
  self:reset()
  local sequence, axis = base.normalize("unroll", length, inputs, layout, true)
  if axis > 1 then fail("unroll: layout: expected 'NTC' or 'TNC', got '%s'", layout) end
  if axis == 1 then sequence = swapped(sequence) end
  local results, states = apply(self, sequence, begin_state or self:begin_state()), {}
  local outputs = results
  if self._get_next_state then
    outputs, states = results[1], table.move(results, 2, #results, 1, {})
    for _, state in ipairs(states) do state:_set_attr { __layout__ = "LNC" } end
  end
  if axis == 1 then outputs = swapped(outputs) end
  return base.normalize("unroll", length, outputs, layout, merge_outputs), states
end

--- unfuse(): the same network as a SequentialRNNCell of cells with steps.
function FusedRNNCell:unfuse()
  local modifiers, stacks = require "hybridlua.rnn.modifier_cells", require "hybridlua.rnn.cell_stacks"
  local stack = stacks.SequentialRNNCell()
  local make = { rnn_relu = function(p) return RNNCell(self._num_hidden, { activation = "relu", prefix = p }) end,
    rnn_tanh = function(p) return RNNCell(self._num_hidden, { activation = "tanh", prefix = p }) end,
    lstm = function(p) return LSTMCell(self._num_hidden, { prefix = p }) end,
    gru = function(p) return GRUCell(self._num_hidden, { prefix = p }) end }
  make = make[self._mode]
  for i = 0, self._num_layers - 1 do
    local left = make(("%sl%d_"):format(self._prefix, i))
    stack:add(not self._bidirectional and left or stacks.BidirectionalCell(left,
      make(("%sr%d_"):format(self._prefix, i)), { output_prefix = ("%sbi_l%d_"):format(self._prefix, i) }))
    if self._dropout > 0 and i < self._num_layers - 1 then
      stack:add(modifiers.DropoutCell(self._dropout, { prefix = ("%s_dropout%d_"):format(self._prefix, i) }))
    end
  end
  return stack
end

arguments.as_above(FusedRNNCell)
arguments.methods(FusedRNNCell, "FusedRNNCell.", { unfuse = "" })

return cells

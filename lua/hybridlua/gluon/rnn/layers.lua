-- layers.lua - the recurrent layers RNN, LSTM and GRU, each one call of the operator RNN. Data is (steps, batch,
-- features), or (batch, steps, features) with layout "NTC". layer(x) starts from zeros and returns the outputs;
-- layer(x, states) returns the outputs and the list of the last states.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local begin = require "hybridlua.gluon.rnn.begin_state"
local unrolling = require "hybridlua.gluon.rnn.unrolling"
local nd = core.op.nd

local rnn = {}

local GATES = { rnn_relu = 1, rnn_tanh = 1, lstm = 4, gru = 3 }
local WAYS = { "l", "r" }

-- The base class of the three layers.
local Layer = HybridBlock:subclass "_RNNLayer"

-- Calls visit(prefix, name, shape) for each parameter, in order: "l0_", "i2h_weight" and so on.
local function each_parameter(self, features, visit)
  local rows, out = GATES[self._mode] * self._hidden_size, self._projection_size or self._hidden_size
  for layer = 0, self._num_layers - 1 do
    for way = 1, self._ways do
      local prefix = WAYS[way] .. layer .. "_"
      visit(prefix, "i2h_weight", { rows, features })
      visit(prefix, "h2h_weight", { rows, out })
      visit(prefix, "i2h_bias", { rows })
      visit(prefix, "h2h_bias", { rows })
      if self._projection_size then visit(prefix, "h2r_weight", { out, self._hidden_size }) end
    end
    features = out * self._ways
  end
end

local function init(self, name, mode, o)
  self._hidden_size = checks.whole(name .. ": hidden_size", o.hidden_size, 1)
  self._num_layers = checks.whole(name .. ": num_layers", o.num_layers, 1)
  self._input_size = checks.whole(name .. ": input_size", o.input_size, 0)
  checks.probability(name .. ": dropout", o.dropout)
  if o.layout ~= "TNC" and o.layout ~= "NTC" then
    fail("Invalid layout %s; must be one of ['TNC' or 'NTC']", tostring(o.layout))
  end
  checks.boolean(name .. ": bidirectional", o.bidirectional)
  self._mode, self._layout, self._dropout, self._ways = mode, o.layout, o.dropout, o.bidirectional and 2 or 1
  self._projection_size = o.projection_size and checks.whole(name .. ": projection_size", o.projection_size, 1)
  self._use_sequence_length = o.use_sequence_length or false
  self._prepared = core.op.prepare("RNN", {
    state_size = self._hidden_size, num_layers = self._num_layers, bidirectional = o.bidirectional, mode = mode,
    p = o.dropout, state_outputs = true, projection_size = self._projection_size,
    use_sequence_length = self._use_sequence_length, lstm_state_clip_min = o.state_clip_min,
    lstm_state_clip_max = o.state_clip_max, lstm_state_clip_nan = o.state_clip_nan })
  each_parameter(self, self._input_size, function(prefix, parameter, shape)
    self[prefix .. parameter] = self.params:get(prefix .. parameter, {
      shape = shape, init = o[parameter .. "_initializer"], dtype = o.dtype, allow_deferred_init = true })
  end)
end

--- The shapes and layouts of the states for a batch size: a list of tables.
function Layer:state_info(batch_size)
  local first = self._num_layers * self._ways
  local list = { { shape = { first, batch_size or 0, self._projection_size or self._hidden_size },
                   __layout__ = "LNC" } }
  if self._mode == "lstm" then
    list[2] = { shape = { first, batch_size or 0, self._hidden_size }, __layout__ = "LNC" }
  end
  return list
end

--- A list of initial states: func (default nd.zeros) with each state's shape and all other options, {ctx = , dtype = }.
function Layer:begin_state(batch_size, func, options)
  local list = {}
  for i, info in ipairs(self:state_info(batch_size)) do
    list[i] = begin.state(self, info, ("%sh0_%d"):format(self.prefix, i - 1), func, options)
  end
  return list
end

arguments.methods(Layer, "", { state_info = "batch_size", begin_state = begin.ARGUMENTS })

-- States of zeros for data (steps, batch, features) whose batch size is unknown in a trace.
local function zeros(self, F, x)
  local one = F.slice_axis(F.slice_axis(x, { axis = 0, begin = 0, ["end"] = 1 }), { axis = 2, begin = 0, ["end"] = 1 })
  one = F.zeros_like(one)
  local states = {}
  for i, info in ipairs(self:state_info()) do
    states[i] = F.broadcast_axis(one, { axis = { 0, 2 }, size = { info.shape[1], info.shape[3] } })
  end
  return states
end

local function check_states(self, x, states)
  local info = self:state_info(x.shape[2])
  for i, state in ipairs(states) do
    local wanted, got = table.concat(info[i].shape, ", "), table.concat(state.shape, ", ")
    if wanted ~= got then fail("Invalid recurrent state shape. Expecting (%s), got (%s).", wanted, got) end
  end
end

-- All parameters in one vector, in the operator's order.
local function packed(self, F, p)
  local parts = {}
  for _, kind in ipairs { "weight", "bias" } do
    for layer = 0, self._num_layers - 1 do
      for way = 1, self._ways do
        for _, what in ipairs { "i2h_", "h2h_", "h2r_" } do
          local parameter = p[("%s%d_%s%s"):format(WAYS[way], layer, what, kind)]
          if parameter then parts[#parts + 1] = F.reshape(parameter, { shape = { -1 } }) end
        end
      end
    end
  end
  return F._rnn_param_concat(parts, { dim = 0 })
end

function Layer:hybrid_forward(F, inputs, states, sequence_length, p)
  local given = states ~= nil
  if given then states = unrolling.states(self, states, self._mode == "lstm" and 2 or 1) end
  local x = self._layout == "NTC" and F.swapaxes(inputs, { dim1 = 0, dim2 = 1 }) or inputs
  if not given then states = zeros(self, F, x) elseif F == nd then check_states(self, x, states) end
  local operands = { x, packed(self, F, p), table.unpack(states) }
  if self._use_sequence_length then operands[#operands + 1] = sequence_length end
  operands[#operands + 1] = self._prepared
  local results = F.RNN(table.unpack(operands))
  local outputs = results[1]
  if self._layout == "NTC" then outputs = F.swapaxes(outputs, { dim1 = 0, dim2 = 1 }) end
  if not given then return outputs end
  return outputs, { results[2], self._mode == "lstm" and results[3] or nil }
end

-- MXNet's structural name: that of the same parameter in the equivalent cell.
function Layer:_structural_name(name)
  local way, layer, rest = name:match "^([lr])(%d+)_(.+)$"
  if not way then return name end
  if self._ways == 2 then return ("_unfused.%s.%s_cell.%s"):format(layer, way, rest) end
  return ("_unfused.%s.%s"):format(layer, rest)
end

function Layer.__tostring(self)
  local shape = self.l0_i2h_weight.shape
  local parts = { ("%s -> %d"):format(shape[2] > 0 and shape[2] or "None", self._hidden_size), self._layout }
  if self._num_layers ~= 1 then parts[#parts + 1] = "num_layers=" .. self._num_layers end
  if self._dropout ~= 0 then parts[#parts + 1] = "dropout=" .. self._dropout end
  if self._ways == 2 then parts[#parts + 1] = "bidirectional" end
  return ("%s(%s)"):format(class.of(self).__name__, table.concat(parts, ", "))
end

local function reader(name, names, defaults)
  for key, value in pairs { num_layers = 1, layout = "TNC", dropout = 0, bidirectional = false, input_size = 0,
                            i2h_bias_initializer = "zeros", h2h_bias_initializer = "zeros" } do
    defaults[key] = value
  end
  return arguments.of_block(name, names, defaults)
end

--- RNN(hidden_size, num_layers = 1, activation = "relu", {layout = "TNC", dropout = 0, bidirectional = false,
-- input_size = 0, use_sequence_length = false, initializers}): an Elman network, h' = activation(W x + b + R h + c);
-- activation is "relu" or "tanh".
rnn.RNN = Layer:subclass "RNN"

local read_rnn = reader("RNN", "hidden_size num_layers activation layout dropout bidirectional " ..
  "i2h_weight_initializer h2h_weight_initializer i2h_bias_initializer h2h_bias_initializer input_size dtype " ..
  "use_sequence_length", { activation = "relu" })

function rnn.RNN:init(...)
  local options = read_rnn(...)
  checks.choice("RNN: activation", options.activation, "relu", "tanh")
  init(self, "RNN", "rnn_" .. options.activation, options)
end

local COMMON = "hidden_size num_layers layout dropout bidirectional input_size i2h_weight_initializer " ..
  "h2h_weight_initializer i2h_bias_initializer h2h_bias_initializer "

--- LSTM(hidden_size, num_layers = 1, {layout = "TNC", dropout = 0, bidirectional = false, input_size = 0,
-- projection_size, state_clip_min, state_clip_max, use_sequence_length = false, initializers}): long short-term memory,
-- gates in the order in, forget, cell, out (S. Hochreiter, J. Schmidhuber, 1997). Its states are h and c.
rnn.LSTM = Layer:subclass "LSTM"

local read_lstm = reader("LSTM", COMMON .. "projection_size h2r_weight_initializer state_clip_min state_clip_max " ..
  "state_clip_nan dtype use_sequence_length", { state_clip_nan = false })

function rnn.LSTM:init(...) init(self, "LSTM", "lstm", read_lstm(...)) end

--- GRU(hidden_size, num_layers = 1, {layout = "TNC", dropout = 0, bidirectional = false, input_size = 0,
-- use_sequence_length = false, initializers}): gated recurrent units, gates in the order reset, update, new (K. Cho et
-- al., 2014).
rnn.GRU = Layer:subclass "GRU"

local read_gru = reader("GRU", COMMON .. "dtype use_sequence_length", {})

function rnn.GRU:init(...) init(self, "GRU", "gru", read_gru(...)) end

return rnn

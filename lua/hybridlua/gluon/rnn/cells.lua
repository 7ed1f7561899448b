-- cells.lua - RNNCell, LSTMCell, GRUCell: one step of a recurrent layer, in MXNet's formulas.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local base = require "hybridlua.gluon.rnn.recurrent_cell"
local modifier_state = require "hybridlua.gluon.rnn.modifier_state"
local unrolling = require "hybridlua.gluon.rnn.unrolling"

local rnn = {}

-- ---- The three cells ----------------------------------------------------------------------------------------

local GATES = { RNN = 1, LSTM = 4, GRU = 3 }
local NAMES = "hidden_size %s i2h_weight_initializer h2h_weight_initializer i2h_bias_initializer " ..
  "h2h_bias_initializer input_size %s"

-- Makes a cell's argument reader; `second` and `last` name its further arguments.
local function reader(name, second, last, defaults)
  defaults.i2h_bias_initializer, defaults.h2h_bias_initializer, defaults.input_size = "zeros", "zeros", 0
  return arguments.of_block(name, NAMES:format(second, last), defaults)
end

local function init(self, kind, o)
  local hidden = checks.whole(kind .. "Cell: hidden_size", o.hidden_size, 1)
  local rows, features = GATES[kind] * hidden, checks.whole(kind .. "Cell: input_size", o.input_size, 0)
  self._hidden_size, self._states = hidden, kind == "LSTM" and 2 or 1
  local shapes = { i2h_weight = { rows, features }, h2h_weight = { rows, hidden }, i2h_bias = { rows },
                   h2h_bias = { rows } }
  for _, name in ipairs { "i2h_weight", "h2h_weight", "i2h_bias", "h2h_bias" } do
    self[name] = self.params:get(name, { shape = shapes[name], init = o[name .. "_initializer"],
                                         allow_deferred_init = true })
  end
  self._i2h = core.op.prepare("FullyConnected", { num_hidden = rows, name = "i2h", _check = self.name .. ": input" })
  self._h2h = core.op.prepare("FullyConnected", { num_hidden = rows, name = "h2h", _check = self.name .. ": state" })
end

-- Options of operators, with MXNet's names.
local function activation(act_type, name) return core.op.prepare("Activation", { act_type = act_type, name = name }) end
local function sliced(n, name) return core.op.prepare("SliceChannel", { num_outputs = n, name = name }) end

local OUT = core.op.prepare("broadcast_mul", { name = "out" })
local STATE = core.op.prepare("broadcast_add", { name = "state" })
local MIXED = core.op.prepare("broadcast_add", { name = "out" })
local SLICE, I2H_SLICE, H2H_SLICE = sliced(4, "slice"), sliced(3, "i2h_slice"), sliced(3, "h2h_slice")
local RESET, UPDATE = core.op.prepare("sigmoid", { name = "r_act" }), core.op.prepare("sigmoid", { name = "z_act" })
local FRESH = core.op.prepare("tanh", { name = "h_act" })

-- The sums of a step's gates, from its input and from its state.
local function sums(self, F, input, state, p)
  return F.FullyConnected(input, p.i2h_weight, p.i2h_bias, self._i2h),
    F.FullyConnected(state, p.h2h_weight, p.h2h_bias, self._h2h)
end

local function list_of(self, states) return unrolling.states(self, states, self._states) end

local function state_info(self, batch_size)
  local list = {}
  for i = 1, self._states do list[i] = { shape = { batch_size or 0, self._hidden_size }, __layout__ = "NC" } end
  return list
end

local function text(self, ...)
  local shape = self.i2h_weight.shape
  local parts = { ("%s -> %d"):format(shape[2] > 0 and shape[2] or "None", shape[1]), ... }
  return ("%s(%s)"):format(class.of(self).__name__, table.concat(parts, ", "))
end

local function define(kind, alias)
  local cls = base.HybridRecurrentCell:subclass(kind .. "Cell")
  function cls.alias() return alias end
  --- The shapes and layouts of the states for a batch: a list of tables.
  cls.state_info = state_info
  cls._step_prefix = modifier_state.step_prefix
  arguments.methods(cls, "", { state_info = "batch_size" })
  rnn[kind .. "Cell"] = cls
  return cls
end

--- RNNCell(hidden_size, {activation = "tanh", input_size = 0, initializers}): h' = activation(W x + b + R h + c).
local RNNCell = define("RNN", "rnn")

local read_rnn = reader("RNNCell", "activation", "", { activation = "tanh" })

function RNNCell:init(...)
  local options = read_rnn(...)
  init(self, "RNN", options)
  self._activation = options.activation
  self._act = activation(options.activation, "out")
end

function RNNCell:hybrid_forward(F, input, states, p)
  local i2h, h2h = sums(self, F, input, list_of(self, states)[1], p)
  local output = F.Activation(i2h + h2h, self._act)
  return output, { output }
end

function RNNCell:__tostring() return text(self, self._activation) end

--- LSTMCell(hidden_size, {input_size = 0, activation = "tanh", recurrent_activation = "sigmoid", initializers}): one
-- step of an LSTM, with the gates in the order in, forget, cell, out; its states are h and c.
local LSTMCell = define("LSTM", "lstm")

local read_lstm = reader("LSTMCell", "", "activation recurrent_activation",
  { activation = "tanh", recurrent_activation = "sigmoid" })

function LSTMCell:init(...)
  local options = read_lstm(...)
  init(self, "LSTM", options)
  self._act = activation(options.activation)
  self._enter, self._keep = activation(options.recurrent_activation, "i"), activation(options.recurrent_activation, "f")
  self._fresh, self._let = activation(options.activation, "c"), activation(options.recurrent_activation, "o")
end

function LSTMCell:hybrid_forward(F, input, states, p)
  states = list_of(self, states)
  local i2h, h2h = sums(self, F, input, states[1], p)
  local gates = F.SliceChannel(i2h + h2h, SLICE)
  local enter, keep = F.Activation(gates[1], self._enter), F.Activation(gates[2], self._keep)
  local fresh, let = F.Activation(gates[3], self._fresh), F.Activation(gates[4], self._let)
  local cell = F.broadcast_add(keep * states[2], enter * fresh, STATE)
  local output = F.broadcast_mul(let, F.Activation(cell, self._act), OUT)
  return output, { output, cell }
end

function LSTMCell:__tostring() return text(self) end

--- GRUCell(hidden_size, {input_size = 0, initializers}): one step of a GRU, gates in the order reset, update, new.
local GRUCell = define("GRU", "gru")

local read_gru = reader("GRUCell", "", "", {})

function GRUCell:init(...) init(self, "GRU", read_gru(...)) end

function GRUCell:hybrid_forward(F, input, states, p)
  local before = list_of(self, states)[1]
  local i2h, h2h = sums(self, F, input, before, p)
  local x, h = F.SliceChannel(i2h, I2H_SLICE), F.SliceChannel(h2h, H2H_SLICE)
  local reset, update = F.sigmoid(x[1] + h[1], RESET), F.sigmoid(x[2] + h[2], UPDATE)
  local output = F.broadcast_add((1 - update) * F.tanh(x[3] + reset * h[3], FRESH), update * before, MIXED)
  return output, { output }
end

function GRUCell:__tostring() return text(self) end

return rnn

-- cells.lua - recurrent cells: one step of a recurrent layer, as a block. A call cell(input, states) gives the output
-- and the list of the states after it; cell:unroll goes over a sequence. RNNCell, LSTMCell, GRUCell, and
-- SequentialRNNCell, which is several one upon the other. Inputs are (batch, features), states (batch, values).
local core = require "hybridlua.core"
local arguments = require "hybridlua.arguments"
local class = require "hybridlua.class"
local fail = require "hybridlua.fail"
local Block = require "hybridlua.gluon.block"
local HybridBlock = require "hybridlua.gluon.hybrid_block"

local rnn = {}

local function whole(what, x, least)
  local n = type(x) == "number" and math.tointeger(x)
  if not n or n < least then fail("%s: expected an integer of %d or more, got %s", what, least, tostring(x)) end
  return n
end

local function F_of(x) return core.is_symbol(x) and core.sym or core.nd end

-- ---- What all cells have ------------------------------------------------------------------------------------

-- Zeros in the shape of the states, for an input whose batch a trace does not know.
local function zeros(self, F, input)
  local one, states = F.zeros_like(F.slice_axis(input, { axis = 1, begin = 0, ["end"] = 1 })), {}
  for i, info in ipairs(self:state_info()) do
    states[i] = F.broadcast_axis(one, { axis = 1, size = info.shape[2] })
  end
  return states
end

-- The steps of an array with its steps along this axis, or a list of them as it is.
local function steps_of(self, inputs, length, axis)
  if not core.is_plain(inputs) then
    local steps = F_of(inputs).SliceChannel(inputs, { axis = axis, num_outputs = length, squeeze_axis = true })
    return length == 1 and { steps } or steps
  end
  if #inputs ~= length then fail("%s: unroll: inputs: expected %d steps, got %d", self.name, length, #inputs) end
  return inputs
end

-- MXNet's rule: the last state of each sequence by its length, and nothing behind it in the outputs.
local function cut(F, outputs, all_states, valid_length, axis)
  local states = {}
  for i = 1, #all_states[1] do
    local each = {}
    for t, at in ipairs(all_states) do each[t] = at[i] end
    states[i] = F.SequenceLast(F.stack(each, { axis = 0 }), valid_length, { use_sequence_length = true, axis = 0 })
  end
  local merged = F.stack(outputs, { axis = axis })
  return F.SequenceMask(merged, valid_length, { use_sequence_length = true, axis = axis }), states
end

-- An array or a list of steps, as asked for; merge nil: as it is.
local function formed(outputs, length, axis, merge)
  local is_list = core.is_plain(outputs)
  if merge == true and is_list then return F_of(outputs[1]).stack(outputs, { axis = axis }) end
  if merge == false and not is_list then return steps_of(nil, outputs, length, axis) end
  return outputs
end

local function unroll(self, length, inputs, begin_state, layout, merge_outputs, valid_length)
  length, layout = whole("unroll: length", length, 1), layout or "NTC"
  if layout ~= "NTC" and layout ~= "TNC" then
    fail("%s: unroll: layout: expected 'NTC' or 'TNC', got '%s'", self.name, tostring(layout))
  end
  local axis = layout:find "T" - 1
  local steps = steps_of(self, inputs, length, axis)
  local F = F_of(steps[1])
  local states = begin_state or zeros(self, F, steps[1])
  local outputs, all_states = {}, {}
  for t = 1, length do
    outputs[t], states = self(steps[t], states)
    all_states[t] = states
  end
  if valid_length then outputs, states = cut(F, outputs, all_states, valid_length, axis) end
  return formed(outputs, length, axis, merge_outputs), states
end

local function begin_state(self, batch_size, func, options)
  local states = {}
  for i, info in ipairs(self:state_info(batch_size)) do
    states[i] = (func or core.nd.zeros)(info.shape, options or {})
  end
  return states
end

-- Methods of a class of cells: its own, and those that MXNet's RecurrentCell has.
local function make_cell(cls)
  --- States to begin with: func (nd.zeros) of each one's shape and of the options; a list.
  cls.begin_state = begin_state
  --- unroll(length, inputs, begin_state, layout = "NTC", merge_outputs, valid_length): the outputs of so many steps and
  -- the last states. inputs: an array, or a list with one for each step; outputs: a list, one array with merge_outputs.
  cls.unroll = unroll
  --- Makes the cell ready for another sequence: nothing is kept between calls here.
  function cls.reset() end
  arguments.methods(cls, "", {
    begin_state = "batch_size func options{}", state_info = "batch_size", reset = {},
    unroll = "length inputs begin_state layout merge_outputs valid_length" })
end

-- ---- The three cells ----------------------------------------------------------------------------------------

local GATES = { RNN = 1, LSTM = 4, GRU = 3 }
local NAMES = { "hidden_size", "i2h_weight_initializer", "h2h_weight_initializer", "i2h_bias_initializer",
                "h2h_bias_initializer", "input_size" }
local DEFAULTS = { i2h_bias_initializer = "zeros", h2h_bias_initializer = "zeros", input_size = 0 }

local function init(self, kind, o)
  local hidden = whole(kind .. "Cell: hidden_size", o.hidden_size, 1)
  local rows, features = GATES[kind] * hidden, whole(kind .. "Cell: input_size", o.input_size, 0)
  self._hidden_size, self._states = hidden, kind == "LSTM" and 2 or 1
  local shapes = { i2h_weight = { rows, features }, h2h_weight = { rows, hidden }, i2h_bias = { rows },
                   h2h_bias = { rows } }
  for _, name in ipairs { "i2h_weight", "h2h_weight", "i2h_bias", "h2h_bias" } do
    self[name] = self.params:get(name, { shape = shapes[name], init = o[name .. "_initializer"],
                                         allow_deferred_init = true })
  end
  self._i2h = core.prepare("FullyConnected", { num_hidden = rows, name = "i2h", _check = self.name .. ": input" })
  self._h2h = core.prepare("FullyConnected", { num_hidden = rows, name = "h2h", _check = self.name .. ": state" })
end

-- The sums of a step's gates, by its input and by its state.
local function sums(self, F, input, state, p)
  return F.FullyConnected(input, p.i2h_weight, p.i2h_bias, self._i2h),
    F.FullyConnected(state, p.h2h_weight, p.h2h_bias, self._h2h)
end

local function list_of(self, states)
  if core.is_array(states) or core.is_symbol(states) then states = { states } end
  if type(states) ~= "table" or #states ~= self._states then
    local got = type(states) == "table" and #states or tostring(states)
    fail("%s: states: expected %d, got %s", self.name, self._states, got)
  end
  return states
end

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
  local cls = HybridBlock:subclass(kind .. "Cell")
  function cls.alias() return alias end
  --- The shapes and layouts of the states for a batch: a list of tables.
  cls.state_info = state_info
  make_cell(cls)
  rnn[kind .. "Cell"] = cls
  return cls
end

local function names(...)
  return table.move({ ... }, 1, select("#", ...), #NAMES + 1, table.move(NAMES, 1, #NAMES, 1, {}))
end

--- RNNCell(hidden_size, {activation = "tanh", input_size = 0, initializers}): h' = activation(W x + b + R h + c).
local RNNCell = define("RNN", "rnn")

local read_rnn = arguments.of_block("RNNCell",
  { "hidden_size", "activation", "i2h_weight_initializer", "h2h_weight_initializer", "i2h_bias_initializer",
    "h2h_bias_initializer", "input_size" },
  { activation = "tanh", i2h_bias_initializer = "zeros", h2h_bias_initializer = "zeros", input_size = 0 })

function RNNCell:init(...)
  local options = read_rnn(...)
  init(self, "RNN", options)
  self._activation = options.activation
  self._act = core.prepare("Activation", { act_type = options.activation })
end

function RNNCell:hybrid_forward(F, input, states, p)
  local i2h, h2h = sums(self, F, input, list_of(self, states)[1], p)
  local output = F.Activation(i2h + h2h, self._act)
  return output, { output }
end

function RNNCell:__tostring() return text(self, self._activation) end

--- LSTMCell(hidden_size, {input_size = 0, activation = "tanh", recurrent_activation = "sigmoid", initializers}): gates
-- in the order in, forget, cell, out; its states are h and c.
local LSTMCell = define("LSTM", "lstm")

local read_lstm = arguments.of_block("LSTMCell", names("activation", "recurrent_activation"),
  { i2h_bias_initializer = "zeros", h2h_bias_initializer = "zeros", input_size = 0, activation = "tanh",
    recurrent_activation = "sigmoid" })

function LSTMCell:init(...)
  local options = read_lstm(...)
  init(self, "LSTM", options)
  self._act = core.prepare("Activation", { act_type = options.activation })
  self._gate = core.prepare("Activation", { act_type = options.recurrent_activation })
end

function LSTMCell:hybrid_forward(F, input, states, p)
  states = list_of(self, states)
  local i2h, h2h = sums(self, F, input, states[1], p)
  local gates = F.SliceChannel(i2h + h2h, { num_outputs = 4 })
  local enter, keep = F.Activation(gates[1], self._gate), F.Activation(gates[2], self._gate)
  local fresh, let = F.Activation(gates[3], self._act), F.Activation(gates[4], self._gate)
  local cell = keep * states[2] + enter * fresh
  local output = let * F.Activation(cell, self._act)
  return output, { output, cell }
end

function LSTMCell:__tostring() return text(self) end

--- GRUCell(hidden_size, {input_size = 0, initializers}): gates in the order reset, update, new.
local GRUCell = define("GRU", "gru")

local read_gru = arguments.of_block("GRUCell", NAMES, DEFAULTS)

function GRUCell:init(...) init(self, "GRU", read_gru(...)) end

function GRUCell:hybrid_forward(F, input, states, p)
  local before = list_of(self, states)[1]
  local i2h, h2h = sums(self, F, input, before, p)
  local x, h = F.SliceChannel(i2h, { num_outputs = 3 }), F.SliceChannel(h2h, { num_outputs = 3 })
  local reset, update = F.sigmoid(x[1] + h[1]), F.sigmoid(x[2] + h[2])
  local output = (1 - update) * F.tanh(x[3] + reset * h[3]) + update * before
  return output, { output }
end

function GRUCell:__tostring() return text(self) end

-- ---- Several --------------------------------------------------------------------------------------------------

local function through(self, input, states)
  local after, at = {}, 0
  for _, child in ipairs(self._children) do
    local own = #child.value:state_info()
    local output, last = child.value(input, table.move(states, at + 1, at + own, 1, {}))
    table.move(last, 1, own, at + 1, after)
    input, at = output, at + own
  end
  return input, after
end

local function make_stack(cls)
  --- Adds a cell on top.
  function cls:add(cell)
    self:register_child(cell, tostring(#self._children))
    return self
  end

  --- The shapes and layouts of the states of all cells, in order.
  function cls:state_info(batch_size)
    local list = {}
    for _, child in ipairs(self._children) do
      local own = child.value:state_info(batch_size)
      table.move(own, 1, #own, #list + 1, list)
    end
    return list
  end

  function cls.missing_field(store, key)
    local child = math.type(key) == "integer" and store._children[key + 1]
    return child and child.value or nil
  end

  function cls.__len(self) return #self._children end

  make_cell(cls)
  arguments.methods(cls, "", { add = "cell" })
end

--- SequentialRNNCell(): cells one upon the other, added by add(cell); its states are theirs, in order.
rnn.SequentialRNNCell = Block:subclass "SequentialRNNCell"
make_stack(rnn.SequentialRNNCell)
function rnn.SequentialRNNCell:forward(input, states) return through(self, input, states) end

--- HybridSequentialRNNCell(): the same of cells that can be hybridized, as a whole.
rnn.HybridSequentialRNNCell = HybridBlock:subclass "HybridSequentialRNNCell"
make_stack(rnn.HybridSequentialRNNCell)
function rnn.HybridSequentialRNNCell:hybrid_forward(_, input, states) return through(self, input, states) end

return rnn

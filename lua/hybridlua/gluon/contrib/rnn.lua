-- contrib/rnn.lua - MXNet's gluon.contrib.rnn: VariationalDropoutCell, LSTMPCell, dynamic_unroll, and the convolutional
-- cells (conv_rnn.lua).
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local autograd = require "hybridlua.autograd"
local checks = require "hybridlua.language.argument_checks"
local control = require "hybridlua.control"
local module = require "hybridlua.language.module"
local python = require "hybridlua.language.python_text"
local cells = require "hybridlua.gluon.rnn"
local modifier_state = require "hybridlua.gluon.rnn.modifier_state"
local stacks = require "hybridlua.gluon.rnn.stacks"
local unrolling = require "hybridlua.gluon.rnn.unrolling"
local is_plain = core.script.is_plain

local rnn = {}

-- ---- VariationalDropoutCell -----------------------------------------------------------------------------------

--- VariationalDropoutCell(base_cell, drop_inputs = 0, drop_states = 0, drop_outputs = 0): in training, applies dropout
-- to the input, the first state and the output, with one mask for all steps of a sequence (Y. Gal, Z. Ghahramani,
-- 2016). If you step by hand, call cell:reset() before each sequence.
local VariationalDropoutCell = cells.ModifierCell:subclass "VariationalDropoutCell"
rnn.VariationalDropoutCell = VariationalDropoutCell

function VariationalDropoutCell.alias() return "vardrop" end

local RATES = { "drop_inputs", "drop_states", "drop_outputs" }
local read_variational = arguments.of_block("VariationalDropoutCell", "base_cell drop_inputs drop_states drop_outputs",
  { drop_inputs = 0.0, drop_states = 0.0, drop_outputs = 0.0 })

function VariationalDropoutCell:init(...)
  local o = read_variational(...)
  for _, name in ipairs(RATES) do self[name] = checks.probability("VariationalDropoutCell: " .. name, o[name]) end
  cells.ModifierCell.init(self, o.base_cell)
  if o.drop_states > 0 then
    stacks.refuse_bidirectional(self.base_cell, "VariationalDropoutCell", "variational state dropout")
  end
end

--- Prepares the cell for another sequence, with new masks.
function VariationalDropoutCell:reset()
  modifier_state.forget(self)
  cells.ModifierCell.reset(self)
end

--- Compiles the inner cell only: the masks are passed from step to step.
function VariationalDropoutCell:hybridize(...) self.base_cell:hybridize(...) end

-- x times the sequence's dropout mask of this name.
local function dropped(self, F, name, x)
  local p = self[name]
  if p == 0 then return x end
  local masks = modifier_state.of(self, "the mask of dropout")
  masks[name] = masks[name] or F.Dropout(F.ones_like(x), { p = p })
  return x * masks[name]
end

function VariationalDropoutCell:hybrid_forward(F, input, states)
  if not autograd.is_training() then return self.base_cell(input, states) end
  if #states > 0 then
    states = table.move(states, 1, #states, 1, {})
    states[1] = dropped(self, F, "drop_states", states[1])
  end
  input = dropped(self, F, "drop_inputs", input)
  local output, after = self.base_cell(input, states)
  return dropped(self, F, "drop_outputs", output), after
end

local UNROLL = "length inputs begin_state layout merge_outputs valid_length"

--- unroll(length, inputs, begin_state, layout = "NTC", merge_outputs, valid_length): applies dropout to the whole
-- sequence at once, unless states are dropped.
function VariationalDropoutCell:unroll(length, inputs, begin_state, layout, merge_outputs, valid_length)
  if self.drop_states > 0 then
    local _ <close> = modifier_state.unroll(self)
    return cells.HybridRecurrentCell.unroll(self, length, inputs, begin_state, layout, merge_outputs, valid_length)
  end
  local axis
  length, axis, layout = unrolling.read(self, length, layout)
  self:reset()
  inputs = unrolling.merged(inputs, axis)
  local F = unrolling.F_of(inputs)
  if self.drop_inputs > 0 then inputs = F.Dropout(inputs, { p = self.drop_inputs, axes = { axis } }) end
  local outputs, states = self.base_cell:unroll(length, inputs, begin_state, layout, true, valid_length)
  if self.drop_outputs > 0 then outputs = F.Dropout(outputs, { p = self.drop_outputs, axes = { axis } }) end
  if valid_length then outputs = unrolling.masked(outputs, valid_length, axis) end
  return unrolling.formed(outputs, length, axis, merge_outputs), states
end

function VariationalDropoutCell.__tostring(self)
  return ("VariationalDropoutCell(p_out = %s, p_state = %s)"):format(python.number(self.drop_outputs),
    python.number(self.drop_states))
end

arguments.methods(VariationalDropoutCell, "", { reset = "", unroll = UNROLL })

-- ---- LSTMPCell ------------------------------------------------------------------------------------------------

--- LSTMPCell(hidden_size, projection_size, {input_size = 0, initializers}): an LSTMCell whose output, which is also its
-- first state, is projected to projection_size values (H. Sak et al., 2014).
local LSTMPCell = cells.HybridRecurrentCell:subclass "LSTMPCell"
rnn.LSTMPCell = LSTMPCell

function LSTMPCell.alias() return "lstmp" end

local read_lstmp = arguments.of_block("LSTMPCell",
  "hidden_size projection_size i2h_weight_initializer h2h_weight_initializer h2r_weight_initializer " ..
  "i2h_bias_initializer h2h_bias_initializer input_size",
  { i2h_bias_initializer = "zeros", h2h_bias_initializer = "zeros", input_size = 0 })

function LSTMPCell:init(...)
  local o = read_lstmp(...)
  local hidden = checks.whole("LSTMPCell: hidden_size", o.hidden_size, 1)
  local projection = checks.whole("LSTMPCell: projection_size", o.projection_size, 1)
  local features, rows = checks.whole("LSTMPCell: input_size", o.input_size, 0), 4 * hidden
  self._hidden_size, self._projection_size = hidden, projection
  local shapes = { i2h_weight = { rows, features }, h2h_weight = { rows, projection },
                   h2r_weight = { projection, hidden }, i2h_bias = { rows }, h2h_bias = { rows } }
  for _, name in ipairs { "i2h_weight", "h2h_weight", "h2r_weight", "i2h_bias", "h2h_bias" } do
    self[name] = self.params:get(name, { shape = shapes[name], init = o[name .. "_initializer"],
                                         allow_deferred_init = true })
  end
  self._i2h = core.op.prepare("FullyConnected", { num_hidden = rows, name = "i2h", _check = self.name .. ": input" })
  self._h2h = core.op.prepare("FullyConnected", { num_hidden = rows, name = "h2h", _check = self.name .. ": state" })
  self._h2r = core.op.prepare("FullyConnected", { num_hidden = projection, no_bias = true, name = "out" })
end

--- The shapes and layouts of the states: the projected output and the cell.
function LSTMPCell:state_info(batch_size)
  return { { shape = { batch_size or 0, self._projection_size }, __layout__ = "NC" },
           { shape = { batch_size or 0, self._hidden_size }, __layout__ = "NC" } }
end

-- Options of operators, with MXNet's names.
local step_names = {
  slice = core.op.prepare("SliceChannel", { num_outputs = 4, name = "slice" }),
  i = core.op.prepare("sigmoid", { name = "i" }), f = core.op.prepare("sigmoid", { name = "f" }),
  c = core.op.prepare("tanh", { name = "c" }), o = core.op.prepare("sigmoid", { name = "o" }),
  state = core.op.prepare("broadcast_add", { name = "state" }),
  hidden = core.op.prepare("broadcast_mul", { name = "hidden" }) }

function LSTMPCell:hybrid_forward(F, input, states, p)
  states = unrolling.states(self, states, 2)
  local i2h = F.FullyConnected(input, p.i2h_weight, p.i2h_bias, self._i2h)
  local h2h = F.FullyConnected(states[1], p.h2h_weight, p.h2h_bias, self._h2h)
  local gates = F.SliceChannel(i2h + h2h, step_names.slice)
  local enter, keep = F.sigmoid(gates[1], step_names.i), F.sigmoid(gates[2], step_names.f)
  local fresh, let = F.tanh(gates[3], step_names.c), F.sigmoid(gates[4], step_names.o)
  local cell = F.broadcast_add(keep * states[2], enter * fresh, step_names.state)
  local hidden = F.broadcast_mul(let, F.tanh(cell), step_names.hidden)
  local output = F.FullyConnected(hidden, p.h2r_weight, self._h2r)
  return output, { output, cell }
end

function LSTMPCell.__tostring(self)
  local shape = self.i2h_weight.shape
  return ("LSTMPCell(%s -> %d -> %d)"):format(shape[2] > 0 and shape[2] or "None", shape[1], self._projection_size)
end

arguments.methods(LSTMPCell, "", { state_info = "batch_size" })

LSTMPCell._step_prefix = modifier_state.step_prefix

-- ---- dynamic_unroll -------------------------------------------------------------------------------------------

--- dynamic_unroll(cell, inputs, begin_state, drop_inputs = 0, drop_outputs = 0, layout = "TNC", valid_length): runs the
-- cell over all steps by F.contrib.foreach, so that the graph holds one step, whatever the length. Returns the outputs,
-- as one array, and the last states. begin_state: a list, or the state of a cell with one state.
local function dynamic_unroll(cell, inputs, begin_state, drop_inputs, drop_outputs, layout, valid_length)
  checks.callable("dynamic_unroll: cell", cell, "a step's input and states")
  checks.choice("dynamic_unroll: layout", layout or "TNC", "NTC", "TNC")
  layout = layout or "TNC"
  local axis = layout:find "T" - 1
  inputs = unrolling.merged(inputs, axis)
  local F = unrolling.F_of(inputs)
  local states = is_plain(begin_state) and begin_state or { begin_state }
  local n = #states
  if axis ~= 0 then inputs = F.swapaxes(inputs, { dim1 = 0, dim2 = 1 }) end
  if (drop_inputs or 0) > 0 then inputs = F.Dropout(inputs, { p = drop_inputs, axes = { 0 } }) end
  if valid_length then
    states = table.move(states, 1, n, 1, {})
    states[n + 1] = F.zeros { 1 }
  end
  local function step(input, before)
    local own = table.move(before, 1, n, 1, {})
    local output, after = cell(input, own)
    if not valid_length then return output, after end
    local on, next_states = F.broadcast_greater(valid_length, before[n + 1]), {}
    for i = 1, n do next_states[i] = F.where(on, after[i], own[i]) end
    next_states[n + 1] = before[n + 1] + 1
    return output, next_states
  end
  local outputs, last = control.foreach(step, inputs, states)
  if (drop_outputs or 0) > 0 then outputs = F.Dropout(outputs, { p = drop_outputs, axes = { 0 } }) end
  if axis ~= 0 then outputs = F.swapaxes(outputs, { dim1 = 0, dim2 = 1 }) end
  if valid_length then outputs = unrolling.masked(outputs, valid_length, axis) end
  return outputs, table.move(last, 1, n, 1, {})
end

rnn.dynamic_unroll = arguments.taking("dynamic_unroll",
  "cell inputs begin_state drop_inputs drop_outputs layout valid_length", dynamic_unroll)

for name, cell in pairs(require "hybridlua.gluon.contrib.conv_rnn") do rnn[name] = cell end

return module(rnn, "hybridlua.gluon.contrib.rnn")

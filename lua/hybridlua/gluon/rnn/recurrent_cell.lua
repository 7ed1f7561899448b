-- recurrent_cell.lua - RecurrentCell and HybridRecurrentCell, the base classes of recurrent cells. A cell is one step
-- of a recurrent layer, as a block: cell(input, states) returns the output and the list of new states, and cell:unroll
-- runs a sequence. Inputs are (batch, features), states (batch, values).
--
-- A custom cell is gluon.rnn.HybridRecurrentCell:subclass "Mine" with state_info(batch_size), which returns the states'
-- shapes, and hybrid_forward(F, input, states, p).
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local Block = require "hybridlua.gluon.block"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local begin = require "hybridlua.gluon.rnn.begin_state"
local modifier_state = require "hybridlua.gluon.rnn.modifier_state"
local unrolling = require "hybridlua.gluon.rnn.unrolling"

local function state_info(self)
  fail("%s: state_info is not defined; it returns a list of the states' shapes, { { shape = { batch_size, 8 } } }",
    self.name)
end

local function begin_state(self, batch_size, func, options)
  begin.refuse_modified(self, "ZoneoutCell")
  local list = {}
  for i, info in ipairs(self:state_info(batch_size)) do
    local name = ("%sbegin_state_%d"):format(self.prefix, modifier_state.next_state(self))
    list[i] = begin.state(self, info, name, func, options)
  end
  return list
end

local function unroll(self, length, inputs, first_states, layout, merge_outputs, valid_length)
  local axis
  length, axis = unrolling.read(self, length, layout)
  local steps = unrolling.steps_of(self, inputs, length, axis)
  local F = unrolling.F_of(steps[1])
  local states = first_states or unrolling.zeros(self, F, steps[1])
  local outputs, all_states = {}, {}
  self:reset()
  for t = 1, length do
    outputs[t], states = self(steps[t], states)
    all_states[t] = states
  end
  self:reset()
  if valid_length then
    outputs = unrolling.masked(outputs, valid_length, axis)
    if #states > 0 then states = unrolling.last_states(all_states, valid_length) end
  end
  return unrolling.formed(outputs, length, axis, merge_outputs), states
end

local function reset(self)
  modifier_state.count_again(self)
  for _, child in ipairs(self:_list_children()) do if child.value.reset then child.value:reset() end end
end

-- Gives a class MXNet's methods of RecurrentCell.
local function make_cell(cls)
  --- The shapes and layouts of the states for a batch size: a list of tables.
  cls.state_info = state_info
  --- A list of initial states: func (default nd.zeros) with each state's shape and all other options, {ctx = , dtype =
  -- }.
  cls.begin_state = begin_state
  --- unroll(length, inputs, begin_state, layout = "NTC", merge_outputs, valid_length): runs `length` steps; returns the
  -- outputs and the last states. inputs: an array, or a list with one array per step; outputs: a list, or one array
  -- with merge_outputs. valid_length: the length of each sequence; past it, outputs are 0 and states do not change.
  cls.unroll = unroll
  --- Prepares the cell for another sequence: forgets the values that it passes from step to step (ZoneoutCell).
  cls.reset = reset
  arguments.methods(cls, "", {
    begin_state = begin.ARGUMENTS, state_info = "batch_size", reset = "",
    unroll = "length inputs begin_state layout merge_outputs valid_length" })
end

local rnn = {}

--- RecurrentCell: the base class of cells that are plain Blocks.
rnn.RecurrentCell = Block:subclass "RecurrentCell"
make_cell(rnn.RecurrentCell)

--- HybridRecurrentCell: the base class of cells that can be hybridized. A subclass defines state_info(batch_size) and
-- hybrid_forward(F, input, states, p), which returns the output and the list of the new states.
rnn.HybridRecurrentCell = HybridBlock:subclass "HybridRecurrentCell"
make_cell(rnn.HybridRecurrentCell)

return rnn

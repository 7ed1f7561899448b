-- stacks.lua - cells made of cells: SequentialRNNCell and HybridSequentialRNNCell stack them, BidirectionalCell runs
-- one in each direction. Their states are those of their cells, in order. As in MXNet, a stack is unrolled cell by
-- cell, each over the whole sequence.
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local names = require "hybridlua.gluon.block_names"
local base = require "hybridlua.gluon.rnn.recurrent_cell"
local begin = require "hybridlua.gluon.rnn.begin_state"
local unrolling = require "hybridlua.gluon.rnn.unrolling"

local rnn = {}

local function state_info(self, batch_size)
  local list = {}
  for _, child in ipairs(self._children) do
    local own = child.value:state_info(batch_size)
    table.move(own, 1, #own, #list + 1, list)
  end
  return list
end

-- The states of `cell`, from index `at` of a list, and the index of the next cell's.
local function part_of(states, cell, at)
  local n = #cell:state_info()
  return table.move(states, at, at + n - 1, 1, {}), at + n
end

local function append(list, more) return table.move(more, 1, #more, #list + 1, list) end

local function begin_states(self, batch_size, func, options)
  begin.refuse_modified(self, "ZoneoutCell")
  local list = {}
  for _, child in ipairs(self._children) do append(list, child.value:begin_state(batch_size, func, options)) end
  return list
end

-- ---- Stacked --------------------------------------------------------------------------------------------------

local function through(self, input, states)
  local after, at = {}, 1
  for _, child in ipairs(self._children) do
    local own, last
    if class.is_a(child.value, rnn.BidirectionalCell) then
      fail("%s: a BidirectionalCell inside cannot be stepped; use unroll", self.name)
    end
    own, at = part_of(states, child.value, at)
    input, last = child.value(input, own)
    append(after, last)
  end
  return input, after
end

local function inline_loop_stack(self, length, inputs, begin_state, layout, merge_outputs, valid_length)
  local axis
  length, axis, layout = unrolling.read(self, length, layout)
  local n, states, at = #self._children, {}, 1
  self:reset()
  if not begin_state then begin_state = unrolling.begin(self, inputs, axis) end
  for i, child in ipairs(self._children) do
    local own, last
    own, at = part_of(begin_state, child.value, at)
    local merge = nil
    if i == n then merge = merge_outputs end
    inputs, last = child.value:unroll(length, inputs, own, layout, merge, valid_length)
    append(states, last)
  end
  return inputs, states
end

local function make_stack(cls)
  --- Appends a cell on top.
  function cls:add(cell)
    self:register_child(cell, tostring(#self._children))
    return self
  end

  --- The shapes and layouts of the states of all cells, in order.
  cls.state_info = state_info
  --- Initial states of all cells, in order: see RecurrentCell.
  cls.begin_state = begin_states

  --- unroll(length, inputs, begin_state, layout = "NTC", merge_outputs, valid_length): see RecurrentCell.
  cls.unroll = inline_loop_stack

  function cls.missing_field(store, key)
    local child = math.type(key) == "integer" and store._children[key + 1]
    return child and child.value or nil
  end

  function cls.__len(self) return #self._children end

  function cls.__tostring(self)
    local lines = { class.of(self).__name__ .. "(" }
    for _, child in ipairs(self._children) do
      lines[#lines + 1] = ("(%s): %s"):format(child.name, (tostring(child.value):gsub("\n", "\n  ")))
    end
    return table.concat(lines, "\n") .. "\n)"
  end

  arguments.methods(cls, "", { add = "cell", state_info = "batch_size", begin_state = begin.ARGUMENTS,
    unroll = "length inputs begin_state layout merge_outputs valid_length" })
end

--- SequentialRNNCell(): a stack of cells, filled by add(cell); its states are theirs, in order.
rnn.SequentialRNNCell = base.RecurrentCell:subclass "SequentialRNNCell"
make_stack(rnn.SequentialRNNCell)
function rnn.SequentialRNNCell:forward(input, states) return through(self, input, states) end

--- HybridSequentialRNNCell(): a stack of cells that can be hybridized, as a whole.
rnn.HybridSequentialRNNCell = base.HybridRecurrentCell:subclass "HybridSequentialRNNCell"
make_stack(rnn.HybridSequentialRNNCell)
function rnn.HybridSequentialRNNCell:hybrid_forward(_, input, states) return through(self, input, states) end

-- ---- Bidirectional ---------------------------------------------------------------------------------------------

--- BidirectionalCell(l_cell, r_cell, output_prefix = "bi_"): l_cell runs over the sequence from the first step, r_cell
-- from the last; their outputs are concatenated at each step. It can only be unrolled. In a graph, the outputs' names
-- begin with output_prefix: "bi_t0_output", or "bi_out_output" for one array.
local BidirectionalCell = base.HybridRecurrentCell:subclass "BidirectionalCell"
rnn.BidirectionalCell = BidirectionalCell

function BidirectionalCell.given_prefix() return "" end

local read_bidirectional = arguments.of_block("BidirectionalCell", "l_cell r_cell output_prefix",
  { output_prefix = "bi_" })

function BidirectionalCell:init(...)
  local o = read_bidirectional(...)
  for _, name in ipairs { "l_cell", "r_cell" } do
    if o[name] == nil then fail("BidirectionalCell: %s: expected a cell, got nothing", name) end
    self:register_child(o[name], name)
  end
  self._output_prefix = names.check("BidirectionalCell: output_prefix", o.output_prefix)
end

--- The shapes and layouts of the states of both cells, those of l_cell first.
BidirectionalCell.state_info = state_info

--- Initial states of both cells: see RecurrentCell.
BidirectionalCell.begin_state = begin_states

function BidirectionalCell.call() fail "BidirectionalCell: Bidirectional cannot be stepped. Please use unroll" end

--- unroll(length, inputs, begin_state, layout = "NTC", merge_outputs, valid_length): see RecurrentCell.
function BidirectionalCell:unroll(length, inputs, begin_state, layout, merge_outputs, valid_length)
  local axis
  length, axis, layout = unrolling.read(self, length, layout)
  self:reset()
  local steps = unrolling.steps_of(self, inputs, length, axis)
  local F = unrolling.F_of(steps[1])
  begin_state = begin_state and unrolling.states(self, begin_state, #self:state_info()) or
    unrolling.zeros(self, F, steps[1])
  local left, right = self._children[1].value, self._children[2].value
  local own, at = part_of(begin_state, left, 1)
  local forth, states = left:unroll(length, steps, own, layout, merge_outputs, valid_length)
  local back, last = right:unroll(length, unrolling.reversed(steps, valid_length), (part_of(begin_state, right, at)),
    layout, false, valid_length)
  back = unrolling.reversed(back, valid_length)
  if merge_outputs == nil then merge_outputs = type(forth) ~= "table" end
  local outputs
  if merge_outputs then
    outputs = F.concat(unrolling.merged(forth, axis), unrolling.merged(back, axis),
      { dim = 2, name = self._output_prefix .. "out" })
  else
    outputs = {}
    for t, output in ipairs(forth) do
      outputs[t] = F.concat(output, back[t], { dim = 1, name = ("%st%d"):format(self._output_prefix, t - 1) })
    end
  end
  if valid_length then
    outputs = unrolling.formed(unrolling.masked(outputs, valid_length, axis), length, axis, merge_outputs)
  end
  return outputs, append(append({}, states), last)
end

function BidirectionalCell.__tostring(self)
  return ("BidirectionalCell(forward=%s, backward=%s)"):format(tostring(self._children[1].value),
    tostring(self._children[2].value))
end

arguments.methods(BidirectionalCell, "", { state_info = "batch_size", begin_state = begin.ARGUMENTS,
  unroll = "length inputs begin_state layout merge_outputs valid_length" })

-- Raises if the cell is, or contains, a BidirectionalCell, which has no steps: `what` is the feature of cell class
-- `name`.
local function refuse_bidirectional(cell, name, what)
  if class.is_a(cell, BidirectionalCell) then
    fail("BidirectionalCell doesn't support %s since it doesn't support step. Please add %s to the cells underneath " ..
      "instead.", what, name)
  end
  for _, child in ipairs(cell._children) do
    if class.is_a(child.value, BidirectionalCell) then
      fail("Bidirectional %s doesn't support %s. Please add %s to the cells underneath instead.",
        class.of(cell).__name__, what, name)
    end
  end
end

return { cells = rnn, refuse_bidirectional = refuse_bidirectional }

-- rnn/cell_stacks.lua - SequentialRNNCell and BidirectionalCell: cells that consist of cells.
local arguments = require "hybridlua.language.arguments"
local base = require "hybridlua.rnn.base_cell"
local checks = require "hybridlua.language.argument_checks"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local class = require "hybridlua.language.class"
local reversed = require "hybridlua.gluon.rnn.unrolling".reversed
local is_symbol = core.symbol.is

local sym = core.op.sym
local BaseRNNCell, stacks = base.BaseRNNCell, {}

-- ---- What both do ------------------------------------------------------------------------------------------------

-- Takes a cell in: its states, and its variables.
local function include(self, what, cell)
  checks.instance(what, cell, BaseRNNCell, "a cell of hl.rnn")
  if self._override_cell_params then
    fail("%s: Either specify params for %s or child cells, not both.", what, class.of(self).__name__)
  end
  self._cells[#self._cells + 1] = cell
  self:_add_states(cell.state_info)
  self.params:_update(cell.params)
end

local function begin_state(self, ...)
  self:_refuse_modified()
  local all = {}
  for _, cell in ipairs(self._cells) do
    local states = cell:begin_state(...)
    table.move(states, 1, #states, #all + 1, all)
  end
  return all
end

local function through_cells(method)
  return function(self, args)
    for _, cell in ipairs(self._cells) do args = cell[method](cell, args) end
    return args
  end
end

-- The states of a cell, which begin at `at`; and where the next cell's do.
local function states_from(states, at, cell)
  local n = #cell.state_info
  return table.move(states, at, at + n - 1, 1, {}), at + n
end

local function check_states(self, states)
  return base.check_states(class.of(self).__name__, states, #self.state_info)
end

-- ---- SequentialRNNCell -------------------------------------------------------------------------------------------

--- SequentialRNNCell(): cells on top of each other, which are added with stack:add(cell).
local SequentialRNNCell = BaseRNNCell:subclass "SequentialRNNCell"
stacks.SequentialRNNCell = SequentialRNNCell

local read_sequential = arguments.new("SequentialRNNCell", "params")

function SequentialRNNCell:init(...)
  local params = read_sequential(...).params
  BaseRNNCell.init(self, { prefix = "", params = params })
  self._override_cell_params, self._cells = params ~= nil, {}
end

--- add(cell): puts a cell on top.
function SequentialRNNCell:add(cell) include(self, "SequentialRNNCell.add: cell", cell) end

SequentialRNNCell.begin_state = begin_state
SequentialRNNCell.unpack_weights = through_cells "unpack_weights"
SequentialRNNCell.pack_weights = through_cells "pack_weights"

function SequentialRNNCell:__call(inputs, states)
  self._counter = self._counter + 1
  check_states(self, states)
  local after, at = {}, 1
  for _, cell in ipairs(self._cells) do
    local state
    state, at = states_from(states, at, cell)
    inputs, state = cell(inputs, state)
    table.move(state, 1, #state, #after + 1, after)
  end
  return inputs, after
end

--- unroll(length, inputs, begin_state, layout = "NTC", merge_outputs = nil): as BaseRNNCell.unroll, cell by cell.
function SequentialRNNCell:unroll(length, inputs, first, layout, merge_outputs)
  self:reset()
  if #self._cells == 0 then fail "unroll: expected at least one cell in SequentialRNNCell; write stack:add(cell)" end
  local states, after, at = check_states(self, first or self:begin_state()), {}, 1
  for i, cell in ipairs(self._cells) do
    local state
    state, at = states_from(states, at, cell)
    local merge = nil
    if i == #self._cells then merge = merge_outputs end
    inputs, state = cell:unroll(length, inputs, state, layout or "NTC", merge)
    table.move(state, 1, #state, #after + 1, after)
  end
  return inputs, after
end

-- ---- BidirectionalCell -------------------------------------------------------------------------------------------

--- BidirectionalCell(l_cell, r_cell, {params = nil, output_prefix = "bi_"}): l_cell over the sequence, r_cell over the
-- reversed sequence, and their outputs joined. It is unrolled, not stepped.
local BidirectionalCell = BaseRNNCell:subclass "BidirectionalCell"
stacks.BidirectionalCell = BidirectionalCell

local read_bidirectional = arguments.new("BidirectionalCell", "l_cell r_cell params output_prefix",
  { output_prefix = "bi_" })

function BidirectionalCell:init(...)
  local o = read_bidirectional(...)
  BaseRNNCell.init(self, { prefix = "", params = o.params })
  self._output_prefix = checks.string("BidirectionalCell: output_prefix", o.output_prefix)
  self._override_cell_params, self._cells = o.params ~= nil, {}
  include(self, "BidirectionalCell: l_cell", o.l_cell)
  include(self, "BidirectionalCell: r_cell", o.r_cell)
end

BidirectionalCell.begin_state = begin_state
BidirectionalCell.unpack_weights = through_cells "unpack_weights"
BidirectionalCell.pack_weights = through_cells "pack_weights"

function BidirectionalCell:__call() fail "Bidirectional cannot be stepped. Please use unroll" end

--- unroll(length, inputs, begin_state, layout = "NTC", merge_outputs = nil): as BaseRNNCell.unroll. The states are two
-- lists, one for each direction.
function BidirectionalCell:unroll(length, inputs, first, layout, merge_outputs)
  length, layout = checks.whole("unroll: length", length, 1), layout or "NTC"
  self:reset()
  local steps, axis = base.normalize("unroll", length, inputs, layout, false)
  local states = check_states(self, first or self:begin_state())
  local l_cell, r_cell = self._cells[1], self._cells[2]
  local l_first, at = states_from(states, 1, l_cell)
  local l_outputs, l_states = l_cell:unroll(length, steps, l_first, layout, merge_outputs)
  local r_outputs, r_states = r_cell:unroll(length, reversed(steps), (states_from(states, at, r_cell)), layout,
    merge_outputs)
  if merge_outputs == nil then
    merge_outputs = is_symbol(l_outputs) and is_symbol(r_outputs)
    if not merge_outputs then
      l_outputs = base.normalize("unroll", length, l_outputs, layout, false)
      r_outputs = base.normalize("unroll", length, r_outputs, layout, false)
    end
  end
  if merge_outputs then
    return sym.Concat({ l_outputs, sym.reverse(r_outputs, { axis = axis }) },
      { dim = 2, name = self._output_prefix .. "out" }), { l_states, r_states }
  end
  local outputs = {}
  r_outputs = reversed(r_outputs)
  for i, left in ipairs(l_outputs) do
    outputs[i] = sym.Concat({ left, r_outputs[i] }, { dim = 1, name = ("%st%d"):format(self._output_prefix, i - 1) })
  end
  return outputs, { l_states, r_states }
end

arguments.methods(SequentialRNNCell, "SequentialRNNCell.", { add = "cell" })
for _, cls in ipairs { SequentialRNNCell, BidirectionalCell } do arguments.as_above(cls) end

return stacks

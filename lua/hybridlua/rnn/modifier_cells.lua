-- rnn/modifier_cells.lua - DropoutCell, and cells that modify another: ModifierCell, ZoneoutCell, ResidualCell.
local arguments = require "hybridlua.language.arguments"
local base = require "hybridlua.rnn.base_cell"
local cells = require "hybridlua.rnn.symbol_cells"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local stacks = require "hybridlua.rnn.cell_stacks"
local is_symbol = core.symbol.is

local sym = core.op.sym
local BaseRNNCell, modifiers = base.BaseRNNCell, {}

-- ---- DropoutCell -------------------------------------------------------------------------------------------------

--- DropoutCell(dropout, {prefix = "dropout_", params = nil}): Dropout between cells; without states.
local DropoutCell = BaseRNNCell:subclass "DropoutCell"
modifiers.DropoutCell = DropoutCell

local read_dropout = arguments.new("DropoutCell", "dropout prefix params", { prefix = "dropout_" })

function DropoutCell:init(...)
  local o = read_dropout(...)
  BaseRNNCell.init(self, { prefix = o.prefix, params = o.params })
  self.dropout = checks.probability("DropoutCell: dropout", o.dropout)
end

function DropoutCell:__call(inputs, states)
  if self.dropout > 0 then inputs = sym.Dropout(inputs, { p = self.dropout }) end
  return inputs, states
end

--- unroll(length, inputs, begin_state, layout = "NTC", merge_outputs = nil): as BaseRNNCell.unroll; a Symbol of a whole
-- sequence gets one Dropout.
function DropoutCell:unroll(length, inputs, begin_state, layout, merge_outputs)
  length, layout = checks.whole("unroll: length", length, 1), layout or "NTC"
  self:reset()
  local sequence = base.normalize("unroll", length, inputs, layout, merge_outputs)
  if is_symbol(sequence) then return self(sequence, {}) end
  return BaseRNNCell.unroll(self, length, sequence, begin_state, layout, merge_outputs)
end

-- ---- ModifierCell ------------------------------------------------------------------------------------------------

--- ModifierCell(base_cell): the base of cells that modify another, whose weights and states they have. The base cell is
-- no longer called directly.
local ModifierCell = BaseRNNCell:subclass "ModifierCell"
modifiers.ModifierCell = ModifierCell

local read_modifier = arguments.new("ModifierCell", "base_cell")

function ModifierCell:init(...)
  local cell = read_modifier(...).base_cell
  checks.instance(class.of(self).__name__ .. ": base_cell", cell, BaseRNNCell, "a cell of hl.rnn")
  BaseRNNCell.init(self)
  cell._modified = true
  self.base_cell, self.params = cell, cell.params
  self.state_info, self.state_shape = cell.state_info, cell.state_shape
end

-- fn(...) while the base cell may be called.
local function unmodified(cell, fn, ...)
  cell._modified = false
  local results = table.pack(pcall(fn, ...))
  cell._modified = true
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

function ModifierCell:begin_state(...)
  self:_refuse_modified()
  return unmodified(self.base_cell, self.base_cell.begin_state, self.base_cell, ...)
end

function ModifierCell:unpack_weights(args) return self.base_cell:unpack_weights(args) end
function ModifierCell:pack_weights(args) return self.base_cell:pack_weights(args) end

-- ---- ZoneoutCell -------------------------------------------------------------------------------------------------

--- ZoneoutCell(base_cell, {zoneout_outputs = 0, zoneout_states = 0}): in training, keeps elements of the previous
-- output and states with these probabilities.
local ZoneoutCell = ModifierCell:subclass "ZoneoutCell"
modifiers.ZoneoutCell = ZoneoutCell

local read_zoneout = arguments.new("ZoneoutCell", "base_cell zoneout_outputs zoneout_states",
  { zoneout_outputs = 0, zoneout_states = 0 })

function ZoneoutCell:init(...)
  local o = read_zoneout(...)
  if class.is_a(o.base_cell, cells.FusedRNNCell) then
    fail "FusedRNNCell doesn't support zoneout. Please unfuse first."
  end
  if class.is_a(o.base_cell, stacks.BidirectionalCell) then
    fail("BidirectionalCell doesn't support zoneout since it doesn't support step. Please add ZoneoutCell to the " ..
      "cells underneath instead.")
  end
  ModifierCell.init(self, o.base_cell)
  self.zoneout_outputs = checks.probability("ZoneoutCell: zoneout_outputs", o.zoneout_outputs)
  self.zoneout_states = checks.probability("ZoneoutCell: zoneout_states", o.zoneout_states)
end

function ZoneoutCell:reset()
  BaseRNNCell.reset(self)
  self.prev_output = nil
end

-- New values where a Dropout of ones keeps them, else the old ones.
local function mix(p, new, old)
  return sym.where(sym.Dropout(sym.ones_like(new), { p = p }), new, old)
end

function ZoneoutCell:__call(inputs, states)
  local output, after = self.base_cell(inputs, states)
  if self.zoneout_outputs > 0 then
    output = mix(self.zoneout_outputs, output, self.prev_output or sym.zeros_like(output))
  end
  if self.zoneout_states > 0 then
    local mixed = {}
    for i, new in ipairs(after) do mixed[i] = mix(self.zoneout_states, new, states[i]) end
    after = mixed
  end
  self.prev_output = output
  return output, after
end

-- ---- ResidualCell ------------------------------------------------------------------------------------------------

--- ResidualCell(base_cell): adds the input to the output.
local ResidualCell = ModifierCell:subclass "ResidualCell"
modifiers.ResidualCell = ResidualCell

local read_residual = arguments.new("ResidualCell", "base_cell")
function ResidualCell:init(...) ModifierCell.init(self, read_residual(...).base_cell) end

local function plus(output, input)
  return sym.elemwise_add(output, input, { name = output.name .. "_plus_residual" })
end

function ResidualCell:__call(inputs, states)
  local output, after = self.base_cell(inputs, states)
  return plus(output, inputs), after
end

--- unroll(length, inputs, begin_state, layout = "NTC", merge_outputs = nil): as BaseRNNCell.unroll.
function ResidualCell:unroll(length, inputs, begin_state, layout, merge_outputs)
  layout = layout or "NTC"
  self:reset()
  local cell = self.base_cell
  local outputs, states = unmodified(cell, cell.unroll, cell, length, inputs, begin_state, layout, merge_outputs)
  if merge_outputs == nil then merge_outputs = is_symbol(outputs) end
  local sequence = base.normalize("unroll", length, inputs, layout, merge_outputs)
  if merge_outputs then return plus(outputs, sequence), states end
  local sums = {}
  for t, output in ipairs(outputs) do sums[t] = plus(output, sequence[t]) end
  return sums, states
end

for _, cls in ipairs { DropoutCell, ModifierCell, ZoneoutCell, ResidualCell } do arguments.as_above(cls) end

return modifiers

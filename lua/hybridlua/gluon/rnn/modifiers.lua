-- modifiers.lua - cells that modify others: DropoutCell, and the ModifierCells ZoneoutCell and ResidualCell, which wrap
-- a cell. The inner cell provides parameters and states, and must not be called directly.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local autograd = require "hybridlua.autograd"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local python = require "hybridlua.language.python_text"
local base = require "hybridlua.gluon.rnn.recurrent_cell"
local begin = require "hybridlua.gluon.rnn.begin_state"
local modifier_state = require "hybridlua.gluon.rnn.modifier_state"
local stacks = require "hybridlua.gluon.rnn.stacks"
local unrolling = require "hybridlua.gluon.rnn.unrolling"
local is_plain = core.script.is_plain

local rnn = {}

local UNROLL = "length inputs begin_state layout merge_outputs valid_length"

-- ---- DropoutCell ----------------------------------------------------------------------------------------------

--- DropoutCell(rate, axes = {}): applies dropout to its input in training, as nn.Dropout does; it has no states.
local DropoutCell = base.HybridRecurrentCell:subclass "DropoutCell"
rnn.DropoutCell = DropoutCell

function DropoutCell.alias() return "dropout" end

local read_dropout = arguments.of_block("DropoutCell", "rate axes", {})

function DropoutCell:init(...)
  local o = read_dropout(...)
  if type(o.rate) ~= "number" then fail("DropoutCell: rate must be a number") end
  self._rate = checks.probability("DropoutCell: rate", o.rate)
  self._axes = type(o.axes) == "number" and { o.axes } or o.axes or {}
  self._drop = core.op.prepare("Dropout", { p = self._rate, axes = self._axes, name = "fwd" })
end

DropoutCell._step_prefix = modifier_state.step_prefix

--- An empty list: the cell has no states.
function DropoutCell.state_info() return {} end

function DropoutCell:hybrid_forward(F, input, states)
  if self._rate > 0 then input = F.Dropout(input, self._drop) end
  return input, states
end

local unroll_steps = base.HybridRecurrentCell.unroll

--- unroll(length, inputs, begin_state, layout = "NTC", merge_outputs): dropout of a whole sequence at once if it is one
-- array and stays one.
function DropoutCell:unroll(length, inputs, begin_state, layout, merge_outputs)
  local axis
  length, axis, layout = unrolling.read(self, length, layout)
  inputs = unrolling.formed(inputs, length, axis, merge_outputs)
  if is_plain(inputs) then return unroll_steps(self, length, inputs, begin_state or {}, layout, merge_outputs) end
  return self:hybrid_forward(unrolling.F_of(inputs), inputs, begin_state or {})
end

function DropoutCell.__tostring(self)
  return ("DropoutCell(rate=%s, axes=%s)"):format(python.number(self._rate), python.tuple(self._axes))
end

arguments.methods(DropoutCell, "", { state_info = "batch_size", unroll = UNROLL })

-- ---- ModifierCell ---------------------------------------------------------------------------------------------

--- ModifierCell(base_cell): the base class of cells around a cell, self.base_cell. A subclass defines hybrid_forward;
-- if it has an init, that calls ModifierCell.init(self, base_cell).
local ModifierCell = base.HybridRecurrentCell:subclass "ModifierCell"
rnn.ModifierCell = ModifierCell

-- The cell among the arguments of a constructor.
local function cell_of(first)
  if is_plain(first) then return first.base_cell or first[1] end
  return first
end

local function is_cell(x) return type(x) == "table" and class.of(x) ~= nil and x.state_info ~= nil end

function ModifierCell.given_prefix(first, cls)
  local cell = cell_of(first)
  if not is_cell(cell) then return nil end                                     -- init raises
  if modifier_state.is_modified(cell) then
    fail("Cell %s is already modified. One cell cannot be modified twice", cell.name)
  end
  return cell.prefix .. (cls.alias and cls.alias(first) or cls.__name__:lower())
end

local read_modifier = arguments.of_block("ModifierCell", "base_cell", {})

function ModifierCell:init(...)
  local name = class.of(self).__name__
  local cell = read_modifier:called(name)(...).base_cell
  if not is_cell(cell) then
    fail("%s: base_cell: expected a cell, got %s", name, class.of(cell) and class.of(cell).__name__ or type(cell))
  end
  modifier_state.modify(cell)
  self.base_cell = cell
  getmetatable(self).store.params = cell.params
end

--- The shapes and layouts of the inner cell's states.
function ModifierCell:state_info(batch_size) return self.base_cell:state_info(batch_size) end

--- Initial states of the inner cell.
function ModifierCell:begin_state(batch_size, func, options)
  begin.refuse_modified(self, "DropoutCell")
  local _ <close> = modifier_state.release(self.base_cell)
  return self.base_cell:begin_state(batch_size, func, options)
end

function ModifierCell.__tostring(self) return ("%s(%s)"):format(class.of(self).__name__, tostring(self.base_cell)) end

arguments.methods(ModifierCell, "", { state_info = "batch_size", begin_state = begin.ARGUMENTS })

-- ---- ZoneoutCell ----------------------------------------------------------------------------------------------

--- ZoneoutCell(base_cell, zoneout_outputs = 0, zoneout_states = 0): in training, each element of the output or of a
-- state keeps its previous step's value with this probability (D. Krueger et al., 2016).
local ZoneoutCell = ModifierCell:subclass "ZoneoutCell"
rnn.ZoneoutCell = ZoneoutCell

function ZoneoutCell.alias() return "zoneout" end

local read_zoneout = arguments.of_block("ZoneoutCell", "base_cell zoneout_outputs zoneout_states",
  { zoneout_outputs = 0.0, zoneout_states = 0.0 })

function ZoneoutCell:init(...)
  local o = read_zoneout(...)
  ModifierCell.init(self, o.base_cell)
  stacks.refuse_bidirectional(self.base_cell, "ZoneoutCell", "zoneout")
  self.zoneout_outputs = checks.probability("ZoneoutCell: zoneout_outputs", o.zoneout_outputs)
  self.zoneout_states = checks.probability("ZoneoutCell: zoneout_states", o.zoneout_states)
end

--- Prepares the cell for another sequence.
function ZoneoutCell:reset()
  modifier_state.forget(self)
  base.HybridRecurrentCell.reset(self)
end

function ZoneoutCell:hybrid_forward(F, input, states)
  local output, after = self.base_cell(input, states)
  if not autograd.is_training() then return output, after end
  local function mixed(p, fresh, old) return F.where(F.Dropout(F.ones_like(fresh), { p = p }), fresh, old) end
  if self.zoneout_outputs ~= 0 then
    local sequence = modifier_state.of(self, "the output")
    output = mixed(self.zoneout_outputs, output, sequence.output or F.zeros_like(output))
    sequence.output = output
  end
  if self.zoneout_states ~= 0 then
    local mix = {}
    for i, state in ipairs(after) do mix[i] = mixed(self.zoneout_states, state, states[i]) end
    after = mix
  end
  return output, after
end

--- unroll(length, inputs, begin_state, layout = "NTC", merge_outputs, valid_length): see RecurrentCell.
function ZoneoutCell:unroll(...)
  local _ <close> = modifier_state.unroll(self)
  return unroll_steps(self, ...)
end

--- Compiles the inner cell only (see modifier_state.lua).
function ZoneoutCell:hybridize(...) self.base_cell:hybridize(...) end

function ZoneoutCell.__tostring(self)
  return ("ZoneoutCell(p_out=%s, p_state=%s, %s)"):format(python.number(self.zoneout_outputs),
    python.number(self.zoneout_states), tostring(self.base_cell))
end

arguments.methods(ZoneoutCell, "", { reset = "", unroll = UNROLL })

-- ---- ResidualCell ---------------------------------------------------------------------------------------------

--- ResidualCell(base_cell): adds the input to the output, which must have its shape (Y. Wu et al., 2016).
local ResidualCell = ModifierCell:subclass "ResidualCell"
rnn.ResidualCell = ResidualCell
ResidualCell._step_prefix = modifier_state.step_prefix

local SUM = core.op.prepare("elemwise_add", { name = "fwd" })

function ResidualCell:hybrid_forward(F, input, states)
  local output, after = self.base_cell(input, states)
  return F.elemwise_add(output, input, SUM), after
end

--- unroll(length, inputs, begin_state, layout = "NTC", merge_outputs, valid_length): see RecurrentCell.
function ResidualCell:unroll(length, inputs, begin_state, layout, merge_outputs, valid_length)
  local axis
  length, axis, layout = unrolling.read(self, length, layout)
  self:reset()
  local outputs, states = self.base_cell:unroll(length, inputs, begin_state, layout, merge_outputs, valid_length)
  if merge_outputs == nil then merge_outputs = not is_plain(outputs) end
  if valid_length then inputs = unrolling.masked(inputs, valid_length, axis) end
  inputs = unrolling.formed(inputs, length, axis, merge_outputs)
  outputs = unrolling.formed(outputs, length, axis, merge_outputs)
  if merge_outputs then return unrolling.F_of(outputs).elemwise_add(outputs, inputs), states end
  local sums = {}
  for t, output in ipairs(outputs) do sums[t] = unrolling.F_of(output).elemwise_add(output, inputs[t]) end
  return sums, states
end

arguments.methods(ResidualCell, "", { unroll = UNROLL })

return rnn

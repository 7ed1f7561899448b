-- modifier_state.lua - what cells that modify others keep beside their fields: that a cell is modified, and what a
-- sequence under way hands from step to step (the output before, a mask). Between steps it must not be a field: a trace
-- would take it for a constant.
--
-- A compiled call of a single step would not hand anything on to the next one. So such a cell is never compiled by
-- itself, and in a trace it takes steps only within an unroll that the trace has as a whole.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local is_tracing = core.trace.active

local kept = {}

local modified = setmetatable({}, { __mode = "k" })
local under_way = setmetatable({}, { __mode = "k" })

--- Is the cell inside another one, which must be called in its stead?
function kept.is_modified(cell) return modified[cell] or false end

function kept.modify(cell) modified[cell] = true end

local Lease = {}
function Lease:__close() modified[self.cell] = true end

--- Lets the cell be used by itself until the value returned is closed.
function kept.lend(cell)
  modified[cell] = nil
  return setmetatable({ cell = cell }, Lease)
end

-- ---- Counts for names -----------------------------------------------------------------------------------------

local steps, states = setmetatable({}, { __mode = "k" }), setmetatable({}, { __mode = "k" })

--- What the names of operators begin with in the step that begins: "rnn_t0_", then "rnn_t1_".
function kept.step_prefix(cell)
  local t = steps[cell] or 0
  steps[cell] = t + 1
  return ("%st%d_"):format(cell.prefix, t)
end

--- The number of the next state that is made to begin with, from 0.
function kept.next_state(cell)
  local i = states[cell] or 0
  states[cell] = i + 1
  return i
end

--- Both are counted from 0 again.
function kept.count_again(cell) steps[cell], states[cell] = nil, nil end

-- ---- Sequences in progress ------------------------------------------------------------------------------------

local function tracing() return is_tracing() and true or false end

local Unroll = {}
function Unroll:__close() under_way[self.cell] = nil end

--- The cell is unrolled until the value returned is closed.
function kept.unroll(cell)
  under_way[cell] = { whole = true, traced = tracing() }
  return setmetatable({ cell = cell }, Unroll)
end

--- What the cell keeps of the sequence under way: a table. `what` it is, for errors.
function kept.of(cell, what)
  local sequence = under_way[cell]
  if tracing() and not (sequence and sequence.traced) then
    fail("%s: %s goes from step to step, which compiled calls of single steps do not hand on; call cell:unroll in " ..
      "the hybridized block, or do not hybridize it", cell.name, what)
  end
  if not sequence then
    sequence = {}
    under_way[cell] = sequence
  end
  return sequence
end

--- Another sequence begins.
function kept.forget(cell)
  local sequence = under_way[cell]
  under_way[cell] = sequence and sequence.whole and { whole = true, traced = sequence.traced } or nil
end

return kept

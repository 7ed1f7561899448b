-- modifier_state.lua - state of modifier cells outside their fields: whether a cell is modified, and the values that
-- the current sequence passes from step to step (the previous output, a mask). A trace would treat fields as constants.
--
-- A compiled call of a single step would lose these values. So such a cell is never compiled alone, and in a trace it
-- steps only within an unroll that is traced as a whole.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local is_tracing = core.trace.active

local state = {}

local modified = setmetatable({}, { __mode = "k" })
local current = setmetatable({}, { __mode = "k" })

--- Is the cell inside another one, which must be called instead?
function state.is_modified(cell) return modified[cell] or false end

function state.modify(cell) modified[cell] = true end

local Release = {}
function Release:__close() modified[self.cell] = true end

--- Allows direct calls of the cell until the returned value is closed.
function state.release(cell)
  modified[cell] = nil
  return setmetatable({ cell = cell }, Release)
end

-- ---- Counts for names -----------------------------------------------------------------------------------------

local steps, states = setmetatable({}, { __mode = "k" }), setmetatable({}, { __mode = "k" })

--- The prefix of operators' names in the next step: "rnn_t0_", then "rnn_t1_".
function state.step_prefix(cell)
  local t = steps[cell] or 0
  steps[cell] = t + 1
  return ("%st%d_"):format(cell.prefix, t)
end

--- The number of the next initial state, from 0.
function state.next_state(cell)
  local i = states[cell] or 0
  states[cell] = i + 1
  return i
end

--- Resets both counters.
function state.count_again(cell) steps[cell], states[cell] = nil, nil end

-- ---- Sequences in progress ------------------------------------------------------------------------------------

local function tracing() return is_tracing() and true or false end

local Unroll = {}
function Unroll:__close() current[self.cell] = nil end

--- Marks the cell as being unrolled until the returned value is closed.
function state.unroll(cell)
  current[cell] = { whole = true, traced = tracing() }
  return setmetatable({ cell = cell }, Unroll)
end

--- The cell's state in the current sequence, a table; what: its contents, for errors.
function state.of(cell, what)
  local sequence = current[cell]
  if tracing() and not (sequence and sequence.traced) then
    fail("%s: %s is passed from step to step, which compiled calls of single steps cannot do; call cell:unroll in " ..
      "the hybridized block, or do not hybridize it", cell.name, what)
  end
  if not sequence then
    sequence = {}
    current[cell] = sequence
  end
  return sequence
end

--- Starts another sequence.
function state.forget(cell)
  local sequence = current[cell]
  current[cell] = sequence and sequence.whole and { whole = true, traced = sequence.traced } or nil
end

return state

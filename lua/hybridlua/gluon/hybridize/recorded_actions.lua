-- recorded_actions.lua - the actions of a compiled function that run after its executable: backward, and updates of
-- parameters.
--
-- hl.compile can compile a whole training step. While its function is traced, autograd.record, backward, Trainer.step
-- and calls between these (zero_grad, clip_global_norm, set_learning_rate) only record an action here. Every call then
-- runs the compiled function and performs the actions in order: the compiled backward, the update of all parameters.
-- After the first action only values computed before may be used (trace_admit in src/bind/trace/tracing.c), because
-- anything else would see the parameters before the update.
--
-- So learning rates, states and counters stay in the optimizer, in Lua. The update is not generated code: gradients of
-- weights come from matrix products, which are not part of fusion groups, so there is no loop that it could join.
local core = require "hybridlua.core"
local script = require "hybridlua.language.script_line"
local tracing = core.trace.active

local actions = {}

local recording       -- of the current trace

--- actions.recording is the list of actions of the current trace, if the running code is part of it: { recorded = ,
-- owner = , { what, line, heads, run }, ... }; nil if actions are not allowed (blocks), or nothing is traced.
setmetatable(actions,
  { __index = function(_, key) if key == "recording" and recording and tracing() then return recording end end })

function actions.begin(allowed) recording = allowed and { owner = {} } or nil end

--- Ends a trace; returns its actions, or nil.
function actions.finish()
  local list = recording
  recording = nil
  return list and (#list > 0 or list.recorded) and list or nil
end

--- Notes that autograd.record was entered; carried: its option, for the executable's runs.
function actions.record(carried)
  recording.recorded = true
  recording.carried = carried or recording.carried
end

--- Records an action: `run` is called after each run of the executable, with the arrays of `heads`, Symbols. If it is
-- `harmless`, the code after it may still read parameters. A harmless one before autograd.record runs before the
-- executable, so that a failure of the latter leaves what it leaves in eager code.
function actions.add(what, heads, run, harmless)
  recording[#recording + 1] = { what = what, line = script.line() or "?", heads = heads, run = run,
    first = (harmless and not recording.recorded) or false }
  if not harmless then core.trace.seal() end
end

--- Notes that a parameter's gradient was requested: an action may have to request it again, if the parameter's array
-- was replaced.
function actions.asked(param, gradient, ctx) recording.owner[gradient] = { param, ctx } end

--- A function that returns `gradients`, with those of parameters requested again at each call.
function actions.current(gradients)
  local owner = recording.owner
  return function()
    local now = {}
    for i, gradient in ipairs(gradients) do
      now[i] = owner[gradient] and owner[gradient][1]:grad(owner[gradient][2]) or gradient
    end
    return now
  end
end

--- Performs the actions, those that come first or the others; arrays_of returns the arrays of an action's heads. Errors
-- report the action's line.
function actions.run(list, first, arrays_of)
  for _, action in ipairs(list) do
    if action.first == first then
      local ok, problem = pcall(action.run, arrays_of(action))
      if not ok then
        error(type(problem) == "string" and problem:gsub("^[^\n]-:%d+: ", action.line .. ": ", 1) or problem, 0)
      end
    end
  end
end

return actions

-- recorded_actions.lua - what a compiled function does when its program has run: backward, and updates of
-- parameters.
--
-- hl.compile can take a whole training step. While its function is traced, autograd.record,
-- backward, Trainer.step and what people do between these (zero_grad, clip_global_norm,
-- set_learning_rate) do nothing but leave a note here; every call then runs the compiled
-- graph and carries them out in their order: the compiled backward, the update of all parameters.
-- After the first note only values computed before may be used (trace_admit in src/bind/trace/tracing.c):
-- anything else would see the parameters as they were.
--
-- So learning rates, states and counters stay the optimizer's own, in Lua. The update is not generated code: gradients
-- of weights come from matrix products, which are not part of fusion groups, so there is no loop that it could join.
local core = require "hybridlua.core"
local script = require "hybridlua.language.script_line"
local tracing = core.trace.active

local steps = {}

local noting       -- of the trace under way

--- steps.noting is the notes of the trace that what runs is part of: { recorded = , owner = , { what, line, heads,
-- run }, ... }; nil where a function may not step (blocks), or none is traced.
setmetatable(steps,
  { __index = function(_, key) if key == "noting" and noting and tracing() then return noting end end })

function steps.begin(allowed) noting = allowed and { owner = {} } or nil end

--- Ends a trace; gives its notes, nil if there are none.
function steps.finish()
  local noted = noting
  noting = nil
  return noted and (#noted > 0 or noted.recorded) and noted or nil
end

--- autograd.record was entered; carried: its option, which the program's runs are to have.
function steps.record(carried)
  noting.recorded = true
  noting.carried = carried or noting.carried
end

--- A note: `run` is called after each run of the program with the arrays of `heads`, Symbols.
-- With `harmless` the program may go on to read parameters.
function steps.add(what, heads, run, harmless)
  noting[#noting + 1] = { what = what, line = script.line() or "?", heads = heads, run = run }
  if not harmless then core.trace.seal() end
end

--- A parameter's gradient was asked for: a note may have to ask again, as the parameter may have
-- another array by then.
function steps.asked(param, gradient, ctx) noting.owner[gradient] = { param, ctx } end

--- A function that gives `gradients`, some of which may be parameters', as they are when it is called.
function steps.current(gradients)
  local owner = noting.owner
  return function()
    local now = {}
    for i, gradient in ipairs(gradients) do
      now[i] = owner[gradient] and owner[gradient][1]:grad(owner[gradient][2]) or gradient
    end
    return now
  end
end

--- Carries out the notes; arrays_of gives the arrays of a note's heads. Errors tell the note's line.
function steps.run(noted, arrays_of)
  for _, step in ipairs(noted) do
    local ok, problem = pcall(step.run, arrays_of(step))
    if not ok then
      error(type(problem) == "string" and problem:gsub("^[^\n]-:%d+: ", step.line .. ": ", 1) or problem, 0)
    end
  end
end

return steps

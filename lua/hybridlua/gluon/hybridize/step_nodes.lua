-- step_nodes.lua - training steps in a compiled function: backward, and updates of parameters, as nodes of its graph.
--
-- hl.compile can compile a whole training step. While its function is traced, backward, Trainer.step and calls between
-- these (zero_grad, clip_global_norm, set_learning_rate) add nodes with effects to the graph, in the script's order
-- (src/exec/program/step_rows.h). The executable computes and stores the gradients of backward. An update by one
-- operator is a node, too: its numbers (learning rate, weight decay, count) are an input of the graph, which the
-- optimizer, in Lua, fills in before it. For the other nodes the executable calls a function of this list. So a change
-- of learning rates, states and counts needs no new trace, and a failing node leaves what the failing line leaves in
-- eager code.
-- After the first node that is not harmless only values computed before may be used (trace_admit in
-- src/bind/trace/tracing.c), because parameters read later would have to be read again.
local core = require "hybridlua.core"
local script = require "hybridlua.language.script_line"
local tracing, add_step = core.trace.active, core.trace.add_step

local steps = {}

local recording       -- of the current trace

--- steps.recording is the list of the steps of the current trace, if the running code is part of it: { recorded = ,
-- owner = , { what, line, heads, run }, ... }; nil if steps are not allowed (blocks), or nothing is traced.
setmetatable(steps,
  { __index = function(_, key) if key == "recording" and recording and tracing() then return recording end end })

--- Begins a trace; params: the list that gets the Parameters that it reads.
function steps.begin(allowed, params)
  recording = allowed and { owner = {}, params = params, export = steps.exporter } or nil
end

-- A StepExport that gets the steps of the next traces, or nil.
steps.exporter = nil

--- Ends a trace; returns its steps, or nil.
function steps.finish()
  local list = recording
  recording = nil
  return list and (#list > 0 or list.recorded) and list or nil
end

--- Notes that autograd.record was entered; carried: its option, for the executable's runs.
function steps.record(carried)
  recording.recorded = true
  recording.carried = carried or recording.carried
end

local function add(what, heads, run, harmless, on_tape, retain, describe)
  local number = #recording + 1
  local updates = recording.updates or 0
  recording[number] = { what = what, line = script.line() or "?", heads = heads, run = run, describe = describe,
    on_tape = on_tape }
  if recording.export then return recording.export:add(recording[number], harmless, recording.params) end
  add_step(what, number, heads, harmless and not recording.recorded, on_tape, retain, describe and updates)
  if describe then recording.updates = updates + 1 end
  if not harmless then core.trace.seal() end
end

--- Adds a node that calls `run`. If it is `harmless`, the code after it may still read parameters.
function steps.add(what, run, harmless) add(what, nil, run, harmless) end

--- Adds an update. describe(with_numbers) returns what it updates: the name of an update operator, the list of the
-- weights, that of their states and, if with_numbers, the array of the next update's numbers; or nil if it is not one
-- operator for all weights. Then a node calls `run`. Otherwise `run` fills
-- in the numbers of the update's node, or updates by itself if it is another one.
function steps.add_update(what, run, describe) add(what, nil, run, false, nil, nil, describe) end

--- Adds zero_grad of the parameters that list() returns. A node calls `run` if the function does not read them all.
function steps.add_zeros(run, list)
  add("zero_grad", nil, run, true, nil, nil, function()
    local weights = {}
    for _, param in ipairs(list()) do
      if param._grad_req ~= "null" then
        if not param._array or #param._copies > 1 then return nil end
        weights[#weights + 1] = param._array
      end
    end
    return "zero_grad", weights
  end)
end

--- Adds clip_global_norm of the gradients. A node calls `run` if they are not all those of arrays that the function
-- reads; otherwise one calls run(true), which only warns, if the norm is not finite. For a StepExport the gradients are
-- replaced by the weights, false where one is unknown.
function steps.add_clip(gradients, max_norm, warns, run)
  local current, owner = steps.current(gradients), recording.owner
  add("clip_global_norm", nil, run, false, nil, nil, function(for_export)
    local weights = {}
    for i, gradient in ipairs(gradients) do
      local param = owner[gradient] and owner[gradient][1]
      if param and (not param._array or param._grad_req == "null") then return nil end
      weights[i] = param and param._array or false
    end
    return "clip_global_norm", for_export and weights or current(), { max_norm, warns }
  end)
end

--- Adds a backward from the heads, Symbols. `run` is the same on the tape: it is called with the heads' arrays if the
-- executable cannot compute the gradients, as always with on_tape. retain: the tape is kept.
function steps.add_backward(heads, run, on_tape, retain) add("backward", heads, run, false, on_tape, retain) end

--- Notes that a parameter's gradient was requested: a step may have to request it again, if the parameter's array was
-- replaced.
function steps.asked(param, gradient, ctx) recording.owner[gradient] = { param, ctx } end

--- A function that returns `gradients`, with those of parameters requested again at each call.
function steps.current(gradients)
  local owner = recording.owner
  return function()
    local now = {}
    for i, gradient in ipairs(gradients) do
      now[i] = owner[gradient] and owner[gradient][1]:grad(owner[gradient][2]) or gradient
    end
    return now
  end
end

--- The functions of the steps, by number; nil if there are none.
function steps.functions(list)
  if not list or #list == 0 then return nil end
  local functions = { describe = {} }          -- at -i: what step i updates (src/bind/call/step_calls.c)
  for i, step in ipairs(list) do functions[i], functions.describe[i] = step.run, step.describe end
  return functions
end

return steps

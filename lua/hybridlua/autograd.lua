-- autograd.lua - recording, training mode, gradients.
--
-- record, pause, train_mode and predict_mode each change the mode for a function, autograd.record(function() ... end),
-- or for a scope, local _ <close> = autograd.record(). Both restore it even after an error. While such a scope is open
-- in a coroutine, the mode belongs to that coroutine (src/bind/core/coroutine.h).
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local steps = require "hybridlua.gluon.hybridize.step_nodes"
local is_array, is_symbol, tracing = core.array.is, core.symbol.is, core.trace.active
local autograd_mode, enter_mode, on_tape = core.autograd.mode, core.autograd.enter_mode, core.autograd.on_tape
local tape_backward = core.autograd.backward
local record_function, note_value_read = core.autograd.record_function, core.breaks.note_value_read

local autograd = {}

-- name: the function called to open the scope
local function enter(recording, train, name, carried)
  if recording and steps.recording then steps.record(carried) end
  return enter_mode(recording, train, name and "autograd." .. name, nil, carried)
end

local function within(recording, train, carried, fn)
  local _ <close> = enter(recording, train, nil, carried)
  return fn()
end

local READERS = {
  record = arguments.new("autograd.record", "fn train_mode carried"),
  pause = arguments.new("autograd.pause", "fn train_mode"), train_mode = arguments.new("autograd.train_mode", "fn"),
  predict_mode = arguments.new("autograd.predict_mode", "fn"),
}

-- Arguments of record, pause, train_mode and predict_mode: (fn, options), (options), fn or nothing; in MXNet train_mode
-- is the first parameter.
local function read_mode(name, ...)
  local given = READERS[name](...)
  if type(given.fn) == "boolean" and given.train_mode == nil and READERS[name].known.train_mode then
    given.fn, given.train_mode = nil, given.fn
  end
  return given.fn, given
end

local function run(name, recording, train, ...)
  local fn, options = ...
  local carried
  if fn ~= nil and type(fn) ~= "function" or options ~= nil or select("#", ...) > 2 then
    fn, options = read_mode(name, ...)
    if options.train_mode ~= nil then train = options.train_mode end
    carried = options.carried
  end
  if fn == nil then return enter(recording, train, name, carried) end
  if type(fn) ~= "function" then
    fail("autograd.%s: expected a function, got %s; write autograd.%s(function() ... end)", name,
         is_array(fn) and "an NDArray" or type(fn), name)
  end
  return within(recording, train, carried, fn)
end

--- Records operators for backward, in training mode unless {train_mode = false}. An array recorded before a backward
-- that freed its graph (a hidden state carried into the next batch) counts as a constant: gradients stop at it.
-- {carried = "warn"} warns about it once, "cut" does not warn, "error" raises.
function autograd.record(...) return run("record", true, true, ...) end

--- Stops recording, in predict mode unless {train_mode = true}.
function autograd.pause(...) return run("pause", false, false, ...) end

--- Training mode; whether operators are recorded does not change.
function autograd.train_mode(...) return run("train_mode", nil, true, ...) end

--- Predict mode; whether operators are recorded does not change.
function autograd.predict_mode(...) return run("predict_mode", nil, false, ...) end

--- Checks every value that operators compute, forward and backward, eagerly and compiled, and raises at the first NaN
-- or infinity. The error names the operator, or the operator whose gradient it is, and the script's line. It applies to
-- fn, whose results it returns, or to a scope, local _ <close> = autograd.detect_anomaly(). Meanwhile compiled code
-- runs operator by operator, which is slower.
function autograd.detect_anomaly(fn)
  if tracing() then
    fail "autograd.detect_anomaly: expected a call outside of hybridized code; put it around the call"
  end
  if fn == nil then return enter_mode(nil, nil, "autograd.detect_anomaly", nil, nil, true) end
  if type(fn) ~= "function" then
    fail("autograd.detect_anomaly: expected a function, got %s; write autograd.detect_anomaly(function() ... end)",
         type(fn))
  end
  local _ <close> = enter_mode(nil, nil, nil, nil, nil, true)
  return fn()
end

function autograd.is_recording() return (autograd_mode()) end
function autograd.is_training() return (select(2, autograd_mode())) end

--- Sets the mode until the enclosing scope ends, or for good outside scopes; returns the previous mode.
function autograd.set_recording(on) return (autograd_mode(on and true or false)) end

function autograd.set_training(on) return (select(2, autograd_mode(nil, on and true or false))) end

-- In a traced training step: adds a node of the graph.
local function record_backward(heads, head_grads, retain_graph, create_graph)
  heads = type(heads) == "table" and heads or { heads }
  if not steps.recording.recorded then
    fail("backward: expected a head computed inside autograd.record, got one outside")
  end
  for i, head in ipairs(heads) do
    if not is_symbol(head) then
      fail("backward: heads: expected results of the compiled function, got %s as number %d", type(head), i)
    end
  end
  for _, grad in ipairs(type(head_grads) == "table" and head_grads or { head_grads }) do
    if is_symbol(grad) then
      fail("backward: head_grads: expected arrays of the script in a compiled function, got a Symbol")
    end
  end
  local given = head_grads ~= nil and not (type(head_grads) == "table" and next(head_grads) == nil)
  steps.add_backward(heads, function(...) tape_backward({ ... }, head_grads, retain_graph, create_graph) end,
    given or create_graph, retain_graph)
end

--- backward(heads, head_grads, retain_graph = false, train_mode = true, {create_graph = false}): writes gradients of
-- the arrays that the heads depend on. heads: an NDArray or a table; head_grads: one for each head, ones for nil;
-- retain_graph keeps the recorded graph, create_graph records the gradients. train_mode has no effect: backward uses
-- the mode in which the heads were computed.
local function backward(heads, head_grads, retain_graph, _, create_graph)
  if steps.recording then return record_backward(heads, head_grads, retain_graph, create_graph) end
  tape_backward(heads, head_grads, retain_graph, create_graph)
end
autograd.backward = backward

-- In compiled code: the nodes that compute the gradients.
local function grad_of_symbols(heads, variables, head_grads, create_graph)
  local function list(x) return x ~= nil and type(x) ~= "table" and { x } or x end
  local _ <close> = not create_graph and enter_mode(false, nil) or nil
  return core.symbol.grad(list(heads), list(variables), list(head_grads))
end

--- grad(heads, variables, head_grads, retain_graph = create_graph, create_graph = false, train_mode = true): the
-- gradients of heads with respect to variables, as new arrays; nothing is stored. For a single variable it returns an
-- array, for a table of variables a table. It works in compiled code too. train_mode: as for backward.
function autograd.grad(heads, variables, head_grads, retain_graph, create_graph)
  if retain_graph == nil then retain_graph = create_graph end
  local grads
  if is_symbol(type(heads) == "table" and heads[1] or heads) then
    grads = grad_of_symbols(heads, variables, head_grads, create_graph)
  else
    grads = tape_backward(heads, head_grads, retain_graph, create_graph, variables)
  end
  return type(variables) == "table" and grads or grads[1]
end

--- Attaches the given gradient arrays to variables.
function autograd.mark_variables(variables, gradients, grad_reqs)
  for i, x in ipairs(type(variables) == "table" and variables or { variables }) do
    core.autograd.attach_grad(x, type(grad_reqs) == "table" and grad_reqs[i] or grad_reqs or "write")
    core.autograd.set_grad(x, type(gradients) == "table" and gradients[i] or gradients)
  end
end

for name, read in pairs(READERS) do arguments.reads(autograd[name], read) end
arguments.functions(autograd, "autograd.", {
  is_recording = "", is_training = "", set_recording = "is_recording", set_training = "train_mode",
  backward = "heads[] head_grads[] retain_graph train_mode create_graph",
  grad = "heads[] variables[] head_grads[] retain_graph create_graph train_mode",
  mark_variables = "variables[] gradients[] grad_reqs[]", detect_anomaly = "fn",
})

--- An operation with forward and backward written in Lua, on arrays:
--   local Sig = autograd.Function:subclass "Sig"
--   function Sig:forward(x) local y = x:sigmoid() self:save_for_backward(y) return y end
--   function Sig:backward(dy) local y = self.saved_tensors[1] return dy * y * (1 - y) end
--   local y = Sig()(x)
-- backward is called with one gradient for each output and returns one for each input (nil: zero).
local Function = class.root("Function", class.new)
autograd.Function = Function

function Function:save_for_backward(...) self.saved_tensors = { ... } end

function Function:forward() fail("Function: forward is not defined") end
function Function:backward() fail("Function: backward is not defined") end

-- Each output as a separate array, so that it can be recorded separately.
local function fresh(outputs, inputs)
  for i, y in ipairs(outputs) do
    local taken = on_tape(y)
    for _, x in ipairs(inputs) do taken = taken or rawequal(x, y) end
    if taken then outputs[i] = y:copy() end
  end
  return outputs
end

function Function.__call(self, ...)
  note_value_read "autograd.Function"
  if tracing() then
    fail("%s: autograd.Function works on arrays; in a hybridized block write operators, or leave the block " ..
      "unhybridized", self.__name__)
  end
  local inputs, recorded = { ... }, false
  for _, x in ipairs(inputs) do recorded = recorded or on_tape(x) end
  recorded = recorded and (autograd_mode())
  local outputs
  do
    local _ <close> = enter_mode(false)
    outputs = { self:forward(...) }
    if recorded then fresh(outputs, inputs) end
  end
  if recorded then record_function(self, inputs, outputs) end
  return table.unpack(outputs)
end

core.array.methods.attach_grad = core.autograd.attach_grad
core.array.methods.fresh_grad = core.autograd.fresh_grad

--- y:backward(out_grad, retain_graph = false, train_mode = true, {create_graph = false}): autograd.backward for one
-- head. out_grad: ones if nil.
function core.array.methods:backward(...) backward(self, ...) end

local refuse = core.symbol.methods.backward       -- used outside a compiled function
function core.symbol.methods:backward(...)
  if not steps.recording then return refuse(self) end
  backward(self, ...)
end

for _, methods in ipairs { core.array.methods, core.symbol.methods } do
  arguments.methods(methods, "", { backward = "out_grad retain_graph train_mode create_graph" })
end

return require "hybridlua.language.module"(autograd, "hybridlua.autograd")

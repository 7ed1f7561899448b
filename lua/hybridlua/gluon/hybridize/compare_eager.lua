-- compare_eager.lua - hybridize{check = n}: runs the first n calls of each signature both eagerly and compiled, and
-- compares results, gradients of all results, states and the random stream. NaNs in the same position are equal;
-- everything else is compared by bits, including the sign of zero (core.array.same).
--
-- Both runs start from the same stream and states; the compiled one counts. If they differ, the graph is run again
-- operator by operator. If that agrees with the executable, the trace differs from the eager run, and the eager run's
-- operator log shows where. Otherwise the executable is wrong: it is rebuilt up to each operator in turn.
local core = require "hybridlua.core"
local autograd = require "hybridlua.autograd"
local fail = require "hybridlua.language.fail"
local is_array, on_tape, random_state = core.array.is, core.autograd.on_tape, core.random.state

local nd, same = core.op.nd, core.array.same
local check = {}

-- ---- Comparing ------------------------------------------------------------------------------

local function shape_text(x) return "(" .. table.concat(x.shape, ", ") .. ")" end

local function difference(eager, compiled)
  if eager.dtype ~= compiled.dtype or shape_text(eager) ~= shape_text(compiled) then
    return ("%s %s in eager mode, %s %s in compiled mode"):format(eager.dtype, shape_text(eager), compiled.dtype,
      shape_text(compiled))
  end
  local count, first = core.array.differences(eager, compiled, 1)
  local place, x, y = table.unpack(first[1])
  if math.type(x) == "float" then x, y = ("%.17g"):format(x), ("%.17g"):format(y) end
  return ("%d of %d elements differ; element %d is %s in eager mode, %s in compiled mode"):format(count, eager.size,
    place, x, y)
end

-- The arrays in results, each with a title such as "result 1" or "result 2.mask".
local function arrays_in(results)
  local list = {}
  local function visit(x, title)
    if is_array(x) then list[#list + 1] = { title = title, array = x }
    elseif type(x) == "table" then
      local keys = {}
      for key in pairs(x) do keys[#keys + 1] = key end
      table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
      for _, key in ipairs(keys) do visit(x[key], ("%s.%s"):format(title, tostring(key))) end
    end
  end
  for i = 1, results.n do visit(results[i], "result " .. i) end
  return list
end

-- The first pair that differs: its title, how it differs, and its index in the list.
local function first_difference(eager, compiled)
  for i = 1, math.max(#eager, #compiled) do
    local a, b = eager[i], compiled[i]
    if not a or not b then return (a or b).title, "only one of the runs returns it", i end
    if a.title ~= b.title then return a.title, ("in compiled mode it is %s"):format(b.title), i end
    if not same(a.array, b.array) then return a.title, difference(a.array, b.array), i end
  end
end

-- ---- One run -----------------------------------------------------------------------------------

-- Copies of arrays; restore writes back those that changed.
local function snapshot(arrays)
  local copies = {}
  for i, x in ipairs(arrays) do copies[i] = x:copy() end
  return copies
end

local function restore(arrays, copies)
  for i, x in ipairs(arrays) do
    if not same(x, copies[i]) then
      local _ <close> = autograd.pause(nil, { train_mode = autograd.is_training() })
      x:set(copies[i])
    end
  end
end

-- Numbers between 0.5 and 1.5 that do not use the random stream.
local function head_like(x, salt)
  local values = {}
  for i = 1, x.size do values[i] = 0.5 + ((i + salt) * 0.6180339887498949) % 1 end
  local flat = nd.array(values, { dtype = x.dtype, ctx = x.context })
  return x.size > 0 and flat:reshape { shape = x.shape } or nd.zeros(x.shape, { dtype = x.dtype, ctx = x.context })
end

-- The gradients of all results with respect to `variables`; the tape is kept.
local function gradients(results, variables)
  local heads, head_grads = {}, {}
  for i, result in ipairs(results) do
    local x = result.array
    if on_tape(x) and x.dtype:find "^float" then
      heads[#heads + 1] = x
      head_grads[#head_grads + 1] = head_like(x, i)
    end
  end
  if #heads == 0 or #variables.arrays == 0 then return {} end
  local ok, grads = pcall(autograd.grad, heads, variables.arrays, { head_grads = head_grads, retain_graph = true })
  if not ok then return {} end
  local list = {}
  for i, g in ipairs(grads) do list[i] = { title = "the gradient of " .. variables.titles[i], array = g } end
  return list
end

-- The variables to differentiate with respect to: the arguments and parameters on the tape.
local function variables_among(t, arrays)
  local variables = { arrays = {}, titles = {} }
  if not autograd.is_recording() then return variables end
  for i, x in ipairs(arrays) do
    if on_tape(x) then
      variables.arrays[#variables.arrays + 1] = x
      variables.titles[#variables.titles + 1] = t.inputs[i].name or ("input " .. i)
    end
  end
  return variables
end

local function run(fn, arrays, variables)
  local out = { results = table.pack(fn()) }
  out.log = core.graph.log_operators(false)
  out.list = arrays_in(out.results)
  out.snapshot = {}
  for i, x in ipairs(out.list) do out.snapshot[i] = { title = x.title, array = x.array:copy() } end
  out.gradients = gradients(out.list, variables)
  out.states = snapshot(arrays)
  out.random = table.pack(random_state())
  return out
end

-- ---- Finding the operator ------------------------------------------------------------------------

local Restoring = {}
Restoring.__index = Restoring

-- Runs fn, unrecorded, from the state before the call.
function Restoring:from_start(fn)
  self:rewind()
  local _ <close> = autograd.pause(nil, { train_mode = autograd.is_training() })
  return fn()
end

-- Restores the state before the call.
function Restoring:rewind()
  restore(self.arrays, self.start)
  random_state(self.random[1], self.random[2])
end

local function record_text(record)
  return ("%s%s"):format(record.op, record.line ~= "" and " at " .. record.line or "")
end

local function records_differ(a, b)
  for k = 1, math.max(#a.outputs, #b.outputs) do
    if not a.outputs[k] or not b.outputs[k] or not same(a.outputs[k], b.outputs[k]) then return k end
  end
end

-- Describes the first difference of the trace from the eager run: an operator with other results, or one that only the
-- trace has. Operators are matched by name, line and order.
local function trace_differs(eager_log, replayed)
  local at, missing, there = 1, nil, nil
  for _, record in ipairs(replayed) do
    local found
    for i = at, #eager_log do
      if eager_log[i].op == record.op and eager_log[i].line == record.line then found = i break end
    end
    if found then
      local k = records_differ(eager_log[found], record)
      if k and not missing then
        return ("the first operator that differs is %s: %s"):format(record_text(record),
          difference(eager_log[found].outputs[k], record.outputs[k]))
      end
      at = found + 1
    elseif not missing then
      missing, there = record, eager_log[at] or eager_log[#eager_log]
    end
  end
  if missing then
    return ("the first operator that differs is %s, which only the trace has%s"):format(
      record_text(missing), there and "; the eager run has " .. record_text(there) or "")
  end
  return "the operators of both agree; the code returns a different value than in the trace"
end

-- Finds where the executable differs from its graph: rebuilds it up to each operator, then whole with each one as an
-- output.
local function executable_differs(where, t, arrays, replayed)
  for _, whole in ipairs { false, true } do
    for _, record in ipairs(replayed) do
      local executable = core.graph.up_to_node(t.compiled, record.node, whole)
      local outputs = where:from_start(function() return { executable(table.unpack(arrays)) } end)
      local first = #outputs - #record.outputs
      for k, expected in ipairs(record.outputs) do
        if not same(expected, outputs[first + k]) then
          return ("the first operator that differs is %s: %s"):format(record_text(record),
            difference(expected, outputs[first + k]))
        end
      end
    end
  end
  return "no operator differs when it is an output: suspect the memory plan, or the executable's last operator"
end

-- Finds the operator that made the results differ.
local function locate(where, t, arrays, eager_log)
  local replayed = where:from_start(function() return core.graph.replay(t.compiled, table.unpack(arrays)) end)
  local outputs = where:from_start(function() return { t.compiled(table.unpack(arrays)) } end)
  local by_node = {}
  for _, record in ipairs(replayed) do by_node[record.node] = record end
  for i, place in ipairs(core.graph.to_table(t.compiled).outputs) do
    local record = by_node[place.node]
    if record and not same(record.outputs[place.output + 1], outputs[i]) then
      return executable_differs(where, t, arrays, replayed)
    end
  end
  return trace_differs(eager_log, replayed)
end

-- The first operator that reads a variable whose gradient differs.
local function reader(t, name)
  local nodes = core.graph.to_table(t.compiled).nodes
  for _, node in ipairs(nodes) do
    for _, input in ipairs(node.inputs) do
      if nodes[input.node + 1].op == "variable" and nodes[input.node + 1].name == name then
        return ", read by " .. record_text(node) .. ","
      end
    end
  end
  return ""
end

-- ---- The check --------------------------------------------------------------------------------------

--- Runs a call both ways, eagerly() and compiled(); `arrays` are the inputs of the compiled function. Returns the
-- results of compiled(), or raises.
function check.run(t, arrays, eagerly, compiled)
  local variables = variables_among(t, arrays)
  local start = setmetatable({ arrays = arrays, start = snapshot(arrays), random = table.pack(random_state()) },
    Restoring)
  core.graph.log_operators(true)
  local ok, eager = pcall(run, eagerly, arrays, variables)
  if not ok then
    core.graph.log_operators(false)
    start:rewind()
    error(eager, 0)
  end
  start:rewind()
  local made = run(compiled, arrays, variables)
  local title, how = first_difference(eager.snapshot, made.snapshot)
  if title then
    fail("%s: hybridize{check}: %s differs: %s; %s", t.name, title, how, locate(start, t, arrays, eager.log))
  end
  title, how = first_difference(eager.gradients, made.gradients)
  if title then
    fail("%s: hybridize{check}: %s%s differs: %s", t.name, title, reader(t, title:match "gradient of (.*)"), how)
  end
  for i, x in ipairs(arrays) do
    if not same(eager.states[i], made.states[i]) then
      fail("%s: hybridize{check}: input %s has a different value afterwards: %s", t.name, t.inputs[i].name or i,
        difference(eager.states[i], x))
    end
  end
  if eager.random[2] ~= made.random[2] then
    fail("%s: hybridize{check}: %d random numbers were drawn in eager mode, %d in compiled mode", t.name,
      eager.random[2] - start.random[2], made.random[2] - start.random[2])
  end
  return table.unpack(made.results, 1, made.results.n)
end

return check

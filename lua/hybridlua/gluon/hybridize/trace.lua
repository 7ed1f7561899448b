-- trace.lua - traces: runs a function once with Symbols, and makes a compiled function, with the mapping from a call's
-- arrays to its inputs and from its outputs to results.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local guards = require "hybridlua.gluon.hybridize.trace_guards"
local signature = require "hybridlua.gluon.hybridize.call_signature"
local steps = require "hybridlua.gluon.hybridize.step_nodes"
local key_text = require("hybridlua.gluon.hybridize.unwatched").key_text
local tracing, sym, enter_mode, symbol_key = core.trace.active, core.op.sym, core.autograd.enter_mode, core.symbol.key
local current_context, push_name, pop_names = core.context.current, core.name.push, core.name.pop
local scope_depth, read_guard, same_value = core.call.scope_depth, core.guard.read, core.guard.same_value
local call_closing, follow = core.script.call_closing, core.follow
local is_np, mark_np = core.np.is, core.np.mark

local trace = {}

local recorder          -- of the current trace

-- Variables for the arguments' arrays, with these names if there are as many; else "data", or data0, data1, ...
local function make_inputs(flat_args, names)
  local inputs = {}
  for i, x in ipairs(flat_args) do
    local name = names and #names == #flat_args and names[i] or #flat_args == 1 and "data" or "data" .. (i - 1)
    inputs[i] = sym.var(name, { shape = x.shape, dtype = x.dtype, exact = true })
    if is_np(x) then mark_np(inputs[i]) end
  end
  return inputs
end

--- Called by blocks as they are entered during a trace.
function trace.enter_block(block, fn)
  if not recorder or not tracing() then return end
  recorder:enter(block, fn)
end

-- Records writes to tables among the arguments. These tables belong to the trace, so values written there would be
-- lost.
local function check_arguments(node, value, inputs, what)
  if node.kind ~= "table" then return end
  for key, item in pairs(node.items) do
    local now, place = rawget(value, key), key_text(what, key)
    if item.kind == "table" and type(now) == "table" then check_arguments(item, now, inputs, place)
    elseif item.kind == "argument" and not rawequal(now, inputs[item.index]) or
        item.kind == "value" and not same_value(now, item.value) or item.kind == "table" then
      recorder:record_write(value, key, place)
    end
  end
  for key in next, value do
    if not node.items[key] then recorder:record_write(value, key, key_text(what, key)) end
  end
end

--- The variable of a parameter, which is added to the trace's parameters.
function trace.parameter(param)
  local p = recorder and tracing() and recorder.params
  if p and not p[param] then
    p[param] = true
    p[#p + 1] = param
    if param:is_deferred() then core.trace.list_nodes() end
  end
  return param:var()
end

--- Records in a trace that a block's field is written.
function trace.writes_field(store, key)
  if recorder then recorder:write_field(store, key) end
end

--- Records that the script read `key` of the module `path`, a name that scripts have added, or may add; `added`: the
-- table of these names.
function trace.reads_module(path, added, key)
  if recorder then recorder:watch_extra(path, added, key) end
end

--- The values of a Symbol that depends on arrays of the script alone, which are then guarded; nil for other Symbols.
function trace.values(symbol)
  if not recorder or not tracing() then return nil end
  local inputs, arrays = core.trace.sources(symbol)
  if not inputs then return nil end
  recorder:watch_sources(arrays)
  local _ <close> = enter_mode(false)
  return (core.graph.compile("values", inputs, { symbol })(table.unpack(arrays)))
end

--- Records that the script read a parameter's array: the trace holds while the parameter keeps it.
function trace.reads_array(param)
  if recorder then recorder:watch_array(param) end
end

local Closing = { __close = function(self)
  scope_depth(self.depth)
  pop_names(self.names)
  if self.open then
    core.trace.finish()
    for _, param in ipairs(recorder and recorder.params or {}) do if param:is_deferred() then param:forget_var() end end
  end
  steps.finish()
  if recorder and recorder.numbers then follow.end_numbers(recorder.numbers) end
  recorder = nil
end }

-- Runs fn(args...) with Symbols; returns its results and everything that the trace met.
local function run(name, structure, flat_args, ctx, fn, may_step, names, effects, shown, places)
  local inputs = make_inputs(flat_args, names)
  recorder = guards.new(effects)
  recorder.numbers = places and follow.bind_numbers(places)
  recorder.params = {}
  local met = { inputs = inputs, guards = recorder, params = recorder.params }
  local closing <close> = setmetatable({ depth = scope_depth(), names = push_name "" , open = true }, Closing)
  local _ <close> = recorder
  local _ <close> = ctx ~= current_context() and enter_mode(nil, nil, nil, ctx) or nil
  core.trace.begin(shown)
  steps.begin(may_step, recorder.params)
  local args, n = signature.rebuild(structure, inputs)
  for i, place in ipairs(places or {}) do
    if place.kind == "argument" and structure[place.key] and structure[place.key].kind == "bound" then
      args[place.key] = follow.stand_in(recorder.numbers, i)
    end
  end
  recorder:begin(fn)
  met.results = table.pack(fn(table.unpack(args, 1, n)))
  for i = 1, n do check_arguments(structure[i], args[i], inputs, "argument " .. i) end
  met.captured, met.captured_symbols, met.kept, met.by_shape, met.made, met.by_context = core.trace.finish()
  closing.open = false
  met.steps = steps.finish()
  recorder:close()
  recorder:check_unchanged()
  met.numbers, met.number_symbols, met.number_names, met.scalars = recorder.numbers, {}, {}, {}
  if met.numbers then met.number_symbols, met.number_names = follow.end_numbers(met.numbers) end
  for i, place in ipairs(places or {}) do met.scalars[i] = place.name end
  return met
end

-- The distinct outputs, and the structure of the results. Inputs among the results, which a call has already, are
-- passed through.
local function sort_results(met, inputs)
  local outputs, index_of, input_of = {}, {}, {}
  for i, symbol in ipairs(inputs) do input_of[symbol_key(symbol)] = i end
  local function index(x)
    local key = symbol_key(x)
    if not index_of[key] then
      outputs[#outputs + 1] = x
      index_of[key] = #outputs
    end
    return index_of[key]
  end
  local structure = signature.results(met.results, met.results.n, function(x)
    if signature.is_array(x) then return { kind = "array", array = x } end
    local given = input_of[symbol_key(x)]
    if given then return { kind = "input", index = given } end
    return { kind = "output", index = index(x) }
  end)
  local n_results = #outputs
  for _, step in ipairs(met.steps or {}) do
    for _, head in ipairs(step.heads or {}) do index(head) end       -- for a backward on the tape
  end
  return outputs, structure, n_results
end

-- Are the results exactly the outputs, in order?
local function is_plain(structure, n_outputs)
  if structure.n ~= n_outputs then return false end
  for i = 1, structure.n do
    if structure[i].kind ~= "output" or structure[i].index ~= i then return false end
  end
  return true
end

--- Traces fn for arguments of this structure, in a context. Returns a table with compiled, params (Parameters, in input
-- order after the arguments), captured (arrays, after those), by_shape (holds for these shapes only), by_context (holds
-- for this context only), guards, results (their structure), n_results (number of outputs in them), plain, steps (see
-- step_nodes.lua; only if fn may_step), numbers (those bound at run time, in input order after the captured arrays, or
-- nil). shown: code that prints an array needs its values. places: those of numbers bound at run time (scalars.lua), or
-- nil.
function trace.make(name, structure, flat_args, ctx, fn, may_step, names, effects, shown, places)
  local met = call_closing(run, name, structure, flat_args, ctx, fn, may_step, names, effects, shown, places)
  local inputs = table.move(met.inputs, 1, #met.inputs, 1, {})
  for _, param in ipairs(met.params) do inputs[#inputs + 1] = param:var() end
  for _, symbol in ipairs(met.captured_symbols) do inputs[#inputs + 1] = symbol end
  for _, symbol in ipairs(met.number_symbols) do inputs[#inputs + 1] = symbol end
  local outputs, results, n_results = sort_results(met, inputs)
  return {
    name = name, inputs = inputs, outputs = outputs, n_results = n_results, kept = met.kept, params = met.params,
    captured = met.captured,
    hooked = met.guards.hooked, by_shape = met.by_shape, by_context = met.by_context, context = ctx,
    guards = met.guards, results = results,
    plain = is_plain(results, #outputs) and not (met.steps and met.steps.carried),
    steps = met.steps,
    numbers = met.numbers, number_names = met.number_names, scalars = met.scalars,
    made = met.made,               -- nodes that may determine parameters' shapes; nil if all are known
    calls = 0,                     -- calls that no cached entry served
  }
end

--- Raises if a trace entered a block with hooks, which would not run in compiled calls.
function trace.refuse_hooks(t)
  if not t.hooked then return end
  fail("%s: the hooks of %s would not run in compiled calls, since it is not a child of the hybridized block; " ..
    "register it (net:register_child(block)), detach the hooks, or call it outside", t.name, t.hooked.name)
end

--- Makes the compiled function of a trace, after its parameters' shapes are known. max_plans: see hybridize.
function trace.compile(t, max_plans, remat)
  t.compiled = core.graph.compile(t.name, t.inputs, t.outputs, t.kept, max_plans, remat, steps.functions(t.steps),
    t.n_results)
  return t
end

--- The arrays after the flattened arguments: those of the parameters in a context, and captured ones.
function trace.captured_arrays(t, ctx)
  local captured = {}
  for i, param in ipairs(t.params) do captured[i] = param:data(ctx) end
  return table.move(t.captured, 1, #t.captured, #captured + 1, captured)
end

--- The same, followed by the numbers bound at run time in a call with these arguments.
function trace.bound_arrays(t, captured, ctx, ...)
  if not t.numbers then return captured end
  local arrays = { core.call.numbers(t.numbers, ctx, ...) }
  return table.move(arrays, 1, #arrays, #captured + 1, table.move(captured, 1, #captured, 1, {}))
end

-- May `now` replace an array?
local function is_alike(now, before)
  if not signature.is_array(now) or now.dtype ~= before.dtype or now.ndim ~= before.ndim or
      now.context ~= before.context then
    return false
  end
  for i, n in ipairs(now.shape) do if before.shape[i] ~= n then return false end end
  return true
end

-- Replaces captured arrays among the results.
local function retarget(node, taken)
  if node.kind == "array" then node.array = taken[node.array] or node.array end
  for _, item in pairs(node.items or {}) do retarget(item, taken) end
end

--- Lets a trace continue with other arrays, if places that it read hold arrays that differ in values only and nothing
-- else has changed. Returns whether this was the case.
function trace.rebind(t)
  local taken, changed, values = {}, {}, {}
  for _, list in ipairs { t.guards.others, t.guards.fields } do
    for _, guard in ipairs(list) do
      local now, before = read_guard(guard.kind, guard.holder, guard.key), guard.value
      local same = same_value(now, before)
      values[guard.kind == "values" and guard.holder or guard] = true
      if not same and not (guard.array and is_alike(now, before)) then return false end
      if guard.array then
        if taken[before] and not rawequal(taken[before], now) then return false end
        taken[before] = now
        if not same then changed[guard] = now end
      end
    end
  end
  for guard in pairs(changed) do if values[guard.value] then return false end end      -- the trace read its values
  for guard, now in pairs(changed) do guard.value = now end
  for i, array in ipairs(t.captured) do t.captured[i] = taken[array] or array end
  for i = 1, t.results.n do retarget(t.results[i], taken) end
  t.guards:seal()
  t.captured_in, t.fields = {}, nil
  return true
end

-- Builds a result. made: by node, the tables built so far.
local function rebuild_result(node, outputs, arrays, made)
  if node.kind == "output" then return outputs[node.index] end
  if node.kind == "input" then return arrays[node.index] end
  if node.kind == "array" then return node.array end
  if node.kind == "value" then return node.value end
  if made[node] then return made[node] end
  local t = {}
  for key, item in pairs(node.items) do t[key] = rebuild_result(item, outputs, arrays, made) end
  made[node] = t
  return t
end

-- Runs the compiled function; carried: the option of the autograd.record in it, or nil.
local function run_compiled(t, arrays)
  local carried = t.steps and t.steps.carried
  local _ <close> = carried and enter_mode(nil, nil, nil, nil, carried) or nil
  return { t.compiled(table.unpack(arrays)) }
end

--- Runs the compiled function on a call's arrays.
function trace.run(t, flat_args, captured)
  local arrays = table.move(flat_args, 1, #flat_args, 1, {})
  table.move(captured, 1, #captured, #arrays + 1, arrays)
  if t.plain then return t.compiled(table.unpack(arrays)) end
  local outputs = run_compiled(t, arrays)
  local results, made = {}, {}
  for i = 1, t.results.n do results[i] = rebuild_result(t.results[i], outputs, arrays, made) end
  return table.unpack(results, 1, t.results.n)
end

return trace

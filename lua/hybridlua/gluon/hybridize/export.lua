-- export.lua - graphs of a HybridBlock outside of its calls: for files, and for code that examines a graph.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local breaks = require "hybridlua.gluon.hybridize.graph_breaks"
local signature = require "hybridlua.gluon.hybridize.call_signature"
local StepExport = require "hybridlua.gluon.hybridize.step_export"
local steps = require "hybridlua.gluon.hybridize.step_nodes"
local trace = require "hybridlua.gluon.hybridize.trace"
local block_trace = require "hybridlua.gluon.hybridize.block_trace"
local hybrid_forward = require "hybridlua.gluon.hybridize.hybrid_forward"
local context_of_call = core.context.of_call

local nd, sym = core.op.nd, core.op.sym
local HybridBlock = hybrid_forward.HybridBlock
local trace_call, settle_parameters, own_name = block_trace.make, block_trace.settle_parameters, block_trace.own_name

local read_export = arguments.new("export", "path epoch shapes{} remove_amp_cast")

-- Shapes by name may be given in place of options.
local function shapes_as_option(...)
  local values = table.pack(...)
  local last, all = values[values.n], values.n == 2
  if type(last) ~= "table" or next(last) == nil or last.shapes then return ... end
  for key, value in pairs(last) do all = all and type(key) == "string" and type(value) == "table" end
  if all then values[2] = { shapes = last } end
  return table.unpack(values, 1, values.n)
end

-- A trace for the arguments of the first call; block_call.lua saves their types only with HYBRIDLUA_DISABLE.
local function trace_first_call(self)
  local first = getmetatable(self).store._first_call
  if not first then return nil end
  local flat_args = {}
  for i, of in ipairs(first.types) do flat_args[i] = nd.zeros(of.shape, { dtype = of.dtype }) end
  local t = trace_call(self, first.structure, flat_args)
  settle_parameters(t, #flat_args)
  return t
end

local Exporter = { __close = function() steps.exporter = nil end }

-- A trace of the function with its training steps as Symbols, for arguments like those of the trace t; and what these
-- are.
local function trace_steps(self, t)
  local flat_args = {}
  for i, type in ipairs(t.types) do flat_args[i] = nd.zeros(type.shape, { dtype = type.dtype, ctx = t.context }) end
  local exported = StepExport(own_name(self))
  local _ <close> = setmetatable({}, Exporter)
  steps.exporter = exported
  return trace_call(self, t.structure, flat_args, t.context), exported
end

--- Writes path-symbol.json and path-0000.params (with the epoch's number), as MXNet does; returns the two names. The
-- graph is that of the latest trace; with shapes ({data = {1, 512}}) a new trace is made. A training step's graph is
-- for the shapes of its first call. It changes weights and states in place, and reads the optimizer's numbers from its
-- input `numbers` (see contrib.update_weights, whose outputs follow the results; norms of gradients that
-- clip_global_norm limits come last).
function HybridBlock:export(...)
  local options = read_export(shapes_as_option(...))
  local path, epoch, shapes = options.path, options.epoch, options.shapes
  if type(path) ~= "string" then fail("%s: export: path: expected a string, got %s", self.name, type(path)) end
  breaks.refuse_plain(self)
  if breaks.broken(self) then
    fail("%s: export: the block runs in segments, so it has no single graph: %s", self.name,
      breaks.why_broken(self))
  end
  local t = self._traces and self._traces[1]
  if type(shapes) == "table" and next(shapes) then t = self:trace_for(shapes) end
  t = t or trace_first_call(self)
  if not t then
    fail("%s: export: call net:hybridize() and then net(x) once first, or give the shapes of the inputs: " ..
      "net:export(path, {data = {1, 512}})", self.name)
  end
  if #t.number_names > 0 then
    fail("%s: export: the graph reads numbers that are bound at run time (%s), which MXNet's files cannot express; " ..
      "hybridize without scalars, and call it once", self.name, table.concat(t.number_names, ", "))
  end
  local outputs, arrays = t.outputs, {}
  if t.steps and #t.steps > 0 then
    local exported
    t, exported = trace_steps(self, t)
    outputs = table.move(t.outputs, 1, t.n_results, 1, {})
    table.move(exported.tokens, 1, #exported.tokens, #outputs + 1, outputs)
    table.move(exported.norms, 1, #exported.norms, #outputs + 1, outputs)
    arrays = exported.arrays
  end
  local graph = #outputs == 1 and outputs[1] or sym.Group(outputs)
  local written, text = pcall(graph.tojson, graph)  -- refuses what a file cannot express, before any file is written
  if not written and t.steps and #t.steps > 0 then
    written, text = pcall(core.symbol.own_json, graph)       -- with nodes that only hybridlua reads
  end
  if not written and t.steps and #t.steps > 0 then
    fail("%s: export: a file cannot contain this training step: %s. Export the network (net:export), and " ..
      "compile the step where it trains", own_name(self), (text:gsub("^.-tojson: ", "")))
  end
  if not written then error(text, 0) end
  for _, param in ipairs(t.params) do arrays[param.name] = param:merged() end
  for i, array in ipairs(t.captured) do arrays["captured" .. (i - 1)] = array end
  local aux, saved = {}, {}
  for _, name in ipairs(graph:list_auxiliary_states()) do aux[name] = true end
  for name, array in pairs(arrays) do saved[(aux[name] and "aux:" or "arg:") .. name] = array end
  if text:find '"is_np_shape"' then
    local _ = require "hybridlua.np"
    for name, array in pairs(saved) do saved[name] = core.np.as_kind(array, true) end
  end
  local symbol_file, params_file = path .. "-symbol.json", ("%s-%04d.params"):format(path, epoch or 0)
  nd.save(params_file, saved)
  core.file.save_text(symbol_file, text)
  return symbol_file, params_file
end

-- A trace for arrays of these shapes ({data = {1, 512}} or a list), which is not run.
function HybridBlock:trace_for(shapes)
  breaks.refuse_plain(self)
  local flat_args, keys = {}, {}
  for key in pairs(shapes) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  local input_names = self._input_names or {}
  if #input_names == #keys and shapes[input_names[1]] then keys = input_names end
  for i, key in ipairs(keys) do flat_args[i] = nd.zeros(shapes[key]) end
  local structure = signature.read(table.unpack(flat_args))
  local t = trace_call(self, structure, flat_args)
  settle_parameters(t, #flat_args)
  return t
end

-- A compiled trace for these arguments, not kept by the block, and the arrays of its inputs.
function HybridBlock:compiled_for(...)
  breaks.refuse_plain(self)
  local structure, flat_args = signature.read(...)
  local t = trace_call(self, structure, flat_args)
  settle_parameters(t, #flat_args)
  local arrays = table.move(flat_args, 1, #flat_args, 1, {})
  table.move(trace.captured_arrays(t, t.context), 1, #t.params + #t.captured, #arrays + 1, arrays)
  return trace.compile(t), arrays
end

-- The results of fn for these arrays, computed by a compiled trace that is not kept.
function HybridBlock._through_graph(fn, ...)
  local structure, flat_args = signature.read(...)
  local ctx = (context_of_call(flat_args))
  local t = trace.make("function", structure, flat_args, ctx, fn)
  settle_parameters(t, #flat_args)
  return trace.run(trace.compile(t), flat_args, trace.captured_arrays(t, ctx))
end

arguments.methods(HybridBlock, "HybridBlock.", { trace_for = "shapes{}" })
return HybridBlock

-- executor.lua - Executor: a Symbol bound to arrays, for the last step of symbolic programming (define, bind, run). It
-- runs the same compiled functions as blocks.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local autograd = require "hybridlua.autograd"
local fail = require "hybridlua.language.fail"
local is_array, is_plain, is_device_value = core.array.is, core.script.is_plain, core.context.is
local enter_mode, on_tape, fresh_grad = core.autograd.enter_mode, core.autograd.on_tape, core.autograd.fresh_grad
local current_context, check_context, random_state = core.context.current, core.context.check, core.random.state

local nd, sym = core.op.nd, core.op.sym
local Executor = class.root("Executor", class.new)

local REQS = { write = true, add = true, null = true }

-- Returns arrays by name; they are given by name or in the order of list_arguments.
local function by_name(given, names, what, may_miss)
  local arrays = {}
  if given == nil then given = {} end
  if type(given) ~= "table" then fail("bind: %s: expected a table of NDArrays, got %s", what, type(given)) end
  for key in pairs(given) do
    local known = type(key) == "number" and names[key]
    for _, name in ipairs(names) do known = known or name == key end
    if not known then
      fail("bind: `%s` has '%s', which is not an argument; the arguments are %s", what, tostring(key),
        table.concat(names, ", "))
    end
  end
  for i, name in ipairs(names) do
    local array = given[name] or given[i]
    if array == nil and not may_miss then fail("bind: key `%s` is missing in `%s`", name, what) end
    if array ~= nil and not is_array(array) then
      fail("bind: %s: %s: expected an NDArray, got %s", what, name, type(array))
    end
    arrays[name] = array
  end
  return arrays
end

local function req_of(grad_req, name, i)
  local req = type(grad_req) == "table" and (grad_req[name] or grad_req[i] or "null") or grad_req or "write"
  if not REQS[req] then fail("bind: grad_req: expected 'write', 'add' or 'null', got '%s'", tostring(req)) end
  return req
end

-- The arrays of a table, in the order of names; false for missing ones.
local function in_order(names, arrays)
  local list = {}
  for i, name in ipairs(names) do list[i] = arrays[name] or false end
  return list
end

-- Checks that all arrays are in one context: ctx, if it was given.
local function check_contexts(ctx, dicts)
  for _, what in ipairs { "args", "aux_states", "args_grad" } do
    for name, array in pairs(dicts[what]) do
      ctx = ctx or array.context
      if array.context ~= ctx then
        fail("bind: %s: %s: expected an array in context %s, got one in %s; write x:as_in_context(ctx)", what, name,
             tostring(ctx), tostring(array.context))
      end
    end
  end
end

-- The context of each input of a graph, by name, and of each output, in order: by group2ctx, or ctx if it has no group.
-- nil without group2ctx.
local function places_of(what, graph, groups, ctx)
  if groups == nil then return nil end
  if not is_plain(groups) then
    fail("%s: group2ctx: expected a table of contexts by the groups' names, got %s", what, type(groups))
  end
  for name, place in pairs(groups) do
    if not is_device_value(place) then
      fail("%s: group2ctx: %s: expected a context, got %s", what, tostring(name), type(place))
    end
  end
  local function place(symbol)
    local group = symbol:attr "ctx_group"
    if group and not groups[group] then fail("%s: group2ctx: there is no context for the group '%s'", what, group) end
    return groups[group] or ctx
  end
  local places = { home = ctx, outputs = {} }
  for _, variable in ipairs(core.symbol.variables(graph)) do places[variable.name] = place(variable) end
  for i in ipairs(graph:list_outputs()) do places.outputs[i] = place(graph:output(i - 1)) end
  return places
end

--- The result of sym:bind and sym:simple_bind. Fields: arg_dict, grad_dict, aux_dict (by name), arg_arrays, grad_arrays
-- (false: none), aux_arrays (in the Symbol's order), outputs, output_dict.
function Executor:init(graph, args, grads, grad_req, aux, ctx, places)
  if not core.symbol.is(graph) then fail "Executor: write symbol:bind(...) or symbol:simple_bind(...)" end
  self._graph, self._grad_req, self.arg_names, self.aux_names = graph, grad_req, graph:list_arguments(),
    graph:list_auxiliary_states()
  self.arg_dict = by_name(args, self.arg_names, "args")
  self.aux_dict = by_name(aux, self.aux_names, "aux_states")
  self.grad_dict = by_name(grads, self.arg_names, "args_grad", true)
  self._places = places
  if not places then
    check_contexts(ctx, { args = self.arg_dict, args_grad = self.grad_dict, aux_states = self.aux_dict })
  end
  self._inputs, self._compiled = {}, core.graph.compile("executor", core.symbol.variables(graph), self:_output_list())
  self._asked, self._req = {}, {}                   -- the inputs that get gradients
  for i, name in ipairs(self.arg_names) do          -- the same memory, with a separate gradient
    local input, req = self.arg_dict[name]:detach(), req_of(grad_req, name, i)
    if self.grad_dict[name] and req ~= "null" then
      core.autograd.attach_grad(input, req)
      core.autograd.set_grad(input, self.grad_dict[name])
      self._asked[#self._asked + 1], self._req[input] = input, req
    end
    self._inputs[name] = input
  end
  for name, array in pairs(self.aux_dict) do self._inputs[name] = array end
  self.arg_arrays, self.aux_arrays = in_order(self.arg_names, self.arg_dict), in_order(self.aux_names, self.aux_dict)
  self.grad_arrays = in_order(self.arg_names, self.grad_dict)
  self.outputs, self.output_dict = {}, {}
end

function Executor:__tostring() return ("<Executor of %s>"):format(tostring(self._graph)) end

function Executor:_output_list()
  local list = {}
  for i = 1, #self._graph:list_outputs() do list[i] = self._graph:output(i - 1) end
  return list
end

--- Runs the graph and returns the list of outputs; forward{is_train = true, data = x} writes x into arg_dict.data
-- first.
function Executor:forward(options)
  if type(options) == "boolean" then options = { is_train = options } end
  for key, value in pairs(options or {}) do
    if key ~= "is_train" then
      local array = self.arg_dict[key] or self.aux_dict[key]
      if not array then
        fail("forward: unknown argument '%s'; the arguments are %s", tostring(key), table.concat(self.arg_names, ", "))
      end
      array:set(value)
    end
  end
  local train = options and options.is_train or false
  self._run = { train = train, recorded = train, random = { random_state() } }
  self.outputs = self:_call(train, train)
  for i, name in ipairs(self._graph:list_outputs()) do self.output_dict[name] = self.outputs[i] end
  if self._monitor then self:_tell() end
  return self.outputs
end

-- The inputs' arrays. With group2ctx, arrays in other contexts are copied: the graph computes in one.
function Executor:_arrays()
  local arrays, places = {}, self._places
  for i, name in ipairs(self._graph:list_inputs()) do
    arrays[i] = self._inputs[name]
    if places then arrays[i] = arrays[i]:as_in_context(places.home) end
  end
  return arrays
end

function Executor:_call(recording, train)
  local places = self._places
  local _ <close> = enter_mode(recording, train, nil, places and places.home)
  local arrays = self:_arrays()
  local outputs = { self._compiled(table.unpack(arrays)) }
  if not places then return outputs end
  for i, name in ipairs(self._graph:list_inputs()) do           -- values that operators wrote into copies
    local state = self.aux_dict[name]
    if state and state.context ~= places.home then autograd.pause(function() state:set(arrays[i]) end) end
  end
  for i, output in ipairs(outputs) do outputs[i] = output:as_in_context(places.outputs[i]) end
  return outputs
end

-- Calls fn() with the random numbers of the latest forward, and then restores the stream.
function Executor:_again(fn)
  local key, drawn = random_state()
  random_state(table.unpack(self._run.random))
  local ok, result = pcall(fn)
  random_state(key, drawn)
  if not ok then error(result, 0) end
  return result
end

-- Computes every value in the graph again, on copies of the auxiliary states, and shows each operator's outputs and, if
-- requested, its inputs (a variable by its own name, too).
function Executor:_tell()
  local arrays, all, fn = {}, self._monitor_all, self._monitor
  for i, name in ipairs(self._graph:list_inputs()) do
    arrays[i] = self.aux_dict[name] and self.aux_dict[name]:copy() or self._inputs[name]
  end
  local log = self:_again(function()
    local _ <close> = autograd.pause(nil, { train_mode = self._run.train })
    return (core.graph.replay(self._compiled, table.unpack(arrays)))
  end)
  for _, record in ipairs(log) do
    for _, input in ipairs(all and record.inputs or {}) do
      if input.variable then fn(input.variable, input[2]) end
      fn(("%s_%s"):format(record.name, input[1]), input[2])
    end
    for k, name in ipairs(record.output_names) do fn(("%s_%s"):format(record.name, name), record.outputs[k]) end
  end
end

--- After each forward, fn(name, array) is called with the value of every operator of the graph, in the graph's order;
-- with monitor_all with the inputs too, in MXNet's order. nil ends that. This computes the values a second time.
function Executor:set_monitor_callback(fn, monitor_all)
  if type(monitor_all) == "table" then monitor_all = monitor_all.monitor_all end
  if fn ~= nil and type(fn) ~= "function" then
    fail("set_monitor_callback: callback: expected a function, got %s", type(fn))
  end
  self._monitor, self._monitor_all = fn, monitor_all
end

--- The graph as text, one line per node.
function Executor:debug_str() return self._graph:debug_str() end

-- The recorded outputs of the latest forward. If it was not recorded, or in another mode, or its graph is freed, they
-- are computed again from the same random numbers. The auxiliary states do not change.
function Executor:_recorded(train)
  local run = self._run
  if run.recorded and run.train == train then
    run.recorded = false
    return self.outputs
  end
  local kept = {}
  for name, array in pairs(self.aux_dict) do kept[name] = array:copy() end
  local outputs = self:_again(function() return self:_call(true, train) end)
  for name, array in pairs(kept) do self.aux_dict[name]:set(array) end
  return outputs
end

-- The gradients of outputs as a list, each in the dtype of its output, and in its context if outputs are `placed`.
local function heads_of(given, outputs, placed)
  local heads = {}
  if is_array(given) then given = { given } end
  if type(given or heads) ~= "table" then
    fail("backward: out_grads: expected an NDArray or a table of NDArrays, got %s", type(given))
  end
  for i, head in pairs(given or heads) do
    if not outputs[i] then
      fail("backward: out_grads: expected %d, one for each output, got one at %s", #outputs, tostring(i))
    end
    if not is_array(head) then fail("backward: out_grads: output %d: expected an NDArray, got %s", i, type(head)) end
    heads[i] = head.dtype == outputs[i].dtype and head or head:astype(outputs[i].dtype)
    if placed then heads[i] = heads[i]:as_in_context(outputs[i].context) end
  end
  return heads
end

--- Writes the gradients of the latest forward to grad_dict; does nothing if no input has one. out_grads: the gradient
-- of each output, an array or a list, in any dtype (default: ones). is_train = false: the gradients outside of
-- training; a forward without is_train has those anyway.
function Executor:backward(out_grads, is_train)
  if not self._run then fail("backward: call forward first") end
  if not self._asked[1] then return end
  local outputs = self:_recorded(self._run.train and is_train ~= false)
  local heads, given, chosen, fresh = {}, heads_of(out_grads, outputs, self._places), {}, {}
  for i, output in ipairs(outputs) do
    if on_tape(output) then
      heads[#heads + 1] = output
      chosen[#heads] = given[i] or nd.ones_like(output)
    end
  end
  for i, input in ipairs(self._asked) do fresh[i] = fresh_grad(input) end
  if heads[1] then autograd.backward(heads, chosen) end
  for i, input in ipairs(self._asked) do       -- not reached: for example, it only selects a branch
    if fresh_grad(input) == fresh[i] and self._req[input] == "write" then input.grad[{}] = 0 end
  end
end

--- Copies arrays, given by name, into those of the arguments and the auxiliary states. Errors: unknown names, unless
-- allow_extra_params; then nothing is written.
function Executor:copy_params_from(arg_params, aux_params, allow_extra_params)
  local into = { { arg_params or {}, self.arg_dict, "arguments" },
    { aux_params or {}, self.aux_dict, "auxiliary states" } }
  for _, part in ipairs(into) do
    for name in pairs(part[1]) do
      if not part[2][name] and not allow_extra_params then
        fail("Find name \"%s\" that is not in the %s", tostring(name), part[3])
      end
    end
  end
  for _, part in ipairs(into) do
    for name, array in pairs(part[1]) do if part[2][name] then part[2][name]:set(array) end end
  end
end

-- The shapes of the arguments and the auxiliary states. 0 is unknown, as for infer_shape; an undetermined length stays
-- 0, that of an empty array.
local function infer_shapes(graph, shapes)
  local args, _, aux = core.symbol.infer_shape(graph, shapes)
  if not args then args, _, aux = core.symbol.infer_shape(graph, shapes, true) end
  return args, aux
end

-- An array of `shape`, on the memory of `old` if that is large enough, as in MXNet; else of zeros.
local function reshaped(old, shape)
  local size = 1
  for _, d in ipairs(shape) do size = size * d end
  if size == old.size then return old:reshape { shape = shape } end
  if size > old.size or size == 0 then return nd.zeros(shape, { dtype = old.dtype, ctx = old.context }) end
  return old:reshape({ -1 })[{ { 0, size } }]:reshape { shape = shape }
end

--- reshape{data = {4, 2}}: an Executor for other shapes of some arguments. Its arrays share the memory of this one's;
-- larger ones are new and zero. MXNet's partial_shaping and allow_up_sizing have no effect: any shape is allowed.
function Executor:reshape(shapes)
  local given = {}
  if type(shapes) ~= "table" then fail("reshape: shapes: expected a table of shapes by name, got %s", type(shapes)) end
  for _, name in ipairs(self.arg_names) do given[name] = shapes[name] end
  for name in pairs(shapes) do
    if not given[name] and name ~= "partial_shaping" and name ~= "allow_up_sizing" then
      fail("reshape: unknown argument '%s'; the arguments are %s", tostring(name), table.concat(self.arg_names, ", "))
    end
  end
  local arg_shapes, aux_shapes = infer_shapes(self._graph, given)
  if not arg_shapes then fail("reshape: the shapes given do not determine those of all arguments") end
  local function fitting(names, arrays, wanted)
    local list = {}
    for i, name in ipairs(names) do
      local old = arrays[name]
      local same = old and table.concat(old.shape, ",") == table.concat(wanted[i], ",")
      list[name] = old and (same and old or reshaped(old, wanted[i]))
    end
    return list
  end
  return Executor(self._graph, fitting(self.arg_names, self.arg_dict, arg_shapes),
                  fitting(self.arg_names, self.grad_dict, arg_shapes),
                  self._grad_req, fitting(self.aux_names, self.aux_dict, aux_shapes), nil, self._places)
end

--- Text about the specializations made so far; {format = "table"} returns the data.
function Executor:explain(...) return require("hybridlua.gluon.hybridize.explain").compiled(self._compiled, ...) end

arguments.methods(Executor, "Executor.", { debug_str = "", set_monitor_callback = "callback monitor_all",
  backward = "out_grads[] is_train", copy_params_from = "arg_params{} aux_params{} allow_extra_params" })

local read_bind = arguments.new("bind", "args{} args_grad{} grad_req{} aux_states{}")
local read_named = arguments.new("bind", { "args", "args_grad", "grad_req", "aux_states", "ctx", "group2ctx" })

-- Does the table contain options, not the graph's arrays by name?
local function is_options(graph, given, some)
  if type(given) ~= "table" or getmetatable(given) ~= nil then return false end
  local found = false
  for _, key in ipairs(some) do found = found or given[key] ~= nil end
  for _, name in ipairs(graph:list_arguments()) do found = found and given[name] == nil end
  return found
end

-- Returns the context that may be the first argument, as in MXNet, or nil, and the rest.
local function with_context(what, ...)
  local first, second = ...
  local list = type(first) == "table" and is_device_value(first[1])
  if list or is_device_value(first) then return check_context(what .. ": ctx", first), select(2, ...) end
  if first == nil and second ~= nil then return ... end
  return nil, ...
end

local methods = core.symbol.methods

local function bind(graph, ctx, ...)
  local n = select("#", ...)
  local last, given
  if n > 0 then last = select(n, ...) end
  if n == 1 and is_options(graph, last, { "args", "ctx" }) then
    given = read_named(last)
    ctx = check_context("bind: ctx", given.ctx) or ctx
  elseif n == 2 and is_options(graph, last, { "args_grad", "grad_req", "aux_states", "group2ctx" }) then
    given = read_named(last)
    given.args = (...)
  else
    given = read_bind(...)
  end
  local places = places_of("bind", graph, given.group2ctx, ctx or current_context())
  return Executor(graph, given.args, given.args_grad, given.grad_req, given.aux_states, ctx, places)
end

--- s:bind(ctx, args, {args_grad=, grad_req="write", aux_states=}) -> Executor. args: arrays by name or in the order of
-- list_arguments, all in the context ctx, or without ctx in any one context. All arguments may be named:
-- s:bind{ctx=, args=, args_grad=, grad_req=, aux_states=}. With group2ctx, {name = context}, arrays may be in several
-- contexts; the outputs are in the contexts of their ctx_group (hl.AttrScope).
function methods.bind(graph, ...) return bind(graph, with_context("bind", ...))
end

local SIMPLE_OPTIONS = { grad_req = "a string or a table", type_dict = "a table of dtypes by name", ctx = "a context",
                         group2ctx = "a table of contexts by group" }

-- The shapes given to simple_bind, and the unknown names.
local function read_shapes(graph, given)
  if type(given) ~= "table" or is_device_value(given) or is_array(given) then
    fail("simple_bind: shapes: expected a table of shapes by name, got %s", is_array(given) and "an NDArray" or
         type(given))
  end
  local known, shapes, strange = {}, {}, {}
  for _, name in ipairs(graph:list_inputs()) do known[name] = true end
  for key, value in pairs(given) do
    if known[key] then
      if type(value) ~= "table" then fail("simple_bind: %s: expected a shape, got %s", key, type(value)) end
      shapes[key] = value
    elseif not SIMPLE_OPTIONS[key] then strange[#strange + 1] = tostring(key) end
  end
  table.sort(strange)
  return shapes, strange
end

local function check_option(given, name, ...)
  local kind = type(given[name])
  for _, good in ipairs { "nil", ... } do if kind == good then return given[name] end end
  fail("simple_bind: %s: expected %s, got %s", name, SIMPLE_OPTIONS[name], kind)
end

-- The dtypes of the arguments and the auxiliary states: from type_dict, the variables or the operators that read them.
local function infer_dtypes(graph, type_dict)
  local told = {}
  for _, name in ipairs(graph:list_inputs()) do
    local dtype = type_dict and type_dict[name]
    if dtype ~= nil and type(dtype) ~= "string" then
      fail("simple_bind: type_dict: %s: expected a dtype such as 'float32', got %s", name, type(dtype))
    end
    told[name] = dtype
  end
  local args, _, aux = graph:infer_type_partial(told)
  return args, aux
end

--- s:simple_bind{data = {1, 2}, grad_req = "write", type_dict = {}} -> Executor with arrays of zeros. Their shapes and
-- dtypes are inferred from the graph, the shapes given and type_dict (undetermined dtypes are float32). The context is
-- the first argument, the option ctx or else the current one. Names that are not in the graph are ignored.
function methods.simple_bind(graph, ...)
  local ctx, given = with_context("simple_bind", ...)
  if given == nil then given = {} end
  local shapes, strange = read_shapes(graph, given)
  ctx = check_context("simple_bind: ctx", given.ctx) or ctx or current_context()
  local grad_req = check_option(given, "grad_req", "string", "table")
  local type_dict = check_option(given, "type_dict", "table")
  local arg_shapes, aux_shapes = infer_shapes(graph, shapes)
  if not arg_shapes then
    fail("simple_bind: the shapes given do not determine those of all arguments; see infer_shape_partial%s",
         strange[1] and ". The graph has no " .. table.concat(strange, ", ") or "")
  end
  local arg_types, aux_types = infer_dtypes(graph, type_dict)
  local places = places_of("simple_bind", graph, given.group2ctx, ctx)
  local function zeros(shape, dtype, name)
    return nd.zeros(shape, { dtype = dtype or "float32", ctx = places and places[name] or ctx })
  end
  local args, grads, aux = {}, {}, {}
  for i, name in ipairs(graph:list_arguments()) do
    args[name] = zeros(arg_shapes[i], arg_types[i], name)
    if req_of(grad_req, name, i) ~= "null" then grads[name] = zeros(arg_shapes[i], arg_types[i], name) end
  end
  for i, name in ipairs(graph:list_auxiliary_states()) do aux[name] = zeros(aux_shapes[i], aux_types[i], name) end
  return Executor(graph, args, grads, grad_req, aux, ctx, places)
end

local read_compile = arguments.new("sym.compile", "inputs[] outputs[] name")

--- sym.compile{inputs = {A, B}, outputs = {C}} -> a function of arrays, one for each input.
function sym.compile(...)
  local spec = read_compile(...)
  if type(spec.inputs) ~= "table" or spec.outputs == nil then
    fail("sym.compile: expected {inputs = {variables}, outputs = {Symbols}}")
  end
  local outputs = type(spec.outputs) == "table" and spec.outputs or { spec.outputs }
  local compiled = core.graph.compile(spec.name or "program", spec.inputs, outputs)
  return setmetatable({}, {
    __name = "compiled Symbol",
    __call = function(_, ...) return compiled(...) end,
    __index = {
      explain = function(_, ...) return require("hybridlua.gluon.hybridize.explain").compiled(compiled, ...) end,
    },
  })
end

return Executor

-- module/bound.lua - the executors of a Module: one for each set of input shapes, all on the same arrays of parameters,
-- gradients, auxiliary states and states. It also numbers the parameters for the optimizer.
local core = require "hybridlua.core"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local inputs = require "hybridlua.module.module_inputs"
local is_plain = core.script.is_plain

--- Bound{symbol, context, param_names, data_names, fixed_names, state_names, for_training, inputs_need_grad, grad_req,
-- shared}. shared: another Bound whose parameters, gradients and numbers these are. Fields: params, grads, aux (arrays
-- by name), index_of (numbers from 0 by name), executor (the current one).
local Bound = class.root("Bound", class.new)

local function index_parameters(self)
  local shared, index_of, n = self.shared, {}, 0
  if shared then
    for _, name in ipairs(self.param_names) do
      if not shared.params[name] then
        fail("bind: shared_module: it has no parameter '%s'; all symbols must have the same parameters", name)
      end
    end
    return shared.index_of
  end
  for _, name in ipairs(self.param_names) do
    index_of[name] = n
    n = n + 1
  end
  return index_of
end

function Bound:init(options)
  for name, value in pairs(options) do self[name] = value end
  self.index_of = index_parameters(self)
  self.executors, self.monitors = {}, {}
  if self.shared then
    self.params, self.grads, self.aux = self.shared.params, self.shared.grads, self.shared.aux
  end
end

-- The grad_req of each argument by name. Gradients are only for parameters that are not fixed and, if wanted, the data.
local function requests(self)
  local wanted, given = {}, self.grad_req
  for i, name in ipairs(self.symbol:list_arguments()) do
    local own = inputs.has(self.param_names, name) and not inputs.has(self.fixed_names, name) or
      self.inputs_need_grad and inputs.has(self.data_names, name)
    local req = type(given) == "table" and (given[name] or given[i] or "write") or given
    wanted[name] = self.for_training and own and req or "null"
  end
  return wanted
end

-- The arrays of an executor that are parameters, by name, from arg_dict or grad_dict.
local function parameters(self, dict)
  local arrays = {}
  for _, name in ipairs(self.param_names) do arrays[name] = dict[name] end
  return arrays
end

-- Does every parameter keep its shape?
local function check_shapes(self, executor)
  for _, name in ipairs(self.param_names) do
    local old, new = self.params[name], executor.arg_dict[name]
    if old.shape ~= new.shape then
      fail("forward: parameter %s: expected shape %s, got %s for these inputs; only the batch size may change freely",
        name, tostring(old.shape), tostring(new.shape))
    end
  end
end

-- An executor for these shapes, with the arrays of parameters that exist.
local function make(self, shapes, dtypes)
  local options = { grad_req = requests(self), type_dict = dtypes }
  for name, shape in pairs(shapes) do options[name] = shape end
  local first = self.symbol:simple_bind(self.context, options)
  if not self.params then
    self.params, self.grads, self.aux = parameters(self, first.arg_dict), parameters(self, first.grad_dict),
      first.aux_dict
    return first
  end
  check_shapes(self, first)
  local args, grads, states = {}, {}, self.executor and self.executor.arg_dict or {}
  for name, x in pairs(first.arg_dict) do
    local kept = inputs.has(self.state_names, name) and states[name]
    args[name] = self.params[name] or kept and kept.shape == x.shape and kept or x
  end
  for name, x in pairs(first.grad_dict) do grads[name] = self.grads[name] or x end
  return self.symbol:bind(self.context, { args = args, args_grad = grads, grad_req = options.grad_req,
                                          aux_states = self.aux })
end

local function key_of(descs, label_descs)
  local parts = {}
  for _, list in ipairs { descs, label_descs } do
    for _, desc in ipairs(list) do parts[#parts + 1] = ("%s:%s"):format(desc.name, table.concat(desc.shape, ",")) end
  end
  return table.concat(parts, ";")
end

--- Makes the executor for these descriptions of data and labels the current one.
function Bound:use(data, label)
  local key = key_of(data, label)
  local executor = self.executors[key]
  if not executor then
    local shapes, dtypes, known = {}, {}, self.symbol:list_arguments()
    for _, desc in ipairs(data) do shapes[desc.name], dtypes[desc.name] = desc.shape, desc.dtype end
    for _, desc in ipairs(label) do if inputs.has(known, desc.name) then shapes[desc.name] = desc.shape end end
    executor = make(self, shapes, dtypes)
    self.executors[key] = executor
    for _, mon in ipairs(self.monitors) do mon:install(executor) end
  end
  self.executor = executor
end

--- Installs a monitor on all executors, also later ones.
function Bound:install(mon)
  self.monitors[#self.monitors + 1] = mon
  for _, executor in pairs(self.executors) do mon:install(executor) end
end

--- The outputs' names and shapes as pairs {name, shape}.
function Bound:output_shapes()
  local shapes, pairs_ = {}, {}
  for name, x in pairs(self.executor.arg_dict) do shapes[name] = x.shape end
  local _, outputs = core.symbol.infer_shape(self.symbol, shapes)
  if not outputs then _, outputs = core.symbol.infer_shape(self.symbol, shapes, true) end    -- 0 counts as unknown
  for i, name in ipairs(self.symbol:list_outputs()) do pairs_[i] = { name, outputs[i] } end
  return pairs_
end

--- Runs the current executor on the arrays of a batch; label may be nil.
function Bound:forward(data_shapes, data, label_shapes, label, is_train)
  local values, arg_dict = { is_train = is_train }, self.executor.arg_dict
  for i, desc in ipairs(data_shapes) do values[desc.name] = data[i] end
  for i, desc in ipairs(label and label_shapes or {}) do
    if arg_dict[desc.name] then values[desc.name] = label[i] end
  end
  for name, x in pairs(values) do
    if name ~= "is_train" then
      local into = arg_dict[name]
      if into.shape ~= x.shape then
        fail("forward: data_batch: %s: expected shape %s, got %s", name, tostring(into.shape), tostring(x.shape))
      end
      values[name] = x:as_in_context(into.context)
    end
  end
  self.executor:forward(values)
end

function Bound:backward(out_grads) self.executor:backward(out_grads) end

-- ---- Results ------------------------------------------------------------------------------------------------------

-- A list of arrays, or with merge = false of lists of one array, since there is one context.
local function listed(arrays, merge)
  local list = {}
  for i, x in ipairs(arrays) do list[i] = merge == false and { x } or x end
  return list
end

-- The arrays of these arguments in arg_dict or grad_dict, in order.
local function arrays_of(self, names, dict, merge)
  local list = {}
  for i, name in ipairs(names) do list[i] = self.executor[dict][name] end
  return listed(list, merge)
end

--- The outputs of the latest forward, the gradients of the data, and the states. merge = false: each in a list of one.
function Bound:outputs(merge) return listed(self.executor.outputs, merge) end
function Bound:input_grads(merge) return arrays_of(self, self.data_names, "grad_dict", merge) end
function Bound:states(merge) return arrays_of(self, self.state_names, "arg_dict", merge) end

--- Sets the states to arrays (or lists of one array), or all to a number.
function Bound:set_states(states, value)
  for i, into in ipairs(self:states()) do
    local x = states and states[i] or value
    if is_plain(x) then x = x[1] end
    into:set(x)
  end
end

--- Adds the outputs of the latest forward to a metric.
function Bound:update_metric(metric, label_names, labels, output_names, pre_sliced)
  inputs.update_metric(metric, label_names, pre_sliced and labels[1] or labels, output_names, self.executor.outputs)
end

--- The gradient of a parameter, or nil.
function Bound:gradient(name) return self.grads[name] end

--- Makes changes of parameters known to other contexts: there are none.
function Bound:spread() end

--- The auxiliary states by name.
function Bound:aux_values() return self.aux end

return Bound

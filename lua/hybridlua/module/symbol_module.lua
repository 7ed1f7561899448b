-- module/symbol_module.lua - Module: a Symbol with its parameters, on an Executor (executor.lua), with an optimizer.
--
-- A module has one executor for each shape of its inputs. All share the arrays of parameters, gradients and auxiliary
-- states, and so do the modules of a BucketingModule.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local initializers = require "hybridlua.initializer"
local inputs = require "hybridlua.module.module_inputs"
local log = require "hybridlua.log"
local model = require "hybridlua.model"
local optimizers = require "hybridlua.optimizer"
local warn = require "hybridlua.language.warn"
local BaseModule = require "hybridlua.module.base_module"
local Bound = require "hybridlua.module.bound"
local DataDesc = require "hybridlua.io.batches".DataDesc
local is_array, is_plain, is_symbol = core.array.is, core.script.is_plain, core.symbol.is
local is_context, enter_mode = core.context.is, core.autograd.enter_mode

local nd = core.op.nd

local Module = BaseModule:subclass "Module"

local NAMES = "symbol data_names[] label_names[] logger context work_load_list fixed_param_names state_names " ..
  "group2ctxs compression_params"
local DEFAULTS = { data_names = { "data" }, label_names = { "softmax_label" } }
local read = arguments.new("Module", NAMES, DEFAULTS)

-- A list of contexts.
local function contexts_of(given)
  if given == nil then return { core.context.current() } end
  if is_context(given) then given = { given } end
  if not is_plain(given) or #given == 0 then
    fail("Module: context: expected a context such as hl.cpu(), or a list of them, got %s", is_plain(given) and
      "an empty table" or type(given))
  end
  local contexts = {}
  for i, context in ipairs(given) do contexts[i] = core.context.check("Module: context", context) end
  return contexts
end

local function check_loads(loads, n)
  if loads == nil then return nil end
  if not is_plain(loads) or #loads ~= n then fail("Module: work_load_list: expected a list of %d numbers", n) end
  for _, load in ipairs(loads) do checks.number("Module: work_load_list", load, 0) end
  return loads
end

--- Module(symbol, {data_names = {"data"}, label_names = {"softmax_label"}, context = nil, fixed_param_names = nil,
-- state_names = nil, logger = nil, work_load_list = nil}): all other arguments of the symbol are parameters.
-- label_names = {} without labels. context: one context, or a list: then each computes a part of every batch (of equal
-- size, or of the shares in work_load_list), and gradients are added up; fixed_param_names: parameters that stay as
-- they are; state_names: inputs that stay from batch to batch (get_states, set_states). Errors: names that the symbol
-- lacks (for labels, a warning).
function Module:init(...)
  local o = read(...)
  self:_begin(o.logger)
  if not is_symbol(o.symbol) then fail("Module: symbol: expected a Symbol, got %s", type(o.symbol)) end
  for _, name in ipairs { "group2ctxs", "compression_params" } do
    if o[name] ~= nil then fail("Module: %s is not supported", name) end
  end
  self.symbol, self._contexts = o.symbol, contexts_of(o.context)
  self._loads = check_loads(o.work_load_list, #self._contexts)
  self.data_names = inputs.names("Module: data_names", o.data_names)
  self.label_names = inputs.names("Module: label_names", o.label_names)
  self._state_names = inputs.names("Module: state_names", o.state_names)
  self._fixed_names = inputs.names("Module: fixed_param_names", o.fixed_param_names)
  inputs.check_names(o.symbol, self.data_names, "data", true)
  inputs.check_names(o.symbol, self.label_names, "label", false)
  inputs.check_names(o.symbol, self._state_names, "state", true)
  inputs.check_names(o.symbol, self._fixed_names, "fixed_param", true)
  self.output_names, self._aux_names = o.symbol:list_outputs(), o.symbol:list_auxiliary_states()
  self._param_names = {}
  for _, name in ipairs(o.symbol:list_arguments()) do
    if not inputs.has(self.data_names, name) and not inputs.has(self.label_names, name) and
      not inputs.has(self._state_names, name) then
      self._param_names[#self._param_names + 1] = name
    end
  end
end

function Module:__tostring() return ("<%s of %s>"):format(class.of(self).__name__, tostring(self.symbol)) end

-- ---- Binding ------------------------------------------------------------------------------------------------------

local function reset_bind(self)
  if self.binded and self.params_initialized then self._given_args, self._given_aux = self:get_params() end
  self.binded, self._bound, self.data_shapes, self.label_shapes, self.output_shapes = false, nil, nil, nil, nil
end

-- Raises if labels come under other names than the symbol's: it would train on zeros.
local function check_labels(self, label)
  local known = self.symbol:list_arguments()
  for _, desc in ipairs(label) do
    for _, name in ipairs(not inputs.has(known, desc.name) and self.label_names or {}) do
      if inputs.has(known, name) then
        fail("bind: label_shapes: the symbol has no argument '%s', its label is '%s'; write label_name = '%s' for " ..
          "the iterator", desc.name, name, name)
      end
    end
  end
end

-- Makes the executor for these descriptions the current one.
local function use_shapes(self, data_shapes, label_shapes)
  self.data_shapes, self.label_shapes = data_shapes, label_shapes
  self._bound:use(data_shapes, label_shapes)
  self.output_shapes = self._bound:output_shapes()
end

--- bind(data_shapes, label_shapes, {for_training = true, inputs_need_grad = false, force_rebind = false, shared_module
-- = nil, grad_req = "write"}): makes the executor for inputs of these shapes: lists of DataDescs or pairs {name,
-- shape}, such as iter.provide_data. inputs_need_grad: backward gives gradients of the data, too (get_input_grads).
-- grad_req: "write", "add" or "null", for all, or a table by name. shared_module: a bound module whose parameters this
-- one uses. Without force_rebind, a second call only warns. Errors: names that are not the module's; shapes that do
-- not fit.
function Module:bind(data_shapes, label_shapes, for_training, inputs_need_grad, force_rebind, shared_module, grad_req)
  if self:_is_bound(force_rebind) then return end
  if force_rebind then reset_bind(self) end
  if for_training == nil then for_training = true end
  if inputs_need_grad and not for_training then
    fail "Module.bind: inputs_need_grad: expected false without for_training, got true"
  end
  if shared_module ~= nil and not (class.is_a(shared_module, Module) and shared_module.binded) then
    fail "Module.bind: shared_module: expected a bound Module"
  end
  local data = inputs.descriptions("data", data_shapes, self.data_names)
  local label = inputs.descriptions("label", label_shapes, self.label_names)
  check_labels(self, label)
  self.for_training, self.inputs_need_grad = for_training, inputs_need_grad or false
  local options = { symbol = self.symbol, param_names = self._param_names, data_names = self.data_names,
                    fixed_names = self._fixed_names, state_names = self._state_names, for_training = for_training,
                    inputs_need_grad = inputs_need_grad, grad_req = grad_req or "write",
                    shared = shared_module and shared_module._bound }
  if #self._contexts > 1 then
    self._bound = require "hybridlua.module.data_parallel"(self._contexts, self._loads, options)
  else
    options.context = self._contexts[1]
    self._bound = Bound(options)
  end
  use_shapes(self, data, label)
  self.binded = true
  if shared_module then
    self.params_initialized = shared_module.params_initialized
    if shared_module.optimizer_initialized then self:borrow_optimizer(shared_module) end
  elseif self.params_initialized then
    self:_copy_in(self._given_args, self._given_aux)
    self._given_args, self._given_aux = nil, nil
  end
end

--- reshape(data_shapes, label_shapes): binds again for other shapes, with the same parameters; forward does this when a
-- batch has other shapes.
function Module:reshape(data_shapes, label_shapes)
  self:_need("reshape", "binded")
  use_shapes(self, inputs.descriptions("data", data_shapes, self.data_names),
    inputs.descriptions("label", label_shapes, self.label_names))
end

--- install_monitor(mon): mon:install(executor), for each executor of the module.
function Module:install_monitor(mon)
  self:_need("install_monitor", "binded")
  if type(mon) ~= "table" or not mon.install then
    fail("Module.install_monitor: mon: expected a Monitor, got %s", type(mon))
  end
  self._bound:install(mon)
end

-- ---- Parameters ---------------------------------------------------------------------------------------------------

local function copies(arrays)
  local list, home = {}, core.context.new "cpu"
  for name, x in pairs(arrays) do list[name] = x.context == home and x:copy() or x:as_in_context(home) end
  return list
end

--- get_params(): copies of the parameters and of the auxiliary states in cpu(0), as two tables by name.
function Module:get_params()
  self:_need("get_params", "params_initialized")
  if not self._bound then return self._given_args, self._given_aux end
  return copies(self._bound.params), copies(self._bound:aux_values())
end

-- Copies a given array into a parameter.
local function copy_into(into, name, x)
  if not is_array(x) then fail("set_params: %s: expected an NDArray, got %s", name, type(x)) end
  if x.shape ~= into.shape then
    fail("set_params: %s: expected shape %s, got %s", name, tostring(into.shape), tostring(x.shape))
  end
  into:set(x:as_in_context(into.context))
end

-- Copies all given arrays that the module has.
function Module:_copy_in(arg_params, aux_params)
  for _, part in ipairs { { self._bound.params, arg_params }, { self._bound.aux, aux_params } } do
    for name, into in pairs(part[1]) do if part[2] and part[2][name] then copy_into(into, name, part[2][name]) end end
  end
  self._bound:spread(true)
end

local function sorted_names(arrays)
  local names = {}
  for name in pairs(arrays) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local function check_extra(given, arrays, what)
  for _, name in ipairs(sorted_names(given or {})) do
    if not arrays[name] then
      fail("set_params: %s: '%s' is not among the module's; allow_extra = true leaves it out", what, name)
    end
  end
end

local function check_given(what, given)
  if given ~= nil and not is_plain(given) then
    fail("init_params: %s: expected a table of NDArrays by name, got %s", what, type(given))
  end
end

-- The function that fills a parameter: an initializer, its name, or a script's function.
local function filler(initializer)
  if initializer == nil then return nil end
  if type(initializer) == "function" then return initializer end
  local made = initializers.create(initializer)
  return function(desc, x) made:apply(desc, x) end
end

local read_init_params = arguments.new("init_params",
  "initializer arg_params{} aux_params{} allow_missing force_init allow_extra",
  { initializer = "default", allow_missing = false, force_init = false, allow_extra = false })

--- init_params(initializer = init.Uniform(0.01), {arg_params = nil, aux_params = nil, allow_missing = false, force_init
-- = false, allow_extra = false}): sets the parameters and auxiliary states: those of arg_params and aux_params to
-- these arrays, the others (with allow_missing, or where no table is given) by the initializer, in the order of their
-- names. A variable's own initializer (sym.var's init) goes before. Arrays of other names are left out. A second call
-- only warns, unless force_init. Errors: missing names; arrays of other shapes.
function Module:init_params(...)
  local o = read_init_params(...)
  if self.params_initialized and not o.force_init then
    warn.now "Parameters already initialized and force_init is false. init_params call ignored."
    return
  end
  self:_need("init_params", "binded")
  check_given("arg_params", o.arg_params)
  check_given("aux_params", o.aux_params)
  if o.initializer == "default" then o.initializer = initializers.Uniform(0.01) end
  local fill, attributes = filler(o.initializer), self.symbol:attr_dict()
  local _ <close> = enter_mode(false)
  for _, part in ipairs { { self._bound.params, o.arg_params }, { self._bound.aux, o.aux_params } } do
    local arrays, given = part[1], part[2]
    for _, name in ipairs(sorted_names(arrays)) do
      if given and given[name] then
        copy_into(arrays[name], name, given[name])
      elseif given and not o.allow_missing then
        fail("%s is not presented: the parameters given lack it; allow_missing = true leaves it to the initializer",
          name)
      elseif fill then
        fill(initializers.InitDesc(name, attributes[name]), arrays[name])
      end
    end
  end
  self._bound:spread(true)
  self.params_initialized = true
end

--- set_params(arg_params, aux_params, {allow_missing = false, force_init = true, allow_extra = false}): copies arrays,
-- by name, into the parameters and the auxiliary states. Errors: missing names, unless allow_missing; with
-- allow_missing unknown ones, unless allow_extra (else they are left out, as in MXNet); arrays of other shapes.
function Module:set_params(arg_params, aux_params, allow_missing, force_init, allow_extra)
  if self.binded and allow_missing and not allow_extra then
    check_extra(arg_params, self._bound.params, "arg_params")
    check_extra(aux_params, self._bound.aux, "aux_params")
  end
  BaseModule.set_params(self, arg_params, aux_params, allow_missing, force_init, allow_extra)
end

-- ---- Computing ----------------------------------------------------------------------------------------------------

-- Descriptions of the same names for the shapes of a batch's arrays.
local function with_shapes(descs, arrays)
  local list = {}
  for i, x in ipairs(arrays) do
    local desc = descs[i]
    list[i] = DataDesc(desc.name, x.shape, { dtype = desc.dtype, layout = desc.layout })
  end
  return list
end

local function same_shapes(descs, arrays)
  for i, x in ipairs(arrays) do if descs[i].shape ~= x.shape then return false end end
  return true
end

-- Binds for the shapes of a batch, if they are others.
local function fit_shapes(self, batch, data, label)
  if same_shapes(self.data_shapes, data) then return end
  local new_data, new_label = inputs.provided(batch, "provide_data"), inputs.provided(batch, "provide_label")
  if not new_data or #new_data == 0 then new_data = with_shapes(self.data_shapes, data) end
  if (not new_label or #new_label == 0) and label and #self.label_shapes > 0 then
    new_label = with_shapes(self.label_shapes, label)
  end
  use_shapes(self, inputs.descriptions("data", new_data, self.data_names), new_label and #new_label > 0 and
    inputs.descriptions("label", new_label, self.label_names) or {})
end

--- forward(data_batch, is_train): computes the outputs of a DataBatch, or of any table with the list `data` and, if
-- wanted, `label`. is_train: training mode; nil: as the module was bound. A batch of other shapes binds the module for
-- them.
function Module:forward(data_batch, is_train)
  class.check_self(Module, "forward", self)
  self:_need("forward", "binded", "params_initialized")
  local data = inputs.arrays("forward", data_batch, "data", self.data_names)
  if not data then fail "forward: data_batch.data: expected a list of NDArrays, got nothing" end
  local label = #self.label_names > 0 and inputs.arrays("forward", data_batch, "label", self.label_names) or nil
  fit_shapes(self, data_batch, data, label)
  if is_train == nil then is_train = self.for_training end
  self._bound:forward(self.data_shapes, data, self.label_shapes, label, is_train)
end

--- backward(out_grads): the gradients of the latest forward. out_grads: those of the outputs, an array or a list (nil:
-- ones, which losses such as SoftmaxOutput ignore).
function Module:backward(out_grads)
  self:_need("backward", "binded", "params_initialized")
  if not self.for_training then fail "Module.backward: the module was bound with for_training = false" end
  self._bound:backward(out_grads)
end

--- get_outputs(merge_multi_context = true): the list of outputs of the latest forward. merge_multi_context = false:
-- of each a list of the contexts' arrays.
function Module:get_outputs(merge_multi_context)
  self:_need("get_outputs", "binded", "params_initialized")
  return self._bound:outputs(merge_multi_context)
end

--- get_input_grads(merge_multi_context = true): the gradients of the data after backward, in the order of data_names.
-- Errors: a module that was bound without inputs_need_grad.
function Module:get_input_grads(merge_multi_context)
  self:_need("get_input_grads", "binded", "params_initialized")
  if not self.inputs_need_grad then
    fail "Module.get_input_grads: bind the module with inputs_need_grad = true"
  end
  return self._bound:input_grads(merge_multi_context)
end

--- get_states(merge_multi_context = true): the arrays of the states, in the order of state_names.
function Module:get_states(merge_multi_context)
  self:_need("get_states", "binded", "params_initialized")
  return self._bound:states(merge_multi_context)
end

--- set_states(states, value): sets the states to a list of arrays (or of lists of the contexts' arrays), or all to a
-- number.
function Module:set_states(states, value)
  self:_need("set_states", "binded", "params_initialized")
  if (states == nil) == (value == nil) then fail "Module.set_states: expected either states or value" end
  if states and #states ~= #self._state_names then
    fail("Module.set_states: states: expected %d arrays, got %d", #self._state_names, #states)
  end
  self._bound:set_states(states, value)
end

--- update_metric(eval_metric, labels): adds the outputs of the latest forward to a metric. A metric with output_names
-- or label_names gets those. pre_sliced: labels has a list of arrays for each context.
function Module:update_metric(eval_metric, labels, pre_sliced)
  self:_need("update_metric", "binded", "params_initialized")
  self._bound:update_metric(eval_metric, self.label_names, labels, self.output_names, pre_sliced)
end

-- ---- Updating -----------------------------------------------------------------------------------------------------

-- The options of an optimizer: a table by name or, as in Python, a list of pairs.
local function options_of(given)
  local options = {}
  if given == nil then return { learning_rate = 0.01 } end
  if not is_plain(given) then
    fail("init_optimizer: optimizer_params: expected a table such as {learning_rate = 0.1}, got %s", type(given))
  end
  for key, value in pairs(given) do
    if type(key) == "string" then options[key] = value
    elseif is_plain(value) and type(value[1]) == "string" then options[value[1]] = value[2]
    else fail "init_optimizer: optimizer_params: expected a table such as {learning_rate = 0.1}" end
  end
  return options
end

local function make_optimizer(self, optimizer, optimizer_params)
  local desc = self.data_shapes[1]
  local axis = desc and math.max(0, DataDesc.get_batch_axis(desc.layout)) or 0
  local scale = 1 / math.max(1, desc and desc.shape[axis + 1] or 1)
  local names = {}
  for name, i in pairs(self._bound.index_of) do names[i] = name end
  if class.is_a(optimizer, optimizers.Optimizer) then
    if optimizer.rescale_grad ~= scale then
      warn.now("Optimizer created manually outside Module but rescale_grad is not normalized to " ..
        "1.0/batch_size/num_workers (%s vs. %s). Is this intended?", optimizer.rescale_grad, scale)
    end
    if next(optimizer.idx2name) == nil then optimizer.idx2name = names end
    return optimizer
  end
  local options = options_of(optimizer_params)
  if options.rescale_grad == nil then options.rescale_grad = scale end
  options.param_idx2name, options.sym = names, self.symbol
  return optimizers.create(optimizer, options)
end

-- Stores: "local" and "device" do nothing in one context; a KVStore object keeps and updates the parameters.
local function store_of(kvstore)
  if kvstore == nil then return nil end
  local stores = require "hybridlua.kvstore"
  if class.is_a(kvstore, stores.KVStore) then return kvstore end
  if type(kvstore) ~= "string" then
    fail("init_optimizer: kvstore: expected 'local', 'device', a KVStore or nil, got %s", type(kvstore))
  end
  stores.create(kvstore)                          -- raises for other names
  return nil
end

--- init_optimizer{kvstore = "local", optimizer = "sgd", optimizer_params = {learning_rate = 0.01}, force_init = false}:
-- makes the optimizer that update uses, from a name and its options, or takes an Optimizer. Unless rescale_grad is
-- among the options, gradients are divided by the batch size. Parameters whose names do not end in _weight or _gamma
-- have no weight decay, and sym.var's lr_mult and wd_mult apply. kvstore: "local" and "device" change nothing in one
-- context; a KVStore keeps the parameters and runs the optimizer. A second call only warns, unless force_init.
function Module:init_optimizer(kvstore, optimizer, optimizer_params, force_init)
  self:_need("init_optimizer", "binded", "params_initialized")
  if self.optimizer_initialized and not force_init then
    self.logger:warning "optimizer already initialized, ignoring..."
    return
  end
  self._optimizer = make_optimizer(self, optimizer or "sgd", optimizer_params)
  self._kvstore, self._updater = store_of(kvstore), nil
  if self._kvstore then
    self._kvstore:set_optimizer(self._optimizer)
    for _, name in ipairs(self._param_names) do self._kvstore:init(name, self._bound.params[name]) end
  else
    self._updater = optimizers.Updater(self._optimizer)
  end
  self.optimizer_initialized = true
  if self._states_file then
    local file = self._states_file
    self._states_file = nil
    self:load_optimizer_states(file)
  end
end

--- borrow_optimizer(shared_module): uses another module's optimizer and its states.
function Module:borrow_optimizer(shared_module)
  if not class.is_a(shared_module, Module) or not shared_module.optimizer_initialized then
    fail "Module.borrow_optimizer: shared_module: expected a Module with an optimizer"
  end
  self._optimizer, self._kvstore, self._updater = shared_module._optimizer, shared_module._kvstore,
    shared_module._updater
  self.optimizer_initialized = true
end

--- update(): changes the parameters by the gradients of the latest backward.
function Module:update()
  self:_need("update", "binded", "params_initialized", "optimizer_initialized")
  local bound, indices, grads, weights = self._bound, {}, {}, {}
  local _ <close> = enter_mode(false)
  for _, name in ipairs(self._param_names) do
    local grad = bound:gradient(name)
    if grad and self._kvstore then
      self._kvstore:pushpull(name, grad, bound.params[name])
    elseif grad then
      local n = #indices + 1
      indices[n], grads[n], weights[n] = bound.index_of[name], grad, bound.params[name]
    end
  end
  if not self._kvstore then self._updater:update_all(indices, grads, weights) end
  bound:spread()
end

-- ---- Files --------------------------------------------------------------------------------------------------------

--- save_optimizer_states(fname): writes the optimizer's states (momenta, counts of updates) in the format of nd.save.
-- MXNet's own files are Python's pickles, which are not read here.
function Module:save_optimizer_states(fname)
  self:_need("save_optimizer_states", "optimizer_initialized")
  if self._kvstore then return self._kvstore:save_optimizer_states(fname) end
  nd.save(fname, self._updater:get_states())
end

--- load_optimizer_states(fname): reads them. Errors: states of another optimizer or of other parameters.
function Module:load_optimizer_states(fname)
  self:_need("load_optimizer_states", "optimizer_initialized")
  if self._kvstore then return self._kvstore:load_optimizer_states(fname) end
  local weights = {}
  for name, i in pairs(self._bound.index_of) do weights[i] = self._bound.params[name] end
  self._updater:set_states(nd.load(fname), nil, function(i) return weights[i] end)
end

--- save_checkpoint(prefix, epoch, {save_optimizer_states = false}): writes prefix-symbol.json, prefix-NNNN.params and,
-- if wanted, prefix-NNNN.states. MXNet reads the first two.
function Module:save_checkpoint(prefix, epoch, save_optimizer_states)
  model.save_checkpoint(prefix, epoch, self.symbol, self:get_params())
  if not save_optimizer_states then return end
  local file = model._file("Module.save_checkpoint", prefix, epoch, "states")
  self:save_optimizer_states(file)
  log.getLogger():info('Saved optimizer state to "%s"', file)
end

local read_load = arguments.new("Module.load", "prefix epoch load_optimizer_states " .. NAMES:gsub("^symbol ", ""),
  DEFAULTS)

local function load(...)
  local o = read_load(...)
  local symbol, arg_params, aux_params = model.load_checkpoint(o.prefix, o.epoch)
  local options = { symbol = symbol }
  for name in NAMES:gmatch "[%w_]+" do if options[name] == nil then options[name] = o[name] end end
  for name in pairs(DEFAULTS) do if o[name] == nil then options[name] = nd.NULL end end
  local made = Module(options)
  made._given_args, made._given_aux, made.params_initialized = arg_params, aux_params, true
  if o.load_optimizer_states then made._states_file = model._file("Module.load", o.prefix, o.epoch, "states") end
  return made
end

--- Module.load(prefix, epoch, {load_optimizer_states = false, ...}): a Module with the symbol and the parameters of a
-- checkpoint, also one of MXNet's; further options as for Module. It is bound next, and fit with begin_epoch continues
-- the training. load_optimizer_states: init_optimizer then reads prefix-NNNN.states.
Module.load = load

arguments.as_above(Module)
arguments.methods(Module, "Module.", {
  reshape = "data_shapes[] label_shapes[]", borrow_optimizer = "shared_module", save_optimizer_states = "fname",
  load_optimizer_states = "fname", save_checkpoint = "prefix epoch save_optimizer_states remove_amp_cast",
})

return Module

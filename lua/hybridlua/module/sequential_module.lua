-- module/sequential_module.lua - SequentialModule: modules one after another, the outputs of each being the data of the
-- next.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local inputs = require "hybridlua.module.module_inputs"
local BaseModule = require "hybridlua.module.base_module"
local batches = require "hybridlua.io.batches"

local SequentialModule = BaseModule:subclass "SequentialModule"
SequentialModule.META_TAKE_LABELS, SequentialModule.META_AUTO_WIRING = "take_labels", "auto_wiring"

local read = arguments.new("SequentialModule", "logger")

--- SequentialModule{logger = nil}: modules are added by add.
function SequentialModule:init(...)
  self:_begin(read(...).logger)
  self._modules, self._metas, self.data_names, self.output_names = {}, {}, {}, {}
end

--- add(module, {take_labels = false, auto_wiring = false}): adds a module; returns self. take_labels: it gets the
-- labels and its outputs count for the metric; auto_wiring: its data take the names that it wants, in order.
function SequentialModule:add(module, take_labels, auto_wiring)
  local n = #self._modules + 1
  self._modules[n] = checks.instance("SequentialModule.add: module", module, BaseModule, "a module")
  self._metas[n] = { take_labels = take_labels or false, auto_wiring = auto_wiring or false }
  self.binded, self.params_initialized, self.optimizer_initialized = false, false, false
  self.data_names, self.output_names = self._modules[1].data_names, module.output_names
  return self
end

-- The data's descriptions under the names that the module wants.
local function renamed(module, descs)
  local list = {}
  if #module.data_names ~= #descs then
    fail("SequentialModule.bind: auto_wiring: expected %d inputs, for %s, got %d", #module.data_names,
      table.concat(module.data_names, ", "), #descs)
  end
  for i, desc in ipairs(descs) do list[i] = { module.data_names[i], desc[2] } end
  return list
end

--- bind(data_shapes, label_shapes, {for_training = true, inputs_need_grad = false, force_rebind = false, grad_req =
-- "write"}): binds all modules, one after another.
function SequentialModule:bind(data_shapes, label_shapes, for_training, inputs_need_grad, force_rebind, shared_module,
                               grad_req)
  if self:_is_bound(force_rebind) then return end
  if for_training == nil then for_training = true end
  if shared_module ~= nil then fail "SequentialModule.bind: shared_module is not supported" end
  if #self._modules == 0 then fail "Attempting to bind an empty SequentialModule" end
  local descs, labels = batches.descriptions("SequentialModule.bind: data_shapes", data_shapes), nil
  for i, module in ipairs(self._modules) do
    local meta = self._metas[i]
    if meta.auto_wiring then descs = renamed(module, descs) end
    if meta.take_labels then labels = label_shapes end
    module:bind(descs, meta.take_labels and label_shapes or nil, for_training,
      for_training and (inputs_need_grad or i > 1), force_rebind, nil, grad_req)
    descs = module.output_shapes
  end
  self.binded, self.for_training, self.inputs_need_grad = true, for_training, inputs_need_grad or false
  self.data_shapes, self.label_shapes, self.output_shapes = self._modules[1].data_shapes, labels, descs
end

local function check_names(known, arrays, i)
  for name in pairs(arrays) do
    if known[name] then
      fail("Duplicated parameter names: name \"%s\" in layer %d is already used in layer %d", name, i - 1,
        known[name] - 1)
    end
    known[name] = i
  end
end

local read_init_params = arguments.new("init_params",
  "initializer arg_params{} aux_params{} allow_missing force_init allow_extra", { force_init = false })

--- init_params: as of Module, for each module. Errors: parameters of one name in two modules.
function SequentialModule:init_params(...)
  local o = read_init_params(...)
  if self.params_initialized and not o.force_init then return end
  self:_need("init_params", "binded")
  local args, aux = {}, {}
  for i, module in ipairs(self._modules) do
    module:init_params(...)
    local arg_params, aux_params = module:get_params()
    check_names(args, arg_params, i)
    check_names(aux, aux_params, i)
  end
  self.params_initialized = true
end

function SequentialModule:get_params()
  self:_need("get_params", "params_initialized")
  local args, aux = {}, {}
  for _, module in ipairs(self._modules) do
    local arg_params, aux_params = module:get_params()
    for name, x in pairs(arg_params) do args[name] = x end
    for name, x in pairs(aux_params) do aux[name] = x end
  end
  return args, aux
end

function SequentialModule:init_optimizer(kvstore, optimizer, optimizer_params, force_init)
  self:_need("init_optimizer", "binded", "params_initialized")
  if self.optimizer_initialized and not force_init then
    self.logger:warning "optimizer already initialized, ignoring."
    return
  end
  for _, module in ipairs(self._modules) do module:init_optimizer(kvstore, optimizer, optimizer_params, force_init) end
  self.optimizer_initialized = true
end

function SequentialModule:forward(data_batch, is_train)
  class.check_self(SequentialModule, "forward", self)
  self:_need("forward", "binded", "params_initialized")
  local batch = { data = inputs.arrays("forward", data_batch, "data", self.data_names),
                  label = data_batch.label, pad = data_batch.pad }
  for _, module in ipairs(self._modules) do
    module:forward(batch, is_train)
    batch = { data = module:get_outputs(), label = batch.label, pad = batch.pad }
  end
end

function SequentialModule:backward(out_grads)
  self:_need("backward", "binded", "params_initialized")
  for i = #self._modules, 1, -1 do
    self._modules[i]:backward(out_grads)
    out_grads = i > 1 and self._modules[i]:get_input_grads() or nil
  end
end

function SequentialModule:update()
  self:_need("update", "binded", "params_initialized", "optimizer_initialized")
  for _, module in ipairs(self._modules) do module:update() end
end

function SequentialModule:get_outputs(merge_multi_context)
  self:_need("get_outputs", "binded", "params_initialized")
  return self._modules[#self._modules]:get_outputs(merge_multi_context)
end

function SequentialModule:get_input_grads(merge_multi_context)
  self:_need("get_input_grads", "binded", "params_initialized")
  if not self.inputs_need_grad then
    fail "SequentialModule.get_input_grads: bind the module with inputs_need_grad = true"
  end
  return self._modules[1]:get_input_grads(merge_multi_context)
end

function SequentialModule:update_metric(eval_metric, labels, pre_sliced)
  self:_need("update_metric", "binded", "params_initialized")
  for i, module in ipairs(self._modules) do
    if self._metas[i].take_labels then module:update_metric(eval_metric, labels, pre_sliced) end
  end
end

function SequentialModule:install_monitor(mon)
  self:_need("install_monitor", "binded")
  for _, module in ipairs(self._modules) do module:install_monitor(mon) end
end

arguments.as_above(SequentialModule)
arguments.methods(SequentialModule, "SequentialModule.", { add = "module take_labels auto_wiring" })

return SequentialModule

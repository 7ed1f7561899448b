-- module/bucketing_module.lua - BucketingModule: one Module for each length of input, all with the same parameters.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local model = require "hybridlua.model"
local names_scope = require "hybridlua.name"
local BaseModule = require "hybridlua.module.base_module"
local Module = require "hybridlua.module.symbol_module"
local is_plain, is_symbol = core.script.is_plain, core.symbol.is

local nd, sym = core.op.nd, core.op.sym

local BucketingModule = BaseModule:subclass "BucketingModule"

local NAMES = "logger context work_load_list fixed_param_names state_names group2ctxs compression_params"
local read = arguments.new("BucketingModule", "sym_gen default_bucket_key " .. NAMES)

-- The symbol, data names and label names of a key. The numbers in operators' names begin at 0, so that each symbol
-- has the same names.
local function generate(self, key)
  local symbol, data_names, label_names = names_scope.NameManager(function() return self._sym_gen(key) end)
  if not is_symbol(symbol) then
    fail("BucketingModule: sym_gen: expected a Symbol, data names and label names, got %s for key %s", type(symbol),
      tostring(key))
  end
  return symbol, data_names, label_names
end

local function make_module(self, symbol, data_names, label_names)
  local options = { symbol = symbol, data_names = data_names or {}, label_names = label_names or {} }
  for name in NAMES:gmatch "%S+" do options[name] = self._options[name] end
  return Module(options)
end

-- Makes a module the current one, and copies the fields that describe it.
local function adopt(self, key, module)
  self._module, self._key = module, key
  for _, field in ipairs { "symbol", "data_names", "label_names", "output_names", "data_shapes", "label_shapes",
                           "output_shapes" } do
    self[field] = module[field]
  end
end

--- BucketingModule(sym_gen, default_bucket_key, {context = nil, fixed_param_names = nil, state_names = nil, logger =
-- nil}): sym_gen(key) returns a symbol, its data names and its label names. Batches have the field bucket_key, and
-- provide_data and provide_label for a new key. All symbols have the parameters of the default key's, which should be
-- the longest. Errors: those of Module; a symbol with another parameter.
function BucketingModule:init(...)
  local o = read(...)
  self:_begin(o.logger)
  self._sym_gen = checks.callable("BucketingModule: sym_gen", o.sym_gen, "a bucket key")
  if o.default_bucket_key == nil then fail "BucketingModule: default_bucket_key: expected a key, got nothing" end
  self._default, self._options, self._buckets, self._monitors = o.default_bucket_key, o, {}, {}
  local module = make_module(self, generate(self, self._default))
  self._buckets[self._default] = module
  adopt(self, self._default, module)
end

--- bind(data_shapes, label_shapes, {for_training = true, inputs_need_grad = false, force_rebind = false, grad_req =
-- "write"}): binds the default key's module.
function BucketingModule:bind(data_shapes, label_shapes, for_training, inputs_need_grad, force_rebind, shared_module,
                              grad_req)
  if shared_module ~= nil then fail "shared_module for BucketingModule is not supported" end
  if self:_is_bound(force_rebind) then return end
  local module = self._buckets[self._default]
  local arg_params, aux_params
  if self.params_initialized then arg_params, aux_params = self:get_params() end
  if force_rebind then
    for key, other in pairs(self._buckets) do if other ~= module then self._buckets[key] = nil end end
  end
  module:bind(data_shapes, label_shapes, for_training, inputs_need_grad, force_rebind, nil, grad_req)
  self._grad_req = grad_req
  self.binded, self.for_training, self.inputs_need_grad = true, module.for_training, module.inputs_need_grad
  adopt(self, self._default, module)
  if self.params_initialized then self:set_params(arg_params, aux_params) end
end

--- switch_bucket(bucket_key, data_shapes, label_shapes): makes the module of a key the current one; a new one is bound
-- to these shapes.
function BucketingModule:switch_bucket(bucket_key, data_shapes, label_shapes)
  self:_need("switch_bucket", "binded")
  if bucket_key == nil then fail "BucketingModule: bucket_key: expected a batch with a bucket_key, got nothing" end
  local module = self._buckets[bucket_key]
  if not module then
    module = make_module(self, generate(self, bucket_key))
    self._buckets[bucket_key] = module
  end
  if not module.binded then
    local default = self._buckets[self._default]
    module:bind(data_shapes, label_shapes, self.for_training, self.inputs_need_grad, false, default, self._grad_req)
    for _, mon in ipairs(self._monitors) do module:install_monitor(mon) end
  end
  if self.optimizer_initialized and not module.optimizer_initialized then
    module:borrow_optimizer(self._buckets[self._default])
  end
  module.params_initialized = self.params_initialized
  adopt(self, bucket_key, module)
end

-- A batch without a key is of the default one.
local function switch_to(self, batch)
  if type(batch) ~= "table" then batch = {} end
  self:switch_bucket(batch.bucket_key or self._default, batch.provide_data, batch.provide_label)
end

function BucketingModule:init_params(...)
  self:_need("init_params", "binded")
  self._buckets[self._default]:init_params(...)
  self.params_initialized = true
  self._module.params_initialized = true
end

function BucketingModule:get_params()
  self:_need("get_params", "params_initialized")
  return self._buckets[self._default]:get_params()
end

function BucketingModule:init_optimizer(kvstore, optimizer, optimizer_params, force_init)
  self:_need("init_optimizer", "binded", "params_initialized")
  local default = self._buckets[self._default]
  default:init_optimizer(kvstore, optimizer, optimizer_params, force_init)
  for _, module in pairs(self._buckets) do if module ~= default then module:borrow_optimizer(default) end end
  self.optimizer_initialized = true
end

--- Makes and binds the module of the batch's key; the current one stays.
function BucketingModule:prepare(data_batch)
  self:_need("prepare", "binded", "params_initialized")
  local key = self._key
  switch_to(self, data_batch)
  self:switch_bucket(key)
end

function BucketingModule:forward(data_batch, is_train)
  class.check_self(BucketingModule, "forward", self)
  self:_need("forward", "binded", "params_initialized")
  switch_to(self, data_batch)
  self._module:forward(data_batch, is_train)
end

function BucketingModule:backward(out_grads) self._module:backward(out_grads) end

function BucketingModule:update()
  self:_need("update", "binded", "params_initialized", "optimizer_initialized")
  self._module:update()
end

function BucketingModule:get_outputs(merge_multi_context) return self._module:get_outputs(merge_multi_context) end
function BucketingModule:get_input_grads(merge_multi_context)
  return self._module:get_input_grads(merge_multi_context)
end
function BucketingModule:get_states(merge_multi_context) return self._module:get_states(merge_multi_context) end
function BucketingModule:set_states(states, value) self._module:set_states(states, value) end

function BucketingModule:update_metric(eval_metric, labels, pre_sliced)
  self._module:update_metric(eval_metric, labels, pre_sliced)
end

function BucketingModule:install_monitor(mon)
  self:_need("install_monitor", "binded")
  self._monitors[#self._monitors + 1] = mon
  for _, module in pairs(self._buckets) do if module.binded then module:install_monitor(mon) end end
end

-- ---- Files --------------------------------------------------------------------------------------------------------

--- save_checkpoint(prefix, epoch): writes prefix-KEY-symbol.json for each key, prefix-NNNN.params, and prefix.buckets,
-- the list of keys. Errors: keys that are not integers, as in MXNet.
function BucketingModule:save_checkpoint(prefix, epoch)
  local file, keys = model._file("BucketingModule.save_checkpoint", prefix, epoch), {}
  for key in pairs(self._buckets) do
    keys[#keys + 1] = checks.whole("BucketingModule.save_checkpoint: bucket_key", key)
  end
  table.sort(keys)
  self:save_params(file)
  for _, key in ipairs(keys) do self._buckets[key].symbol:save(("%s-%d-symbol.json"):format(prefix, key)) end
  nd.save(prefix .. ".buckets", { nd.array(keys, { dtype = "int32" }) })
end

local read_load = arguments.new("BucketingModule.load", "prefix epoch sym_gen default_bucket_key " .. NAMES)

-- A module with these symbols by key and these parameters, to be bound next.
local function with_symbols(o, symbols, arg_params, aux_params)
  local options = { sym_gen = o.sym_gen, default_bucket_key = o.default_bucket_key }
  for name in NAMES:gmatch "%S+" do options[name] = o[name] end
  local made = BucketingModule(options)
  for key, symbol in pairs(symbols) do
    local _, data_names, label_names = generate(made, key)
    made._buckets[key] = make_module(made, symbol, data_names, label_names)
  end
  local default = made._buckets[made._default]
  default._given_args, default._given_aux, default.params_initialized = arg_params, aux_params, true
  made.params_initialized = true
  adopt(made, made._default, default)
  return made
end

--- BucketingModule.load(prefix, epoch, {sym_gen =, default_bucket_key =, ...}): a BucketingModule from the files of
-- save_checkpoint, also MXNet's; further options as for BucketingModule.
local function load(...)
  local o, symbols = read_load(...), {}
  local arg_params, aux_params = model.load_params(o.prefix, o.epoch)
  local keys = nd.load(o.prefix .. ".buckets")
  for _, key in ipairs((is_plain(keys) and keys[1] or keys):totable()) do
    symbols[math.tointeger(key)] = sym.load(("%s-%d-symbol.json"):format(o.prefix, key))
  end
  return with_symbols(o, symbols, arg_params, aux_params)
end
BucketingModule.load = load

local read_load_dict = arguments.new("BucketingModule.load_dict",
  "sym_dict{} sym_gen default_bucket_key arg_params{} aux_params{} " .. NAMES)

--- BucketingModule.load_dict{sym_dict =, sym_gen =, default_bucket_key =, arg_params =, aux_params =, ...}: the same
-- from symbols by key and parameters by name.
local function load_dict(...)
  local o = read_load_dict(...)
  for _, name in ipairs { "sym_dict", "arg_params", "aux_params" } do
    if not is_plain(o[name]) then fail("BucketingModule.load_dict: %s: expected a table, got %s", name,
      type(o[name])) end
  end
  return with_symbols(o, o.sym_dict, o.arg_params, o.aux_params)
end
BucketingModule.load_dict = load_dict

arguments.as_above(BucketingModule)
arguments.methods(BucketingModule, "BucketingModule.", {
  switch_bucket = "bucket_key data_shapes[] label_shapes[]", save_checkpoint = "prefix epoch remove_amp_cast",
})

return BucketingModule

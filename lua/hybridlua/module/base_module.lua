-- module/base_module.lua - BaseModule: what all modules share, above all the loops of training (fit), evaluation
-- (score) and prediction. A module is bound to shapes (bind), gets parameters (init_params) and an optimizer
-- (init_optimizer), and then computes: forward, backward, update.
--
-- Fields: binded, for_training, inputs_need_grad, params_initialized, optimizer_initialized; symbol, data_names,
-- label_names, output_names; once bound, data_shapes, label_shapes (lists of DataDescs) and output_shapes (pairs {name,
-- shape}).
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local inputs = require "hybridlua.module.module_inputs"
local initializers = require "hybridlua.initializer"
local log = require "hybridlua.log"
local metrics = require "hybridlua.metric"
local model = require "hybridlua.model"
local warn = require "hybridlua.language.warn"
local DataBatch = require "hybridlua.io.batches".DataBatch
local is_array, seconds_now = core.array.is, core.host.seconds

local nd = core.op.nd

local BaseModule = class.root("BaseModule", class.new, "mod")

local read_base = arguments.new("BaseModule", "logger")

--- BaseModule{logger = nil}: the base class. Your own module defines bind, init_params, init_optimizer, forward,
-- backward, update, get_outputs, get_input_grads, get_params and update_metric.
function BaseModule:init(...) self:_begin(read_base(...).logger) end

function BaseModule:_begin(logger)
  self.logger = log._of(class.of(self).__name__ .. ": logger", logger)
  self.binded, self.for_training, self.inputs_need_grad = false, false, false
  self.params_initialized, self.optimizer_initialized = false, false
end

-- ---- Checks -------------------------------------------------------------------------------------------------------

local FIRST = {
  binded = "call mod:bind(data_shapes, label_shapes) first",
  params_initialized = "call mod:init_params() first",
  optimizer_initialized = "call mod:init_optimizer() first",
}

-- Raises unless the module is as far as the fields say: self:_need("forward", "binded", "params_initialized").
function BaseModule:_need(what, ...)
  for _, field in ipairs { ... } do
    if not self[field] then fail("%s.%s: %s", class.of(self).__name__, what, FIRST[field]) end
  end
end

-- Whether bind has nothing to do, of which it warns.
function BaseModule:_is_bound(force_rebind)
  if not self.binded or force_rebind then return false end
  self.logger:warning "Already bound, ignoring bind()"
  return true
end

local function define_abstract(name, names)
  BaseModule[name] = function(self)
    local own = class.of(self).__name__
    fail("%s: %s is not defined; write function %s:%s(...) ... end", own, name, own, name)
  end
  arguments.methods(BaseModule, "BaseModule.", { [name] = names })
end

define_abstract("bind",
  "data_shapes[] label_shapes[] for_training inputs_need_grad force_rebind shared_module grad_req{}")
define_abstract("init_params", "initializer arg_params{} aux_params{} allow_missing force_init allow_extra")
define_abstract("init_optimizer", "kvstore optimizer optimizer_params{} force_init")
define_abstract("forward", "data_batch{} is_train")
define_abstract("backward", "out_grads[]")
define_abstract("update", "")
define_abstract("get_outputs", "merge_multi_context")
define_abstract("get_input_grads", "merge_multi_context")
define_abstract("get_params", "")
define_abstract("update_metric", "eval_metric labels[] pre_sliced")
define_abstract("install_monitor", "mon")

-- ---- Small parts --------------------------------------------------------------------------------------------------

--- forward and backward in training mode.
function BaseModule:forward_backward(data_batch)
  self:forward(data_batch, true)
  self:backward()
end

--- Prepares for the next batch; BucketingModule makes its module. sparse_row_id_fn has no effect, since there are no
-- sparse arrays.
function BaseModule:prepare(_, sparse_row_id_fn)
  if sparse_row_id_fn ~= nil then warn.once("prepare", "prepare: sparse_row_id_fn has no effect: arrays are dense") end
end

--- set_params(arg_params, aux_params, {allow_missing = false, force_init = true, allow_extra = false}): copies arrays,
-- by name, into the parameters and the auxiliary states. Errors: missing names, unless allow_missing; unknown ones,
-- unless allow_extra; other shapes.
function BaseModule:set_params(arg_params, aux_params, allow_missing, force_init, allow_extra)
  self:init_params { initializer = nd.NULL, arg_params = arg_params, aux_params = aux_params,
                     allow_missing = allow_missing or false, force_init = force_init ~= false,
                     allow_extra = allow_extra or false }
end

--- save_params(fname): writes parameters and auxiliary states to MXNet's format, as "arg:NAME" and "aux:NAME".
function BaseModule:save_params(fname) nd.save(fname, model._joined("save_params", self:get_params())) end

--- load_params(fname): reads such a file and sets the parameters. Errors: another kind of file, and those of
-- set_params.
function BaseModule:load_params(fname)
  local arg_params, aux_params = model._separated("load_params", fname, true)
  self:set_params(arg_params, aux_params)
end

--- get_states(merge_multi_context = true): the list of states, which stay from batch to batch; here none.
function BaseModule:get_states()
  self:_need("get_states", "binded", "params_initialized")
  return {}
end

--- set_states(states, value): sets the states to arrays or to a number.
function BaseModule:set_states(states, value)
  self:_need("set_states", "binded", "params_initialized")
  if states ~= nil and next(states) ~= nil or value ~= nil then
    fail("%s.set_states: it has no states", class.of(self).__name__)
  end
end

arguments.methods(BaseModule, "BaseModule.", {
  forward_backward = "data_batch{}", prepare = "data_batch{} sparse_row_id_fn",
  set_params = "arg_params{} aux_params{} allow_missing force_init allow_extra", save_params = "fname",
  load_params = "fname", get_states = "merge_multi_context", set_states = "states[] value",
})

-- ---- Evaluation ---------------------------------------------------------------------------------------------------

-- The batches of an iterator, numbered from 0, at most `most` of them.
local function batches_of(self, iter, most)
  local i = -1
  return function()
    i = i + 1
    if most and i >= most then return nil end
    local batch = iter:next()
    if batch == nil then return nil end
    self:prepare(batch)
    return i, batch
  end
end

local function check_count(what, n) return n ~= nil and checks.whole(what .. ": num_batch", n, 0) or nil end

local read_score = arguments.new("score",
  "eval_data eval_metric num_batch batch_end_callback score_end_callback reset epoch sparse_row_id_fn",
  { reset = true, epoch = 0 })

--- score(eval_data, eval_metric, {num_batch = nil, batch_end_callback = nil, score_end_callback = nil, reset = true,
-- epoch = 0}): evaluates an iterator's batches; returns {{name, value}, ...}. eval_metric: a metric, or what
-- metric.create takes, such as "acc" or {"acc", "ce"}. num_batch: the largest number of batches. The callbacks get
-- {epoch, nbatch, eval_metric, locals}.
function BaseModule:score(...)
  local o = read_score(...)
  self:_need("score", "binded", "params_initialized")
  local iter = inputs.check_iter("score: eval_data", o.eval_data)
  inputs.check_callbacks("score: batch_end_callback", o.batch_end_callback)
  inputs.check_callbacks("score: score_end_callback", o.score_end_callback)
  if o.eval_metric == nil then fail "score: eval_metric: expected a metric, such as 'acc', got nothing" end
  local metric, done = metrics.create(o.eval_metric), 0
  local most = check_count("score", o.num_batch)
  if o.reset then iter:reset() end
  metric:reset()
  local function called(callbacks, nbatch, batch)
    inputs.call(callbacks, model.BatchEndParam(o.epoch, nbatch, metric,
      { self = self, eval_data = iter, eval_batch = batch }))
  end
  for nbatch, batch in batches_of(self, iter, most) do
    self:forward(batch, false)
    self:update_metric(metric, batch.label)
    called(o.batch_end_callback, nbatch, batch)
    done = done + 1
  end
  called(o.score_end_callback, done)
  return metric:get_name_value()
end

local read_iter_predict = arguments.new("iter_predict", "eval_data num_batch reset sparse_row_id_fn", { reset = true })

--- for outputs, i, batch in mod:iter_predict(eval_data, {num_batch = nil, reset = true}) do: the list of outputs of
-- each batch (without samples that only fill it), its number from 0, and the batch.
function BaseModule:iter_predict(...)
  local o = read_iter_predict(...)
  self:_need("iter_predict", "binded", "params_initialized")
  local iter, most = inputs.check_iter("iter_predict: eval_data", o.eval_data), check_count("iter_predict", o.num_batch)
  if o.reset then iter:reset() end
  local next_batch = batches_of(self, iter, most)
  return function()
    local i, batch = next_batch()
    if i == nil then return nil end
    self:forward(batch, false)
    return inputs.without_pad(self:get_outputs(), batch.pad), i, batch
  end
end

local read_predict = arguments.new("predict",
  "eval_data num_batch merge_batches reset always_output_list sparse_row_id_fn",
  { merge_batches = true, reset = true, always_output_list = false })

--- predict(eval_data, {num_batch = nil, merge_batches = true, reset = true, always_output_list = false}): the outputs
-- for all batches, in one array, or a list of arrays if there are several outputs or always_output_list is set. With
-- merge_batches = false, a list with the list of outputs of each batch. eval_data may be an NDArray: then the first
-- output, in prediction mode.
function BaseModule:predict(...)
  local o = read_predict(...)
  self:_need("predict", "binded", "params_initialized")
  if is_array(o.eval_data) then
    self:forward(DataBatch { data = { o.eval_data } }, false)
    return self:get_outputs()[1]
  end
  local lists = {}
  inputs.check_iter("predict: eval_data", o.eval_data)
  for outputs in self:iter_predict(o.eval_data, { num_batch = o.num_batch, reset = o.reset }) do
    lists[#lists + 1] = outputs
  end
  if not o.merge_batches or #lists == 0 then return lists end
  local whole = inputs.merged(lists)
  return #whole == 1 and not o.always_output_list and whole[1] or whole
end

-- ---- Training -----------------------------------------------------------------------------------------------------

local read_fit = arguments.new("fit",
  "train_data eval_data eval_metric epoch_end_callback batch_end_callback kvstore optimizer optimizer_params{} " ..
    "eval_end_callback eval_batch_end_callback initializer arg_params{} aux_params{} allow_missing force_rebind " ..
    "force_init begin_epoch num_epoch validation_metric monitor sparse_row_id_fn",
  { eval_metric = "acc", kvstore = "local", optimizer = "sgd", allow_missing = false, force_rebind = false,
    force_init = false, begin_epoch = 0 })

local CALLBACKS = { "epoch_end_callback", "batch_end_callback", "eval_end_callback", "eval_batch_end_callback" }

local function check_fit(o)
  inputs.check_iter("fit: train_data", o.train_data)
  if o.eval_data ~= nil then inputs.check_iter("fit: eval_data", o.eval_data) end
  if o.num_epoch == nil then fail "fit: num_epoch: expected the number of epochs, got nothing" end
  checks.whole("fit: num_epoch", o.num_epoch, 0)
  checks.whole("fit: begin_epoch", o.begin_epoch, 0)
  for _, name in ipairs(CALLBACKS) do inputs.check_callbacks("fit: " .. name, o[name]) end
  return o
end

-- Does what the module lacks. MXNet warns of the rest; here only parameters that are given and not used are worth it.
local function make_ready(self, o)
  if not self.binded or o.force_rebind then
    self:bind { data_shapes = inputs.provided(o.train_data, "provide_data"),
                label_shapes = inputs.provided(o.train_data, "provide_label"), for_training = true,
                force_rebind = o.force_rebind }
  end
  if o.monitor then self:install_monitor(o.monitor) end
  if not self.params_initialized or o.force_init or o.arg_params or o.aux_params then
    self:init_params { initializer = o.initializer or initializers.Uniform(0.01), arg_params = o.arg_params,
                       aux_params = o.aux_params, allow_missing = o.allow_missing, force_init = o.force_init }
  end
  if not self.optimizer_initialized then
    self:init_optimizer { kvstore = o.kvstore, optimizer = o.optimizer, optimizer_params = o.optimizer_params }
  end
end

-- One pass over the training data.
local function train_epoch(self, o, epoch, metric)
  local monitor, nbatch = o.monitor, 0
  local batch = o.train_data:next()
  if batch == nil then
    fail("fit: train_data: expected at least one batch in epoch %d, got none; call train_data:reset() first", epoch)
  end
  self:prepare(batch, o.sparse_row_id_fn)
  while batch do
    if monitor then monitor:tic() end
    self:forward_backward(batch)
    self:update()
    self:update_metric(metric, batch.label)
    local following = o.train_data:next()
    if following then self:prepare(following) end
    if monitor then monitor:toc_print() end
    inputs.call(o.batch_end_callback, model.BatchEndParam(epoch, nbatch, metric,
      { self = self, train_data = o.train_data, eval_data = o.eval_data, data_batch = batch }))
    nbatch, batch = nbatch + 1, following
  end
end

--- fit(train_data, {num_epoch =, eval_data = nil, eval_metric = "acc", optimizer = "sgd", optimizer_params =
-- {learning_rate = 0.01}, initializer = init.Uniform(0.01), epoch_end_callback = nil, batch_end_callback = nil,
-- eval_end_callback = nil, eval_batch_end_callback = nil, arg_params = nil, aux_params = nil, allow_missing = false,
-- force_rebind = false, force_init = false, begin_epoch = 0, validation_metric = nil, monitor = nil, kvstore =
-- "local"}): trains from epoch begin_epoch to num_epoch - 1 on an iterator; binds the module, sets its parameters and
-- makes the optimizer if that was not done. After each epoch the metric and the time are logged (hl.log), then those of
-- eval_data. Callbacks are functions or lists of them: after a batch callback{epoch, nbatch, eval_metric, locals},
-- after an epoch callback(epoch, symbol, arg_params, aux_params). initializer: for parameters that arg_params lacks, if
-- allow_missing.
function BaseModule:fit(...)
  local o = check_fit(read_fit(...))
  make_ready(self, o)
  local metric = metrics.create(o.eval_metric)
  local validation = o.validation_metric ~= nil and o.validation_metric or metric
  for epoch = o.begin_epoch, o.num_epoch - 1 do
    local began = seconds_now()
    metric:reset()
    train_epoch(self, o, epoch, metric)
    for _, entry in ipairs(metric:get_global_name_value()) do
      self.logger:info("Epoch[%d] Train-%s=%f", epoch, entry[1], entry[2])
    end
    self.logger:info("Epoch[%d] Time cost=%.3f", epoch, seconds_now() - began)
    if o.epoch_end_callback then
      inputs.call(o.epoch_end_callback, epoch, self.symbol, self:get_params())
    end
    if o.eval_data then
      local results = self:score(o.eval_data, validation, { score_end_callback = o.eval_end_callback,
        batch_end_callback = o.eval_batch_end_callback, epoch = epoch })
      for _, entry in ipairs(results) do self.logger:info("Epoch[%d] Validation-%s=%f", epoch, entry[1], entry[2]) end
    end
    o.train_data:reset()
  end
end

return BaseModule

-- module/feed_forward.lua - FeedForward: MXNet's first interface for training, hl.model.FeedForward, which Module
-- replaced; here it is a Module with another face.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local initializers = require "hybridlua.initializer"
local inputs = require "hybridlua.module.module_inputs"
local io_ = require "hybridlua.io"
local log = require "hybridlua.log"
local metrics = require "hybridlua.metric"
local model = require "hybridlua.model"
local optimizers = require "hybridlua.optimizer"
local warn = require "hybridlua.language.warn"
local Module = require "hybridlua.module.symbol_module"
local is_array, is_plain, is_symbol, seconds_now = core.array.is, core.script.is_plain, core.symbol.is,
  core.host.seconds

local nd = core.op.nd

local FeedForward = class.root("FeedForward", class.new, "model")

local NAMES = "ctx num_epoch epoch_size optimizer initializer numpy_batch_size arg_params{} aux_params{} " ..
  "allow_extra_params begin_epoch optimizer_params{*}"
local DEFAULTS = { optimizer = "sgd", numpy_batch_size = 128, begin_epoch = 0 }
local read = arguments.new("FeedForward", "symbol " .. NAMES, DEFAULTS)

-- Options with other names belong to the optimizer, which is made to check them.
local function check_optimizer(o)
  if type(o.optimizer) == "string" then optimizers.create(o.optimizer, o.optimizer_params or {})
  else checks.instance("FeedForward: optimizer", o.optimizer, optimizers.Optimizer, "a name or an Optimizer") end
end

--- FeedForward(symbol, {ctx = nil, num_epoch = nil, epoch_size = nil, optimizer = "sgd", initializer =
-- init.Uniform(0.01), numpy_batch_size = 128, arg_params = nil, aux_params = nil, begin_epoch = 0, learning_rate =
-- 0.01, ...}): trains a symbol whose inputs have names that end in data or label. All further options belong to the
-- optimizer. numpy_batch_size: the batch size for arrays. epoch_size: batches in an epoch (nil: the iterator's pass).
-- Deprecated in MXNet, which advises Module, as this does. Errors: a function that makes symbols, instead of one.
function FeedForward:init(...)
  local o = read(...)
  warn.once("FeedForward", "model.FeedForward has been deprecated. Please use mod.Module instead.")
  check_optimizer(o)
  if not is_symbol(o.symbol) then fail("FeedForward: symbol: expected a Symbol, got %s", type(o.symbol)) end
  for name, value in pairs(o) do self[name] = value end
  if o.epoch_size ~= nil then checks.whole("FeedForward: epoch_size", o.epoch_size, 1) end
  self.initializer = o.initializer or initializers.Uniform(0.01)
end

-- ---- Data ---------------------------------------------------------------------------------------------------------

-- An iterator of arrays, or the one that was given.
local function iterator(self, what, x, y, training)
  if not is_array(x) then return inputs.check_iter(what .. ": X", x) end
  if y == nil then
    if training then fail("%s: y: expected labels for the array X, got nothing", what) end
    y = nd.zeros { #x }
  end
  if not is_array(y) then fail("%s: y: expected an NDArray, got %s", what, type(y)) end
  if #x ~= #y then fail("%s: The numbers of data points and labels not equal: %d and %d", what, #x, #y) end
  if y.ndim == 2 and y.shape[2] == 1 then y = y:reshape { -1 } end
  if y.ndim ~= 1 then fail("%s: Label must be 1D or 2D (with 2nd dimension being 1), got %s", what,
    tostring(y.shape)) end
  local size = math.min(#x, self.numpy_batch_size)
  return io_.NDArrayIter(x, y, size, { shuffle = training, last_batch_handle = training and "roll_over" or "pad" })
end

-- Evaluation data: an iterator or a pair {x, y}.
local function evaluation(self, given)
  if given == nil or not is_plain(given) then return given and inputs.check_iter("fit: eval_data", given) end
  return iterator(self, "fit: eval_data", given[1], given[2], false)
end

-- A bound module with the parameters that there are.
local function module_for(self, iter, training)
  local data, label = inputs.provided(iter, "provide_data"), inputs.provided(iter, "provide_label")
  local known, labels, descs = self.symbol:list_arguments(), {}, {}
  for i, name in ipairs(inputs.names_of(label or {})) do
    if inputs.has(known, name) then labels[#labels + 1], descs[#descs + 1] = name, label[i] end
  end
  local mod = Module { symbol = self.symbol, data_names = inputs.names_of(data or {}), label_names = labels,
                       context = self.ctx }
  mod:bind { data_shapes = data, label_shapes = descs, for_training = training }
  mod:init_params { initializer = self.initializer, arg_params = self.arg_params, aux_params = self.aux_params,
                    allow_missing = training }
  return mod
end

-- ---- Training -----------------------------------------------------------------------------------------------------

local read_fit = arguments.new("FeedForward.fit",
  "X y eval_data eval_metric epoch_end_callback batch_end_callback kvstore logger work_load_list monitor " ..
    "eval_end_callback eval_batch_end_callback", { eval_metric = "acc", kvstore = "local" })

-- One epoch: a pass over the data, or epoch_size batches.
local function train_epoch(self, mod, iter, o, epoch, metric)
  local nbatch = 0
  while true do
    local batch = iter:next()
    if batch == nil then
      o.logger:info("Epoch[%d] Resetting Data Iterator", epoch)
      iter:reset()
      if not self.epoch_size then return end
      batch = iter:next() or fail "FeedForward.fit: X: expected an iterator with batches, got an empty one"
    end
    if o.monitor then o.monitor:tic() end
    mod:forward_backward(batch)
    mod:update()
    if o.monitor then o.monitor:toc_print() end
    mod:update_metric(metric, batch.label)
    nbatch = nbatch + 1
    inputs.call(o.batch_end_callback, model.BatchEndParam(epoch, nbatch, metric, { self = self, data_batch = batch }))
    if self.epoch_size and nbatch >= self.epoch_size then return end
  end
end

--- fit(X, y, {eval_data = nil, eval_metric = "acc", epoch_end_callback = nil, batch_end_callback = nil,
-- eval_end_callback = a LogValidationMetricsCallback, eval_batch_end_callback = nil, kvstore = "local", logger = nil,
-- monitor = nil}): X is an iterator, or an array with labels y; eval_data an iterator or {x, y}. Afterwards arg_params
-- and aux_params are the trained ones.
function FeedForward:fit(...)
  local o = read_fit(...)
  if self.num_epoch == nil then fail "FeedForward.fit: num_epoch: expected the number of epochs, got nothing" end
  o.logger = log._of("FeedForward.fit: logger", o.logger)
  local iter, eval_iter = iterator(self, "fit", o.X, o.y, true), evaluation(self, o.eval_data)
  local ended = o.eval_end_callback or require("hybridlua.callback").LogValidationMetricsCallback()
  local mod, metric = module_for(self, iter, true), metrics.create(o.eval_metric)
  if o.monitor then mod:install_monitor(o.monitor) end
  mod:init_optimizer { kvstore = o.kvstore, optimizer = self.optimizer, optimizer_params = self.optimizer_params or {} }
  iter:reset()
  for epoch = self.begin_epoch, self.num_epoch - 1 do
    local began = seconds_now()
    metric:reset()
    train_epoch(self, mod, iter, o, epoch, metric)
    o.logger:info("Epoch[%d] Time cost=%.3f", epoch, seconds_now() - began)
    self.arg_params, self.aux_params = mod:get_params()
    inputs.call(o.epoch_end_callback, epoch, self.symbol, self.arg_params, self.aux_params)
    if eval_iter then
      mod:score(eval_iter, metric, { batch_end_callback = o.eval_batch_end_callback, score_end_callback = ended,
                                     epoch = epoch })
    end
  end
end

-- ---- Prediction ---------------------------------------------------------------------------------------------------

-- The arrays of all batches as MXNet returns them: the only one, or a list.
local function joined(lists)
  local whole = inputs.merged(lists)
  return #whole == 1 and whole[1] or whole
end

local read_predict = arguments.new("FeedForward.predict", "X num_batch return_data reset", { reset = true })

--- predict(X, {num_batch = nil, return_data = false, reset = true}): the outputs for an iterator or an array, in one
-- array (a list if there are several outputs). With return_data the data and the labels, too.
function FeedForward:predict(...)
  local o = read_predict(...)
  local iter = iterator(self, "predict", o.X, nil, false)
  local mod, outputs, data, label = module_for(self, iter, false), {}, {}, {}
  for list, i, batch in mod:iter_predict(iter, { num_batch = o.num_batch, reset = o.reset }) do
    outputs[i + 1] = list
    if o.return_data then
      data[i + 1] = inputs.without_pad(batch.data, batch.pad)
      label[i + 1] = inputs.without_pad(batch.label or {}, batch.pad)
    end
  end
  if o.return_data then return joined(outputs), joined(data), joined(label) end
  return joined(outputs)
end

local read_score = arguments.new("FeedForward.score", "X eval_metric num_batch batch_end_callback reset",
  { eval_metric = "acc", reset = true })

--- score(X, {eval_metric = "acc", num_batch = nil, batch_end_callback = nil, reset = true}): the value of the metric
-- for an iterator.
function FeedForward:score(...)
  local o = read_score(...)
  local iter = iterator(self, "score", o.X, nil, false)
  local metric = metrics.create(o.eval_metric)
  module_for(self, iter, false):score(iter, metric, { num_batch = o.num_batch,
    batch_end_callback = o.batch_end_callback, reset = o.reset })
  return (select(2, metric:get()))
end

-- ---- Files --------------------------------------------------------------------------------------------------------

--- save(prefix, epoch = num_epoch): writes the symbol and the parameters, as model.save_checkpoint does.
function FeedForward:save(prefix, epoch)
  if epoch == nil then epoch = self.num_epoch end
  if epoch == nil then fail "FeedForward.save: epoch: expected a number, got nothing" end
  model.save_checkpoint(prefix, epoch, self.symbol, self.arg_params, self.aux_params)
end

local read_load = arguments.new("FeedForward.load", "prefix epoch " .. NAMES, DEFAULTS)

-- The options of FeedForward among others that were read.
local function own_options(o, symbol)
  local options = { symbol = symbol }
  for name in NAMES:gmatch "([%w_]+)" do if name ~= "optimizer_params" then options[name] = o[name] end end
  for name, value in pairs(o.optimizer_params or {}) do options[name] = value end
  return options
end

--- FeedForward.load(prefix, epoch, {ctx = nil, ...}): the model of a checkpoint, even one from MXNet or a Module;
-- further options as for FeedForward. fit continues with this epoch.
local function load(...)
  local o = read_load(...)
  check_optimizer(o)
  local symbol, arg_params, aux_params = model.load_checkpoint(o.prefix, o.epoch)
  local options = own_options(o, symbol)
  options.arg_params, options.aux_params, options.begin_epoch = arg_params, aux_params, o.epoch
  return FeedForward(options)
end
FeedForward.load = load

local read_create = arguments.new("FeedForward.create",
  "symbol X y ctx num_epoch epoch_size optimizer initializer eval_data eval_metric epoch_end_callback " ..
    "batch_end_callback kvstore logger work_load_list eval_end_callback eval_batch_end_callback numpy_batch_size " ..
    "arg_params{} aux_params{} allow_extra_params begin_epoch monitor optimizer_params{*}", DEFAULTS)

local FIT = "X y eval_data eval_metric epoch_end_callback batch_end_callback kvstore logger monitor " ..
  "eval_end_callback eval_batch_end_callback"

--- FeedForward.create(symbol, X, y, {...}): a model, trained by fit; the options are those of both.
local function create(...)
  local o, options = read_create(...), {}
  local made = FeedForward(own_options(o, o.symbol))
  for name in FIT:gmatch "%S+" do options[name] = o[name] end
  made:fit(options)
  return made
end
FeedForward.create = create

arguments.methods(FeedForward, "FeedForward.", { save = "prefix epoch remove_amp_cast" })

return FeedForward

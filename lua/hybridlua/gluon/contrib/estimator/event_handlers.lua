-- contrib/estimator/event_handlers.lua - event handlers of an Estimator.
--
-- A handler has some of the methods train_begin, epoch_begin, batch_begin, batch_end, epoch_end and train_end; each
-- gets the estimator and a table: batch, pred, label, loss at a batch's end. If batch_end or epoch_end returns true,
-- training stops. A handler of your own is EventHandler:subclass "Mine", or a subclass of TrainBegin and the others, as
-- in MXNet. Handlers with a lower `priority` act first; it is 0 unless set.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local metric = require "hybridlua.metric"
local warn = require "hybridlua.language.warn"
local is_plain, seconds = core.script.is_plain, core.host.seconds

local handlers = {}

local EventHandler = class.root("EventHandler", class.new, "handler")
handlers.EventHandler = EventHandler

for name, event in pairs { TrainBegin = "train_begin", TrainEnd = "train_end", EpochBegin = "epoch_begin",
                           EpochEnd = "epoch_end", BatchBegin = "batch_begin", BatchEnd = "batch_end" } do
  handlers[name] = EventHandler:subclass(name)
  handlers[name][event] = function() return false end
end

--- A list of metrics from one, a list, or a CompositeEvalMetric; `what` in errors.
function handlers._metrics(what, given)
  if given == nil then return {} end
  if class.is_a(given, metric.CompositeEvalMetric) then given = given.metrics end
  if class.is_a(given, metric.EvalMetric) then return { given } end
  if not is_plain(given) then fail("%s: expected a metric or a list of metrics, got %s", what, type(given)) end
  local list = {}
  for i, one in ipairs(given) do
    checks.instance(("%s[%d]"):format(what, i), one, metric.EvalMetric, "an hl.metric.EvalMetric")
    for _, single in ipairs(handlers._metrics(what, one)) do list[#list + 1] = single end
  end
  return list
end

-- ---- Stopping -----------------------------------------------------------------------------------------------------

local function whole_or_nil(what, x) return x ~= nil and checks.whole(what, x, 1) or nil end

--- StoppingHandler({max_epoch = nil, max_batch = nil}): stops after this many epochs or batches. fit adds one with its
-- own limits.
local Stopping = EventHandler:subclass "StoppingHandler"
handlers.StoppingHandler = Stopping
local read_stopping = arguments.new("StoppingHandler", "max_epoch max_batch")

function Stopping:init(...)
  local options = read_stopping(...)
  self.max_epoch = whole_or_nil("StoppingHandler: max_epoch", options.max_epoch)
  self.max_batch = whole_or_nil("StoppingHandler: max_batch", options.max_batch)
  self.current_batch, self.current_epoch, self.stop_training = 0, 0, false
end

function Stopping:train_begin(estimator)
  self.max_epoch, self.max_batch = estimator.max_epoch, estimator.max_batch
  self.current_batch, self.current_epoch, self.stop_training = 0, 0, false
end

function Stopping:batch_end()
  self.current_batch = self.current_batch + 1
  self.stop_training = self.stop_training or self.current_batch == self.max_batch
  return self.stop_training
end

function Stopping:epoch_end()
  self.current_epoch = self.current_epoch + 1
  self.stop_training = self.stop_training or self.current_epoch == self.max_epoch
  return self.stop_training
end

-- ---- Gradients, metrics, validation -------------------------------------------------------------------------------

--- GradientUpdateHandler(priority = -2000): calls trainer:step after each batch, with the number of its losses.
local Update = EventHandler:subclass "GradientUpdateHandler"
handlers.GradientUpdateHandler = Update
local read_update = arguments.new("GradientUpdateHandler", "priority", { priority = -2000 })

function Update:init(...) self.priority = checks.number("GradientUpdateHandler: priority",
  read_update(...).priority) end

function Update:batch_end(estimator, event)                                          -- luacheck: ignore 212
  local size = 0
  for _, loss in ipairs(event.loss) do size = size + #loss end
  estimator.trainer:step(size)
end

--- MetricHandler(metrics, {priority = -1000}): resets metrics at each epoch and updates them after each batch;
-- hl.metric.Loss gets the losses.
local Metric = EventHandler:subclass "MetricHandler"
handlers.MetricHandler = Metric
local read_metric = arguments.new("MetricHandler", "metrics[] priority", { priority = -1000 })

function Metric:init(...)
  local options = read_metric(...)
  self.metrics, self.priority = handlers._metrics("MetricHandler: metrics", options.metrics), options.priority
end

function Metric:epoch_begin()
  for _, one in ipairs(self.metrics) do one:reset() end
end

function Metric:batch_end(_, event)
  for _, one in ipairs(self.metrics) do
    if class.is_a(one, metric.Loss) then one:update(event.loss, event.loss) else one:update(event.label, event.pred) end
  end
end

--- ValidationHandler(val_data, eval_fn, {epoch_period = 1, batch_period = nil, priority = -1000, event_handlers =
-- nil}): calls eval_fn{val_data =, batch_axis =, event_handlers =} every epoch_period epochs and batch_period batches.
local Validation = EventHandler:subclass "ValidationHandler"
handlers.ValidationHandler = Validation
local read_validation = arguments.new("ValidationHandler",
  "val_data eval_fn epoch_period batch_period priority event_handlers", { epoch_period = 1, priority = -1000 })

function Validation:init(...)
  local options = read_validation(...)
  for key, value in pairs(options) do self[key] = value end
  checks.callable("ValidationHandler: eval_fn", options.eval_fn, "val_data, batch_axis and event_handlers")
  whole_or_nil("ValidationHandler: epoch_period", options.epoch_period)
  whole_or_nil("ValidationHandler: batch_period", options.batch_period)
  self:train_begin()
end

function Validation:train_begin() self.current_batch, self.current_epoch = 0, 0 end

local function validate(self, estimator)
  self.eval_fn { val_data = self.val_data, batch_axis = estimator.batch_axis, event_handlers = self.event_handlers }
end

function Validation:batch_end(estimator)
  self.current_batch = self.current_batch + 1
  if self.batch_period and self.current_batch % self.batch_period == 0 then validate(self, estimator) end
end

function Validation:epoch_end(estimator)
  self.current_epoch = self.current_epoch + 1
  if self.epoch_period and self.current_epoch % self.epoch_period == 0 then validate(self, estimator) end
end

-- ---- Logging ------------------------------------------------------------------------------------------------------

--- LoggingHandler({log_interval = "epoch", metrics = nil, priority = math.huge}): writes metrics and times by
-- estimator.logger at each epoch, and with a number every log_interval batches.
local Logging = EventHandler:subclass "LoggingHandler"
handlers.LoggingHandler = Logging
local read_logging = arguments.new("LoggingHandler", "log_interval metrics priority",
  { log_interval = "epoch", priority = math.huge })

function Logging:init(...)
  local options = read_logging(...)
  if options.log_interval ~= "epoch" then
    if type(options.log_interval) == "string" then
      fail("log_interval must be either an integer or string 'epoch', got '%s'", options.log_interval)
    end
    checks.whole("LoggingHandler: log_interval", options.log_interval, 1)
  end
  self.log_interval, self.priority = options.log_interval, options.priority
  self.metrics = handlers._metrics("LoggingHandler: metrics", options.metrics)
  self.current_epoch, self.batch_index, self.processed_samples, self.interval_time = 0, 0, 0, 0
end

-- "name: 0.1234, other: 0.5678" of all metrics.
local function values_of(metrics)
  local parts = {}
  for i, one in ipairs(metrics) do parts[i] = ("%s: %.4f"):format(one:get()) end
  return table.concat(parts, ", ")
end

function Logging:train_begin(estimator)
  self.train_start = seconds()
  self.current_epoch, self.batch_index, self.processed_samples, self.interval_time = 0, 0, 0, 0
  local trainer = estimator.trainer
  estimator.logger:info("Training begin: using optimizer %s with current learning rate %.4f ",
    class.of(trainer.optimizer).__name__, trainer.learning_rate)
  if estimator.max_epoch then estimator.logger:info("Train for %d epochs.", estimator.max_epoch)
  else estimator.logger:info("Train for %d batches.", estimator.max_batch) end
end

function Logging:train_end(estimator)
  estimator.logger:info("Train finished using total %ds with %d epochs. %s",
    math.floor(seconds() - self.train_start), self.current_epoch, values_of(self.metrics))
end

function Logging:batch_begin() self.batch_start = seconds() end

function Logging:batch_end(estimator, event)
  if self.log_interval ~= "epoch" then
    self.interval_time = self.interval_time + seconds() - self.batch_start
    self.processed_samples = self.processed_samples + #event.batch[1]
    if self.batch_index % self.log_interval == 0 then
      estimator.logger:info("[Epoch %d][Batch %d][Samples %d] time/interval: %.3fs %s", self.current_epoch,
        self.batch_index, self.processed_samples, self.interval_time, values_of(self.metrics))
      self.interval_time = 0
    end
  end
  self.batch_index = self.batch_index + 1
end

function Logging:epoch_begin(estimator)
  self.epoch_start = seconds()
  local training = false
  for _, one in ipairs(self.metrics) do training = training or one.name:find("training", 1, true) ~= nil end
  if training then
    estimator.logger:info("[Epoch %d] Begin, current learning rate: %.4f", self.current_epoch,
      estimator.trainer.learning_rate)
  else
    estimator.logger:info "Validation Begin"
  end
end

function Logging:epoch_end(estimator)
  estimator.logger:info("[Epoch %d] Finished in %.3fs, %s", self.current_epoch, seconds() - self.epoch_start,
    values_of(self.metrics))
  self.current_epoch, self.batch_index = self.current_epoch + 1, 0
end

-- ---- Early stopping -----------------------------------------------------------------------------------------------

--- For handlers that watch a metric: a function that says whether a value is better than another, and the worst value.
-- mode: "min", "max" or "auto": greater is better for accuracies and F1, less otherwise. (MXNet 1.9.1's "auto" always
-- takes greater.)
function handlers._better(who, mode, monitor)
  checks.choice(who .. ": mode", mode, "auto", "min", "max")
  if mode == "auto" then
    local name = monitor.name:lower()
    mode = (name:find("acc", 1, true) or name:find("f1", 1, true)) and "max" or "min"
  end
  if mode == "max" then return function(a, b) return a > b end, -math.huge end
  return function(a, b) return a < b end, math.huge
end

--- EarlyStoppingHandler(monitor, {min_delta = 0, patience = 0, mode = "auto", baseline = nil}): stops when a metric of
-- the estimator has not improved by more than min_delta for `patience` epochs.
local EarlyStopping = EventHandler:subclass "EarlyStoppingHandler"
handlers.EarlyStoppingHandler = EarlyStopping
local read_early = arguments.new("EarlyStoppingHandler", "monitor min_delta patience mode baseline",
  { min_delta = 0, patience = 0, mode = "auto" })

function EarlyStopping:init(...)
  local who, options = "EarlyStoppingHandler", read_early(...)
  local monitor = checks.instance(who .. ": monitor", options.monitor, metric.EvalMetric,
    "a metric of estimator.train_metrics or estimator.val_metrics")
  if class.is_a(monitor, metric.CompositeEvalMetric) then
    fail("%s: monitor: expected a single metric, got a CompositeEvalMetric", who)
  end
  self.monitor, self.baseline = monitor, options.baseline
  self.patience = checks.whole(who .. ": patience", options.patience, 0)
  self._better, self._worst = handlers._better(who, options.mode, monitor)
  local delta = checks.number(who .. ": min_delta", options.min_delta, 0)
  self.min_delta = self._worst < 0 and delta or -delta
  self:train_begin()
end

function EarlyStopping:train_begin()
  self.wait, self.stopped_epoch, self.current_epoch, self.stop_training = 0, 0, 0, false
  self.best = self.baseline or self._worst
end

function EarlyStopping:epoch_end()
  local name, value = self.monitor:get()
  if value ~= value then
    warn.here("%s is not updated, make sure you pass one of the metric objects from estimator.train_metrics and " ..
      "estimator.val_metrics as monitor.", name)
  elseif self._better(value - self.min_delta, self.best) then
    self.best, self.wait = value, 0
  else
    self.wait = self.wait + 1
    if self.wait >= self.patience then self.stopped_epoch, self.stop_training = self.current_epoch, true end
  end
  self.current_epoch = self.current_epoch + 1
  return self.stop_training
end

function EarlyStopping:train_end(estimator)
  if self.stopped_epoch > 0 then
    estimator.logger:info("[Epoch %d] EarlyStoppingHandler: early stopping due to %s not improving", self.stopped_epoch,
      self.monitor.name)
  end
end

return handlers

-- contrib/estimator/training.lua - Estimator: trains and evaluates a net over a DataLoader, with event handlers.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local handlers = require "hybridlua.gluon.contrib.estimator.event_handlers"
local log = require "hybridlua.log"
local losses = require "hybridlua.gluon.loss"
local metric = require "hybridlua.metric"
local warn = require "hybridlua.language.warn"
local BatchProcessor = require "hybridlua.gluon.contrib.estimator.batch_processor"
local Block = require "hybridlua.gluon.block"
local DataLoader = require "hybridlua.gluon.data.dataloader"
local Trainer = require "hybridlua.gluon.trainer"
local is_plain = core.script.is_plain

local Estimator = class.root("Estimator", class.new, "est")

-- ---- Making one -----------------------------------------------------------------------------------

local function check_loss(what, loss)
  return checks.instance("Estimator: " .. what, loss, losses.Loss, "a gluon.loss.Loss")
end

-- A metric like this one, with sums of its own.
local function copy_of(one)
  local copy = {}
  for key, value in next, one do copy[key] = value end
  setmetatable(copy, getmetatable(one))
  copy:reset()
  return copy
end

local function add_metrics(self, train, val)
  if #train == 0 then
    if class.is_a(self.loss, losses.SoftmaxCrossEntropyLoss) then train[1] = metric.Accuracy() end
    train[#train + 1] = metric.Loss { name = (self.loss.name or "loss"):gsub("%d+$", "") }
  end
  for _, one in ipairs(train) do one.name = "training " .. one.name end
  if #val == 0 then
    for i, one in ipairs(train) do val[i] = copy_of(one) end
  end
  for _, one in ipairs(val) do
    local rest, found = one.name:gsub("training", "validation", 1)
    one.name = found > 0 and rest or "validation " .. one.name
  end
  self.train_metrics, self.val_metrics = train, val
end

local function is_initialized(net)
  for _, param in pairs(net:collect_params()) do
    if not pcall(param.list_ctx, param) then return false end
  end
  return true
end

local function initialize(self, initializer)
  if not is_initialized(self.net) then
    self.net:initialize { init = initializer, ctx = self.context }
  elseif initializer ~= nil then
    warn.here("Network already fully initialized, skipping initialization. Write net:initialize{init = initializer, " ..
      "force_reinit = true} to initialize it again")
  end
end

local read = arguments.new("Estimator",
  "net loss train_metrics val_metrics initializer trainer context val_net val_loss " ..
  "batch_processor")

--- Estimator(net, loss, {train_metrics =, val_metrics =, initializer =, trainer =, context =, val_net =, val_loss =,
-- batch_processor =}): a training loop. The metrics are by default the loss and, for SoftmaxCrossEntropyLoss, the
-- accuracy; their names begin with "training" and "validation". The net is initialized if it is not. trainer: by
-- default SGD with learning rate 0.001, with a warning. context: one or a list. Fields: net, loss, trainer,
-- train_metrics, val_metrics, context, logger (hl.log's, which writes to standard output).
function Estimator:init(...)
  local options = read(...)
  self.net = checks.instance("Estimator: net", options.net, Block, "a gluon.Block")
  self.loss = check_loss("loss", options.loss)
  self.val_loss = options.val_loss ~= nil and check_loss("val_loss", options.val_loss) or self.loss
  self.val_net = options.val_net ~= nil and checks.instance("Estimator: val_net", options.val_net, Block,
    "a gluon.Block")
    or self.net
  add_metrics(self, handlers._metrics("Estimator: train_metrics", options.train_metrics),
    handlers._metrics("Estimator: val_metrics", options.val_metrics))
  self.context = core.context.check_list("Estimator: context", options.context or core.context.current())
  self.logger = log.Logger "Estimator"
  self.logger.file = io.stdout
  initialize(self, options.initializer)
  if options.trainer == nil then
    warn.here "No trainer specified, default SGD optimizer with learning rate 0.001 is used."
    self.trainer = Trainer(self.net:collect_params(), "sgd", { learning_rate = 0.001 })
  else
    self.trainer = checks.instance("Estimator: trainer", options.trainer, Trainer, "a gluon.Trainer")
  end
  self.batch_processor = options.batch_processor or BatchProcessor()
  for _, name in ipairs { "fit_batch", "evaluate_batch" } do
    if type(self.batch_processor) ~= "table" or type(self.batch_processor[name]) ~= "function" then
      fail("Estimator: batch_processor: expected a BatchProcessor, with the methods fit_batch and evaluate_batch")
    end
  end
end

-- ---- Handlers -------------------------------------------------------------------------------------

local function handler_list(who, given)
  if given == nil then return {} end
  if class.is_a(given, handlers.EventHandler) then return { given } end
  if not is_plain(given) then fail("%s: event_handlers: expected a list of handlers, got %s", who, type(given)) end
  local list = {}
  for i, one in ipairs(given) do
    list[i] = checks.instance(("%s: event_handlers[%d]"):format(who, i), one, handlers.EventHandler,
      "an EventHandler")
  end
  return list
end

local function has(list, cls)
  for _, one in ipairs(list) do if class.is_a(one, cls) then return true end end
  return false
end

-- Checks that the handlers watch metrics of this estimator only.
local function check_known(self, list)
  local known = {}
  for _, metrics in ipairs { self.train_metrics, self.val_metrics } do
    for _, one in ipairs(metrics) do known[one] = true end
  end
  for _, one in ipairs(list) do
    for _, watched in ipairs(table.move(one.metrics or {}, 1, #(one.metrics or {}), 2, { one.monitor or false })) do
      if watched and not known[watched] then
        fail("Event handler %s refers to a metric instance %s outside of the known training and validation metrics. " ..
          "Please use the metrics from estimator.train_metrics and estimator.val_metrics instead.",
          class.of(one).__name__, tostring(watched))
      end
    end
  end
end

-- The handlers by priority; those of one priority stay in order.
local function sorted(list)
  local place = {}
  for i, one in ipairs(list) do place[one] = i end
  table.sort(list, function(a, b)
    local first, second = a.priority or 0, b.priority or 0
    if first ~= second then return first < second end
    if (a.before_limits or false) ~= (b.before_limits or false) then return a.before_limits or false end
    return place[a] < place[b]
  end)
  return list
end

local function fit_handlers(self, val_data, given)
  local list = handler_list("Estimator.fit", given)
  local function add(cls, ...) if not has(list, cls) then list[#list + 1] = cls(...) end end
  list[#list + 1] = handlers.StoppingHandler()
  add(handlers.GradientUpdateHandler)
  add(handlers.MetricHandler, self.train_metrics)
  if val_data ~= nil then
    add(handlers.ValidationHandler, val_data, function(options) return self:evaluate(options) end)
  end
  add(handlers.LoggingHandler, { metrics = self.train_metrics })
  check_known(self, list)
  return sorted(list)
end

-- Calls a method of all handlers that have it; returns whether one returned true.
local function tell(list, event, ...)
  local stop = false
  for _, one in ipairs(list) do
    if one[event] then stop = one[event](one, ...) == true or stop end
  end
  return stop
end

-- ---- Loops ----------------------------------------------------------------------------------------

local function check_loader(what, data)
  return checks.instance(what, data, DataLoader, "a gluon.data.DataLoader")
end

--- evaluate(val_data, batch_axis = 0, event_handlers = nil): runs val_net over a DataLoader and updates val_metrics.
function Estimator:evaluate(val_data, batch_axis, event_handlers)
  check_loader("Estimator.evaluate: val_data", val_data)
  for _, one in ipairs(self.val_metrics) do one:reset() end
  local list = handler_list("Estimator.evaluate", event_handlers)
  if not has(list, handlers.MetricHandler) then list[#list + 1] = handlers.MetricHandler(self.val_metrics) end
  if not has(list, handlers.LoggingHandler) then
    list[#list + 1] = handlers.LoggingHandler { metrics = self.val_metrics }
  end
  check_known(self, list)
  sorted(list)
  tell(list, "epoch_begin", self, {})
  for _, batch in pairs(val_data) do
    tell(list, "batch_begin", self, { batch = batch })
    local _, label, pred, loss = self.batch_processor:evaluate_batch(self, batch, batch_axis or 0)
    tell(list, "batch_end", self, { batch = batch, pred = pred, label = label, loss = loss })
  end
  tell(list, "epoch_end", self, {})
end

local function one_epoch(self, list, train_data)
  for _, batch in pairs(train_data) do
    tell(list, "batch_begin", self, { batch = batch })
    local _, label, pred, loss = self.batch_processor:fit_batch(self, batch, self.batch_axis)
    if tell(list, "batch_end", self, { batch = batch, pred = pred, label = label, loss = loss }) then return end
  end
end

--- fit(train_data, {val_data = nil, epochs = nil, event_handlers = nil, batches = nil, batch_axis = 0}): trains over a
-- DataLoader for a number of epochs or of batches. Added to the handlers, unless there: StoppingHandler,
-- GradientUpdateHandler, MetricHandler, LoggingHandler and, with val_data, ValidationHandler. Errors: both or neither
-- of epochs and batches.
function Estimator:fit(train_data, val_data, epochs, event_handlers, batches, batch_axis)
  check_loader("Estimator.fit: train_data", train_data)
  if val_data ~= nil then check_loader("Estimator.fit: val_data", val_data) end
  if (epochs == nil) == (batches == nil) then
    fail "Fit only support exactly one type of iteration, train by number of epochs or number of batches. Please \z
      specify one and only one of: epochs or batches."
  end
  self.max_epoch = epochs and checks.whole("Estimator.fit: epochs", epochs, 1)
  self.max_batch = batches and checks.whole("Estimator.fit: batches", batches, 1)
  self.batch_axis = batch_axis or 0
  local list = fit_handlers(self, val_data, event_handlers)
  tell(list, "train_begin", self, {})
  repeat
    tell(list, "epoch_begin", self, {})
    one_epoch(self, list, train_data)
  until tell(list, "epoch_end", self, {})
  tell(list, "train_end", self, {})
end

arguments.methods(Estimator, "Estimator.", {
  evaluate = "val_data batch_axis event_handlers", fit = "train_data val_data epochs event_handlers batches batch_axis",
})

return Estimator

-- contrib/estimator/training_log_handler.lua - TrainingLogHandler: an Estimator's metrics as rows of a file, or as live
-- curves.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local handlers = require "hybridlua.gluon.contrib.estimator.event_handlers"
local TrainingLog = require "hybridlua.training_log"

local TrainingLogHandler = handlers.EventHandler:subclass "TrainingLogHandler"

local read = arguments.new("TrainingLogHandler", "log log_interval metrics priority",
  { log_interval = "epoch", priority = math.huge })

--- TrainingLogHandler(log, {log_interval = "epoch", metrics = nil, priority = math.huge}): at each epoch, or every
-- log_interval batches, adds a row with the epoch and the batches so far, both from 1, the learning rate, and the
-- values of the metrics (by default all). log: a file's path (.csv, .jsonl), an hl.log.TrainingLog, or the
-- curves of hl.plot.live, which get the metrics only.
function TrainingLogHandler:init(...)
  local o, what = read(...), "TrainingLogHandler"
  if type(o.log) == "string" then self.path = o.log
  elseif type(o.log) == "table" and o.log.add then self.log = o.log
  else fail("%s: log: expected a path, an hl.log.TrainingLog or an hl.plot.live, got %s", what, type(o.log)) end
  if o.log_interval ~= "epoch" then checks.whole(what .. ": log_interval", o.log_interval, 1) end
  self.log_interval, self.priority = o.log_interval, o.priority
  self.metrics = o.metrics and handlers._metrics(what .. ": metrics", o.metrics)
end

function TrainingLogHandler:train_begin()
  self.epoch, self.batches = 0, 0
  if self.path then self.log = TrainingLog(self.path) end
end

local function add_row(self, estimator)
  local row = {}
  for _, list in ipairs(self.metrics and { self.metrics } or { estimator.train_metrics, estimator.val_metrics }) do
    for _, metric in ipairs(list) do
      local name, value = metric:get()
      if type(value) == "number" then row[name] = value end
    end
  end
  if class.is_a(self.log, TrainingLog) then
    row.epoch, row.batch, row["learning rate"] = self.epoch + 1, self.batches, estimator.trainer.learning_rate
  end
  self.log:add(row)
end

function TrainingLogHandler:batch_end(estimator)
  self.batches = self.batches + 1
  if self.log_interval ~= "epoch" and self.batches % self.log_interval == 0 then add_row(self, estimator) end
end

function TrainingLogHandler:epoch_end(estimator)
  if self.log_interval == "epoch" then add_row(self, estimator) end
  self.epoch = self.epoch + 1
end

function TrainingLogHandler:train_end()
  if self.path then self.log:close() end
end

return TrainingLogHandler

-- gluon/contrib/estimator - gluon.contrib.estimator: Estimator, a training loop, and event handlers that act at its
-- beginning, its end, and at each epoch and batch.
local module = require "hybridlua.language.module"

local HANDLERS = "EventHandler TrainBegin TrainEnd EpochBegin EpochEnd BatchBegin BatchEnd StoppingHandler " ..
  "MetricHandler ValidationHandler LoggingHandler GradientUpdateHandler EarlyStoppingHandler"
local BASE = "hybridlua.gluon.contrib.estimator."

local parts = { Estimator = BASE .. "training", BatchProcessor = BASE .. "batch_processor",
  CheckpointHandler = BASE .. "checkpoint_handler", TrainingLogHandler = BASE .. "training_log_handler" }
for name in HANDLERS:gmatch "%S+" do
  parts[name] = function() return require(BASE .. "event_handlers")[name] end
end

return module({}, "hybridlua.gluon.contrib.estimator", parts)

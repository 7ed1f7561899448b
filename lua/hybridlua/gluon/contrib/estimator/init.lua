-- gluon/contrib/estimator - gluon.contrib.estimator: Estimator, a training loop, and event handlers that act at its
-- beginning, its end, and at each epoch and batch.
local module = require "hybridlua.language.module"

local HANDLERS = "EventHandler TrainBegin TrainEnd EpochBegin EpochEnd BatchBegin BatchEnd StoppingHandler " ..
  "MetricHandler ValidationHandler LoggingHandler GradientUpdateHandler EarlyStoppingHandler"
local BASE = "hybridlua.gluon.contrib.estimator."

local handlers = { CheckpointHandler = BASE .. "checkpoint_handler" }
for name in HANDLERS:gmatch "%S+" do
  handlers[name] = function() return require(BASE .. "event_handlers")[name] end
end

local parts = { Estimator = BASE .. "training", BatchProcessor = BASE .. "batch_processor",
  event_handler = function() return module({}, "hybridlua.gluon.contrib.estimator.event_handler", handlers) end,
  estimator = function()
    return module({ Estimator = require(BASE .. "training") }, "hybridlua.gluon.contrib.estimator.estimator")
  end }
for name, file in pairs(handlers) do parts[name] = file end

return module({}, "hybridlua.gluon.contrib.estimator", parts)

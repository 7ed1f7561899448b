-- contrib/estimator/checkpoint_handler.lua - CheckpointHandler: saves parameters and the trainer's states during
-- training, and resumes from them. Files are model-epoch0batch30.params and .states, counted from epoch 0.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local folders = require "hybridlua.gluon.utils.folders"
local handlers = require "hybridlua.gluon.contrib.estimator.event_handlers"
local metric = require "hybridlua.metric"
local warn = require "hybridlua.language.warn"

local CheckpointHandler = handlers.EventHandler:subclass "CheckpointHandler"

local read = arguments.new("CheckpointHandler", "model_dir model_prefix monitor verbose save_best mode epoch_period " ..
  "batch_period max_checkpoints resume_from_checkpoint", { model_prefix = "model", verbose = 0, save_best = false,
    mode = "auto", epoch_period = 1, max_checkpoints = 5, resume_from_checkpoint = false })

--- CheckpointHandler(model_dir, {model_prefix = "model", monitor = nil, verbose = 0, save_best = false, mode = "auto",
-- epoch_period = 1, batch_period = nil, max_checkpoints = 5, resume_from_checkpoint = false}): saves the net's
-- parameters and the trainer's states in a folder, every few epochs or batches, and the latest max_checkpoints of
-- them. save_best: also model-best, when the metric `monitor` improves (mode: see EarlyStoppingHandler).
-- resume_from_checkpoint: training continues from the latest. epoch_period = nd.NULL: none at epochs.
function CheckpointHandler:init(...)
  local who, options = "CheckpointHandler", read(...)
  for key, value in pairs(options) do self[key] = value end
  checks.string(who .. ": model_dir", options.model_dir)
  checks.string(who .. ": model_prefix", options.model_prefix)
  checks.whole(who .. ": max_checkpoints", options.max_checkpoints, 1)
  for _, key in ipairs { "epoch_period", "batch_period" } do
    if options[key] ~= nil then checks.whole(("%s: %s"):format(who, key), options[key], 1) end
  end
  if options.save_best then
    checks.instance(who .. ": monitor", options.monitor, metric.EvalMetric,
      "a metric of estimator.train_metrics or estimator.val_metrics, for save_best")
    self._better, self._worst = handlers._better(who, options.mode, options.monitor)
  end
  self.model_dir = folders.expanded(options.model_dir):gsub("(.)/+$", "%1")
  folders.make(who, self.model_dir)
  self.saved_checkpoints, self.trained_epoch, self.trained_batch = {}, -1, -1
end

local function path(self, name) return self.model_dir .. "/" .. name end

local function remove(self, name)
  for _, ending in ipairs { ".params", ".states" } do os.remove(path(self, name .. ending)) end
end

local function save(self, estimator, name)
  estimator.net:save_parameters(path(self, name .. ".params"))
  estimator.trainer:save_states(path(self, name .. ".states"))
end

-- Saves the best parameters, if this is the best value so far.
local function save_best(self, estimator)
  local name, value = self.monitor:get()
  if value ~= value then
    warn.here("Skipping save best because %s is not updated, make sure you pass one of the metric objects of " ..
      "estimator.train_metrics and estimator.val_metrics as monitor", name)
  elseif self._better(value, self.best) then
    save(self, estimator, self.model_prefix .. "-best")
    if self.verbose > 0 then
      estimator.logger:info("[Epoch %d] CheckpointHandler: %s improved from %.5f to %.5f, updating best model at %s",
        self.current_epoch, name, self.best, value, self.model_dir)
    end
    self.best = value
  elseif self.verbose > 0 then
    estimator.logger:info("[Epoch %d] CheckpointHandler: %s did not improve from %.5f, skipping updating best model",
      self.current_epoch, name, self.best)
  end
end

local function save_checkpoint(self, estimator)
  local name = ("%s-epoch%dbatch%d"):format(self.model_prefix, self.current_epoch, self.current_batch)
  save(self, estimator, name)
  if self.verbose > 0 then
    estimator.logger:info("[Epoch %d] CheckpointHandler: trained total %d batches, saving model at %s with prefix: %s",
      self.current_epoch, self.current_batch, self.model_dir, name)
  end
  local saved = self.saved_checkpoints
  if saved[#saved] ~= name then saved[#saved + 1] = name end
  while #saved > self.max_checkpoints do remove(self, table.remove(saved, 1)) end
  if self.save_best then save_best(self, estimator) end
end

-- The checkpoints in the folder, the latest last: { epoch, batch, name }.
local function checkpoints(self)
  local list = {}
  local prefix = self.model_prefix .. "-epoch"
  for _, file in ipairs(folders.names(self.model_dir) or {}) do
    local epoch, batch = file:sub(#prefix + 1):match "^(%d+)batch(%d+)%.params$"
    if epoch and file:sub(1, #prefix) == prefix then
      list[#list + 1] = { math.tointeger(epoch), math.tointeger(batch), (file:gsub("%.params$", "")) }
    end
  end
  table.sort(list, function(a, b) return a[1] < b[1] or a[1] == b[1] and a[2] < b[2] end)
  return list
end

-- Subtracts the epochs and batches of the checkpoint from those to train.
local function left(what, most, done)
  if done >= most then
    fail("CheckpointHandler: found a checkpoint after %d %s, and training is for %d; set resume_from_checkpoint = " ..
      "false to train from scratch", done, what, most)
  end
  return most - done
end

local function resume(self, estimator)
  local list = checkpoints(self)
  local latest = list[#list]
  if not latest then
    estimator.logger:info "CheckpointHandler: No checkpoint found, training from scratch"
    return
  end
  for i, one in ipairs(list) do self.saved_checkpoints[i] = one[3] end
  local states = path(self, latest[3] .. ".states")
  if not core.file.exists(states) then fail("CheckpointHandler: '%s' is missing", states) end
  estimator.net:load_parameters(path(self, latest[3] .. ".params"), { ctx = estimator.context })
  estimator.trainer:load_states(states)
  -- files are numbered before the epoch's end is counted
  self.current_epoch, self.current_batch = latest[1] + (self.epoch_period and 1 or 0), latest[2]
  if estimator.max_epoch then estimator.max_epoch = left("epochs", estimator.max_epoch, self.current_epoch) end
  if estimator.max_batch then estimator.max_batch = left("batches", estimator.max_batch, self.current_batch) end
  estimator.logger:warning("CheckpointHandler: Checkpoint resumed from epoch %d batch %d, continue to train for %d %s",
    latest[1], latest[2], estimator.max_epoch or estimator.max_batch, estimator.max_epoch and "epochs" or "batches")
end

-- Acts before StoppingHandler reads the limits.
CheckpointHandler.before_limits = true

function CheckpointHandler:train_begin(estimator)
  self.current_epoch, self.current_batch, self.best = 0, 0, self._worst
  if self.resume_from_checkpoint then resume(self, estimator) end
end

function CheckpointHandler:batch_end(estimator)
  self.current_batch = self.current_batch + 1
  if self.batch_period and self.current_batch % self.batch_period == 0 then save_checkpoint(self, estimator) end
end

function CheckpointHandler:epoch_end(estimator)
  if self.epoch_period and (self.current_epoch + 1) % self.epoch_period == 0 then save_checkpoint(self, estimator) end
  self.current_epoch = self.current_epoch + 1
end

return CheckpointHandler

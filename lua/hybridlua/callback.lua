-- callback.lua - functions that Module.fit calls after batches and epochs: MXNet's mx.callback. Those after a batch get
-- a table {epoch, nbatch, eval_metric, locals}, those after an epoch (epoch, symbol, arg_params, aux_params). Lines go
-- to the root logger (log.lua).
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local log = require "hybridlua.log"
local seconds_now = core.host.seconds

local callback = {}

local function info(...) log.getLogger():info(...) end

-- ---- After an epoch -----------------------------------------------------------------------------------------------

--- A callback that calls save(number of epochs done, ...) after every `period` epochs (nil or less than 1: each).
function callback._every(what, period, save)
  period = math.max(1, checks.whole(what .. ": period", period or 1))
  return function(epoch, ...)
    if (epoch + 1) % period == 0 then save(epoch + 1, ...) end
  end
end

--- do_checkpoint(prefix, {period = 1}): every `period` epochs saves prefix-symbol.json and prefix-NNNN.params, where
-- NNNN is the number of epochs done.
function callback.do_checkpoint(prefix, period)
  checks.string("callback.do_checkpoint: prefix", prefix)
  return callback._every("callback.do_checkpoint", period, function(done, symbol, arg_params, aux_params)
    require("hybridlua.model").save_checkpoint(prefix, done, symbol, arg_params, aux_params)
  end)
end

--- module_checkpoint(mod, prefix, {period = 1, save_optimizer_states = false}): the same by mod:save_checkpoint, with
-- the optimizer's states if wanted.
function callback.module_checkpoint(mod, prefix, period, save_optimizer_states)
  checks.string("callback.module_checkpoint: prefix", prefix)
  return callback._every("callback.module_checkpoint", period, function(done)
    mod:save_checkpoint(prefix, done, save_optimizer_states)
  end)
end

-- ---- After a batch ------------------------------------------------------------------------------------------------

--- log_train_metric(period, {auto_reset = false}): every `period` batches logs the metric; auto_reset: and resets it.
function callback.log_train_metric(period, auto_reset)
  checks.whole("callback.log_train_metric: period", period, 1)
  return function(param)
    if param.nbatch % period ~= 0 or param.eval_metric == nil then return end
    for _, entry in ipairs(param.eval_metric:get_name_value()) do
      info("Iter[%d] Batch[%d] Train-%s=%f", param.epoch, param.nbatch, entry[1], entry[2])
    end
    if auto_reset then param.eval_metric:reset_local() end
  end
end

local Speedometer = class.root("Speedometer", class.new)
callback.Speedometer = Speedometer

local read_speedometer = arguments.new("Speedometer", "batch_size frequent auto_reset",
  { frequent = 50, auto_reset = true })

--- Speedometer(batch_size, {frequent = 50, auto_reset = true}): every `frequent` batches logs the samples per second
-- and the metric: since the last line, or with auto_reset = false since the epoch's beginning.
function Speedometer:init(...)
  local options = read_speedometer(...)
  self.batch_size = checks.number("Speedometer: batch_size", options.batch_size)
  self.frequent = checks.whole("Speedometer: frequent", options.frequent, 1)
  self.auto_reset = checks.boolean("Speedometer: auto_reset", options.auto_reset)
  self.tic, self.last_count = nil, 0
end

local function metric_text(metric)
  local parts = {}
  for i, entry in ipairs(metric:get_name_value()) do parts[i] = ("\t%s=%f"):format(entry[1], entry[2]) end
  return table.concat(parts)
end

function Speedometer:__call(param)
  local count, now = param.nbatch, seconds_now()
  if self.last_count > count then self.tic = nil end
  self.last_count = count
  if not self.tic then self.tic = now end
  if self.tic == now or count % self.frequent ~= 0 then return end
  local speed, metric = self.frequent * self.batch_size / (now - self.tic), param.eval_metric
  if not metric then
    info("Iter[%d] Batch [%d]\tSpeed: %.2f samples/sec", param.epoch, count, speed)
  else
    local text = metric_text(metric)
    if self.auto_reset then metric:reset_local() end
    info("Epoch[%d] Batch [%d-%d]\tSpeed: %.2f samples/sec%s", param.epoch,
      self.auto_reset and count - self.frequent or 0, count, speed, text)
  end
  self.tic = seconds_now()
end

local ProgressBar = class.root("ProgressBar", class.new)
callback.ProgressBar = ProgressBar

local read_bar = arguments.new("ProgressBar", "total length", { length = 80 })

--- ProgressBar(total, {length = 80}): logs after each batch a bar of how many of `total` batches are done.
function ProgressBar:init(...)
  local options = read_bar(...)
  self.total = checks.number("ProgressBar: total", options.total)
  self.bar_len = checks.whole("ProgressBar: length", options.length, 1)
end

function ProgressBar:__call(param)
  local part = param.nbatch / self.total
  local filled = math.max(0, math.min(self.bar_len, math.floor(self.bar_len * part + 0.5)))
  info("[%s%s] %d%%\r", ("="):rep(filled), ("-"):rep(self.bar_len - filled), math.ceil(100 * part))
end

-- ---- After an evaluation ------------------------------------------------------------------------------------------

--- LogValidationMetricsCallback(): logs the metric of an evaluation.
local LogValidationMetrics = class.root("LogValidationMetricsCallback", class.new)
callback.LogValidationMetricsCallback = LogValidationMetrics

function LogValidationMetrics:__call(param)
  for _, entry in ipairs(param.eval_metric and param.eval_metric:get_name_value() or {}) do
    info("Epoch[%d] Validation-%s=%f", param.epoch, entry[1], entry[2])
  end
end

arguments.functions(callback, "callback.", {
  do_checkpoint = "prefix period", module_checkpoint = "mod prefix period save_optimizer_states",
  log_train_metric = "period auto_reset",
})

return require "hybridlua.language.module"(callback, "hybridlua.callback")

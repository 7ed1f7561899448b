-- executor_monitor.lua - Monitor: statistics of the values in Executors, every few batches (mx.monitor, mx.mon). For
-- blocks there is net:monitor.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local regex = require "hybridlua.language.python_regex"
local is_array, is_plain = core.array.is, core.script.is_plain

local monitor = {}

local read = arguments.new("Monitor", "interval stat_func pattern sort monitor_all",
  { pattern = ".*", sort = false, monitor_all = false })

--- Monitor(interval, stat_func, pattern = ".*", sort = false, monitor_all = false): every `interval` batches, between
-- tic and toc, stat_func(array) of each value whose name matches the regular expression: operators' outputs (their
-- inputs too if monitor_all), arguments and auxiliary states. stat_func returns an array or a list of arrays; its
-- default is the norm divided by the square root of the size.
local Monitor = class.root("Monitor", class.new)
monitor.Monitor = Monitor

local function root_mean_square(x) return x:norm() / math.sqrt(x.size) end

function Monitor:init(...)
  local o = read(...)
  self.interval = checks.whole("Monitor: interval", o.interval, 1)
  self.stat_func = o.stat_func or root_mean_square
  checks.callable("Monitor: stat_func", self.stat_func, "an array")
  self.sort = checks.boolean("Monitor: sort", o.sort)
  self.monitor_all = checks.boolean("Monitor: monitor_all", o.monitor_all)
  self._matches = regex.compile(o.pattern)
  self.activated, self.queue, self.step, self.exes = false, {}, 0, {}
end

function Monitor:_note(name, array)
  if self._matches(name) then self.queue[#self.queue + 1] = { self.step, name, self.stat_func(array) } end
end

--- install(exe): observes an Executor, in addition to those installed before.
function Monitor:install(exe)
  if type(exe) ~= "table" or not exe.set_monitor_callback then
    fail("Monitor.install: exe: expected an Executor, got %s", type(exe))
  end
  exe:set_monitor_callback(function(name, array)
    if self.activated then self:_note(name, array) end
  end, self.monitor_all)
  self.exes[#self.exes + 1] = exe
end

--- Begins a batch: call it before forward.
function Monitor:tic()
  if self.step % self.interval == 0 then self.queue, self.activated = {}, true end
  self.step = self.step + 1
end

local function text_of(name, stats)
  if is_array(stats) then stats = { stats } end
  if not is_plain(stats) then
    fail("Monitor: stat_func: expected an NDArray or a list of NDArrays for '%s', got %s", name, type(stats))
  end
  local text = {}
  for i, x in ipairs(stats) do
    if not is_array(x) then fail("Monitor: stat_func: expected NDArrays for '%s', got %s", name, type(x)) end
    text[i] = (x.size == 1 and tostring(x:asscalar()) or tostring(x):match "^\n?(.*)\n<NDArray") .. "\t"
  end
  return table.concat(text)
end

--- Ends a batch: the list of { step, name, text } of this batch, empty if it is not an observed one.
function Monitor:toc()
  if not self.activated then return {} end
  for _, exe in ipairs(self.exes) do
    for _, name in ipairs(exe.arg_names) do self:_note(name, exe.arg_dict[name]) end
    for _, name in ipairs(exe.aux_names) do self:_note(name, exe.aux_dict[name]) end
  end
  self.activated = false
  local results = {}
  for i, entry in ipairs(self.queue) do
    results[i] = { entry[1], entry[2], text_of(entry[2], entry[3]), at = i }
  end
  if self.sort then
    table.sort(results, function(a, b) return a[2] < b[2] or a[2] == b[2] and a.at < b.at end)
  end
  for _, result in ipairs(results) do result.at = nil end
  self.queue = {}
  return results
end

--- Ends a batch and logs its statistics, a line for each.
function Monitor:toc_print()
  local logger = require("hybridlua.log").getLogger()
  for _, result in ipairs(self:toc()) do
    logger:info("Batch: %7d %-30s %s", result[1], result[2], result[3])
  end
end

arguments.methods(Monitor, "Monitor.", { install = "exe", tic = "", toc = "", toc_print = "" })

return require "hybridlua.language.module"(monitor, "hybridlua.monitor")

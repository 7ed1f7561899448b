-- metric.lua - measures of the quality of predictions, accumulated over batches.
--
-- metric:update(labels, preds) adds a batch: an array or a list of arrays each; numbers and tables of numbers work,
-- too. metric:get() returns the name and the value so far (nan before the first batch), metric:reset() starts again.
-- The sums are Lua numbers; the engine computes on the arrays.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local inputs = require "hybridlua.metric.inputs"
local nearest = require "hybridlua.language.nearest_name"
local python = require "hybridlua.language.python_text"
local is_array, is_plain, enter_mode = core.array.is, core.script.is_plain, core.autograd.enter_mode

local metric = {}

-- ---- The base -----------------------------------------------------------------------------------

--- EvalMetric(name): the base class. To write your own metric, define EvalMetric:subclass "Mine" with
-- update_pair(label, pred), which calls self:add(sum, count).
local EvalMetric = class.root("EvalMetric", class.new, "metric")
metric.EvalMetric = EvalMetric

local read_base = arguments.new("EvalMetric", "name output_names label_names")

function EvalMetric:init(...)
  local options = read_base(...)
  self.output_names, self.label_names = options.output_names, options.label_names
  self.name = options.name or class.of(self).__name__:lower()
  self:reset()
end

--- Resets everything.
function EvalMetric:reset()
  EvalMetric.reset_local(self)                  -- a subclass's own reset_local may call reset
  self.global_num_inst, self.global_sum_metric, self._global_state = 0, 0.0, self._new_state()
end

--- Resets the sums of get(), not those of get_global().
function EvalMetric:reset_local() self.num_inst, self.sum_metric, self._state = 0, 0.0, self._new_state() end

-- What a metric accumulates in _state and _global_state, other than a sum and a count.
function EvalMetric._new_state() return nil end

--- Adds `count` samples whose values have the sum `sum`.
function EvalMetric:add(sum, count)
  self.sum_metric, self.num_inst = self.sum_metric + sum, self.num_inst + count
  self.global_sum_metric, self.global_num_inst = self.global_sum_metric + sum, self.global_num_inst + count
end

local function listed(x) return type(x) == "table" and x or { x } end

local function check_equal(labels, preds)
  if labels ~= preds then fail("Shape of labels %d does not match shape of predictions %d", labels, preds) end
end

--- Returns the labels and predictions of a batch, after checking that the lists have the same length or, with `shape`,
-- that the arrays have the same shape. With `wrap`, a single array becomes a list of one.
function metric.check_label_shapes(labels, preds, wrap, shape)
  for what, x in pairs { labels = labels or false, preds = preds or false } do
    if not is_array(x) and (shape or not is_plain(x)) then
      fail("check_label_shapes: %s: expected an NDArray%s, got %s", what, shape and "" or " or a list",
        x and type(x) or "nothing")
    end
  end
  if shape and labels.shape ~= preds.shape then
    fail("Shape of labels %s does not match shape of predictions %s", labels.shape, preds.shape)
  elseif not shape then check_equal(#labels, #preds) end
  if wrap then return listed(labels), listed(preds) end
  return labels, preds
end

local function update_pairs(self, labels, preds)
  check_equal(#labels, #preds)
  if self._batch_begins then self:_batch_begins() end
  local _ <close> = enter_mode(false)
  for i, pred in ipairs(preds) do
    local label = labels[i]
    if is_array(label) and is_array(pred) then label = label:as_in_context(pred.context) end
    self:update_pair(label, pred)
  end
  if self._batch_ends then self:_batch_ends() end
end

--- Adds a batch: labels and predictions, as arrays or lists of the same length. Numbers and tables of numbers count as
-- arrays. Errors name the metric.
function EvalMetric:update(labels, preds)
  inputs.named(self, update_pairs, inputs.pairs(self, labels, preds))
end

-- The arrays of a table by name: those of `names`, or all in the order of their names.
local function by_name(self, what, arrays, names)
  local list = {}
  if type(arrays) ~= "table" then
    fail("%s: update_dict: %ss: expected a table of arrays by name, got %s", self.name, what,
      arrays == nil and "nothing" or type(arrays))
  end
  if not names then
    names = {}
    for name in pairs(arrays) do names[#names + 1] = name end
    table.sort(names, function(a, b) return tostring(a) < tostring(b) end)
  end
  for i, name in ipairs(names) do
    if arrays[name] == nil then fail("%s: update_dict: %s: '%s' is missing", self.name, what, name) end
    list[i] = inputs.array(self, what .. "s." .. tostring(name), arrays[name])
  end
  return list
end

--- Like update, with labels and predictions by name: update_dict({softmax_label = y}, {softmax_output = p}). Uses those
-- named by the options label_names and output_names, or else all of them, in the order of their names.
function EvalMetric:update_dict(labels, preds)
  self:update(by_name(self, "label", labels, self.label_names), by_name(self, "pred", preds, self.output_names))
end

--- A table of options from which metric.create(config) makes the metric again; it can be stored as JSON.
function EvalMetric:get_config()
  local config = { metric = class.of(self).__name__, name = self._given_name or self.name,
    output_names = self.output_names,
    label_names = self.label_names }
  for _, key in ipairs(self.option_names or {}) do config[key] = self[key] end
  return config
end

--- Adds one array of labels and one of predictions. Subclasses define it.
function EvalMetric:update_pair() fail("%s: update_pair is not defined", class.of(self).__name__) end

--- The value for a sum over n samples. Override it unless it is the mean.
function EvalMetric:value(sum, count) return sum / count end

local NAN = -(0 / 0)          -- 0 / 0 prints as -nan

local function value_of(self, sum, count)
  if count == 0 then return NAN end
  return self:value(sum, count)
end

--- The name and the value since the last reset or reset_local.
function EvalMetric:get() return self.name, value_of(self, self.sum_metric, self.num_inst) end

--- The name and the value since the last reset.
function EvalMetric:get_global() return self.name, value_of(self, self.global_sum_metric, self.global_num_inst) end

local function pairs_of(names, values)
  if type(names) ~= "table" then return { { names, values } } end
  local list = {}
  for i, name in ipairs(names) do list[i] = { name, values[i] } end
  return list
end

--- { {name, value}, ... }
function EvalMetric:get_name_value() return pairs_of(self:get()) end
function EvalMetric:get_global_name_value() return pairs_of(self:get_global()) end

function EvalMetric:__tostring()
  local parts = {}
  for i, entry in ipairs(self:get_name_value()) do parts[i] = ("'%s': %s"):format(entry[1], python.repr(entry[2])) end
  return "EvalMetric: {" .. table.concat(parts, ", ") .. "}"
end

-- ---- The registry ---------------------------------------------------------------------------------

local registry = {}
local no_options = arguments.new("metric.register", {})

--- Lets create() find a class by its lower-case name and by other names.
function metric.register(cls, ...)
  for i, name in ipairs { type(cls) == "table" and rawget(cls, "__name__") or cls or "nil", ... } do
    if type(name) == "table" then no_options(name) end
    if type(name) ~= "string" or i == 1 and name == cls then
      fail("metric.register: expected a class and names, got %s", type(name))
    end
    registry[name:lower()] = cls
  end
  return cls
end

--- alias(name, ...): a function that registers a class by more names: metric.alias("mine")(MyMetric).
function metric.alias(...)
  local names = { ... }
  if type(names[1]) == "table" then no_options(names[1]) end
  return function(cls) return metric.register(cls, table.unpack(names)) end
end

local COMMON = { "name", "output_names", "label_names" }

local function check_averages(what, x)
  if x ~= "macro" and x ~= "micro" then fail("%s: expected 'macro' or 'micro', got %s", what, tostring(x)) end
end

local function check_name(what, x)
  if type(x) ~= "string" and type(x) ~= "number" then fail("%s: expected a string, got %s", what, type(x)) end
end

-- Checks of options shared by several metrics.
local CHECKS = { axis = checks.whole, top_k = checks.whole, eps = checks.number, average = check_averages,
                 ignore_label = checks.whole, name = check_name }

-- Defines a metric with these arguments, which become fields: `names` before name, output_names and label_names, `last`
-- after them. aliases: more names for create().
local function define(name, names, defaults, last, ...)
  local cls = EvalMetric:subclass(name)
  cls.option_names = table.move(last or {}, 1, last and #last or 0, #names + 1, table.move(names, 1, #names, 1, {}))
  names = table.move(names, 1, #names, 1, {})
  for _, common in ipairs(COMMON) do if common ~= names[2] then names[#names + 1] = common end end
  for _, more in ipairs(last or {}) do names[#names + 1] = more end
  local read = arguments.new(name, names, defaults)
  function cls:init(...)
    for key, value in pairs(read(...)) do
      if CHECKS[key] then CHECKS[key](("%s: %s"):format(name, key), value) end
      self[key] = value
    end
    if self.check then self:check() end
    self:reset()
  end
  metric[name] = cls
  return metric.register(cls, ...)
end

local function named(name)
  return registry[name:lower()] or fail("%s is not registered. Please register with metric.register first%s", name,
      nearest.hint(name:lower(), registry))
end

local create

-- A metric from get_config's JSON: {"metric": "Accuracy", ...}, or ["acc", {"axis": 1}].
local function from_text(text)
  local said, why = python.from_json(text)
  if type(said) ~= "table" then fail("metric.create: expected a name or JSON, got '%s': %s", text, why or "null") end
  if type(said[1]) == "string" then return create(said[1], said[2]) end
  return create(said)
end

local function of_list(list, options)
  local key = next(list)
  if key ~= nil and #list == 0 then
    fail("metric.create: metric: expected names, metrics or a configuration with 'metric', got a table with '%s'",
      tostring(key))
  end
  local composite = metric.CompositeEvalMetric()
  for _, item in ipairs(list) do composite:add(create(item, options)) end
  return composite
end

function create(x, options)
  if class.is_a(x, EvalMetric) then
    if options ~= nil and not (is_plain(options) and next(options) == nil) then
      fail "metric.create: options: expected none with an existing metric, got some"
    end
    return x
  end
  if type(x) == "function" then return metric.CustomMetric(x, options) end
  if is_plain(x) and x.metric ~= nil then x, options = x.metric, x end
  if is_plain(x) then return of_list(x, options) end
  if type(x) ~= "string" then fail("metric: expected a name, a function, a list or an EvalMetric, got %s", type(x)) end
  if x:find "^%s*[%[{]" then return from_text(x) end
  if not is_plain(options) then return named(x)(options) end
  local own = {}                                         -- without the name, which a configuration includes
  for key, value in pairs(options) do if key ~= "metric" then own[key] = value end end
  return named(x)(own)
end

--- Creates a metric from its name ("acc"), a function feval(label, pred), a configuration of get_config (a table or its
-- JSON), or a list of these; returns a metric as it is. options: its arguments; in a list, those of each metric.
-- Errors: an unknown name.
function metric.create(x, options) return create(x, options) end

-- ---- Composite --------------------------------------------------------------------------------------

--- CompositeEvalMetric(metrics, name): several metrics of the same batches; get() returns two lists.
local Composite = EvalMetric:subclass "CompositeEvalMetric"
metric.CompositeEvalMetric = metric.register(Composite, "composite")
local read_composite = arguments.new("CompositeEvalMetric", { "metrics", "name", "output_names", "label_names" },
  { name = "composite" }, true)

function Composite:init(...)
  local options = read_composite(...)
  self.name, self.metrics = options.name, {}
  self.output_names, self.label_names = options.output_names, options.label_names
  if options.metrics ~= nil and not is_plain(options.metrics) then
    fail("CompositeEvalMetric: metrics: expected a list of metrics, got %s", type(options.metrics))
  end
  for i, item in ipairs(options.metrics or {}) do self.metrics[i] = metric.create(item) end
end

--- A table from which metric.create(config) makes the metrics again; config.metrics: the configurations of each.
function Composite:get_config()
  local config = EvalMetric.get_config(self)
  config.metrics = {}
  for i, item in ipairs(self.metrics) do config.metrics[i] = item:get_config() end
  return config
end

--- Adds another metric.
function Composite:add(item) self.metrics[#self.metrics + 1] = metric.create(item) end

--- The i-th metric, counted from 0.
function Composite:get_metric(i)
  return self.metrics[i + 1] or fail("Metric index %d is out of range 0 and %d", i, #self.metrics)
end

function Composite:update(labels, preds)
  for _, item in ipairs(self.metrics) do item:update(labels, preds) end
end

local function each(self, method)
  for _, item in ipairs(self.metrics) do item[method](item) end
end
function Composite:reset() each(self, "reset") end
function Composite:reset_local() each(self, "reset_local") end

local function gather(self, method)
  local names, values = {}, {}
  for _, item in ipairs(self.metrics) do
    for _, entry in ipairs(pairs_of(item[method](item))) do
      names[#names + 1], values[#values + 1] = entry[1], entry[2]
    end
  end
  return names, values
end
function Composite:get() return gather(self, "get") end
function Composite:get_global() return gather(self, "get_global") end

-- ---- Regression -------------------------------------------------------------------------------------

local function sum(x) return x:sum():asscalar() end

-- Computes a batch's value from the differences; get() returns the mean over batches.
local function define_error(name, of_difference)
  local cls = define(name, {}, { name = name:lower() })
  function cls:update_pair(label, pred)
    check_equal(#label, #pred)
    if label.ndim == 1 then label = label:reshape { -1, 1 } end
    if pred.ndim == 1 then pred = pred:reshape { -1, 1 } end
    self:add(of_difference(label:astype(pred.dtype) - pred):asscalar(), 1)
  end
end

--- MAE(name), MSE(name), RMSE(name): the mean absolute difference, the mean squared difference and its root.
define_error("MAE", function(x) return x:abs():mean() end)
define_error("MSE", function(x) return x:square():mean() end)
define_error("RMSE", function(x) return x:square():mean():sqrt() end)

-- The sums of n pairs, and of the squares and products of their differences from the means.
local function moments(label, pred)
  local x, y = pred:astype("float64"):reshape { -1 }, label:astype("float64"):reshape { -1 }
  check_equal(y.size, x.size)
  local m = { n = x.size, x = sum(x) / x.size, y = sum(y) / y.size }
  local dx, dy = x - m.x, y - m.y
  m.xx, m.yy, m.xy = sum(dx:square()), sum(dy:square()), sum(dx * dy)
  return m
end

local function joined(a, b)
  if not a then return b end
  local n, dx, dy = a.n + b.n, b.x - a.x, b.y - a.y
  local weight = a.n * b.n / n
  return { n = n, x = a.x + dx * b.n / n, y = a.y + dy * b.n / n,
           xx = a.xx + b.xx + dx * dx * weight, yy = a.yy + b.yy + dy * dy * weight,
           xy = a.xy + b.xy + dx * dy * weight }
end

local function correlation(m) return m.xy / math.sqrt(m.xx * m.yy) end

--- PearsonCorrelation(name, average = "macro"): the mean of the batches' correlations, or with "micro" the correlation
-- of all samples.
local Pearson = define("PearsonCorrelation", {}, { name = "pearsonr", average = "macro" }, { "average" }, "pearsonr")

function Pearson:update_pair(label, pred)
  local new = moments(label, pred)
  if self.average == "macro" then return self:add(correlation(new), 1) end
  self._state, self._global_state = joined(self._state, new), joined(self._global_state, new)
  self:add(0, 1)
end

function Pearson:get()
  if self.average == "macro" or not self._state then return EvalMetric.get(self) end
  return self.name, correlation(self._state)
end

function Pearson:get_global()
  if self.average == "macro" or not self._global_state then return EvalMetric.get_global(self) end
  return self.name, correlation(self._global_state)
end

--- Loss(name): the mean of the predictions, which are losses.
local Loss = define("Loss", {}, { name = "loss" })

local function add_losses(self, _, preds)
  for _, pred in ipairs(preds) do self:add(sum(pred), pred.size) end
end

function Loss:update(_, preds)
  if preds == nil then fail("%s: update: preds: expected losses, got nothing", self.name) end
  inputs.named(self, add_losses, inputs.pairs(self, nil, preds, true))
end

-- MXNet has these two for the losses of other libraries.
for _, name in ipairs { "Torch", "Caffe" } do define(name, {}, { name = name:lower() }).update = Loss.update end

--- CustomMetric(feval, name, allow_extra_outputs): feval(label, pred) returns a batch's value, or a sum and a count.
local CustomMetric = define("CustomMetric", { "feval", "name", "allow_extra_outputs" }, {})

function CustomMetric:check()
  if type(self.feval) ~= "function" then fail("CustomMetric: feval: expected a function, got %s", type(self.feval)) end
  self.name = self.name or "custom"
end

function CustomMetric:update(labels, preds)
  labels, preds = inputs.pairs(self, labels, preds)
  if not self.allow_extra_outputs then check_equal(#labels, #preds) end
  for i, label in ipairs(labels) do
    local total, count = self.feval(label, preds[i])
    if type(total) ~= "number" or count ~= nil and type(count) ~= "number" then
      fail("%s: update: feval: expected a number, or a sum and a count, got %s", self.name,
        is_array(total) and "an NDArray; write array:asscalar()" or type(total))
    end
    self:add(total, count or 1)
  end
end

--- Raises: a function cannot be written to a file.
function CustomMetric.get_config() fail "CustomMetric: get_config: a metric of a function cannot be serialized" end

--- metric.np(feval, name, allow_extra_outputs): MXNet's name for CustomMetric; here, too, feval gets arrays.
function metric.np(feval, ...) return CustomMetric(feval, ...) end

local classes = require "hybridlua.metric.classes"(metric, define, check_equal)
require "hybridlua.metric.pcc"(metric, define, classes)
require "hybridlua.metric.confusion"(metric, define, classes)

arguments.methods(EvalMetric, "EvalMetric.", {
  update = "labels[] preds[]", reset = "", reset_local = "", add = "sum count", get = "", get_global = "",
  get_name_value = "", get_global_name_value = "", update_dict = "label{} pred{}", get_config = "",
})
arguments.methods(metric.ConfusionMatrix, "ConfusionMatrix.",
  { matrix = "", accuracy = "", recall = "", precision = "" })
arguments.methods(Composite, "CompositeEvalMetric.", { add = "metric", get_metric = "index" })
for _, cls in pairs(metric) do if type(cls) == "table" then arguments.as_above(cls) end end
arguments.functions(metric, "metric.",
  { create = "metric[] options{*}", check_label_shapes = "labels[] preds[] wrap shape" })

return require "hybridlua.language.module"(metric, "hybridlua.metric")

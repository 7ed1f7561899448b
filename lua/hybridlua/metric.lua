-- metric.lua - how good predictions are, summed up over batches.
--
-- metric:update(labels, preds) takes a batch, an array or a list of arrays each;
-- metric:get() gives name and value so far (nan before the first batch), metric:reset()
-- begins anew. The sums are kept in Lua's numbers; the work on arrays is the engine's.
local core = require "hybridlua.core"
local arguments = require "hybridlua.arguments"
local class = require "hybridlua.class"
local fail = require "hybridlua.fail"
local nearest = require "hybridlua.nearest"
local python = require "hybridlua.python"

local nd = core.nd
local metric = {}

-- ---- The base -----------------------------------------------------------------------------------

--- EvalMetric(name): the base. A metric of your own: EvalMetric:subclass "Mine" with
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

--- Forgets everything.
function EvalMetric:reset()
  self.num_inst, self.sum_metric = 0, 0.0
  self.global_num_inst, self.global_sum_metric = 0, 0.0
end

--- Forgets what get() counts, not what get_global() does.
function EvalMetric:reset_local() self.num_inst, self.sum_metric = 0, 0.0 end

--- Adds `count` samples whose values sum up to `sum`.
function EvalMetric:add(sum, count)
  self.sum_metric, self.num_inst = self.sum_metric + sum, self.num_inst + count
  self.global_sum_metric, self.global_num_inst = self.global_sum_metric + sum, self.global_num_inst + count
end

local function listed(x) return type(x) == "table" and x or { x } end

local function check_equal(labels, preds)
  if labels ~= preds then fail("Shape of labels %d does not match shape of predictions %d", labels, preds) end
end

--- Labels and predictions of a batch, once they were found to be as many (lists), or of the same shape (with `shape`).
-- With `wrap` an array alone becomes a list of one.
function metric.check_label_shapes(labels, preds, wrap, shape)
  if shape and labels.shape ~= preds.shape then
    fail("Shape of labels %s does not match shape of predictions %s", labels.shape, preds.shape)
  elseif not shape then check_equal(#labels, #preds) end
  if wrap then return listed(labels), listed(preds) end
  return labels, preds
end

--- Takes a batch: labels and predictions, arrays or lists of as many arrays.
function EvalMetric:update(labels, preds)
  if labels == nil or preds == nil then fail("%s: update: expected labels and predictions, got nothing", self.name) end
  labels, preds = listed(labels), listed(preds)
  check_equal(#labels, #preds)
  local _ <close> = core.mode_enter(false)
  for i, pred in ipairs(preds) do
    local label = labels[i]
    if core.is_array(label) and core.is_array(pred) then label = label:as_in_context(pred.context) end
    self:update_pair(label, pred)
  end
end

-- The arrays of a table by name: those of `names`, or all in the order of their names.
local function by_name(what, arrays, names)
  local list = {}
  if not names then
    names = {}
    for name in pairs(arrays) do names[#names + 1] = name end
    table.sort(names)
  end
  for i, name in ipairs(names) do
    list[i] = arrays[name] or fail("update_dict: %s: '%s' is missing", what, name)
  end
  return list
end

--- The same with labels and predictions by name: update_dict({softmax_label = y}, {softmax_output = p}). Those that the
-- options label_names and output_names name are taken, else all in the order of their names.
function EvalMetric:update_dict(labels, preds)
  self:update(by_name("label", labels, self.label_names), by_name("pred", preds, self.output_names))
end

--- What metric.create(config.metric, config) makes the metric of again.
function EvalMetric:get_config()
  local config = { metric = class.of(self).__name__, name = self.name, output_names = self.output_names,
    label_names = self.label_names }
  for _, key in ipairs(self.option_names or {}) do config[key] = self[key] end
  return config
end

--- One array of labels and one of predictions; override it.
function EvalMetric:update_pair() fail("%s: update_pair is not defined", class.of(self).__name__) end

--- The value of a sum over so many samples; override it where it is not the mean.
function EvalMetric:value(sum, count) return sum / count end

local NAN = -(0 / 0)          -- 0 / 0 prints as -nan

local function value_of(self, sum, count)
  if count == 0 then return NAN end
  return self:value(sum, count)
end

--- Name and value, since the last reset or reset_local.
function EvalMetric:get() return self.name, value_of(self, self.sum_metric, self.num_inst) end

--- Name and value since the last reset.
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

--- Lets create() find a class by its lower-case name and by further ones.
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

-- A metric with these arguments, which become fields; names: by which create() finds it too.
local function define(name, names, defaults, ...)
  local cls = EvalMetric:subclass(name)
  cls.option_names = names
  names = table.move(names, 1, #names, 1, {})
  for _, common in ipairs { "name", "output_names", "label_names" } do
    if common ~= names[2] then names[#names + 1] = common end
  end
  local read = arguments.new(name, names, defaults)
  function cls:init(...)
    for key, value in pairs(read(...)) do self[key] = value end
    if self.check then self:check() end
    self:reset()
  end
  metric[name] = cls
  return metric.register(cls, ...)
end

--- A metric from its name ("acc"), a function feval(label, pred), a list of these, or itself.
-- options: its arguments. Errors: a name that is not registered.
function metric.create(x, options)
  if class.is_a(x, EvalMetric) then
    if options ~= nil and next(options) ~= nil then
      fail "metric.create: options: expected none with a metric that is made, got some"
    end
    return x
  end
  if type(x) == "function" then return metric.CustomMetric(x, options) end
  if type(x) == "table" then
    local composite = metric.CompositeEvalMetric()
    for _, item in ipairs(x) do composite:add(metric.create(item)) end
    return composite
  end
  if type(x) ~= "string" then fail("metric: expected a name, a function, a list or an EvalMetric, got %s", type(x)) end
  local cls = registry[x:lower()]
  if not cls then
    fail("%s is not registered. Please register with metric.register first%s", x, nearest.hint(x:lower(), registry))
  end
  return cls(options or {})
end

-- ---- Several at once --------------------------------------------------------------------------------

--- CompositeEvalMetric(metrics, name): several metrics of the same batches; get() gives two lists.
local Composite = EvalMetric:subclass "CompositeEvalMetric"
metric.CompositeEvalMetric = metric.register(Composite, "composite")
local read_composite = arguments.new("CompositeEvalMetric", { "metrics", "name", "output_names", "label_names" },
  { name = "composite" }, true)

function Composite:init(...)
  local options = read_composite(...)
  self.name, self.metrics = options.name, {}
  for i, item in ipairs(options.metrics or {}) do self.metrics[i] = metric.create(item) end
end

--- Adds one more metric.
function Composite:add(item) self.metrics[#self.metrics + 1] = metric.create(item) end

--- The i-th metric, from 0.
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

-- ---- Classes ----------------------------------------------------------------------------------------

local function sum(x) return x:sum():asscalar() end

local function same_shape(a, b)
  return a.ndim == b.ndim and table.concat(a.shape, ",") == table.concat(b.shape, ",")
end

-- Classes as flat arrays of integers: the labels, and the best of the predictions along `axis`.
local function classes(label, pred, axis)
  if label.ndim > pred.ndim then
    fail("update: labels: expected classes for predictions of shape %s, got shape %s; labels come first: " ..
      "metric:update(labels, preds)",
         python.tuple(pred.shape), python.tuple(label.shape))
  end
  if not same_shape(label, pred) then pred = pred:argmax { axis = axis } end
  local rows, predicted = label.ndim > 0 and #label or 1, pred.ndim > 0 and #pred or 1
  check_equal(rows, predicted)
  label, pred = label:astype("int32"):reshape { -1 }, pred:astype("int32"):reshape { -1 }
  check_equal(label.size, pred.size)
  return label, pred
end

--- Accuracy(axis = 1, name): the fraction of samples whose best prediction along `axis` is the label.
local Accuracy = define("Accuracy", { "axis" }, { axis = 1, name = "accuracy" }, "acc")

function Accuracy:update_pair(label, pred)
  label, pred = classes(label, pred, self.axis)
  self:add(sum(label:equal(pred)), label.size)
end

--- TopKAccuracy(top_k, name): the fraction of samples whose label is among the top_k best predictions.
local TopKAccuracy = define("TopKAccuracy", { "top_k" }, { top_k = 1, name = "top_k_accuracy" }, "top_k_accuracy",
  "top_k_acc")

function TopKAccuracy:check()
  if self.top_k <= 1 then fail "Please use Accuracy if top_k is no more than 1" end
  self.name = ("%s_%d"):format(self.name, self.top_k)
end

-- How many predictions come before each label's own; of equal ones the first comes first.
local function ranks(label, pred)
  local places = nd.arange(pred.shape[2], { dtype = pred.dtype, ctx = pred.context }):reshape { 1, -1 }
  local own = nd.pick(pred, label, { axis = 1, keepdims = true })
  local before = pred:greater(own) + pred:equal(own) * nd.broadcast_lesser(places, label)
  return before:sum { axis = 1 }, own:equal(own):reshape { -1 }       -- NaN is no good prediction
end

function TopKAccuracy:update_pair(label, pred)
  if pred.ndim > 2 then fail "Predictions should be no more than 2 dims" end
  check_equal(#label, #pred)
  if pred.ndim == 1 then return self:add(sum(label:astype("int32"):equal(pred:astype "int32")), label.size) end
  local rank, valid = ranks(label:astype(pred.dtype):reshape { -1, 1 }, pred)
  self:add(sum(rank:lesser(self.top_k) * valid), label.size)
end

-- True and false positives and negatives of two classes.
local function count_outcomes(self, label, pred)
  label, pred = classes(label, pred, 1)
  local ones, predicted, both = sum(label:equal(1)), sum(pred:equal(1)), sum(label:equal(1) * pred:equal(1))
  if ones + sum(label:equal(0)) ~= label.size then
    fail("%s currently only supports binary classification.", class.of(self).__name__)
  end
  return { tp = both, fp = predicted - both, fn = ones - both, tn = label.size - ones - predicted + both }
end

-- A score of outcomes: the mean over batches (average = "macro") or that of all samples ("micro").
local function define_score(name, score)
  local cls = define(name, { "average" }, { name = name:lower(), average = "macro" })
  function cls:reset()
    EvalMetric.reset(self)
    self.outcomes = { tp = 0, fp = 0, fn = 0, tn = 0 }
  end
  function cls:update_pair(label, pred)
    local new = count_outcomes(self, label, pred)
    if self.average == "macro" then return self:add(score(new), 1) end
    for key, count in pairs(new) do self.outcomes[key] = self.outcomes[key] + count end
    self:add(0, label.size)
  end
  function cls:value(total, count)
    if self.average == "macro" then return total / count end
    return score(self.outcomes)
  end
end

--- F1(name, average = "macro"): the harmonic mean of precision and recall of class 1.
define_score("F1", function(o)
  local precision = o.tp + o.fp > 0 and o.tp / (o.tp + o.fp) or 0.0
  local recall = o.tp + o.fn > 0 and o.tp / (o.tp + o.fn) or 0.0
  return precision + recall > 0 and 2 * precision * recall / (precision + recall) or 0.0
end)

--- MCC(name, average = "macro"): Matthews' correlation coefficient.
define_score("MCC", function(o)
  local product = 1
  for _, term in ipairs { o.tp + o.fp, o.tp + o.fn, o.tn + o.fp, o.tn + o.fn } do
    if term ~= 0 then product = product * term end
  end
  return (o.tp * o.tn - o.fp * o.fn) / math.sqrt(product)
end)

-- The predicted probability of each label; label may have any shape of as many elements.
local function probabilities(label, pred, axis)
  if label.size * pred.shape[(axis or -1) % pred.ndim + 1] ~= pred.size then
    fail("shape mismatch: %s vs. %s", python.tuple(label.shape), python.tuple(pred.shape))
  end
  if not axis then pred, label = pred:reshape { -1, pred.shape[pred.ndim] }, label:reshape { -1 } end
  return nd.pick(pred, label, { axis = axis or -1 })
end

-- The mean of -log(probability of the label).
local function define_log_likelihood(name, title, ...)
  local cls = define(name, { "eps" }, { eps = 1e-12, name = title }, ...)
  function cls:update_pair(label, pred)
    self:add(-sum((probabilities(label, pred) + self.eps):log()), label.size)
  end
end

--- CrossEntropy(eps = 1e-12, name): predictions are probabilities (N, classes).
define_log_likelihood("CrossEntropy", "cross-entropy", "ce", "cross-entropy")

--- NegativeLogLikelihood(eps = 1e-12, name): the same by another name.
define_log_likelihood("NegativeLogLikelihood", "nll-loss", "nll_loss", "nll-loss")

--- Perplexity(ignore_label = nil, axis = -1, name): e to the mean of -log(probability of the label).
local Perplexity = define("Perplexity", { "ignore_label", "axis" }, { axis = -1, name = "perplexity" })

function Perplexity:update_pair(label, pred)
  local axis = self.axis % pred.ndim
  if label.size * pred.shape[axis + 1] ~= pred.size then
    fail("shape mismatch: %s vs. %s", python.tuple(label.shape), python.tuple(pred.shape))
  end
  local shape = pred.shape
  table.remove(shape, axis + 1)
  label = label:reshape(shape)
  local chosen, count = nd.pick(pred, label, { axis = axis }), label.size
  if self.ignore_label then
    local ignored = label:astype(chosen.dtype):equal(self.ignore_label)
    chosen = chosen * (1 - ignored) + ignored
    count = count - math.tointeger(sum(ignored))
  end
  self:add(-sum(nd.maximum(chosen, 1e-10):log()), count)
end

function Perplexity:value(total, count) return math.exp(total / count) end

-- ---- Numbers ----------------------------------------------------------------------------------------

-- A batch's value from the differences; get() is the mean over batches.
local function define_error(name, of_difference)
  local cls = define(name, {}, { name = name:lower() })
  function cls:update_pair(label, pred)
    check_equal(#label, #pred)
    if label.ndim == 1 then label = label:reshape { -1, 1 } end
    if pred.ndim == 1 then pred = pred:reshape { -1, 1 } end
    self:add(of_difference(label:astype(pred.dtype) - pred):asscalar(), 1)
  end
end

--- MAE(name), MSE(name), RMSE(name): the mean absolute and squared difference, and its root.
define_error("MAE", function(x) return x:abs():mean() end)
define_error("MSE", function(x) return x:square():mean() end)
define_error("RMSE", function(x) return x:square():mean():sqrt() end)

-- Sums of squares and products about the means, of n pairs.
local function moments(label, pred)
  local x, y = pred:astype("float64"):reshape { -1 }, label:astype("float64"):reshape { -1 }
  check_equal(y.size, x.size)
  local m = { n = x.size, x = sum(x) / x.size, y = sum(y) / y.size }
  local dx, dy = x - m.x, y - m.y
  m.xx, m.yy, m.xy = sum(dx:square()), sum(dy:square()), sum(dx * dy)
  return m
end

-- Those of two sets together.
local function joined(a, b)
  if not a then return b end
  local n, dx, dy = a.n + b.n, b.x - a.x, b.y - a.y
  local weight = a.n * b.n / n
  return { n = n, x = a.x + dx * b.n / n, y = a.y + dy * b.n / n,
           xx = a.xx + b.xx + dx * dx * weight, yy = a.yy + b.yy + dy * dy * weight,
           xy = a.xy + b.xy + dx * dy * weight }
end

local function correlation(m) return m.xy / math.sqrt(m.xx * m.yy) end

--- PearsonCorrelation(name, average = "macro"): the mean of the batches' correlations, or with
-- "micro" that of all samples.
local Pearson = define("PearsonCorrelation", { "average" }, { name = "pearsonr", average = "macro" }, "pearsonr")

function Pearson:reset()
  EvalMetric.reset(self)
  self.moments = nil
end

function Pearson:update_pair(label, pred)
  local new = moments(label, pred)
  if self.average == "macro" then return self:add(correlation(new), 1) end
  self.moments = joined(self.moments, new)
  self:add(0, new.n)
end

function Pearson:value(total, count)
  if self.average == "macro" then return total / count end
  return correlation(self.moments)
end

--- Loss(name): the mean of the predictions themselves, which are losses.
local Loss = define("Loss", {}, { name = "loss" })

function Loss:update(_, preds)
  for _, pred in ipairs(listed(preds)) do self:add(sum(pred), pred.size) end
end

-- Two that MXNet keeps for the losses of other libraries.
for _, name in ipairs { "Torch", "Caffe" } do define(name, {}, { name = name:lower() }).update = Loss.update end

--- CustomMetric(feval, name, allow_extra_outputs): feval(label, pred) gives a batch's value, or a
-- sum and a count.
local CustomMetric = define("CustomMetric", { "feval", "name", "allow_extra_outputs" }, {})

function CustomMetric:check()
  if type(self.feval) ~= "function" then fail("CustomMetric: feval: expected a function, got %s", type(self.feval)) end
  self.name = self.name or "custom"
end

function CustomMetric:update(labels, preds)
  labels, preds = listed(labels), listed(preds)
  if not self.allow_extra_outputs then check_equal(#labels, #preds) end
  for i, label in ipairs(labels) do
    local total, count = self.feval(label, preds[i])
    self:add(total, count or 1)
  end
end

--- metric.np(feval, name, allow_extra_outputs): MXNet's name for CustomMetric; feval gets arrays here too.
function metric.np(feval, ...) return CustomMetric(feval, ...) end

require "hybridlua.metric.pcc"(metric, define)
require "hybridlua.metric.confusion"(metric, define, classes)

arguments.methods(EvalMetric, "EvalMetric.", {
  update = "labels[] preds[]", reset = "", reset_local = "", add = "sum count", get = "", get_global = "",
  get_name_value = "", get_global_name_value = "", update_dict = "labels{} preds{}", get_config = "",
})
arguments.methods(metric.ConfusionMatrix, "ConfusionMatrix.",
  { matrix = "", accuracy = "", recall = "", precision = "" })
arguments.methods(Composite, "CompositeEvalMetric.", { add = "metric", get_metric = "index" })
for _, cls in pairs(metric) do if type(cls) == "table" then arguments.as_above(cls) end end
arguments.functions(metric, "metric.",
  { create = "metric[] options{}", check_label_shapes = "labels[] preds[] wrap shape" })

return require "hybridlua.module"(metric, "hybridlua.metric")

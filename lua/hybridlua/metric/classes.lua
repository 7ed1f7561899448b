-- metric/classes.lua - metrics of predicted classes: Accuracy, TopKAccuracy, F1, MCC, CrossEntropy,
-- NegativeLogLikelihood, Perplexity. Samples with the label ignore_label are not counted.
local core = require "hybridlua.core"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local python = require "hybridlua.language.python_text"

local nd = core.op.nd

local function sum(x) return x:sum():asscalar() end

local function same_shape(a, b) return a.ndim == b.ndim and table.concat(a.shape, ",") == table.concat(b.shape, ",") end

-- The rows of label and pred without the ignored ones; label has one axis.
local function counted(ignore_label, label, pred)
  if ignore_label == nil then return label, pred end
  local keep = label:not_equal(ignore_label)
  return nd.contrib.boolean_mask(label, keep), nd.contrib.boolean_mask(pred, keep)
end

--- Adds the metrics of classes. define(name, names, defaults, last, aliases) makes one; check_equal rejects different
-- sizes. Returns classes(metric, label, pred, axis) for confusion.lua and pcc.lua.
return function(metric, define, check_equal)

  local function refuse_swapped(label, pred)
    fail("labels: expected classes for predictions of shape %s, got shape %s; labels come first: " ..
      "metric:update(labels, preds)", python.tuple(pred.shape), python.tuple(label.shape))
  end

  -- The labels and the predicted classes, without ignored ones, as flat arrays of integers. The predicted class is the
  -- best along `axis`, unless pred already holds classes.
  local function classes(self, label, pred, axis)
    if not same_shape(label, pred) and (axis < pred.ndim or label.size ~= pred.size) then
      if axis >= pred.ndim then
        if label.ndim > pred.ndim then refuse_swapped(label, pred) end
        check_equal(label.size, pred.size)
      end
      local scores = pred
      pred = pred:argmax { axis = axis }
      if label.size ~= pred.size and label.ndim > scores.ndim then refuse_swapped(label, scores) end
    end
    label, pred = label:astype("int32"):reshape { -1 }, pred:astype("int32"):reshape { -1 }
    check_equal(label.size, pred.size)
    return counted(self.ignore_label, label, pred)
  end

  --- Accuracy(axis = 1, name, {ignore_label = nil}): the fraction of samples whose best prediction along `axis` is the
  -- label.
  local Accuracy = define("Accuracy", { "axis" }, { axis = 1, name = "accuracy" }, { "ignore_label" }, "acc")

  function Accuracy:update_pair(label, pred)
    label, pred = classes(self, label, pred, self.axis)
    self:add(sum(label:equal(pred)), label.size)
  end

  --- TopKAccuracy(top_k, name, {ignore_label = nil}): the fraction of samples whose label is among the top_k best
  -- predictions.
  local TopKAccuracy = define("TopKAccuracy", { "top_k" }, { top_k = 1, name = "top_k_accuracy" }, { "ignore_label" },
    "top_k_accuracy", "top_k_acc")

  function TopKAccuracy:check()
    if self.top_k <= 1 then fail "Please use Accuracy if top_k is no more than 1" end
    self._given_name = self.name
    self.name = ("%s_%d"):format(self.name, self.top_k)
  end

  -- The number of predictions before each label's own; ties are in index order.
  local function ranks(label, pred)
    local places = nd.arange(pred.shape[2], { dtype = pred.dtype, ctx = pred.context }):reshape { 1, -1 }
    local own = nd.pick(pred, label, { axis = 1, keepdims = true })
    local before = pred:greater(own) + pred:equal(own) * nd.broadcast_lesser(places, label)
    return before:sum { axis = 1 }, own:equal(own):reshape { -1 }       -- a NaN is never right
  end

  function TopKAccuracy:update_pair(label, pred)
    if pred.ndim > 2 then fail "Predictions should be no more than 2 dims" end
    check_equal(label.size, pred.ndim > 0 and #pred or 1)
    label, pred = counted(self.ignore_label, label:reshape { -1 }, pred)
    if label.size == 0 then return end
    if pred.ndim < 2 then return self:add(sum(label:astype("int32"):equal(pred:astype "int32")), label.size) end
    local rank, valid = ranks(label:astype(pred.dtype):reshape { -1, 1 }, pred)
    self:add(sum(rank:lesser(self.top_k) * valid), label.size)
  end

  -- ---- Two classes ----------------------------------------------------------------------------

  local function count_outcomes(self, label, pred)
    label, pred = classes(self, label, pred, 1)
    local ones, predicted, both = sum(label:equal(1)), sum(pred:equal(1)), sum(label:equal(1) * pred:equal(1))
    if ones + sum(label:equal(0)) ~= label.size then
      fail("%s currently only supports binary classification.", class.of(self).__name__)
    end
    return { tp = both, fp = predicted - both, fn = ones - both, tn = label.size - ones - predicted + both }
  end

  local function no_outcomes() return { tp = 0, fp = 0, fn = 0, tn = 0 } end

  local function total(o) return o.tp + o.fp + o.fn + o.tn end

  local function put_together(into, o) for key, count in pairs(o) do into[key] = into[key] + count end end

  -- Defines a score of outcomes: the mean over updates (average = "macro") or that of all samples ("micro").
  local function define_score(name, score)
    local cls = define(name, {}, { name = name:lower(), average = "macro" }, { "average", "ignore_label" })
    cls._new_state = no_outcomes
    function cls:_batch_begins() self._update = no_outcomes() end
    function cls:update_pair(label, pred) put_together(self._update, count_outcomes(self, label, pred)) end
    function cls:_batch_ends()
      local new, count = self._update, total(self._update)
      if count == 0 then return end
      if self.average == "macro" then return self:add(score(new), 1) end
      put_together(self._state, new)
      put_together(self._global_state, new)
      self.num_inst, self.global_num_inst = total(self._state), total(self._global_state)
      self.sum_metric = score(self._state) * self.num_inst
      self.global_sum_metric = score(self._global_state) * self.global_num_inst
    end
  end

  --- F1(name, {average = "macro", ignore_label = nil}): the harmonic mean of precision and recall of class 1. "macro":
  -- the mean over the updates; "micro": the score of all samples together.
  define_score("F1", function(o)
    local precision = o.tp + o.fp > 0 and o.tp / (o.tp + o.fp) or 0.0
    local recall = o.tp + o.fn > 0 and o.tp / (o.tp + o.fn) or 0.0
    return precision + recall > 0 and 2 * precision * recall / (precision + recall) or 0.0
  end)

  --- MCC(name, {average = "macro", ignore_label = nil}): Matthews' correlation coefficient; average as for F1.
  define_score("MCC", function(o)
    local product = 1
    for _, term in ipairs { o.tp + o.fp, o.tp + o.fn, o.tn + o.fp, o.tn + o.fn } do
      if term ~= 0 then product = product * term end
    end
    return (o.tp * o.tn - o.fp * o.fn) / math.sqrt(product)
  end)

  -- ---- Probabilities --------------------------------------------------------------------------

  -- The predicted probability of each label, without ignored ones; label may have any shape of the right size.
  local function probabilities(self, label, pred, axis)
    axis = (axis or -1) % math.max(pred.ndim, 1)
    if pred.ndim == 0 or label.size * pred.shape[axis + 1] ~= pred.size then
      fail("shape mismatch: %s vs. %s", python.tuple(label.shape), python.tuple(pred.shape))
    end
    if axis ~= pred.ndim - 1 then pred = nd.moveaxis(pred, axis, pred.ndim - 1) end
    label, pred = counted(self.ignore_label, label:reshape { -1 }, pred:reshape { -1, pred.shape[pred.ndim] })
    return label.size > 0 and nd.pick(pred, label, { axis = 1 }) or nil, label.size
  end

  local function define_log_likelihood(name, title, ...)
    local cls = define(name, { "eps" }, { eps = 1e-12, name = title }, { "ignore_label" }, ...)
    function cls:update_pair(label, pred)
      local chosen, count = probabilities(self, label, pred)
      if chosen then self:add(-sum((chosen + self.eps):log()), count) end
    end
  end

  --- CrossEntropy(eps = 1e-12, name, {ignore_label = nil}): predictions are probabilities (N, classes).
  define_log_likelihood("CrossEntropy", "cross-entropy", "ce", "cross-entropy")

  --- NegativeLogLikelihood(eps = 1e-12, name, {ignore_label = nil}): CrossEntropy by another name.
  define_log_likelihood("NegativeLogLikelihood", "nll-loss", "nll_loss", "nll-loss")

  --- Perplexity(ignore_label = nil, axis = -1, name): e to the power of the mean of -log(probability of the label).
  local Perplexity = define("Perplexity", { "ignore_label", "axis" }, { axis = -1, name = "perplexity" })

  function Perplexity:update_pair(label, pred)
    local chosen, count = probabilities(self, label, pred, self.axis)
    if chosen then self:add(-sum(nd.maximum(chosen, 1e-10):log()), count) end
  end

  function Perplexity:value(total_loss, count) return math.exp(total_loss / count) end

  return classes
end
